//! The features of a Dice Chess position for the learned evaluation. Each piece is one feature, by
//! side (to move or not), kind and square. Other features describe each side as if it were to move:
//! what its kinds can capture, how many of them can capture the king, and how exposed the enemy's
//! king is.
//!
//! Squares are seen from the side to move. A kind moves only when the die shows it, so the best
//! capture of each kind together with the number of kinds that can move comes close to what the
//! next roll will bring.
//!
//! A roll of three dice can do more, so with three dice each side has further features: which kinds
//! can capture which, and whether the captured piece is guarded; the one or two dice that capture
//! the king, and how likely they are; and the castling rights. They come last, so that parameters
//! from before they were added can still be read.

use wurfel_core::{Features, Side};

use super::dice::{PARTS_OF_ROLLS, chances_of};
use super::kind::Kind;
use super::position::Position;
use super::sight::{BLIND, Sight};
use super::square::{SQUARES, Square, each};
use super::variants::DiceCount;

/// How many features the pieces of one side have.
pub(super) const PIECES: usize = 6 * SQUARES;
/// How many features say what the kinds see: 15 cases for each kind, for each number of kinds that
/// can move, 0 to 6.
const SEEN: usize = 6 * SORTS * 7;
const SORTS: usize = BLIND as usize + 1;
/// How many features say how many kinds can capture the king, 0 to 6, out of 0 to 6 that can move.
const THREATS: usize = 7 * 7;
/// How many features say how many squares a king sees, along ranks and files and along diagonals.
const OPEN: usize = 2 * 16;
/// How many features say what one side sees.
const SIGHT: usize = SEEN + THREATS + OPEN;
/// How many features say which kind can capture which, unguarded or guarded.
const CAPTURES: usize = 6 * 6 * 2;
/// How many features say how many of the 216 outcomes of three dice capture the king with two of
/// the dice.
const CHANCES: usize = 216 / CHANCES_ALIKE + 1;
/// How many neighbouring numbers of outcomes share a feature. Zero has a feature of its own.
const CHANCES_ALIKE: usize = 8;
/// How many more features one side has with three dice; the last two are its castling rights.
const OF_THREE_DICE: usize = CAPTURES + PARTS_OF_ROLLS + CHANCES + 2;
/// How many kinds these further features have.
const KINDS_OF_THREE_DICE: usize = CAPTURES / 2 + PARTS_OF_ROLLS + CHANCES / 2 + 2;

/// How many kinds of features there are with one die.
const FIRST_KINDS: usize = 2 * (PIECES / 8 + 6 * SORTS + 7 + OPEN / 2);

#[inline(always)]
fn piece(viewer: Side, side: Side, kind: Kind, square: Square) -> usize {
    let start = if side == viewer { 0 } else { PIECES };
    let seen = if viewer == Side::First { square } else { square.flipped() };
    start + (usize::from(kind.number()) - 1) * SQUARES + seen.index()
}

/// Adds the features for what the side to move sees, numbered from `start`.
#[inline(always)]
fn seen(sight: &Sight, start: usize, add: &mut impl FnMut(usize)) {
    for (kind, &seen) in sight.kinds.iter().enumerate() {
        add(start + (kind * SORTS + usize::from(seen)) * 7 + sight.movable);
    }
    let start = start + SEEN;
    add(start + sight.attackers.count_ones() as usize * 7 + sight.movable);
    let start = start + THREATS;
    add(start + sight.king[0]);
    add(start + 16 + sight.king[1]);
}

