//! What every request must pass before it is looked at, and what every answer tells
//! the browser.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::answers::Problem;
use crate::app::App;
use crate::limits::{Pass, client};
use crate::proxy::Origin;
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
