//! Decides whose work is done next: every client's work waits behind that client's own work, not
//! behind that of others.
//!
//! Work is either *quick*, a move for which somebody waits, or *long*, seconds of search. Quick
//! work goes first. Among clients that have used little time lately, the one that came first is
//! next; after them comes the client that has used the least time. Light clients may use spare
//! threads, in addition to those meant for searches. So somebody who plays a light agent never
//! waits for other people's deep searches, however long these take. The price is that for some
//! milliseconds more threads run than there are CPUs.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// Maximum amount of quick work that may wait.
const MAX_QUICK: usize = 8192;
/// Maximum amount of quick work of one client that may wait: a move for each of its connections, and more.
const QUICK_EACH: usize = 256;
/// Maximum amount of long work that may wait.
const MAX_LONG: usize = 64;
/// Maximum amount of long work of one client, waiting or in progress, where each person is a client.
pub(crate) const LONG_EACH: usize = 2;
/// After this time, used time counts half as much.
const HALF: Duration = Duration::from_secs(30);
/// A client that has used less than this many seconds lately is light. A second for a move is more
/// than this; a move of 5 ms every second is less.
const LIGHT: f64 = 0.4;

/// Why work is not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Refused {
    #[error("the server is busy, try again in a moment")]
    Busy,
    #[error("too many long searches at a time, wait for one to end")]
    Quota,
    #[error("the search failed")]
    Failed,
}

/// How long work is expected to take, and for which client it is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// A move of a game, or the first report on a position: goes before all long work.
    Quick(IpAddr),
    /// Seconds of search. One thread is always reserved for other work.
    Long(IpAddr),
}

impl Class {
    const fn client(self) -> IpAddr {
        match self {
            Self::Quick(client) | Self::Long(client) => client,
        }
    }

    /// The index of this class in what is counted for each class.
    const fn index(self) -> usize {
        match self {
            Self::Quick(_) => 0,
            Self::Long(_) => 1,
        }
    }
}

/// Work that has been handed out and must be given back when it is done.
#[derive(Debug)]
#[must_use]
pub(crate) struct Handed {
    class: Class,
    /// Whether it takes one of the threads meant for searches.
    heavy: bool,
}

/// A client with its work.
struct Account<T> {
    /// The quick and the long work that waits, each with its number.
    waiting: [VecDeque<(u64, T)>; 2],
    running: [usize; 2],
    /// Seconds used lately, as of `at`.
    used: f64,
    at: Instant,
}

impl<T> Account<T> {
    fn new(now: Instant) -> Self {
        let waiting = [VecDeque::new(), VecDeque::new()];
        Self { waiting, running: [0; 2], used: 0.0, at: now }
    }

    fn used(&self, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.used * 0.5f64.powf(passed / HALF.as_secs_f64())
    }

    fn charge(&mut self, time: Duration, now: Instant) {
        self.used = self.used(now) + time.as_secs_f64();
        self.at = now;
    }

    /// The place of the client's next work of a kind in the order: light clients first, in the
    /// order in which they came, then the others by the time that they have used.
    fn turn(&self, kind: usize, now: Instant) -> Option<(bool, f64, u64)> {
        let (number, _) = self.waiting[kind].front()?;
        let used = self.used(now);
        let heavy = kind == 1 || used >= LIGHT;
        Some((heavy, if heavy { used } else { 0.0 }, *number))
    }

    fn is_forgotten(&self, now: Instant) -> bool {
        self.waiting.iter().all(VecDeque::is_empty)
            && self.running == [0; 2]
            && self.used(now) < 0.001
    }
}

/// Work that waits.
pub(crate) struct Queue<T> {
    accounts: HashMap<IpAddr, Account<T>>,
    /// The number of accounts above which empty ones are removed.
    most: usize,
    /// The number of threads meant for searches.
    threads: usize,
    /// The number of them that one client may have.
    share: usize,
    /// The amount of long work that one client may have, waiting or in progress.
    long_each: usize,
    heavy: usize,
    waiting: [usize; 2],
    long: usize,
    next: u64,
}

