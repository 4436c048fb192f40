//! Dice Chess: the pieces and the board of chess, dice that say which kind may move, and a king
//! that is captured instead of mated.
//!
//! A roll of 1 to 6 lets a pawn, knight, bishop, rook, queen or king move. There is no check: a
//! king may stand on an attacked square or step onto one, and who captures it wins. Castling
//! requires only the right to it and empty squares between king and rook. See [`OneDie`] and
//! [`ThreeDice`] for the two games, and [`Variant`] for the rule sets of the first.

mod attacks;
mod basic;
mod diagram;
mod dice;
mod encoding;
mod evaluate;
mod features;
mod game;
mod generate;
mod kind;
mod moves;
mod notation;
mod playable;
mod position;
mod replies;
mod sight;
mod square;
mod threats;
mod turn;
mod variants;
mod worth;

pub use basic::Basic;
pub use dice::Pool;
pub use evaluate::{Linear, Mlp, Pawns, ThreatOdds, Threats, learned};
pub use kind::Kind;
pub use moves::{Move, Moves};
pub use playable::Array;
pub use position::Position;
pub use square::Square;
pub use variants::{DiceCount, Names, OneDie, ThreeDice, Variant};

use crate::shipped::{ShippedFile, shipped};

/// The puzzles of the game with one die, as a catalogue of agents describes them.
pub const PUZZLES: ShippedFile = shipped!("dicechess.puzzles", 0x3bf1_1c8b_9f23_750f);
/// The puzzles of the game with three dice.
pub const PUZZLES_OF_THREE: ShippedFile = shipped!("dicechess3.puzzles", 0xa462_e338_f1f5_2621);

/// Dice Chess with one die.
pub type DiceChess = Position<OneDie>;

impl DiceChess {
    /// The initial position under the rules of a variant.
    pub fn under(variant: Variant) -> Self {
        Self::initial(variant)
    }
}

/// Dice Chess with three dice.
pub type DiceChess3 = Position<ThreeDice>;
