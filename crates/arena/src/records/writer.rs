//! Writing games as move lists and as JSON lines; [`read_games`](crate::read_games) reads both.

use wurfel_core::{TextError, Transcript};
use wurfel_games::Playable;
use wurfel_statistics::{Searches, Sides};

use crate::records::archive::record;
use crate::records::record::{GameRecord, MatchHeader, OPEN};
use crate::records::recorded_game::RecordedGame;

/// Writes a game as a move list: the start, then rolls and moves on one line. [`read_games`](crate::read_games)
/// reads it back.
pub fn move_list_of<G: Playable>(game: &Transcript<G>) -> String {
    let mut words = vec![game.start().to_string(), moves_of(game)];
    words.push(game.result.map_or_else(|| OPEN.to_owned(), |outcome| outcome.to_string()));
    words.retain(|word| !word.is_empty());
    words.join(" ")
}

/// The rolls of a game, each before the moves that were made with it.
fn moves_of<G: Playable>(game: &Transcript<G>) -> String {
    let mut words = vec![];
    game.replay(|step| {
        if step.rolled {
            words.push(format!("@{}", step.turn.roll));
        }
        words.push(step.mv.to_string());
    });
    words.join(" ")
}

/// The error when games with different players are to be written to one file of JSON lines.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "game {number} is of {} and {}, the first of {} and {}: expected the same two players, because the head of a \
     file of JSON lines names two for all its games (--out with a folder writes a file for each two players)",
    players[0], players[1], first[0], first[1]
)]
pub struct MixedPlayers {
    /// The game, from 1.
    pub number: usize,
    /// The players of this game.
    pub players: [String; 2],
    /// The players of the first game.
    pub first: [String; 2],
}

/// Counts pairs: two games in succession are a mirrored pair only if they were one in the file that
/// they come from; any other game has a pair number of its own.
#[derive(Clone, Default, Debug)]
struct PairCounter {
    /// The number of the last game's pair and its place in it, and its pair in its own file.
    last: Option<((u64, u8), Option<u64>)>,
}

impl PairCounter {
    /// The number of the next game's pair and its place in it, from 0.
    fn next(&mut self, own_pair: Option<u64>) -> (u64, u8) {
        let slot = match self.last {
            Some(((pair, 0), before)) if before.is_some() && before == own_pair => (pair, 1),
            Some(((pair, _), _)) => (pair + 1, 0),
            None => (0, 0),
        };
        self.last = Some((slot, own_pair));
        slot
    }
}

/// Writes games as JSON lines, as a match does, one after the other.
#[derive(Clone, Debug)]
pub struct RecordWriter {
    header: MatchHeader,
    /// Whether games keep the numbers of their pairs.
    keeps_pairs: bool,
    counter: PairCounter,
    written: usize,
}

impl RecordWriter {
    /// Writes games of this name between these two players; `pairs` is the number of all pairs.
    pub fn new(game: &str, players: [String; 2], pairs: u64) -> Self {
        let header = MatchHeader::of_games(game, players, pairs);
        Self { header, keeps_pairs: false, counter: PairCounter::default(), written: 0 }
    }

    /// Writes games of a file with this header again, with the numbers of their pairs and the settings
    /// of the header.
    pub fn again(header: &MatchHeader) -> Self {
        let own = Self::new(&header.game, header.agents.clone(), header.pairs);
        let header = MatchHeader { program: own.header.program.clone(), ..header.clone() };
        Self { header, keeps_pairs: true, ..own }
    }

    /// The first line.
    pub fn header(&self) -> String {
        serde_json::to_string(&self.header).unwrap_or_default() + "\n"
    }

    /// The line of the next game.
    ///
    /// # Errors
    /// When the game is not between the two players of the header.
    pub fn line<G: Playable>(
        &mut self,
        recorded_game: &RecordedGame<G>,
    ) -> Result<String, MixedPlayers> {
        let (counted, place) = self.counter.next(recorded_game.pair);
        let pair = recorded_game.pair.filter(|_| self.keeps_pairs).unwrap_or(counted);
        self.written += 1;
        let agents = &self.header.agents;
        let players = recorded_game.entry().players;
        let first = match &players {
            // Where an agent has played against itself, the names do not show who had which side.
            own if own == agents && agents[0] == agents[1] => usize::from(place),
            own if own == agents => 0,
            [one, other] if [other, one] == [&agents[0], &agents[1]] => 1,
            _ => {
                return Err(MixedPlayers { number: self.written, players, first: agents.clone() });
            }
        };
        let record = GameRecord { pair, game: place, ..record_of(recorded_game, first) };
        Ok(serde_json::to_string(&record).unwrap_or_default() + "\n")
    }

    /// Reads a line that [`RecordWriter::line`] has written.
    ///
    /// # Errors
    /// When it is none.
    pub fn read<G: Playable>(&self, rules: &G, line: &str) -> Result<RecordedGame<G>, TextError> {
        let MatchHeader { agents, pairs, .. } = &self.header;
        record(rules, line, 1 + self.written, agents, Some(*pairs))
    }
}

/// The record of a game without its pair. `first` is which of the header's players has the first side.
pub fn record_of<G: Playable>(recorded_game: &RecordedGame<G>, first: usize) -> GameRecord {
    let RecordedGame { game, failure, notes, .. } = recorded_game;
    let sides = Sides { first };
    GameRecord {
        pair: 0,
        game: 0,
        first: first as u8,
        start: game.start().to_string(),
        moves: moves_of(game),
        result: game.result.map_or_else(|| OPEN.to_owned(), |outcome| outcome.to_string()),
        fault: failure.as_ref().map(|(side, failure)| (sides.agent(*side) as u8, failure.fault)),
        reason: failure.as_ref().map_or_else(String::new, |(_, failure)| failure.reason.clone()),
        plies: game.now().ply() - game.start().ply(),
        searches: <[Searches; 2]>::default(),
        time: game.event_info.time.clone(),
        place: game.event_info.place.clone(),
        event: game.event_info.event.clone(),
        comments: notes.comments.clone(),
        variations: notes.variations.clone(),
    }
}

/// Writes games as JSON lines, as a match does. Two games in succession are a mirrored pair only if
/// they were one in the file that they come from; any other game has a pair number of its own.
///
/// # Errors
/// When the games are not all between the same two players.
pub fn write_records<G: Playable>(games: &[RecordedGame<G>]) -> Result<String, MixedPlayers> {
    let players =
        games.first().map(|recorded_game| recorded_game.entry().players).unwrap_or_default();
    let name = games.first().map_or(G::NAME, |recorded_game| recorded_game.game.start().name());
    let mut counter = PairCounter::default();
    let last = games.iter().map(|recorded_game| counter.next(recorded_game.pair)).last();
    let mut writer = RecordWriter::new(name, players, last.map_or(0, |(pair, _)| pair + 1));
    let mut text = writer.header();
    for recorded_game in games {
        text += &writer.line(recorded_game)?;
    }
    Ok(text)
}
