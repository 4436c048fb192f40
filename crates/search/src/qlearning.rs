//! Q-learning for a single decision: the agent of paper `dice-chess-agents` (sections II-G and
//! III-D, Algorithm 4).
//!
//! Before each move the player learns from nothing. It plays short episodes from the present turn
//! against an opponent that moves at random, and keeps for every turn that it meets how good each
//! of its moves has turned out to be. The length of an episode is a setting; with the paper's depth
//! of 2 it is one move of the player and one answer. Two things that the paper leaves open are read
//! as follows: the reward is an evaluation of the position after the answer, from −1 (lost) to 1
//! (won) for the learner, and a move that was never tried counts as 0.

use std::collections::HashMap;

use wurfel_core::{
    Agent, Analysis, Assessment, Budget, Decision, Evaluator, Game, Random, Side, Turn, Weighted,
    draw, quick_hash,
};

use crate::clock::Clock;
use crate::deepening::sort;

/// How many episodes pass between two looks at the clock.
const EPISODES_PER_LOOK: u64 = 16;

/// The settings of Q-learning.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QLearningRates {
    /// How many episodes are played from the present turn. The chance that a move is tried at
    /// random falls evenly from 1, with each episode, to [`QLearningRates::LEAST`].
    pub episodes: u32,
    /// How many turns an episode has, the opponent's included.
    pub length: u32,
    /// How much a reward one decision later counts, 0 to 1.
    pub discount: f32,
    /// The learning rate: how far a new result moves the value of a move, 0 to 1.
    pub rate: f32,
}

impl QLearningRates {
    /// The smallest chance that a move is tried at random.
    pub const LEAST: f32 = 0.01;
}

impl Default for QLearningRates {
    /// The settings of the paper's program.
    fn default() -> Self {
        Self { episodes: 150, length: 2, discount: 0.99, rate: 0.1 }
    }
}

/// What was learned: for each turn how good each of its moves is, from −1 to 1 for the side that
/// decides.
type Table<G> = HashMap<(G, <G as Game>::Roll), Vec<f32>>;

/// The learned values of a turn's moves; a turn that is new begins with zeros.
fn values<'a, G: Game>(table: &'a mut Table<G>, turn: Turn<'_, G>) -> &'a mut Vec<f32> {
    let count = turn.moves().as_ref().len();
    table.entry((turn.position.clone(), turn.roll)).or_insert_with(|| vec![0.0; count])
}

