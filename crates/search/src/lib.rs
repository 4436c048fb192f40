#![doc = include_str!("../README.md")]

mod clock;
mod deepening;
mod expecti;
mod greedy;
pub mod mcts;
mod random;
mod rollout;
mod star;
mod table;

pub use expecti::Expecti;
pub use greedy::Greedy;
pub use random::RandomPlayer;
pub use rollout::{Rollout, rollout};
pub use star::{Cutoffs, Star};
pub use table::Table;
