//! A file as it is sent: compressed where the client accepts this, and not at all where the client
//! already has it.

use std::io::Write;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::secret;

/// One form of a file's content: plain or compressed.
struct Form {
    content: Bytes,
    /// The entity tag of this form; each encoding has its own.
    tag: String,
}

impl Form {
    fn new(content: impl Into<Bytes>, encoding: &str) -> Self {
        let content = content.into();
        let tag = format!("\"{}{encoding}\"", &secret::hash_hex_of(&content)[..16]);
        Self { content, tag }
    }
}

/// A file that can be sent plain or compressed.
pub(crate) struct File {
    kind: &'static str,
    plain: Form,
    /// The compressed form, made when a client first accepts it.
    packed: OnceLock<Form>,
}

impl File {
    /// A file with this content; `kind` is its media type.
    pub fn new(kind: &'static str, content: impl Into<Bytes>) -> Self {
        Self { kind, plain: Form::new(content, ""), packed: OnceLock::new() }
    }

    /// The file, as it is without compression.
    pub fn content(&self) -> &[u8] {
        &self.plain.content
    }

    fn packed(&self) -> &Form {
        self.packed.get_or_init(|| {
            let mut encoder = GzEncoder::new(vec![], Compression::best());
            // This writes only to memory and cannot fail.
            let packed = encoder.write_all(&self.plain.content).and_then(|()| encoder.finish());
            Form::new(packed.unwrap_or_default(), "-gzip")
        })
    }

    /// The answer to a client's request: the file in a form that the client accepts, or a note that
    /// the client already has it.
    pub fn answer(&self, status: StatusCode, headers: &HeaderMap) -> Response {
        let gzip = takes_gzip(headers);
        let Form { content, tag } = if gzip { self.packed() } else { &self.plain };
        let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
        let known = known.is_some_and(|known| {
            known.split(',').any(|known| known.trim().trim_start_matches("W/") == tag)
        });
        let known = known && status == StatusCode::OK;
        let mut response = if known {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            (status, [(header::CONTENT_TYPE, self.kind)], content.clone()).into_response()
        };
        let answers = response.headers_mut();
        if gzip && !known {
            answers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        answers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        // The browser asks each time whether the file has changed, and receives it only if it has.
        answers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        if let Ok(tag) = tag.parse() {
            answers.insert(header::ETAG, tag);
        }
        response
    }
}

/// Whether a client accepts compressed answers.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut accepted =
        accepted.filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(','));
    accepted.any(|accepted| {
        let mut parts = accepted.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok());
        named && weight.is_none_or(|weight| weight > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_compressed_for_clients_that_accept_it_and_each_form_has_its_tag() {
        let file = File::new("text/javascript", "a file");
        let answer = |accept: &str, tag: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, accept.parse().unwrap());
            headers.insert(header::IF_NONE_MATCH, tag.parse().unwrap());
            let response = file.answer(StatusCode::OK, &headers);
            let header = |name| {
                let value = response.headers().get(name).map(|value| value.to_str().unwrap());
                value.unwrap_or_default().to_owned()
            };
            assert_eq!(header(header::VARY), "accept-encoding");
            (response.status(), header(header::CONTENT_ENCODING), header(header::ETAG))
        };
        let (status, encoding, packed) = answer("br, gzip;q=0.8", "");
        assert_eq!((status.as_u16(), encoding.as_str()), (200, "gzip"));
        let (status, encoding, plain) = answer("gzip;q=0, br", &packed);
        assert_eq!((status.as_u16(), encoding.as_str()), (200, ""));
        assert_ne!(packed, plain);
        assert_eq!(answer("gzip", &format!("\"x\", W/{packed}")).0.as_u16(), 304);
        assert_eq!(answer("identity", &plain).0.as_u16(), 304);
    }
}
