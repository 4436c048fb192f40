//! Q-learning for a single decision: the agent of paper `dice-chess-agents` (sections
//! II-G and III-D, Algorithm 4).
//!
//! Before each move the player learns afresh: it plays short episodes from the turn at
//! hand against an opponent that moves at random, and keeps for every turn it meets
//! and every move in it how good the move has turned out to be. An episode is as many
//! turns long as is set, so with the paper's depth of 2 its own move and one answer. What the
//! paper leaves open is read so: the reward is an evaluation of the position after the
//! answer, from −1 (lost) to 1 (won) for the learner, and a move that was never tried
//! counts 0.

use std::collections::HashMap;

use wurfel_core::{
    Agent, Analysis, Assessment, Budget, Decision, Evaluator, Game, Random, Side, Turn, Weighted,
    draw, quick_hash,
};

use crate::clock::Clock;
use crate::deepening::sort;

/// Episodes between two looks at the time.
const EPISODES_PER_LOOK: u64 = 16;

/// How Q-learning learns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QLearningRates {
    /// How often it plays from the turn at hand. The chance that a move is tried at
    /// random falls from 1 by as much after each of them, to [`QLearningRates::LEAST`].
    pub episodes: u32,
    /// Turns in an episode, the opponent's included.
    pub length: u32,
    /// What a reward one decision later counts, 0 to 1.
    pub discount: f32,
    /// How far a new result moves what was known, 0 to 1.
    pub rate: f32,
}

impl QLearningRates {
    /// The least chance that a move is tried at random.
    pub const LEAST: f32 = 0.01;
}

impl Default for QLearningRates {
    /// The settings of the paper's program.
    fn default() -> Self {
        Self { episodes: 150, length: 2, discount: 0.99, rate: 0.1 }
    }
}

/// What was learned: by turn, how good each of its moves is, from −1 to 1 for the
/// side that decides.
type Table<G> = HashMap<(G, <G as Game>::Roll), Vec<f32>>;

/// The moves of a turn and what is known of them.
fn values<'a, G: Game>(table: &'a mut Table<G>, turn: Turn<'_, G>) -> &'a mut Vec<f32> {
    let count = turn.moves().as_ref().len();
    table.entry((turn.position.clone(), turn.roll)).or_insert_with(|| vec![0.0; count])
}

fn largest(values: &[f32]) -> f32 {
    values.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

impl QLearningRates {
    /// Plays an episode from a turn and learns from it. With the number of the episode
    /// its moves become less random.
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

/// A turn of random moves.
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
/// A *node* of its budget is an episode; a depth does not bound it.
#[derive(Clone, Debug)]
pub struct QLearning<E> {
    evaluator: E,
    learning: QLearningRates,
    budget: Budget,
    random: Random,
}

impl<E> QLearning<E> {
    /// A player that learns so before each move, and ends early when `budget`, or the
    /// one that it is given, says so. It draws from `random` until a game begins.
    pub const fn new(
        evaluator: E,
        learning: QLearningRates,
        budget: Budget,
        random: Random,
    ) -> Self {
        Self { evaluator, learning, budget, random }
    }

    /// What it learns of the moves of a turn, and in how many episodes.
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

/// What Q-learning makes of a position, as an evaluation: the mean over the rolls of
/// what it has learned of their moves, all moves counting the same. With it
/// expectiminimax is the "Expecti-QL hybrid" of the paper (section II-H).
///
/// The random numbers come from the position itself, so it is always evaluated the same.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MeanLearned<E> {
    evaluator: E,
    learning: QLearningRates,
}

impl<E> MeanLearned<E> {
    /// The evaluation with these rewards.
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
        // The second move wins at once, the third after any answer, the first loses.
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

    /// With rate 1 a value is the last reward; a later decision counts less by the
    /// discount.
    #[test]
    fn what_comes_later_is_discounted() {
        let (position, roll) = turn("{[{[{[+]}]}]} 1 1");
        let learning = QLearningRates { episodes: 20, length: 4, discount: 0.5, rate: 1.0 };
        let (learned, _) =
            player(learning).learn(Turn { position: &position, roll }, Budget::default());
        // No reward at once (even), then one decision later a win.
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
