//! Games that guests upload: they are listed, and one at a time is reviewed.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::post;
use serde::Serialize;
use wurfel::game;

use crate::agents::AgentCache;
use crate::app::App;
use crate::http::answers::{Problem, json};
use crate::http::body::{expect_json, read};
use crate::http::guard::Client;
use crate::pool::{Class, Stop};
use crate::review::{Request, list, review};

/// The longest time for any of this work.
const MAX_TIME: Duration = Duration::from_secs(20);

pub(crate) fn routes() -> Router<Arc<App>> {
    let reviewed = async |State(app), Extension(client), headers, body| {
        look(Wanted::Review, app, client, headers, body).await
    };
    let listed = async |State(app), Extension(client), headers, body| {
        look(Wanted::List, app, client, headers, body).await
    };
    Router::new().route("/api/review", post(reviewed)).route("/api/review/games", post(listed))
}

/// The work to do on a text.
#[derive(Clone, Copy)]
enum Wanted {
    /// To list its games.
    List,
    /// To review one of its games.
    Review,
}

async fn look(
    wanted: Wanted,
    app: Arc<App>,
    client: Client,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    expect_json(&headers)?;
    let upload = app.uploads.read(client.address, &headers, body).await?;
    let request: Request = read(&upload.bytes)?;
    let game = game(&request.game().map_err(Problem::bad)?)?;
    let Request { text, number, .. } = request;
    let look = move |_: &mut AgentCache, stop: Stop<'_>| match wanted {
        Wanted::List => shown(&list(game, &text, number, stop)?),
        Wanted::Review => shown(&review(game, &text, number, stop, &mut |_| {})?),
    };
    let class = Class::Long(client.address);
    let list = app.pool.run(class, MAX_TIME, look).await?.map_err(Problem::bad)?;
    drop(upload);
    Ok(json(list))
}

fn shown(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}
