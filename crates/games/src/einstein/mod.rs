//! EinStein würfelt nicht! (EWN): a board of 5×5 squares, six numbered cubes for each side, and one
//! die.
//!
//! The die chooses the cube with its number; when that cube was captured, the player chooses
//! between the living cubes with the next higher and the next lower number. A cube steps towards
//! the opposite corner and captures whatever stands on the square that it enters. A side wins when
//! it enters the enemy's corner or when the enemy has no cube left. See [`Official`] and
//! [`Nearest`] for the two rule sets.

mod basic;
mod board;
mod cube;
mod diagram;
mod encoding;
mod endgame;
mod evaluate;
mod features;
mod moves;
mod notation;
mod playable;
mod position;
mod random_games;
mod rolls;
mod rules;
mod setup;
mod symmetry;
mod wtn;

pub use basic::Basic;
pub use board::Cell;
pub use cube::Cube;
pub use endgame::{Endgames, NumberedEndgames};
pub use evaluate::{
    AttackDefence, Composite, DistanceToCorner, Odema, Schwarz, SchwarzScore, Zweistein,
    ZweisteinOdds, ZweisteinSum, learned,
};
pub use moves::{Move, Moves};
pub use position::Position;
pub use random_games::RandomGameInstructions;
pub use rolls::{Die, Nearest, Official, RuleSet};
pub use setup::Setup;

/// EinStein würfelt nicht! with its official rules. Its methods are those of [`Position`].
pub type Einstein = Position<Official>;

/// EinStein würfelt nicht! with the nearest-number rule, which has a name of its own.
pub type EinsteinNearest = Position<Nearest>;
