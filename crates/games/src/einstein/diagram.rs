//! The diagram of a position.

use wurfel_core::{Diagram, DiagramSquare, Game, Piece, Side, Style};

use super::board::{CELLS, Cell};
use super::notation::letter;
use super::position::Position;
use super::rolls::{Die, RuleSet};
use crate::Playable;

pub(super) fn diagram<R: RuleSet>(position: &Position<R>, roll: Option<Die>) -> Diagram {
    let movable = roll.map_or(0, |die| position.movable(die));
    let square = |cell: Cell| {
        let piece = position.at(cell);
        let goal = Side::BOTH.into_iter().find(|&side| Cell::goal(side) == cell);
        DiagramSquare {
            dark: (cell.row() + cell.column()) % 2 == 1,
            goal,
            movable: piece.is_some_and(|(side, cube)| {
                side == position.side() && movable >> cube.index() & 1 == 1
            }),
            piece: piece.map(|(side, cube)| Piece {
                side,
                label: cube.to_string(),
                letter: letter(side, cube),
            }),
        }
    };
    Diagram {
        columns: ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec(),
        rows: ["5", "4", "3", "2", "1"].map(str::to_owned).to_vec(),
        squares: (0..CELLS as u8).map(Cell::known).map(square).collect(),
        caption: caption(position, roll),
        style: Style::Tiles,
    }
}

fn caption<R: RuleSet>(position: &Position<R>, roll: Option<Die>) -> String {
    let name = |side| Position::<R>::SIDES[side];
    if let Some(winner) = position.outcome().and_then(wurfel_core::Outcome::winner) {
        return format!("{} has won", name(winner));
    }
    let side = name(position.side());
    match roll {
        Some(die) => format!("ply {}: {side} has rolled {die}", position.ply()),
        None => format!("ply {}: {side} is to roll", position.ply()),
    }
}
