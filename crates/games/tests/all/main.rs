//! The rules, texts and values of the games, held to slow twins and to published numbers.
//!
//! One executable for all of them: it is built and linked once, and its tests keep every core busy.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

mod aggressive;
mod dicechess_encoding;
mod dicechess_rules;
mod dicechess_texts;
mod dicechess_turns;
mod dicechess_values;
mod einstein_rules;
mod einstein_values;
mod encoding;
mod endgames;
mod learned;
#[path = "../mailbox/mod.rs"]
mod mailbox;
#[path = "../naive/mod.rs"]
mod naive;
mod texts;
mod wtn;
