//! The file in which a rollout keeps what it has found.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use wurfel_arena::{Stored, StoredError, keep_rollout, kept_rollout};

/// The file of a rollout or of a comparison of moves.
pub struct Store<'a, F: Stored> {
    path: &'a Path,
    terms: F::Terms,
    /// When something was kept last, if it was.
    kept: Option<Instant>,
    failure: Option<io::Error>,
}

/// How often what goes on is kept.
const KEEP: Duration = Duration::from_secs(5);

impl<'a, F: Stored> Store<'a, F> {
    /// The file of what is done on these terms.
    pub fn new(path: &'a Path, terms: F::Terms) -> Self {
        Self { path, terms, kept: None, failure: None }
    }

    fn name(&self) -> String {
        format!("'{}'", self.path.display())
    }

    /// What was found before; `None` when there is no file.
    pub fn read(&self) -> anyhow::Result<Option<F>> {
        kept_rollout(self.path, &self.terms).map_err(|error| match error {
            StoredError::Io(error) => anyhow!(error).context(self.name()),
            error => self.refused(&error),
        })
    }

    /// The error of a file that cannot be gone on with.
    pub fn refused(&self, why: &dyn Display) -> anyhow::Error {
        anyhow!("{}: {why}", self.name())
    }

    /// Keeps what was found.
    pub fn keep(&self, found: &F) -> anyhow::Result<()> {
        keep_rollout(self.path, &self.terms, found).with_context(|| self.name())
    }

    /// Keeps what was found first, and then whenever the last time was long ago; false when the system refuses.
    pub fn keep_now_and_then(&mut self, found: impl FnOnce() -> F) -> bool {
        if self.kept.is_none_or(|kept| kept.elapsed() > KEEP) {
            self.failure = keep_rollout(self.path, &self.terms, &found()).err();
            self.kept = Some(Instant::now());
        }
        self.failure.is_none()
    }

    /// Keeps what was found in the end.
    pub fn close(mut self, found: &F) -> anyhow::Result<()> {
        match self.failure.take() {
            Some(error) => Err(error).with_context(|| self.name()),
            None => self.keep(found),
        }
    }
}
