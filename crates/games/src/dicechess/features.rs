//! What a learned evaluation sees of a position: each man by side (to move or not),
//! kind and square; and for each side how many of its kinds can capture the king
//! now, of how many that can move.
//!
//! Squares are seen from the side to move. The threats decide much: with one die the
//! two numbers are the exact chance to win at once, and what it would be for the side
//! that waits. With three dice they are a part of it.

use wurfel_game::{Features, Side};

use super::kind::Kind;
use super::position::Position;
use super::square::{SQUARES, Square, each};
use super::variants::RuleSet;

/// Features of the men of a side.
const MEN: usize = 6 * SQUARES;
/// Features of the threats of a side: 0 to 6 kinds of 0 to 6.
const THREATS: usize = 7 * 7;

/// The feature of a man.
#[inline(always)]
fn man(viewer: Side, side: Side, kind: Kind, square: Square) -> usize {
    let start = if side == viewer { 0 } else { MEN };
    let seen = if viewer == Side::First { square } else { square.flipped() };
    start + (usize::from(kind.number()) - 1) * SQUARES + seen.index()
}

/// The features of the threats of both sides.
#[inline(always)]
fn threats<R: RuleSet>(position: &Position<R>, viewer: Side) -> [usize; 2] {
    let mut other = *position;
    other.turn_around();
    let (own, others) =
        if viewer == position.mover() { (position, &other) } else { (&other, position) };
    let threat = |position: &Position<R>| {
        let attackers = position.attackers().count_ones() as usize;
        attackers * 7 + position.movable().count_ones() as usize
    };
    [2 * MEN + threat(own), 2 * MEN + THREATS + threat(others)]
}

impl<R: RuleSet> Features for Position<R> {
    const FEATURES: usize = 2 * (MEN + THREATS);

    #[inline(always)]
    fn features(&self, viewer: Side, mut add: impl FnMut(usize)) {
        for side in Side::BOTH {
            for kind in Kind::ALL {
                each(self.men_of(side, kind), |square| add(man(viewer, side, kind, square)));
            }
        }
        threats(self, viewer).into_iter().for_each(add);
    }

    /// The squares that are not as they were, and the threats.
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
                remove(man(viewer, side, kind, square));
            }
            if let Some((side, kind)) = self.at(square) {
                add(man(viewer, side, kind, square));
            }
        });
        threats(before, viewer).into_iter().for_each(remove);
        threats(self, viewer).into_iter().for_each(add);
        true
    }

    const KINDS: usize = 2 * 6 * 8 + 2 * 7;

    /// A man of the same kind and side on the same rank; as many attackers.
    fn kind(feature: usize) -> usize {
        match feature.checked_sub(2 * MEN) {
            None => feature / 8,
            Some(threat) => 2 * 6 * 8 + threat / 7,
        }
    }

    /// Without castling the files may be counted from either side.
    fn twin(&self) -> Self {
        self.mirrored()
    }
}
