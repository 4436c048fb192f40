//! The encoding of Dice Chess for networks: the planes of a position and the indices of moves.

use wurfel_core::{Encode, Game, Side, Situation, Turn};

use super::attacks::non_pawn;
use super::kind::Kind;
use super::moves::Move;
use super::position::Position;
use super::square::{SQUARES, Square, each};
use super::variants::DiceCount;

/// The encoding `dicechess-v1`. The board is seen from the side to move, as if it were White: ranks
/// are counted from where the side begins, and cells go from a1 to h8.
///
/// Planes: the pieces of either side by kind (12) and the squares that they attack (12); the pieces
/// that may move now; the squares on which a pawn can be captured en passant; and, as one number
/// over the whole board, how many dice show each kind (6), the four castling rights, the number of
/// quiet turns (in hundreds), the chance that the enemy's next roll lets it move, for each kind
/// that can move, and the constant 1.
///
/// Outputs are those of `AlphaZero` (D. Silver and others, 2018), in the order that a spatial
/// policy needs: 64 · way + the square that the piece leaves. The ways are 8 directions with 7
/// lengths each, the 8 leaps of a knight, and promotions to knight, bishop and rook in 3 directions
/// each. The forced pass has index 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct DiceChessV1;

/// The leaps of a knight, as files and ranks.
const LEAPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

const PLANES: usize = 39;
const WAYS: usize = 8 * 7 + LEAPS.len() + 9;

/// The planes, in the order in which they are written.
struct Planes<'a> {
    side: Side,
    planes: std::slice::ChunksExactMut<'a, f32>,
}

impl Planes<'_> {
    fn next(&mut self) -> &mut [f32] {
        self.planes.next().expect("as many planes as are written")
    }

    fn squares(&mut self, squares: u64) {
        let side = self.side;
        let plane = self.next();
        each(squares, |square| plane[seen(side, square)] = 1.0);
    }

    fn everywhere(&mut self, number: f32) {
        self.next().fill(number);
    }
}

/// The index of a square as `side` sees it, with ranks counted from where it begins.
fn seen(side: Side, square: Square) -> usize {
    match side {
        Side::First => square.index(),
        Side::Second => square.flipped().index(),
    }
}

/// The squares that the pieces of a kind of the side to move attack.
fn attacks<D: DiceCount>(position: &Position<D>, kind: Kind) -> u64 {
    let (pieces, occupied) = (position.own(kind), position.occupied());
    if kind == Kind::Pawn {
        return position.pawn_attacks(pieces);
    }
    let mut attacked = 0;
    each(pieces, |from| attacked |= non_pawn(kind, from, occupied));
    attacked
}

/// The way in which a piece moves, 0 to 72; see [`DiceChessV1`].
fn way(side: Side, mv: Move) -> usize {
    let up = if side == Side::First { 1 } else { -1 };
    let files = mv.to().file() as i8 - mv.from().file() as i8;
    let ranks = up * (mv.to().rank() as i8 - mv.from().rank() as i8);
    let lower = match mv.promotion() {
        Some(Kind::Knight) => Some(0),
        Some(Kind::Bishop) => Some(1),
        Some(Kind::Rook) => Some(2),
        _ => None,
    };
    if let Some(kind) = lower {
        return 8 * 7 + LEAPS.len() + 3 * kind + (files + 1) as usize;
    }
    if let Some(leap) = LEAPS.iter().position(|leap| *leap == (files, ranks)) {
        return 8 * 7 + leap;
    }
    // The eight neighbours are numbered row by row, leaving out the square in the middle.
    let direction = (3 * (ranks.signum() + 1) + files.signum() + 1) as usize;
    let direction = direction - usize::from(direction > 4);
    let length = files.abs().max(ranks.abs()) as usize;
    7 * direction + length - 1
}

impl<D: DiceCount> Encode<Position<D>> for DiceChessV1 {
    fn name(&self) -> &'static str {
        "dicechess-v1"
    }

    fn board(&self) -> usize {
        8
    }

    fn planes(&self) -> usize {
        PLANES
    }

    fn moves(&self) -> usize {
        WAYS * SQUARES
    }

    fn write(&self, situation: &Situation<Position<D>>, planes: &mut [f32]) {
        let Situation { position, roll } = situation;
        let side = position.side();
        let mut other = *position;
        other.turn_around();
        let mut planes = Planes { side, planes: planes.chunks_exact_mut(SQUARES) };
        for position in [position, &other] {
            for kind in Kind::ALL {
                planes.squares(position.own(kind));
            }
            for kind in Kind::ALL {
                planes.squares(attacks(position, kind));
            }
        }
        let moves = roll.map(|roll| position.moves(roll));
        let pieces = moves.iter().flatten().filter(|mv| **mv != Move::PASS);
        planes.squares(pieces.fold(0, |pieces, mv| pieces | mv.from().bit()));
        planes.squares(position.passed_squares());
        for kind in Kind::ALL {
            let kinds = roll.iter().flat_map(|roll| roll.kinds());
            planes.everywhere(kinds.filter(|is| *is == kind).count() as f32);
        }
        let rights = position.rights();
        for place in if side == Side::First { [0, 1, 2, 3] } else { [2, 3, 0, 1] } {
            planes.everywhere(f32::from(rights >> place & 1));
        }
        planes.everywhere(f32::from(position.quiet_turns()) / 100.0);
        planes.everywhere(1.0 / other.movable().count_ones().max(1) as f32);
        planes.everywhere(1.0);
    }

    fn index(&self, turn: Turn<'_, Position<D>>, mv: Move) -> usize {
        if mv == Move::PASS {
            return 0;
        }
        way(turn.side(), mv) * SQUARES + seen(turn.side(), mv.from())
    }

    /// Where nobody may castle, the position with its files reversed has the same value.
    fn images(&self) -> usize {
        2
    }

    fn image(
        &self,
        &Situation { position, roll }: &Situation<Position<D>>,
        number: usize,
    ) -> Situation<Position<D>> {
        Situation { position: if number == 0 { position } else { position.mirrored() }, roll }
    }

    fn move_image(&self, turn: Turn<'_, Position<D>>, mv: Move, number: usize) -> Move {
        if number == 0 || turn.position.rights() != 0 || mv == Move::PASS {
            return mv;
        }
        let across = |square: Square| Square::known(square.index() as u32 ^ 7);
        Move::new(across(mv.from()), across(mv.to()), mv.code())
    }
}
