//! Selection with the help of an evaluation: progressive bias, and HUCT with pruning.
//!
//! The position after each move is evaluated once, when a simulation first reaches the turn. Moves
//! that were not tried yet are tried in the order of these evaluations.

use wurfel_core::{Evaluator, Game, Preference, Side, Turn};

use super::playout::value_for_first;
use super::select::{Select, TriedMove, Ucb};

/// The prior of a move that is pruned.
const PRUNED: f32 = f32::NEG_INFINITY;

/// Upper confidence bounds with a progressive bias (Chaslot and others 2008): w · H̃ / (n + 1) is
/// added to each score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProgressiveBias<E> {
    /// The selection to which the bias is added.
    pub ucb: Ucb,
    /// The weight of the bias.
    pub weight: f32,
    /// Evaluates the positions after the moves.
    pub evaluator: E,
}

impl<G: Game, E: Evaluator<G> + Clone> Select<G> for ProgressiveBias<E> {
    type Prior = f32;

    fn priors(&self, turn: Turn<'_, G>, moves: &[G::Move], priors: &mut Vec<f32>) {
        priors.extend(moves.iter().map(|&mv| {
            let mut position = turn.position.clone();
            position.play(turn.roll, mv);
            let value = value_for_first(&position, &self.evaluator);
            if turn.side() == Side::First { value } else { 1.0 - value }
        }));
    }

    #[inline(always)]
    fn first_play_urgency(&self, prior: f32) -> f32 {
        prior
    }

    #[inline(always)]
    fn exploration(&self, visits: u32) -> f32 {
        Select::<G>::exploration(&self.ucb, visits)
    }

    #[inline(always)]
    fn score(&self, exploration: f32, TriedMove { visits, mean, prior }: TriedMove<f32>) -> f32 {
        let tried = TriedMove { visits, mean, prior: () };
        Select::<G>::score(&self.ucb, exploration, tried) + self.weight * prior / (visits + 1.0)
    }
}

/// The scale on which moves are compared when some of them are pruned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HeuristicScale {
    /// That of [`Evaluator::score`].
    #[default]
    Points,
    /// The win probability, 0 to 1.
    Probability,
    /// From 0 for the worst move of a turn to 1 for its best.
    Turn,
}

/// HUCT (paper `heuristic-pruned-mcts`, section 3.3): mean + C · √(ln(N + 1) / (n + 1)) + K · H̃ /
/// (n + 1)^λ, with pruning (section 3.4).
///
/// H̃ lies between 0 and 1: it is the score of the position after the move, scaled from its range or,
/// with [`HeuristicScale::Turn`], from the range of the scores in the turn. In the paper's printed
/// formula K stands under the root, but its text describes a term that is added, so here K is added.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Huct<E, P> {
    /// The parameters.
    pub settings: HuctSettings,
    /// Evaluates the positions after the moves.
    pub evaluator: E,
    /// Says which moves are urgent, and therefore never pruned.
    pub preference: P,
}

/// The parameters of [`Huct`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HuctSettings {
    /// The weight of exploration C; 2 in the paper.
    pub c: f32,
    /// The weight of the heuristic K; 0.5 in the paper.
    pub k: f32,
    /// How fast the heuristic fades with visits: λ, 0 to 1; 0.5 in the paper.
    pub lambda: f32,
    /// The rule for pruning; `None` prunes nothing.
    pub pruning: Option<HeuristicPruning>,
    /// The scale of the scores that the rule for pruning compares.
    pub scale: HeuristicScale,
}

/// Brings scores from a range to 0..1; all are ½ where the range is empty.
fn stretch(scores: &mut [f32], (lowest, highest): (f32, f32)) {
    let width = highest - lowest;
    for score in scores.iter_mut().filter(|score| **score > PRUNED) {
        *score = if width > 0.0 { (*score - lowest) / width } else { 0.5 };
    }
}

impl<G: Game, E: Evaluator<G> + Clone, P: Preference<G> + Clone> Select<G> for Huct<E, P> {
    type Prior = f32;

    fn priors(&self, turn: Turn<'_, G>, moves: &[G::Move], priors: &mut Vec<f32>) {
        let HuctSettings { scale, pruning, .. } = self.settings;
        let side = turn.side();
        let range = match scale {
            HeuristicScale::Probability => (0.0, 1.0),
            HeuristicScale::Points | HeuristicScale::Turn => self.evaluator.score_range(),
        };
        priors.extend(moves.iter().map(|&mv| {
            let mut position = turn.position.clone();
            position.play(turn.roll, mv);
            match position.outcome() {
                Some(outcome) => range.0 + (range.1 - range.0) * outcome.value_for(side),
                None if scale == HeuristicScale::Probability => {
                    let value = self.evaluator.evaluate(&position);
                    if position.side() == side { value } else { 1.0 - value }
                }
                None => self.evaluator.score(&position, side),
            }
        }));
        let range = match scale {
            HeuristicScale::Points | HeuristicScale::Probability => range,
            HeuristicScale::Turn => {
                let lowest = priors.iter().copied().fold(f32::INFINITY, f32::min);
                let highest = priors.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                stretch(priors, (lowest, highest));
                (0.0, 1.0)
            }
        };
        if let Some(pruning) = pruning {
            pruning.prune(priors, |place| self.preference.is_urgent(turn, moves[place]));
        }
        stretch(priors, range);
    }

