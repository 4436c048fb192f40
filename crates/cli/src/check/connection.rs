//! A conversation with an engine that is being checked. Nothing in it waits longer than the time
//! that the engine is given, and an engine that ended or fell silent is restarted for the next
//! step.

use std::time::{Duration, Instant};

use wurfel_engines::{EngineError, EngineProcess};

use super::material::Material;
use super::step::{Checked, StepError};

/// Maximum number of lines before an answer. An engine that sends more is taken to send lines for ever.
const MAX_LINES: usize = 100_000;
/// Maximum number of characters of a line in a report.
const MAX_SHOWN: usize = 120;

/// A conversation, and the facts known about the engine.
pub struct Connection {
    command: String,
    engine: Option<EngineProcess>,
    /// How long an answer may take beyond the time that the engine is given.
    pub patience: Duration,
    /// The positions that the steps ask about.
    pub material: Material,
    /// The options that the engine has announced.
    pub options: Vec<wurfel_protocol::ugi::OptionLine>,
    /// Lines that do not belong to the protocol.
    pub strange: Vec<String>,
}

impl Connection {
    /// A conversation with a program that is started when it is first needed.
    pub const fn new(command: String, patience: Duration, material: Material) -> Self {
        Self { command, engine: None, patience, material, options: vec![], strange: vec![] }
    }

    /// The engine, which is started if it is not running.
    pub fn engine(&mut self) -> Result<&mut EngineProcess, StepError> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => EngineProcess::start(&self.command).map_err(|error| silent(&error))?,
        };
        Ok(self.engine.insert(engine))
    }

    /// Ends the engine; the next step starts it again.
    pub fn end(&mut self) {
        self.engine = None;
    }

    fn deadline(&self, given: Duration) -> Instant {
        Instant::now() + given + self.patience
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Checked {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Checked {
        let deadline = self.deadline(Duration::ZERO);
        self.engine()?.send_bytes(bytes, deadline).map_err(|error| silent(&error))
    }

    /// The next line. The engine has the time `given` for it, plus the patience of the check.
    pub fn receive(&mut self, given: Duration) -> Result<String, StepError> {
        let (deadline, patience) = (self.deadline(given), self.patience);
        self.engine()?.line(deadline).map_err(|error| match error {
            EngineError::Timeout => {
                StepError::Silent(format!("no answer within {:?}", given + patience))
            }
            gone => silent(&gone),
        })
    }

    /// All lines up to the first for which `is_last` returns true, including that line.
    pub fn until(
        &mut self,
        given: Duration,
        is_last: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, StepError> {
        let mut lines = vec![];
        while lines.len() < MAX_LINES {
            let line = self.receive(given)?;
            let over = is_last(&line);
            lines.push(line);
            if over {
                return Ok(lines);
            }
        }
        Err(StepError::Silent(format!("{MAX_LINES} lines without an answer")))
    }

    /// Waits for the engine to end, after closing its input if `closes`, and returns its exit code.
    pub fn ended(&mut self, closes: bool) -> Result<Option<i32>, StepError> {
        let (deadline, patience) = (self.deadline(Duration::ZERO), self.patience);
        let engine = self.engine()?;
        if closes {
            engine.close_input();
        }
        let code = engine
            .ended(deadline)
            .map_err(|_| StepError::Silent(format!("it still ran after {patience:?}")));
        self.end();
        code
    }
}

fn silent(error: &EngineError) -> StepError {
    StepError::Silent(error.to_string())
}

/// A line as it is shown in a report.
pub fn shown(line: &str) -> String {
    let mut text: String = line.chars().take(MAX_SHOWN).flat_map(char::escape_debug).collect();
    if line.chars().nth(MAX_SHOWN).is_some() {
        text.push('…');
    }
    format!("'{text}'")
}
