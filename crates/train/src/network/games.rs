//! Self-play: games of a network against itself, many side by side.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use wurfel_arena::run_in_order;
use wurfel_core::{
    BySide, Evaluator, Game, Network, Outcome, Predictions, Random, Side, Situation, Turn, draw,
};
use wurfel_games::Learnable;
use wurfel_search::puct::{Noise, Root, RootMove, Search, Selection};

use super::config::SelfPlay;

/// A training sample: a turn, or an afterstate.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample<G: Game> {
    /// The turn, or the afterstate without a roll.
    pub situation: Situation<G>,
    /// The policy target: the share of each legal move in the search's result. Empty for an
    /// afterstate.
    pub policy: Vec<f32>,
    /// The value target, for the side to move, 0 to 1.
    pub value: f32,
}

impl<G: Game> Sample<G> {
    /// The afterstate of a move, where `value` is the move's value for the side that makes it.
    /// `None` when the turn goes on after the move, or the game is over.
    pub(super) fn after(turn: Turn<'_, G>, mv: G::Move, value: f32) -> Option<Self> {
        let mut position = turn.position.clone();
        let rest = position.play(turn.roll, mv);
        if rest.is_some() || position.outcome().is_some() {
            return None;
        }
        let value = if position.side() == turn.side() { value } else { 1.0 - value };
        Some(Self { situation: Situation { position, roll: None }, policy: vec![], value })
    }

    /// Mixes a share of the game's outcome into the value target.
    pub(super) fn mix(&mut self, outcome: Outcome, share: f32) {
        let result = outcome.value_for(self.situation.position.side());
        self.value += share * (result - self.value);
    }
}

/// A game that was played for its samples.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedGame<G: Game> {
    /// The training samples from this game.
    pub samples: Vec<Sample<G>>,
    /// How long it was, in turns of both sides together.
    pub plies: u32,
    /// Its outcome; for a resigned game, a win of the other side. `None` for a scattered turn,
    /// which comes from no game.
    pub outcome: Option<Outcome>,
    /// Whether a side wanted to resign.
    pub resignation: Option<Resignation>,
}

/// A side that wanted to resign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Resignation {
    /// The side resigned, and the game was over.
    Accepted,
    /// The game was played on, and the side lost.
    PlayedOn,
    /// The game was played on, and the side did not lose.
    Wrong,
}

/// The rules of self-play: those of the game, the configuration and the tablebases.
pub struct Rules<'a, G> {
    /// A position that stands for the rules of the game.
    pub game: &'a G,
    /// How many simulations, how much noise, and when a side resigns.
    pub config: &'a SelfPlay,
    /// Exact values for the leaves of searches, if there are any.
    pub known: Option<Arc<dyn Evaluator<G>>>,
}

struct Playing<G: Game> {
    position: G,
    roll: G::Roll,
    search: Search<G>,
    /// The planned simulations of the present search, including the evaluation of the root.
    simulations: u32,
    /// Whether the present search becomes a training sample.
    full: bool,
    /// Whether the network evaluates afterstates, so that searches use them and they become
    /// samples.
    evaluates_at_rest: bool,
    random: Random,
    samples: Vec<Sample<G>>,
    number: u64,
    /// How many turns have been completed.
    plies: u32,
    /// For how many of its own decisions in a row each side has considered the game lost.
    lost: BySide<u32>,
    /// The first side that wanted to resign.
    resigned: Option<Side>,
    /// Whether this game is played on even if a side wants to resign.
    plays_on: bool,
}

/// The label of the stream of random numbers that decides which games are played on. It is a stream
/// of its own, so that, up to their ends, games are the same with and without resignation.
const PLAYED_ON: u64 = 1;

