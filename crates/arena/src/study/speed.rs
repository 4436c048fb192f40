//! How long evaluations take, in nanoseconds per call.
//!
//! Speed decides how deep a search gets in its time, and so accounts for half of the worth of an
//! evaluation (paper `zweistein`, table 3). Each evaluation is called on the same positions from
//! random games. Every repetition measures each evaluation once, so that a machine that slows down
//! affects all of them alike; the result is the median of the repetitions.

use std::hint::black_box;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wurfel_core::{Evaluator, Instant, Random, UnknownName, draw};
use wurfel_games::{Playable, UseEvaluation, with_evaluation};

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
}

impl Default for SpeedSettings {
    /// Few enough positions to stay in the L2 cache, and some seconds in total.
    fn default() -> Self {
        Self { positions: 2000, repetitions: 15, least: Duration::from_millis(20), seed: 1 }
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
        let passes: Vec<Pass<G>> = evaluations
            .iter()
            .map(|name| with_evaluation(name, MakePass))
            .collect::<Result<_, _>>()?;
        let positions = random_positions(rules, self.positions, &mut Random::new(self.seed));
        let mut times = vec![vec![]; passes.len()];
        for repetition in 0..self.repetitions.max(1) {
            for (pass, times) in passes.iter().zip(&mut times) {
                times.push(per_call(pass, &positions, self.least));
            }
            if !progress(repetition + 1) {
                break;
            }
        }
        let speed = |(name, times): (&&str, Vec<f64>)| row(name, times);
        Ok(evaluations.iter().zip(times).map(speed).collect())
    }
}

/// The row of an evaluation that took these times.
fn row(name: &str, mut times: Vec<f64>) -> Speed {
    times.sort_by(f64::total_cmp);
    let (fastest, slowest) = (times[0], times[times.len() - 1]);
    let ns = f64::midpoint(times[(times.len() - 1) / 2], times[times.len() / 2]);
    Speed { evaluation: name.to_owned(), ns, fastest, slowest }
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
        let odd = row("a", vec![9.0, 1.0, 2.0]);
        assert_eq!((odd.fastest, odd.ns, odd.slowest), (1.0, 2.0, 9.0));
        assert_eq!(row("a", vec![4.0, 1.0, 2.0, 9.0]).ns.to_string(), "3");
    }

    #[test]
    fn every_evaluation_has_a_row_in_its_place() {
        let settings = SpeedSettings {
            positions: 50,
            repetitions: 2,
            least: Duration::from_micros(100),
            seed: 1,
        };
        let names: Vec<&str> = Einstein::EVALUATIONS.iter().map(|known| known.name).collect();
        let rows = settings.measure(&Einstein::default(), &names, |_| true).unwrap();
        assert!(rows.iter().map(|row| &row.evaluation).eq(&names));
        assert!(rows.iter().all(|row| row.ns > 0.0));
        let error = settings.measure(&Einstein::default(), &["zweisten"], |_| true).unwrap_err();
        assert_eq!(error.to_string(), "unknown evaluation 'zweisten': did you mean 'zweistein'?");
    }
}
