//! Determines the client behind proxies.
//!
//! Only named proxies are trusted. Each appends the address from which it received the request to
//! `X-Forwarded-For`, or to `Forwarded` (RFC 7239). So the client is the last address that is not
//! one of the proxies, and anything that the client itself wrote before that is ignored.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, header};
use ipnet::IpNet;

/// The proxies that are trusted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proxies(Vec<IpNet>);

/// The origin of a request according to the proxies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    /// The client that sent it.
    pub client: IpAddr,
    /// Whether the page came over https. The server itself speaks only http; `None` where a proxy
    /// does not say what it speaks.
    pub secure: Option<bool>,
}

const FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

impl Proxies {
    pub const fn new(networks: Vec<IpNet>) -> Self {
        Self(networks)
    }

    /// Whether an address is that of a proxy.
    pub fn has(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The origin of a request that came from `peer`. `None` when the proxies' headers do not
    /// contain an address, or when the two headers disagree, in which case one of them is the
    /// client's own.
    pub fn origin(&self, peer: IpAddr, headers: &HeaderMap) -> Option<Origin> {
        if !self.has(peer) {
            return Some(Origin { client: peer, secure: Some(false) });
        }
        let plain = list(headers, &FOR);
        let standard = list(headers, &header::FORWARDED);
        let named = |element: &&str| parameter(element, "for").map(str::to_owned);
        let standard: Vec<String> = standard.iter().filter_map(named).collect();
        let both = [
            self.last(peer, plain.iter().copied()),
            self.last(peer, standard.iter().map(String::as_str)),
        ];
        let client = match (plain.is_empty(), standard.is_empty(), both) {
            (false, false, [one, other]) if one != other => return None,
            (true, false, [_, client]) | (_, _, [client, _]) => client?,
        };
        let proto = list(headers, &PROTO).last().copied();
        let elements = list(headers, &header::FORWARDED);
        let proto = proto.or_else(|| elements.iter().rev().find_map(|one| parameter(one, "proto")));
        Some(Origin { client, secure: proto.map(|proto| proto.eq_ignore_ascii_case("https")) })
    }

    /// The last address in a list that is not a proxy's; the address of the first proxy when all
    /// are.
    fn last<'a>(
        &self,
        peer: IpAddr,
        hops: impl DoubleEndedIterator<Item = &'a str>,
    ) -> Option<IpAddr> {
        let mut client = peer;
        for hop in hops.rev() {
            client = address(hop)?;
            if !self.has(client) {
                break;
            }
        }
        Some(client)
    }
}

/// The elements of all headers with a name, in order. A header that is not text counts as an empty
/// element.
fn list<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Vec<&'a str> {
    let texts = headers.get_all(name).iter().map(|value| value.to_str().unwrap_or(""));
    texts.flat_map(|text| text.split(',')).map(str::trim).collect()
}

/// The value of a parameter in an element of `Forwarded`.
fn parameter<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    element.split(';').find_map(|pair| {
        let (key, value) = pair.trim().split_once('=')?;
        key.eq_ignore_ascii_case(name).then(|| value.trim_matches('"'))
    })
}

/// Reads an address, with or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().ok();
    let address = address.or_else(|| Some(text.parse::<SocketAddr>().ok()?.ip()));
    Some(address?.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, sent: &[(&'static str, &str)]) -> Option<String> {
        let proxies = ["127.0.0.1", "10.0.0.0/8"].map(|text| {
            text.parse().unwrap_or_else(|_| IpNet::from(text.parse::<IpAddr>().unwrap()))
        });
        let mut headers = HeaderMap::new();
        for (name, value) in sent {
            headers.append(HeaderName::from_static(name), value.parse().unwrap());
        }
        let origin = Proxies::new(proxies.to_vec()).origin(peer.parse().unwrap(), &headers)?;
        let secure = match origin.secure {
            Some(true) => " s",
            Some(false) => " plain",
            None => "",
        };
        Some(format!("{}{secure}", origin.client))
    }

    #[test]
    fn the_last_hop_that_is_no_proxy_is_the_client() {
        let plain = |text| client("127.0.0.1", &[("x-forwarded-for", text)]);
        assert_eq!(plain("9.9.9.9").unwrap(), "9.9.9.9");
        assert_eq!(plain("1.1.1.1, 9.9.9.9").unwrap(), "9.9.9.9");
        assert_eq!(plain("1.1.1.1, 9.9.9.9, 10.1.2.3").unwrap(), "9.9.9.9");
        assert_eq!(plain("nonsense, 9.9.9.9:81").unwrap(), "9.9.9.9");
        assert_eq!(plain("10.0.0.7").unwrap(), "10.0.0.7");
        assert_eq!(plain("9.9.9.9, nonsense"), None);
        let two = [("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "9.9.9.9")];
        assert_eq!(client("127.0.0.1", &two).unwrap(), "9.9.9.9");
        assert_eq!(client("127.0.0.1", &[]).unwrap(), "127.0.0.1");
        let standard = |text| client("127.0.0.1", &[("forwarded", text)]);
        assert_eq!(standard("for=1.1.1.1, For=9.9.9.9;proto=https").unwrap(), "9.9.9.9 s");
        assert_eq!(standard("for=\"[2001:db8::7]:99\"").unwrap(), "2001:db8::7");
        assert_eq!(standard("for=_hidden"), None);
        let secure = [("x-forwarded-for", "9.9.9.9"), ("x-forwarded-proto", "https")];
        assert_eq!(client("127.0.0.1", &secure).unwrap(), "9.9.9.9 s");
    }

    #[test]
    fn only_proxies_are_trusted_and_contradictory_headers_are_ignored() {
        let forged = [("x-forwarded-for", "1.1.1.1"), ("x-forwarded-proto", "https")];
        assert_eq!(client("9.9.9.9", &forged).unwrap(), "9.9.9.9 plain");
        let forged = [("x-forwarded-for", "9.9.9.9"), ("forwarded", "for=1.1.1.1")];
        assert_eq!(client("127.0.0.1", &forged), None);
        let both = [("x-forwarded-for", "9.9.9.9"), ("forwarded", "for=9.9.9.9")];
        assert_eq!(client("127.0.0.1", &both).unwrap(), "9.9.9.9");
    }
}
