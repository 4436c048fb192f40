#![doc = include_str!("../README.md")]
#![allow(clippy::needless_pass_by_value, reason = "a page hands its arguments over")]

mod agent;
mod analysis;
mod bench;
mod bounds;
mod files;
mod game;
mod position;
mod report;
mod review;
mod rollout;
mod site;

pub use agent::Agent;
pub use analysis::{Analysis, analyse};
pub use bench::{bench, signatures};
pub use files::{files, provide};
pub use game::{Game, games};
pub use position::Position;
pub use review::review;
pub use rollout::Rollout;
pub use site::{Room, Site};
