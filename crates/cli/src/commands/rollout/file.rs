//! The file that a rollout saves its results in.

use std::fmt::Display;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use wurfel_arena::{StoredError, StoredResult, load_rollout, save_rollout};
use wurfel_core::files::FileError;

/// The file of a rollout or of a comparison of moves.
pub struct RolloutFile<'a, F: StoredResult> {
    path: &'a Path,
    terms: F::Terms,
    /// When results were last saved; `None` before the first time.
    saved_at: Option<Instant>,
    failure: Option<FileError>,
}

/// How often the results of work in progress are saved.
const SAVE_EVERY: Duration = Duration::from_secs(5);

impl<'a, F: StoredResult> RolloutFile<'a, F> {
    /// The file for a result with these terms.
    pub fn new(path: &'a Path, terms: F::Terms) -> Self {
        Self { path, terms, saved_at: None, failure: None }
    }

    /// The results of earlier runs; `None` when there is no file.
    pub fn read(&self) -> anyhow::Result<Option<F>> {
        load_rollout(self.path, &self.terms).map_err(|error| match error {
            StoredError::File(error) => error.into(),
            error => self.refused(&error),
        })
    }

    /// The error for a file that cannot be continued.
    pub fn refused(&self, why: &dyn Display) -> anyhow::Error {
        anyhow!("'{}': {why}", self.path.display())
    }

    /// Saves these results.
    pub fn save(&self, results: &F) -> anyhow::Result<()> {
        Ok(save_rollout(self.path, &self.terms, results)?)
    }

    /// Saves results the first time it is called and then whenever the last time was long ago;
    /// false when the system refuses.
    pub fn save_periodically(&mut self, results: impl FnOnce() -> F) -> bool {
        if self.saved_at.is_none_or(|saved_at| saved_at.elapsed() > SAVE_EVERY) {
            self.failure = save_rollout(self.path, &self.terms, &results()).err();
            self.saved_at = Some(Instant::now());
        }
        self.failure.is_none()
    }

    /// Saves the final results.
    pub fn close(mut self, results: &F) -> anyhow::Result<()> {
        match self.failure.take() {
            Some(error) => Err(error.into()),
            None => self.save(results),
        }
    }
}
