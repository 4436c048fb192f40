//! Saves a game in which people played, in the files that a match writes.

use std::path::Path;
use std::time::Duration;

use wurfel_core::{Decision, Game, Side};
use wurfel_games::Playable;
use wurfel_statistics::{FinishedGame, Sides};

use crate::play::referee::{Ending, PlayedMove, Recorder};
use crate::records::draft::OutputError;
use crate::records::game_recorder::GameRecorder;
use crate::records::output::{Output, PairText};
use crate::records::record::MatchHeader;

/// A decision with the turn that it was made in.
#[derive(Clone, Debug)]
pub struct TimedDecision<G: Game> {
    /// The position before the roll, or in the middle of a turn.
    pub position: G,
    /// The roll, or the dice that are left of it.
    pub roll: G::Roll,
    /// The move, with what the agent knows about it.
    pub decision: Decision<G::Move>,
    /// How long it took.
    pub time: Duration,
}

/// Files that have been opened for one game; see [`Output`].
#[derive(Debug)]
pub struct GameFiles {
    output: Output,
    players: [String; 2],
}

impl GameFiles {
    /// Opens the files of a game of this name between `players`, that of the first side first: the record,
    /// and with `csv` its tables.
    ///
    /// # Errors
    /// When a file already exists or cannot be written.
    pub fn open(
        path: &Path,
        game: &str,
        players: [String; 2],
        csv: bool,
    ) -> Result<Self, OutputError> {
        let header = MatchHeader::of_games(game, players.clone(), 1);
        let (output, _) = Output::open(path, &header, csv)?;
        Ok(Self { output, players })
    }

    /// Writes the game if it is over. A game that is still open leaves no file.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn write<G: Playable>(
        mut self,
        decisions: &[TimedDecision<G>],
        last: &G,
    ) -> Result<(), OutputError> {
        let (Some(first), Some(outcome)) = (decisions.first(), last.outcome()) else {
            return Ok(());
        };
        let start = &first.position;
        let plies = last.ply() - start.ply();
        let mut recorder = GameRecorder::new(self.output.recording());
        recorder.begin(start);
        for &TimedDecision { ref position, roll, decision, time } in decisions {
            recorder.record_move(&PlayedMove { position, roll, decision, time });
        }
        recorder.end(last, &Ending { outcome, failure: None, plies });
        let timing = [Side::First, Side::Second].map(|side| recorder.timing()[side]);
        let sides = Sides { first: 0 };
        let searches = Default::default();
        let finished =
            FinishedGame { sides, outcome, failure: None, plies, timing, searches, luck: None };
        let mut text = PairText::default();
        let [first, second] = &self.players;
        recorder.write([first, second], (0, 0), &finished, &mut text);
        self.output.write(&text)?;
        self.output.finish()
    }
}
