//! The connection between the thread that reads and the one that works.
//!
//! The reader numbers the searches that it hands on. A `stop` applies to the searches that were
//! requested before it, whether they have begun or not.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use wurfel_protocol::ugi::{Command, Go, Reply};
use wurfel_protocol::{Line, Lines, MAX_LINE, ProtocolError};

use super::say;

/// How many commands may wait for the end of a search.
const WAITING: usize = 4096;

/// A line of the driver: a command, or the error in the line.
pub type ReceivedCommand = Result<Command, ProtocolError>;

/// Set while the search in progress is to end.
static STOP: AtomicBool = AtomicBool::new(false);
/// The number of searches that have been requested.
static ASKED: AtomicU64 = AtomicU64::new(0);
/// The number of searches that have been answered.
static ANSWERED: AtomicU64 = AtomicU64::new(0);
/// Searches up to this number are to end.
static STOPPED: AtomicU64 = AtomicU64::new(0);
/// The last search whose pondering a roll has ended, and this roll.
static ROLLED: Mutex<(u64, Option<String>)> = Mutex::new((0, None));
/// Whether the input has ended.
static ENDED: AtomicBool = AtomicBool::new(false);
/// Whether the search in progress continues until it is told to stop.
static ENDLESS: AtomicBool = AtomicBool::new(false);

/// The flag that ends a search.
pub fn stop_flag() -> &'static AtomicBool {
    &STOP
}

/// Marks the beginning of the next search.
pub fn begin(go: &Go) {
    let number = ANSWERED.load(SeqCst) + 1;
    let endless = go.infinite || go.ponder;
    ENDLESS.store(endless, SeqCst);
    STOP.store(false, SeqCst);
    let (rolled, _) = *ROLLED.lock().unwrap_or_else(PoisonError::into_inner);
    let over = endless && ENDED.load(SeqCst);
    if STOPPED.load(SeqCst) >= number || rolled == number || over {
        STOP.store(true, SeqCst);
    }
}

/// The roll that has ended the pondering of the search in progress, which continues with this roll;
/// `None` when the driver asked to stop instead.
pub fn rolled() -> Option<String> {
    let number = ANSWERED.load(SeqCst) + 1;
    let roll = {
        let mut rolled = ROLLED.lock().unwrap_or_else(PoisonError::into_inner);
        rolled.1.take().filter(|_| rolled.0 == number)?
    };
    ENDLESS.store(false, SeqCst);
    STOP.store(false, SeqCst);
    if STOPPED.load(SeqCst) >= number {
        STOP.store(true, SeqCst);
    }
    Some(roll)
}

/// Marks the end of the search in progress.
pub fn answered() {
    ANSWERED.fetch_add(1, SeqCst);
}

/// The commands of the driver, in order, except those that the reader answers itself. Ends with
/// `quit` or at the end of the input.
pub fn commands() -> Receiver<ReceivedCommand> {
    let (sender, receiver) = sync_channel(WAITING);
    thread::spawn(move || {
        let mut reader = Reader { sender, ponders: false };
        let mut lines = Lines::new(io::stdin());
        while let Ok(Some(line)) = lines.next_line() {
            let said = match line {
                Line::Text(line) if line.trim().is_empty() => continue,
                Line::Text(line) => line.parse(),
                Line::TooLong => Err(too_long()),
            };
            if said == Ok(Command::Quit) {
                stop_all();
                return;
            }
            if !reader.hear(said) {
                return;
            }
        }
        // A search with limits is still answered.
        ENDED.store(true, SeqCst);
        if ENDLESS.load(SeqCst) {
            stop_all();
        }
    });
    receiver
}

fn too_long() -> ProtocolError {
    ProtocolError::new("…", format!("a line of at most {MAX_LINE} bytes"))
}

/// Ends all searches that have been requested.
fn stop_all() {
    STOPPED.store(ASKED.load(SeqCst), SeqCst);
    STOP.store(true, SeqCst);
}

/// The thread that reads.
struct Reader {
    sender: SyncSender<ReceivedCommand>,
    /// Whether the last search ponders.
    ponders: bool,
}

impl Reader {
    /// Answers a line or hands it on; false when nobody receives commands any more.
    fn hear(&mut self, said: ReceivedCommand) -> bool {
        let last = ASKED.load(SeqCst);
        let thinks = last > ANSWERED.load(SeqCst);
        self.ponders &= thinks;
        match said {
            Ok(Command::IsReady) if thinks => say(&Reply::ReadyOk),
            Ok(Command::Stop) => stop_all(),
            Ok(Command::PonderHit(roll)) if self.ponders => {
                self.ponders = false;
                *ROLLED.lock().unwrap_or_else(PoisonError::into_inner) = (last, Some(roll));
                STOP.store(true, SeqCst);
            }
            Ok(Command::Go(go)) => {
                self.ponders = go.ponder;
                ASKED.fetch_add(1, SeqCst);
                if !self.hand_on(Ok(Command::Go(go)), thinks) {
                    return false;
                }
            }
            said => return self.hand_on(said, thinks),
        }
        true
    }

    /// Hands a line on. During a search, lines for which there is no room are refused, so that a
    /// `stop` is always read.
    fn hand_on(&self, said: ReceivedCommand, thinks: bool) -> bool {
        if !thinks {
            return self.sender.send(said).is_ok();
        }
        match self.sender.try_send(said) {
            Ok(()) => true,
            Err(TrySendError::Disconnected(_)) => false,
            Err(TrySendError::Full(said)) => {
                if matches!(said, Ok(Command::Go(_))) {
                    ASKED.fetch_sub(1, SeqCst);
                }
                let error = format!("expected at most {WAITING} lines during a search");
                say(&Reply::Error(error));
                true
            }
        }
    }
}
