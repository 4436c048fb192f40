//! The clock that tells a search when its budget is spent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use wurfel_core::Budget;

/// Watches a budget while a search runs.
#[derive(Debug)]
pub(crate) struct Clock<'a> {
    started: Instant,
    budget: Budget<'a>,
    /// How many nodes pass between two looks at the system's clock.
    stride: u64,
    next_look: u64,
    over: bool,
    /// On a helper thread: turns true when the search that it helps has finished.
    dismissed: Option<Arc<AtomicBool>>,
}

impl<'a> Clock<'a> {
    /// A clock that never stops a search.
    pub fn never() -> Self {
        Self::start(Budget::default(), u64::MAX)
    }

    /// Starts the clock; `stride` nodes should take some 50 µs.
    pub fn start(budget: Budget<'a>, stride: u64) -> Self {
        let next_look = budget.nodes.unwrap_or(u64::MAX).min(stride);
        Self { started: Instant::now(), budget, stride, next_look, over: false, dismissed: None }
    }

    /// A clock that is over once `dismissed` is true.
    pub fn until(dismissed: Arc<AtomicBool>, stride: u64) -> Self {
        Self { dismissed: Some(dismissed), ..Self::start(Budget::default(), stride) }
    }

    /// Whether the budget is spent after `nodes` nodes. This is exact for nodes; the end of the
    /// time and a request to stop are noticed up to `stride` nodes late. Once the budget is spent
    /// it stays spent.
    #[inline(always)]
    pub fn is_over(&mut self, nodes: u64) -> bool {
        if nodes >= self.next_look {
            self.look(nodes);
        }
        self.over
    }

    /// [`is_over`](Self::is_over) that also looks at the time and at requests to stop right now.
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

    /// The share of the budget that is spent after `nodes` nodes: that of the nodes or of the time,
    /// whichever is larger. 0 where neither is limited.
    pub fn spent(&self, nodes: u64) -> f32 {
        let of_nodes = self.budget.nodes.map_or(0.0, |limit| nodes as f32 / limit.max(1) as f32);
        let elapsed = |time: Duration| self.started.elapsed().as_secs_f32() / time.as_secs_f32();
        self.budget.time.map_or(of_nodes, |time| of_nodes.max(elapsed(time)))
    }

    /// Whether half of the time is gone. A search one turn deeper than the last could then not be
    /// finished, and need not be started.
    pub fn is_nearly_over(&self) -> bool {
        let used = |time: Duration| self.started.elapsed() >= time / 2;
        self.over || self.budget.time.is_some_and(used) || self.budget.stopped()
    }
}
