//! Reading and writing files of games, in any of their formats.
//!
//! There are five formats: the JSON lines that a match writes, those of a tournament that a TOML
//! file describes, the record that the site saves, plain move lists, and the formats that the
//! players of a game use among themselves ([`Playable::RECORDS`]). A file is encoded as UTF-8, or
//! as GBK by Chinese programs.

mod form;
mod room;

use encoding_rs::GBK;
use serde::Deserialize;
use wurfel_core::{BySide, Situation};
use wurfel_games::{MoveReader, Playable, Scanner, TextError, TextPosition, Transcript};

pub use room::{ROOM_FORMAT, ROOM_VERSION};

use form::Form;
use room::Room;

use crate::records::filed::{FiledGame, plain, replayed};
use crate::records::record::{GameRecord, MatchHeader, OPEN, outcome};
use crate::statistics::report::Sides;
use crate::statistics::searches::Searches;

/// Decodes the bytes of a file.
///
/// # Errors
/// When it is neither UTF-8 nor GBK.
pub fn decode(bytes: &[u8]) -> Result<String, TextError> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(error) => {
            // A byte order mark can mark the text as UTF-16.
            let (text, _, failed) = GBK.decode(bytes);
            if failed {
                let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
                let mut scanner = Scanner::new(&good);
                scanner.take_while(|_| true);
                return Err(scanner.place().wrong("expected text in UTF-8 or GBK"));
            }
            text
        }
    };
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

/// The name of the game that a text of games belongs to; `None` when the text does not say.
///
/// # Errors
/// When the text has a wrong header.
pub fn game_of(text: &str) -> Result<Option<String>, TextError> {
    Form::of(text).map(Form::game)
}

/// The header of a text of JSON lines; `None` for games in any other form.
///
/// # Errors
/// When the text has a wrong header.
pub fn header_of(text: &str) -> Result<Option<MatchHeader>, TextError> {
    Form::of(text).map(|form| match form {
        Form::Records(header) => Some(header),
        _ => None,
    })
}

/// A game that was found in a text but not parsed yet.
#[derive(Debug)]
pub struct Unread<'a, G: Playable>(Source<'a, G>);

#[derive(Debug)]
enum Source<'a, G: Playable> {
    /// A line of JSON, its number, the agents of its header, and the number of pairs that the header
    /// names.
    Line(&'a str, usize, [String; 2], Option<u64>),
    /// A move list and the number of its first line.
    Words(&'a str, usize),
    Room(Room),
    Read(Transcript<G>),
}

impl<G: Playable> Unread<'_, G> {
    /// Parses the game.
    ///
    /// # Errors
    /// Says where the text is wrong, and what was expected there.
    pub fn read(self) -> Result<FiledGame<G>, TextError> {
        let alone = |game| FiledGame { game, pair: None, failure: None };
        match self.0 {
            Source::Line(line, number, agents, pairs) => record(line, number, &agents, pairs),
            Source::Words(block, line) => move_list(block, line).map(alone),
            Source::Room(room) => room.read().map_err(|error| TextPosition::line(1).wrong(error)),
            Source::Read(game) => Ok(alone(game)),
        }
    }
}

/// Finds the games of a text in any format, in order; there is always at least one. [`read_games`]
/// also parses them.
///
/// # Errors
/// When there is no game, or the text belongs to another game than `G`.
pub fn find_games<G: Playable>(
    text: &str,
) -> Result<impl Iterator<Item = Unread<'_, G>>, TextError> {
    let form = Form::of(text)?;
    let own = G::RECORDS.iter().find(|form| (form.recognises)(text));
    let found: Box<dyn Iterator<Item = Source<'_, G>>> = match (form, own) {
        (Form::Records(header), _) => Box::new(records::<G>(text, header)?),
        (Form::Cup(game, names), _) => {
            expect::<G>(&game)?;
            Box::new(games_of_cup(text, names))
        }
        (Form::Room(room), _) => {
            expect::<G>(&room.game)?;
            Box::new([Source::Room(room)].into_iter())
        }
        (Form::Other, Some(form)) => Box::new([Source::Read((form.read)(text)?)].into_iter()),
        (Form::Other, None) => {
            Box::new(blocks(text).map(|(block, line)| Source::Words(block, line)))
        }
    };
    let mut found = found.peekable();
    if found.peek().is_none() {
        return Err(TextPosition::line(1).wrong("expected a game, found none"));
    }
    Ok(found.map(Unread))
}

/// Reads the games of a text in any format.
///
/// # Errors
/// Says where the text is wrong, and what was expected there.
pub fn read_games<G: Playable>(text: &str) -> Result<Vec<FiledGame<G>>, TextError> {
    find_games(text)?.map(Unread::read).collect()
}

/// Refuses a text whose games follow another rule set.
fn expect<G: Playable>(found: &str) -> Result<(), TextError> {
    if found == G::NAME {
        return Ok(());
    }
    Err(TextPosition::line(1).wrong(format!("expected games of {}, found {found}", G::NAME)))
}

