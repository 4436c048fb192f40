//! Sockets for updates while somebody watches: the views of a room as it changes, and analyses and
//! rollouts during their searches.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Extension, Path, State};
use axum::response::Response;
use serde::Serialize;
use tokio::sync::mpsc::{Sender, channel};
use wurfel_core::{BySide, Side};

use crate::analysis::{self, Question};
use crate::app::App;
use crate::http::answers::Problem;
use crate::http::body::read;
use crate::http::guard::Client;
use crate::live::LiveRoom;
use crate::pool::Pool;
use crate::presence::{Changes, Here};
use crate::registry::PlayerAction;
use crate::registry::RegistryError;
use crate::rollouts;
use crate::room::Action;

/// The longest message of a client in bytes.
const MAX_MESSAGE: usize = 8 << 10;
/// How long a client may take to accept a message.
const MAX_SEND: Duration = Duration::from_secs(10);
/// How often a client is asked whether it is still connected.
const PING: Duration = Duration::from_secs(30);
/// After this many unanswered pings the client counts as gone.
const MAX_SILENT: u32 = 3;

/// A socket with its limits.
struct ClientSocket {
    socket: WebSocket,
    app: Arc<App>,
    /// The number of pings since the last message from the client.
    silent: u32,
    /// The client, whose connection counts as long as the line lasts.
    client: Client,
}

/// An event on a line.
enum Heard {
    Text(Utf8Bytes),
    /// The line must be closed.
    Gone,
}

fn upgrade(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    // Buffers large enough for the messages of clients. The default would be 128 KiB for each
    // client.
    upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE).read_buffer_size(4 << 10)
}

impl ClientSocket {
    fn new(socket: WebSocket, app: &Arc<App>, client: Client) -> Self {
        Self { socket, app: Arc::clone(app), silent: 0, client }
    }

    /// Sends a text; false when the client does not accept it.
    async fn send(&mut self, text: Utf8Bytes) -> bool {
        self.transmit(Message::Text(text)).await
    }

    async fn transmit(&mut self, message: Message) -> bool {
        matches!(tokio::time::timeout(MAX_SEND, self.socket.send(message)).await, Ok(Ok(())))
    }

    async fn complain(&mut self, problem: &Problem) -> bool {
        self.send(problem.json().into()).await
    }

    /// The next text from the client. The future may be dropped and created again.
    async fn hear(&mut self) -> Heard {
        loop {
            let message = match tokio::time::timeout(PING, self.socket.recv()).await {
                Ok(Some(Ok(message))) => message,
                Ok(Some(Err(_)) | None) => return Heard::Gone,
                Err(_) => {
                    self.silent += 1;
                    if self.silent > MAX_SILENT || !self.transmit(Message::Ping("".into())).await {
                        return Heard::Gone;
                    }
                    continue;
                }
            };
            self.silent = 0;
            // All sockets of a client share its limit on requests.
            if !self.app.gate.allows(self.client.address, 1.0, Instant::now()) {
                let frame =
                    CloseFrame { code: close_code::POLICY, reason: "too many messages".into() };
                self.transmit(Message::Close(Some(frame))).await;
                return Heard::Gone;
            }
            match message {
                Message::Text(text) => return Heard::Text(text),
                Message::Close(_) => return Heard::Gone,
                Message::Binary(_) => {
                    if !self.complain(&Problem::bad("expected a text")).await {
                        return Heard::Gone;
                    }
                }
                Message::Ping(_) | Message::Pong(_) => {}
            }
        }
    }
}

/// The views of a room from now on. Accepts the same actions as the room's address.
pub(crate) async fn room(
    State(app): State<Arc<App>>,
    Extension(client): Extension<Client>,
    Path(id): Path<String>,
    socket: WebSocketUpgrade,
) -> Result<Response, Problem> {
    let live = app.registry.find(&id).await?;
    Ok(upgrade(socket)
        .on_upgrade(move |socket| look(ClientSocket::new(socket, &app, client), live)))
}

/// Who is at a room, for everybody who has entered it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Presence"))]
pub(crate) struct PresenceReport {
    /// For which sides the client's token stands, in the answer to `enter`.
    #[serde(skip_serializing_if = "Option::is_none")]
    you: Option<[bool; 2]>,
    /// Who is there.
    here: Here,
}

/// Somebody who has entered a room, until they leave.
struct Guest {
    live: Arc<LiveRoom>,
    sides: BySide<bool>,
    changes: Changes,
}

impl Guest {
    fn enter(live: &Arc<LiveRoom>, token: &str) -> Self {
        let sides = live.holds(token);
        live.presence.change(sides, true);
        Self { live: Arc::clone(live), sides, changes: live.presence.watch() }
    }

    /// The sides that they play, and who is present.
    fn greeting(&self) -> String {
        let sides = Side::BOTH.map(|side| self.sides[side]);
        self.presence(Some(sides))
    }

