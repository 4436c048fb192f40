//! The server's answers when it does not carry out a request.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use wurfel::UnknownName;

use crate::pool::Refused;
use crate::puzzles::NoPuzzle;
use crate::registry::RegistryError;
use crate::runs::RunError;
use crate::store::StoreError;

/// An error as a client receives it: a status, and one line of text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Problem {
    pub status: StatusCode,
    pub message: String,
    /// How long the client has to wait before the request can be granted, where that is known.
    pub wait: Option<Duration>,
}

/// The default wait of a client that has sent too many requests.
const DEFAULT_WAIT: Duration = Duration::from_secs(1);

impl Problem {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), wait: None }
    }

    pub fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// How long a client waits, in whole seconds: less than the wait would be too early.
    pub fn seconds(&self) -> u64 {
        self.wait.unwrap_or(DEFAULT_WAIT).as_secs_f64().ceil().max(1.0) as u64
    }

    /// The problem in JSON, as a client receives it.
    pub fn json(&self) -> String {
        serde_json::to_string(&ProblemReport { error: &self.message }).unwrap_or_default()
    }
}

/// What is wrong with a request.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Problem"))]
pub(crate) struct ProblemReport<'a> {
    /// One line: what is wrong and what was expected.
    error: &'a str,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status, json(self.json())).into_response();
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(self.seconds()));
        }
        response
    }
}

/// An answer that consists of a JSON text.
pub(crate) fn json(text: impl Into<axum::body::Body>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text.into()).into_response()
}

impl From<RegistryError> for Problem {
    fn from(error: RegistryError) -> Self {
        let status = match &error {
            RegistryError::Unknown | RegistryError::NoCode | RegistryError::NoLobby => {
                StatusCode::NOT_FOUND
            }
            RegistryError::Forbidden | RegistryError::Taken => StatusCode::FORBIDDEN,
            RegistryError::Stale { .. } => StatusCode::CONFLICT,
            RegistryError::Many(_) | RegistryError::Guesses(_) => StatusCode::TOO_MANY_REQUESTS,
            RegistryError::Full
            | RegistryError::Store(
                StoreError::Busy | StoreError::NotKept(_) | StoreError::Overtaken,
            ) => StatusCode::SERVICE_UNAVAILABLE,
            RegistryError::Refused(_) => StatusCode::BAD_REQUEST,
            RegistryError::Busy(refused) => return (*refused).into(),
            RegistryError::Store(_) | RegistryError::Random(_) | RegistryError::Damaged(_) => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        let wait = match &error {
            RegistryError::Many(refused) => Some(refused.wait),
            RegistryError::Guesses(wait) => Some(*wait),
            _ => None,
        };
        Self { wait, ..Self::new(status, error.to_string()) }
    }
}

impl From<Refused> for Problem {
    fn from(error: Refused) -> Self {
        let status = match error {
            Refused::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Refused::Quota => StatusCode::TOO_MANY_REQUESTS,
            Refused::Failed => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error.to_string())
    }
}

impl From<NoPuzzle> for Problem {
    fn from(error: NoPuzzle) -> Self {
        Self::new(StatusCode::NOT_FOUND, error.to_string())
    }
}

impl From<RunError> for Problem {
    fn from(error: RunError) -> Self {
        let status = match &error {
            RunError::Busy(refused) => return (*refused).into(),
            RunError::None | RunError::Unknown => StatusCode::NOT_FOUND,
            RunError::Strange(_) => StatusCode::UNPROCESSABLE_ENTITY,
            RunError::Io(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error.to_string())
    }
}

impl From<UnknownName> for Problem {
    fn from(error: UnknownName) -> Self {
        Self::new(StatusCode::NOT_FOUND, error.to_string())
    }
}
