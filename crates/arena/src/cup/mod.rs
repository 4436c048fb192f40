//! Tournaments of any format, each described by one TOML file.
//!
//! A format is a function from the meetings so far to the next ones ([`schedule`]), and nothing
//! else: it never sees a clock, a file or a thread. So the order of games is fixed by the file and
//! the results, and a run that was killed continues by asking the same questions again. The price
//! is a pause at the end of each round, in which some threads wait for the last game.

pub(crate) mod definition;
pub(crate) mod error;
mod export;
pub(crate) mod file;
pub(crate) mod formats;
pub(crate) mod meeting;
mod ratings;
mod replay;
pub(crate) mod run;
pub(crate) mod schedule;
pub(crate) mod table;
