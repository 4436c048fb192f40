//! The features of a Dice Chess position for the learned evaluation. Each piece is one, by side (to
//! move or not), kind and square. Others describe each side as if it were to move: what its kinds
//! can capture, how many of them can capture the king, and how open the enemy's king stands.
//!
//! Squares are seen from the side to move. A kind moves only when the die shows it, so the best
//! capture of each kind together with the number of kinds that can move comes close to what the
//! next roll will bring.

use wurfel_core::{Features, Side};

use super::kind::Kind;
use super::position::Position;
use super::sight::{BLIND, Sight};
use super::square::{SQUARES, Square, each};
use super::variants::RuleSet;

/// How many features the pieces of one side have.
const PIECES: usize = 6 * SQUARES;
/// How many features say what the kinds see: 15 sorts for each kind, where 0 to 6 kinds can move.
const SEEN: usize = 6 * SORTS * 7;
const SORTS: usize = BLIND as usize + 1;
/// How many features say that 0 to 6 of 0 to 6 kinds can capture the king.
const THREATS: usize = 7 * 7;
/// How many features say how many squares a king sees along ranks and files, and along diagonals.
const OPEN: usize = 2 * 16;
/// How many features say what one side sees.
const SIGHT: usize = SEEN + THREATS + OPEN;

/// The feature of a piece.
#[inline(always)]
fn piece(viewer: Side, side: Side, kind: Kind, square: Square) -> usize {
    let start = if side == viewer { 0 } else { PIECES };
    let seen = if viewer == Side::First { square } else { square.flipped() };
    start + (usize::from(kind.number()) - 1) * SQUARES + seen.index()
}

/// Adds the features of what the side to move sees, from number `start` on.
#[inline(always)]
fn sight<R: RuleSet>(position: &Position<R>, start: usize, add: &mut impl FnMut(usize)) {
    let sight = Sight::of(position);
    for (kind, &seen) in sight.kinds.iter().enumerate() {
        add(start + (kind * SORTS + usize::from(seen)) * 7 + sight.movable);
    }
    let start = start + SEEN;
    add(start + sight.attackers * 7 + sight.movable);
    let start = start + THREATS;
    add(start + sight.king[0]);
    add(start + 16 + sight.king[1]);
}

impl<R: RuleSet> Features for Position<R> {
    const FEATURES: usize = 2 * (PIECES + SIGHT);

    #[inline(always)]
    fn features(&self, viewer: Side, mut add: impl FnMut(usize)) {
        for side in Side::BOTH {
            for kind in Kind::ALL {
                each(self.pieces_of(side, kind), |square| add(piece(viewer, side, kind, square)));
            }
        }
    }

    #[inline(always)]
    fn fleeting(&self, viewer: Side, mut add: impl FnMut(usize)) {
        let mut other = *self;
        other.turn_around();
        let (own, others) = if viewer == self.mover() { (self, &other) } else { (&other, self) };
        sight(own, 2 * PIECES, &mut add);
        sight(others, 2 * PIECES + SIGHT, &mut add);
    }

    /// Compares only the squares on which something else stands now.
    #[inline(always)]
    fn changes(
        &self,
        before: &Self,
        mut remove: impl FnMut(usize),
        mut add: impl FnMut(usize),
    ) -> bool {
        let viewer = self.mover();
        each(self.changed_since(before), |square| {
            if let Some((side, kind)) = before.at(square) {
                remove(piece(viewer, side, kind, square));
            }
            if let Some((side, kind)) = self.at(square) {
                add(piece(viewer, side, kind, square));
            }
        });
        true
    }

    const KINDS: usize = 2 * (PIECES / 8 + 6 * SORTS + 7 + OPEN / 2);

    /// Of one kind are the features of a piece of the same kind and side on one rank; those of a
    /// piece kind that sees the same, however many kinds can move; those of equally many attackers;
    /// and those of kings that see nearly as many squares.
    fn kind(feature: usize) -> usize {
        let Some(feature) = feature.checked_sub(2 * PIECES) else { return feature / 8 };
        let (side, seen) = (feature / SIGHT, feature % SIGHT);
        let start = 2 * (PIECES / 8) + side * (6 * SORTS + 7 + OPEN / 2);
        start
            + if seen < SEEN + THREATS {
                seen / 7
            } else {
                6 * SORTS + 7 + (seen - SEEN - THREATS) / 2
            }
    }

    /// Where nobody may castle, the position with its files reversed has the same value.
    fn twin(&self) -> Self {
        self.mirrored()
    }
}
