//! The checks that every request must pass before it is handled, and the headers that every answer
//! has.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::files::EMBEDDED;
use crate::http::answers::Problem;
use crate::http::large_body;
use crate::http::proxy::Origin;
use crate::limits::{Pass, client};

/// How long the answer to a request may take.
const MAX_TIME: Duration = Duration::from_secs(30);

/// The content security policy: nothing but the site's own files, no inline script, no frame around
/// the page, except around the board for pages of others. Its own files may be modules of WebAssembly, such as the
/// engine for pages.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";
const POLICY_IN_FRAMES: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *";

/// The connection over which a request came.
#[derive(Clone)]
pub(crate) struct Peer {
    address: IpAddr,
    /// Counts the connection against the client's limit, unless it is a proxy's.
    pass: Option<Arc<Pass>>,
}

impl Peer {
    pub const fn new(address: IpAddr, pass: Option<Arc<Pass>>) -> Self {
        Self { address, pass }
    }
}

/// The sender of a request.
#[derive(Clone)]
pub(crate) struct Client {
    pub address: IpAddr,
    /// Counts the connection, or behind a proxy the request, until the last copy of this is
    /// dropped.
    _pass: Arc<Pass>,
}

/// Checks hosts, origins, rates and times of every request, and adds the headers to every answer.
pub(crate) async fn guard(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Response {
    // The answer to a request that changes something may contain a secret beside text chosen by
    // others. If the answer were compressed, its length would reveal something about the secret.
    if request.method() != Method::GET {
        request.headers_mut().remove(header::ACCEPT_ENCODING);
    }
    let reads = wants_page(&request);
    let is_framed = request.uri().path() == EMBEDDED;
    let admitted = admitted(&app, &request).map(|client| {
        let address = client.address;
        request.extensions_mut().insert(client);
        address
    });
    let crowded = admitted.as_ref().is_ok_and(|address| app.gate.is_crowded(*address));
    let mut response = match admitted {
        Err(problem) if reads && problem.status == StatusCode::TOO_MANY_REQUESTS => later(&problem),
        Err(problem) => problem.into_response(),
        Ok(_) => match tokio::time::timeout(MAX_TIME, next.run(request)).await {
            Ok(response) => response,
            Err(_) => Problem::new(StatusCode::REQUEST_TIMEOUT, "the request took too long")
                .into_response(),
        },
    };
    let upgraded = response.status() == StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    if crowded && !upgraded {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    let policy = if is_framed { POLICY_IN_FRAMES } else { POLICY };
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !is_framed {
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
    let cross = header::HeaderName::from_static("cross-origin-resource-policy");
    headers.insert(cross, HeaderValue::from_static("same-origin"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Whether a request is for a page that a person will read.
fn wants_page(request: &Request) -> bool {
    let kinds = request.headers().get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok());
    let api = request.uri().path().starts_with("/api/");
    !api && kinds.is_some_and(|kinds| kinds.contains("text/html"))
}

/// A page that says that there are too many visitors from one address, and that tries again by itself.
fn later(problem: &Problem) -> Response {
    let seconds = problem.seconds();
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><meta http-equiv=\"refresh\" content=\"{seconds}\">\
         <title>One moment – wurfel</title><h1>One moment</h1><p>Many people visit this site from \
         your network just now. This page tries again in {seconds} s."
    );
    let head = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::RETRY_AFTER, HeaderValue::from(seconds)),
    ];
    (problem.status, head, page).into_response()
}

fn admitted(app: &App, request: &Request) -> Result<Client, Problem> {
    let unknown = || Problem::bad("it is not clear who sends this");
    let peer = request.extensions().get::<Peer>().ok_or_else(unknown)?;
    let origin = app.proxies.origin(peer.address, request.headers());
    let Origin { client: address, secure } = origin.ok_or_else(unknown)?;
    app.hosts.check(request.headers(), secure)?;
    let address = client(address);
    let busy = |message| Problem::new(StatusCode::TOO_MANY_REQUESTS, message);
    // Files are in memory and cost nothing, so everybody gets the page, which can then say what has to
    // wait. Requests that change something cost more than others, and so do long ones.
    if request.uri().path().starts_with("/api/") {
        let changes = request.method() == Method::POST;
        let cost = if changes { 2.0 + large_body::cost(request.headers()) } else { 1.0 };
        app.gate.admit(address, cost, Instant::now()).map_err(|wait| Problem {
            wait: Some(wait),
            ..busy("too many requests, try again in a moment")
        })?;
    }
    // On a proxy's connection, only each request shows which client it belongs to.
    let pass = peer.pass.clone().or_else(|| app.gate.enter(address).map(Arc::new));
    let pass = pass.ok_or_else(|| busy("too many connections, close some"))?;
    Ok(Client { address, _pass: pass })
}
