//! How long evaluations take, in nanoseconds per call.
//!
//! Speed decides how deep a search gets in its time, and so accounts for half of the worth of an
//! evaluation (paper `zweistein`, table 3). Each evaluation is called on the same positions from
//! random games. Every repetition measures each evaluation once, so that a machine that slows down
//! affects all of them alike; the result is the median of the repetitions. A whole random game can be
//! timed beside them, which is what a playout costs.

use std::hint::black_box;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wurfel_core::{Evaluator, Instant, Random, UnknownName, draw};
use wurfel_games::{Playable, UseEvaluation, with_evaluation};
use wurfel_search::mcts::{FullPlayout, Playout, Uniform};

/// The settings of the measurement.
#[derive(Clone, Copy, Debug)]
pub struct SpeedSettings {
    /// The number of positions.
    pub positions: usize,
    /// The number of measurements of each evaluation.
    pub repetitions: usize,
    /// The shortest time that one measurement may take.
    pub least: Duration,
    /// The seed of the positions.
    pub seed: u64,
    /// Whether a random game from each position is timed as well, as the last row, [`RANDOM_GAME`].
    pub random_games: bool,
}

/// The name of the row of random games.
pub const RANDOM_GAME: &str = "random game";

impl Default for SpeedSettings {
    /// Few enough positions to stay in the L2 cache, and some seconds in total.
    fn default() -> Self {
        let least = Duration::from_millis(20);
        Self { positions: 2000, repetitions: 15, least, seed: 1, random_games: false }
    }
}

/// How long an evaluation takes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Speed {
    /// The name of the evaluation.
    pub evaluation: String,
    /// Nanoseconds per call, the median of all repetitions.
    pub ns: f64,
    /// Nanoseconds per call in the fastest repetition.
    pub fastest: f64,
    /// Nanoseconds per call in the slowest repetition.
    pub slowest: f64,
    /// How long it takes to make the evaluation with its tables, in nanoseconds: the median of all
    /// repetitions, and the fastest and the slowest.
    pub build: [f64; 3],
}

/// Evaluates all positions and adds up the values.
type Pass<G> = Box<dyn Fn(&[G]) -> f32>;

struct MakePass;

impl<G: Playable> UseEvaluation<G> for MakePass {
    type Output = Pass<G>;

    fn with<E: Evaluator<G> + 'static>(self, evaluator: E) -> Pass<G> {
        Box::new(move |positions| {
            positions.iter().map(|position| evaluator.evaluate(black_box(position))).sum()
        })
    }
}

impl SpeedSettings {
    /// Measures these evaluations of a game by these rules, on one thread. `progress` is called after each
    /// repetition; if it returns false, the work ends with the measurements made so far.
    ///
    /// # Errors
    /// When the game has no evaluation of such a name.
    pub fn measure<G: Playable>(
        self,
        rules: &G,
        evaluations: &[&str],
        mut progress: impl FnMut(usize) -> bool,
    ) -> Result<Vec<Speed>, UnknownName> {
        let make = |name: &&str| with_evaluation(name, MakePass);
        let mut passes: Vec<Pass<G>> = evaluations.iter().map(make).collect::<Result<_, _>>()?;
        let mut names = evaluations.to_vec();
        if self.random_games {
            passes.push(Box::new(random_games));
            names.push(RANDOM_GAME);
        }
        let positions = random_positions(rules, self.positions, &mut Random::new(self.seed));
        let mut times = vec![(vec![], vec![]); passes.len()];
        for repetition in 0..self.repetitions.max(1) {
            for ((pass, name), (calls, builds)) in passes.iter().zip(&names).zip(&mut times) {
                calls.push(per_call(pass, &positions, self.least));
                let began = Instant::now();
                let _ = black_box(make(name));
                builds.push(began.elapsed().as_nanos() as f64);
            }
            if !progress(repetition + 1) {
                break;
            }
        }
        let row = |(name, (calls, builds)): (&str, (Vec<f64>, Vec<f64>))| {
            let [ns, fastest, slowest] = middle(calls);
            let build = if name == RANDOM_GAME { [0.0; 3] } else { middle(builds) };
            Speed { evaluation: name.to_owned(), ns, fastest, slowest, build }
        };
        Ok(names.into_iter().zip(times).map(row).collect())
    }
}

/// Plays a random game to the end from each position.
fn random_games<G: Playable>(positions: &[G]) -> f32 {
    let mut random = Random::new(1);
    let playout = FullPlayout(Uniform);
    let game = |position: &G| playout.result(black_box(position).clone(), None, &mut random);
    positions.iter().map(game).sum()
}

