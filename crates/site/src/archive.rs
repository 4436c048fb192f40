//! Games that guests upload: they are listed, and one at a time is reviewed.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::post;
use serde::Serialize;
use wurfel_agents::{Catalogued, UseGame, with_game};

use crate::agents::AgentCache;
use crate::answers::{Problem, json};
use crate::app::App;
use crate::body::{expect_json, read};
use crate::guard::Client;
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

/// What is to be done with a text.
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
    let game = request.game().map_err(Problem::bad)?;
    let found = with_game(&game, ReadGames { wanted, request, app, client })?.await?;
    drop(upload);
    Ok(json(found))
}

struct ReadGames {
    wanted: Wanted,
    request: Request,
    app: Arc<App>,
    client: Client,
}

type Looking = Pin<Box<dyn Future<Output = Result<String, Problem>> + Send>>;

impl UseGame for ReadGames {
    type Output = Looking;

    fn with<G: Catalogued>(self) -> Looking {
        let Self { wanted, request: Request { text, number, .. }, app, client } = self;
        let look = move |_: &mut AgentCache, stop: Stop<'_>| match wanted {
            Wanted::List => shown(&list::<G>(&text, stop)?),
            Wanted::Review => shown(&review::<G>(&text, number, stop)?),
        };
        Box::pin(async move {
            let class = Class::Long(client.address);
            app.pool.run(class, MAX_TIME, look).await?.map_err(Problem::bad)
        })
    }
}

fn shown(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}