    #[inline(always)]
    fn first_play_urgency(&self, prior: f32) -> f32 {
        prior
    }

    #[inline(always)]
    fn exploration(&self, visits: u32) -> f32 {
        self.settings.c * libm::log1pf(visits as f32).sqrt()
    }

    #[inline(always)]
    fn score(&self, exploration: f32, TriedMove { visits, mean, prior }: TriedMove<f32>) -> f32 {
        let visits = visits + 1.0;
        mean + exploration / visits.sqrt()
            + self.settings.k * prior / libm::powf(visits, self.settings.lambda)
    }
}

/// Which moves of a turn are pruned (paper `heuristic-pruned-mcts`, section 3.4): those with a
/// score below θ = μ − η · σ, where μ is the mean and σ the standard deviation of the scores of all
/// moves of the turn. Urgent moves stay, and so do moves within δ of the best; and at least `K_min`
/// moves are left, because pruning begins with the lowest and stops there.
///
/// A **larger** η prunes **less**. The paper calls η = 1.2 heavy and 0.7 light pruning, but by its
/// own formula it is the other way round.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeuristicPruning {
    /// η; 1 in the paper, 0.7 in what it calls light pruning and 1.2 in heavy pruning.
    pub eta: f32,
    /// `K_min`; 2 in the paper.
    pub least: usize,
    /// δ, in the units of the [scale](HeuristicScale) on which moves are compared; 0.15 in the
    /// paper.
    pub gap: f32,
}

impl HeuristicPruning {
    /// The paper's pruning with another η.
    pub const fn new(eta: f32) -> Self {
        Self { eta, least: 2, gap: 0.15 }
    }

    /// Overwrites the values of the moves that are pruned with [`PRUNED`].
    fn prune(self, values: &mut [f32], is_urgent: impl Fn(usize) -> bool) {
        let count = values.len() as f32;
        let mean = values.iter().sum::<f32>() / count;
        let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f32>();
        let threshold = mean - self.eta * (squares / count).sqrt();
        let best = values.iter().copied().fold(PRUNED, f32::max);
        for _ in self.least..values.len() {
            let poor = |&(place, &value): &(usize, &f32)| {
                value > PRUNED && value < threshold && best - value >= self.gap && !is_urgent(place)
            };
            let poor = values.iter().enumerate().filter(poor);
            let Some((lowest, _)) = poor.min_by(|(_, a), (_, b)| a.total_cmp(b)) else { return };
            values[lowest] = PRUNED;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The indices of the moves that pruning leaves.
    fn left(pruning: HeuristicPruning, values: &[f32], urgent: &[usize]) -> Vec<usize> {
        let mut values = values.to_vec();
        pruning.prune(&mut values, |place| urgent.contains(&place));
        (0..values.len()).filter(|&place| values[place] > PRUNED).collect()
    }

    // The mean is 0.5, the standard deviation 0.3.
    const VALUES: [f32; 4] = [0.2, 0.8, 0.8, 0.2];

    #[test]
    fn what_is_below_the_threshold_goes() {
        assert_eq!(left(HeuristicPruning::new(0.7), &VALUES, &[]), [1, 2]);
        assert_eq!(
            left(HeuristicPruning::new(1.2), &VALUES, &[]),
            [0, 1, 2, 3],
            "η = 1.2 prunes less"
        );
        // The mean is 0.62, the deviation 0.21: 0.4 lies between η = 1 and 1.2.
        let values = [0.4, 0.9, 0.7, 0.7, 0.4];
        assert_eq!(left(HeuristicPruning::new(1.0), &values, &[]), [1, 2, 3]);
        assert_eq!(left(HeuristicPruning::new(1.2), &values, &[]), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn urgent_and_nearly_best_moves_stay_and_never_fewer_than_two() {
        assert_eq!(left(HeuristicPruning::new(0.7), &VALUES, &[3]), [1, 2, 3]);
        let close = VALUES.map(|value| 0.5 + (value - 0.5) / 5.0);
        assert_eq!(left(HeuristicPruning::new(0.7), &close, &[]), [0, 1, 2, 3], "all within 0.15");
        // One good move: of the others, the one with the highest value stays as well.
        let all = HeuristicPruning { eta: -9.0, ..HeuristicPruning::new(0.0) };
        assert_eq!(left(all, &[0.1, 0.9, 0.3, 0.2], &[]), [1, 2]);
        assert_eq!(left(all, &[0.1, 0.9], &[]), [0, 1]);
        assert_eq!(left(all, &[0.1], &[]), [0]);
    }
}
