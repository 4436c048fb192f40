//! Q-learning for a single decision: the agent of paper `dice-chess-agents` (sections II-G and
//! III-D, Algorithm 4).
//!
//! Before each move the player starts without any knowledge. It plays short episodes from the
//! present turn against an opponent, either any agent or one that moves at random, and keeps for
//! every turn that it meets how good each of its moves has turned out to be. The length of an
//! episode is a setting; with the paper's depth of 2 it is one move of the player and one answer.
//! The paper leaves two things open, which are settled as follows: the reward is an evaluation of
//! the position after the answer, from −1 (lost) to 1 (won) for the learner, and a move that was
//! never tried counts as 0.

use std::collections::HashMap;
use std::sync::Arc;

use wurfel_core::{
    Agent, Analysis, Assessment, Budget, Decision, Evaluator, Game, Random, Side, Turn, Weighted,
    draw, quick_hash,
};

use crate::clock::Clock;
use crate::deepening::sort;

/// The settings of Q-learning.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QLearningRates {
    /// How many episodes are played from the present turn.
    pub episodes: u32,
    /// How many turns an episode has, the opponent's included.
    pub length: u32,
    /// The factor by which a reward is multiplied for each decision of delay, 0 to 1.
    pub discount: f32,
    /// The learning rate: how far a new result moves the value of a move, 0 to 1.
    pub rate: f32,
    /// How often a move is tried at random.
    pub exploration: Exploration,
}

impl Default for QLearningRates {
    /// The settings of the paper's program.
    fn default() -> Self {
        let exploration = Exploration::default();
        Self { episodes: 150, length: 2, discount: 0.99, rate: 0.1, exploration }
    }
}

/// The chance that a move is tried at random, which falls with each episode.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exploration {
    /// The chance in the first episode, 0 to 1.
    pub start: f32,
    /// By how much the chance falls with each further episode, 0 to 1; `None` lets it fall evenly
    /// towards 0 over all episodes.
    pub decay: Option<f32>,
    /// The smallest value of the chance, 0 to 1.
    pub least: f32,
}

impl Default for Exploration {
    fn default() -> Self {
        Self { start: 1.0, decay: None, least: 0.01 }
    }
}

impl Exploration {
    /// The chance in episode `number`, counted from 0, of `episodes`.
    fn chance(self, number: u32, episodes: u32) -> f32 {
        let chance = match self.decay {
            None => self.start * (1.0 - number as f32 / episodes as f32),
            Some(decay) => self.start - number as f32 * decay,
        };
        chance.max(self.least)
    }
}

/// Makes the opponents of episodes.
pub type Opponents<G> = Arc<dyn Fn() -> Box<dyn Agent<G>> + Send + Sync>;

