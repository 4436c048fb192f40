// src/lib.rs
//! Sprint, a race of two runners a side, as `docs/extending.md` builds it: its rules, an evaluation, an agent,
//! and what matches, the program and the site need of it.

mod agent;
mod evaluation;
mod game;
mod offer;

pub use agent::OneTurn;
pub use evaluation::{Distance, Nearness};
pub use game::{Die, HOME, Sprint};
