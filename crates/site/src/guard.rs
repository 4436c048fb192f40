//! What every request must pass before it is looked at, and what every answer tells
//! the browser.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::answers::Problem;
use crate::limits::{Pass, client};
use crate::proxy::Origin;
use crate::routes::App;
use crate::uploads;

/// How long the answer to a request may take.
const MAX_TIME: Duration = Duration::from_secs(30);

/// Nothing but the site's own files; no inline script, no frame around it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The connection over which a request came.
#[derive(Clone)]
pub(crate) struct Peer {
    address: IpAddr,
    /// Counts the connection, unless it is a proxy's.
    pass: Option<Arc<Pass>>,
}

impl Peer {
    pub const fn new(address: IpAddr, pass: Option<Arc<Pass>>) -> Self {
        Self { address, pass }
    }
}

/// Who sent a request.
#[derive(Clone)]
pub(crate) struct Client {
    pub address: IpAddr,
    /// Counts the connection, or behind a proxy the request, until the last copy is gone.
    _pass: Arc<Pass>,
}

/// The names by which this server may be called. A page of another site whose name
/// was made to lead here is refused.
pub(crate) struct Hosts {
    /// `None`: any.
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

    /// Refuses requests for other hosts, and those that a page of another site sends.
    /// Where a proxy says that they came over https, or not, the page must have, too.
    fn check(&self, headers: &HeaderMap, secure: Option<bool>) -> Result<(), Problem> {
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let host = text(header::HOST).unwrap_or_default();
        if !self.know(host) {
            let message = "this server is not called so (`wurfel serve --name NAME` adds a name)";
            return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, message));
        }
        let same = |origin: &str| {
            let http = origin.strip_prefix("http://").filter(|_| secure != Some(true));
            let https = origin.strip_prefix("https://").filter(|_| secure != Some(false));
            http.or(https).is_some_and(|origin| origin.eq_ignore_ascii_case(host))
        };
        match headers.get(header::ORIGIN).map(|origin| origin.to_str().is_ok_and(same)) {
            Some(false) => {
                Err(Problem::new(StatusCode::FORBIDDEN, "the request comes from another site"))
            }
            // Programs send no origin; browsers do, unless they only read.
            Some(true) | None => Ok(()),
        }
    }
}

/// The one door: hosts, origins, rates, times, and the headers of every answer.
pub(crate) async fn guard(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Response {
    // The answer to what changes something may have a secret beside a text that others chose:
    // compressed, its length would tell of the secret.
    if request.method() != Method::GET {
        request.headers_mut().remove(header::ACCEPT_ENCODING);
    }
    let admitted = admitted(&app, &request).map(|client| {
        request.extensions_mut().insert(client);
    });
    let mut response = match admitted {
        Err(problem) => problem.into_response(),
        Ok(()) => match tokio::time::timeout(MAX_TIME, next.run(request)).await {
            Ok(response) => response,
            Err(_) => Problem::new(StatusCode::REQUEST_TIMEOUT, "the request took too long")
                .into_response(),
        },
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let cross = header::HeaderName::from_static("cross-origin-resource-policy");
    headers.insert(cross, HeaderValue::from_static("same-origin"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn admitted(app: &App, request: &Request) -> Result<Client, Problem> {
    let unknown = || Problem::bad("it is not clear who sends this");
    let peer = request.extensions().get::<Peer>().ok_or_else(unknown)?;
    let origin = app.proxies.origin(peer.address, request.headers());
    let Origin { client: address, secure } = origin.ok_or_else(unknown)?;
    app.hosts.check(request.headers(), secure)?;
    let address = client(address);
    let api = request.uri().path().starts_with("/api/");
    // The page is some twenty files at once; what changes something costs more,
    // and so does what is long.
    let cost = match (api, request.method()) {
        (true, &Method::POST) => 2.0 + uploads::cost(request.headers()),
        (true, _) => 1.0,
        (false, _) => 0.2,
    };
    let busy = |message| Problem::new(StatusCode::TOO_MANY_REQUESTS, message);
    if !app.gate.allows(address, cost, Instant::now()) {
        return Err(busy("too many requests, try again in a moment"));
    }
    // Of a proxy's connections it is only known with the request whose they are.
    let pass = peer.pass.clone().or_else(|| app.gate.enter(address).map(Arc::new));
    let pass = pass.ok_or_else(|| busy("too many connections, close some"))?;
    Ok(Client { address, _pass: pass })
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
        // Behind a proxy it is known how the page must have come.
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
