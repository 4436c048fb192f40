//! The limits of each client: connections, requests and new games.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The number of clients above which clients with nothing to remember are removed.
const MANY_CLIENTS: usize = 10_000;
/// The maximum number of clients that are remembered.
const MAX_CLIENTS: usize = 100_000;
/// The number of attempts of a waiting connection, and the time between them: ten seconds in
/// all.
const RETRIES: u32 = 200;
const PAUSE: Duration = Duration::from_millis(50);
/// Number of waiting connections of a client for each one that it may have.
const WAITING_EACH: usize = 4;
/// The maximum number of connections of all clients that wait.
const MAX_WAITING: usize = 512;
const MINUTE: f64 = 60.0;
const DAY: f64 = 24.0 * 60.0 * MINUTE;

/// The limits of the site and of each client.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Number of people who share the address of a client, such as those of a class.
    pub people: usize,
    /// Requests per second that each client may send, on average.
    pub requests_per_second: f64,
    /// Requests that each client may send in a burst.
    pub burst: f64,
    /// Connections that each client may have open.
    pub connections_each: usize,
    /// Connections of all clients together.
    pub connections: usize,
    /// New games per minute that each client may open, which may also come in one burst; `None` for
    /// any number.
    pub new_per_minute: Option<u32>,
    /// New games per day that each client may open; `None` for any number.
    pub new_per_day: Option<u32>,
    /// The number of games in memory above which new ones are refused.
    pub rooms: usize,
    /// The number of saved games above which old ones are removed earlier.
    pub saved_games: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            people: 1,
            requests_per_second: 20.0,
            burst: 200.0,
            connections_each: 64,
            connections: 2048,
            new_per_minute: Some(8),
            new_per_day: Some(300),
            rooms: 2048,
            saved_games: 50_000,
        }
    }
}

impl Limits {
    /// The limits where `people` play behind one address, such as a class in a school's network.
    /// Each of them has half of what a client that is alone has, and at least as much as one needs
    /// who plays and analyses: a browser opens up to eight connections.
    #[must_use]
    pub fn for_class(people: u16) -> Self {
        let default = Self::default();
        let (each, many) = (usize::from(people), u32::from(people));
        let requests = default.requests_per_second.max(f64::from(people) * 10.0);
        let connections_each = default.connections_each.max(8 * each);
        Self {
            people: each.max(1),
            requests_per_second: requests,
            burst: 10.0 * requests,
            connections_each,
            connections: default.connections.max(2 * connections_each),
            new_per_minute: default.new_per_minute.map(|most| most.max(4 * many)),
            new_per_day: default.new_per_day.map(|most| most.max(100 * many)),
            ..default
        }
    }
}

/// How often something may be done: a token bucket.
#[derive(Clone, Copy, Debug)]
struct Quota {
    /// Tokens per second.
    rate: f64,
    /// The capacity of the bucket.
    burst: f64,
}

/// The remaining tokens of a quota, which are refilled over time.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    fn level(bucket: Option<Self>, quota: Quota, now: Instant) -> f64 {
        bucket.map_or(quota.burst, |bucket| {
            let passed = now.saturating_duration_since(bucket.at).as_secs_f64();
            (bucket.left + passed * quota.rate).min(quota.burst)
        })
    }

    /// How long it takes until `cost` tokens are left.
    fn wait(bucket: Option<Self>, cost: f64, quota: Quota, now: Instant) -> Duration {
        let missing = cost - Self::level(bucket, quota, now);
        Duration::try_from_secs_f64(missing / quota.rate).unwrap_or_default()
    }

    /// Takes `cost` tokens, if that many are left.
    ///
    /// # Errors
    /// Otherwise says how long it takes until they are.
    fn take(
        bucket: &mut Option<Self>,
        cost: f64,
        quota: Quota,
        now: Instant,
    ) -> Result<(), Duration> {
        let level = Self::level(*bucket, quota, now);
        let enough = level >= cost;
        *bucket = Some(Self { left: if enough { level - cost } else { level }, at: now });
        if enough { Ok(()) } else { Err(Self::wait(*bucket, cost, quota, now)) }
    }
}

