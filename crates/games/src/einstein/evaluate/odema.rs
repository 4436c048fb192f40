//! ODEMA, the evaluation of the "offensive and defensive expect minimax
//! algorithm" (X. Li et al., CCDC 2015), as paper `zweistein`, section 4.1 and
//! equation 5, uses it: 2.5 · Attack + Block − 0.05 · Threat, with N = 2.
//!
//! The factors and N are those of the paper. It does not say what the terms are, and ODEMA's own
//! paper is not public. They are read as follows:
//!
//! * The value of a cube is 2^(5 − distance): 2 at four steps from its goal, 16 at one. Its
//!   mobility is the number of faces that let it move. *Attack* is the sum of value times mobility
//!   over a side's cubes. All of this follows the description of a student's program after ODEMA
//!   (GitHub, `shaoyuchu/TCG`, `final_EWN`).
//! * *Threat* is the sum over the enemy's cubes of mobility times the value of the best cube that
//!   each can capture (the same source).
//! * *Block* is this project's own reading: the source equates it with the enemy's Attack, while
//!   the paper says that it needs N. Here it is minus the sum of the N largest products among the
//!   enemy's cubes, that is, of what is left unblocked.
//!
//! The sum belongs to one side and is not a difference, so it matters which side that is. It is the
//! side that has just moved, because the paper evaluates when "we have already completed our move"
//! (section 3.3.2). Of the readings that were tried, the difference of both sides' sums played
//! better but did not show the paper's ups and downs between odd and even depths; the reading used
//! here does (`docs/methods/odema.md`).

use wurfel_core::Evaluator;

use super::army::Army;
use super::distances::{Distances, by_code};
use super::mobility::Mobility;
use crate::einstein::position::Position;
use crate::einstein::rolls::RuleSet;
use crate::logistic::logistic;

/// The factor of Attack, from the paper.
const ATTACK: f32 = 2.5;
/// The factor of Threat, from the paper.
const THREAT: f32 = 0.05;
/// How many enemy cubes Block considers, from the paper.
const N: usize = 2;
/// The sum at which a position is even. The constant below it is the log-odds for each point above
/// that sum. Both were fitted: see `docs/methods/attack-defence.md`.
const EVEN: f32 = 59.0;
const SLOPE: f32 = 0.0114;

/// The logistic function of the sum for the side that has just moved.
#[derive(Clone, Debug)]
pub struct Odema<R> {
    mobility: Mobility<R>,
    /// Attack by distance code.
    attack: Vec<f32>,
    /// Block by the distance code of the enemy, with its negative sign.
    block: Vec<f32>,
}

impl<R: RuleSet> Odema<R> {
    /// Computes the tables.
    pub fn new() -> Self {
        let mobility = Mobility::<R>::new();
        let attack = by_code(|distances| products(&mobility, distances).iter().sum());
        let block = by_code(|distances| {
            let mut products = products(&mobility, distances);
            products.sort_by(|left, right| right.total_cmp(left));
            products[..N].iter().sum()
        });
        Self { mobility, attack, block }
    }

    /// The weighted sum of the three terms for the side that has just moved, in points.
    #[inline(always)]
    fn sum(&self, position: &Position<R>) -> f32 {
        let mover = position.mover();
        let (own, enemy) = (Army::new(position, !mover), Army::new(position, mover));
        let (enemy_code, own_code) = position.distance_codes();
        ATTACK * self.attack[usize::from(own_code)]
            - self.block[usize::from(enemy_code)]
            - THREAT * self.threat(&own, &enemy)
    }

    /// Threat for the side whose cubes are `own`.
    #[inline(always)]
    fn threat(&self, own: &Army, enemy: &Army) -> f32 {
        let mut sum = 0.0;
        for (cube, steps) in enemy.steps().into_iter().enumerate() {
            let best = own.foremost(steps).map_or(0.0, worth);
            sum += self.mobility.faces(enemy.alive, 1 << cube) * best;
        }
        sum
    }
}

/// The value of a cube at this distance from its goal, 1 to 4.
#[inline(always)]
fn worth(distance: usize) -> f32 {
    (32 >> distance) as f32
}

/// Mobility times value of each cube; 0 for a captured one.
fn products<R: RuleSet>(mobility: &Mobility<R>, distances: Distances) -> [f32; 6] {
    let mut products = [0.0; 6];
    for (cube, far) in distances.living() {
        products[cube] = mobility.faces(distances.alive(), 1 << cube) * worth(far);
    }
    products
}

impl<R: RuleSet> Default for Odema<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: RuleSet> Evaluator<Position<R>> for Odema<R> {
    fn evaluate(&self, position: &Position<R>) -> f32 {
        logistic(SLOPE * (EVEN - self.sum(position)))
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "numbers that floats hold exactly")]
mod tests {
    use super::*;
    use crate::einstein::{Einstein, Official};

    #[test]
    fn a_position_worked_out_by_hand() {
        // . . . . .
        // . . . . .    A is four steps from e1, worth 2, F three, worth 4; faces 2
        // . F . . .    to 5 leave a choice, so each has five: products 10 and 20.
        // . . e . .    e is three steps from a5, worth 4, with six faces: 24.
        // A . . . .    F can take e, 5 · 4, and e can take F, 6 · 4.
        let odema = Odema::<Official>::new();
        let position: Einstein = "5/5/1F3/2e2/A4 b".parse().unwrap();
        assert_eq!(odema.sum(&position), 2.5 * 30.0 - 24.0 - 0.05 * 24.0);
        let position: Einstein = "5/5/1F3/2e2/A4 r".parse().unwrap();
        assert_eq!(odema.sum(&position), 2.5 * 24.0 - 30.0 - 0.05 * 20.0);
        assert_eq!(odema.evaluate(&position), logistic(SLOPE * (EVEN - 29.0)));
    }

    #[test]
    fn block_looks_at_two_cubes() {
        // A, B and C are four steps from e1: one, one and four faces, worth 2; c,
        // with all faces, is four steps from a5.
        let position: Einstein = "ABC2/5/5/5/4c r".parse().unwrap();
        let sum = Odema::<Official>::new().sum(&position);
        assert_eq!(sum, 2.5 * 12.0 - (8.0 + 2.0));
    }
}
