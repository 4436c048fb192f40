//! What a page is told of a room.

use serde::Serialize;

use crate::record::{DiceKind, End, Player, Step};
use crate::scene::Scene;

/// What a page is told of a room.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct View {
    /// The name of the room.
    pub id: String,
    /// The game, which is the rule set.
    pub game: String,
    /// Grows with every change.
    pub version: u64,
    /// Who plays, the first side first.
    pub players: [Player; 2],
    /// Whether the game has begun.
    pub begun: bool,
    /// The position now.
    pub scene: Scene,
    /// Whether the throw of the position is what the last move left of one.
    pub rest: bool,
    /// The moves so far.
    pub steps: Vec<ShownStep>,
    /// How it ended.
    pub end: Option<End>,
    /// The clocks.
    pub clock: Option<ShownClock>,
    /// The dice; the seed only after the end.
    pub dice: DiceKind,
    /// Whether the last move of a person can be taken back.
    pub undo: bool,
}

/// A move with the situation in which it was made.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ShownStep {
    /// Before it, with the throw.
    pub position: String,
    /// The side that moved, 0 or 1.
    pub side: usize,
    /// The throw and the move.
    #[serde(flatten)]
    pub step: Step,
}

/// The clocks at the time of the view.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ShownClock {
    pub left_ms: [u64; 2],
    /// Whose clock runs.
    pub running: Option<usize>,
}
