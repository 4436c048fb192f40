//! Which replies to a roll of three dice look good: piece-square tables for each square of a king.
//!
//! A turn can end in hundreds of positions, and a search has time to evaluate only a few of them. A
//! sum of one number for each piece picks them. What a square is worth depends most of all on where
//! the kings stand, so there is a table for each square of either king, as in the inputs of NNUE
//! networks (Y. Nasu, "Efficiently updatable neural-network-based evaluation functions for computer
//! shogi", 2018), but without hidden units.

use std::cell::Cell;

use wurfel_core::{EndPreference, Features, Side};

use super::features::PIECES;
use super::kind::Kind;
use super::position::Position;
use super::square::{SQUARES, Square};
use super::variants::DiceCount;
use crate::linear::LinearValue;

/// One number for each piece of either side on each square.
const TABLE: usize = 2 * PIECES;

/// How many numbers there are: a table for each square of the king that can be captured next, one
/// for each square of the king whose side has just moved, and one for all positions.
pub(super) const END_FEATURES: usize = (2 * SQUARES + 1) * TABLE;

/// The tables, each row of them for one square of a king.
pub(super) struct PieceSquares {
    /// By the square of the king of the side to move.
    enemy: Vec<f32>,
    /// By the square of the king whose side has just moved.
    own: Vec<f32>,
}

/// The square of a side's king, as the side to move sees the board; `None` without a king.
#[inline(always)]
fn king_of<D: DiceCount>(position: &Position<D>, viewer: Side, side: Side) -> Option<usize> {
    let kings = position.pieces_of(side, Kind::King);
    let square = (kings != 0).then(|| Square::known(kings.trailing_zeros()))?;
    Some(if viewer == Side::First { square } else { square.flipped() }.index())
}

/// The features of a position in which a turn has just ended, seen from the side to move.
pub(super) fn end_features<D: DiceCount>(position: &Position<D>, mut add: impl FnMut(usize)) {
    let viewer = position.mover();
    let kings = [viewer, !viewer].map(|side| king_of(position, viewer, side));
    let [Some(enemy), Some(own)] = kings else { return };
    position.features(viewer, |piece| {
        add(enemy * TABLE + piece);
        add((SQUARES + own) * TABLE + piece);
        add(2 * SQUARES * TABLE + piece);
    });
}

impl PieceSquares {
    /// The tables with these weights; `None` if their number is wrong.
    pub fn new(values: &LinearValue) -> Option<Self> {
        let (kings, all) = values.weights.split_at_checked(2 * SQUARES * TABLE)?;
        if all.len() != TABLE {
            return None;
        }
        let (enemy, own) = kings.split_at(SQUARES * TABLE);
        let sum = |row: &[f32]| row.iter().zip(all).map(|(one, all)| one + all).collect::<Vec<_>>();
        Some(Self { enemy: enemy.chunks(TABLE).flat_map(sum).collect(), own: own.to_vec() })
    }

    #[inline(always)]
    fn rows(&self, enemy: usize, own: usize) -> [&[f32]; 2] {
        let row = |king: usize| king * TABLE..(king + 1) * TABLE;
        [&self.enemy[row(enemy)], &self.own[row(own)]]
    }

    /// The sum over all pieces, as `viewer` sees them.
    fn sum<D: DiceCount>(&self, position: &Position<D>, viewer: Side) -> f32 {
        let kings = [viewer, !viewer].map(|side| king_of(position, viewer, side));
        let [Some(enemy), Some(own)] = kings else { return 0.0 };
        let [by_enemy, by_own] = self.rows(enemy, own);
        let mut sum = 0.0;
        position.features(viewer, |piece| sum += by_enemy[piece] + by_own[piece]);
        sum
    }
}

impl<D: DiceCount> EndPreference<Position<D>> for PieceSquares {
    /// The change of the sum. As long as no king has moved, only squares that have changed matter.
    #[inline]
    fn rate(&self, before: &Position<D>, end: &Position<D>) -> f32 {
        let viewer = end.mover();
        let kings = |position| [viewer, !viewer].map(|side| king_of(position, viewer, side));
        let [Some(enemy), Some(own)] = kings(end) else { return 0.0 };
        if kings(before) != [Some(enemy), Some(own)] {
            return self.sum(end, viewer) - self.sum(before, viewer);
        }
        let [by_enemy, by_own] = self.rows(enemy, own);
        let change = Cell::new(0.0);
        let worth = |piece: usize| by_enemy[piece] + by_own[piece];
        let remove = |piece| change.set(change.get() - worth(piece));
        let add = |piece| change.set(change.get() + worth(piece));
        end.changes(before, remove, add);
        change.get()
    }
}

#[cfg(test)]
mod tests {
    use wurfel_core::{Game, Random, draw};

    use super::*;
    use crate::dicechess::DiceChess3;

    /// The sum of the features' weights is the definition; the tables find its change.
    #[test]
    fn a_rating_is_the_change_of_the_sum_of_the_features() {
        let mut random = Random::new(3);
        let weight = |n: usize| f64::from(n as u32 % 1009) / 64.0;
        let weights = (0..END_FEATURES).map(|n| weight(n) as f32).collect();
        let tables = PieceSquares::new(&LinearValue { weights }).unwrap();
        let sum = |position: &DiceChess3| {
            let mut sum = 0.0;
            end_features(position, |feature| sum += weight(feature));
            sum
        };
        let (mut comparisons, mut kings) = (0, 0);
        while comparisons < 5_000 {
            let mut position = DiceChess3::default();
            while position.outcome().is_none() {
                let roll = draw(position.rolls(), &mut random);
                let mut other = position;
                other.turn_around();
                let before = sum(&other);
                let mut next = None;
                position.ends(roll, |end| {
                    if end.outcome().is_some() {
                        return;
                    }
                    let (actual, wanted) = (tables.rate(&position, end), sum(end) - before);
                    assert!(
                        (f64::from(actual) - wanted).abs() < 0.01,
                        "{position} {end}: {actual} {wanted}"
                    );
                    comparisons += 1;
                    let own = |position: &DiceChess3| position.pieces_of(!end.side(), Kind::King);
                    kings += u32::from(own(end) != own(&position));
                    if random.below(100) == 0 {
                        next = Some(*end);
                    }
                });
                let Some(next) = next else { break };
                position = next;
            }
        }
        assert!(kings > 100, "{kings} of {comparisons}");
    }

    #[test]
    fn another_number_of_weights_is_refused() {
        for count in [0, END_FEATURES - 1, END_FEATURES + 1] {
            assert!(PieceSquares::new(&LinearValue::even(count)).is_none(), "{count}");
        }
    }
}
