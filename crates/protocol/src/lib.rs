#![doc = include_str!("../README.md")]

pub mod course;
mod error;
pub mod json;
mod lines;
pub mod ugi;

pub use error::ProtocolError;
pub use lines::{Line, Lines, MAX_LINE};
