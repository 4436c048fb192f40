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
use super::square::{SQUARES, each};
use super::variants::RuleSet;

/// Features of the men of a side.
const MEN: usize = 6 * SQUARES;
/// Features of the threats of a side: 0 to 6 kinds of 0 to 6.
const THREATS: usize = 7 * 7;

impl<R: RuleSet> Features for Position<R> {
    const FEATURES: usize = 2 * (MEN + THREATS);

    #[inline(always)]
    fn features(&self, viewer: Side, mut add: impl FnMut(usize)) {
        for (start, side) in [(0, viewer), (MEN, !viewer)] {
            for kind in Kind::ALL {
                each(self.men_of(side, kind), |square| {
                    let kind = usize::from(kind.number()) - 1;
                    let seen = if viewer == Side::First { square } else { square.flipped() };
                    add(start + kind * SQUARES + seen.index());
                });
            }
        }
        let mut other = *self;
        other.turn_around();
        let sides = if viewer == self.mover() { [self, &other] } else { [&other, self] };
        for (n, position) in sides.into_iter().enumerate() {
            let attackers = position.attackers().count_ones() as usize;
            let movable = position.movable().count_ones() as usize;
            add(2 * MEN + n * THREATS + attackers * 7 + movable);
        }
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