impl<T> Queue<T> {
    /// A queue for this many threads, where `people` share the address of a client.
    pub fn new(threads: usize, people: usize) -> Self {
        // However many games a client has, half of the threads stay free for others, unless all
        // people are expected to be that client.
        let share = if people > 1 { threads } else { threads / 2 };
        Self {
            accounts: HashMap::new(),
            most: 1024,
            threads,
            share: share.max(1),
            long_each: LONG_EACH.max(people),
            heavy: 0,
            waiting: [0; 2],
            long: 0,
            next: 0,
        }
    }

    /// Adds work, if there is room for it.
    pub fn add(&mut self, class: Class, work: T, now: Instant) -> Result<(), Refused> {
        if self.accounts.len() >= self.most {
            self.accounts.retain(|_, account| !account.is_forgotten(now));
            self.most = 1024.max(2 * self.accounts.len());
        }
        let account = self.accounts.entry(class.client()).or_insert_with(|| Account::new(now));
        let kind = class.index();
        let own = account.waiting[kind].len();
        let (all, each) = match class {
            Class::Quick(_) => (MAX_QUICK, QUICK_EACH),
            Class::Long(_) if own + account.running[kind] >= self.long_each => {
                return Err(Refused::Quota);
            }
            Class::Long(_) => (MAX_LONG.max(self.long_each), self.long_each),
        };
        if self.waiting[kind] >= all || own >= each {
            return Err(Refused::Busy);
        }
        account.waiting[kind].push_back((self.next, work));
        self.next += 1;
        self.waiting[kind] += 1;
        Ok(())
    }

    /// The next piece of work, if there is a thread for it.
    pub fn take(&mut self, now: Instant) -> Option<(Handed, T)> {
        let client = self.first(0, now).or_else(|| {
            // One thread is reserved for moves.
            let free = self.long + 1 < self.threads.max(2);
            free.then(|| self.first(1, now)).flatten()
        });
        let (kind, heavy, client) = client?;
        let account = self.accounts.get_mut(&client)?;
        let (_, work) = account.waiting[kind].pop_front()?;
        account.running[kind] += 1;
        self.waiting[kind] -= 1;
        self.heavy += usize::from(heavy);
        self.long += kind;
        let class = if kind == 0 { Class::Quick(client) } else { Class::Long(client) };
        Some((Handed { class, heavy }, work))
    }

