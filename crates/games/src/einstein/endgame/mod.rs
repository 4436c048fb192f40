//! Endgames: the numbering of positions with few cubes, and their exact values.

mod classes;
mod layer;
mod placing;
mod sweep;

use std::sync::OnceLock;

use wurfel_core::{Endgame, EndgameIndex, Game, Side};

use super::board::Cell;
use super::position::Position;
use super::rolls::{Nearest, Official, Rolls, RuleSet};
use classes::Classes;
use layer::{Army, Layer};
use sweep::Sweep;

/// The largest number of cubes for which positions are numbered.
const MAX_CUBES: usize = 7;

/// The classes and layers of one rule set, which are made when they are first needed.
#[derive(Debug)]
pub struct Endgames {
    classes: OnceLock<Classes>,
    /// The layers by their number of cubes.
    layers: [OnceLock<Layer>; MAX_CUBES + 1],
}

impl Endgames {
    /// Endgames without any values yet.
    const fn new() -> Self {
        Self { classes: OnceLock::new(), layers: [const { OnceLock::new() }; MAX_CUBES + 1] }
    }

    #[inline(always)]
    fn classes(&self, rolls: &Rolls) -> &Classes {
        self.classes.get_or_init(|| Classes::new(rolls))
    }

    #[inline(always)]
    fn layer(&self, rolls: &Rolls, cubes: usize) -> &Layer {
        self.layers[cubes].get_or_init(|| Layer::new(self.classes(rolls), cubes))
    }
}

/// A rule set whose endgames are numbered.
pub trait NumberedEndgames: RuleSet {
    /// The endgames of the rule set.
    fn endgames() -> &'static Endgames;
}

impl NumberedEndgames for Official {
    fn endgames() -> &'static Endgames {
        static ENDGAMES: Endgames = Endgames::new();
        &ENDGAMES
    }
}

impl NumberedEndgames for Nearest {
    fn endgames() -> &'static Endgames {
        static ENDGAMES: Endgames = Endgames::new();
        &ENDGAMES
    }
}

fn classes<R: NumberedEndgames>() -> &'static Classes {
    R::endgames().classes(R::ROLLS)
}

fn layer<R: NumberedEndgames>(pieces: u32) -> &'static Layer {
    R::endgames().layer(R::ROLLS, pieces as usize)
}

impl<R: NumberedEndgames> Position<R> {
    /// The cubes of a side in the slots of their class.
    #[inline(always)]
    fn army(&self, side: Side) -> Army {
        let (alive, squares) = self.pieces_of(side);
        let (class, cubes) = classes::<R>().of_set(alive);
        let cells = cubes.map(|cube| (squares >> (8 * cube)) as u8);
        Army { class, count: alive.count_ones() as u8, cells }
    }
}

impl<R: NumberedEndgames> Endgame for Position<R> {
    const MAX_PIECES: u32 = MAX_CUBES as u32;

    fn units(pieces: u32) -> Vec<u64> {
        let layer = layer::<R>(pieces);
        layer.units.iter().map(|&unit| layer.size(unit)).collect()
    }

    #[inline(always)]
    fn place(&self, most: u32) -> Option<EndgameIndex> {
        let pieces = self.pieces_left();
        if pieces > most.min(Self::MAX_PIECES) || self.winner().is_some() {
            return None;
        }
        let (red, blue) = (self.army(Side::First), self.army(Side::Second));
        let index = layer::<R>(pieces).number(red, blue, self.side() == Side::First);
        Some(EndgameIndex { pieces, index })
    }

    fn at_place(EndgameIndex { pieces, index }: EndgameIndex) -> Option<Self> {
        if !(2..=Self::MAX_PIECES).contains(&pieces) {
            return None;
        }
        let (red, blue, red_moves) = layer::<R>(pieces).at(index)?;
        let mut position = Self::EMPTY;
        for (side, army) in [(Side::First, red), (Side::Second, blue)] {
            let cubes = classes::<R>().get(army.class).cubes;
            for (&cube, &cell) in cubes.iter().zip(&army.cells[..usize::from(army.count)]) {
                position.put(side, cube, Cell::known(cell));
            }
        }
        position.settle(if red_moves { Side::First } else { Side::Second }, 1);
        Some(position)
    }

    fn memory(pieces: u32, unit: usize, threads: usize) -> u64 {
        Sweep::memory(classes::<R>(), layer::<R>(pieces), unit, threads)
    }

    fn solve(
        pieces: u32,
        unit: usize,
        known: &(impl Fn(EndgameIndex) -> f32 + Sync),
        threads: usize,
    ) -> Vec<u16> {
        let fewer = (pieces > 2).then(|| layer::<R>(pieces - 1));
        let classes = classes::<R>();
        Sweep::new(classes, layer::<R>(pieces), fewer, unit, known, threads).run(threads)
    }
}
