//! Matches, reviews and their statistics, as users of the library meet them.
//!
//! One executable for all of them: it is built and linked once, and its tests keep every core busy.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

mod archive;
mod calibration;
mod chosen;
#[cfg(target_os = "linux")]
mod cup;
mod foreign;
mod luck;
mod marks;
mod pacing;
mod reports;
mod review;
mod rollout;
mod round_trips;
mod session;
mod tables;
#[cfg(target_os = "linux")]
mod waits;
