// src/evaluation.rs
use wurfel_core::{Evaluator, Game, Side};
use wurfel_games::einstein::Einstein;

use crate::game::{HOME, Sprint};

fn probability(lead: f32) -> f32 {
    1.0 / (1.0 + (-lead).exp())
}

/// Sprint: who has fewer squares to go.
pub struct Distance;

impl Evaluator<Sprint> for Distance {
    /// For the side to move, which is half a roll ahead.
    fn evaluate(&self, position: &Sprint) -> f32 {
        let left = |side| 2 * HOME - position.runners[side].iter().sum::<u32>();
        let [own, enemy] = [position.side, !position.side].map(|side| left(side) as f32);
        probability((enemy - own + 1.75) / 5.0)
    }
}

/// EWN: who has more cubes near the goal. A cube counts half as much for each step that it is away.
pub struct Nearness;

impl Evaluator<Einstein> for Nearness {
    fn evaluate(&self, position: &Einstein) -> f32 {
        let near = |side: Side| -> f32 {
            let cubes = position.cubes(side);
            cubes.map(|(_, cell)| 0.5_f32.powi(cell.distance(side).into())).sum()
        };
        probability(2.0 * (near(position.side()) - near(!position.side())))
    }
}
