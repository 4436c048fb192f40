//! The rooms of the site: finding, changing and keeping them.
//!
//! Every change is on the disk before anybody is told of it. What is in memory is only
//! the part of the store in which something happens.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::JoinHandle;
use wurfel_game::{BySide, Side};

use crate::agents::Shelf;
use crate::keys::Keys;
use crate::pool::{Class, Pool, Refused, Stop};
use crate::presence::Presence;
use crate::record::Record;
use crate::room::{Action, Actor, AnyRoom, Refusal, Thought, Wish, open, reopen};
use crate::routes::Deed;
use crate::secret;
use crate::store::{Listed, Row, Store, StoreError};

/// No agent thinks longer about a move.
const MOST_THOUGHT: Duration = Duration::from_secs(10);
/// When a busy server is asked again.
const AGAIN: Duration = Duration::from_millis(300);

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

/// A room with those who look at it.
pub(crate) struct Seat {
    room: Mutex<Box<dyn AnyRoom>>,
    /// Who may act for which side.
    keys: Mutex<Keys>,
    /// Who is there.
    pub presence: Presence,
    /// What those who look were told last.
    shown: watch::Sender<Shown>,
    /// What the room waits for, an agent's thought or the end of a clock, and the
    /// version in which it began.
    waiting: Mutex<Option<(u64, JoinHandle<()>)>>,
    /// When somebody last asked for the room.
    touched: Mutex<Instant>,
}

/// A view of a room that is on the disk.
#[derive(Clone)]
pub(crate) struct Shown {
    version: u64,
    /// In JSON.
    pub view: Arc<str>,
}

impl Shown {
    fn new(room: &dyn AnyRoom) -> Self {
        let view = serde_json::to_string(&room.view(Instant::now())).unwrap_or_default();
        Self { version: room.version(), view: view.into() }
    }
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A room that panicked is as it was before the change or after it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Seat {
    fn new(room: Box<dyn AnyRoom>, keys: Keys) -> Self {
        let (shown, _) = watch::channel(Shown::new(&*room));
        Self {
            room: Mutex::new(room),
            keys: Mutex::new(keys),
            presence: Presence::new(),
            shown,
            waiting: Mutex::default(),
            touched: Mutex::new(Instant::now()),
        }
    }

    /// The sides for which a token stands.
    pub fn holds(&self, token: &str) -> BySide<bool> {
        lock(&self.keys).holds(token)
    }

    /// Whoever has a token, now.
    fn actor(&self, sides: BySide<bool>) -> Actor {
        let away = BySide::from_fn(|side| self.presence.away(side));
        Actor { sides, away, now: Instant::now() }
    }

    /// The view of the room, in JSON: that of now, or while a change is written that from before it.
    pub fn view(&self) -> Arc<str> {
        let room = lock(&self.room);
        let shown = self.shown.borrow();
        if room.version() == shown.version { Shown::new(&**room).view } else { shown.view.clone() }
    }

    /// Tells those who look, unless they know more already.
    fn tell(&self, news: Shown) {
        self.shown.send_if_modified(|shown| {
            let newer = news.version > shown.version;
            if newer {
                *shown = news;
            }
            newer
        });
    }

    /// Hears of every view from now on.
    pub fn watch(&self) -> watch::Receiver<Shown> {
        self.shown.subscribe()
    }

    /// Stops an agent's thought when nobody looks at the room any more.
    pub fn left(&self) {
        let thinks = lock(&self.room).thought().is_some();
        if self.shown.receiver_count() == 0
            && thinks
            && let Some((_, thought)) = lock(&self.waiting).take()
        {
            thought.abort();
        }
    }

    fn row(&self, room: &dyn AnyRoom) -> Row {
        let record = room.record();
        Row {
            id: record.id.clone(),
            token: lock(&self.keys).to_string(),
            game: record.game.clone(),
            over: record.end.is_some(),
            record: serde_json::to_string(record).unwrap_or_default(),
        }
    }
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
    seats: Mutex<HashMap<String, Arc<Seat>>>,
    store: Store,
    pool: Arc<Pool>,
    /// Rooms in memory.
    most: usize,
}

impl Hall {
    pub fn new(store: Store, pool: Arc<Pool>, most: usize) -> Self {
        Self { seats: Mutex::default(), store, pool, most }
    }

