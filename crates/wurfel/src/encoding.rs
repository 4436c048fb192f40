//! How networks see a game, without a type parameter.

use wurfel_agents::Catalogued;
use wurfel_core::{Encode, NotationError, Turn};

use crate::position::Position;

/// The error when a game has no encoding with a given name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoEncoding {
    /// The game has other encodings.
    #[error("unknown encoding '{name}': expected {known}")]
    Unknown {
        /// The name that was given.
        name: String,
        /// The names of the game's encodings.
        known: String,
    },
    /// The game has no encodings.
    #[error("'{0}': expected a game that has an encoding")]
    None(&'static str),
}

/// An encoding of a game: positions as planes of numbers, and moves as indices.
pub trait Encoding: Send + Sync {
    /// The name in network files.
    fn name(&self) -> &'static str;

    /// The number of cells along one side of the board.
    fn board(&self) -> usize;

    /// The number of planes.
    fn planes(&self) -> usize;

    /// The number of move indices.
    fn moves(&self) -> usize;

    /// Writes a position into `planes` × `board` × `board` numbers that are 0. Before the roll, those
    /// that would describe it stay 0.
    ///
    /// # Errors
    /// When the position is one of another game.
    fn write(&self, position: &Position, planes: &mut [f32]) -> Result<(), NotationError>;

    /// The index of each legal move, in the order of [`moves`](crate::AnyPosition::moves); none before
    /// the roll and after the end.
    ///
    /// # Errors
    /// When the position is one of another game.
    fn indices(&self, position: &Position) -> Result<Vec<usize>, NotationError>;
}

struct Typed<G: Catalogued> {
    rules: G,
    encode: &'static dyn Encode<G>,
}

pub(crate) fn find<G: Catalogued>(
    rules: &G,
    name: Option<&str>,
) -> Result<&'static dyn Encode<G>, NoEncoding> {
    let fits = |encoding: &&&dyn Encode<G>| name.is_none_or(|name| encoding.name() == name);
    G::ENCODINGS.iter().find(fits).copied().ok_or_else(|| match name {
        Some(name) if !G::ENCODINGS.is_empty() => {
            let known: Vec<&str> = G::ENCODINGS.iter().map(|encoding| encoding.name()).collect();
            NoEncoding::Unknown { name: name.to_owned(), known: known.join(", ") }
        }
        _ => NoEncoding::None(rules.name()),
    })
}

/// The encoding with this name, or the newest one.
pub(crate) fn named<G: Catalogued>(
    rules: &G,
    name: Option<&str>,
) -> Result<Box<dyn Encoding>, NoEncoding> {
    Ok(Box::new(Typed { rules: rules.clone(), encode: find(rules, name)? }))
}

pub(crate) fn all<G: Catalogued>(rules: &G) -> Vec<Box<dyn Encoding>> {
    let typed = |&encode: &&'static dyn Encode<G>| -> Box<dyn Encoding> {
        Box::new(Typed { rules: rules.clone(), encode })
    };
    G::ENCODINGS.iter().map(typed).collect()
}

impl<G: Catalogued> Encoding for Typed<G> {
    fn name(&self) -> &'static str {
        self.encode.name()
    }

    fn board(&self) -> usize {
        self.encode.board()
    }

    fn planes(&self) -> usize {
        self.encode.planes()
    }

    fn moves(&self) -> usize {
        self.encode.moves()
    }

    fn write(&self, position: &Position, planes: &mut [f32]) -> Result<(), NotationError> {
        self.encode.write(position.of(&self.rules)?, planes);
        Ok(())
    }

    fn indices(&self, position: &Position) -> Result<Vec<usize>, NotationError> {
        let is_open = |turn: &Turn<'_, G>| turn.position.outcome().is_none();
        let turn = position.of(&self.rules)?.turn().filter(is_open);
        let index = |turn: Turn<'_, G>| {
            turn.moves().as_ref().iter().map(|&mv| self.encode.index(turn, mv)).collect()
        };
        Ok(turn.map_or(vec![], index))
    }
}
