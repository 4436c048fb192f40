//! Tournaments that files describe, without a type parameter.

use std::path::Path;

use wurfel_agents::Catalogued;
use wurfel_arena::{CupError, CupState};

/// A tournament that a file describes, with its agents built.
pub trait Cup {
    /// Plays the tournament on `jobs` threads, or resumes the one in the file `out`; see
    /// [`wurfel_arena::Cup::run`].
    ///
    /// # Errors
    /// When the file cannot be read or written, or an agent cannot be used.
    fn run(
        &self,
        jobs: usize,
        out: &Path,
        progress: &mut dyn FnMut(&CupState),
    ) -> Result<CupState, CupError>;
}

impl<G: Catalogued> Cup for wurfel_arena::Cup<G> {
    fn run(
        &self,
        jobs: usize,
        out: &Path,
        progress: &mut dyn FnMut(&CupState),
    ) -> Result<CupState, CupError> {
        self.run(jobs, out, progress)
    }
}
