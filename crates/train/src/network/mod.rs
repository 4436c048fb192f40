//! Learning a policy-value network from self-play (paper `policy-value-network`, sections
//! 2.3.2 and 2.4): rounds of games, then steps on positions drawn from the last games.
//!
//! All chance comes from the seed and the numbers of rounds and games, and what a network
//! says of a turn does not depend on what else is in its batch: so the same configuration
//! gives the same network on any number of threads, stopped and gone on with or not.

mod chart;
mod config;
mod device;
mod error;
mod evaluate;
mod files;
mod folder;
mod games;
mod metrics;
mod replay;
mod run;
mod teacher;
mod tensorboard;

pub use config::{
    ConfigError, EvaluationConfig, LearningConfig, NetworkConfig, SelfPlay, Teacher, TrainingConfig,
};
pub use device::{Device, Devices};
pub use error::RunError;
pub use games::{Rules, Sample, play_games};
pub use metrics::{Hyperbola, Round, Strength, Won, read_rounds};
pub use replay::Replay;
pub use run::Run;
pub use teacher::Lessons;
