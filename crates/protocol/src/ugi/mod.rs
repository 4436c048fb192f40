//! The Universal Game Interface (by kz04px, UCI for any game), extended by rolls.
//!
//! A roll is a word that begins with `@`: `position startpos moves @4 a4b4 @1` is a turn that is to
//! be decided, and without the last word the position before its roll.

mod command;
mod go;
mod info;
mod reply;
#[cfg(test)]
mod tests;

pub use command::{Command, Position, Query, Start, Step};
pub use go::{Clock, Go};
pub use info::Info;
pub use reply::{Kind, OptionLine, Reply, Response};

/// The move that stands for none: the answer where nothing can be decided, and a forced pass.
pub const NO_MOVE: &str = "0000";
