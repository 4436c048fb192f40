//! A match at a real table, as the arbiter enters it: the journal of the entries, and the state
//! that follows from them.
//!
//! The journal is the only source of truth. [`Session`] is a fold over its entries: each carries
//! the time at which it was made, so boards, clocks, score and order of play after any number of
//! entries are the same whoever computes them, and whenever. A program that was killed therefore
//! continues by reading its journal again, and tests need neither a terminal nor a real clock. The
//! price is that everything is computed again at the start, which takes milliseconds for a match.

mod change;
pub(crate) mod clocks;
pub(crate) mod entry;
pub(crate) mod file;
pub(crate) mod order;
pub(crate) mod refusal;
pub(crate) mod settings;
pub(crate) mod state;
pub(crate) mod table;
