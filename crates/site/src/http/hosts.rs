//! Checks the names by which the server is addressed, and refuses requests from other sites.

use std::net::SocketAddr;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::http::answers::Problem;

/// The names by which this server may be addressed. This stops attacks by a page of another site
/// whose domain name was made to resolve to this server.
pub(crate) struct Hosts {
    /// The known names; `None` allows any name.
    known: Option<Vec<String>>,
}

impl Hosts {
    pub fn new(address: SocketAddr, names: Vec<String>) -> Self {
        if !address.ip().is_loopback() && names.is_empty() {
            return Self { known: None };
        }
        let port = address.port();
        let own = ["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}"));
        let given = names.into_iter().map(|name| name.to_ascii_lowercase());
        Self { known: Some(own.into_iter().chain([address.to_string()]).chain(given).collect()) }
    }

    fn know(&self, host: &str) -> bool {
        self.known.as_ref().is_none_or(|known| known.contains(&host.to_ascii_lowercase()))
    }

    /// Refuses requests for other hosts, and requests that a page of another site has sent. Where it
    /// is known whether a request came over https, the page's origin must agree.
    pub fn check(&self, headers: &HeaderMap, secure: Option<bool>) -> Result<(), Problem> {
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let host = text(header::HOST).unwrap_or_default();
        if !self.know(host) {
            let message = "unknown host name (`wurfel serve --name NAME` adds one)";
            return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, message));
        }
        // Programs send no origin. Browsers do, unless a request only reads.
        let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
        let origin = origin.to_str().unwrap_or_default();
        let same = |scheme: &str| {
            origin.strip_prefix(scheme).is_some_and(|origin| origin.eq_ignore_ascii_case(host))
        };
        let (plain, tls) = (same("http://"), same("https://"));
        if plain && secure != Some(true) || tls && secure != Some(false) {
            return Ok(());
        }
        Err(Problem::new(
            StatusCode::FORBIDDEN,
            if tls {
                "the page came over https and the request over http (`wurfel serve --proxy ADDRESS` \
                 names a proxy in between)"
            } else {
                "the request comes from another site"
            },
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        headers
    }

    #[test]
    fn only_this_server_and_its_own_pages_are_let_in() {
        let local = Hosts::new("127.0.0.1:3140".parse().unwrap(), vec!["dice.example".into()]);
        let check = |host, origin| local.check(&headers(host, origin), None).is_ok();
        assert!(check("127.0.0.1:3140", None));
        assert!(check("localhost:3140", Some("http://localhost:3140")));
        assert!(check("Dice.example", Some("https://dice.example")));
        for (host, origin) in [
            ("evil.example:3140", None),
            ("127.0.0.1:3140", Some("http://evil.example")),
            ("127.0.0.1:3140", Some("http://127.0.0.1:3141")),
            ("127.0.0.1:3140", Some("http://127.0.0.1:3140.evil.example")),
            ("127.0.0.1:3140", Some("null")),
            ("", None),
        ] {
            assert!(!check(host, origin), "{host} {origin:?}");
        }
        let open = Hosts::new("0.0.0.0:80".parse().unwrap(), vec![]);
        assert!(open.check(&headers("any.example", Some("http://any.example")), None).is_ok());
        assert!(open.check(&headers("any.example", Some("http://evil.example")), None).is_err());
        // Behind a proxy it is known whether the page came over https.
        for (scheme, secure, fits) in [
            ("http", true, false),
            ("https", true, true),
            ("http", false, true),
            ("https", false, false),
        ] {
            let headers = headers("any.example", Some(&format!("{scheme}://any.example")));
            assert_eq!(open.check(&headers, Some(secure)).is_ok(), fits, "{scheme} {secure}");
        }
    }
}
