//! Which move a pass through the tree tries.

/// What is known of a move in the tree.
#[derive(Clone, Copy, Debug)]
pub struct Tried {
    /// How often it was tried; at least once.
    pub visits: f32,
    /// The mean result for the side that makes it, 0 to 1.
    pub mean: f32,
}

/// Scores moves that were all tried; the highest is tried next.
pub trait Select: Send {
    /// The score of a move at a turn that was passed `visits` times.
    fn score(&self, ln_visits: f32, tried: Tried) -> f32;
}

/// Upper confidence bounds (UCB1; UCT): mean + c · √(ln N / n).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ucb {
    /// The weight of exploration; results lie between 0 and 1.
    pub c: f32,
}

impl Select for Ucb {
    #[inline(always)]
    fn score(&self, ln_visits: f32, tried: Tried) -> f32 {
        tried.mean + self.c * (ln_visits / tried.visits).sqrt()
    }
}
