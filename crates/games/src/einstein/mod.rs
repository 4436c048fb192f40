//! EinStein würfelt nicht! (EWN): 5×5 squares, six numbered cubes a side, one
//! die.
//!
//! The die picks the cube of its number, or, when that one is gone, the player
//! picks the next higher or the next lower cube that lives. A cube steps
//! towards the opposite corner and removes whatever stands on the square it
//! enters. A side wins when it enters the enemy corner or when the enemy has no
//! cube left. See [`Official`] and [`Nearest`] for the two rule sets.

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
    ZweisteinOdds, learned,
};
pub use moves::{Move, Moves};
pub use position::Position;
pub use rolls::{Die, Nearest, Official, RuleSet};
pub use setup::Setup;

/// EinStein würfelt nicht! with its official rules.
pub type Einstein = Position<Official>;

/// The nearest-number reading of the rules, under its own name.
pub type EinsteinNearest = Position<Nearest>;