/// Who answers the learner's moves in episodes, and within which budget: an agent, or `None` for
/// random moves.
struct Opponent<'a, G> {
    agent: Option<&'a mut (dyn Agent<G> + 'static)>,
    budget: Budget<'a>,
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
        opponent: &mut Opponent<'_, G>,
        random: &mut Random,
    ) {
        let learner = start.side();
        let explore = self.exploration.chance(number, self.episodes);
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
                opponent.answer(&mut position, random);
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

impl<G: Game> Opponent<'_, G> {
    /// Plays the opponent's whole turn.
    fn answer(&mut self, position: &mut G, random: &mut Random) {
        let mut rest = Some(draw(position.rolls().as_ref(), random));
        while let Some(roll) = rest {
            let mv = match &mut self.agent {
                Some(agent) => agent.decide(Turn { position, roll }, self.budget).mv,
                None => match position.pick(roll, random) {
                    Some(mv) => mv,
                    None => return,
                },
            };
            rest = position.play(roll, mv);
        }
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
pub struct QLearning<G, E> {
    evaluator: E,
    learning: QLearningRates,
    opponent: Option<Box<dyn Agent<G>>>,
    budget: Budget<'static>,
    random: Random,
}

impl<G: Game, E: Evaluator<G>> QLearning<G, E> {
    /// A player that learns with these settings before each move, against random moves, and stops
    /// early when `budget`, or the budget of the decision, is spent. It draws random numbers from
    /// `random` until a game begins.
    pub fn new(
        evaluator: E,
        learning: QLearningRates,
        budget: Budget<'static>,
        random: Random,
    ) -> Self {
        Self { evaluator, learning, opponent: None, budget, random }
    }

    /// The same player, which learns against `opponent`. For each answer the opponent spends the
    /// budget that it was built with.
    #[must_use]
    pub fn against(self, opponent: Option<Box<dyn Agent<G>>>) -> Self {
        Self { opponent, ..self }
    }

    /// The values that it has learned for the moves of a turn, and the number of episodes.
    fn learn(&mut self, turn: Turn<'_, G>, given: Budget<'_>) -> (Vec<f32>, u64) {
        let budget = self.budget.or(given);
        let mut clock = Clock::start(budget);
        let mut opponent = Opponent {
            agent: self.opponent.as_deref_mut(),
            budget: Budget { stop: budget.stop, ..Budget::default() },
        };
        let (evaluator, random) = (&self.evaluator, &mut self.random);
        let mut table = Table::new();
        let mut made = 0;
        while made < u64::from(self.learning.episodes) {
            let number = made as u32;
            self.learning.episode(&mut table, turn, number, evaluator, &mut opponent, random);
            made += 1;
            if clock.is_over(made) {
                break;
            }
        }
        (std::mem::take(values(&mut table, turn)), made)
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for QLearning<G, E> {
    fn begin(&mut self, random: Random) {
        self.random = random;
        if let Some(opponent) = &mut self.opponent {
            opponent.begin(Random::new(self.random.bits()));
        }
    }

    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        self.budget.or(budget)
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move> {
        let Analysis { moves, nodes, depth, .. } = self.analyse(turn, budget);
        Decision { mv: moves[0].mv, value: moves[0].value, exact: false, nodes, depth }
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Analysis<G> {
        let (learned, nodes) = self.learn(turn, budget);
        let score = |(&mv, value): (&G::Move, f32)| {
            let value = f32::midpoint(value.clamp(-1.0, 1.0), 1.0);
            Assessment { mv, value: Some(value), exact: false }
        };
        let mut moves: Vec<_> = turn.moves().as_ref().iter().zip(learned).map(score).collect();
        sort(&mut moves);
        Analysis {
            line: vec![(turn.roll, moves[0].mv)],
            moves,
            turns: vec![],
            nodes,
            depth: self.learning.length,
        }
    }

    fn counts(&self) -> Option<&'static str> {
        Some("episodes")
    }
}

/// Q-learning as an evaluation of positions: the mean over the rolls of what was learned about
/// their moves, all moves of a roll counting the same. Expectiminimax with this evaluation is the
/// "Expecti-QL hybrid" of the paper (section II-H).
///
/// The random numbers depend only on the position, so that a position always has the same value.
#[derive(Clone)]
pub struct MeanLearned<G, E> {
    evaluator: E,
    learning: QLearningRates,
    opponents: Option<Opponents<G>>,
}

impl<G, E> MeanLearned<G, E> {
    /// The evaluation that learns with these rewards and settings, against opponents made by
    /// `opponents` or, without any, against random moves.
    pub const fn new(
        evaluator: E,
        learning: QLearningRates,
        opponents: Option<Opponents<G>>,
    ) -> Self {
        Self { evaluator, learning, opponents }
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for MeanLearned<G, E> {
    fn evaluate(&self, position: &G) -> f32 {
        let mut random = Random::new(quick_hash(position));
        let mut agent = self.opponents.as_ref().map(|make| make());
        if let Some(agent) = &mut agent {
            agent.begin(Random::new(random.bits()));
        }
        let mut opponent = Opponent { agent: agent.as_deref_mut(), budget: Budget::default() };
        let (learning, evaluator) = (self.learning, &self.evaluator);
        let mut table = Table::new();
        let rolls = position.rolls();
        let rolls = rolls.as_ref();
        for number in 0..learning.episodes {
            let roll = draw(rolls, &mut random);
            let turn = Turn { position, roll };
            learning.episode(&mut table, turn, number, evaluator, &mut opponent, &mut random);
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
    use crate::Expecti;
    use wurfel_core::{Even, Literal, Situation};

    fn turn(text: &str) -> (Literal, <Literal as Game>::Roll) {
        let Situation { position, roll } = text.parse::<Situation<Literal>>().unwrap();
        (position, roll.unwrap())
    }

    fn player(learning: QLearningRates) -> QLearning<Literal, Even> {
        QLearning::new(Even, learning, Budget::default(), Random::new(1))
    }

    #[test]
    fn it_learns_which_move_wins() {
        // The second move wins immediately, the third one after any answer, and the first one
        // loses.
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
        let rates = QLearningRates::default();
        let learning =
            QLearningRates { episodes: 20, length: 4, discount: 0.5, rate: 1.0, ..rates };
        let (learned, _) =
            player(learning).learn(Turn { position: &position, roll }, Budget::default());
        // The reward is 0 (even) now and 1 (a win) one decision later.
        assert!((learned[0] - 0.5).abs() < 1e-6, "{learned:?}");
    }

    #[test]
    fn a_position_is_worth_the_mean_of_its_moves() {
        let (position, _) = turn("{3[+-]3[++]} 1 1");
        let learning = QLearningRates { episodes: 400, rate: 1.0, ..QLearningRates::default() };
        let value = MeanLearned::new(Even, learning, None).evaluate(&position);
        assert!((value - 0.75).abs() < 1e-6, "{value}");
    }

    #[test]
    fn exploration_falls_by_its_decay_to_its_least() {
        let chances = |exploration: Exploration| {
            [0, 30, 75, 149].map(|number| (exploration.chance(number, 150) * 100.0).round() as u32)
        };
        let schedule = Exploration::default();
        assert_eq!(chances(schedule), [100, 80, 50, 1]);
        assert_eq!(chances(Exploration { start: 0.5, ..schedule }), [50, 40, 25, 1]);
        let quick = Exploration { start: 0.9, decay: Some(0.01), least: 0.2 };
        assert_eq!(chances(quick), [90, 60, 20, 20]);
    }

    /// Without exploration the first of equally good moves is made, so that the others are never
    /// tried.
    #[test]
    fn without_exploration_only_the_first_move_is_learned() {
        let (position, roll) = turn("{[{[++]}{[+-]}{[-+]}]} 1 1");
        let learn = |exploration| {
            let learning = QLearningRates { exploration, ..QLearningRates::default() };
            player(learning).learn(Turn { position: &position, roll }, Budget::default()).0
        };
        let none = Exploration { start: 0.0, decay: None, least: 0.0 };
        assert!(learn(none)[0] > 0.5 && learn(none)[1..] == [0.0, 0.0], "{:?}", learn(none));
        assert!(learn(Exploration::default()).iter().all(|value| *value != 0.0));
    }

    /// Paper `dice-chess-agents`, section III-D: against random moves the win after move 1 looks
    /// likely, although any opponent who looks one turn ahead refutes it.
    #[test]
    fn what_is_learned_depends_on_the_opponent() {
        let (position, roll) = turn("{[{[+++-]}{[=]}]} 1 1");
        let turn = Turn { position: &position, roll };
        let learning = QLearningRates { rate: 0.02, ..QLearningRates::default() };
        let best = |opponent: Option<Box<dyn Agent<Literal>>>| {
            let mut player = player(learning).against(opponent);
            player.begin(Random::new(5));
            player.decide(turn, Budget::default()).mv.to_string()
        };
        assert_eq!(best(None), "1");
        let ahead = || Expecti::new(Even, Budget { depth: Some(1), ..Budget::default() });
        assert_eq!(best(Some(Box::new(ahead()))), "2");
        let before = position.clone();
        let value = |opponents| MeanLearned::new(Even, learning, opponents).evaluate(&before);
        let makes: Opponents<Literal> = Arc::new(move || Box::new(ahead()));
        assert!(value(Some(makes)) < value(None));
    }
}