    /// The client whose work of a kind is next.
    fn first(&self, kind: usize, now: Instant) -> Option<(usize, bool, IpAddr)> {
        let full = self.heavy >= self.threads;
        let due = self.accounts.iter().filter(|(_, account)| account.running[kind] < self.share);
        let due = due.filter_map(|(client, account)| Some((account.turn(kind, now)?, *client)));
        let due = due.filter(|((heavy, ..), _)| !(*heavy && full));
        let (turn, client) = due.min_by(|(one, _), (other, _)| {
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)).then(one.2.cmp(&other.2))
        })?;
        Some((kind, turn.0, client))
    }

    /// Records that handed-out work is done, or given up, and how long it took.
    pub fn done(&mut self, handed: &Handed, took: Duration, now: Instant) {
        let kind = handed.class.index();
        self.heavy -= usize::from(handed.heavy);
        self.long -= kind;
        if let Some(account) = self.accounts.get_mut(&handed.class.client()) {
            account.running[kind] -= 1;
            account.charge(took, now);
        }
    }

    /// Drops work that nobody waits for.
    pub fn forget(&mut self, class: Class, unwanted: impl Fn(&T) -> bool) {
        let kind = class.index();
        if let Some(account) = self.accounts.get_mut(&class.client()) {
            let before = account.waiting[kind].len();
            account.waiting[kind].retain(|(_, work)| !unwanted(work));
            self.waiting[kind] -= before - account.waiting[kind].len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn ip(number: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, number])
    }

    fn names(queue: &mut Queue<&'static str>, now: Instant) -> Vec<&'static str> {
        std::iter::from_fn(|| queue.take(now)).map(|(_, name)| name).collect()
    }

    #[test]
    fn a_client_with_many_games_waits_behind_its_own() {
        let (mut queue, now) = (Queue::new(2, 1), Instant::now());
        for _ in 0..100 {
            queue.add(Class::Quick(ip(1)), "hostile", now).unwrap();
        }
        for number in 2..5 {
            queue.add(Class::Quick(ip(number)), "honest", now).unwrap();
        }
        assert_eq!(names(&mut queue, now), ["hostile", "honest", "honest", "honest"]);
    }

    #[test]
    fn a_heavy_client_waits_for_a_search_thread_and_others_do_not() {
        let (mut queue, mut now) = (Queue::new(2, 1), Instant::now());
        for number in 1..5 {
            queue.add(Class::Quick(ip(number)), "deep", now).unwrap();
            let (handed, _) = queue.take(now).unwrap();
            now += SECOND;
            queue.done(&handed, SECOND, now);
        }
        for number in 1..5 {
            queue.add(Class::Quick(ip(number)), "deep", now).unwrap();
        }
        queue.add(Class::Quick(ip(9)), "light", now).unwrap();
        assert_eq!(names(&mut queue, now), ["light", "deep", "deep"]);
        // The client that has used most time is last, and used time fades.
        queue.add(Class::Quick(ip(9)), "light", now).unwrap();
        assert_eq!(names(&mut queue, now), Vec::<&str>::new());
        now += 10 * HALF;
        assert_eq!(names(&mut queue, now), ["deep", "deep"]);
    }

    #[test]
    fn moves_go_before_long_work_and_have_a_reserved_thread() {
        let (mut queue, now) = (Queue::new(2, 1), Instant::now());
        for number in 1..4 {
            queue.add(Class::Long(ip(number)), "long", now).unwrap();
        }
        queue.add(Class::Quick(ip(5)), "move", now).unwrap();
        assert_eq!(names(&mut queue, now), ["move", "long"]);
    }

    #[test]
    fn long_work_goes_to_the_client_that_has_used_least() {
        let (mut queue, mut now) = (Queue::new(2, 1), Instant::now());
        let mut order = vec![];
        for _ in 0..2 {
            queue.add(Class::Long(ip(1)), "greedy", now).unwrap();
        }
        assert_eq!(queue.add(Class::Long(ip(1)), "greedy", now), Err(Refused::Quota));
        let (mut handed, name) = queue.take(now).unwrap();
        order.push(name);
        queue.add(Class::Long(ip(2)), "other", now).unwrap();
        for _ in 0..2 {
            now += SECOND;
            queue.done(&handed, SECOND, now);
            let name;
            (handed, name) = queue.take(now).unwrap();
            order.push(name);
        }
        assert_eq!(order, ["greedy", "other", "greedy"]);
    }

    #[test]
    fn a_client_with_too_many_requests_is_refused_and_others_are_not() {
        let (mut queue, now) = (Queue::new(2, 1), Instant::now());
        while queue.add(Class::Quick(ip(1)), "", now).is_ok() {}
        queue.add(Class::Quick(ip(2)), "", now).unwrap();
        queue.forget(Class::Quick(ip(1)), |_| true);
        queue.add(Class::Quick(ip(1)), "", now).unwrap();
        // No client is remembered for ever.
        for number in 0..10_000u32 {
            let class = Class::Quick(IpAddr::from(number.to_be_bytes()));
            queue.add(class, "", now).unwrap();
            queue.forget(class, |_| true);
        }
        assert!(queue.accounts.len() < 2048);
    }
}
