//! The file in which a rollout keeps its results.

use std::fmt::Display;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use wurfel_arena::{Stored, StoredError, keep_rollout, kept_rollout};
use wurfel_core::files::FileError;

/// The file of a rollout or of a comparison of moves.
pub struct Store<'a, F: Stored> {
    path: &'a Path,
    terms: F::Terms,
    /// When results were last kept; `None` if they have not been kept yet.
    kept: Option<Instant>,
    failure: Option<FileError>,
}

/// How often the results of work in progress are kept.
const KEEP: Duration = Duration::from_secs(5);

impl<'a, F: Stored> Store<'a, F> {
    /// The file for a result with these terms.
    pub fn new(path: &'a Path, terms: F::Terms) -> Self {
        Self { path, terms, kept: None, failure: None }
    }

    /// The results of earlier runs; `None` when there is no file.
    pub fn read(&self) -> anyhow::Result<Option<F>> {
        kept_rollout(self.path, &self.terms).map_err(|error| match error {
            StoredError::File(error) => error.into(),
            error => self.refused(&error),
        })
    }

    /// The error for a file that cannot be continued.
    pub fn refused(&self, why: &dyn Display) -> anyhow::Error {
        anyhow!("'{}': {why}", self.path.display())
    }

    /// Keeps these results.
    pub fn keep(&self, found: &F) -> anyhow::Result<()> {
        Ok(keep_rollout(self.path, &self.terms, found)?)
    }

    /// Keeps results the first time it is called and then whenever the last time was long ago;
    /// false when the system refuses.
    pub fn keep_now_and_then(&mut self, found: impl FnOnce() -> F) -> bool {
        if self.kept.is_none_or(|kept| kept.elapsed() > KEEP) {
            self.failure = keep_rollout(self.path, &self.terms, &found()).err();
            self.kept = Some(Instant::now());
        }
        self.failure.is_none()
    }

    /// Keeps the final results.
    pub fn close(mut self, found: &F) -> anyhow::Result<()> {
        match self.failure.take() {
            Some(error) => Err(error.into()),
            None => self.keep(found),
        }
    }
}
