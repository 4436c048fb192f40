//! The diagram of a position.

use wurfel_core::{Diagram, DiagramSquare, Game, Outcome, Piece, Style};

use super::dice::Pool;
use super::kind::Kind;
use super::position::Position;
use super::square::Square;
use super::variants::DiceCount;
use crate::Playable;

/// The symbol that is drawn for a piece.
const fn glyph(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "♟",
        Kind::Knight => "♞",
        Kind::Bishop => "♝",
        Kind::Rook => "♜",
        Kind::Queen => "♛",
        Kind::King => "♚",
    }
}

pub(super) fn diagram<D: DiceCount>(position: &Position<D>, roll: Option<Pool>) -> Diagram {
    let moves = roll.map(|roll| position.moves(roll)).unwrap_or_default();
    let square = |number: u32| {
        // A diagram begins with the top row.
        let square = Square::known(number).flipped();
        DiagramSquare {
            dark: (square.file() + square.rank()).is_multiple_of(2),
            goal: None,
            movable: moves.iter().any(|mv| mv.kind().is_some() && mv.from() == square),
            piece: position.at(square).map(|(side, kind)| Piece {
                side,
                label: glyph(kind).to_owned(),
                letter: kind.letter_of(side),
            }),
        }
    };
    Diagram {
        columns: ["a", "b", "c", "d", "e", "f", "g", "h"].map(str::to_owned).to_vec(),
        rows: ["8", "7", "6", "5", "4", "3", "2", "1"].map(str::to_owned).to_vec(),
        squares: (0..64).map(square).collect(),
        caption: caption(position, roll),
        style: Style::Glyphs,
    }
}

fn caption<D: DiceCount>(position: &Position<D>, roll: Option<Pool>) -> String {
    let name = |side| Position::<D>::SIDES[side];
    match position.outcome() {
        Some(Outcome::Win(winner)) => return format!("{} has won", name(winner)),
        Some(Outcome::Draw) => {
            return format!("drawn: {}", position.why_drawn().unwrap_or("by the rules"));
        }
        None => {}
    }
    let (ply, side) = (position.ply(), name(position.side()));
    match roll {
        Some(roll) => format!("ply {ply}: {side} has rolled {roll}"),
        None => format!("ply {ply}: {side} is to roll"),
    }
}
