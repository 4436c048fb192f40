//! The search threads. Work on them stops at its limit, or when nobody waits for it.
//! `queue.rs` decides whose work is next.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::agents::AgentCache;
pub(crate) use crate::agents::Stop;
use crate::engines::{EngineRefused, Engines, OfferedEngine};
pub(crate) use crate::queue::{Class, Refused};
use crate::queue::{Handed, Queue};

/// The number of attempts of patient work, and below, the time between them: ten seconds in
/// all.
const RETRIES: u32 = 40;
const PAUSE: Duration = Duration::from_millis(250);

type Work = Box<dyn FnOnce(&mut AgentCache, Stop<'_>) + Send>;

/// The state of a piece of work.
enum State {
    Waiting,
    /// It runs on the thread that checks this flag.
    Running(Arc<AtomicBool>),
    /// Nobody wants its result, or it is done.
    Gone,
}

struct Task {
    state: Arc<Mutex<State>>,
    work: Work,
}

struct Inbox {
    queue: Queue<Task>,
    closed: bool,
}

struct Shared {
    inbox: Mutex<Inbox>,
    changed: Condvar,
}

/// The search threads.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    engines: Arc<Engines>,
}

/// Somebody who waits for work to be done. Dropping this value stops the work.
struct Waiting {
    shared: Arc<Shared>,
    class: Class,
    state: Arc<Mutex<State>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No statement leaves the guarded data inconsistent, so a poisoned lock is still good.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Waiting {
    /// Ends running work with the result it has.
    fn hurry(&self) {
        if let State::Running(stop) = &*lock(&self.state) {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.hurry();
        let before = std::mem::replace(&mut *lock(&self.state), State::Gone);
        if matches!(before, State::Waiting) {
            let own = |task: &Task| Arc::ptr_eq(&task.state, &self.state);
            lock(&self.shared.inbox).queue.forget(self.class, own);
        }
    }
}

impl Pool {
    /// Starts `threads` threads for searches, at least two, and as many again for clients that use
    /// little time. `people` share the address of a client.
    ///
    /// # Errors
    /// When two of the offered programs have the same name.
    pub fn new(
        threads: usize,
        people: usize,
        offered: Vec<OfferedEngine>,
    ) -> Result<Self, EngineRefused> {
        let threads = threads.max(2);
        let engines = Arc::new(Engines::new(offered, 2 * threads)?);
        let inbox = Inbox { queue: Queue::new(threads, people), closed: false };
        let shared = Arc::new(Shared { inbox: Mutex::new(inbox), changed: Condvar::new() });
        for _ in 0..2 * threads {
            let (shared, engines) = (Arc::clone(&shared), Arc::clone(&engines));
            std::thread::spawn(move || shared.work(AgentCache::new(engines)));
        }
        Ok(Self { shared, engines })
    }

    /// The external programs that guests may play against in a game.
    pub fn engines(&self, game: &str) -> Vec<&str> {
        self.engines.names(game)
    }

    /// Does `work` on a thread, for at most `limit` after it has begun. Dropping the future earlier
    /// stops the work.
    pub async fn run<T: Send + 'static>(
        &self,
        class: Class,
        limit: Duration,
        work: impl FnOnce(&mut AgentCache, Stop<'_>) -> T + Send + 'static,
    ) -> Result<T, Refused> {
        let (give, mut result) = oneshot::channel();
        let work = Box::new(move |cache: &mut AgentCache, stop: Stop<'_>| {
            let _ = give.send(work(cache, stop));
        });
        self.finish(class, limit, work).await?;
        result.try_recv().map_err(|_| Refused::Failed)
    }

    /// Waits until `work` has been done: what [`Pool::run`] does, compiled once for all kinds of work.
    async fn finish(&self, class: Class, limit: Duration, work: Work) -> Result<(), Refused> {
        let (started, starts) = oneshot::channel();
        let (done, mut ends) = oneshot::channel();
        let state = Arc::new(Mutex::new(State::Waiting));
        let work: Work = Box::new(move |cache, stop| {
            let _ = started.send(());
            work(cache, stop);
            let _ = done.send(());
        });
        let task = Task { state: Arc::clone(&state), work };
        lock(&self.shared.inbox).queue.add(class, task, Instant::now())?;
        self.shared.changed.notify_one();
        let waiting = Waiting { shared: Arc::clone(&self.shared), class, state };
        starts.await.map_err(|_| Refused::Failed)?;
        tokio::select! {
            ended = &mut ends => return ended.map_err(|_| Refused::Failed),
            () = tokio::time::sleep(limit) => waiting.hurry(),
        }
        ends.await.map_err(|_| Refused::Failed)
    }

    /// Does work as soon as its client has room for it. This is for analyses and rollouts that are
    /// done in parts, because other searches of the same client may have come in between. Otherwise
    /// the same as [`Pool::run`].
    pub async fn run_patiently<T, W>(
        &self,
        class: Class,
        limit: Duration,
        work: impl Fn() -> W,
    ) -> Result<T, Refused>
    where
        T: Send + 'static,
        W: FnOnce(&mut AgentCache, Stop<'_>) -> T + Send + 'static,
    {
        for _ in 0..RETRIES {
            match self.run(class, limit, work()).await {
                Err(Refused::Quota | Refused::Busy) => tokio::time::sleep(PAUSE).await,
                done => return done,
            }
        }
        self.run(class, limit, work()).await
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        lock(&self.shared.inbox).closed = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    /// The next piece of work; `None` when the pool is closed.
    fn next(&self) -> Option<(Handed, Task)> {
        let mut inbox = lock(&self.inbox);
        loop {
            if inbox.closed {
                return None;
            }
            if let Some(task) = inbox.queue.take(Instant::now()) {
                return Some(task);
            }
            inbox = self.changed.wait(inbox).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn work(&self, mut cache: AgentCache) {
        // A new flag for each piece of work.
        let stop = Arc::default();
        while let Some((handed, Task { state, work })) = self.next() {
            let began = Instant::now();
            if begin(&state, &stop) {
                // A search that panics costs only its own client the answer.
                let _ = catch_unwind(AssertUnwindSafe(|| work(&mut cache, &stop)));
                *lock(&state) = State::Gone;
            }
            let now = Instant::now();
            lock(&self.inbox).queue.done(&handed, now - began, now);
            // The work that had to wait for this one may be for another thread.
            self.changed.notify_one();
        }
    }
}

/// Marks work as running on the thread that checks `stop`; false when nobody wants the result.
fn begin(state: &Mutex<State>, stop: &Arc<AtomicBool>) -> bool {
    let mut state = lock(state);
    if matches!(*state, State::Gone) {
        return false;
    }
    stop.store(false, Ordering::Relaxed);
    *state = State::Running(Arc::clone(stop));
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::LONG_EACH;
    use std::net::Ipv4Addr;
    use std::sync::mpsc;

    const MINUTE: Duration = Duration::from_mins(1);

    fn client(number: u8) -> Class {
        Class::Long(Ipv4Addr::new(10, 0, 0, number).into())
    }

    fn move_of(number: u8) -> Class {
        Class::Quick(Ipv4Addr::new(10, 0, 0, number).into())
    }

    fn until_stopped(stop: Stop<'_>) {
        while !stop.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
    }

    #[tokio::test]
    async fn work_that_panics_is_an_error_and_the_thread_continues() {
        let pool = Pool::new(2, 1, vec![]).unwrap();
        for _ in 0..4 {
            let failed: Result<(), _> =
                pool.run(move_of(9), MINUTE, |_, _| panic!("on purpose")).await;
            assert_eq!(failed, Err(Refused::Failed));
        }
        assert_eq!(pool.run(move_of(9), MINUTE, |_, _| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn work_ends_at_its_limit_with_what_it_has() {
        let pool = Pool::new(2, 1, vec![]).unwrap();
        let limit = Duration::from_millis(1);
        let work = pool.run(move_of(9), limit, |_, stop| {
            until_stopped(stop);
            "stopped"
        });
        assert_eq!(work.await, Ok("stopped"));
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_is_stopped_or_never_begun() {
        let pool = Arc::new(Pool::new(2, 1, vec![]).unwrap());
        let (begun, begins) = mpsc::channel();
        let (ended, ends) = mpsc::channel();
        let other = Arc::clone(&pool);
        let asker = tokio::spawn(async move {
            let work = move |_: &mut AgentCache, stop: Stop<'_>| {
                let _ = begun.send(());
                until_stopped(stop);
                let _ = ended.send(());
            };
            let _ = other.run(client(1), MINUTE, work).await;
        });
        // The only thread for long work is taken, so this work waits and is then dropped.
        tokio::task::spawn_blocking(move || begins.recv().unwrap()).await.unwrap();
        let waits = pool.run(client(1), MINUTE, |_, _| panic!("nobody wants this"));
        let waited = tokio::time::timeout(Duration::from_millis(5), waits).await;
        assert!(waited.is_err());
        asker.abort();
        tokio::task::spawn_blocking(move || ends.recv().unwrap()).await.unwrap();
        assert_eq!(pool.run(client(1), MINUTE, |_, _| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn a_client_has_a_quota_of_long_work_and_quick_work_continues() {
        let pool = Arc::new(Pool::new(2, 1, vec![]).unwrap());
        let run = |class| {
            let pool = Arc::clone(&pool);
            tokio::spawn(
                async move { pool.run(class, MINUTE, |_, stop| until_stopped(stop)).await },
            )
        };
        let tasks: Vec<_> = (0..LONG_EACH).map(|_| run(client(1))).collect();
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        let refused = pool.run(client(1), MINUTE, |_, _| ()).await;
        assert_eq!(refused, Err(Refused::Quota));
        assert_eq!(pool.run(move_of(9), MINUTE, |_, _| 7).await, Ok(7));
        tasks.iter().for_each(tokio::task::JoinHandle::abort);
        assert_eq!(pool.run(client(2), MINUTE, |_, _| 7).await, Ok(7));
    }
}
