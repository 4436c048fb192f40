//! The threads that search: so many, with a queue that ends, a quota for each client,
//! and work that stops when nobody waits for it.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::agents::Shelf;

/// Quick work that may wait: a move for every room there can be.
const MOST_QUICK: usize = 8192;
/// Long work that may wait.
const MOST_LONG: usize = 64;
/// Long work of one client, waiting or under way.
const LONG_EACH: usize = 2;

/// How long work takes, and for whom it is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// A move of a game: goes before all long work.
    Quick,
    /// Seconds of search for this client. One thread is kept free of it.
    Long(IpAddr),
}

/// Why work is not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Refused {
    #[error("the server is busy, try again in a moment")]
    Busy,
    #[error("at most {LONG_EACH} long searches at a time, wait for one to end")]
    Quota,
    #[error("the search failed")]
    Failed,
}

/// Turns true when work must end with what it has.
pub(crate) type Stop = &'static AtomicBool;

type Work = Box<dyn FnOnce(&mut Shelf, Stop) + Send>;

/// Where a piece of work stands.
enum State {
    Waiting,
    /// On the thread that heeds this.
    Running(Stop),
    /// Nobody wants it any more, or it is done.
    Gone,
}

struct Task {
    class: Class,
    state: Arc<Mutex<State>>,
    work: Work,
}

#[derive(Default)]
struct Queue {
    quick: VecDeque<Task>,
    long: VecDeque<Task>,
    long_running: usize,
    /// Long work for which somebody waits.
    clients: HashMap<IpAddr, usize>,
    closed: bool,
}

struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
    most_long: usize,
}

/// The threads.
pub(crate) struct Pool {
    shared: Arc<Shared>,
}

/// Whoever waits for work to be done. Dropped, it stops the work.
struct Waiting {
    shared: Arc<Shared>,
    class: Class,
    state: Arc<Mutex<State>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is guarded here is whole between any two statements.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Waiting {
    /// Ends work that runs, with what it has.
    fn hurry(&self) {
        if let State::Running(stop) = *lock(&self.state) {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.hurry();
        let before = std::mem::replace(&mut *lock(&self.state), State::Gone);
        let queued = matches!(before, State::Waiting).then_some(&self.state);
        self.shared.forget(self.class, queued);
    }
}

impl Pool {
    /// Starts so many threads, at least two: one for long work, one for quick.
    pub fn new(threads: usize) -> Self {
        let threads = threads.max(2);
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            changed: Condvar::new(),
            most_long: threads - 1,
        });
        for _ in 0..threads {
            let shared = Arc::clone(&shared);
            // One flag a thread for as long as the program runs.
            let stop: Stop = Box::leak(Box::default());
            std::thread::spawn(move || shared.work(stop));
        }
        Self { shared }
    }

