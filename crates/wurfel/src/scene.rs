//! Scenes: everything that a page needs to draw a position and to let people play in it, in the
//! same form for every game.

use serde::Serialize;
use wurfel_agents::Catalogued;
use wurfel_core::{Diagram, Game, Outcome, Side, Situation};

/// A position with its board and the moves that are possible in it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scene {
    /// The position's text, with the roll if there is one.
    pub position: String,
    /// The position's text without the roll.
    pub at_rest: String,
    /// The squares with their pieces, as they are drawn.
    pub board: SceneBoard,
    /// The side to move, 0 or 1.
    pub side: usize,
    /// The number of the turn, from 1.
    pub ply: u32,
    /// What was rolled, or what is left of it.
    pub roll: Option<String>,
    /// The legal moves of a rolled position.
    pub moves: Vec<SceneMove>,
    /// The position with each roll that allows a move; empty at the end of the game.
    pub rolls: Vec<Rolled>,
    /// The result by the rules, if the game is over.
    pub result: Option<String>,
    /// Why the game is drawn, in words, if it is.
    pub drawn: Option<&'static str>,
}

/// The board with its pieces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Board"))]
pub struct SceneBoard {
    /// The names of the columns, left to right.
    pub columns: Vec<String>,
    /// The names of the rows, top to bottom.
    pub rows: Vec<String>,
    /// The squares, row by row from the top left.
    pub squares: Vec<SceneSquare>,
}

/// A square.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Square"))]
pub struct SceneSquare {
    /// The piece on the square.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<ScenePiece>,
    /// Whether it is drawn in the darker colour.
    pub dark: bool,
    /// The side whose goal it is, 0 or 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<usize>,
}

/// A piece.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Piece"))]
pub struct ScenePiece {
    /// The side that it belongs to, 0 or 1.
    pub side: usize,
    /// What is written on it.
    pub label: String,
    /// Its letter in position texts.
    pub letter: char,
}

/// A legal move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Move"))]
pub struct SceneMove {
    /// The text of the move.
    pub text: String,
    /// The square that the piece leaves, by its index in the board's `squares`, if the text of the
    /// move begins with two squares.
    pub from: Option<usize>,
    /// The square that the piece enters.
    pub to: Option<usize>,
    /// The letter of the piece that it removes.
    pub captures: Option<char>,
}

/// A position with a roll.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rolled {
    /// What the dice show, in the notation of the game.
    pub roll: String,
    /// The position with this roll.
    pub position: String,
}

impl Scene {
    pub(crate) fn new<G: Catalogued>(situation: &Situation<G>) -> Self {
        let Situation { position, roll } = situation;
        let board = SceneBoard::new(position.diagram(*roll));
        let over = position.outcome();
        let moves = match roll {
            Some(roll) if over.is_none() => board.moves(position, *roll),
            _ => vec![],
        };
        Self {
            position: situation.to_string(),
            at_rest: position.to_string(),
            moves,
            rolls: if over.is_none() { rolls(position) } else { vec![] },
            board,
            side: position.side().index(),
            ply: position.ply(),
            roll: roll.map(|roll| roll.to_string()),
            result: over.map(|outcome: Outcome| outcome.to_string()),
            drawn: position.draw_reason(),
        }
    }
}

fn rolls<G: Game>(position: &G) -> Vec<Rolled> {
    let usable = |roll: &G::Roll| !position.moves(*roll).as_ref().is_empty();
    let rolled = |roll: G::Roll| Rolled {
        roll: roll.to_string(),
        position: Situation { position: position.clone(), roll: Some(roll) }.to_string(),
    };
    G::DICE.iter().map(|face| face.item).filter(usable).map(rolled).collect()
}

impl SceneBoard {
    fn new(diagram: Diagram) -> Self {
        let squares = diagram.squares.into_iter().map(|square| SceneSquare {
            piece: square.piece.map(|piece| ScenePiece {
                side: piece.side.index(),
                label: piece.label,
                letter: piece.letter,
            }),
            dark: square.dark,
            goal: square.goal.map(Side::index),
        });
        Self { columns: diagram.columns, rows: diagram.rows, squares: squares.collect() }
    }

    fn moves<G: Catalogued>(&self, position: &G, roll: G::Roll) -> Vec<SceneMove> {
        let moves = position.moves(roll);
        let described = |&mv: &G::Move| {
            let text = mv.to_string();
            let (from, rest) = self.square(&text).unzip();
            let to = rest.and_then(|rest| self.square(rest)).map(|(to, _)| to);
            let from = from.filter(|_| to.is_some());
            SceneMove { text, from, to, captures: position.captured(mv) }
        };
        moves.as_ref().iter().map(described).collect()
    }

    /// The square whose name a text begins with, and the rest of the text.
    fn square<'a>(&self, text: &'a str) -> Option<(usize, &'a str)> {
        let begins = |(place, name): (usize, &String)| {
            text.strip_prefix(name.as_str()).map(|rest| (place, rest))
        };
        let (column, rest) = self.columns.iter().enumerate().find_map(begins)?;
        let begins = |(place, name): (usize, &String)| {
            rest.strip_prefix(name.as_str()).map(|rest| (place, rest))
        };
        let (row, rest) = self.rows.iter().enumerate().find_map(begins)?;
        Some((row * self.columns.len() + column, rest))
    }
}
