//! Evaluations: estimates of a position without search.

mod army;
mod attack_defence;
mod composite;
mod distance_to_corner;
mod distances;
mod learned;
mod mobility;
mod odema;
mod schwarz;
mod schwarz_score;
mod zweistein;
mod zweistein_sum;

pub use attack_defence::AttackDefence;
pub use composite::Composite;
pub use distance_to_corner::DistanceToCorner;
pub(crate) use learned::WEIGHTS;
pub use learned::learned;
pub use odema::Odema;
pub use schwarz::Schwarz;
pub use schwarz_score::SchwarzScore;
pub use zweistein::{Zweistein, ZweisteinOdds};
pub use zweistein_sum::ZweisteinSum;