    /// Does `work` on a thread, for at most `limit` once it is under way. When the
    /// future is dropped before, the work is stopped.
    pub async fn run<T: Send + 'static>(
        &self,
        class: Class,
        limit: Duration,
        work: impl FnOnce(&mut Shelf, Stop) -> T + Send + 'static,
    ) -> Result<T, Refused> {
        let (started, starts) = oneshot::channel();
        let (done, result) = oneshot::channel();
        let state = Arc::new(Mutex::new(State::Waiting));
        let work: Work = Box::new(move |shelf, stop| {
            let _ = started.send(());
            let _ = done.send(work(shelf, stop));
        });
        self.shared.add(Task { class, state: Arc::clone(&state), work })?;
        let waiting = Waiting { shared: Arc::clone(&self.shared), class, state };
        starts.await.map_err(|_| Refused::Failed)?;
        let mut result = result;
        tokio::select! {
            done = &mut result => return done.map_err(|_| Refused::Failed),
            () = tokio::time::sleep(limit) => waiting.hurry(),
        }
        result.await.map_err(|_| Refused::Failed)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        lock(&self.shared.queue).closed = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn add(&self, task: Task) -> Result<(), Refused> {
        let mut queue = lock(&self.queue);
        match task.class {
            Class::Quick if queue.quick.len() >= MOST_QUICK => return Err(Refused::Busy),
            Class::Quick => queue.quick.push_back(task),
            Class::Long(client) => {
                if queue.long.len() >= MOST_LONG {
                    return Err(Refused::Busy);
                }
                let count = queue.clients.entry(client).or_default();
                if *count >= LONG_EACH {
                    return Err(Refused::Quota);
                }
                *count += 1;
                queue.long.push_back(task);
            }
        }
        self.changed.notify_one();
        Ok(())
    }

    /// The next piece of work; `None` when the pool is closed.
    fn next(&self) -> Option<Task> {
        let mut queue = lock(&self.queue);
        loop {
            if queue.closed {
                return None;
            }
            if let Some(task) = queue.quick.pop_front() {
                return Some(task);
            }
            if queue.long_running < self.most_long
                && let Some(task) = queue.long.pop_front()
            {
                queue.long_running += 1;
                return Some(task);
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn work(&self, stop: Stop) {
        let mut shelf = Shelf::default();
        while let Some(Task { class, state, work }) = self.next() {
            if begin(&state, stop) {
                // A search that panics costs its asker the answer, nobody else anything.
                let _ = catch_unwind(AssertUnwindSafe(|| work(&mut shelf, stop)));
                *lock(&state) = State::Gone;
            }
            if let Class::Long(_) = class {
                lock(&self.queue).long_running -= 1;
                self.changed.notify_one();
            }
        }
    }

    /// Nobody waits for this work any more.
    fn forget(&self, class: Class, queued: Option<&Arc<Mutex<State>>>) {
        let mut queue = lock(&self.queue);
        if let Some(state) = queued {
            let others = |task: &Task| !Arc::ptr_eq(&task.state, state);
            match class {
                Class::Quick => queue.quick.retain(others),
                Class::Long(_) => queue.long.retain(others),
            }
        }
        if let Class::Long(client) = class
            && let Some(count) = queue.clients.get_mut(&client)
        {
            *count -= 1;
            if *count == 0 {
                queue.clients.remove(&client);
            }
        }
    }
}

/// Notes that work runs on the thread that heeds `stop`; false when nobody wants it.
fn begin(state: &Mutex<State>, stop: Stop) -> bool {
    let mut state = lock(state);
    if matches!(*state, State::Gone) {
        return false;
    }
    stop.store(false, Ordering::Relaxed);
    *state = State::Running(stop);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use std::sync::mpsc;

    const MINUTE: Duration = Duration::from_mins(1);

    fn client(number: u8) -> Class {
        Class::Long(Ipv4Addr::new(10, 0, 0, number).into())
    }

    fn until_stopped(stop: Stop) {
        while !stop.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
    }

    #[tokio::test]
    async fn work_that_panics_is_an_error_and_the_thread_goes_on() {
        let pool = Pool::new(2);
        for _ in 0..4 {
            let failed: Result<(), _> =
                pool.run(Class::Quick, MINUTE, |_, _| panic!("on purpose")).await;
            assert_eq!(failed, Err(Refused::Failed));
        }
        assert_eq!(pool.run(Class::Quick, MINUTE, |_, _| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn work_ends_at_its_limit_with_what_it_has() {
        let pool = Pool::new(2);
        let limit = Duration::from_millis(1);
        let work = pool.run(Class::Quick, limit, |_, stop| {
            until_stopped(stop);
            "stopped"
        });
        assert_eq!(work.await, Ok("stopped"));
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_is_stopped_or_never_begun() {
        let pool = Arc::new(Pool::new(2));
        let (begun, begins) = mpsc::channel();
        let (ended, ends) = mpsc::channel();
        let other = Arc::clone(&pool);
        let asker = tokio::spawn(async move {
            let work = move |_: &mut Shelf, stop: Stop| {
                let _ = begun.send(());
                until_stopped(stop);
                let _ = ended.send(());
            };
            let _ = other.run(client(1), MINUTE, work).await;
        });
        // The only thread for long work is taken, so this one waits, and is dropped.
        tokio::task::spawn_blocking(move || begins.recv().unwrap()).await.unwrap();
        let waits = pool.run(client(1), MINUTE, |_, _| panic!("nobody wants this"));
        let waited = tokio::time::timeout(Duration::from_millis(5), waits).await;
        assert!(waited.is_err());
        asker.abort();
        tokio::task::spawn_blocking(move || ends.recv().unwrap()).await.unwrap();
        assert_eq!(pool.run(client(1), MINUTE, |_, _| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn a_client_has_a_quota_of_long_work_and_quick_work_goes_on() {
        let pool = Arc::new(Pool::new(2));
        let run = |class| {
            let pool = Arc::clone(&pool);
            tokio::spawn(
                async move { pool.run(class, MINUTE, |_, stop| until_stopped(stop)).await },
            )
        };
        let held: Vec<_> = (0..LONG_EACH).map(|_| run(client(1))).collect();
        while lock(&pool.shared.queue).clients.values().sum::<usize>() < LONG_EACH {
            tokio::task::yield_now().await;
        }
        let refused = pool.run(client(1), MINUTE, |_, _| ()).await;
        assert_eq!(refused, Err(Refused::Quota));
        assert_eq!(pool.run(Class::Quick, MINUTE, |_, _| 7).await, Ok(7));
        held.iter().for_each(tokio::task::JoinHandle::abort);
        assert_eq!(pool.run(client(2), MINUTE, |_, _| 7).await, Ok(7));
    }
}
