//! The clock that tells a search when its budget is spent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use wurfel_core::{Budget, Instant};

/// How much time may pass between two reads of the system's clock. A read takes a thousandth of it.
const PERIOD: Duration = Duration::from_micros(50);

/// How many nodes may pass between two reads, so that a search whose nodes take longer as it goes
/// on is still stopped in time.
const MAX_STRIDE: u64 = 4096;

/// Watches a budget while a search runs.
///
/// The time for a node differs ten thousandfold between evaluations, so the clock learns how many
/// nodes take one [`PERIOD`]: it reads the time after the first node, then half as often each time,
/// until that long passes between two reads.
#[derive(Debug)]
pub(crate) struct Clock<'a> {
    started: Instant,
    budget: Budget<'a>,
    /// When the system's clock was last read, as the time since `started`.
    last_look: Duration,
    /// How many nodes pass between two reads.
    stride: u64,
    next_look: u64,
    over: bool,
    /// On a helper thread: turns true when the search that it helps has finished.
    dismissed: Option<Arc<AtomicBool>>,
}

impl<'a> Clock<'a> {
    /// A clock that never stops a search.
    pub fn never() -> Self {
        Self::start(Budget::default())
    }

    /// Starts the clock.
    pub fn start(budget: Budget<'a>) -> Self {
        Self {
            started: Instant::now(),
            budget,
            last_look: Duration::ZERO,
            stride: 1,
            next_look: budget.nodes.unwrap_or(1).min(1),
            over: false,
            dismissed: None,
        }
    }

    /// Sets other limits; the time still counts from the start.
    pub fn limit(&mut self, budget: Budget<'a>) {
        *self = Self { started: self.started, ..Self::start(budget) };
    }

    /// A clock without limits that is over once `dismissed` is true.
    pub fn until(dismissed: Arc<AtomicBool>) -> Self {
        Self { dismissed: Some(dismissed), ..Self::start(Budget::default()) }
    }

    /// Whether the budget is spent after `nodes` nodes. This is exact for nodes; the end of the
    /// time and a request to stop are noticed about one [`PERIOD`] late, or one node late where a
    /// node takes longer than that. Once the budget is spent it stays spent.
    #[inline(always)]
    pub fn is_over(&mut self, nodes: u64) -> bool {
        if nodes >= self.next_look {
            self.check_when_due(nodes);
        }
        self.over
    }

    /// [`is_over`](Self::is_over) that always checks the time and requests to stop, instead of
    /// waiting for its next read.
    pub fn is_over_now(&mut self, nodes: u64) -> bool {
        self.look(self.started.elapsed(), nodes);
        self.over
    }

    /// Reads the time if the next read is due, and adapts the number of nodes until the one after
    /// it.
    #[cold]
    fn check_when_due(&mut self, nodes: u64) {
        let now = self.started.elapsed();
        let since = now.saturating_sub(self.last_look);
        if since > 2 * PERIOD {
            let longer = since.as_nanos() / PERIOD.as_nanos();
            self.stride = (self.stride / longer as u64).max(1);
        } else if since < PERIOD / 2 {
            self.stride = (self.stride * 2).min(MAX_STRIDE);
        }
        self.look(now, nodes);
    }

    fn look(&mut self, now: Duration, nodes: u64) {
        let limit = self.budget.nodes.unwrap_or(u64::MAX);
        let late = self.budget.time.is_some_and(|time| now >= time);
        let dismissed = self.dismissed.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        self.over |= nodes >= limit || late || dismissed || self.budget.stopped();
        self.last_look = now;
        let stride = if self.watches() { self.stride } else { u64::MAX };
        self.next_look = limit.min(nodes.saturating_add(stride));
    }

    /// Whether anything but the number of nodes can end the search.
    fn watches(&self) -> bool {
        self.budget.time.is_some() || self.budget.stop.is_some() || self.dismissed.is_some()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes_until_over(budget: Budget<'_>, node: impl Fn()) -> u64 {
        let mut clock = Clock::start(budget);
        let mut nodes = 0;
        while !clock.is_over(nodes) {
            node();
            nodes += 1;
        }
        nodes
    }

    #[test]
    fn slow_nodes_are_not_waited_for_in_great_numbers() {
        let time = Some(Duration::from_millis(10));
        let slow = || std::thread::sleep(Duration::from_millis(1));
        let nodes = nodes_until_over(Budget { time, ..Budget::default() }, slow);
        assert!(nodes <= 10, "{nodes}");
    }

    #[test]
    fn nodes_are_counted_to_the_last() {
        for limit in [1, 2, 1000, 100_000] {
            let nodes = Some(limit);
            assert_eq!(nodes_until_over(Budget { nodes, ..Budget::default() }, || {}), limit);
            let time = Some(Duration::MAX);
            assert_eq!(nodes_until_over(Budget { nodes, time, ..Budget::default() }, || {}), limit);
        }
    }

    #[test]
    fn a_stop_is_seen_after_the_first_node_and_later() {
        let stop = AtomicBool::new(true);
        let budget = Budget { stop: Some(&stop), ..Budget::default() };
        assert_eq!(nodes_until_over(budget, || {}), 1);
        stop.store(false, Ordering::Relaxed);
        let nodes = nodes_until_over(budget, || stop.store(true, Ordering::Relaxed));
        assert!((1..=MAX_STRIDE).contains(&nodes), "{nodes}");
    }
}