/// Adds the features for what the side to move can do with three dice, numbered from `start`.
/// `guarded` are the squares that the other side guards. Returns the parts of rolls that capture
/// the king.
#[inline(always)]
fn with_three_dice<D: DiceCount>(
    position: &Position<D>,
    sight: &Sight,
    guarded: u64,
    start: usize,
    add: &mut impl FnMut(usize),
) -> u32 {
    for (kind, &captures) in sight.captures.iter().enumerate().filter(|(_, set)| **set != 0) {
        for victim in Kind::ALL {
            let victims = captures & position.pieces(victim);
            let pair = start + (kind * 6 + usize::from(victim.number()) - 1) * 2;
            if victims & !guarded != 0 {
                add(pair);
            }
            if victims & guarded != 0 {
                add(pair + 1);
            }
        }
    }
    let start = start + CAPTURES;
    let parts = position.winning_parts_seen(sight);
    let mut rest = parts;
    while rest != 0 {
        add(start + rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
    let start = start + PARTS_OF_ROLLS;
    add(start + (chances_of(parts) as usize).div_ceil(CHANCES_ALIKE));
    let start = start + CHANCES;
    for (n, may) in position.may_castle().into_iter().enumerate() {
        if may {
            add(start + n);
        }
    }
    parts
}

/// The kind of a feature that exists only with three dice, counted from the first of these.
fn kind_with_three_dice(feature: usize) -> usize {
    let (side, feature) = (feature / OF_THREE_DICE, feature % OF_THREE_DICE);
    let chances = CAPTURES + PARTS_OF_ROLLS;
    let kind = if feature < CAPTURES {
        feature / 2
    } else if feature < chances {
        CAPTURES / 2 + feature - CAPTURES
    } else if feature < chances + CHANCES {
        CAPTURES / 2 + PARTS_OF_ROLLS + (feature - chances) / 2
    } else {
        CAPTURES / 2 + PARTS_OF_ROLLS + CHANCES / 2 + feature - chances - CHANCES
    };
    side * KINDS_OF_THREE_DICE + kind
}

impl<D: DiceCount> Position<D> {
    /// Adds the recomputed features. With three dice, returns the parts of rolls with which `viewer`
    /// would capture the king if it were to move, like
    /// [`winning_parts`](Position::winning_parts), which are found on the way.
    #[inline(always)]
    pub(super) fn recomputed_with_parts(&self, viewer: Side, mut add: impl FnMut(usize)) -> u32 {
        let mut other = *self;
        other.turn_around();
        let (own, others) = if viewer == self.mover() { (self, &other) } else { (&other, self) };
        let sights = [own, others].map(Sight::of);
        seen(&sights[0], 2 * PIECES, &mut add);
        seen(&sights[1], 2 * PIECES + SIGHT, &mut add);
        if !D::THREE_DICE {
            return 0;
        }
        let start = Self::FIRST_FEATURES;
        let parts = with_three_dice(own, &sights[0], sights[1].guarded, start, &mut add);
        let start = start + OF_THREE_DICE;
        with_three_dice(others, &sights[1], sights[0].guarded, start, &mut add);
        parts
    }
}

impl<D: DiceCount> Features for Position<D> {
    const FEATURES: usize =
        Self::FIRST_FEATURES + if D::THREE_DICE { 2 * OF_THREE_DICE } else { 0 };
    const FIRST_FEATURES: usize = 2 * (PIECES + SIGHT);

    #[inline(always)]
    fn features(&self, viewer: Side, mut add: impl FnMut(usize)) {
        for side in Side::BOTH {
            for kind in Kind::ALL {
                each(self.pieces_of(side, kind), |square| add(piece(viewer, side, kind, square)));
            }
        }
    }

    #[inline(always)]
    fn recomputed(&self, viewer: Side, add: impl FnMut(usize)) {
        self.recomputed_with_parts(viewer, add);
    }

    /// Compares only the squares whose contents differ.
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

    const KINDS: usize = FIRST_KINDS + if D::THREE_DICE { 2 * KINDS_OF_THREE_DICE } else { 0 };

    /// These features are of one kind: a piece of the same kind and side, anywhere on one rank; a
    /// piece kind that sees the same, however many kinds can move; equally many attackers; and a
    /// king that sees nearly as many squares. With three dice so are captures of a guarded and of
    /// an unguarded piece, and nearly equal chances.
    fn kind(feature: usize) -> usize {
        if let Some(feature) = feature.checked_sub(Self::FIRST_FEATURES) {
            return FIRST_KINDS + kind_with_three_dice(feature);
        }
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
