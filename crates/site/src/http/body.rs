//! What clients send: JSON texts, and request bodies of a limited length that consist of one.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;
use wurfel_core::in_one_line;

use crate::http::answers::Problem;

/// The longest body that needs no permission, in bytes.
pub(crate) const MAX_BODY: usize = 16 << 10;

/// The value that a body of at most [`MAX_BODY`] bytes describes in JSON.
pub(crate) struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        expect_json(request.headers())?;
        // A body whose stated length is too long is not read.
        if length(request.headers()).is_some_and(|length| length > MAX_BODY) {
            return Err(too_long(MAX_BODY));
        }
        let bytes = Bytes::from_request(request, state).await;
        let bytes = bytes.map_err(|error| match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => too_long(MAX_BODY),
            status => Problem::new(status, "the body cannot be read"),
        })?;
        read(&bytes).map(Self)
    }
}

/// Refuses requests that a form on a page of another site could send.
pub(crate) fn expect_json(headers: &HeaderMap) -> Result<(), Problem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if kind.is_some_and(|kind| kind.split(';').next() == Some("application/json")) {
        return Ok(());
    }
    let message = "expected a body of the type application/json";
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message))
}

/// Reads a JSON text that a client has sent.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(text).map_err(|error| {
        let line: String = in_one_line(error).chars().take(300).collect();
        Problem::bad(format!("malformed request: {line}"))
    })
}

/// The length that the headers state for the body, in bytes.
pub(crate) fn length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

pub(crate) fn too_long(most: usize) -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, format!("at most {most} bytes"))
}
