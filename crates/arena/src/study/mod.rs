//! The study of positions, games and evaluations: luck, losses, reviews, rollouts, calibration.

pub(crate) mod bench;
pub(crate) mod calibration;
pub(crate) mod candidates;
pub(crate) mod comparison;
pub(crate) mod error_rate;
pub(crate) mod graph;
pub(crate) mod luck;
pub(crate) mod marks;
pub(crate) mod position_report;
pub(crate) mod regret;
pub(crate) mod regret_report;
pub(crate) mod review;
pub(crate) mod review_report;
pub(crate) mod reviewer;
pub(crate) mod rollout;
pub(crate) mod series;
pub(crate) mod speed;
pub(crate) mod stored;
