#![doc = include_str!("../README.md")]

mod bounded;
mod clock;
mod clock_state;
mod deepening;
mod expecti;
mod greedy;
pub mod mcts;
mod minimax;
mod paced;
pub mod puct;
mod qlearning;
mod random;
mod selective;
mod solve;
mod star;
mod table;
mod together;
mod window;

pub use bounded::{Bounded, ExpansionOrder};
pub use clock_state::ClockState;
pub use expecti::Expecti;
pub use greedy::Greedy;
pub use minimax::{Minimax, MinimaxPruning};
pub use paced::{Allotment, TimeManager, share};
pub use qlearning::{Exploration, MeanLearned, Opponents, QLearning, QLearningRates};
pub use random::RandomPlayer;
pub use selective::{Filter, Selective};
pub use solve::{Solution, SolvedRoll};
pub use star::{Cutoffs, Star};
pub use table::TranspositionTable;
