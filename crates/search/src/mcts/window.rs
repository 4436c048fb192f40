//! An exploration constant that adapts to the results of the search.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use wurfel_core::{Game, Statistic, Turn};

use super::select::{Select, TriedMove, Ucb};

/// How many simulations are averaged for one measurement.
const BATCH: u32 = 100;
/// The range in which the exploration constant stays.
const RANGE: RangeInclusive<f32> = 0.1..=3.0;

/// Upper confidence bounds whose c is tuned while the search runs (paper `mcts-dynamic-ucb`,
/// Algorithm 2). A measurement that is better than the mean of the last `window` measurements
/// raises c by the difference times the [learning rate](LearningRate); a worse one lowers it.
///
/// The paper does not say what is measured. Here it is the mean result of 100 simulations for the
/// side that decides at the root. Nor does the paper limit c; here it stays between 0.1 and 3. As
/// in the paper, nothing changes before the window is full, and each search begins with the initial
/// c.
#[derive(Clone, PartialEq, Debug)]
pub struct DynamicUcb {
    ucb: Ucb,
    window: usize,
    decay: f32,
    rate: LearningRate,
    /// The last measurements, the oldest first; at most `window`.
    recent: VecDeque<f32>,
    /// The results of the measurement in progress: their sum, and how many there are.
    sum: f32,
    simulations: u32,
}

/// How far a measurement moves c, as a share of its difference from the mean of the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LearningRate {
    /// 1 / (1 + window · decay), as in Algorithm 2.
    #[default]
    Constant,
    /// 1 / (1 + window · decay · (1 − difference)). Section 3 of the paper says in words that the
    /// rate grows when the performance improves and shrinks when it drops, and gives no formula; this
    /// one equals that of Algorithm 2 when the performance stays the same.
    ByPerformance,
}

impl DynamicUcb {
    /// Begins with the exploration constant `c` and averages `window` measurements, at least 1.
    /// `decay` must not be negative.
    pub fn new(c: f32, window: usize, decay: f32) -> Self {
        let recent = VecDeque::with_capacity(window + 1);
        let rate = LearningRate::Constant;
        Self { ucb: Ucb::new(c), window, decay, rate, recent, sum: 0.0, simulations: 0 }
    }

    /// The same selection with another learning rate.
    #[must_use]
    pub fn learning(self, rate: LearningRate) -> Self {
        Self { rate, ..self }
    }

    /// The present exploration constant.
    pub const fn c(&self) -> f32 {
        self.ucb.c
    }

    /// Adds a measurement to the window and tunes c.
    fn tune(&mut self, performance: f32) {
        self.recent.push_back(performance);
        if self.recent.len() > self.window {
            self.recent.pop_front();
            let mean = self.recent.iter().sum::<f32>() / self.window as f32;
            let difference = performance - mean;
            let share = match self.rate {
                LearningRate::Constant => 1.0,
                LearningRate::ByPerformance => 1.0 - difference,
            };
            let rate = 1.0 / (1.0 + self.window as f32 * self.decay * share);
            let c = self.ucb.c + rate * difference;
            self.ucb.c = c.clamp(*RANGE.start(), *RANGE.end());
        }
    }
}

impl<G: Game> Select<G> for DynamicUcb {
    type Prior = ();

    #[inline(always)]
    fn priors(&self, turn: Turn<'_, G>, moves: &[G::Move], priors: &mut Vec<()>) {
        self.ucb.priors(turn, moves, priors);
    }

    #[inline(always)]
    fn first_play_urgency(&self, prior: ()) -> f32 {
        Select::<G>::first_play_urgency(&self.ucb, prior)
    }

    #[inline(always)]
    fn exploration(&self, visits: u32) -> f32 {
        Select::<G>::exploration(&self.ucb, visits)
    }

    #[inline(always)]
    fn score(&self, exploration: f32, tried: TriedMove<()>) -> f32 {
        Select::<G>::score(&self.ucb, exploration, tried)
    }

    #[inline]
    fn learn(&mut self, result: f32) {
        self.sum += result;
        self.simulations += 1;
        if self.simulations == BATCH {
            self.tune(self.sum / BATCH as f32);
            (self.sum, self.simulations) = (0.0, 0);
        }
    }

    /// The exploration constant that the search has arrived at.
    fn learned(&self) -> Option<Statistic> {
        Some(Statistic { name: "c at the end", value: f64::from(self.ucb.c) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_core::Literal;

    fn learn(windowed: &mut DynamicUcb, result: f32, simulations: u32) {
        for _ in 0..simulations {
            Select::<Literal>::learn(windowed, result);
        }
    }

    #[test]
    fn c_follows_the_difference_from_the_mean_of_the_window() {
        let mut windowed = DynamicUcb::new(1.0, 3, 1.0 / 3.0);
        // Filling the window changes nothing; the fourth measurement is the first one to change c.
        learn(&mut windowed, 0.25, 3 * BATCH);
        assert!((windowed.c() - 1.0).abs() < 1e-6);
        learn(&mut windowed, 1.0, BATCH);
        // The learning rate is ½, and the window ¼, ¼, 1 has the mean ½.
        assert!((windowed.c() - 1.25).abs() < 1e-5, "{}", windowed.c());
        learn(&mut windowed, 0.25, BATCH - 1);
        assert!((windowed.c() - 1.25).abs() < 1e-5, "a batch was cut short");
        learn(&mut windowed, 0.25, 1);
        assert!((windowed.c() - 1.125).abs() < 1e-5, "{}", windowed.c());
    }

    #[test]
    fn a_better_performance_makes_the_learning_rate_larger_and_a_worse_one_smaller() {
        let c = |last: f32| {
            let windowed = DynamicUcb::new(1.0, 2, 1.0);
            let mut windowed = windowed.learning(LearningRate::ByPerformance);
            for result in [0.5, 0.5, last] {
                learn(&mut windowed, result, BATCH);
            }
            windowed.c()
        };
        // The window ½, 1 has the mean ¾: the rate is 1 / (1 + 2 · ¾) instead of ⅓. After a drop to
        // 0 the mean is ¼, and the rate 1 / (1 + 2 · 1¼).
        for (last, expected) in [(1.0, 1.0 + 0.25 / 2.5), (0.0, 1.0 - 0.25 / 3.5), (0.5, 1.0)] {
            assert!((c(last) - expected).abs() < 1e-6, "{last}: {}", c(last));
        }
    }

    #[test]
    fn c_stays_in_its_range() {
        let mut windowed = DynamicUcb::new(1.0, 2, 0.0);
        // Two results up and one down: if c rose by a half with every two batches, it would have no
        // limit.
        for (result, simulations) in [(0.0, 50), (1.0, 150)].into_iter().cycle().take(200) {
            learn(&mut windowed, result, simulations);
            assert!(RANGE.contains(&windowed.c()), "{}", windowed.c());
        }
        for bound in [3.0, 0.1] {
            let step = if bound > 1.0 { 0.01 } else { -0.01 };
            let mut result = if bound > 1.0 { 0.0 } else { 1.0 };
            let mut windowed = DynamicUcb::new(bound - step, 2, 0.0);
            for _ in 0..99 {
                learn(&mut windowed, result, BATCH);
                result += step;
            }
            assert!((windowed.c() - bound).abs() < 1e-6, "{}", windowed.c());
        }
    }
}
