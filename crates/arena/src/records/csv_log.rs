//! Games as CSV tables, one row for each game and one for each move, with the columns of paper
//! `dice-chess-agents` (section III-G).
//!
//! The board evaluation is always the game's first evaluation, whoever plays. So the rows of all
//! agents can be compared, including those of agents that estimate nothing.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use wurfel_core::{Evaluator, Side};
use wurfel_games::{Playable, shared_evaluation};

/// One row of the table of games.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GameRow<'a> {
    pub pair: u64,
    pub game: u8,
    pub first_agent: &'a str,
    pub second_agent: &'a str,
    pub first_mean_ms: f64,
    pub second_mean_ms: f64,
    pub total_ms: f64,
    /// The agent's spec; empty for a draw.
    pub winner: &'a str,
    /// `rules`, or the fault that decided the game.
    pub reason: &'static str,
    pub turns: u32,
    pub first_pieces: u32,
    pub second_pieces: u32,
    pub first_value: i32,
    pub second_value: i32,
    /// The board evaluation for the first side, 0 to 1, before the last move.
    pub board: Option<f32>,
    /// The text of the position in which the game ended: where each piece stands.
    pub position: String,
}

/// One row of the table of moves, after its pair, game and agent.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MoveRow {
    pub ply: u32,
    /// 1 for the side that the game names first, 2 for the other.
    pub side: u8,
    pub roll: String,
    pub mv: String,
    pub time_ms: f64,
    /// The letter of the piece that was captured.
    pub captured: Option<char>,
    /// Pieces left after the move.
    pub first_pieces: u32,
    pub second_pieces: u32,
    /// The agent's own estimate for the side that moved, 0 to 1.
    pub evaluation: Option<f32>,
    /// The board evaluation after the move, for the side that moved, 0 to 1; the result at the end.
    pub board: Option<f32>,
}

pub(crate) const GAME_COLUMNS: &str = "pair,game,first_agent,second_agent,first_mean_ms,\
    second_mean_ms,total_ms,winner,reason,turns,first_pieces,second_pieces,first_value,second_value,board,position\n";
pub(crate) const MOVE_COLUMNS: &str = "pair,game,agent,ply,side,roll,move,time_ms,captured,\
    first_pieces,second_pieces,evaluation,board\n";

/// The evaluation for the board columns of a game's tables.
#[derive(Clone)]
pub(crate) struct BoardEvaluation<G>(Option<Arc<dyn Evaluator<G>>>);

impl<G: Playable> BoardEvaluation<G> {
    /// The first evaluation of the game; none for a game without evaluations.
    pub fn new() -> Self {
        let first = G::EVALUATIONS.first();
        Self(first.and_then(|known| shared_evaluation(known.name).ok()))
    }

    /// The value of a position for `side`, 0 to 1: the evaluation, or the result when the game is
    /// over.
    pub fn value(&self, position: &G, side: Side) -> Option<f32> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome.value_for(side));
        }
        let value = self.0.as_ref()?.evaluate(position);
        Some(if position.side() == side { value } else { 1.0 - value })
    }
}

/// A time in milliseconds, rounded to the microsecond.
pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

/// The rows as lines of CSV.
pub(crate) fn lines<R: Serialize>(rows: impl IntoIterator<Item = R>) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(vec![]);
    for row in rows {
        // Writing into memory cannot fail, and a row has only fields that CSV can hold.
        let _ = writer.serialize(row);
    }
    writer.into_inner().unwrap_or_default()
}
