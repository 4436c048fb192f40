//! The rooms of the site: finding, changing and storing them.
//!
//! Every change is on the disk before anybody sees it. A room is in memory only while
//! something holds it: a connection, a request in progress, or a clock that will soon run out. All
//! others are only on the disk; [`Registry::mind_clocks`] loads those whose clock runs out soon. If
//! the disk does not accept a room's change, the room goes back to its state on the disk.

mod action;
mod error;

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use tokio::task::JoinHandle;
use wurfel_arena::PersonName;
use wurfel_core::{BySide, Side, in_one_line};

use crate::agents::AgentCache;
use crate::keys::Keys;
use crate::limits::Gate;
use crate::live::{LiveRoom, LiveRooms, SavedView, lock};
use crate::lobby::Lobby;
use crate::pool::{Class, Pool, Refused, Stop};
use crate::record::RoomRecord;
use crate::room::{Action, GameRequest, OpenGame, Refusal, Room, Thought, View};
use crate::secret;
use crate::store::{Listed, Store, StoreError, StoredRoom};
pub(crate) use action::{JoinRequest, PlayerAction};
pub(crate) use error::RegistryError;

/// The longest time that an agent thinks about a move, whatever bounds its spec has.
const MAX_THOUGHT: Duration = Duration::from_millis(1050);
/// How long to wait before another attempt with a busy server.
const AGAIN: Duration = Duration::from_millis(300);
/// How long a room waits before it continues after a change that could not be stored.
const AFTER_FAILURE: Duration = Duration::from_secs(3);
/// A room whose clock runs out within this time stays in memory.
const SOON: Duration = Duration::from_secs(30);
/// How often the registry looks for clocks that run out soon.
const LOOK: Duration = Duration::from_secs(10);
/// Maximum number of rooms that are loaded each time.
const MAX_LOADED: u32 = 10_000;
/// The number of groups into which rooms are divided. Rooms of different groups are loaded from the
/// disk at the same time, rooms of one group one after the other.
const GROUPS: usize = 64;

/// A new room, and the token of whoever opened it.
pub(crate) struct Opened {
    pub live: Arc<LiveRoom>,
    pub token: String,
    /// The secret that invites a guest, if a guest is to join.
    pub invitation: Option<String>,
    /// The code that invites as well.
    pub code: Option<String>,
    /// The room as it was opened.
    pub view: View,
}

/// The rooms of the site: those in memory, and those in the database.
pub(crate) struct Registry {
    live: Mutex<LiveRooms>,
    /// The lock of each group, held while a room is loaded, so that nobody loads an old state of a
    /// room that somebody else has just loaded and changed.
    fetching: [tokio::sync::Mutex<()>; GROUPS],
    store: Store,
    pool: Arc<Pool>,
    gate: Arc<Gate>,
    /// The codes of games that wait for a guest.
    lobby: Lobby,
    /// The number of rooms in memory.
    count: Arc<AtomicUsize>,
    /// The number of rooms in memory above which no new one is opened.
    most: usize,
}

/// Makes a room from its row in the database.
fn revive(row: &StoredRoom) -> Result<Room, RegistryError> {
    let damaged = |error: &dyn std::fmt::Display| RegistryError::Damaged(in_one_line(error));
    let record = serde_json::from_str(&row.record).map_err(|error| damaged(&error))?;
    let mut room = Room::reopen(record).map_err(|error| damaged(&error))?;
    if let Some(due) = row.due {
        let left = due.duration_since(SystemTime::now()).unwrap_or_default();
        room.resume(left, Instant::now());
    }
    Ok(room)
}

impl Registry {
    pub fn new(store: Store, pool: Arc<Pool>, gate: Arc<Gate>, most: usize, lobby: Lobby) -> Self {
        let fetching = std::array::from_fn(|_| tokio::sync::Mutex::default());
        let (live, count) = (Mutex::default(), Arc::default());
        Self { live, fetching, store, pool, gate, lobby, count, most }
    }

    /// Opens a room.
    pub async fn open(
        &self,
        request: GameRequest,
        client: IpAddr,
    ) -> Result<Opened, RegistryError> {
        if request.listed && !self.lobby.is_public {
            return Err(RegistryError::NoLobby);
        }
        self.admit(client)?;
        let id = secret::random_hex::<8>()?;
        let token = secret::random_hex::<16>()?;
        let guest = request.guest;
        let invitation = guest.map(|_| secret::random_hex::<16>()).transpose()?;
        let keys = match (guest, &invitation) {
            (Some(guest), Some(invitation)) => Keys::inviting(&token, guest, invitation),
            _ => Keys::one(&token),
        };
        let opened = move |cache: &mut AgentCache, _: Stop<'_>| Room::open(id, request, cache);
        let mut room = self.pool.run(Class::Quick(client), MAX_THOUGHT, opened).await??;
        let code = guest.map(|_| self.lobby.invite(&room.record().id, client)).transpose()?;
        if let Some(code) = &code {
            room.invite_by(code);
        }
        let view = room.view(Instant::now());
        let live = self.add(room, keys, client).await?;
        Ok(Opened { live, token, invitation, code, view })
    }

