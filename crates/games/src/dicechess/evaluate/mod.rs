//! Evaluations: estimates of a position without search.

mod learned;
mod linear;
mod mlp;
mod pawns;
mod threats;

pub use learned::learned;
pub use linear::Linear;
pub use mlp::Mlp;
pub use pawns::Pawns;
pub use threats::{ThreatOdds, Threats};
