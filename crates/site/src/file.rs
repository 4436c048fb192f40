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
    /// A smaller form that takes too long to make here, where there is one.
    brotli: Option<Form>,
}

impl File {
    /// A file with this content; `kind` is its media type.
    pub fn new(kind: &'static str, content: impl Into<Bytes>) -> Self {
        Self { kind, plain: Form::new(content, ""), packed: OnceLock::new(), brotli: None }
    }

    /// Adds the content compressed with Brotli.
    pub fn add_brotli(&mut self, content: impl Into<Bytes>) {
        self.brotli = Some(Form::new(content, "-br"));
    }

    /// The file, as it is without compression.
    pub const fn content(&self) -> &Bytes {
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
        let brotli = self.brotli.as_ref().filter(|_| takes(headers, "br"));
        let (Form { content, tag }, encoding) = match brotli {
            Some(form) => (form, Some("br")),
            None if takes(headers, "gzip") => (self.packed(), Some("gzip")),
            None => (&self.plain, None),
        };
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
        if let Some(encoding) = encoding.filter(|_| !known) {
            answers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
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

/// Whether a client accepts answers in this encoding.
fn takes(headers: &HeaderMap, encoding: &str) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut accepted =
        accepted.filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(','));
    accepted.any(|accepted| {
        let mut parts = accepted.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok());
        named && weight.is_none_or(|weight| weight > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_compressed_for_clients_that_accept_it_and_each_form_has_its_tag() {
        let mut file = File::new("text/javascript", "a file");
        let answer = |file: &File, accept: &str, tag: &str| {
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
        let (status, encoding, packed) = answer(&file, "br, gzip;q=0.8", "");
        assert_eq!((status.as_u16(), encoding.as_str()), (200, "gzip"));
        let (status, encoding, plain) = answer(&file, "gzip;q=0, br", &packed);
        assert_eq!((status.as_u16(), encoding.as_str()), (200, ""));
        assert_ne!(packed, plain);
        assert_eq!(answer(&file, "gzip", &format!("\"x\", W/{packed}")).0.as_u16(), 304);
        assert_eq!(answer(&file, "identity", &plain).0.as_u16(), 304);
        file.add_brotli("smaller");
        let (status, encoding, small) = answer(&file, "gzip, br", &packed);
        assert_eq!((status.as_u16(), encoding.as_str()), (200, "br"));
        assert!(small != packed && small != plain);
        assert_eq!(answer(&file, "gzip, br;q=0", "").1, "gzip");
    }
}
