//! What a page is told of a room.

use serde::Serialize;

use super::ABSENCE;
use crate::record::{Apart, DiceKind, End, Offer, Player, RecordedStep};
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
    /// The rolls just before that of the position, which left nothing to do.
    pub void: Vec<String>,
    /// Whether the roll of the position is what the last move left of one.
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
    /// How often something was taken back.
    pub taken_back: usize,
    /// What two people on two devices have agreed on, and not yet.
    pub apart: Option<ShownApart>,
}

/// Two people on two devices.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ShownApart {
    /// The side whose seat nobody has taken yet.
    pub open: Option<usize>,
    /// Who has said that they are ready.
    pub ready: [bool; 2],
    /// Who has arranged their pieces, where both do.
    pub arranged: Option<[bool; 2]>,
    /// What one proposes to the other.
    pub offer: Option<Offer>,
    /// The room of the rematch.
    pub next: Option<String>,
    /// After so long at their turn somebody who is away may be told to have lost; not where
    /// a clock decides.
    pub absence_ms: u64,
}

impl ShownApart {
    pub fn new(apart: &Apart) -> Self {
        let there = |all: &[Option<String>; 2]| all.each_ref().map(Option::is_some);
        Self {
            open: apart.open,
            ready: there(&apart.salts),
            arranged: apart.setups.as_ref().map(there),
            offer: apart.offer,
            next: apart.next.clone(),
            absence_ms: ABSENCE.as_millis() as u64,
        }
    }
}

/// A move with the situation in which it was made.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ShownStep {
    /// Before it, with the roll.
    pub position: String,
    /// The side that moved, 0 or 1.
    pub side: usize,
    /// The roll and the move.
    #[serde(flatten)]
    pub step: RecordedStep,
}

/// The clocks at the time of the view.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ShownClock {
    pub left_ms: [u64; 2],
    /// Whose clock runs.
    pub running: Option<usize>,
}
