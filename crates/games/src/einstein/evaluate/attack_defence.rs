//! An evaluation by attack and defence that considers captures. It **stands in for EWNNY** (S.-T.
//! To, Taiwan Computer Games Association conference 2024, mentioned in paper `zweistein`, section
//! 4.1), whose formula is not public. Like EWNNY it has many tuned parameters; the features that
//! they weigh are this project's own.
//!
//! The probability of entering the goal with the next roll is computed exactly. For the other
//! cases, a weighted sum of features for both sides is turned into a probability by the logistic
//! function. Each feature has one weight for the side to roll and another one for the other side,
//! because the value of a threat depends on whose turn it is. The weights are in
//! `attack_defence.txt`. They were fitted to deeper searches under the official rules by the
//! example `tune_attack_defence` of `wurfel-arena` (`docs/methods/attack-defence.md`); the other
//! rule set uses them as well.

use std::array;

use wurfel_core::{Evaluator, Side};

use super::army::Army;
use super::distance_to_corner::DistanceToCorner;
use super::distances::{Distances, by_code};
use super::mobility::Mobility;
use super::schwarz_score::score;
use crate::einstein::position::Position;
use crate::einstein::rolls::RuleSet;
use crate::logistic::logistic;

/// The features of each side, in this order. Probabilities are those of the side's next roll, 0 to
/// 1:
///
/// * *tempo*: 1 for the side to roll, 0 for the other;
/// * *race*: the expected distance to the corner without captures, in turns;
/// * *runner*: the turns that the side's quickest cube needs alone (the Schwarz score);
/// * *pieces*: how many cubes live;
/// * *nearness*: the sum over the cubes of the probability to be moved times the steps made;
/// * *enter*: the probability of entering the goal;
/// * *take-1* to *take-4*: the probability that the side can capture a cube that is this many steps
///   from its goal;
/// * *exposure*: how close the foremost enemy cube that no own cube can stop any more is to its
///   goal, 0 to 1.
const FEATURES: [&str; COUNT] = [
    "tempo", "race", "runner", "pieces", "nearness", "enter", "take-1", "take-2", "take-3",
    "take-4", "exposure",
];

const COUNT: usize = 11;
/// The first feature that depends on the squares of both sides; those before it depend only on the
/// distances of one side.
const FIRST_BY_SQUARE: usize = 6;

/// The features, or the weights, of the side to roll and of the other side.
type Both = [[f32; COUNT]; 2];

/// The fitted weights.
const WEIGHTS: &str = include_str!("attack_defence.txt");

/// The probability of winning immediately and, for the other cases, a logistic function of attack
/// and defence.
#[derive(Clone, Debug)]
pub struct AttackDefence<R> {
    mobility: Mobility<R>,
    weights: Both,
    /// By distance code, the probability of entering the goal.
    enter: Vec<f32>,
    /// By distance code, the weighted sum of the features that need nothing but the code, for the
    /// side to roll and for the other side.
    weighed: [Vec<f32>; 2],
    /// The values of these features, by feature and distance code.
    features: Vec<Vec<f32>>,
}