/// The median of these times, the fastest and the slowest.
fn middle(mut times: Vec<f64>) -> [f64; 3] {
    times.sort_by(f64::total_cmp);
    let median = f64::midpoint(times[(times.len() - 1) / 2], times[times.len() / 2]);
    [median, times[0], times[times.len() - 1]]
}

/// Nanoseconds per call, over as many whole passes as take at least `least`.
fn per_call<G>(pass: &dyn Fn(&[G]) -> f32, positions: &[G], least: Duration) -> f64 {
    // The first pass fills the caches.
    black_box(pass(positions));
    let (started, mut passes) = (Instant::now(), 0);
    loop {
        black_box(pass(positions));
        passes += 1;
        let time = started.elapsed();
        if time >= least {
            return time.as_nanos() as f64 / (passes * positions.len().max(1)) as f64;
        }
    }
}

/// `count` positions before a roll, from random games in which every position is taken.
pub(crate) fn random_positions<G: Playable>(
    rules: &G,
    count: usize,
    random: &mut Random,
) -> Vec<G> {
    let mut positions = Vec::with_capacity(count);
    let mut position = rules.setup(random);
    while positions.len() < count {
        if position.outcome().is_some() {
            position = rules.setup(random);
        }
        positions.push(position.clone());
        let mut rest = Some(draw(position.rolls().as_ref(), random));
        while let Some(roll) = rest {
            let moves = position.moves(roll);
            let mv = *random.pick(moves.as_ref());
            rest = position.play(roll, mv);
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use wurfel_core::Game;
    use wurfel_games::dicechess::DiceChess;
    use wurfel_games::einstein::Einstein;

    #[test]
    fn positions_are_of_all_phases_and_before_the_end() {
        let positions = random_positions(&Einstein::default(), 500, &mut Random::new(1));
        assert!(positions.iter().all(|position| position.outcome().is_none()));
        let pieces = |position: &Einstein| {
            wurfel_core::Side::BOTH.map(|side| position.pieces(side).count).iter().sum::<u32>()
        };
        let counts: Vec<u32> = positions.iter().map(pieces).collect();
        assert!((4..=12).all(|count| counts.contains(&count)), "{counts:?}");
        assert_eq!(positions, random_positions(&Einstein::default(), 500, &mut Random::new(1)));
        assert_eq!(random_positions(&DiceChess::default(), 300, &mut Random::new(1)).len(), 300);
    }

    #[test]
    fn a_call_is_timed_alone() {
        // The time of each pass of five calls alone, however late the machine wakes it.
        let taken = RefCell::new(vec![]);
        let pass = |positions: &[u8]| {
            let began = Instant::now();
            for _ in positions {
                std::thread::sleep(Duration::from_millis(2));
            }
            taken.borrow_mut().push(began.elapsed());
            0.0
        };
        let began = Instant::now();
        let ns = per_call(&pass, &[0; 5], Duration::from_millis(15));
        let around = began.elapsed().as_nanos() as f64;
        // The first pass is not counted.
        let counted = &taken.borrow()[1..];
        let own: Duration = counted.iter().sum();
        let all = ns * (5 * counted.len()) as f64;
        assert!(own.as_nanos() as f64 <= all && all <= around, "{ns} of {counted:?}");
    }

    #[test]
    fn the_median_lies_between_the_extremes() {
        assert_eq!(format!("{:?}", middle(vec![9.0, 1.0, 2.0])), "[2.0, 1.0, 9.0]");
        assert_eq!(format!("{:?}", middle(vec![4.0, 1.0, 2.0, 9.0])), "[3.0, 1.0, 9.0]");
    }

    #[test]
    fn every_evaluation_has_a_row_in_its_place() {
        let settings = SpeedSettings {
            positions: 50,
            repetitions: 2,
            least: Duration::from_micros(100),
            seed: 1,
            random_games: false,
        };
        let names: Vec<&str> = Einstein::EVALUATIONS.iter().map(|known| known.name).collect();
        let rows = settings.measure(&Einstein::default(), &names, |_| true).unwrap();
        assert!(rows.iter().map(|row| &row.evaluation).eq(&names));
        assert!(rows.iter().all(|row| row.ns > 0.0 && row.build[0] > 0.0));
        let settings = SpeedSettings { random_games: true, ..settings };
        let rows = settings.measure(&Einstein::default(), &["zweistein"], |_| true).unwrap();
        assert_eq!(rows[1].evaluation, RANDOM_GAME);
        assert!(rows[1].ns > 0.0);
        let error = settings.measure(&Einstein::default(), &["zweisten"], |_| true).unwrap_err();
        assert_eq!(error.to_string(), "unknown evaluation 'zweisten': did you mean 'zweistein'?");
    }
}
