//! The encodings of EWN for networks: the planes of a turn and the indices of moves.
//!
//! `ewn-v1` is that of paper `policy-value-network` (section 2.4.1), as far as its text allows;
//! `ewn-v2` and `ewn-v3` are this project's. Planes are written row by row from the top left.

use wurfel_core::{Encode, Game, Side, Situation, Turn};

use super::board::{CELLS, Cell, SIZE};
use super::cube::Cube;
use super::moves::Move;
use super::position::Position;
use super::rolls::{Die, FACES, RuleSet};

/// An encoding of EWN. The fields are what distinguishes one from another; all of them show the
/// same board and have the same symmetries.
pub(super) struct Encoding<R: RuleSet> {
    name: &'static str,
    planes: usize,
    moves: usize,
    /// How many symmetries change the planes.
    images: usize,
    write: fn(&Situation<Position<R>>, &mut [f32]),
    index: fn(Turn<'_, Position<R>>, Move) -> usize,
}

impl<R: RuleSet> Encoding<R> {
    /// The encoding of the paper, with 16 planes. Six planes show the cubes of the side to move,
    /// one for each cube, and six those of its enemy. Three planes say where a cube of the side to
    /// move may step, for steps sideways, ahead and diagonally, with 1 for red and −1 for blue;
    /// these are the paper's "directions", taken to be the steps that stay on the board. The last
    /// plane is 1 everywhere when red is to move, and −1 otherwise. The board is not turned, and no
    /// plane shows the die.
    ///
    /// The paper's 27 outputs are "9 positions and 3 directions". Read literally they cannot tell
    /// the moves of every position apart, because cubes stand on 25 squares. The interpretation
    /// here keeps their number: 9 · which cube (the only one that may move, or the lower or the
    /// higher one of two) + 3 · direction + what stands on the target (nothing, an enemy, or an own
    /// cube).
    pub const V1: Self = Self {
        name: "ewn-v1",
        planes: 16,
        moves: 27,
        images: 16,
        write: write_v1,
        index: index_v1,
    };

    /// The board is seen from the side to move, as if that were red: for blue it is turned by half
    /// a turn. There are six planes with the cubes of the side to move, six with those of its
    /// enemy, one with the cubes that the die lets move, and one of ones, which shows where the
    /// board ends. There are 18 outputs: 3 · cube + direction (sideways, ahead, diagonally).
    pub const V2: Self =
        Self { name: "ewn-v2", planes: 14, moves: 18, images: 8, write: write_v2, index: index_v2 };

    /// `ewn-v2` with two more planes, which show for each cube the share of the die's faces that
    /// let it move: one for the own cubes and one for the enemy's. This share depends on which
    /// other cubes are left, wherever they stand, while a convolution sees only its neighbourhood.
    /// There are 75 outputs, in the order that a spatial policy needs: 25 · direction + the square
    /// that the cube leaves.
    pub const V3: Self = Self {
        name: "ewn-v3",
        planes: 16,
        moves: 3 * CELLS,
        images: 8,
        write: write_v3,
        index: index_v3,
    };
}

/// A set of symmetries, one for each bit.
#[derive(Clone, Copy)]
struct Image(usize);

impl Image {
    fn mirrors(self) -> bool {
        self.0 & 1 != 0
    }

    fn reverses_mover(self) -> bool {
        self.0 & 2 != 0
    }

    fn reverses_other(self) -> bool {
        self.0 & 4 != 0
    }

    fn swaps_colours(self) -> bool {
        self.0 & 8 != 0
    }

    fn situation<R: RuleSet>(
        self,
        &Situation { mut position, roll }: &Situation<Position<R>>,
    ) -> Situation<Position<R>> {
        let side = position.side();
        if self.mirrors() {
            position = position.mirrored();
        }
        if self.reverses_mover() {
            position = position.numbers_reversed(side);
        }
        if self.reverses_other() {
            position = position.numbers_reversed(!side);
        }
        if self.swaps_colours() {
            position = position.colours_swapped();
        }
        let image = |die: Die| {
            let cube = Cube::known(die.number() - 1);
            Die::of(if self.reverses_mover() { reversed(cube) } else { cube })
        };
        Situation { position, roll: roll.map(image) }
    }

