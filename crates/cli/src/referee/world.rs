//! The world outside the program: time, and the person who types. Tests have a world of their own,
//! in which time passes as they say.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use jiff::Zoned;

use crate::typing::{Printer, Typist};
use crate::{mode, stop};

/// An event while waiting for input.
pub enum Input {
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

    /// Shows the prompt, and has Tab complete these words.
    fn ask(&mut self, prompt: &str, _words: Vec<String>, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{prompt}")?;
        out.flush()
    }

    /// Says something while somebody may be typing; true if the prompt must be shown again.
    fn interject(&mut self, text: &str, out: &mut dyn Write) -> io::Result<bool> {
        writeln!(out, "\n{text}")?;
        Ok(true)
    }

    /// Whether the person who types is answered while an agent thinks. The lines of a script wait
    /// for its move, so that what they do does not depend on how long it thinks.
    fn answers_meanwhile(&self) -> bool {
        false
    }

    /// Waits for a line, for no longer than `at_most`.
    fn read_input(&mut self, at_most: Duration) -> Input;
}

/// The world of this machine: its clock, and standard input.
pub struct RealWorld {
    begun: Instant,
    /// Prompts with words, for the thread that reads.
    prompts: SyncSender<(String, Vec<String>)>,
    lines: Receiver<String>,
    /// Whether a line is being read.
    reading: bool,
    /// Prints above the prompt at a terminal.
    printer: Option<Printer>,
}

impl RealWorld {
    /// Begins to read standard input when it is asked to.
    pub fn new() -> Self {
        let (sender, lines) = sync_channel(1);
        let (prompts, requests) = sync_channel::<(String, Vec<String>)>(1);
        let mut typist = Typist::new();
        let printer = typist.printer();
        std::thread::spawn(move || {
            while let Ok((prompt, words)) = requests.recv() {
                let Some(line) = typist.line(&prompt, words) else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { begun: Instant::now(), prompts, lines, reading: false, printer }
    }
}

impl Drop for RealWorld {
    fn drop(&mut self) {
        if self.reading {
            mode::give_back();
        }
    }
}

impl World for RealWorld {
    fn now(&mut self) -> u64 {
        self.begun.elapsed().as_millis() as u64
    }

    fn date(&mut self) -> String {
        Zoned::now().strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
    }

    fn ask(&mut self, prompt: &str, words: Vec<String>, out: &mut dyn Write) -> io::Result<()> {
        if self.reading {
            write!(out, "{prompt}")?;
            return out.flush();
        }
        out.flush()?;
        self.reading = true;
        // Where the thread has ended, so has the input, which `read_input` reports.
        let _ = self.prompts.send((prompt.to_owned(), words));
        Ok(())
    }

    fn interject(&mut self, text: &str, out: &mut dyn Write) -> io::Result<bool> {
        if let Some(printer) = &mut self.printer
            && printer.print(format!("{text}\n")).is_ok()
        {
            return Ok(false);
        }
        writeln!(out, "\n{text}")?;
        Ok(true)
    }

    fn answers_meanwhile(&self) -> bool {
        self.printer.is_some()
    }

    fn read_input(&mut self, at_most: Duration) -> Input {
        if stop::is_wanted() {
            return Input::Stop;
        }
        match self.lines.recv_timeout(at_most) {
            Ok(line) => {
                self.reading = false;
                Input::Line(line)
            }
            Err(RecvTimeoutError::Timeout) => Input::Nothing,
            // Ctrl-C as a key ends the reading, too.
            Err(RecvTimeoutError::Disconnected) if stop::is_wanted() => Input::Stop,
            Err(RecvTimeoutError::Disconnected) => Input::End,
        }
    }
}
