//! Large request bodies. What guests upload at the same time is limited, so that memory stays
//! bounded.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, StatusCode};

use crate::http::answers::Problem;
use crate::http::body::{MAX_BODY, length, too_long};

/// The longest body: 5 MiB of text, plus what quoting it as JSON adds.
const MAX_UPLOAD: usize = 8 << 20;
/// Maximum number of clients that upload at the same time.
const MAX_CLIENTS: usize = 8;
/// Number of bytes of an upload that count as one request.
const BYTES_PER_REQUEST: f64 = 262_144.0;

/// The clients that are uploading something large.
#[derive(Default)]
pub(crate) struct Uploads {
    clients: Mutex<HashSet<IpAddr>>,
}

/// The permission to upload something, until this value is dropped.
struct Permit {
    uploads: Arc<Uploads>,
    client: IpAddr,
}

/// A body, with the permission to keep it in memory.
pub(crate) struct Upload {
    pub bytes: Bytes,
    _permit: Option<Permit>,
}

impl Uploads {
    /// Lets a client upload something; only one upload at a time is allowed.
    fn begin(self: &Arc<Self>, client: IpAddr) -> Result<Permit, Problem> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.contains(&client) {
            let message = "you are uploading something else, try again when that is done";
            return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, message));
        }
        if clients.len() >= MAX_CLIENTS {
            let message = "too many others are uploading games, try again in a moment";
            return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, message));
        }
        clients.insert(client);
        Ok(Permit { uploads: Arc::clone(self), client })
    }

    /// Reads a body. A body that is not small, or does not state its length, needs permission.
    pub async fn read(
        self: &Arc<Self>,
        client: IpAddr,
        headers: &HeaderMap,
        body: Body,
    ) -> Result<Upload, Problem> {
        let permit = match length(headers) {
            Some(length) if length <= MAX_BODY => None,
            Some(length) if length > MAX_UPLOAD => return Err(too_long(MAX_UPLOAD)),
            _ => Some(self.begin(client)?),
        };
        let most = if permit.is_some() { MAX_UPLOAD } else { MAX_BODY };
        let bytes = to_bytes(body, most).await.map_err(|_| too_long(most))?;
        Ok(Upload { bytes, _permit: permit })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut clients = self.uploads.clients.lock().unwrap_or_else(PoisonError::into_inner);
        clients.remove(&self.client);
    }
}

/// The cost of a body in addition to that of its request, in requests.
pub(crate) fn cost(headers: &HeaderMap) -> f64 {
    length(headers).unwrap_or(0).min(MAX_UPLOAD) as f64 / BYTES_PER_REQUEST
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    fn refused(result: Result<Upload, Problem>) -> StatusCode {
        result.err().map_or(StatusCode::OK, |problem| problem.status)
    }

    async fn send(uploads: &Arc<Uploads>, client: u8, bytes: usize) -> Result<Upload, Problem> {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_LENGTH, bytes.into());
        uploads.read(address(client), &headers, Body::from(vec![b' '; bytes])).await
    }

    #[tokio::test]
    async fn a_client_uploads_one_thing_at_a_time_and_few_clients_do() {
        let uploads = Arc::new(Uploads::default());
        let mut permits = vec![send(&uploads, 1, MAX_BODY + 1).await.unwrap()];
        assert_eq!(refused(send(&uploads, 1, MAX_BODY + 1).await), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(send(&uploads, 1, MAX_BODY).await.unwrap().bytes.len(), MAX_BODY);
        for client in 2..=MAX_CLIENTS as u8 {
            permits.push(send(&uploads, client, MAX_BODY + 1).await.unwrap());
        }
        assert_eq!(
            refused(send(&uploads, 99, MAX_BODY + 1).await),
            StatusCode::SERVICE_UNAVAILABLE
        );
        permits.pop();
        assert!(send(&uploads, 99, MAX_UPLOAD).await.is_ok());
        assert_eq!(
            refused(send(&uploads, 99, MAX_UPLOAD + 1).await),
            StatusCode::PAYLOAD_TOO_LARGE
        );
        // A body that does not state its length.
        let endless = || Body::from(vec![b' '; MAX_UPLOAD + 1]);
        let none = HeaderMap::new();
        let read = uploads.read(address(50), &none, endless()).await;
        assert_eq!(refused(read), StatusCode::PAYLOAD_TOO_LARGE);
        drop(permits);
        assert!(uploads.clients.lock().unwrap().is_empty());
    }
}