/// The games in JSON lines.
fn records<G: Playable>(
    text: &str,
    header: MatchHeader,
) -> Result<impl Iterator<Item = Source<'_, G>>, TextError> {
    expect::<G>(&header.game)?;
    let lines = text.lines().zip(1..).skip(1).filter(|(line, _)| !line.trim().is_empty());
    let MatchHeader { agents, pairs, .. } = header;
    Ok(lines.map(move |(line, number)| Source::Line(line, number, agents.clone(), Some(pairs))))
}

/// The games of a tournament that a TOML file describes, in the order of its lines.
fn games_of_cup<G: Playable>(
    text: &str,
    names: Vec<String>,
) -> impl Iterator<Item = Source<'_, G>> {
    #[derive(Deserialize)]
    struct Line {
        players: [usize; 2],
    }
    let lines = text.lines().zip(1..).skip(2).filter(|(line, _)| !line.trim().is_empty());
    lines.map(move |(line, number)| {
        // A line without players is refused later, when its game is read.
        let players = serde_json::from_str(line).map_or([0; 2], |Line { players }| players);
        let name = |player: usize| names.get(player).cloned().unwrap_or_default();
        Source::Line(line, number, players.map(name), None)
    })
}

/// The game in one JSON line.
fn record<G: Playable>(
    line: &str,
    number: usize,
    agents: &[String; 2],
    pairs: Option<u64>,
) -> Result<FiledGame<G>, TextError> {
    let record: GameRecord = serde_json::from_str(line).map_err(|error| {
        TextPosition { line: number, column: error.column().max(1) }.wrong(plain(&error))
    })?;
    let wrong = |error: &dyn ToString| TextPosition::line(number).wrong(error.to_string());
    record.check(pairs).map_err(|error| wrong(&error))?;
    let filed: FiledGame<G> = replayed(&record, agents).map_err(|error| wrong(&error))?;
    let plies = filed.game.now().ply() - filed.game.start().ply();
    if record.plies != plies {
        let told = record.plies;
        return Err(wrong(&format!("plies {told}: expected {plies}, as the moves have it")));
    }
    Ok(filed)
}

/// The blocks of text between empty lines, each with the number of its first line.
fn blocks(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut lines = text.split_inclusive('\n').zip(1..).peekable();
    let mut at = 0;
    std::iter::from_fn(move || {
        let empty = |line: &str| line.trim().is_empty();
        while let Some((line, _)) = lines.next_if(|(line, _)| empty(line)) {
            at += line.len();
        }
        let &(_, number) = lines.peek()?;
        let start = at;
        while let Some((line, _)) = lines.next_if(|(line, _)| !empty(line)) {
            at += line.len();
        }
        Some((&text[start..at], number))
    })
}

/// Reads a plain move list: the start (a position, a set-up for both sides, or one for each; the
/// usual start if left out), then rolls and moves alternately, `@4 a5b4 @1 …`, then perhaps the
/// result. `line` is the number of its first line.
fn move_list<G: Playable>(block: &str, line: usize) -> Result<Transcript<G>, TextError> {
    let mut scanner = Scanner::within(block, TextPosition::line(line));
    let words: Vec<(TextPosition, &str)> = std::iter::from_fn(|| scanner.word()).collect();
    let first_roll = words.iter().position(|(_, word)| word.starts_with('@'));
    let (start, moves) = words.split_at(first_roll.unwrap_or(words.len()));
    let (start, moves) = beginning::<G>(start, moves)?;
    let (moves, result) = match moves.as_slice().split_last() {
        Some((&(place, word), before)) => match outcome(word) {
            Some(result) => (before, Some((place, result))),
            None if word == OPEN => (before, None),
            None => (moves.as_slice(), None),
        },
        None => (moves.as_slice(), None),
    };
    let mut reader = MoveReader::new(start);
    for &(place, word) in moves {
        reader.read(word).map_err(|error| place.wrong(error))?;
    }
    let mut game = reader.end().map_err(|error| {
        let last = words.last().map_or(TextPosition::line(1), |(place, _)| *place);
        last.wrong(error)
    })?;
    if let Some((place, result)) = result {
        game.state(result).map_err(|error| place.wrong(error))?;
    }
    Ok(game)
}

/// An upper bound on the number of fields of a position; words after that many are not tried as
/// part of one.
const MAX_FIELDS: usize = 12;

/// The start of a game, and the words that follow it.
type Begun<'a, G> = (Situation<G>, Vec<(TextPosition, &'a str)>);

