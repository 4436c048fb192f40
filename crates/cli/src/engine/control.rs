//! The connection between the thread that reads and the one that works.
//!
//! The reader numbers the searches that it hands on. A `stop` applies to the searches that were
//! requested before it, whether they have begun or not.
//!
//! No line is ever dropped, because a search would then be about another position than its driver
//! believes. Lines wait for the end of a search, up to a bound on the memory that they take, and
//! beyond it none is read until one of them is taken. A search that ends only by a `stop` could not
//! be stopped then, so it ends as at the end of the input.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use wurfel_protocol::ugi::{Command, Go, Reply};
use wurfel_protocol::{Line, Lines, MAX_LINE, ProtocolError};

use super::{driver, end, send};

/// How many bytes of lines may wait for the end of a search. Positions take up to 18 times as much
/// memory as their lines.
const MAX_WAITING: usize = 8 << 20;
/// The number of bytes that a line takes besides its text.
const LINE: usize = 64;

/// A line of the driver.
pub struct ReceivedLine {
    /// The command, with an error for each part of it that is ignored or replaced; or the error in the line.
    pub command: Result<(Command, Vec<ProtocolError>), ProtocolError>,
    /// Whether the driver waits for a move, even if the command cannot be read.
    pub is_go: bool,
    /// How many bytes it takes while it waits.
    size: usize,
}

/// Set while the search in progress is to end.
static STOP: AtomicBool = AtomicBool::new(false);
static STATE: Mutex<State> = Mutex::new(State {
    waiting: VecDeque::new(),
    size: 0,
    requests: 0,
    answered: 0,
    stopped: 0,
    rolled: None,
    endless: false,
    reads_nothing: false,
    over: false,
});
/// Notified whenever a line is added or taken, and at the end.
static CHANGED: Condvar = Condvar::new();

/// What both threads know.
struct State {
    waiting: VecDeque<ReceivedLine>,
    /// How many bytes the waiting lines take.
    size: usize,
    /// The number of searches that have been requested.
    requests: u64,
    /// The number of searches that have been answered.
    answered: u64,
    /// Searches up to this number are to end.
    stopped: u64,
    /// The last search whose pondering a roll has ended, and this roll.
    rolled: Option<(u64, String)>,
    /// Whether the search in progress continues until it is told to stop.
    endless: bool,
    /// Whether no line is read, at the end of the input or until there is room.
    reads_nothing: bool,
    /// Whether no line will be added.
    over: bool,
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// The number of the search in progress or, between two searches, of the next one.
    const fn current(&self) -> u64 {
        self.answered + 1
    }

    /// Ends all searches that have been requested.
    fn stop_all(&mut self) {
        self.stopped = self.requests;
        STOP.store(true, SeqCst);
    }

    /// Reads nothing more for now.
    fn stop_reading(&mut self) {
        self.reads_nothing = true;
        if self.endless {
            STOP.store(true, SeqCst);
        }
    }
}

/// The flag that ends a search.
pub fn stop_flag() -> &'static AtomicBool {
    &STOP
}

/// Marks the beginning of the next search.
pub fn begin(go: &Go) {
    let mut state = state();
    let number = state.current();
    state.endless = go.infinite || go.ponder;
    let rolled = state.rolled.as_ref().is_some_and(|&(search, _)| search == number);
    let over = state.endless && state.reads_nothing;
    STOP.store(state.stopped >= number || rolled || over, SeqCst);
}

/// The roll that has ended the pondering of the search in progress, which continues with this roll;
/// `None` when the driver asked to stop instead.
pub fn rolled() -> Option<String> {
    let mut state = state();
    let number = state.current();
    let (_, roll) = state.rolled.take_if(|&mut (search, _)| search == number)?;
    state.endless = false;
    STOP.store(state.stopped >= number, SeqCst);
    Some(roll)
}

/// Marks the end of the search in progress.
pub fn answered() {
    let mut state = state();
    state.answered += 1;
    state.endless = false;
}

/// The next line of the driver, except those that the reader answers itself; `None` after `quit` and
/// at the end of the input.
pub fn next() -> Option<ReceivedLine> {
    let mut state = state();
    loop {
        if let Some(line) = state.waiting.pop_front() {
            state.size -= line.size;
            CHANGED.notify_all();
            return Some(line);
        }
        if state.over {
            return None;
        }
        state = wait(state);
    }
}

fn wait(state: MutexGuard<'static, State>) -> MutexGuard<'static, State> {
    CHANGED.wait(state).unwrap_or_else(PoisonError::into_inner)
}

/// Begins to read the driver's lines.
pub fn listen() {
    thread::spawn(|| {
        let mut reader = Reader { ponders: false };
        let mut lines = Lines::new(io::stdin());
        while let Ok(Some(line)) = lines.next_line() {
            let line = match line {
                Line::Text(line) if line.trim().is_empty() => continue,
                Line::Text(line) => ReceivedLine {
                    command: Command::read(&line),
                    is_go: Command::means_go(&line),
                    size: line.len() + LINE,
                },
                Line::TooLong => {
                    ReceivedLine { command: Err(too_long()), is_go: false, size: LINE }
                }
            };
            if matches!(line.command, Ok((Command::Quit, _))) {
                state().stop_all();
                end_input();
                return;
            }
            reader.receive(line);
        }
        // A search with limits is still answered, if there is anybody who reads the answer.
        end_input();
        driver::wait_until_gone();
        let state = state();
        if state.requests > state.answered {
            end(&io::ErrorKind::BrokenPipe.into());
        }
    });
}

/// Marks the end of the input.
fn end_input() {
    let mut state = state();
    state.stop_reading();
    state.over = true;
    CHANGED.notify_all();
}

fn too_long() -> ProtocolError {
    ProtocolError::new("…", format!("a line of at most {MAX_LINE} bytes"))
}

/// The thread that reads.
struct Reader {
    /// Whether the last search ponders.
    ponders: bool,
}

impl Reader {
    /// Answers a line or hands it on.
    fn receive(&mut self, line: ReceivedLine) {
        let mut state = state();
        let thinks = state.requests > state.answered;
        self.ponders &= thinks;
        match &line.command {
            Ok((Command::IsReady, _)) if thinks => {
                drop(state);
                send(&Reply::ReadyOk);
            }
            Ok((Command::Stop, _)) => state.stop_all(),
            Ok((Command::PonderHit(roll), _)) if self.ponders => {
                self.ponders = false;
                state.rolled = Some((state.requests, roll.clone()));
                STOP.store(true, SeqCst);
            }
            Ok((Command::Go(go), _)) => {
                self.ponders = go.ponder;
                hand_on(state, line, 1);
            }
            _ => hand_on(state, line, 0),
        }
    }
}

/// Hands on a line that requests this many searches, as soon as there is room.
fn hand_on(mut state: MutexGuard<'static, State>, line: ReceivedLine, searches: u64) {
    while !state.waiting.is_empty() && state.size + line.size > MAX_WAITING {
        state.stop_reading();
        state = wait(state);
    }
    state.reads_nothing = false;
    state.requests += searches;
    state.size += line.size;
    state.waiting.push_back(line);
    CHANGED.notify_all();
}
