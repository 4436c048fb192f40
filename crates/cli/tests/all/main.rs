//! The program as its users meet it: real processes, their output, their files and their exit codes.
//!
//! One executable for all of them: it is built and linked once, and its tests keep every core busy.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

mod check_engine;
mod commands;
mod dicechess;
mod documents;
mod doors;
mod encodings;
mod engine;
mod engine_json;
mod examples;
mod foreign;
#[cfg(unix)]
mod foreign_clocks;
mod games;
#[cfg(target_os = "linux")]
mod leftovers;
mod matches;
mod mistyped;
mod network;
mod play;
mod program;
mod ratings;
mod referee;
mod refusals;
mod reproduce;
mod rollout;
mod signals;
mod site;
mod site_dice;
mod site_docs;
mod site_engines;
mod site_faults;
mod site_guests;
mod site_interface;
mod site_kills;
mod site_lobby;
mod site_proxy;
mod site_rollout;
mod site_under_load;
mod sprt;
mod terminal;
mod texts;
mod tournaments;
mod training;
mod work;
