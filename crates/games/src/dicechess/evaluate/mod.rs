//! Evaluations: estimates of a position without search.

mod linear;
mod pawns;
mod threats;

pub use linear::Linear;
pub use pawns::Pawns;
pub use threats::Threats;
