//! The stand-in for systems other than Unix: no program can be started, and the error says so.

use std::convert::Infallible;
use std::io;
use std::time::Duration;

use wurfel_core::Instant;

use crate::error::EngineError;

/// A running program. On this system there can be none.
#[derive(Debug)]
pub struct EngineProcess(Infallible);

impl EngineProcess {
    /// Starts a program.
    ///
    /// # Errors
    /// In any case.
    pub fn start(command: &str) -> Result<Self, EngineError> {
        let needs = "external programs as agents work only on Unix so far";
        let error = io::Error::new(io::ErrorKind::Unsupported, needs);
        Err(EngineError::NotStarted { command: command.to_owned(), error })
    }

    /// Starts a program.
    ///
    /// # Errors
    /// In any case.
    pub fn start_within(command: &str, _memory: Option<u64>) -> Result<Self, EngineError> {
        Self::start(command)
    }

    /// Writes a line.
    ///
    /// # Errors
    /// Never.
    pub fn send(&mut self, _line: &str, _deadline: Instant) -> Result<(), EngineError> {
        match self.0 {}
    }

    /// Writes bytes.
    ///
    /// # Errors
    /// Never.
    pub fn send_bytes(&mut self, _bytes: &[u8], _deadline: Instant) -> Result<(), EngineError> {
        match self.0 {}
    }

    /// Begins to measure how long an answer takes.
    pub(crate) fn watch(&mut self) {
        match self.0 {}
    }

    /// How long an answer took.
    pub(crate) fn taken(&mut self) -> Duration {
        match self.0 {}
    }

    /// The moment until which an answer can still come.
    pub(crate) fn extended(&mut self, _deadline: Instant) -> Option<Instant> {
        match self.0 {}
    }

    /// The next line.
    ///
    /// # Errors
    /// Never.
    pub(crate) fn answer(&mut self, _deadline: Instant) -> Result<String, EngineError> {
        match self.0 {}
    }

    /// Closes the program's standard input.
    pub fn close_input(&mut self) {
        match self.0 {}
    }

    /// The next line.
    ///
    /// # Errors
    /// Never.
    pub fn line(&mut self, _deadline: Instant) -> Result<String, EngineError> {
        match self.0 {}
    }

    /// Waits until the program has ended.
    ///
    /// # Errors
    /// Never.
    pub fn ended(&mut self, _deadline: Instant) -> Result<Option<i32>, EngineError> {
        match self.0 {}
    }

    /// The last line that the program wrote to its standard error.
    pub fn last_error_line(&self) -> Option<String> {
        match self.0 {}
    }
}
