//! The rooms of the site: finding, changing and keeping them.
//!
//! Every change is on the disk before anybody is told of it. A room is in memory only while
//! somebody holds it: who is connected, whose request is under way, or the end of a clock that
//! comes soon. All others are on the disk; [`Hall::mind_clocks`] wakes those whose clock ends. A
//! room whose change the disk does not take goes back to what the disk has.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use tokio::task::JoinHandle;
use wurfel_core::{BySide, Side};

use crate::agents::Shelf;
use crate::keys::Keys;
use crate::limits::Gate;
use crate::pool::{Class, Pool, Refused, Stop};
use crate::record::Record;
use crate::room::{Action, AnyRoom, Refusal, Thought, Wish, open, reopen};
use crate::routes::Deed;
use crate::seat::{Seat, Seats, Shown, lock};
use crate::secret;
use crate::store::{Listed, Row, Store, StoreError};

/// No agent thinks longer about a move, whatever bounds its spec has.
const MAX_THOUGHT: Duration = Duration::from_millis(1050);
/// When a busy server is asked again.
const AGAIN: Duration = Duration::from_millis(300);
/// When a room goes on whose change was not kept.
const AFTER_FAILURE: Duration = Duration::from_secs(3);
/// A room whose clock ends sooner stays in memory.
const SOON: Duration = Duration::from_secs(30);
/// How often it is looked whose clock ends soon.
const LOOK: Duration = Duration::from_secs(10);
/// How many rooms are woken then.
const WOKEN: u32 = 10_000;
/// Rooms of so many groups are fetched from the disk at once.
const GROUPS: usize = 64;

