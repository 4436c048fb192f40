//! The report on a position that was solved.

use serde::Serialize;
use wurfel_core::Game;
use wurfel_search::SolvedRoll;

/// What is known about a position's exact value. All values are win probabilities of the side to
/// **move**.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolutionReport {
    /// The position, as it was given.
    pub position: String,
    /// The exact value; `None` when only bounds are known.
    pub value: Option<f32>,
    /// The value is at least this.
    pub low: f32,
    /// The value is at most this.
    pub high: f32,
    /// The rolls with their moves; only one if the position has a roll.
    pub rolls: Vec<SolvedRollReport>,
    /// Positions visited.
    pub nodes: u64,
    /// How long the search took.
    pub seconds: f64,
}

/// A roll with its moves.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolvedRollReport {
    /// The roll as it is read off the dice.
    pub roll: String,
    /// The number of equally likely outcomes of the dice that lead to it.
    pub weight: u32,
    /// The value of the roll is at least this.
    pub low: f32,
    /// The value of the roll is at most this.
    pub high: f32,
    /// The moves, the best first.
    pub moves: Vec<SolvedMove>,
}

/// A move and its exact value.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolvedMove {
    /// The move in the notation of the game.
    pub r#move: String,
    /// The exact value after the move; `None` when it is not known.
    pub value: Option<f32>,
}

impl SolvedRollReport {
    pub(crate) fn new<G: Game>(roll: &SolvedRoll<G>) -> Self {
        let (low, high) = roll.bounds();
        let moves = roll.moves.iter();
        Self {
            roll: roll.roll.item.to_string(),
            weight: roll.roll.weight,
            low,
            high,
            moves: moves
                .map(|of| SolvedMove { r#move: of.mv.to_string(), value: of.value })
                .collect(),
        }
    }
}
