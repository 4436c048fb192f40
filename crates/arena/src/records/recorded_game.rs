//! A game that was read from a file, with everything else that the file says about it.

use serde::Serialize;
use wurfel_core::{
    BySide, EventInfo, Failure, MoveReader, NotationError, Outcome, Scanner, Side, Situation,
    Transcript, in_one_line,
};
use wurfel_games::Playable;
use wurfel_statistics::Sides;

use crate::records::notes::Notes;
use crate::records::record::{GameRecord, OPEN, outcome};

/// A game in a file.
#[derive(Clone, Debug)]
pub struct RecordedGame<G: Playable> {
    /// The game, move by move.
    pub game: Transcript<G>,
    /// The number of the mirrored pair that it belongs to, if the file has pairs.
    pub pair: Option<u64>,
    /// The side that lost by a failure, and the failure; `None` when the rules decided the game.
    pub failure: Option<(Side, Failure)>,
    /// What was assumed where the file contradicts itself or leaves something open, each in one line
    /// with its place.
    pub assumed: Vec<String>,
    /// Comments and variations.
    pub notes: Notes,
}

/// The entry of a game in a list of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ListedGame"))]
pub struct GameEntry {
    /// The players, the first side first; the name of the side where the player is not known.
    pub players: [String; 2],
    /// `1-0` when the first side won, `0-1`, `1/2-1/2`, or `*` when it is open.
    pub result: String,
    /// The number of turns played.
    pub plies: u32,
}

impl<G: Playable> RecordedGame<G> {
    /// A game about which nothing else is known.
    pub const fn alone(game: Transcript<G>) -> Self {
        let notes = Notes { comments: vec![], variations: vec![] };
        Self { game, pair: None, failure: None, assumed: vec![], notes }
    }

    /// The entry of this game in a list.
    pub fn entry(&self) -> GameEntry {
        let Transcript { players, result, .. } = &self.game;
        let player = |side| match players[side].as_str() {
            "" => G::SIDES[side].to_owned(),
            name => name.to_owned(),
        };
        GameEntry {
            players: Side::BOTH.map(player),
            result: result.map_or_else(|| OPEN.to_owned(), |outcome| outcome.to_string()),
            plies: self.game.now().ply() - self.game.start().ply(),
        }
    }
}

/// The game of a record by these rules, after checking everything that the record says about it: its place,
/// its moves, its length, its result, its fault and its notes. `pairs` is the number of pairs that the header names,
/// if it names one.
pub(crate) fn replay_record<G: Playable>(
    rules: &G,
    record: &GameRecord,
    agents: &[String; 2],
    pairs: Option<u64>,
) -> Result<RecordedGame<G>, String> {
    record.check(pairs)?;
    let mut game: Transcript<G> = replay_moves(rules, record).map_err(|error| error.to_string())?;
    let plies = game.now().ply() - game.start().ply();
    if record.plies != plies {
        return Err(format!("plies {}: expected {plies}, as the moves have it", record.plies));
    }
    let sides = Sides { first: usize::from(record.first) };
    let failure = record.failure().map(|(agent, failure)| (sides.side(agent), failure));
    if let Some((loser, _)) = &failure {
        let lost = Outcome::Win(!*loser);
        if game.now().outcome().is_some() {
            return Err("fault: expected none, as the rules ended the game".to_owned());
        }
        if game.result != Some(lost) {
            let result = &record.result;
            return Err(format!(
                "result '{result}': expected {lost}, as the other side lost by a fault"
            ));
        }
    }
    game.players = BySide::from_fn(|side| agents[sides.agent(side)].clone());
    let [time, place, event] = [&record.time, &record.place, &record.event].map(String::clone);
    game.event_info = EventInfo { time, place, event };
    let notes = Notes { comments: record.comments.clone(), variations: record.variations.clone() };
    notes.check(&game)?;
    Ok(RecordedGame { pair: Some(record.pair), failure, notes, ..RecordedGame::alone(game) })
}

/// Plays the moves of a record, which may not contradict its result.
fn replay_moves<G: Playable>(
    rules: &G,
    record: &GameRecord,
) -> Result<Transcript<G>, NotationError> {
    let mut scanner = Scanner::new(&record.moves);
    let position = rules.read_at_rest_alike(&record.start)?;
    let mut reader = MoveReader::new(Situation { position, roll: None });
    while let Some((_, word)) = scanner.word() {
        reader.read(word)?;
    }
    let mut game: Transcript<G> = reader.end()?;
    match outcome(&record.result) {
        Some(result) => game.state(result)?,
        None if record.result == OPEN => {}
        None => {
            let expected = "1-0, 0-1, 1/2-1/2 or *";
            return Err(NotationError::whole("result", &record.result, expected));
        }
    }
    Ok(game)
}

/// The message of a serde error in one line, without the numbers of its line and column, which our
/// own message already has.
pub(crate) fn plain(error: &serde_json::Error) -> String {
    let text = in_one_line(error);
    text.rsplit_once(" at line").map_or(text.as_str(), |(problem, _)| problem).to_owned()
}
