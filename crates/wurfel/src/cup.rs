//! Tournaments that files describe, without a type parameter.

use std::path::Path;

use wurfel_agents::Catalogued;
use wurfel_arena::{CupError, CupState};

/// A tournament that a file describes, with its agents built.
pub struct Cup(Box<dyn AnyCup>);

trait AnyCup {
    fn run(
        &self,
        jobs: usize,
        out: &Path,
        progress: &mut dyn FnMut(&CupState),
    ) -> Result<CupState, CupError>;
}

impl Cup {
    pub(crate) fn new<G: Catalogued>(cup: wurfel_arena::Cup<G>) -> Self {
        Self(Box::new(cup))
    }

    /// Plays the tournament on `jobs` threads, or resumes the one in the file `out`; see
    /// [`wurfel_arena::Cup::run`].
    ///
    /// # Errors
    /// When the file cannot be read or written, or an agent cannot be used.
    pub fn run(
        &self,
        jobs: usize,
        out: &Path,
        progress: &mut dyn FnMut(&CupState),
    ) -> Result<CupState, CupError> {
        self.0.run(jobs, out, progress)
    }
}

impl<G: Catalogued> AnyCup for wurfel_arena::Cup<G> {
    fn run(
        &self,
        jobs: usize,
        out: &Path,
        progress: &mut dyn FnMut(&CupState),
    ) -> Result<CupState, CupError> {
        self.run(jobs, out, progress)
    }
}
