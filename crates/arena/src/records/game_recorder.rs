//! Records games while they are played: their times, the statistics of their searches and, on request,
//! the lines of the files of a match.

use wurfel_core::{Agent, BySide, Fault, Side};
use wurfel_games::Playable;
use wurfel_statistics::{FinishedGame, Searches, Timing};

use crate::play::referee::{Ending, PlayedMove, Recorder};
use crate::records::cell::text_cell;
use crate::records::csv_log::{BoardEvaluation, GameRow, MoveRow, lines, milliseconds};
use crate::records::output::PairText;
use crate::records::record::GameRecord;

/// What a [`GameRecorder`] records beside times and statistics.
#[derive(Clone)]
pub(crate) enum Recording<G> {
    Nothing,
    /// The game.
    Game,
    /// The game and the rows of its tables, with this evaluation in their board columns.
    Tables(BoardEvaluation<G>),
}

/// Records one game.
pub(crate) struct GameRecorder<G> {
    recording: Recording<G>,
    timing: BySide<Timing>,
    searches: BySide<Searches>,
    start: String,
    moves: String,
    /// Whether the last move has left a part of its roll to be played.
    goes_on: bool,
    /// For each move, the side that made it and its row in the table.
    rows: Vec<(Side, MoveRow)>,
    /// The board evaluation for the first side before the last move.
    before: Option<f32>,
    last: Option<G>,
    adjudicated: bool,
}

impl<G: Playable> GameRecorder<G> {
    pub fn new(recording: Recording<G>) -> Self {
        Self {
            recording,
            timing: BySide::default(),
            searches: BySide::default(),
            start: String::new(),
            moves: String::new(),
            goes_on: false,
            rows: vec![],
            before: None,
            last: None,
            adjudicated: false,
        }
    }

    pub const fn timing(&self) -> &BySide<Timing> {
        &self.timing
    }

    pub const fn searches(&self) -> &BySide<Searches> {
        &self.searches
    }

    /// Whether the game was ended by an adjudicator, that is, before the rules ended it and not by
    /// a fault.
    pub const fn adjudicated(&self) -> bool {
        self.adjudicated
    }

    /// The game that was recorded.
    pub fn record(&mut self, (pair, game): (u64, u8), finished: &FinishedGame) -> GameRecord {
        GameRecord {
            pair,
            game,
            first: finished.sides.first as u8,
            start: std::mem::take(&mut self.start),
            moves: std::mem::take(&mut self.moves),
            result: finished.outcome.to_string(),
            fault: finished.failure.as_ref().map(|(agent, failure)| (*agent as u8, failure.fault)),
            reason: finished.failure.as_ref().map_or_else(String::new, |(_, f)| f.reason.clone()),
            plies: finished.plies,
            searches: finished.searches.clone(),
            time: String::new(),
            place: String::new(),
            event: String::new(),
            comments: vec![],
            variations: vec![],
        }
    }

    /// Adds the game that was recorded to the text of its pair.
    pub fn write(
        mut self,
        agents: [&str; 2],
        (pair, game): (u64, u8),
        finished: &FinishedGame,
        text: &mut PairText,
    ) {
        let record = self.record((pair, game), finished);
        // Writing into memory cannot fail.
        let _ = serde_json::to_writer(&mut text.records, &record);
        text.records.push(b'\n');
        if !matches!(self.recording, Recording::Tables(_)) {
            return;
        }
        let sides = finished.sides;
        let agents = agents.map(text_cell);
        let agent = |side| &*agents[sides.agent(side)];
        let pieces = BySide::from_fn(|side| {
            self.last.as_ref().map(|last| last.pieces(side)).unwrap_or_default()
        });
        let mean = |side| milliseconds(self.timing[side].mean());
        let row = GameRow {
            pair,
            game,
            first_agent: agent(Side::First),
            second_agent: agent(Side::Second),
            first_mean_ms: mean(Side::First),
            second_mean_ms: mean(Side::Second),
            total_ms: milliseconds(
                self.timing[Side::First].total + self.timing[Side::Second].total,
            ),
            winner: finished.outcome.winner().map_or("", agent),
            reason: finished.failure.as_ref().map_or("rules", |(_, failure)| name(failure.fault)),
            turns: finished.plies,
            first_pieces: pieces[Side::First].count,
            second_pieces: pieces[Side::Second].count,
            first_value: pieces[Side::First].value,
            second_value: pieces[Side::Second].value,
            board: self.before,
            position: self.last.as_ref().map_or_else(String::new, G::to_string),
        };
        text.games.extend(lines([row]));
        text.moves
            .extend(lines(self.rows.into_iter().map(|(side, row)| (pair, game, agent(side), row))));
    }
}

const fn name(fault: Fault) -> &'static str {
    match fault {
        Fault::Crash => "crash",
        Fault::IllegalMove => "illegal-move",
        Fault::Time => "time",
    }
}

impl<G: Playable> Recorder<G> for GameRecorder<G> {
    fn begin(&mut self, start: &G) {
        self.goes_on = false;
        if !matches!(self.recording, Recording::Nothing) {
            self.start = start.to_string();
        }
    }

    fn record_move(&mut self, played: &PlayedMove<'_, G>) {
        let PlayedMove { position, roll, decision, time } = *played;
        let side = position.side();
        self.timing[side].add(time);
        if matches!(self.recording, Recording::Nothing) {
            return;
        }
        let (roll_text, move_text) = (roll.to_string(), decision.mv.to_string());
        // The roll is written once, before the first of the moves that are made with it.
        let rolled = if self.goes_on { ["", ""] } else { ["@", &roll_text] };
        for word in [&rolled.concat(), &move_text] {
            if !self.moves.is_empty() && !word.is_empty() {
                self.moves.push(' ');
            }
            self.moves.push_str(word);
        }
        let mut after = position.clone();
        self.goes_on = after.play(roll, decision.mv).is_some();
        let Recording::Tables(board) = &self.recording else { return };
        self.before = board.value(position, Side::First);
        let row = MoveRow {
            ply: position.ply(),
            side: side.index() as u8 + 1,
            roll: roll_text,
            mv: move_text,
            time_ms: milliseconds(time),
            captured: position.captured(decision.mv),
            first_pieces: after.pieces(Side::First).count,
            second_pieces: after.pieces(Side::Second).count,
            evaluation: decision.value,
            board: board.value(&after, side),
        };
        self.rows.push((side, row));
    }

    fn record_search(&mut self, played: &PlayedMove<'_, G>, agent: &dyn Agent<G>) {
        self.searches[played.position.side()].add(&played.decision, agent);
    }

    fn end(&mut self, last: &G, ending: &Ending) {
        self.adjudicated = ending.failure.is_none() && last.outcome().is_none();
        if matches!(self.recording, Recording::Tables(_)) {
            self.last = Some(last.clone());
        }
    }
}
