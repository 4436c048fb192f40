//! The study of positions and games: luck, losses, reviews, rollouts.

pub(crate) mod graph;
pub(crate) mod luck;
pub(crate) mod marks;
pub(crate) mod position_report;
pub(crate) mod regret;
pub(crate) mod review;
pub(crate) mod rollout;
pub(crate) mod series;
