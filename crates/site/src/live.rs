//! A room in memory, with those who play in it or look at it.

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
use crate::room::{Actor, AnyRoom};
use crate::store::Row;

/// A room with those who look at it.
pub(crate) struct LiveRoom {
    pub id: String,
    pub room: Mutex<Held>,
    /// Who may act for which side.
    pub keys: Mutex<Keys>,
    /// Who is there.
    pub presence: Presence,
    /// What those who look were told last.
    pub shown: watch::Sender<Shown>,
    /// What the room waits for, an agent's thought or the end of a clock, and the
    /// version in which it began.
    pub waiting: Mutex<Option<(u64, JoinHandle<()>)>>,
    /// For whom its agents think: the player who did something last, or whoever looked first.
    pub client: Mutex<Option<IpAddr>>,
    /// The rooms in memory, of which this is one.
    count: Arc<AtomicUsize>,
}

/// A room in memory.
pub(crate) struct Held {
    pub room: Box<dyn AnyRoom>,
    /// The version that the disk has when all is written that is under way.
    pub saved: u64,
    /// Changes of which it is not known yet whether the disk has them.
    pub pending: usize,
    /// How often the room went back to what the disk has.
    pub restored: u64,
}

/// A view of a room that is on the disk.
#[derive(Clone)]
pub(crate) struct Shown {
    version: u64,
    /// In JSON.
    pub view: Arc<str>,
}

impl Shown {
    pub fn new(room: &dyn AnyRoom) -> Self {
        let view = serde_json::to_string(&room.view(Instant::now())).unwrap_or_default();
        Self { version: room.version(), view: view.into() }
    }
}

pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A room that panicked is as it was before the change or after it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LiveRoom {
    pub fn new(room: Box<dyn AnyRoom>, saved: u64, keys: Keys, count: &Arc<AtomicUsize>) -> Self {
        let (shown, _) = watch::channel(Shown::new(&*room));
        count.fetch_add(1, Ordering::Relaxed);
        Self {
            id: room.record().id.clone(),
            room: Mutex::new(Held { room, saved, pending: 0, restored: 0 }),
            keys: Mutex::new(keys),
            presence: Presence::new(),
            shown,
            waiting: Mutex::default(),
            client: Mutex::default(),
            count: Arc::clone(count),
        }
    }

    /// The sides for which a token stands.
    pub fn holds(&self, token: &str) -> BySide<bool> {
        lock(&self.keys).holds(token)
    }

    /// Whoever has a token, now.
    pub fn actor(&self, sides: BySide<bool>) -> Actor {
        let away = BySide::from_fn(|side| self.presence.away(side));
        Actor { sides, away, now: Instant::now() }
    }

    /// Notes that a client looks at the room.
    pub fn look(&self, client: IpAddr) {
        lock(&self.client).get_or_insert(client);
    }

    /// For whom the agents think.
    pub fn client(&self) -> IpAddr {
        lock(&self.client).unwrap_or(IpAddr::from([0; 4]))
    }

    /// The view of the room, in JSON: that of now, or while a change is written that from before it.
    pub fn view(&self) -> Arc<str> {
        let held = lock(&self.room);
        let shown = self.shown.borrow();
        let told = held.room.version() == shown.version;
        if told { Shown::new(&*held.room).view } else { shown.view.clone() }
    }

    /// Tells those who look, unless they know more already.
    pub fn tell(&self, news: Shown) {
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
        let thinks = lock(&self.room).room.thought().is_some();
        if self.shown.receiver_count() == 0
            && thinks
            && let Some((_, thought)) = lock(&self.waiting).take()
        {
            thought.abort();
        }
    }

    pub fn row(&self, room: &dyn AnyRoom) -> Row {
        let record = room.record();
        Row {
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
    /// How many there are when those are looked for that are gone.
    tidy_at: usize,
}

impl LiveRooms {
    /// The room of this name, if it is in memory.
    pub fn find(&self, id: &str) -> Option<Arc<LiveRoom>> {
        self.rooms.get(id)?.upgrade()
    }

    /// Adds a room for as long as somebody holds it.
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
    use crate::room::{Action, open};

    #[test]
    fn nobody_is_told_of_a_change_before_it_is_kept_nor_of_an_older_one_after_it() {
        let request = r#"{"game":"einstein","players":[{"kind":"person"},{"kind":"person"}]}"#;
        let request = serde_json::from_str(request).unwrap();
        let room = open("room".into(), request, &mut AgentCache::default()).unwrap();
        let live = LiveRoom::new(room, 0, Keys::one(""), &Arc::default());
        let change = |action| {
            let mut held = lock(&live.room);
            held.room.act(&action, &live.actor(BySide::from_fn(|_| true))).unwrap();
            Shown::new(&*held.room)
        };
        let begun = change(Action::Begin { salt: String::new() });
        assert!(live.view().contains(r#""begun":false"#));
        let over = change(Action::Resign);
        live.tell(over);
        live.tell(begun);
        assert!(live.view().contains("resigned"));
    }
}
