//! The searches, held to slow twins and to what is known of the games.
//!
//! One executable for all of them: it is built and linked once, and its tests keep every core busy.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

mod expecti;
mod mcts;
mod mcts_games;
#[path = "../../../games/tests/naive/mod.rs"]
mod naive;
mod puct;
mod puct_open;
mod random_chess;
mod random_games;
mod selective;
mod star;
mod traditional;