    /// The games that anybody may join and whose player is there, the latest first. Each client has only a few
    /// of them in the list.
    pub fn open_games(&self) -> Result<Vec<OpenGame>, RegistryError> {
        if !self.lobby.is_public {
            return Err(RegistryError::NoLobby);
        }
        let open = |room: &str| {
            // A room that is not in memory has nobody in it.
            let live = lock(&self.live).find(room)?;
            let game = lock(&live.room).room.open_game()?;
            live.presence.away(!game.side).is_zero().then_some(game)
        };
        Ok(self.lobby.listed(open))
    }

    /// Whether a client may open a room. This concerns only new rooms: anybody who continues a game
    /// finds it, however busy the server is.
    fn admit(&self, client: IpAddr) -> Result<(), RegistryError> {
        if self.count.load(Ordering::Relaxed) >= self.most {
            return Err(RegistryError::Full);
        }
        self.gate.open(client, Instant::now()).map_err(RegistryError::Many)
    }

    /// Stores a new room.
    async fn add(
        &self,
        room: Room,
        keys: Keys,
        client: IpAddr,
    ) -> Result<Arc<LiveRoom>, RegistryError> {
        let version = room.version();
        let live = Arc::new(LiveRoom::new(room, version, keys, &self.count));
        live.look(client);
        let row = live.row(&lock(&live.room).room);
        self.store.save(row, None).await?;
        lock(&self.live).add(&live);
        Ok(live)
    }

    /// The room with this name, loaded from the disk if necessary.
    pub async fn find(&self, id: &str) -> Result<Arc<LiveRoom>, RegistryError> {
        if let Some(live) = lock(&self.live).find(id) {
            return Ok(live);
        }
        let number = u64::from_str_radix(id, 16).unwrap_or_default() as usize;
        let _turn = self.fetching[number % GROUPS].lock().await;
        if let Some(live) = lock(&self.live).find(id) {
            return Ok(live);
        }
        let row = self.load(id).await?;
        let (room, keys) = (revive(&row)?, Keys::read(&row.token));
        let live = Arc::new(LiveRoom::new(room, row.version, keys, &self.count));
        lock(&self.live).add(&live);
        Ok(live)
    }

