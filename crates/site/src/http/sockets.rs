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
/// The interval between pings, which check whether a client is still connected.
const PING: Duration = Duration::from_secs(30);
/// After this many unanswered pings the client counts as disconnected.
const MAX_SILENT: u32 = 3;

/// A socket with its limits.
struct ClientSocket {
    socket: WebSocket,
    app: Arc<App>,
    /// The number of pings since the last message from the client.
    silent: u32,
    /// The client, whose connection counts as long as the socket is open.
    client: Client,
}

/// An event on a socket.
enum Incoming {
    Text(Utf8Bytes),
    /// The socket must be closed.
    Closed,
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

    async fn send_error(&mut self, problem: &Problem) -> bool {
        self.send(problem.json().into()).await
    }

    /// The next text from the client. The future may be dropped and created again.
    async fn receive(&mut self) -> Incoming {
        loop {
            let message = match tokio::time::timeout(PING, self.socket.recv()).await {
                Ok(Some(Ok(message))) => message,
                Ok(Some(Err(_)) | None) => return Incoming::Closed,
                Err(_) => {
                    self.silent += 1;
                    if self.silent > MAX_SILENT || !self.transmit(Message::Ping("".into())).await {
                        return Incoming::Closed;
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
                return Incoming::Closed;
            }
            match message {
                Message::Text(text) => return Incoming::Text(text),
                Message::Close(_) => return Incoming::Closed,
                Message::Binary(_) => {
                    if !self.send_error(&Problem::bad("expected a text")).await {
                        return Incoming::Closed;
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
        .on_upgrade(move |socket| serve_room(ClientSocket::new(socket, &app, client), live)))
}

/// The people present in a room, for everybody who has entered it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Presence"))]
pub(crate) struct PresenceReport {
    /// The sides of the client's token, in the answer to `enter`.
    #[serde(skip_serializing_if = "Option::is_none")]
    you: Option<[bool; 2]>,
    /// The people present.
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
async fn presence_changed(guest: &mut Option<Guest>) {
    match guest {
        Some(guest) => guest.changes.next().await,
        None => std::future::pending().await,
    }
}

async fn serve_room(mut socket: ClientSocket, live: Arc<LiveRoom>) {
    let registry = Arc::clone(&socket.app.registry);
    let mut views = live.watch();
    let mut guest: Option<Guest> = None;
    let first: Utf8Bytes = (&*live.view()).into();
    let mut open = socket.send(first).await;
    live.look(socket.client.address);
    registry.go_on(&live);
    while open {
        tokio::select! {
            changed = views.changed() => {
                let view: Utf8Bytes = (&*views.borrow_and_update().view).into();
                open = changed.is_ok() && socket.send(view).await;
            }
            () = presence_changed(&mut guest) => {
                let news = guest.as_ref().map(Guest::news).unwrap_or_default();
                open = socket.send(news.into()).await;
            }
            incoming = socket.receive() => match incoming {
                Incoming::Closed => open = false,
                Incoming::Text(text) => open = answer(&mut socket, &live, &mut guest, &text).await,
            }
        }
    }
    drop((views, guest));
    live.left();
}

/// Carries out the request of a watcher; false when the socket must be closed.
async fn answer(
    socket: &mut ClientSocket,
    live: &Arc<LiveRoom>,
    guest: &mut Option<Guest>,
    text: &Utf8Bytes,
) -> bool {
    let action = match read::<PlayerAction>(text.as_bytes()) {
        Ok(action) => action,
        Err(problem) => return socket.send_error(&problem).await,
    };
    if action.action == Action::Enter {
        // Somebody who has entered with other sides leaves first.
        drop(guest.take());
        let greeting = guest.insert(Guest::enter(live, &action.token)).greeting();
        return socket.send(greeting.into()).await;
    }
    let registry = Arc::clone(&socket.app.registry);
    match registry.act(live, &action, socket.client.address).await {
        Ok(()) => true,
        // The message was sent twice, or too late: the answer is the current state of the game.
        Err(RegistryError::Stale { .. }) => socket.send((&*live.view()).into()).await,
        Err(error) => socket.send_error(&error.into()).await,
    }
}

/// Analyses or rollouts. Each question ends the one before, and so does its closing.
pub(crate) async fn study(
    kind: Study,
    State(app): State<Arc<App>>,
    Extension(client): Extension<Client>,
    socket: WebSocketUpgrade,
) -> Response {
    upgrade(socket)
        .on_upgrade(move |socket| serve_study(ClientSocket::new(socket, &app, client), kind))
}

/// The kind of study that a socket is for.
#[derive(Clone, Copy)]
pub(crate) enum Study {
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
        reply: &Sender<String>,
    ) -> Result<(), Problem> {
        match self {
            Self::Analysis => analysis::analyse(read::<Question>(text)?, pool, client, reply).await,
            Self::Rollout => rollouts::roll_out(read(text)?, pool, client, reply).await,
        }
    }
}

async fn serve_study(mut socket: ClientSocket, study: Study) {
    let mut question = match socket.receive().await {
        Incoming::Text(text) => text,
        Incoming::Closed => return,
    };
    let client = socket.client.address;
    loop {
        let (reply, mut reports) = channel::<String>(4);
        let pool = Arc::clone(&socket.app.pool);
        let search = tokio::spawn(async move {
            if let Err(problem) = study.answer(question.as_bytes(), &pool, client, &reply).await {
                // A client that has disconnected needs no answer.
                let _ = reply.send(problem.json()).await;
            }
        });
        let next = loop {
            tokio::select! {
                Some(report) = reports.recv() => {
                    if !socket.send(report.into()).await {
                        break None;
                    }
                }
                incoming = socket.receive() => match incoming {
                    Incoming::Text(text) => break Some(text),
                    Incoming::Closed => break None,
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
