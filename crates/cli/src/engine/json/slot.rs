//! The state that a thread keeps from one position to the next.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use wurfel::{Agent, Agents};

/// The state of a thread. It keeps the agent of its last position, so that a series of queries with
/// the same agent builds it only once. It keeps no more than one, because each may take gigabytes.
pub struct AgentSlot {
    /// Turns true when the work in progress must end.
    pub stop: Arc<AtomicBool>,
    /// The key that identifies the agent, and the agent.
    cached: Option<(String, Box<dyn Agent>)>,
    cleared: u64,
}

impl AgentSlot {
    /// A slot without an agent.
    pub const fn new(stop: Arc<AtomicBool>) -> Self {
        Self { stop, cached: None, cleared: 0 }
    }

    /// Forgets the agent if `cleared`, the number of requests to do so, has grown since the last
    /// call.
    pub fn clear(&mut self, cleared: u64) {
        if cleared != self.cleared {
            self.cleared = cleared;
            self.cached = None;
        }
    }

    /// Lets `work` use the kept agent if it has this name, or else a new one of these.
    pub fn with<T>(
        &mut self,
        name: &str,
        agents: &Agents,
        work: impl FnOnce(&mut dyn Agent) -> T,
    ) -> T {
        // An agent that panics is not used again, because it is put back only after its work.
        let cached = self.cached.take().filter(|(cached, _)| cached == name);
        let mut agent = cached.map_or_else(|| agents.make(), |(_, agent)| agent);
        let done = work(&mut *agent);
        self.cached = Some((name.to_owned(), agent));
        done
    }
}
