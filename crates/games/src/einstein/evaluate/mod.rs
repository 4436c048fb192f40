//! Evaluations: estimates of a position without search.

mod distance_to_corner;
mod learned;
mod schwarz;
mod zweistein;

pub use distance_to_corner::DistanceToCorner;
pub use learned::learned;
pub use schwarz::Schwarz;
pub use zweistein::{Zweistein, ZweisteinOdds};
