//! Learned evaluations: a small network over the features of a position that corrects a handwritten
//! base evaluation.
//!
//! log-odds of the result = log-odds of the base + Σₖ wₖ · clip(bₖ + Σ rows)²
//!
//! There are [`UNITS`] hidden units; their values are clipped to 0 to 1 and then squared. Each
//! feature of a position adds one row of numbers to the hidden units, without a multiplication, so
//! an evaluation costs about as much as reading a dozen rows. Numbers are 16-bit fixed point, in
//! vectors of 128 bits, which need no unsafe code.

use std::cell::Cell;

use arrayvec::ArrayVec;
use wide::{i16x8, i32x4};
use wurfel_core::{Evaluator, Features, Side, checksum};

use crate::logistic::logistic;

/// How many hidden units there are.
pub const UNITS: usize = 64;
/// The fixed-point number that stands for 1 in a hidden unit and in a row.
pub const ONE: i16 = 255;
/// The fixed-point number that stands for 1 in an output weight. Output weights lie between
/// −[`MAX_OUT`] and [`MAX_OUT`].
pub const OUT_ONE: i16 = 64;
/// The largest output weight in fixed point: times [`ONE`] it must fit into 16 bits.
pub const MAX_OUT: i16 = 127;

/// The longest list of features; no position has that many.
const MAX_ACTIVE: usize = 256;

/// One number for each hidden unit, in fixed point.
pub type FeatureRow = [i16; UNITS];

/// A row as the vectors that the CPU adds.
type Lanes = [i16x8; UNITS / 8];

/// Features that are listed before their rows are added, so that the sums can stay in registers.
type List = ArrayVec<u16, MAX_ACTIVE>;

/// A handwritten evaluation as log-odds, ln(p / (1 − p)).
pub trait LogOdds<G>: Send + Sync {
    /// The log-odds of a win for the **side to move**, before its roll.
    fn log_odds(&self, position: &G) -> f32;

    /// [`log_odds`](Self::log_odds), after calls of `add` with the recomputed features as the side to
    /// move sees them. A base that looks at the same things as the features overrides this.
    #[inline(always)]
    fn log_odds_and_features(&self, position: &G, add: impl FnMut(usize)) -> f32
    where
        G: Features,
        Self: Sized,
    {
        let odds = self.log_odds(position);
        position.recomputed(position.side(), add);
        odds
    }
}

/// The base for games without a better one: every position is even.
#[derive(Clone, Copy, Debug, Default)]
pub struct EvenBase;

impl<G> LogOdds<G> for EvenBase {
    fn log_odds(&self, _: &G) -> f32 {
        0.0
    }
}

/// The parameters of a learned evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// A row for each feature.
    pub rows: Vec<FeatureRow>,
    /// The biases: the values of the hidden units before any row is added.
    pub bias: FeatureRow,
    /// The output weight of each hidden unit.
    pub out: FeatureRow,
    /// The constant part of the log-odds, in units of 2⁻¹⁶.
    pub constant: i32,
}

/// A learned evaluation with base `B`.
#[derive(Clone, Debug)]
pub struct Learned<B> {
    base: B,
    rows: Vec<Lanes>,
    bias: Lanes,
    out: Lanes,
    constant: f32,
}

impl<B> Learned<B> {
    /// The evaluation with these parameters.
    pub fn new(base: B, weights: &Weights) -> Self {
        let lanes = |row: &FeatureRow| -> Lanes {
            std::array::from_fn(|lane| i16x8::from_slice_unaligned(&row[8 * lane..]))
        };
        Self {
            base,
            rows: weights.rows.iter().map(lanes).collect(),
            bias: lanes(&weights.bias),
            out: lanes(&weights.out),
            constant: weights.constant as f32 / 65536.0,
        }
    }

    /// `sums` plus the rows of these features.
    #[inline(always)]
    fn with(&self, sums: Lanes, features: &List) -> Lanes {
        features.iter().fold(sums, |sums, &feature| plus(sums, &self.rows[usize::from(feature)]))
    }

    /// The hidden units before clipping from the biases and the incremental features alone, as if
    /// `viewer` were to move.
    #[inline(always)]
    fn incremental<G: Features>(&self, position: &G, viewer: Side) -> Lanes {
        let mut list = List::default();
        position.features(viewer, |feature| list.push(feature as u16));
        self.with(self.bias, &list)
    }

    /// The correction of the base's log-odds for the side to move.
    #[inline(always)]
    fn correction(&self, sums: &Lanes) -> f32 {
        const SCALE: f32 = 1.0 / (ONE as f32 * ONE as f32 * OUT_ONE as f32);
        let mut total = i32x4::ZERO;
        for (sum, weight) in sums.iter().zip(&self.out) {
            let unit = sum.max(i16x8::ZERO).min(i16x8::splat(ONE));
            // A product is at most 255 · 127, which fits into 16 bits.
            total += (unit * *weight).dot(unit);
        }
        total.reduce_add() as f32 * SCALE + self.constant
    }
}

