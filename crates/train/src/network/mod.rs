//! Trains a policy-value network by self-play (paper `policy-value-network`, sections 2.3.2 and
//! 2.4), in rounds: first games, then steps on batches from the replay buffer.
//!
//! All chance comes from the seed and the numbers of rounds and games, and the network's evaluation
//! of a turn does not depend on the rest of its batch. The same configuration therefore gives the
//! same network on any number of threads, whether the run was stopped and resumed or not.

mod chart;
mod check;
mod config;
mod curve;
mod device;
mod error;
mod evaluate;
mod exact;
mod files;
mod folder;
mod games;
mod gate;
mod generator;
mod metrics;
mod numbers;
mod quantise;
mod replay;
mod run;
mod start;
mod teacher;
mod tensorboard;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use check::{Check, CheckSettings, Overfit, RateTried, StepLoss, check};
pub use config::{
    ConfigError, EvaluationConfig, FirstPlayConfig, Keep, LearningConfig, NamedFirstPlay, Resign,
    SelfPlay, Teacher, TrainingConfig,
};
pub use curve::{Curve, CurveSettings};
pub use device::{Device, Devices};
pub use error::RunError;
pub use files::{games_from, games_to};
pub use games::{PlayedGame, Resignation, Rules, Sample, play_games};
pub use gate::{GateConfig, GateTest};
pub use generator::Generator;
pub use metrics::{
    CurvePoint, ExactError, HeldOut, Hyperbola, NetworkMatch, Rate, Resignations, Round,
    RoundGames, Strength, read_rounds,
};
pub use quantise::{Agreement, agreement, quantise};
pub use replay::ReplayBuffer;
pub use run::Run;
pub use teacher::TeacherGames;