    fn news(&self) -> String {
        self.presence(None)
    }

    fn presence(&self, you: Option<[bool; 2]>) -> String {
        let here = self.live.presence.here();
        serde_json::to_string(&PresenceReport { you, here }).unwrap_or_default()
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.live.presence.change(self.sides, false);
    }
}

/// Returns when somebody else comes or goes; for those who have entered.
async fn company(guest: &mut Option<Guest>) {
    match guest {
        Some(guest) => guest.changes.next().await,
        None => std::future::pending().await,
    }
}

async fn look(mut line: ClientSocket, live: Arc<LiveRoom>) {
    let registry = Arc::clone(&line.app.registry);
    let mut views = live.watch();
    let mut guest: Option<Guest> = None;
    let first: Utf8Bytes = (&*live.view()).into();
    let mut open = line.send(first).await;
    live.look(line.client.address);
    registry.go_on(&live);
    while open {
        tokio::select! {
            changed = views.changed() => {
                let view: Utf8Bytes = (&*views.borrow_and_update().view).into();
                open = changed.is_ok() && line.send(view).await;
            }
            () = company(&mut guest) => {
                let news = guest.as_ref().map(Guest::news).unwrap_or_default();
                open = line.send(news.into()).await;
            }
            heard = line.hear() => match heard {
                Heard::Gone => open = false,
                Heard::Text(text) => open = answer(&mut line, &live, &mut guest, &text).await,
            }
        }
    }
    drop((views, guest));
    live.left();
}

/// Carries out the request of a watcher; false when the line must be closed.
async fn answer(
    line: &mut ClientSocket,
    live: &Arc<LiveRoom>,
    guest: &mut Option<Guest>,
    text: &Utf8Bytes,
) -> bool {
    let action = match read::<PlayerAction>(text.as_bytes()) {
        Ok(action) => action,
        Err(problem) => return line.complain(&problem).await,
    };
    if action.action == Action::Enter {
        // Somebody who has entered with other sides leaves first.
        drop(guest.take());
        let greeting = guest.insert(Guest::enter(live, &action.token)).greeting();
        return line.send(greeting.into()).await;
    }
    let registry = Arc::clone(&line.app.registry);
    match registry.act(live, &action, line.client.address).await {
        Ok(()) => true,
        // The message was sent twice, or too late: the answer is the present state of the game.
        Err(RegistryError::Stale { .. }) => line.send((&*live.view()).into()).await,
        Err(error) => line.complain(&error.into()).await,
    }
}

/// Analyses. Each question ends the one before, and so does the end of the line.
pub(crate) async fn analyse(
    State(app): State<Arc<App>>,
    Extension(client): Extension<Client>,
    socket: WebSocketUpgrade,
) -> Response {
    upgrade(socket)
        .on_upgrade(move |socket| consult(ClientSocket::new(socket, &app, client), Study::Analysis))
}

/// Rollouts. Each request ends the one before, and so does the end of the line.
pub(crate) async fn roll_out(
    State(app): State<Arc<App>>,
    Extension(client): Extension<Client>,
    socket: WebSocketUpgrade,
) -> Response {
    upgrade(socket)
        .on_upgrade(move |socket| consult(ClientSocket::new(socket, &app, client), Study::Rollout))
}

/// The kind of study that a line is for.
#[derive(Clone, Copy)]
enum Study {
    Analysis,
    Rollout,
}

impl Study {
    /// Answers the text of a client with reports.
    async fn answer(
        self,
        text: &[u8],
        pool: &Arc<Pool>,
        client: IpAddr,
        tell: &Sender<String>,
    ) -> Result<(), Problem> {
        match self {
            Self::Analysis => analysis::analyse(read::<Question>(text)?, pool, client, tell).await,
            Self::Rollout => rollouts::roll_out(read(text)?, pool, client, tell).await,
        }
    }
}

async fn consult(mut line: ClientSocket, study: Study) {
    let mut question = match line.hear().await {
        Heard::Text(text) => text,
        Heard::Gone => return,
    };
    let client = line.client.address;
    loop {
        let (tell, mut told) = channel::<String>(4);
        let pool = Arc::clone(&line.app.pool);
        let search = tokio::spawn(async move {
            if let Err(problem) = study.answer(question.as_bytes(), &pool, client, &tell).await {
                // A client that has gone needs no answer.
                let _ = tell.send(problem.json()).await;
            }
        });
        let next = loop {
            tokio::select! {
                Some(report) = told.recv() => {
                    if !line.send(report.into()).await {
                        break None;
                    }
                }
                heard = line.hear() => match heard {
                    Heard::Text(text) => break Some(text),
                    Heard::Gone => break None,
                }
            }
        };
        search.abort();
        match next {
            Some(text) => question = text,
            None => return,
        }
    }
}
