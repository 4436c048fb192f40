//! Compares evaluations with exact values: how large their errors are, and whether an estimate of
//! 30 % means 30 %.
//!
//! A tablebase has the exact value of every position with few pieces. An evaluation is called on
//! those positions, and its *error* is its estimate minus the exact value. The *calibration curve*
//! sorts the positions by their estimates and gives, for each tenth of the scale, their exact value
//! on average: for a calibrated evaluation, estimates of 30 % stand for 30 %. Calibration is not
//! strength: an evaluation that is always too high by the same amount chooses the same moves.
//!
//! All values are those of the side to move before its roll. Positions that the tablebase treats as
//! one, such as mirror images, count once.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wurfel_core::{Endgame, EndgameIndex, Evaluator, Random, UnknownName};
use wurfel_games::{Playable, shared_evaluation};
use wurfel_tablebase::Tables;

use crate::play::ordered::run_in_order;

/// Errors are counted in steps of this size, which limits the precision of quantiles.
const STEP: f64 = 1e-4;
/// The number of steps on either side of an error of 0.
const STEPS: usize = 10_000;
/// The bins of a calibration curve.
const BINS: usize = 10;
/// The shares of positions for which quantiles of the error are reported.
const SHARES: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];
/// Positions that one thread takes at a time.
const CHUNK: u64 = 1 << 15;

/// The positions on which evaluations are compared with exact values.
#[derive(Clone, Copy, Debug)]
pub struct CalibrationSettings {
    /// Pieces on the board.
    pub pieces: u32,
    /// The number of positions drawn at random; `None` takes the whole table.
    pub sample: Option<u64>,
    /// The seed of the positions that are drawn.
    pub seed: u64,
}

/// Why evaluations cannot be compared.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrationError {
    /// The game has no evaluation of this name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// There is no table.
    #[error("no tablebase with {pieces} pieces: expected one that `wurfel tables build` has made")]
    NoTable {
        /// The pieces on the board.
        pieces: u32,
    },
    /// A part of the table cannot be read.
    #[error("the tablebase with {pieces} pieces is damaged: build it again")]
    Damaged {
        /// The pieces on the board.
        pieces: u32,
    },
}

/// How an evaluation differs from exact values.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Calibration {
    /// The name of the evaluation.
    pub evaluation: String,
    /// The number of positions.
    pub positions: u64,
    /// The mean error.
    pub mean: f64,
    /// The mean absolute error.
    pub mean_absolute: f64,
    /// The root of the mean square of the error.
    pub root_mean_square: f64,
    /// Quantiles of the error: the share of positions with a smaller error, and the error, to 0.0001.
    pub quantiles: Vec<(f64, f64)>,
    /// The position with the largest error of either sign; `None` without positions.
    pub worst: Option<WorstEstimate>,
    /// The calibration curve: ten bins of estimates, from low to high.
    pub bins: Vec<Bin>,
}

/// The position that an evaluation estimates worst.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorstEstimate {
    /// The position's text, without a roll.
    pub position: String,
    /// The estimate for the **side to move**.
    pub estimate: f64,
    /// The exact value for the **side to move**.
    pub exact: f64,
}

/// A tenth of the scale of estimates.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Bin {
    /// Where it begins; it ends a tenth higher.
    pub from: f64,
    /// The share of all positions whose estimates are in it.
    pub share: f64,
    /// The mean of their estimates; `None` without positions.
    pub estimate: Option<f64>,
    /// The mean of their exact values; `None` without positions.
    pub exact: Option<f64>,
}

/// The sums over positions from which a [`Calibration`] follows.
struct Sums {
    count: u64,
    sum: f64,
    absolute: f64,
    squares: f64,
    /// The largest error of either sign, with the number of its position.
    worst: Option<(f64, u64)>,
    /// Positions by their error, from −1 to 1 in steps.
    errors: Vec<u64>,
    /// For each bin the positions, and the sums of estimates and exact values.
    bins: [(u64, f64, f64); BINS],
}

impl Sums {
    fn new() -> Self {
        let errors = vec![0; 2 * STEPS + 1];
        let bins = [(0, 0.0, 0.0); BINS];
        Self { count: 0, sum: 0.0, absolute: 0.0, squares: 0.0, worst: None, errors, bins }
    }

    fn add(&mut self, index: u64, estimate: f64, exact: f64) {
        let error = estimate - exact;
        self.count += 1;
        self.sum += error;
        self.absolute += error.abs();
        self.squares += error * error;
        if self.worst.is_none_or(|(worst, _)| error.abs() > worst.abs()) {
            self.worst = Some((error, index));
        }
        let step = (error / STEP).round() as i64 + STEPS as i64;
        self.errors[step.clamp(0, 2 * STEPS as i64) as usize] += 1;
        let (count, estimates, exacts) = &mut self.bins[bin(estimate)];
        *count += 1;
        *estimates += estimate;
        *exacts += exact;
    }

    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.absolute += other.absolute;
        self.squares += other.squares;
        let larger =
            |(error, _): &(f64, u64)| self.worst.is_none_or(|(worst, _)| error.abs() > worst.abs());
        self.worst = other.worst.filter(larger).or(self.worst);
        for (count, more) in self.errors.iter_mut().zip(&other.errors) {
            *count += more;
        }
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            *bin = (bin.0 + more.0, bin.1 + more.1, bin.2 + more.2);
        }
    }

    /// The smallest error that at least this share of the positions does not exceed.
    fn quantile(&self, share: f64) -> f64 {
        let wanted = share * self.count as f64;
        let mut below = 0;
        let reached = |&count: &u64| {
            below += count;
            below as f64 >= wanted
        };
        let place = self.errors.iter().position(reached).unwrap_or(STEPS);
        (place as f64 - STEPS as f64) * STEP
    }
}