    /// Opens a room.
    pub async fn open(&self, wish: Wish) -> Result<Opened, HallError> {
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
        let room = self.pool.run(Class::Quick, MOST_THOUGHT, opened).await??;
        let seat = Arc::new(Seat::new(room, keys));
        let saved = self.store.save(seat.row(&**lock(&seat.room)));
        saved.await?;
        let seat = self.seat(&id, seat)?;
        Ok(Opened { id, token, invitation, seat })
    }

    /// The room of this name.
    pub async fn find(&self, id: &str) -> Result<Arc<Seat>, HallError> {
        if let Some(seat) = lock(&self.seats).get(id) {
            *lock(&seat.touched) = Instant::now();
            return Ok(Arc::clone(seat));
        }
        let (record, token) = self.kept(id).await?;
        let room = reopen(record).map_err(|error| HallError::Damaged(error.to_string()))?;
        self.seat(id, Arc::new(Seat::new(room, Keys::read(&token))))
    }

    /// The record of a room as it is on the disk, and the hashes of its tokens.
    async fn kept(&self, id: &str) -> Result<(Record, String), HallError> {
        // Whatever is no name of a room is not looked up.
        if id.len() != 16 || !id.bytes().all(|sign| sign.is_ascii_hexdigit()) {
            return Err(HallError::Unknown);
        }
        let row = self.store.load(id.to_owned()).await?.ok_or(HallError::Unknown)?;
        let record = serde_json::from_str(&row.record);
        Ok((record.map_err(|error| HallError::Damaged(error.to_string()))?, row.token))
    }

    /// Puts a room among those in memory, unless it is there already, and lets one go
    /// that nobody uses when there are too many.
    fn seat(&self, id: &str, seat: Arc<Seat>) -> Result<Arc<Seat>, HallError> {
        let mut seats = lock(&self.seats);
        if let Some(known) = seats.get(id) {
            return Ok(Arc::clone(known));
        }
        if seats.len() >= self.most {
            // Whoever still holds a room would change another one than those who come.
            let idle = seats.iter().filter(|(_, seat)| Arc::strong_count(seat) == 1);
            let oldest = idle.min_by_key(|(_, seat)| *lock(&seat.touched));
            let oldest = oldest.map(|(id, _)| id.clone()).ok_or(HallError::Full)?;
            seats.remove(&oldest);
        }
        seats.insert(id.to_owned(), Arc::clone(&seat));
        Ok(seat)
    }

    /// Does something in a room that is still as it was when somebody decided to do it.
    /// When this returns it is on the disk.
    pub async fn act(self: &Arc<Self>, seat: &Arc<Seat>, deed: &Deed) -> Result<(), HallError> {
        let sides = seat.holds(&deed.token);
        let held = sides[Side::First] || sides[Side::Second];
        if let Action::Join { invitation } = &deed.action {
            return if held { Ok(()) } else { self.join(seat, deed, invitation).await };
        }
        if !held {
            return Err(HallError::Forbidden);
        }
        let by = seat.actor(sides);
        if deed.action == Action::Accept && lock(&seat.room).can_play_again(&by) {
            return self.play_again(seat, deed).await;
        }
        let act = |room: &mut dyn AnyRoom| {
            deed.is_made_for(room)?;
            Ok(room.act(&deed.action, &by).map(|()| true)?)
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
            Ok(true)
        };
        self.change(seat, join).await
    }

