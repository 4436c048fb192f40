//! Fits the preference by which a search of whole turns picks the replies that it evaluates.
//!
//! An evaluation says how good each end of a roll is. The fitted sum need not come near these values;
//! it only has to put the best ends first. So its softmax over the ends of a roll is fitted to the
//! softmax of the evaluation's log-odds, as in `ListNet` (Z. Cao et al., "Learning to rank: from
//! pairwise approach to listwise approach", ICML 2007), by Adagrad (J. Duchi, E. Hazan and Y. Singer,
//! "Adaptive subgradient methods for online learning and stochastic optimization", 2011).

use std::sync::Arc;

use wurfel_agents::Factory;
use wurfel_arena::run_in_order;
use wurfel_core::{Agent, EndPreference, Evaluator, Random, draw};
use wurfel_games::Learnable;
use wurfel_games::linear::LinearValue;
use wurfel_net::softmax;

use crate::positions::{CAREFUL, play_turn};

/// The settings of the fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RepliesFit {
    /// How many rolls with several ends are learned from, each once.
    pub rolls: u64,
    /// The seed of all games.
    pub seed: u64,
}

/// How well a preference picks ends of rolls that it was not fitted to.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Picked {
    /// The share of the rolls whose best end was picked.
    pub best: f32,
    /// How much less the best picked end is worth than the best of all, in win probability, on
    /// average.
    pub lost: f32,
}

/// The factor of the log-odds before the softmax: an end that is 0.1 worse in log-odds, 2.5 per cent
/// at even chances, has a share divided by e.
const SHARPNESS: f32 = 10.0;
/// The learning rate at first; it falls along a line to a twentieth.
const LEARNING_RATE: f32 = 0.1;
/// The number of rolls on which a preference is measured.
pub const MEASURED: usize = 2_000;

/// A position with a roll that does not win at once.
type Rolled<G> = (G, <G as wurfel_core::Game>::Roll);

/// The ends of a roll: the features of each and what it is worth for the side that moves.
struct Ends {
    features: Vec<Vec<u32>>,
    values: Vec<f32>,
}

impl Ends {
    fn of<G: Learnable>((position, roll): &Rolled<G>, evaluator: &dyn Evaluator<G>) -> Self {
        let mut ends = Self { features: vec![], values: vec![] };
        position.ends(*roll, |end| {
            if end.outcome().is_none() {
                let mut features = vec![];
                end.end_features(|feature| features.push(feature as u32));
                ends.features.push(features);
                ends.values.push(1.0 - evaluator.evaluate(end));
            }
        });
        ends
    }

    /// The shares that the ends should have.
    fn wanted(&self) -> Vec<f32> {
        let odds = |value: &f32| {
            let value = value.clamp(1e-4, 1.0 - 1e-4);
            SHARPNESS * (value / (1.0 - value)).ln()
        };
        shares(self.values.iter().map(odds).collect())
    }
}

fn shares(mut numbers: Vec<f32>) -> Vec<f32> {
    softmax(&mut numbers, |_| true);
    numbers
}

/// The turns of a game by `agent` in which no roll wins at once.
fn quiet_turns<G: Learnable>(
    rules: &G,
    agent: &mut dyn Agent<G>,
    random: &mut Random,
) -> Vec<Rolled<G>> {
    let careless = *random.pick(&CAREFUL);
    let mut turns = vec![];
    let mut position = rules.setup(random);
    while position.outcome().is_none() {
        let rolls = position.quiet_rolls();
        if rolls.is_empty() {
            break;
        }
        let roll = draw(&rolls, random);
        turns.push((position.clone(), roll));
        play_turn(agent, &mut position, roll, careless, random);
    }
    turns
}