/// A client has opened too many games.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("at most {most} new games a {span}, try again later")]
pub(crate) struct TooMany {
    most: f64,
    span: &'static str,
    /// How long the client has to wait before it can open another one.
    pub wait: Duration,
}

#[derive(Default)]
struct Known {
    requests: Option<Bucket>,
    minute: Option<Bucket>,
    day: Option<Bucket>,
    /// The codes of games that the client may try.
    guesses: Option<Bucket>,
    connections: usize,
    /// The connections that wait for others to end.
    waiting: usize,
}

struct Clients {
    known: HashMap<IpAddr, Known>,
    connections: usize,
    waiting: usize,
    /// The number of clients at which clients with nothing to remember are next removed.
    tidy_at: usize,
}

/// Counts the connections, requests and new games of each client.
pub(crate) struct Gate {
    limits: Limits,
    clients: Mutex<Clients>,
}

/// A connection that counts against its client's limit until this value is dropped.
pub(crate) struct Pass {
    gate: Arc<Gate>,
    client: IpAddr,
}

/// A connection that waits until its client has room for it, which is counted until this value is
/// dropped.
struct Waiting {
    gate: Arc<Gate>,
    client: IpAddr,
}

/// The client behind an IP address. For IPv6 it is the whole network that one customer is assigned.
pub(crate) fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
        }
        address @ IpAddr::V4(_) => address,
    }
}

impl Gate {
    pub fn new(limits: Limits) -> Self {
        let clients =
            Clients { known: HashMap::new(), connections: 0, waiting: 0, tidy_at: MANY_CLIENTS };
        Self { limits, clients: Mutex::new(clients) }
    }

    const fn requests(&self) -> Quota {
        Quota { rate: self.limits.requests_per_second, burst: self.limits.burst }
    }

    fn minute(&self) -> Option<Quota> {
        let each = f64::from(self.limits.new_per_minute?);
        Some(Quota { rate: each / MINUTE, burst: each })
    }

    fn day(&self) -> Option<Quota> {
        let each = f64::from(self.limits.new_per_day?);
        Some(Quota { rate: each / DAY, burst: each })
    }

    /// The codes that no game has: ten in one burst, and two a minute, for each person behind the client.
    const fn guesses(&self) -> Quota {
        let people = self.limits.people as f64;
        Quota { rate: people * 2.0 / MINUTE, burst: people * 10.0 }
    }

    fn clients(&self) -> MutexGuard<'_, Clients> {
        // A panic cannot leave counters half changed, so a poisoned lock is still good.
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a connection in, if there is room.
    pub fn enter(self: &Arc<Self>, client: IpAddr) -> Option<Pass> {
        let mut clients = self.clients();
        if clients.connections >= self.limits.connections {
            return None;
        }
        let known = clients.known.entry(client).or_default();
        if known.connections >= self.limits.connections_each {
            return None;
        }
        known.connections += 1;
        clients.connections += 1;
        Some(Pass { gate: Arc::clone(self), client })
    }

    /// Lets a connection in as soon as the client's other connections leave room for it, but not after
    /// some seconds.
    pub async fn enter_later(self: &Arc<Self>, client: IpAddr) -> Option<Pass> {
        let _waiting = self.wait(client)?;
        for _ in 0..RETRIES {
            tokio::time::sleep(PAUSE).await;
            if let Some(pass) = self.enter(client) {
                return Some(pass);
            }
        }
        None
    }

    /// Counts a connection that waits, unless too many do.
    fn wait(self: &Arc<Self>, client: IpAddr) -> Option<Waiting> {
        let mut clients = self.clients();
        if clients.waiting >= MAX_WAITING {
            return None;
        }
        let known = clients.known.entry(client).or_default();
        if known.waiting >= WAITING_EACH * self.limits.connections_each {
            return None;
        }
        known.waiting += 1;
        clients.waiting += 1;
        Some(Waiting { gate: Arc::clone(self), client })
    }

    /// Whether the client has enough connections that each should be closed after its answer, so
    /// that people who share the address do not wait for connections that are idle.
    pub fn is_crowded(&self, client: IpAddr) -> bool {
        let clients = self.clients();
        clients.known.get(&client).is_some_and(|known| {
            known.waiting > 0 || known.connections > self.limits.connections_each / 2
        })
    }