/// Why somebody's wish for a room is not granted. Displays as one line.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HallError {
    #[error("no game has this name")]
    Unknown,
    #[error("the token is not that of this game")]
    Forbidden,
    #[error("this seat is taken: you are watching")]
    Taken,
    #[error("the message was made for version {made}, but the game is at version {now}")]
    Stale { made: u64, now: u64 },
    #[error("too many games are going on, try again later")]
    Full,
    #[error("{0}")]
    Many(String),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Busy(#[from] Refused),
    #[error("no random numbers: {0}")]
    Random(#[from] std::io::Error),
    #[error("this game is damaged: {0}")]
    Damaged(String),
}

/// A new room and the token of whoever opened it.
pub(crate) struct Opened {
    pub id: String,
    pub token: String,
    /// The secret that invites a guest, if there is to be one.
    pub invitation: Option<String>,
    pub seat: Arc<Seat>,
}

/// All rooms.
pub(crate) struct Hall {
    seats: Mutex<Seats>,
    /// Held while a room is fetched, so that nobody puts one into memory as it was before
    /// somebody else fetched and changed it.
    fetching: [tokio::sync::Mutex<()>; GROUPS],
    store: Store,
    pool: Arc<Pool>,
    gate: Arc<Gate>,
    /// Rooms in memory.
    count: Arc<AtomicUsize>,
    /// With so many no new one is opened.
    most: usize,
}

/// Makes a room again from what the disk has.
fn revive(row: &Row) -> Result<Box<dyn AnyRoom>, HallError> {
    let damaged = |error: &dyn std::fmt::Display| HallError::Damaged(error.to_string());
    let record = serde_json::from_str(&row.record).map_err(|error| damaged(&error))?;
    let mut room = reopen(record).map_err(|error| damaged(&error))?;
    if let Some(due) = row.due {
        let left = due.duration_since(SystemTime::now()).unwrap_or_default();
        room.resume(left, Instant::now());
    }
    Ok(room)
}

impl Hall {
    pub fn new(store: Store, pool: Arc<Pool>, gate: Arc<Gate>, most: usize) -> Self {
        let fetching = std::array::from_fn(|_| tokio::sync::Mutex::default());
        let (seats, count) = (Mutex::default(), Arc::default());
        Self { seats, fetching, store, pool, gate, count, most }
    }

    /// Opens a room.
    pub async fn open(&self, wish: Wish, client: IpAddr) -> Result<Opened, HallError> {
        self.admit(client)?;
        let id = secret::random_hex::<8>()?;
        let token = secret::random_hex::<16>()?;
        let guest = wish.guest.map(|side| if side == 0 { Side::First } else { Side::Second });
        let invitation = guest.map(|_| secret::random_hex::<16>()).transpose()?;
        let keys = match (guest, &invitation) {
            (Some(guest), Some(invitation)) => Keys::inviting(&token, guest, invitation),
            _ => Keys::one(&token),
        };
        let name = id.clone();
        let opened = move |shelf: &mut Shelf, _: Stop| open(name, wish, shelf);
        let room = self.pool.run(Class::Quick(client), MAX_THOUGHT, opened).await??;
        let seat = self.add(room, keys, client).await?;
        Ok(Opened { id, token, invitation, seat })
    }

    /// Whether a client may open a room. Only new ones are refused: who goes on with a game finds
    /// it whatever else goes on.
    fn admit(&self, client: IpAddr) -> Result<(), HallError> {
        if self.count.load(Ordering::Relaxed) >= self.most {
            return Err(HallError::Full);
        }
        self.gate.open(client, Instant::now()).map_err(HallError::Many)
    }

    /// Keeps a new room.
    async fn add(
        &self,
        room: Box<dyn AnyRoom>,
        keys: Keys,
        client: IpAddr,
    ) -> Result<Arc<Seat>, HallError> {
        let version = room.version();
        let seat = Arc::new(Seat::new(room, version, keys, &self.count));
        seat.look(client);
        let row = seat.row(&*lock(&seat.room).room);
        self.store.save(row, None).await?;
        lock(&self.seats).add(&seat);
        Ok(seat)
    }

    /// The room of this name.
    pub async fn find(&self, id: &str) -> Result<Arc<Seat>, HallError> {
        if let Some(seat) = lock(&self.seats).find(id) {
            return Ok(seat);
        }
        let number = u64::from_str_radix(id, 16).unwrap_or_default() as usize;
        let _turn = self.fetching[number % GROUPS].lock().await;
        if let Some(seat) = lock(&self.seats).find(id) {
            return Ok(seat);
        }
        let row = self.kept(id).await?;
        let seat =
            Arc::new(Seat::new(revive(&row)?, row.version, Keys::read(&row.token), &self.count));
        lock(&self.seats).add(&seat);
        Ok(seat)
    }

    /// A room as it is on the disk.
    async fn kept(&self, id: &str) -> Result<Row, HallError> {
        // Whatever is no name of a room is not looked up.
        if id.len() != 16 || !id.bytes().all(|sign| sign.is_ascii_hexdigit()) {
            return Err(HallError::Unknown);
        }
        self.store.load(id.to_owned()).await?.ok_or(HallError::Unknown)
    }

    /// Does something in a room that is still as it was when somebody decided to do it.
    /// When this returns it is on the disk.
    pub async fn act(
        self: &Arc<Self>,
        seat: &Arc<Seat>,
        deed: &Deed,
        client: IpAddr,
    ) -> Result<(), HallError> {
        let sides = seat.holds(&deed.token);
        let held = sides[Side::First] || sides[Side::Second];
        if let Action::Join { invitation } = &deed.action {
            return if held { Ok(()) } else { self.join(seat, deed, invitation).await };
        }
        if !held {
            return Err(HallError::Forbidden);
        }
        *lock(&seat.client) = Some(client);
        let by = seat.actor(sides);
        if deed.action == Action::Accept && lock(&seat.room).room.can_play_again(&by) {
            return self.play_again(seat, deed, client).await;
        }
        let act = |room: &mut dyn AnyRoom| {
            deed.is_made_for(room)?;
            Ok(room.act(&deed.action, &by)?)
        };
        self.change(seat, act).await
    }

    /// Gives the open seat of a room to the token of the deed.
    async fn join(
        self: &Arc<Self>,
        seat: &Arc<Seat>,
        deed: &Deed,
        invitation: &str,
    ) -> Result<(), HallError> {
        if deed.token.len() != 32 || !deed.token.bytes().all(|sign| sign.is_ascii_hexdigit()) {
            return Err(Refusal::Not("a token has 32 hexadecimal digits").into());
        }
        let join = |room: &mut dyn AnyRoom| {
            let side = lock(&seat.keys).opened_by(invitation).ok_or(HallError::Taken)?;
            deed.is_made_for(room)?;
            let by = seat.actor(BySide::from_fn(|other| other == side));
            room.act(&deed.action, &by)?;
            lock(&seat.keys).take(side, &deed.token);
            Ok(())
        };
        self.change(seat, join).await
    }

    /// Opens the room of a rematch, in which the tokens stand for the other sides, and leads
    /// both people there.
    async fn play_again(
        self: &Arc<Self>,
        seat: &Arc<Seat>,
        deed: &Deed,
        client: IpAddr,
    ) -> Result<(), HallError> {
        self.admit(client)?;
        let id = secret::random_hex::<8>()?;
        let (room, keys) = {
            let held = lock(&seat.room);
            deed.is_made_for(&*held.room)?;
            (held.room.again(id.clone())?, lock(&seat.keys).swapped())
        };
        let _next = self.add(room, keys, client).await?;
        let lead = |room: &mut dyn AnyRoom| {
            deed.is_made_for(room)?;
            room.lead_to(id);
            Ok(())
        };
        self.change(seat, lead).await
    }

    /// Changes a room, and tells all who look at it if it has changed.
    async fn change(
        self: &Arc<Self>,
        seat: &Arc<Seat>,
        change: impl FnOnce(&mut dyn AnyRoom) -> Result<(), HallError>,
    ) -> Result<(), HallError> {
        let (done, saved, news) = {
            let mut held = lock(&seat.room);
            let before = held.room.version();
            // What is refused may have changed something all the same: a clock was at its end.
            let done = change(&mut *held.room);
            if held.room.version() == before {
                return done;
            }
            held.pending += 1;
            // Under the lock, so that the disk gets changes in their order.
            let row = seat.row(&*held.room);
            let before = std::mem::replace(&mut held.saved, row.version);
            (done, self.store.save(row, Some(before)), Shown::new(&*held.room))
        };
        // An agent thinks while the disk writes; its answer is written after this.
        self.go_on(seat);
        let (hall, seat) = (Arc::clone(self), Arc::clone(seat));
        // Whoever asked may leave before it is written: the others hear of it all the same.
        let told = tokio::spawn(async move {
            let saved = saved.await;
            let unsettled = {
                let mut held = lock(&seat.room);
                held.pending -= 1;
                held.pending > 0
            };
            match &saved {
                Ok(()) => seat.tell(news),
                // What came after it is not kept either, and the last of that restores.
                Err(_) if unsettled => {}
                Err(_) => hall.restore(&seat).await,
            }
            saved
        });
        told.await.map_err(std::io::Error::other)??;
        done
    }

    /// Lets a room go back to what the disk has.
    async fn restore(self: &Arc<Self>, seat: &Arc<Seat>) {
        let row = loop {
            match self.store.load(seat.id.clone()).await {
                Ok(Some(row)) => break row,
                // It was forgotten.
                Ok(None) | Err(StoreError::Closed) => return,
                Err(_) => tokio::time::sleep(AGAIN).await,
            }
        };
        let Ok(room) = revive(&row) else { return };
        {
            let mut held = lock(&seat.room);
            if held.pending > 0 {
                return;
            }
            held.room = room;
            *lock(&seat.keys) = Keys::read(&row.token);
            held.saved = row.version;
            held.restored += 1;
        }
        if let Some((_, task)) = lock(&seat.waiting).take() {
            task.abort();
        }
        let (hall, seat) = (Arc::clone(self), Arc::clone(seat));
        tokio::spawn(async move {
            tokio::time::sleep(AFTER_FAILURE).await;
            hall.go_on(&seat);
        });
    }

    /// Changes a room in a task of its own, as the one that waited ends with the change; not if
    /// the room went back to what the disk has since it was `restored` so often.
    fn change_apart(
        self: &Arc<Self>,
        seat: &Arc<Seat>,
        restored: u64,
        change: impl FnOnce(&mut dyn AnyRoom) + Send + 'static,
    ) {
        let (hall, seat) = (Arc::clone(self), Arc::clone(seat));
        tokio::spawn(async move {
            if lock(&seat.room).restored == restored {
                let change = |room: &mut dyn AnyRoom| {
                    change(room);
                    Ok(())
                };
                // The operator is told of a disk that takes nothing.
                let _ = hall.change(&seat, change).await;
            }
        });
    }

    /// Lets an agent think, if it is its turn and somebody looks, or minds the clock if it ends
    /// soon.
    pub fn go_on(self: &Arc<Self>, seat: &Arc<Seat>) {
        let (version, restored, thought, flag) = {
            let held = lock(&seat.room);
            let room = &held.room;
            (room.version(), held.restored, room.thought(), room.flag())
        };
        let mut waiting = lock(&seat.waiting);
        let under_way =
            |(begun, task): &(u64, JoinHandle<()>)| *begun == version && !task.is_finished();
        if waiting.as_ref().is_some_and(under_way) {
            return;
        }
        if let Some((_, older)) = waiting.take() {
            older.abort();
        }
        let (hall, held) = (Arc::clone(self), Arc::clone(seat));
        let soon = |flag: &Instant| flag.saturating_duration_since(Instant::now()) < SOON;
        let task = match (thought, flag.filter(soon)) {
            (Some(thought), _) if seat.shown.receiver_count() > 0 => {
                tokio::spawn(async move { hall.think(&held, restored, thought).await })
            }
            (None, Some(flag)) => tokio::spawn(async move {
                tokio::time::sleep_until(flag.into()).await;
                hall.change_apart(&held, restored, |room| {
                    room.drop_flag(Instant::now());
                });
            }),
            _ => return,
        };
        *waiting = Some((version, task));
    }

    /// Wakes rooms whose clock ends soon, for as long as the server lives.
    pub async fn mind_clocks(self: Arc<Self>) {
        loop {
            let due = self.store.due(SystemTime::now() + SOON, WOKEN).await;
            for id in due.unwrap_or_default() {
                // What cannot be read is told to whoever asks for it.
                if let Ok(seat) = self.find(&id).await {
                    self.go_on(&seat);
                }
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Lets an agent think until it has answered.
    fn think<'a>(
        self: &'a Arc<Self>,
        seat: &'a Arc<Seat>,
        restored: u64,
        thought: Thought,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(async move {
            let pace = tokio::time::sleep(thought.pace);
            let answer = self.pool.run(Class::Quick(seat.client()), MAX_THOUGHT, thought.work);
            let (answer, ()) = tokio::join!(answer, pace);
            let answer = match answer {
                Ok(answer) => answer,
                // A crash loses the game.
                Err(Refused::Failed) => None,
                Err(Refused::Busy | Refused::Quota) => {
                    tokio::time::sleep(AGAIN).await;
                    *lock(&seat.waiting) = None;
                    return self.go_on(seat);
                }
            };
            self.change_apart(seat, restored, move |room| {
                room.answer(thought.version, answer, Instant::now());
            });
        })
    }

    /// The record of a room as it is on the disk, in JSON; its seed only after the end.
    pub async fn record(&self, id: &str) -> Result<String, HallError> {
        let row = self.kept(id).await?;
        let record = serde_json::from_str(&row.record);
        let record: Record = record.map_err(|error| HallError::Damaged(error.to_string()))?;
        Ok(serde_json::to_string(&record.shown()).unwrap_or_default())
    }

    /// The games that changed last.
    pub async fn last(&self, count: u32) -> Result<Vec<Listed>, HallError> {
        Ok(self.store.last(count).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn hall(folder: &std::path::Path) -> Arc<Hall> {
        let store = Store::open(&folder.join("games.db"), 100, Duration::ZERO).unwrap();
        let limits = Limits { new_per_minute: None, ..Limits::default() };
        Arc::new(Hall::new(store, Arc::new(Pool::new(2)), Arc::new(Gate::new(limits)), 3))
    }

    fn wish(clock: &str) -> Wish {
        let players = r#"[{"kind":"person"},{"kind":"person"}]"#;
        let wish = format!(r#"{{"game":"einstein","players":{players},"clock":{clock}}}"#);
        serde_json::from_str(&wish).unwrap()
    }

    fn deed(seat: &Seat, token: &str, action: Action) -> Deed {
        let version = Some(lock(&seat.room).room.version());
        Deed { token: token.to_owned(), version, action }
    }

    async fn begin(hall: &Arc<Hall>, room: &Opened) {
        let begin = deed(&room.seat, &room.token, Action::Begin { salt: String::new() });
        hall.act(&room.seat, &begin, CLIENT).await.unwrap();
    }

    const CLIENT: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[tokio::test]
    async fn rooms_that_nobody_holds_are_on_the_disk_and_none_of_them_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let hall = hall(folder.path());
        let mut opened = vec![];
        for _ in 0..10 {
            let room = hall.open(wish(r#"{"seconds":86400}"#), CLIENT).await.unwrap();
            begin(&hall, &room).await;
            opened.push(room.id);
        }
        // Tasks that ended with the last change let go a little later.
        while hall.count.load(Ordering::Relaxed) > 0 {
            tokio::task::yield_now().await;
        }
        let mut held = vec![];
        for id in &opened {
            held.push(hall.find(id).await.unwrap());
        }
        let refused = hall.open(wish("null"), CLIENT).await;
        assert!(matches!(refused, Err(HallError::Full)));
        drop(held);
        hall.open(wish("null"), CLIENT).await.unwrap();
    }

    #[tokio::test]
    async fn a_clock_ends_while_nobody_looks_and_goes_on_with_what_it_had() {
        let folder = tempfile::tempdir().unwrap();
        let hall = hall(folder.path());
        let room = hall.open(wish(r#"{"seconds":3600}"#), CLIENT).await.unwrap();
        begin(&hall, &room).await;
        let (id, token) = (room.id, room.token);
        drop(room.seat);
        while hall.count.load(Ordering::Relaxed) > 0 {
            tokio::task::yield_now().await;
        }
        // As if most of the hour had passed while the room was on the disk.
        let mut row = hall.kept(&id).await.unwrap();
        let version = row.version;
        row.due = Some(SystemTime::now() + Duration::from_secs(1));
        hall.store.save(Row { version: version + 1, ..row }, Some(version)).await.unwrap();
        let seat = hall.find(&id).await.unwrap();
        let view: serde_json::Value = serde_json::from_str(&seat.view()).unwrap();
        assert!(view["clock"]["left_ms"][0].as_u64().unwrap() <= 1000, "{view}");
        drop(seat);
        let minding = tokio::spawn(Arc::clone(&hall).mind_clocks());
        while !hall.kept(&id).await.unwrap().over {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        minding.abort();
        let seat = hall.find(&id).await.unwrap();
        // The disk has it a moment before those who look are told.
        while !seat.view().contains(r#""reason":"time""#) {
            tokio::task::yield_now().await;
        }
        let late = hall.act(&seat, &deed(&seat, &token, Action::Resign), CLIENT).await;
        assert!(matches!(late, Err(HallError::Refused(_))));
    }
}