/// Reads the start of a game from the words before its first roll.
fn beginning<'a, G: Playable>(
    words: &[(TextPosition, &'a str)],
    moves: &[(TextPosition, &'a str)],
) -> Result<Begun<'a, G>, TextError> {
    let setup = |word: &str| G::setups().iter().copied().find(|setup| setup.to_string() == word);
    let setups: Vec<G::Setup> = words.iter().map_while(|(_, word)| setup(word)).take(2).collect();
    let at_rest = |position| Situation { position, roll: None };
    let (start, used) = match (setups.as_slice(), words.first()) {
        (_, None) => (at_rest(G::default()), 0),
        (&[both], _) => (at_rest(G::start(BySide::new(both, both))), 1),
        (&[first, second], _) => (at_rest(G::start(BySide::new(first, second))), 2),
        (_, Some((place, _))) => {
            let text = |count: usize| {
                words[..count].iter().map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
            };
            let read = |count: usize| Some((text(count).parse().ok()?, count));
            let most = words.len().min(MAX_FIELDS);
            match (1..=most).rev().find_map(read) {
                Some(read) => read,
                None => {
                    let error = G::read(&text(most)).err();
                    let problem = error.map(|error| error.to_string()).unwrap_or_default();
                    let setup = G::setups().first().map(ToString::to_string).unwrap_or_default();
                    return Err(place.wrong(format!("{problem}, or a set-up such as {setup}")));
                }
            }
        }
    };
    Ok((start, [&words[used..], moves].concat()))
}

/// Writes a game as a move list: the start, then rolls and moves on one line. [`read_games`] reads
/// it back.
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

/// The number of each game's pair and its place in it, from 0.
fn slots<G: Playable>(games: &[FiledGame<G>]) -> Vec<(u64, u8)> {
    let mut slots: Vec<(u64, u8)> = vec![];
    for (number, filed) in games.iter().enumerate() {
        let second = |before: &FiledGame<G>| before.pair.is_some() && before.pair == filed.pair;
        slots.push(match slots.last() {
            Some(&(pair, 0)) if second(&games[number - 1]) => (pair, 1),
            Some(&(pair, _)) => (pair + 1, 0),
            None => (0, 0),
        });
    }
    slots
}

/// Writes games as JSON lines, as a match does. Two games in succession are a mirrored pair only if
/// they were one in the file that they come from; any other game has a pair number of its own.
///
/// # Errors
/// When the games are not all between the same two players.
pub fn write_records<G: Playable>(games: &[FiledGame<G>]) -> Result<String, MixedPlayers> {
    let players = |game: &FiledGame<G>| game.entry().players;
    let agents = games.first().map(players).unwrap_or_default();
    let slots = slots(games);
    let pairs = slots.last().map_or(0, |(pair, _)| pair + 1);
    written(games, &MatchHeader::of_games::<G>(agents, pairs), slots)
}

/// Writes games that were read from a file of JSON lines with this header again as [`write_records`]
/// does, but with the numbers of their pairs and the settings of the header.
///
/// # Errors
/// When the games are not all between the two players of the header.
pub fn rewrite_records<G: Playable>(
    games: &[FiledGame<G>],
    header: &MatchHeader,
) -> Result<String, MixedPlayers> {
    let MatchHeader { program, .. } =
        MatchHeader::of_games::<G>(header.agents.clone(), header.pairs);
    let kept = slots(games).into_iter().zip(games).map(|((pair, place), filed)| {
        // Every game of such a file has the number of a pair.
        (filed.pair.unwrap_or(pair), place)
    });
    let kept = kept.collect();
    written(games, &MatchHeader { program, ..header.clone() }, kept)
}

/// Writes games as JSON lines with this header, each with the number of its pair and its place in
/// it.
fn written<G: Playable>(
    games: &[FiledGame<G>],
    header: &MatchHeader,
    slots: Vec<(u64, u8)>,
) -> Result<String, MixedPlayers> {
    let agents = &header.agents;
    let mut text = serde_json::to_string(header).unwrap_or_default() + "\n";
    for (number, (filed, (pair, place))) in games.iter().zip(slots).enumerate() {
        let players = filed.entry().players;
        let first = match &players {
            // Where an agent has played against itself, the names do not tell who was who.
            own if own == agents && agents[0] == agents[1] => usize::from(place),
            own if own == agents => 0,
            [one, other] if [other, one] == [&agents[0], &agents[1]] => 1,
            _ => {
                return Err(MixedPlayers { number: number + 1, players, first: agents.clone() });
            }
        };
        let game = &filed.game;
        let sides = Sides { first };
        let failure = filed.failure.as_ref();
        let record = GameRecord {
            pair,
            game: place,
            first: first as u8,
            start: game.start().to_string(),
            moves: moves_of(game),
            result: game.result.map_or_else(|| OPEN.to_owned(), |outcome| outcome.to_string()),
            fault: failure.map(|(side, failure)| (sides.agent(*side) as u8, failure.fault)),
            reason: failure.map_or_else(String::new, |(_, failure)| failure.reason.clone()),
            plies: game.now().ply() - game.start().ply(),
            searches: <[Searches; 2]>::default(),
            time: game.occasion.time.clone(),
            place: game.occasion.place.clone(),
            event: game.occasion.event.clone(),
        };
        text += &(serde_json::to_string(&record).unwrap_or_default() + "\n");
    }
    Ok(text)
}
