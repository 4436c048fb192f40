#![doc = include_str!("../README.md")]

mod fit;
mod positions;

pub use fit::{Epoch, Fit, fit};
pub use positions::{Labelled, Labels, label};
