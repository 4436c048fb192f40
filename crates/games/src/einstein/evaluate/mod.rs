//! Evaluations: estimates of a position without search.

mod distance_to_corner;
mod zweistein;

pub use distance_to_corner::DistanceToCorner;
pub use zweistein::Zweistein;