    /// Opens the room of a rematch, in which the tokens stand for the other sides, and leads
    /// both people there.
    async fn play_again(self: &Arc<Self>, seat: &Arc<Seat>, deed: &Deed) -> Result<(), HallError> {
        let id = secret::random_hex::<8>()?;
        let next = {
            let room = lock(&seat.room);
            deed.is_made_for(&**room)?;
            Arc::new(Seat::new(room.again(id.clone())?, lock(&seat.keys).swapped()))
        };
        let saved = self.store.save(next.row(&**lock(&next.room)));
        saved.await?;
        self.seat(&id, next)?;
        let lead = |room: &mut dyn AnyRoom| {
            deed.is_made_for(room)?;
            room.lead_to(id);
            Ok(true)
        };
        self.change(seat, lead).await
    }

    /// Changes a room, unless `change` returns false, and tells all who look at it.
    async fn change(
        self: &Arc<Self>,
        seat: &Arc<Seat>,
        change: impl FnOnce(&mut dyn AnyRoom) -> Result<bool, HallError>,
    ) -> Result<(), HallError> {
        let (saved, news) = {
            let mut room = lock(&seat.room);
            if !change(&mut **room)? {
                return Ok(());
            }
            // Under the lock, so that the disk gets changes in their order.
            (self.store.save(seat.row(&**room)), Shown::new(&**room))
        };
        // An agent thinks while the disk writes; its answer is written after this.
        self.go_on(seat);
        saved.await?;
        seat.tell(news);
        Ok(())
    }

    /// Changes a room in a task of its own, as the one that waited ends with the change.
    fn change_apart(
        self: &Arc<Self>,
        seat: &Arc<Seat>,
        change: impl FnOnce(&mut dyn AnyRoom) -> bool + Send + 'static,
    ) {
        let (hall, seat) = (Arc::clone(self), Arc::clone(seat));
        // A store that fails is met again by the next who does something.
        tokio::spawn(async move { hall.change(&seat, |room| Ok(change(room))).await });
    }

    /// Lets an agent think, if it is its turn and somebody looks, or minds the clock.
    pub fn go_on(self: &Arc<Self>, seat: &Arc<Seat>) {
        let (version, thought, flag) = {
            let room = lock(&seat.room);
            (room.version(), room.thought(), room.flag())
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
        let task = match (thought, flag) {
            (Some(thought), _) if seat.shown.receiver_count() > 0 => {
                tokio::spawn(async move { hall.think(&held, thought).await })
            }
            (None, Some(flag)) => tokio::spawn(async move {
                tokio::time::sleep_until(flag.into()).await;
                hall.change_apart(&held, |room| room.drop_flag(Instant::now()));
            }),
            _ => return,
        };
        *waiting = Some((version, task));
    }

    /// Lets an agent think until it has answered.
    fn think<'a>(
        self: &'a Arc<Self>,
        seat: &'a Arc<Seat>,
        thought: Thought,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(async move {
            let pace = tokio::time::sleep(thought.pace);
            let answer = self.pool.run(Class::Quick, MOST_THOUGHT, thought.work);
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
            self.change_apart(seat, move |room| {
                room.answer(thought.version, answer, Instant::now())
            });
        })
    }

    /// The record of a room as it is on the disk, in JSON; its seed only after the end.
    pub async fn record(&self, id: &str) -> Result<String, HallError> {
        let (record, _) = self.kept(id).await?;
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

    #[test]
    fn nobody_is_told_of_a_change_before_it_is_kept_nor_of_an_older_one_after_it() {
        let wish = r#"{"game":"einstein","players":[{"kind":"person"},{"kind":"person"}]}"#;
        let wish = serde_json::from_str(wish).unwrap();
        let seat =
            Seat::new(open("room".into(), wish, &mut Shelf::default()).unwrap(), Keys::one(""));
        let change = |action| {
            let mut room = lock(&seat.room);
            room.act(&action, &seat.actor(BySide::from_fn(|_| true))).unwrap();
            Shown::new(&**room)
        };
        let begun = change(Action::Begin { salt: String::new() });
        assert!(seat.view().contains(r#""begun":false"#));
        let over = change(Action::Resign);
        seat.tell(over);
        seat.tell(begun);
        assert!(seat.view().contains("resigned"));
    }
}