    /// Whether the client may send a request of this cost; an ordinary request costs 1.
    pub fn allows(&self, client: IpAddr, cost: f64, now: Instant) -> bool {
        self.admit(client, cost, now).is_ok()
    }

    /// Lets the client send a request of this cost; an ordinary request costs 1.
    ///
    /// # Errors
    /// Says how long the client has to wait, if it has sent too many.
    pub fn admit(&self, client: IpAddr, cost: f64, now: Instant) -> Result<(), Duration> {
        let mut clients = self.clients();
        self.tidy(&mut clients, now);
        let known = clients.known.entry(client).or_default();
        Bucket::take(&mut known.requests, cost, self.requests(), now)
    }

    /// Counts a new game of the client.
    ///
    /// # Errors
    /// When the client has opened too many; says how many are allowed and how long it has to wait.
    pub fn open(&self, client: IpAddr, now: Instant) -> Result<(), TooMany> {
        let mut clients = self.clients();
        let known = clients.known.entry(client).or_default();
        let Known { minute, day, .. } = known;
        for (bucket, quota, span) in
            [(&*day, self.day(), "day"), (&*minute, self.minute(), "minute")]
        {
            if let Some(quota) = quota
                && Bucket::level(*bucket, quota, now) < 1.0
            {
                let wait = Bucket::wait(*bucket, 1.0, quota, now);
                return Err(TooMany { most: quota.burst, span, wait });
            }
        }
        for (bucket, quota) in [(day, self.day()), (minute, self.minute())] {
            if let Some(quota) = quota {
                // That a token is left has been checked for both.
                let _ = Bucket::take(bucket, 1.0, quota, now);
            }
        }
        Ok(())
    }

    /// Counts a code that the client tries, as one that no game has.
    ///
    /// # Errors
    /// Says how long the client has to wait, if it has tried too many.
    pub fn guess(&self, client: IpAddr, now: Instant) -> Result<(), Duration> {
        let mut clients = self.clients();
        let known = clients.known.entry(client).or_default();
        Bucket::take(&mut known.guesses, 1.0, self.guesses(), now)
    }

    /// Does not count the last code after all, because a game has it.
    pub fn guessed(&self, client: IpAddr) {
        let mut clients = self.clients();
        if let Some(guesses) =
            clients.known.get_mut(&client).and_then(|known| known.guesses.as_mut())
        {
            guesses.left += 1.0;
        }
    }

    /// Forgets clients whose quotas are full again, when there are many.
    fn tidy(&self, clients: &mut Clients, now: Instant) {
        if clients.known.len() < clients.tidy_at {
            return;
        }
        let used = |bucket: Option<Bucket>, quota: Option<Quota>| {
            quota.is_some_and(|quota| Bucket::level(bucket, quota, now) < quota.burst)
        };
        let busy = |known: &Known| {
            known.connections > 0
                || known.waiting > 0
                || used(known.requests, Some(self.requests()))
        };
        let opened = |known: &Known| {
            used(known.minute, self.minute())
                || used(known.day, self.day())
                || used(known.guesses, Some(self.guesses()))
        };
        clients.known.retain(|_, known| busy(known) || opened(known));
        // With too many clients, even those with used quotas are forgotten once they have left.
        if clients.known.len() >= MAX_CLIENTS {
            clients.known.retain(|_, known| busy(known));
        }
        clients.tidy_at = MANY_CLIENTS.max(2 * clients.known.len());
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut clients = self.gate.clients();
        clients.waiting -= 1;
        if let Some(known) = clients.known.get_mut(&self.client) {
            known.waiting -= 1;
        }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let mut clients = self.gate.clients();
        clients.connections -= 1;
        if let Some(known) = clients.known.get_mut(&self.client) {
            known.connections -= 1;
            let buckets = [known.requests, known.minute, known.day, known.guesses];
            let unused = buckets.iter().all(Option::is_none);
            if known.connections == 0 && known.waiting == 0 && unused {
                clients.known.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests;
