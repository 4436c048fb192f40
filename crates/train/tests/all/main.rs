//! Learning, as its configurations ask for it.
//!
//! One executable for all of them: it is built and linked once, and its tests keep every core busy.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

mod check;
mod config_page;
mod curve;
mod fit;
mod gate;
mod going_on;
mod measures;
mod network;
mod positions;
mod replies;