impl<G: Learnable> Playing<G> {
    fn begin(rules: &Rules<'_, G>, evaluates_at_rest: bool, seed: u64, number: u64) -> Self {
        let mut random = Random::new(Random::seed_for(seed, &[number]));
        let position = rules.game.setup(&mut random);
        let roll = draw(position.rolls().as_ref(), &mut random);
        let turn = Turn { position: &position, roll };
        let (search, simulations, full) = search(rules, turn, evaluates_at_rest, &mut random);
        let played_on = rules.config.resign.map_or(0.0, |resign| resign.played_on);
        let lot = Random::new(Random::seed_for(seed, &[number, PLAYED_ON])).unit();
        Self {
            position,
            roll,
            search,
            simulations,
            full,
            evaluates_at_rest,
            random,
            samples: vec![],
            number,
            plies: 0,
            lost: BySide::from_fn(|_| 0),
            resigned: None,
            plays_on: lot < f64::from(played_on),
        }
    }

    /// Whether the game ends here because the side to move resigns.
    fn resigns(&mut self, rules: &Rules<'_, G>) -> bool {
        let Some(rules) = rules.config.resign else { return false };
        let side = self.position.side();
        let lost = &mut self.lost[side];
        *lost = if self.search.value() < rules.below { *lost + 1 } else { 0 };
        if *lost >= rules.turns && self.resigned.is_none() {
            self.resigned = Some(side);
            return !self.plays_on;
        }
        false
    }

    /// Plays the move that the search has found; false when the game is over.
    fn go_on(&mut self, rules: &Rules<'_, G>) -> bool {
        let moves = self.search.moves();
        let free = self.position.ply() <= rules.config.temperature_turns;
        let place = self.search.choose(if free { rules.config.temperature } else { 0.0 });
        let turn = Turn { position: &self.position, roll: self.roll };
        if self.full {
            let policy = moves.iter().map(|tried| tried.target).collect();
            let value = self.search.value();
            self.samples.push(Sample { situation: turn.situation(), policy, value });
            let RootMove { mv, value, .. } = moves[place];
            let value = value.filter(|_| self.evaluates_at_rest);
            self.samples.extend(value.and_then(|value| Sample::after(turn, mv, value)));
        }
        let mv = moves[place].mv;
        if self.resigns(rules) {
            return false;
        }
        let rest = self.position.play(self.roll, mv);
        let over = self.position.outcome().is_some();
        self.plies += u32::from(over || rest.is_none());
        if over {
            return false;
        }
        let position = &self.position;
        self.roll = rest.unwrap_or_else(|| draw(position.rolls().as_ref(), &mut self.random));
        let turn = Turn { position, roll: self.roll };
        (self.search, self.simulations, self.full) =
            search(rules, turn, self.evaluates_at_rest, &mut self.random);
        true
    }

    /// The finished game, with the outcome mixed into the values of its samples.
    fn end(mut self, rules: &Rules<'_, G>) -> PlayedGame<G> {
        let plies = self.plies;
        let (outcome, resignation) = match (self.position.outcome(), self.resigned) {
            (Some(outcome), None) => (outcome, None),
            (Some(outcome), Some(side)) if outcome == Outcome::Win(!side) => {
                (outcome, Some(Resignation::PlayedOn))
            }
            (Some(outcome), Some(_)) => (outcome, Some(Resignation::Wrong)),
            (None, resigned) => {
                let side = resigned.unwrap_or(self.position.side());
                (Outcome::Win(!side), Some(Resignation::Accepted))
            }
        };
        let share = rules.config.outcome_share;
        self.samples.iter_mut().for_each(|sample| sample.mix(outcome, share));
        PlayedGame { samples: self.samples, plies, outcome: Some(outcome), resignation }
    }
}

