#![doc = include_str!("../README.md")]

mod clock;
mod expecti;
mod greedy;
mod random;
mod rollout;

pub use expecti::Expecti;
pub use greedy::Greedy;
pub use random::RandomPlayer;
pub use rollout::{Rollout, rollout};
