//! What a thread keeps from one position to the next.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use wurfel_agents::Catalogued;
use wurfel_core::Agent;

/// A thread's place of work. It keeps the agent of its last position, so that a series of queries
/// with one agent builds it once; more are not kept, because each may take gigabytes.
pub struct Desk {
    /// Turns true when the work under way is to end.
    pub stop: Arc<AtomicBool>,
    /// What identifies the agent, and the agent as a `Box<dyn Agent<G>>`.
    kept: Option<(String, Box<dyn Any>)>,
    cleared: u64,
}

impl Desk {
    /// A place without an agent.
    pub const fn new(stop: Arc<AtomicBool>) -> Self {
        Self { stop, kept: None, cleared: 0 }
    }

    /// Forgets what it keeps if that was to be done more often than it has been.
    pub fn clear(&mut self, cleared: u64) {
        if cleared != self.cleared {
            self.cleared = cleared;
            self.kept = None;
        }
    }

    /// Lets `work` use the agent that `make` makes, or the one that was made under this name.
    pub fn with<G: Catalogued, T>(
        &mut self,
        name: &str,
        make: impl FnOnce() -> Box<dyn Agent<G>>,
        work: impl FnOnce(&mut dyn Agent<G>) -> T,
    ) -> T {
        // An agent that panics is not met again: it is put back only after its work.
        let kept = self.kept.take().filter(|(kept, _)| kept == name);
        let kept = kept.and_then(|(_, agent)| agent.downcast::<Box<dyn Agent<G>>>().ok());
        let mut agent = kept.unwrap_or_else(|| Box::new(make()));
        let done = work(&mut **agent);
        self.kept = Some((name.to_owned(), agent));
        done
    }
}