fn largest(values: &[f32]) -> f32 {
    values.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

impl QLearningRates {
    /// Plays an episode from a turn and learns from it. The higher the number of the episode, the
    /// less random are its moves.
    fn episode<G: Game>(
        self,
        table: &mut Table<G>,
        start: Turn<'_, G>,
        number: u32,
        evaluator: &impl Evaluator<G>,
        random: &mut Random,
    ) {
        let learner = start.side();
        let explore = (1.0 - number as f32 / self.episodes as f32).max(Self::LEAST);
        let (mut position, mut roll) = (start.position.clone(), start.roll);
        let first = position.ply();
        loop {
            let known = values(table, Turn { position: &position, roll });
            let place = if (random.unit() as f32) < explore {
                random.below(known.len() as u32) as usize
            } else {
                let most = largest(known);
                known.iter().position(|&value| value >= most).unwrap_or(0)
            };
            let decided = (position.clone(), roll);
            let mv = position.moves(roll).as_ref()[place];
            let mut rest = position.play(roll, mv);
            if rest.is_none() && position.outcome().is_none() {
                answer(&mut position, random);
            }
            let reward = reward(&position, learner, evaluator);
            let over = position.outcome().is_some() || position.ply() - first >= self.length;
            let mut later = 0.0;
            if !over {
                roll = rest.take().unwrap_or_else(|| draw(position.rolls().as_ref(), random));
                later = largest(values(table, Turn { position: &position, roll }));
            }
            let target = reward + self.discount * later;
            if let Some(known) = table.get_mut(&decided) {
                known[place] += self.rate * (target - known[place]);
            }
            if over {
                return;
            }
        }
    }
}

/// Plays a turn of random moves.
fn answer<G: Game>(position: &mut G, random: &mut Random) {
    let mut rest = Some(draw(position.rolls().as_ref(), random));
    while let Some(roll) = rest {
        let Some(mv) = position.pick(roll, random) else { return };
        rest = position.play(roll, mv);
    }
}

/// How good a position is for the learner, from −1 to 1.
fn reward<G: Game>(position: &G, learner: Side, evaluator: &impl Evaluator<G>) -> f32 {
    let value = match position.outcome() {
        Some(outcome) => outcome.value_for(position.side()),
        None => evaluator.evaluate(position),
    };
    let signed = 2.0 * value - 1.0;
    if position.side() == learner { signed } else { -signed }
}

/// A player by Q-learning, with evaluation `E` as its reward.
///
/// A *node* of its budget is an episode; a depth does not limit it.
#[derive(Clone, Debug)]
pub struct QLearning<E> {
    evaluator: E,
    learning: QLearningRates,
    budget: Budget,
    random: Random,
}

impl<E> QLearning<E> {
    /// A player that learns with these settings before each move and stops early when `budget`, or
    /// the budget of the decision, is spent. It draws random numbers from `random` until a game
    /// begins.
    pub const fn new(
        evaluator: E,
        learning: QLearningRates,
        budget: Budget,
        random: Random,
    ) -> Self {
        Self { evaluator, learning, budget, random }
    }

    /// What it has learned about the moves of a turn, and in how many episodes.
    fn learn<G: Game>(&mut self, turn: Turn<'_, G>, given: Budget) -> (Vec<f32>, u64)
    where
        E: Evaluator<G>,
    {
        let mut clock = Clock::start(self.budget.or(given), EPISODES_PER_LOOK);
        let mut table = Table::new();
        let mut made = 0;
        while made < u64::from(self.learning.episodes) {
            let number = made as u32;
            self.learning.episode(&mut table, turn, number, &self.evaluator, &mut self.random);
            made += 1;
            if clock.is_over(made) {
                break;
            }
        }
        (std::mem::take(values(&mut table, turn)), made)
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for QLearning<E> {
    fn begin(&mut self, random: Random) {
        self.random = random;
    }

    fn bounds(&self, budget: Budget) -> Budget {
        self.budget.or(budget)
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget) -> Decision<G::Move> {
        let Analysis { moves, nodes, depth, .. } = self.analyse(turn, budget);
        Decision { mv: moves[0].mv, value: moves[0].value, exact: false, nodes, depth }
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget) -> Analysis<G> {
        let (learned, nodes) = self.learn(turn, budget);
        let score = |(&mv, value): (&G::Move, f32)| {
            let value = f32::midpoint(value.clamp(-1.0, 1.0), 1.0);
            Assessment { mv, value: Some(value), exact: false }
        };
        let mut moves: Vec<_> = turn.moves().as_ref().iter().zip(learned).map(score).collect();
        sort(&mut moves);
        Analysis { line: vec![(turn.roll, moves[0].mv)], moves, nodes, depth: self.learning.length }
    }
}

/// Q-learning as an evaluation of positions: the mean over the rolls of what was learned about
/// their moves, all moves of a roll counting the same. Expectiminimax with this evaluation is the
/// "Expecti-QL hybrid" of the paper (section II-H).
///
/// The random numbers depend only on the position, so that a position always has the same value.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MeanLearned<E> {
    evaluator: E,
    learning: QLearningRates,
}

impl<E> MeanLearned<E> {
    /// The evaluation that learns with these rewards and settings.
    pub const fn new(evaluator: E, learning: QLearningRates) -> Self {
        Self { evaluator, learning }
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for MeanLearned<E> {
    fn evaluate(&self, position: &G) -> f32 {
        let mut random = Random::new(quick_hash(position));
        let mut table = Table::new();
        let rolls = position.rolls();
        let rolls = rolls.as_ref();
        for number in 0..self.learning.episodes {
            let roll = draw(rolls, &mut random);
            let turn = Turn { position, roll };
            self.learning.episode(&mut table, turn, number, &self.evaluator, &mut random);
        }
        let (mut sum, mut chances) = (0.0, 0);
        for &Weighted { item: roll, weight } in rolls {
            let learned = values(&mut table, Turn { position, roll });
            sum += weight as f32 * learned.iter().sum::<f32>() / learned.len() as f32;
            chances += weight;
        }
        f32::midpoint((sum / chances as f32).clamp(-1.0, 1.0), 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_core::{Even, Literal, Situation};

    fn turn(text: &str) -> (Literal, <Literal as Game>::Roll) {
        let Situation { position, roll } = text.parse::<Situation<Literal>>().unwrap();
        (position, roll.unwrap())
    }

    fn player(learning: QLearningRates) -> QLearning<Even> {
        QLearning::new(Even, learning, Budget::default(), Random::new(1))
    }

    #[test]
    fn it_learns_which_move_wins() {
        // The second move wins immediately, the third after any answer; the first one loses.
        let (position, roll) = turn("{[-+{[++]}{[--]}]} 1 1");
        let mut player = player(QLearningRates::default());
        let analysis = player.analyse(Turn { position: &position, roll }, Budget::default());
        let order: Vec<String> =
            analysis.moves.iter().map(|scored| scored.mv.to_string()).collect();
        assert!(["2", "3"].contains(&order[0].as_str()), "{order:?}");
        let value = |mv: &str| {
            let scored = analysis.moves.iter().find(|scored| scored.mv.to_string() == mv).unwrap();
            scored.value.unwrap()
        };
        assert!(value("2") > 0.7 && value("3") > 0.7 && value("1") < 0.5 && value("4") < 0.5);
        assert_eq!(analysis.nodes, 150);
    }

    /// With learning rate 1, a value is the last reward; a reward one decision later is multiplied
    /// by the discount.
    #[test]
    fn what_comes_later_is_discounted() {
        let (position, roll) = turn("{[{[{[+]}]}]} 1 1");
        let learning = QLearningRates { episodes: 20, length: 4, discount: 0.5, rate: 1.0 };
        let (learned, _) =
            player(learning).learn(Turn { position: &position, roll }, Budget::default());
        // The reward is 0 (even) now and 1 (a win) one decision later.
        assert!((learned[0] - 0.5).abs() < 1e-6, "{learned:?}");
    }

    #[test]
    fn a_position_is_worth_the_mean_of_its_moves() {
        let (position, _) = turn("{3[+-]3[++]} 1 1");
        let learning = QLearningRates { episodes: 400, rate: 1.0, ..QLearningRates::default() };
        let value = MeanLearned::new(Even, learning).evaluate(&position);
        assert!((value - 0.75).abs() < 1e-6, "{value}");
    }
}
