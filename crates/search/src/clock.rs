//! When a search must stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use wurfel_core::Budget;

/// Watches a budget while a search runs.
#[derive(Debug)]
pub(crate) struct Clock {
    started: Instant,
    budget: Budget,
    /// How many nodes pass between two looks at the time.
    stride: u64,
    next_look: u64,
    over: bool,
    /// Turns true when the search that this one helps has finished.
    dismissed: Option<Arc<AtomicBool>>,
}

impl Clock {
    /// A clock that never stops a search.
    pub fn never() -> Self {
        Self::start(Budget::default(), u64::MAX)
    }

    /// Starts the clock; `stride` nodes should take some 50 µs.
    pub fn start(budget: Budget, stride: u64) -> Self {
        let next_look = budget.nodes.unwrap_or(u64::MAX).min(stride);
        Self { started: Instant::now(), budget, stride, next_look, over: false, dismissed: None }
    }

    /// A clock that is over when `dismissed` turns true.
    pub fn until(dismissed: Arc<AtomicBool>, stride: u64) -> Self {
        Self { dismissed: Some(dismissed), ..Self::start(Budget::default(), stride) }
    }

    /// Whether the budget is spent after `nodes` nodes. Exact for nodes; time
    /// and requests to stop are seen up to a stride late. Once it is
    /// spent it stays so.
    #[inline(always)]
    pub fn is_over(&mut self, nodes: u64) -> bool {
        if nodes >= self.next_look {
            self.look(nodes);
        }
        self.over
    }

    /// The same, and time and requests to stop are seen at once.
    pub fn is_over_now(&mut self, nodes: u64) -> bool {
        self.look(nodes);
        self.over
    }

    #[cold]
    fn look(&mut self, nodes: u64) {
        let limit = self.budget.nodes.unwrap_or(u64::MAX);
        let late = self.budget.time.is_some_and(|time| self.started.elapsed() >= time);
        let dismissed = self.dismissed.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        self.over |= nodes >= limit || late || dismissed || self.budget.stopped();
        self.next_look = limit.min(nodes.saturating_add(self.stride));
    }

    /// Whether half of the time is gone: a search one turn deeper than all
    /// before it would not be finished, and need not be begun.
    pub fn is_nearly_over(&self) -> bool {
        let used = |time: Duration| self.started.elapsed() >= time / 2;
        self.over || self.budget.time.is_some_and(used) || self.budget.stopped()
    }
}