/// A search for a turn, the number of its simulations, and whether it becomes a training sample.
fn search<G: Game>(
    rules: &Rules<'_, G>,
    turn: Turn<'_, G>,
    evaluates_at_rest: bool,
    random: &mut Random,
) -> (Search<G>, u32, bool) {
    let config = rules.config;
    let full = random.unit() < f64::from(config.full_share);
    let simulations = match (turn.moves().as_ref().len(), full) {
        // A forced move needs no search.
        (1, _) => 1,
        (_, true) => config.simulations,
        (_, false) => config.quick_simulations,
    };
    let selection = Selection { c: config.c, first_play: config.fpu.into() };
    let root = match (full, config.gumbel) {
        (true, 0) => Root::Noisy(Noise { alpha: config.noise_alpha, share: config.noise_share }),
        (false, 0) => Root::Puct,
        (_, max_considered) => Root::Gumbel { max_considered, noise: true },
    };
    let search = Search::new(turn, selection, root, simulations, Random::new(random.bits()));
    let search = search.with_exact(rules.known.clone()).asking_at_rest(evaluates_at_rest);
    (search, simulations + 1, full)
}

/// Plays the games with these numbers under the seed on `jobs` threads, each with a network of its
/// own, and returns the games in order. The games form a queue: whenever one is over, its thread
/// begins the next, so that batches stay full until the queue is empty. A game does not depend on
/// the others or on the number of threads, provided that the network's evaluation of a turn does
/// not depend on its batch. `stopped` is called now and then; once it returns true, the result is
/// `None`.
pub fn play_games<G: Learnable, N: Network<G>>(
    network: impl Fn() -> N + Sync,
    jobs: usize,
    rules: &Rules<'_, G>,
    seed: u64,
    numbers: Range<u64>,
    stopped: impl Fn() -> bool + Sync,
) -> Option<Vec<PlayedGame<G>>> {
    let (next, jobs) = (AtomicU64::new(numbers.start), jobs.max(1) as u64);
    let count = numbers.end - numbers.start;
    // No thread takes more games at once than leaves some for every other thread.
    let together = rules.config.parallel_games.min(count.div_ceil(jobs)) as usize;
    let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < numbers.end);
    let mut games: Vec<Option<PlayedGame<G>>> = (0..count).map(|_| None).collect();
    run_in_order(
        0..jobs,
        jobs as usize,
        &network,
        |network, _| play_from(&take, network, together, rules, seed, &stopped),
        |_, played| {
            for (number, game) in played {
                games[(number - numbers.start) as usize] = Some(game);
            }
            true
        },
    );
    games.into_iter().collect()
}

/// Plays the games whose numbers `take` returns, `together` of them side by side, until it returns
/// none. Returns the numbers with the games. `None` when `stopped` has returned true.
fn play_from<G: Learnable>(
    take: &impl Fn() -> Option<u64>,
    network: &mut impl Network<G>,
    together: usize,
    rules: &Rules<'_, G>,
    seed: u64,
    stopped: &impl Fn() -> bool,
) -> Option<Vec<(u64, PlayedGame<G>)>> {
    let evaluates_at_rest = network.evaluates_at_rest();
    let begin = || Some(Playing::begin(rules, evaluates_at_rest, seed, take()?));
    let mut playing: Vec<Playing<G>> = std::iter::from_fn(begin).take(together).collect();
    let (mut over, mut requests, mut predictions) = (vec![], vec![], Predictions::default());
    let mut counts = vec![];
    while !playing.is_empty() {
        if stopped() {
            return None;
        }
        requests.clear();
        counts.clear();
        for game in &mut playing {
            counts.push(game.search.gather(1, game.simulations, &mut requests));
        }
        if !requests.is_empty() {
            network.infer(&requests, &mut predictions);
        }
        let mut answers = predictions.iter();
        for (game, &count) in playing.iter_mut().zip(&counts) {
            answers.by_ref().take(count).for_each(|prediction| game.search.apply(prediction));
        }
        let ended = playing
            .extract_if(.., |game| game.search.visits() >= game.simulations && !game.go_on(rules));
        over.extend(ended.map(|game| (game.number, game.end(rules))));
        playing.extend(std::iter::from_fn(begin).take(together - playing.len()));
    }
    Some(over)
}