#[inline(always)]
fn plus(sums: Lanes, row: &Lanes) -> Lanes {
    std::array::from_fn(|lane| sums[lane] + row[lane])
}

#[inline(always)]
fn minus(sums: Lanes, row: &Lanes) -> Lanes {
    std::array::from_fn(|lane| sums[lane] - row[lane])
}

impl<B> Learned<B> {
    /// The base's log-odds, and the recomputed features.
    #[inline(always)]
    fn look<G: Features>(&self, position: &G) -> (f32, List)
    where
        B: LogOdds<G>,
    {
        let mut list = List::default();
        let add = |feature| list.push(feature as u16);
        let odds = self.base.log_odds_and_features(position, add);
        (odds, list)
    }

    #[inline(always)]
    fn value(&self, (odds, recomputed): (f32, List), incremental: Lanes) -> f32 {
        let sums = self.with(incremental, &recomputed);
        logistic(odds + self.correction(&sums))
    }
}

impl<G: Features, B: LogOdds<G>> Evaluator<G> for Learned<B> {
    #[inline(always)]
    fn evaluate(&self, position: &G) -> f32 {
        // The base comes first, because it may call a function, which needs the registers that hold
        // the sums. When it was computed after the sums, an evaluation in EWN took 64 ns instead of
        // 44.
        let seen = self.look(position);
        self.value(seen, self.incremental(position, position.side()))
    }

    #[inline(always)]
    fn near<'a>(&'a self, parent: &'a G) -> impl Fn(&G) -> f32 + 'a {
        let viewer = !parent.side();
        let before = self.incremental(parent, viewer);
        move |child| {
            let seen = self.look(child);
            let sums = Cell::new(before);
            let remove = |feature: usize| sums.set(minus(sums.get(), &self.rows[feature]));
            let add = |feature: usize| sums.set(plus(sums.get(), &self.rows[feature]));
            let incremental = if child.side() == viewer && child.changes(parent, remove, add) {
                sums.get()
            } else {
                self.incremental(child, child.side())
            };
            self.value(seen, incremental)
        }
    }
}

/// The first line of a file of parameters.
const MAGIC: &[u8] = b"wurfel learned evaluation 1\n";

/// Why a file does not hold the parameters of a learned evaluation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The file is something else, or of another version.
    #[error("not a learned evaluation of this version")]
    UnknownFormat,
    /// The size or the checksum of the file is wrong.
    #[error("the file is damaged or for another game")]
    Damaged,
}

impl Weights {
    /// The parameters as a file: a line that says what it is, all numbers in little-endian order
    /// (rows, biases, output weights, constant), and a checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for row in self.rows.iter().chain([&self.bias, &self.out]) {
            bytes.extend(row.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(self.constant.to_le_bytes());
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// A number that distinguishes these parameters from others: the checksum of their file.
    pub fn checksum(&self) -> u64 {
        let bytes = self.to_bytes();
        bytes.last_chunk::<8>().map_or(0, |sum| u64::from_le_bytes(*sum))
    }

    /// Reads what [`Weights::to_bytes`] has written for a game. A file from before the game had its
    /// last features is read as if it gave these no weight.
    ///
    /// # Errors
    /// When the bytes are not such a file, or are damaged.
    pub fn of_game<G: Features>(bytes: &[u8]) -> Result<Self, WeightsError> {
        Self::from_bytes(bytes, G::FEATURES).or_else(|error| {
            let mut first = Self::from_bytes(bytes, G::FIRST_FEATURES).map_err(|_| error)?;
            first.rows.resize(G::FEATURES, [0; UNITS]);
            Ok(first)
        })
    }

    /// Reads what [`Weights::to_bytes`] has written, for a game with this number of `features`.
    ///
    /// # Errors
    /// When the bytes are not such a file, or are damaged.
    pub fn from_bytes(bytes: &[u8], features: usize) -> Result<Self, WeightsError> {
        let body = bytes.strip_prefix(MAGIC).ok_or(WeightsError::UnknownFormat)?;
        let (body, sum) = body.split_last_chunk::<8>().ok_or(WeightsError::Damaged)?;
        let (body, constant) = body.split_last_chunk::<4>().ok_or(WeightsError::Damaged)?;
        let whole = checksum(&bytes[..bytes.len() - 8]) == u64::from_le_bytes(*sum);
        let (numbers, rest) = body.as_chunks::<2>();
        if !whole || !rest.is_empty() || numbers.len() != (features + 2) * UNITS {
            return Err(WeightsError::Damaged);
        }
        let mut rows: Vec<FeatureRow> = numbers
            .chunks_exact(UNITS)
            .map(|row| std::array::from_fn(|unit| i16::from_le_bytes(row[unit])))
            .collect();
        let (Some(out), Some(bias)) = (rows.pop(), rows.pop()) else {
            return Err(WeightsError::Damaged);
        };
        Ok(Self { rows, bias, out, constant: i32::from_le_bytes(*constant) })
    }
}