/// The bin of an estimate.
fn bin(estimate: f64) -> usize {
    ((estimate * BINS as f64) as usize).min(BINS - 1)
}

impl CalibrationSettings {
    /// Compares evaluations with the exact values of `tables`, on `jobs` threads. `progress` is
    /// called with the numbers of finished positions and of all positions; if it returns false, the
    /// work ends with the positions finished so far.
    ///
    /// # Errors
    /// When there is no such evaluation or table, or the table is damaged.
    pub fn measure<G: Playable + Endgame>(
        self,
        evaluations: &[&str],
        tables: &Tables<G>,
        jobs: usize,
        mut progress: impl FnMut(u64, u64) -> bool,
    ) -> Result<Vec<Calibration>, CalibrationError> {
        let pieces = self.pieces;
        let evaluators: Vec<Arc<dyn Evaluator<G>>> =
            evaluations.iter().map(|name| shared_evaluation(name)).collect::<Result<_, _>>()?;
        let mut known = tables.tables().iter();
        let table = known.find(|table| table.pieces() == pieces);
        let table = table.ok_or(CalibrationError::NoTable { pieces })?;
        let total = self.sample.unwrap_or(table.count());
        let mut sums: Vec<Sums> = evaluations.iter().map(|_| Sums::new()).collect();
        let mut damaged = false;
        run_in_order(
            0..total.div_ceil(CHUNK),
            jobs,
            || (),
            |(), chunk| {
                let numbers = chunk * CHUNK..total.min((chunk + 1) * CHUNK);
                Some(self.chunk(numbers, table.count(), tables, &evaluators))
            },
            |chunk, results| {
                let Some(results) = results else {
                    damaged = true;
                    return false;
                };
                sums.iter_mut().zip(&results).for_each(|(sums, more)| sums.merge(more));
                progress(total.min((chunk + 1) * CHUNK), total)
            },
        );
        if damaged {
            return Err(CalibrationError::Damaged { pieces });
        }
        let rows = evaluations.iter().zip(&evaluators).zip(&sums);
        Ok(rows.map(|((name, evaluator), sums)| self.row(name, evaluator, sums, tables)).collect())
    }

    /// The sums of each evaluation over some of the positions; `None` when the table is damaged.
    fn chunk<G: Playable + Endgame>(
        self,
        numbers: std::ops::Range<u64>,
        count: u64,
        tables: &Tables<G>,
        evaluators: &[Arc<dyn Evaluator<G>>],
    ) -> Option<Vec<Sums>> {
        let mut random = Random::new(Random::seed_for(self.seed, &[numbers.start]));
        let mut sums: Vec<Sums> = evaluators.iter().map(|_| Sums::new()).collect();
        for number in numbers {
            let index = match self.sample {
                None => number,
                // The remainder makes no position likelier than another by more than 2⁻²⁶ of its
                // probability.
                Some(_) => random.bits() % count,
            };
            let Some(position) = G::at_place(EndgameIndex { pieces: self.pieces, index }) else {
                continue;
            };
            let exact = f64::from(tables.probe(&position)?);
            for (evaluator, sums) in evaluators.iter().zip(&mut sums) {
                sums.add(index, f64::from(evaluator.evaluate(&position)), exact);
            }
        }
        Some(sums)
    }

    fn row<G: Playable + Endgame>(
        self,
        name: &str,
        evaluator: &Arc<dyn Evaluator<G>>,
        sums: &Sums,
        tables: &Tables<G>,
    ) -> Calibration {
        let count = sums.count.max(1) as f64;
        let worst = sums.worst.and_then(|(_, index)| {
            let position = G::at_place(EndgameIndex { pieces: self.pieces, index })?;
            Some(WorstEstimate {
                estimate: f64::from(evaluator.evaluate(&position)),
                exact: f64::from(tables.probe(&position)?),
                position: position.to_string(),
            })
        });
        let bin = |(number, &(own, estimates, exacts)): (usize, &(u64, f64, f64))| {
            let mean = |sum: f64| (own > 0).then(|| sum / own as f64);
            Bin {
                from: number as f64 / BINS as f64,
                share: own as f64 / count,
                estimate: mean(estimates),
                exact: mean(exacts),
            }
        };
        Calibration {
            evaluation: name.to_owned(),
            positions: sums.count,
            mean: sums.sum / count,
            mean_absolute: sums.absolute / count,
            root_mean_square: (sums.squares / count).sqrt(),
            quantiles: SHARES.map(|share| (share, sums.quantile(share))).into(),
            worst,
            bins: sums.bins.iter().enumerate().map(bin).collect(),
        }
    }
}
