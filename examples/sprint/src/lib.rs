// src/lib.rs
mod agent;
mod evaluation;
mod game;
mod offer;

pub use agent::OneTurn;
pub use evaluation::{Distance, Nearness};
pub use game::{Die, HOME, Sprint};