    /// The stored state of a room.
    async fn load(&self, id: &str) -> Result<StoredRoom, RegistryError> {
        // A text that cannot be the name of a room is not looked up.
        if id.len() != 16 || !id.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(RegistryError::Unknown);
        }
        self.store.load(id.to_owned()).await?.ok_or(RegistryError::Unknown)
    }

    /// Carries out an action in a room, provided that the room still has the version on which the
    /// action was based. When this returns, the change is on the disk.
    pub async fn act(
        self: &Arc<Self>,
        live: &Arc<LiveRoom>,
        action: &PlayerAction,
        client: IpAddr,
    ) -> Result<(), RegistryError> {
        let sides = live.holds(&action.token);
        let plays = sides[Side::First] || sides[Side::Second];
        if let Action::Join { invitation, name } = &action.action {
            return if plays { Ok(()) } else { self.join(live, action, invitation, name).await };
        }
        if !plays {
            return Err(RegistryError::Forbidden);
        }
        *lock(&live.client) = Some(client);
        let by = live.actor(sides);
        if action.action == Action::Accept && lock(&live.room).room.can_play_again(&by) {
            return self.play_again(live, action, client).await;
        }
        let act = |room: &mut Room| {
            action.is_made_for(room)?;
            Ok(room.act(&action.action, &by)?)
        };
        self.change(live, act).await
    }

    /// Gives the open side of a room to the token of the action.
    async fn join(
        self: &Arc<Self>,
        live: &Arc<LiveRoom>,
        action: &PlayerAction,
        invitation: &str,
        name: &PersonName,
    ) -> Result<(), RegistryError> {
        let invited = |room: &Room, keys: &Keys| {
            let side = keys.opened_by(invitation).ok_or(RegistryError::Taken)?;
            action.is_made_for(room)?;
            Ok(side)
        };
        self.take_side(live, &action.token, name, invited).await
    }

    /// Lets somebody join the game that has a code. The same token may ask again.
    ///
    /// # Errors
    /// When no game has the code, or the client has tried too many that no game has.
    pub async fn join_by_code(
        self: &Arc<Self>,
        request: &JoinRequest,
        client: IpAddr,
    ) -> Result<Arc<LiveRoom>, RegistryError> {
        self.gate.guess(client, Instant::now()).map_err(RegistryError::Guesses)?;
        let code = request.code.trim().to_ascii_uppercase();
        let room = self.lobby.room(&code).ok_or(RegistryError::NoCode)?;
        let live = self.find(&room).await.map_err(|error| match error {
            RegistryError::Unknown => RegistryError::NoCode,
            other => other,
        })?;
        self.gate.guessed(client);
        let sides = live.holds(&request.token);
        if sides[Side::First] || sides[Side::Second] {
            return Ok(live);
        }
        let invited = |room: &Room, keys: &Keys| {
            let open = keys.open().filter(|_| room.is_open_by(&code));
            open.ok_or(RegistryError::NoCode)
        };
        self.take_side(&live, &request.token, &request.name, invited).await?;
        Ok(live)
    }

    /// Gives the side to which somebody is `invited` to their token.
    async fn take_side(
        self: &Arc<Self>,
        live: &Arc<LiveRoom>,
        token: &str,
        name: &PersonName,
        invited: impl FnOnce(&Room, &Keys) -> Result<Side, RegistryError>,
    ) -> Result<(), RegistryError> {
        if token.len() != 32 || !token.bytes().all(|character| character.is_ascii_hexdigit()) {
            return Err(Refusal::Not("a token has 32 hexadecimal digits").into());
        }
        let join = |room: &mut Room| {
            let side = invited(room, &lock(&live.keys))?;
            let by = live.actor(BySide::from_fn(|other| other == side));
            room.act(&Action::Join { invitation: String::new(), name: name.clone() }, &by)?;
            lock(&live.keys).take(side, token);
            Ok(())
        };
        self.change(live, join).await
    }

    /// Opens the room of a rematch, in which the tokens stand for the opposite sides, and leads
    /// both players there.
    async fn play_again(
        self: &Arc<Self>,
        live: &Arc<LiveRoom>,
        action: &PlayerAction,
        client: IpAddr,
    ) -> Result<(), RegistryError> {
        self.admit(client)?;
        let id = secret::random_hex::<8>()?;
        let (room, keys) = {
            let state = lock(&live.room);
            action.is_made_for(&state.room)?;
            (state.room.again(id.clone())?, lock(&live.keys).swapped())
        };
        let _next = self.add(room, keys, client).await?;
        let lead = |room: &mut Room| {
            action.is_made_for(room)?;
            room.lead_to(id);
            Ok(())
        };
        self.change(live, lead).await
    }

    /// Changes a room, and tells everybody who watches it if it has changed.
    async fn change(
        self: &Arc<Self>,
        live: &Arc<LiveRoom>,
        change: impl FnOnce(&mut Room) -> Result<(), RegistryError>,
    ) -> Result<(), RegistryError> {
        let (done, saved, news) = {
            let mut state = lock(&live.room);
            let before = state.room.version();
            // Even an action that is refused may have changed something, for instance when a clock
            // had run out.
            let done = change(&mut state.room);
            if state.room.version() == before {
                return done;
            }
            state.pending += 1;
            // This happens under the lock, so that changes reach the disk in order.
            let row = live.row(&state.room);
            let before = std::mem::replace(&mut state.saved, row.version);
            (done, self.store.save(row, Some(before)), SavedView::new(&state.room))
        };
        // An agent thinks while the disk is writing; its answer is written after this change.
        self.go_on(live);
        let (registry, live) = (Arc::clone(self), Arc::clone(live));
        // The client that asked may disconnect before the change is written; the others are informed
        // nevertheless.
        let save = tokio::spawn(async move {
            let saved = saved.await;
            let unsettled = {
                let mut state = lock(&live.room);
                state.pending -= 1;
                state.pending > 0
            };
            match &saved {
                Ok(()) => live.tell(news),
                // The changes after this one will not be stored, either, and the last of them
                // restores the room.
                Err(_) if unsettled => {}
                Err(_) => registry.restore(&live).await,
            }
            saved
        });
        save.await.map_err(std::io::Error::other)??;
        done
    }

    /// Sets a room back to its state on the disk.
    async fn restore(self: &Arc<Self>, live: &Arc<LiveRoom>) {
        let row = loop {
            match self.store.load(live.id.clone()).await {
                Ok(Some(row)) => break row,
                // The room was removed from the database.
                Ok(None) | Err(StoreError::Closed) => return,
                Err(_) => tokio::time::sleep(AGAIN).await,
            }
        };
        let Ok(room) = revive(&row) else { return };
        {
            let mut state = lock(&live.room);
            if state.pending > 0 {
                return;
            }
            state.room = room;
            *lock(&live.keys) = Keys::read(&row.token);
            state.saved = row.version;
            state.restored += 1;
        }
        if let Some((_, task)) = lock(&live.waiting).take() {
            task.abort();
        }
        let (registry, live) = (Arc::clone(self), Arc::clone(live));
        tokio::spawn(async move {
            tokio::time::sleep(AFTER_FAILURE).await;
            registry.go_on(&live);
        });
    }

    /// Changes a room in a separate task, because the task that waited ends with the change. Does
    /// nothing if the room has been set back to its state on the disk since it was `restored` this
    /// often.
    fn change_apart(
        self: &Arc<Self>,
        live: &Arc<LiveRoom>,
        restored: u64,
        change: impl FnOnce(&mut Room) + Send + 'static,
    ) {
        let (registry, live) = (Arc::clone(self), Arc::clone(live));
        tokio::spawn(async move {
            if lock(&live.room).restored == restored {
                let change = |room: &mut Room| {
                    change(room);
                    Ok(())
                };
                // The operator is warned about a disk that accepts nothing.
                let _ = registry.change(&live, change).await;
            }
        });
    }

    /// Starts an agent's thought, if it is the agent's turn and somebody watches; otherwise watches
    /// the clock if it runs out soon.
    pub fn go_on(self: &Arc<Self>, live: &Arc<LiveRoom>) {
        let (version, restored, thought, flag) = {
            let state = lock(&live.room);
            let room = &state.room;
            (room.version(), state.restored, room.thought(), room.flag())
        };
        let mut waiting = lock(&live.waiting);
        let under_way =
            |(begun, task): &(u64, JoinHandle<()>)| *begun == version && !task.is_finished();
        if waiting.as_ref().is_some_and(under_way) {
            return;
        }
        if let Some((_, older)) = waiting.take() {
            older.abort();
        }
        let (registry, live) = (Arc::clone(self), Arc::clone(live));
        let soon = |flag: &Instant| flag.saturating_duration_since(Instant::now()) < SOON;
        let task = match (thought, flag.filter(soon)) {
            (Some(thought), _) if live.shown.receiver_count() > 0 => {
                tokio::spawn(async move { registry.think(&live, restored, thought).await })
            }
            (None, Some(flag)) => tokio::spawn(async move {
                tokio::time::sleep_until(flag.into()).await;
                registry.change_apart(&live, restored, |room| {
                    room.drop_flag(Instant::now());
                });
            }),
            _ => return,
        };
        *waiting = Some((version, task));
    }

    /// Loads rooms whose clock runs out soon, for as long as the server runs.
    pub async fn mind_clocks(self: Arc<Self>) {
        loop {
            let due = self.store.due(SystemTime::now() + SOON, MAX_LOADED).await;
            for id in due.unwrap_or_default() {
                // A room that cannot be read is reported to whoever asks for it.
                if let Ok(live) = self.find(&id).await {
                    self.go_on(&live);
                }
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Runs an agent's thought until the agent has answered.
    fn think<'a>(
        self: &'a Arc<Self>,
        live: &'a Arc<LiveRoom>,
        restored: u64,
        thought: Thought,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(async move {
            let pace = tokio::time::sleep(thought.pace);
            let answer = self.pool.run(Class::Quick(live.client()), MAX_THOUGHT, thought.work);
            let (answer, ()) = tokio::join!(answer, pace);
            let answer = match answer {
                Ok(answer) => answer,
                // An agent that crashes loses the game.
                Err(Refused::Failed) => Err("it crashed".to_owned()),
                Err(Refused::Busy | Refused::Quota) => {
                    tokio::time::sleep(AGAIN).await;
                    *lock(&live.waiting) = None;
                    return self.go_on(live);
                }
            };
            self.change_apart(live, restored, move |room| {
                room.answer(thought.version, answer, Instant::now());
            });
        })
    }

    /// The stored record of a room, in JSON, with its seed only after the end of the game.
    pub async fn record(&self, id: &str) -> Result<String, RegistryError> {
        let row = self.load(id).await?;
        let damaged = |error: serde_json::Error| RegistryError::Damaged(error.to_string());
        let record: RoomRecord = serde_json::from_str(&row.record).map_err(damaged)?;
        Ok(serde_json::to_string(&record.shown()).unwrap_or_default())
    }

    /// The games that changed most recently.
    pub async fn last(&self, count: u32) -> Result<Vec<Listed>, RegistryError> {
        Ok(self.store.last(count).await?)
    }
}

#[cfg(test)]
mod tests;
