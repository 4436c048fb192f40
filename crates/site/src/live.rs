//! A room in memory, with the people who play in it or watch it.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Instant, SystemTime};

use tokio::sync::watch;
use tokio::task::JoinHandle;
use wurfel_core::BySide;

use crate::keys::Keys;
use crate::presence::Presence;
use crate::room::{Actor, Room};
use crate::store::StoredRoom;

/// A room with the people who watch it.
pub(crate) struct LiveRoom {
    pub id: String,
    pub room: Mutex<RoomState>,
    /// The tokens that may act for each side.
    pub keys: Mutex<Keys>,
    /// Who is present.
    pub presence: Presence,
    /// The view that watchers were last sent.
    pub shown: watch::Sender<SavedView>,
    /// The task that the room waits for, an agent's thought or the end of a clock, and the version
    /// of the room in which the task began.
    pub waiting: Mutex<Option<(u64, JoinHandle<()>)>>,
    /// The client for whom the room's agents think: the player who last did something, or whoever
    /// watched first.
    pub client: Mutex<Option<IpAddr>>,
    /// The number of rooms in memory, which includes this one.
    count: Arc<AtomicUsize>,
}

/// The state of a room in memory.
pub(crate) struct RoomState {
    pub room: Room,
    /// The version that the disk will have once all pending writes are done.
    pub saved: u64,
    /// The number of changes sent to the disk without an answer yet.
    pub pending: usize,
    /// The number of times that the room was set back to the state on the disk.
    pub restored: u64,
}

/// A view of a room whose state is on the disk.
#[derive(Clone)]
pub(crate) struct SavedView {
    version: u64,
    /// The view in JSON.
    pub view: Arc<str>,
}

impl SavedView {
    pub fn new(room: &Room) -> Self {
        let view = serde_json::to_string(&room.view(Instant::now())).unwrap_or_default();
        Self { version: room.version(), view: view.into() }
    }
}

pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // After a panic, a room is in its state from before or after the change, so a poisoned lock is
    // still good.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LiveRoom {
    pub fn new(room: Room, saved: u64, keys: Keys, count: &Arc<AtomicUsize>) -> Self {
        let (shown, _) = watch::channel(SavedView::new(&room));
        count.fetch_add(1, Ordering::Relaxed);
        Self {
            id: room.record().id.clone(),
            room: Mutex::new(RoomState { room, saved, pending: 0, restored: 0 }),
            keys: Mutex::new(keys),
            presence: Presence::new(),
            shown,
            waiting: Mutex::default(),
            client: Mutex::default(),
            count: Arc::clone(count),
        }
    }

    /// The sides that a token may act for.
    pub fn holds(&self, token: &str) -> BySide<bool> {
        lock(&self.keys).holds(token)
    }

    /// The actor who plays these sides, at this moment.
    pub fn actor(&self, sides: BySide<bool>) -> Actor {
        let away = BySide::from_fn(|side| self.presence.away(side));
        Actor { sides, away, now: Instant::now() }
    }

    /// Records that a client watches the room.
    pub fn look(&self, client: IpAddr) {
        lock(&self.client).get_or_insert(client);
    }

    /// The client for whom the agents think.
    pub fn client(&self) -> IpAddr {
        lock(&self.client).unwrap_or(IpAddr::from([0; 4]))
    }

    /// The view of the room, in JSON: the present one, or, while a change is being written, the one
    /// from before it.
    pub fn view(&self) -> Arc<str> {
        let state = lock(&self.room);
        let shown = self.shown.borrow();
        let is_current = state.room.version() == shown.version;
        if is_current { SavedView::new(&state.room).view } else { shown.view.clone() }
    }

    /// Sends a view to the watchers, unless they have a newer one.
    pub fn tell(&self, news: SavedView) {
        self.shown.send_if_modified(|shown| {
            let newer = news.version > shown.version;
            if newer {
                *shown = news;
            }
            newer
        });
    }

    /// Receives every view from now on.
    pub fn watch(&self) -> watch::Receiver<SavedView> {
        self.shown.subscribe()
    }

    /// Stops an agent's thought when nobody watches the room.
    pub fn left(&self) {
        let thinks = lock(&self.room).room.thought().is_some();
        if self.shown.receiver_count() == 0
            && thinks
            && let Some((_, thought)) = lock(&self.waiting).take()
        {
            thought.abort();
        }
    }

    pub fn row(&self, room: &Room) -> StoredRoom {
        let record = room.record();
        StoredRoom {
            id: record.id.clone(),
            token: lock(&self.keys).to_string(),
            game: record.game.clone(),
            over: record.end.is_some(),
            empty: record.steps.is_empty(),
            version: room.version(),
            due: room
                .flag()
                .map(|flag| SystemTime::now() + flag.saturating_duration_since(Instant::now())),
            record: serde_json::to_string(record).unwrap_or_default(),
        }
    }
}

impl Drop for LiveRoom {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The rooms in memory.
#[derive(Default)]
pub(crate) struct LiveRooms {
    rooms: HashMap<String, Weak<LiveRoom>>,
    /// The number of rooms at which rooms that no longer exist are next removed from the list.
    tidy_at: usize,
}

impl LiveRooms {
    /// The room with this name, if it is in memory.
    pub fn find(&self, id: &str) -> Option<Arc<LiveRoom>> {
        self.rooms.get(id)?.upgrade()
    }

    /// Adds a room, which stays for as long as somebody holds it.
    pub fn add(&mut self, live: &Arc<LiveRoom>) {
        if self.rooms.len() >= self.tidy_at {
            self.rooms.retain(|_, live| live.strong_count() > 0);
            self.tidy_at = 64 + 2 * self.rooms.len();
        }
        self.rooms.insert(live.id.clone(), Arc::downgrade(live));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AgentCache;
    use crate::room::Action;

    #[test]
    fn watchers_see_no_change_before_it_is_saved_and_no_older_one_after_it() {
        let request = r#"{"game":"einstein","players":[{"kind":"person"},{"kind":"person"}]}"#;
        let request = serde_json::from_str(request).unwrap();
        let room = Room::open("room".into(), request, &mut AgentCache::default()).unwrap();
        let live = LiveRoom::new(room, 0, Keys::one(""), &Arc::default());
        let change = |action| {
            let mut state = lock(&live.room);
            state.room.act(&action, &live.actor(BySide::from_fn(|_| true))).unwrap();
            SavedView::new(&state.room)
        };
        let begun = change(Action::Begin { salt: String::new() });
        assert!(live.view().contains(r#""begun":false"#));
        let over = change(Action::Resign);
        live.tell(over);
        live.tell(begun);
        assert!(live.view().contains("resigned"));
    }
}
