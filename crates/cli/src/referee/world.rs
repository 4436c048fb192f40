//! The world outside the program: time, and the person who types. Tests have a world of their own,
//! in which time passes as they say.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use jiff::Zoned;

use crate::stop;
use crate::terminal::read_line;

/// An event while waiting for input.
pub enum Heard {
    /// A line that was typed, trimmed.
    Line(String),
    /// Nothing was typed in this time.
    Nothing,
    /// Nothing more will be typed.
    End,
    /// Ctrl-C was typed.
    Stop,
}

/// Time, and the person who types.
pub trait World {
    /// Milliseconds since the program began.
    fn now(&mut self) -> u64;

    /// The date and the time of day in RFC 3339.
    fn date(&mut self) -> String;

    /// Waits for a line, for no longer than `at_most`.
    fn hear(&mut self, at_most: Duration) -> Heard;
}

/// The world of this machine: its clock, and standard input.
pub struct Machine {
    begun: Instant,
    lines: Receiver<String>,
}

impl Machine {
    /// Begins to read standard input.
    pub fn new() -> Self {
        let (sender, lines) = sync_channel(0);
        std::thread::spawn(move || {
            while let Some(line) = read_line() {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { begun: Instant::now(), lines }
    }
}

impl World for Machine {
    fn now(&mut self) -> u64 {
        self.begun.elapsed().as_millis() as u64
    }

    fn date(&mut self) -> String {
        Zoned::now().strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
    }

    fn hear(&mut self, at_most: Duration) -> Heard {
        if stop::on_ctrl_c().load(Ordering::Relaxed) {
            return Heard::Stop;
        }
        match self.lines.recv_timeout(at_most) {
            Ok(line) => Heard::Line(line),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }
}
