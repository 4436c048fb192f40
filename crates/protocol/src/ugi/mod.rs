//! The Universal Game Interface (by kz04px, UCI for any game), extended by rolls.
//!
//! A roll is a word that begins with `@`: `position startpos moves @4 a4b4 @1` is a turn to be
//! decided; without the last word, it is the position before the roll of that turn.

mod command;
mod go;
mod info;
mod reply;
#[cfg(test)]
mod tests;

pub use command::{Command, GameQuery, PositionCommand, PositionWord, Start};
pub use go::{Go, GoClock};
pub use info::Info;
pub use reply::{OptionKind, OptionLine, Reply, Response};

/// The move that stands for no move: the answer where nothing can be decided, and a forced pass.
pub const NO_MOVE: &str = "0000";
