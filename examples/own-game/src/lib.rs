//! Sprint, a game that wurfel does not know, with an evaluation and an agent of its own.
//!
//! `docs/extending.md` builds this package step by step.

mod agent;
mod evaluation;
mod game;
mod offer;

pub use agent::Hurry;
pub use evaluation::Distance;
pub use game::{Die, Runner, Sprint};