/// Plays games numbered from 0 under a seed and passes their turns on, in order, until `see` returns
/// false.
fn all_turns<G: Learnable>(
    rules: &G,
    searcher: &Factory<G>,
    seed: u64,
    jobs: usize,
    mut see: impl FnMut(&Rolled<G>) -> bool,
) {
    let work = |agent: &mut Box<dyn Agent<G>>, game| {
        let mut random = Random::new(Random::seed_for(seed, &[game]));
        agent.begin(Random::new(0));
        Some(quiet_turns(rules, &mut **agent, &mut random))
    };
    run_in_order(0..u64::MAX, jobs, || searcher(), work, |_, turns| turns.iter().all(&mut see));
}

/// Fits a preference to the values that `evaluator` gives the ends of turns in games by `searcher` under
/// these rules, on `jobs` threads. Calls `see` with the number of rolls learned from; if it returns
/// false, the work ends. The result depends on the settings alone.
pub fn fit_replies<G: Learnable>(
    rules: &G,
    settings: RepliesFit,
    searcher: &Factory<G>,
    evaluator: &Arc<dyn Evaluator<G>>,
    jobs: usize,
    mut see: impl FnMut(u64) -> bool,
) -> LinearValue {
    let mut weights = vec![0.0_f32; G::END_FEATURES];
    let mut squares = vec![0.0_f32; G::END_FEATURES];
    let mut gradient = vec![0.0_f32; G::END_FEATURES];
    let mut touched = vec![];
    let mut learned = 0;
    all_turns(rules, searcher, settings.seed, jobs, |turn| {
        let ends = Ends::of(turn, &**evaluator);
        if ends.values.len() < 2 {
            return see(learned);
        }
        let sum = |features: &Vec<u32>| features.iter().map(|&n| weights[n as usize]).sum();
        let actual = shares(ends.features.iter().map(sum).collect());
        for ((features, actual), wanted) in ends.features.iter().zip(actual).zip(ends.wanted()) {
            for &feature in features {
                let place = &mut gradient[feature as usize];
                if *place == 0.0 {
                    touched.push(feature as usize);
                }
                *place += actual - wanted;
            }
        }
        let left = 1.0 - learned as f32 / settings.rolls as f32;
        let rate = LEARNING_RATE * left.max(0.05);
        for n in touched.drain(..) {
            let change = std::mem::take(&mut gradient[n]);
            squares[n] += change * change;
            weights[n] -= rate * change / (squares[n].sqrt() + 0.1);
        }
        learned += 1;
        see(learned) && learned < settings.rolls
    });
    LinearValue { weights }
}

/// Measures how well preferences pick `count` ends of a roll, in games under a seed of their own.
pub fn measure_replies<G: Learnable, const N: usize>(
    rules: &G,
    preferences: [&dyn EndPreference<G>; N],
    count: usize,
    seed: u64,
    searcher: &Factory<G>,
    evaluator: &Arc<dyn Evaluator<G>>,
    jobs: usize,
) -> [Picked; N] {
    let mut picked = [Picked::default(); N];
    let mut rolls = 0;
    all_turns(rules, searcher, seed, jobs, |(position, roll)| {
        let mut ends = vec![];
        position.ends(*roll, |end| {
            if end.outcome().is_none() {
                let rates = preferences.map(|preference| preference.rate(position, end));
                ends.push((1.0 - evaluator.evaluate(end), rates));
            }
        });
        if ends.len() < 2 {
            return true;
        }
        let best = ends.iter().map(|(value, _)| *value).fold(0.0, f32::max);
        for (n, picked) in picked.iter_mut().enumerate() {
            // Of ends that look equally good, the first ones are picked, whatever the order of the
            // other preferences.
            let mut order: Vec<_> = ends.iter().collect();
            order.sort_by(|(_, one), (_, other)| other[n].total_cmp(&one[n]));
            let actual = order.iter().take(count).map(|(value, _)| *value).fold(0.0, f32::max);
            picked.best += f32::from(u8::from(actual >= best)) / MEASURED as f32;
            picked.lost += (best - actual) / MEASURED as f32;
        }
        rolls += 1;
        rolls < MEASURED
    });
    picked
}
