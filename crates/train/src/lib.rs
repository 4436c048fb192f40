#![doc = include_str!("../README.md")]

mod file;
mod fit;
pub mod network;
mod positions;

pub use file::{PositionsError, PositionsFile, Settings, read_positions};
pub use fit::{ASIDE, Epoch, Fit, fit};
pub use positions::{Labelled, Labels, label};