impl<R: RuleSet> AttackDefence<R> {
    /// The names of the features.
    pub const FEATURES: [&'static str; COUNT] = FEATURES;

    /// Computes the tables for the weights that ship with the program.
    ///
    /// # Panics
    /// When the program was built with damaged weights, which a test rules out.
    pub fn new() -> Self {
        Self::with_weights(read(WEIGHTS).expect("the weights that ship can be read"))
    }

    fn with_weights(weights: Both) -> Self {
        let mobility = Mobility::<R>::new();
        let dtc = DistanceToCorner::<R>::new();
        let near = |distances: Distances| -> f32 {
            let alive = distances.alive();
            let product =
                |(cube, far): (usize, usize)| mobility.faces(alive, 1 << cube) * (4 - far) as f32;
            distances.living().map(product).sum()
        };
        let race = (1..=15_624).map(|code| dtc.mean(code) as f32);
        let features = vec![
            std::iter::once(0.0).chain(race).collect(),
            by_code(|distances| score(&mobility, distances)),
            by_code(|distances| distances.living().count() as f32),
            by_code(|distances| near(distances) / 6.0),
            by_code(|distances| mobility.faces(distances.alive(), distances.at(1)) / 6.0),
        ];
        let enter = features[FIRST_BY_SQUARE - 2].clone();
        let weighed = weights.map(|weights| {
            let sum = |code: usize| {
                weights[1..].iter().zip(&features).map(|(w, f): (_, &Vec<f32>)| w * f[code]).sum()
            };
            (0..features[0].len()).map(sum).collect()
        });
        Self { mobility, weights, enter, weighed, features }
    }

    /// The probability that the side to roll enters its goal with this roll.
    pub fn wins_at_once(&self, position: &Position<R>) -> f32 {
        self.enter[usize::from(position.distance_code(position.mover()))]
    }

    /// The features of the side to roll and those of the other side, in the order of
    /// [`FEATURES`](Self::FEATURES).
    pub fn features(&self, position: &Position<R>) -> Both {
        let side = position.mover();
        let of = |side: Side, tempo| {
            let mut rows = [tempo; COUNT];
            let code = usize::from(position.distance_code(side));
            for (place, by_code) in rows[1..].iter_mut().zip(&self.features) {
                *place = by_code[code];
            }
            let (own, enemy) = (Army::new(position, side), Army::new(position, !side));
            rows[FIRST_BY_SQUARE..].copy_from_slice(&self.by_square(&own, &enemy));
            rows
        };
        [of(side, 1.0), of(!side, 0.0)]
    }

    #[inline(always)]
    fn by_square(&self, own: &Army, enemy: &Army) -> [f32; COUNT - FIRST_BY_SQUARE] {
        let takers: [u8; 4] = array::from_fn(|n| own.takers(enemy.at(n + 1)));
        let [one, two, three, four] = takers.map(|set| self.mobility.faces(own.alive, set) / 6.0);
        [one, two, three, four, own.exposure(enemy)]
    }
}

/// Reads weights: a line for each feature, in order, with its weight for the side to roll and its
/// weight for the other side. `#` begins a comment.
fn read(text: &str) -> Option<Both> {
    let mut weights = [[0.0; COUNT]; 2];
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    for (place, feature) in FEATURES.iter().enumerate() {
        let line = lines.next()?.strip_prefix(feature)?;
        let mut numbers = line.split_whitespace().map(str::parse);
        for weights in &mut weights {
            weights[place] = numbers.next()?.ok()?;
        }
        if numbers.next().is_some() {
            return None;
        }
    }
    lines.next().is_none().then_some(weights)
}

impl<R: RuleSet> Default for AttackDefence<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: RuleSet> Evaluator<Position<R>> for AttackDefence<R> {
    fn evaluate(&self, position: &Position<R>) -> f32 {
        let side = position.mover();
        let (own, enemy) = (Army::new(position, side), Army::new(position, !side));
        let (mover, other) = position.distance_codes();
        let [ours, theirs] = &self.weights;
        let mut ahead =
            ours[0] + self.weighed[0][usize::from(mover)] + self.weighed[1][usize::from(other)];
        let features =
            [(ours, self.by_square(&own, &enemy)), (theirs, self.by_square(&enemy, &own))];
        for (weights, features) in features {
            for (weight, feature) in weights[FIRST_BY_SQUARE..].iter().zip(features) {
                ahead += weight * feature;
            }
        }
        let wins = self.enter[usize::from(mover)];
        wins + (1.0 - wins) * logistic(ahead)
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "numbers that floats hold exactly")]
mod tests {
    use super::*;
    use crate::einstein::{Einstein, Official};

    #[test]
    fn the_weights_that_ship_can_be_read() {
        let weights = read(WEIGHTS).unwrap();
        assert_eq!(weights[1][0], 0.0, "only one side has the move");
        assert_eq!(read(&WEIGHTS.replace("race", "rice")), None);
        assert_eq!(read(&format!("{WEIGHTS}more 1 2\n")), None);
        assert_eq!(read("tempo 1 2 3"), None);
    }

    #[test]
    fn features_worked_out_by_hand() {
        // . . . . .
        // . c . . .     red rolls
        // . . . . .
        // . . B e .
        // . . . D .
        let position: Einstein = "5/1c3/5/2Be1/3D1 r".parse().unwrap();
        let evaluation = AttackDefence::<Official>::new();
        let [red, blue] = evaluation.features(&position);
        // B with faces 1 to 3, D with 3 to 6. D can enter, B and no other can
        // take e, which is three steps from a5; c, one step away, has passed.
        assert_eq!(red[0], 1.0);
        assert_eq!(red[2..4], [1.5, 2.0]);
        assert_eq!(red[4], (3.0 * 2.0 + 4.0 * 3.0) / 6.0);
        assert_eq!(red[5..], [4.0 / 6.0, 0.0, 0.0, 0.5, 0.0, 1.0]);
        // c with faces 1 to 4, e with 4 to 6. c can enter; e can take B, two steps
        // from e1; D, one step away, has passed both.
        assert_eq!(blue[0], 0.0);
        assert_eq!(blue[2..4], [1.5, 2.0]);
        assert_eq!(blue[5..], [4.0 / 6.0, 0.0, 0.5, 0.0, 0.0, 1.0]);
        assert_eq!(evaluation.wins_at_once(&position), 4.0 / 6.0);
    }

    #[test]
    fn an_evaluation_weighs_the_features() {
        let weights = read(WEIGHTS).unwrap();
        let evaluation = AttackDefence::<Official>::with_weights(weights);
        for text in
            ["5/1c3/5/2Be1/3D1 r", "A1B2/2C1f/1D1e1/E2d1/1cF1b b", "ABC2/DE3/F3f/3ed/2cba r"]
        {
            let position: Einstein = text.parse().unwrap();
            let features = evaluation.features(&position);
            let products = weights.iter().flatten().zip(features.iter().flatten());
            let ahead: f32 = products.map(|(weight, feature)| weight * feature).sum();
            let wins = evaluation.wins_at_once(&position);
            let expected = wins + (1.0 - wins) * logistic(ahead);
            let value = evaluation.evaluate(&position);
            assert!((value - expected).abs() < 1e-5, "{text}: {value} {expected}");
        }
    }
}
