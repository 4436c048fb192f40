//! Evaluations: estimates of a position without search.

mod learned;
mod linear;
mod mlp;
mod pawns;
mod threats;

pub use learned::learned;
pub(crate) use learned::weights;
pub use linear::Linear;
pub use mlp::Mlp;
pub(crate) use mlp::WEIGHTS as MLP_WEIGHTS;
pub use pawns::Pawns;
pub use threats::{ThreatOdds, Threats};