    fn mv(self, side: Side, mv: Move) -> Move {
        let cell = |cell: Cell| {
            let (mut row, mut column) = (cell.row(), cell.column());
            if self.mirrors() {
                (row, column) = (column, row);
            }
            if self.swaps_colours() {
                (row, column) = (SIZE - 1 - row, SIZE - 1 - column);
            }
            Cell::at(row, column)
        };
        let cube = if self.reverses_mover() { reversed(mv.cube()) } else { mv.cube() };
        let side = if self.swaps_colours() { !side } else { side };
        Move::new(side, cube, cell(mv.from()), cell(mv.to()))
    }
}

fn reversed(cube: Cube) -> Cube {
    Cube::known(5 - cube.index() as u8)
}

/// The index of a square as red sees it, or as blue sees it after a half turn.
fn seen(side: Side, cell: Cell) -> usize {
    match side {
        Side::First => cell.index(),
        Side::Second => CELLS - 1 - cell.index(),
    }
}

/// The direction of a move: 0 sideways, 1 ahead, 2 diagonally.
fn direction(mv: Move) -> usize {
    let (row, column) = (mv.from().row() != mv.to().row(), mv.from().column() != mv.to().column());
    usize::from(row) + usize::from(row && column)
}

impl<R: RuleSet> Encode<Position<R>> for Encoding<R> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn board(&self) -> usize {
        usize::from(SIZE)
    }

    fn planes(&self) -> usize {
        self.planes
    }

    fn moves(&self) -> usize {
        self.moves
    }

    fn write(&self, situation: &Situation<Position<R>>, planes: &mut [f32]) {
        (self.write)(situation, planes);
    }

    fn index(&self, turn: Turn<'_, Position<R>>, mv: Move) -> usize {
        (self.index)(turn, mv)
    }

    fn images(&self) -> usize {
        self.images
    }

    fn image(&self, situation: &Situation<Position<R>>, number: usize) -> Situation<Position<R>> {
        Image(number).situation(situation)
    }

    fn move_image(&self, turn: Turn<'_, Position<R>>, mv: Move, number: usize) -> Move {
        Image(number).mv(turn.side(), mv)
    }
}

fn write_v1<R: RuleSet>(situation: &Situation<Position<R>>, planes: &mut [f32]) {
    let position = situation.position;
    let side = position.side();
    let sign = if side == Side::First { 1.0 } else { -1.0 };
    for (first, owner) in [(0, side), (6, !side)] {
        for (cube, cell) in position.cubes(owner) {
            planes[(first + cube.index()) * CELLS + cell.index()] = 1.0;
        }
    }
    for (cube, cell) in position.cubes(side) {
        for mv in position.steps(cube).iter() {
            planes[(12 + direction(mv)) * CELLS + cell.index()] = sign;
        }
    }
    planes[15 * CELLS..].fill(sign);
}

fn index_v1<R: RuleSet>(turn: Turn<'_, Position<R>>, mv: Move) -> usize {
    let moves = turn.moves();
    let cubes = moves.as_ref().iter().map(|mv| mv.cube());
    let choice = match cubes.min().zip(moves.as_ref().iter().map(|mv| mv.cube()).max()) {
        Some((lower, higher)) if lower != higher => 1 + usize::from(mv.cube() == higher),
        _ => 0,
    };
    let target = match turn.position.at(mv.to()) {
        None => 0,
        Some((side, _)) => 1 + usize::from(side == turn.side()),
    };
    9 * choice + 3 * direction(mv) + target
}

fn write_v2<R: RuleSet>(situation: &Situation<Position<R>>, planes: &mut [f32]) {
    let Situation { position, roll } = *situation;
    let side = position.side();
    for (first, owner) in [(0, side), (6, !side)] {
        for (cube, cell) in position.cubes(owner) {
            planes[(first + cube.index()) * CELLS + seen(side, cell)] = 1.0;
        }
    }
    for mv in roll.map(|roll| position.moves(roll)).iter().flat_map(AsRef::as_ref) {
        planes[12 * CELLS + seen(side, mv.from())] = 1.0;
    }
    planes[13 * CELLS..].fill(1.0);
}

fn index_v2<R: RuleSet>(_turn: Turn<'_, Position<R>>, mv: Move) -> usize {
    3 * mv.cube().index() + direction(mv)
}

fn write_v3<R: RuleSet>(situation: &Situation<Position<R>>, planes: &mut [f32]) {
    let (first, shares) = planes.split_at_mut(14 * CELLS);
    write_v2(situation, first);
    let position = situation.position;
    let side = position.side();
    for (owner, shares) in [side, !side].into_iter().zip(shares.chunks_exact_mut(CELLS)) {
        let (alive, _) = position.pieces_of(owner);
        for face in &FACES {
            let movable = R::ROLLS.movable(alive, face.item);
            let cubes = position.cubes(owner);
            for (_, cell) in cubes.filter(|(cube, _)| movable >> cube.index() & 1 == 1) {
                shares[seen(side, cell)] += 1.0 / 6.0;
            }
        }
    }
}

fn index_v3<R: RuleSet>(turn: Turn<'_, Position<R>>, mv: Move) -> usize {
    direction(mv) * CELLS + seen(turn.side(), mv.from())
}
