//! The addresses of the site and their answers.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Extension, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Router, middleware};
use serde::{Deserialize, Serialize};
use tower_http::compression::CompressionLayer;
use wurfel::game;

use crate::agents::AgentCache;
use crate::app::App;
use crate::games::SceneRequest;
use crate::http::answers::{Problem, json};
use crate::http::body::{JsonBody, MAX_BODY};
use crate::http::guard::{Client, guard};
use crate::http::sockets::{self, Study, study};
use crate::http::uploads;
use crate::pool::{Class, Stop};
use crate::puzzles::puzzle;
use crate::qr;
use crate::registry::{JoinRequest, Opened, PlayerAction};
use crate::room::{GameRequest, View};
use crate::runs::RunError;

/// The longest time for a search for a puzzle.
const MAX_SEARCH: Duration = Duration::from_secs(20);
/// Number of games in the list of games.
const LISTED: u32 = 30;

type Shared = State<Arc<App>>;
type Answer = Result<Response, Problem>;

/// The routes of the site.
pub(crate) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/openapi.json", get(openapi))
        .route("/api/games", get(list_games))
        .route("/api/scene", get(scene))
        .route("/api/rooms", get(last_rooms).post(open_room))
        .route("/api/rooms/{id}", get(show_room).post(act))
        .route("/api/rooms/{id}/record", get(record))
        .route("/api/rooms/{id}/live", get(sockets::room))
        .route("/api/lobby", get(lobby))
        .route("/api/join", post(join))
        .route(
            "/api/analyse",
            get(|app, client, socket| study(Study::Analysis, app, client, socket)),
        )
        .route(
            "/api/rollout",
            get(|app, client, socket| study(Study::Rollout, app, client, socket)),
        )
        .route("/api/puzzles/{game}/{number}", get(show_puzzle))
        .merge(uploads::routes())
        .route("/api/qr", post(draw_qr))
        .route("/api/runs", get(list_runs))
        .route("/api/runs/{name}", get(show_run))
        .route("/api/{*rest}", get(unknown).post(unknown))
        .fallback(get(file))
        .method_not_allowed_fallback(async || {
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed")
        })
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}

fn answer(value: &impl Serialize) -> Answer {
    match serde_json::to_string(value) {
        Ok(text) => Ok(json(text)),
        Err(error) => Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
    }
}

async fn unknown() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "not found (see /api/openapi.json)")
}

async fn file(State(app): Shared, uri: Uri, headers: HeaderMap) -> Answer {
    app.files.answer(uri.path(), &headers)
}

async fn openapi() -> Response {
    json(include_str!("../../openapi.json"))
}

async fn list_games(State(app): Shared, headers: HeaderMap) -> Response {
    app.files.games(&headers)
}

async fn scene(
    request: Result<Query<SceneRequest>, axum::extract::rejection::QueryRejection>,
) -> Answer {
    let Query(request) = request.map_err(|_| {
        Problem::bad("expected ?game=…&position=… and perhaps &move=… and &drop_castling=true, each once and encoded")
    })?;
    let game = game(&request.game)?;
    answer(&request.scene(game).map_err(|error| Problem::bad(error.to_string()))?)
}

async fn last_rooms(State(app): Shared) -> Answer {
    answer(&app.registry.last(LISTED).await?)
}

async fn open_room(
    State(app): Shared,
    Extension(client): Extension<Client>,
    JsonBody(request): JsonBody<GameRequest>,
) -> Answer {
    let opened = app.registry.open(request, client.address).await?;
    let Opened { live, token, invitation, code, view } = opened;
    let mut response = answer(&View { token: Some(token), invitation, code, ..view })?;
    *response.status_mut() = StatusCode::CREATED;
    if let Ok(place) = format!("/api/rooms/{}", live.id).parse() {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response)
}

async fn lobby(State(app): Shared) -> Answer {
    answer(&app.registry.open_games()?)
}

async fn join(
    State(app): Shared,
    Extension(client): Extension<Client>,
    JsonBody(request): JsonBody<JoinRequest>,
) -> Answer {
    let live = app.registry.join_by_code(&request, client.address).await?;
    Ok(json(live.view().to_string()))
}

async fn show_room(State(app): Shared, Path(id): Path<String>) -> Answer {
    Ok(json(app.registry.find(&id).await?.view().to_string()))
}

async fn record(State(app): Shared, Path(id): Path<String>) -> Answer {
    let mut response = json(app.registry.record(&id).await?);
    if let Ok(name) = format!("attachment; filename=\"wurfel-{id}.json\"").parse() {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

async fn act(
    State(app): Shared,
    Extension(client): Extension<Client>,
    Path(id): Path<String>,
    JsonBody(action): JsonBody<PlayerAction>,
) -> Answer {
    let live = app.registry.find(&id).await?;
    app.registry.act(&live, &action, client.address).await?;
    Ok(json(live.view().to_string()))
}

async fn show_puzzle(
    State(app): Shared,
    Extension(client): Extension<Client>,
    Path((name, number)): Path<(String, String)>,
) -> Answer {
    let number = number.parse().map_err(|_| Problem::bad("expected the number of a puzzle"))?;
    let game = game(&name)?;
    let class = Class::Long(client.address);
    let seek = move |cache: &mut AgentCache, stop: Stop<'_>| puzzle(game, number, cache, stop);
    answer(&app.pool.run(class, MAX_SEARCH, seek).await??)
}

/// A text to be drawn as a QR code for a camera.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a text to draw, as an object")]
pub(crate) struct QrRequest {
    text: String,
}

// The text is not part of the address, because addresses are written to logs along the way.
async fn draw_qr(JsonBody(QrRequest { text }): JsonBody<QrRequest>) -> Answer {
    answer(&qr::draw(&text).ok_or_else(|| Problem::bad("at most 300 characters fit"))?)
}

async fn list_runs(State(app): Shared) -> Answer {
    let runs = tokio::task::spawn_blocking(move || app.runs.list()).await;
    match runs.map_err(std::io::Error::other).map_err(RunError::from)? {
        Err(RunError::None) => answer(&Vec::<String>::new()),
        runs => answer(&runs?),
    }
}

async fn show_run(
    State(app): Shared,
    Extension(client): Extension<Client>,
    Path(name): Path<String>,
) -> Answer {
    Ok(json(Arc::clone(&app.runs).show(name, client.address, &app.pool).await?))
}
