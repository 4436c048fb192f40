//! Selection: which move a simulation tries on its way through the tree.

use std::sync::OnceLock;

use wurfel_core::{Game, Statistic, Turn};

/// What the tree knows about a move that was tried.
#[derive(Clone, Copy, Debug)]
pub struct TriedMove<N> {
    /// How often the move was tried; at least once.
    pub visits: f32,
    /// The mean result for the side that makes the move, 0 to 1; infinite once the result is
    /// proven.
    pub mean: f32,
    /// The prior that the move got when its turn was first reached.
    pub prior: N,
}

/// Chooses moves: first those that were not tried yet, by first-play urgency, then the one with the
/// highest score.
///
/// Each tree of a search begins with its own clone of the selection.
pub trait Select<G: Game>: Clone + Send + Sync {
    /// What is stored with each move in the tree.
    type Prior: Copy + Default + Send + Sync + 'static;

    /// Computes the priors of a turn that is reached for the first time: `priors` is empty and gets
    /// one for each of the `moves`, in their order.
    fn priors(&self, turn: Turn<'_, G>, moves: &[G::Move], priors: &mut Vec<Self::Prior>);

    /// The priority of a move that has not been tried yet: the largest comes first, equals in
    /// random order. Minus infinity prunes the move.
    fn first_play_urgency(&self, prior: Self::Prior) -> f32;

    /// The exploration term at a turn whose moves were tried `visits` times in all: the part of a
    /// score that is the same for all moves of the turn.
    fn exploration(&self, visits: u32) -> f32;

    /// The score of a move for the side that makes it.
    fn score(&self, exploration: f32, tried: TriedMove<Self::Prior>) -> f32;

    /// Reports that a simulation ended with this result, 0 to 1, for the side that decides at the
    /// **root**.
    fn learn(&mut self, _result: f32) {}

    /// What the selection has learned, as a figure for tuning the agent.
    fn learned(&self) -> Option<Statistic> {
        None
    }
}

/// √ ln n for all n below 2²⁰, because looking it up takes less time than calculating it. A part of
/// the table is calculated when a search first asks for one of its numbers. A turn that is visited
/// often asks for all numbers one after another, so the table does not add to the work.
static ROOTS_OF_LN: [OnceLock<Box<[f32; PART]>>; 256] = [const { OnceLock::new() }; 256];

/// How many numbers a part of the table has; they take 16 KB.
const PART: usize = 4096;

#[cold]
fn part(index: usize) -> Box<[f32; PART]> {
    Box::new(std::array::from_fn(|n| calculated_root_of_ln((index * PART + n) as f32)))
}

fn calculated_root_of_ln(visits: f32) -> f32 {
    libm::logf(visits).sqrt()
}

#[inline(always)]
fn root_of_ln(visits: u32) -> f32 {
    let visits = visits as usize;
    match ROOTS_OF_LN.get(visits / PART) {
        Some(known) => known.get_or_init(|| part(visits / PART))[visits % PART],
        None => calculated_root_of_ln(visits as f32),
    }
}

/// Upper confidence bounds (UCB1; UCT): mean + c · √(ln N / n). Moves that were not tried yet are
/// tried in random order.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ucb {
    /// The weight of exploration; results lie between 0 and 1.
    pub c: f32,
    /// What is added to N and to n: 0, or 1 as in paper `heuristic-pruned-mcts`, section 2.2.
    pub added: u8,
}

impl Ucb {
    /// UCB1 with the exploration constant `c`.
    pub const fn new(c: f32) -> Self {
        Self { c, added: 0 }
    }
}

impl<G: Game> Select<G> for Ucb {
    type Prior = ();

    #[inline(always)]
    fn priors(&self, _: Turn<'_, G>, moves: &[G::Move], priors: &mut Vec<()>) {
        priors.resize(moves.len(), ());
    }

    #[inline(always)]
    fn first_play_urgency(&self, (): ()) -> f32 {
        0.0
    }

    #[inline(always)]
    fn exploration(&self, visits: u32) -> f32 {
        self.c * root_of_ln(visits + u32::from(self.added))
    }

    #[inline(always)]
    fn score(&self, exploration: f32, tried: TriedMove<()>) -> f32 {
        tried.mean + exploration / (tried.visits + f32::from(self.added)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_may_be_added_to_both_counts_of_visits() {
        use wurfel_core::Literal;
        let score = |added| {
            let ucb = Ucb { c: 2.0, added };
            let tried = TriedMove { visits: 3.0, mean: 0.25, prior: () };
            Select::<Literal>::score(&ucb, Select::<Literal>::exploration(&ucb, 7), tried)
        };
        for (added, (all, own)) in [(0, (7.0_f32, 3.0_f32)), (1, (8.0, 4.0))] {
            let expected = 0.25 + 2.0 * (libm::logf(all) / own).sqrt();
            assert!((score(added) - expected).abs() < 1e-6, "{added}: {}", score(added));
        }
    }

    #[test]
    fn roots_of_logarithms_from_the_table_equal_calculated_ones() {
        for visits in (1..10_000).chain([(1 << 20) - 1, 1 << 20, 10_000_000]) {
            let actual = root_of_ln(visits);
            let calculated = calculated_root_of_ln(visits as f32);
            assert_eq!(actual.to_bits(), calculated.to_bits(), "{visits}");
        }
    }
}
