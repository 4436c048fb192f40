//! Reading and writing files of games, in whatever form they are.
//!
//! Three forms hold the games of every game: the lines of JSON that a match writes,
//! plain move lists, and what the players of a game use among themselves
//! ([`Playable::RECORDS`]). A file is UTF-8, or GBK as Chinese programs write it.

use encoding_rs::GBK;
use wurfel_game::{BySide, NotationError, Side, Situation};
use wurfel_games::{Occasion, Place, Playable, Scanner, TextError, Transcript};

use crate::record::{FORMAT, GameRecord, Header, OPEN, VERSION, outcome};
use crate::referee::Fault;
use crate::report::Seats;

/// A game of a file.
#[derive(Clone, Debug)]
pub struct Filed<G: Playable> {
    /// The game.
    pub game: Transcript<G>,
    /// The number of the mirrored pair that it belongs to, if the file has pairs.
    pub pair: Option<u64>,
    /// Who lost by what, when it was not the rules that decided.
    pub fault: Option<(Side, Fault)>,
}

/// The text of a file.
///
/// # Errors
/// When it is neither UTF-8 nor GBK.
pub fn decode(bytes: &[u8]) -> Result<String, TextError> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(error) => {
            // Its mark may say that it is UTF-16.
            let (text, _, failed) = GBK.decode(bytes);
            if failed {
                let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
                let mut scanner = Scanner::new(&good);
                scanner.take_while(|_| true);
                return Err(scanner.place().wrong("text in UTF-8 or GBK was expected"));
            }
            text
        }
    };
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

/// The first line of a file of JSON lines, if the text looks like one.
fn header(text: &str) -> Option<Result<Header, TextError>> {
    if !text.trim_start().starts_with('{') {
        return None;
    }
    let line = text.lines().next().unwrap_or_default();
    let wrong = |problem: String| Place::line(1).wrong(problem);
    let header = serde_json::from_str::<Header>(line).map_err(|error| {
        let place = Place { line: 1, column: error.column().max(1) };
        place.wrong(format!("a header of {FORMAT} was expected: {}", plain(&error)))
    });
    Some(header.and_then(|header| match header.format.as_str() {
        FORMAT if header.version == VERSION => Ok(header),
        FORMAT => {
            Err(wrong(format!("version {VERSION} was expected, but it is {}", header.version)))
        }
        _ => Err(wrong(format!("format {FORMAT} was expected"))),
    }))
}

/// What serde says, without its own place.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line").map_or(text.as_str(), |(problem, _)| problem).to_owned()
}

/// The name of the game that a text says it is of; `None` when it does not say.
///
/// # Errors
/// When it has a header that is wrong.
pub fn game_of(text: &str) -> Result<Option<String>, TextError> {
    Ok(header(text).transpose()?.map(|header| header.game))
}

/// The games of a text in any form.
///
/// # Errors
/// Says where the text is wrong, and what was expected there.
pub fn read_games<G: Playable>(text: &str) -> Result<Vec<Filed<G>>, TextError> {
    let alone = |game| Filed { game, pair: None, fault: None };
    let games: Vec<Filed<G>> = if let Some(header) = header(text) {
        records(text, &header?)?
    } else if let Some(form) = G::RECORDS.iter().find(|form| (form.recognises)(text)) {
        vec![alone((form.read)(text)?)]
    } else {
        move_lists(text)?.into_iter().map(alone).collect()
    };
    if games.is_empty() {
        return Err(Place::line(1).wrong("a game was expected, but there is none"));
    }
    Ok(games)
}

/// The games of lines of JSON.
fn records<G: Playable>(text: &str, header: &Header) -> Result<Vec<Filed<G>>, TextError> {
    if header.game != G::NAME {
        let found = &header.game;
        return Err(
            Place::line(1).wrong(format!("games of {} were expected, not {found}", G::NAME))
        );
    }
    let lines = text.lines().zip(1..).skip(1).filter(|(line, _)| !line.trim().is_empty());
    lines.map(|(line, number)| record(line, number, &header.agents)).collect()
}

/// The game of a line of JSON.
fn record<G: Playable>(
    line: &str,
    number: usize,
    agents: &[String; 2],
) -> Result<Filed<G>, TextError> {
    let record: GameRecord = serde_json::from_str(line).map_err(|error| {
        Place { line: number, column: error.column().max(1) }.wrong(plain(&error))
    })?;
    replayed(&record, agents).map_err(|error| Place::line(number).wrong(error))
}

/// The game of a record, every move checked.
pub(crate) fn replayed<G: Playable>(
    record: &GameRecord,
    agents: &[String; 2],
) -> Result<Filed<G>, NotationError> {
    let mut game = Transcript::new(record.start.parse::<G>()?);
    let mut scanner = Scanner::new(&record.moves);
    let mut reader = MoveReader { game: &mut game, roll: None };
    while let Some((_, word)) = scanner.word() {
        reader.read(word)?;
    }
    reader.end()?;
    match outcome(&record.result) {
        Some(result) => game.state(result)?,
        None if record.result == OPEN => {}
        None => {
            let expected = "1-0, 0-1, 1/2-1/2 or *";
            return Err(NotationError::whole("result", &record.result, expected));
        }
    }
    let seats = Seats { first: usize::from(record.first & 1) };
    game.players = BySide::from_fn(|side| agents[seats.agent(side)].clone());
    let GameRecord { time, place, event, .. } = record.clone();
    game.occasion = Occasion { time, place, event };
    let fault = record.fault.map(|(agent, fault)| (seats.side(usize::from(agent & 1)), fault));
    Ok(Filed { game, pair: Some(record.pair), fault })
}

/// Reads throws and moves into a game.
struct MoveReader<'a, G: Playable> {
    game: &'a mut Transcript<G>,
    /// What was thrown and not yet played.
    roll: Option<G::Roll>,
}

impl<G: Playable> MoveReader<'_, G> {
    fn read(&mut self, word: &str) -> Result<(), NotationError> {
        if let Some(roll) = word.strip_prefix('@') {
            if self.roll.is_some() {
                return Err(NotationError::whole("move", word, "a move after the throw"));
            }
            let roll: G::Roll = roll.parse()?;
            self.game.check(roll)?;
            self.roll = Some(roll);
            return Ok(());
        }
        let roll = self.roll.take().or(self.game.rest());
        let Some(roll) = roll else {
            let over = self.game.now().outcome().is_some();
            let expected =
                if over { "nothing more: the game is over" } else { "a throw, as in @4" };
            return Err(NotationError::whole("move", word, expected));
        };
        let mv = self.game.now().find_move(roll, word)?;
        self.game.push(roll, mv)
    }

    fn end(&self) -> Result<(), NotationError> {
        match self.roll {
            Some(roll) => Err(NotationError::whole("throw", &roll.to_string(), "a move after it")),
            None => Ok(()),
        }
    }
}

/// Plain move lists: where a game begins (a position, a set-up for both sides, or one
/// for each; the standard start if left out), then throws and moves in turn, `@4
/// a5b4 @1 …`, then perhaps the result. Empty lines part games.
fn move_lists<G: Playable>(text: &str) -> Result<Vec<Transcript<G>>, TextError> {
    let mut games = vec![];
    let mut words: Vec<(Place, &str)> = vec![];
    for (line, number) in text.lines().chain([""]).zip(1..) {
        let mut scanner = Scanner::within(line, Place::line(number));
        let before = words.len();
        words.extend(std::iter::from_fn(|| scanner.word()));
        if words.len() == before && !words.is_empty() {
            games.push(move_list(&words)?);
            words.clear();
        }
    }
    Ok(games)
}

fn move_list<G: Playable>(words: &[(Place, &str)]) -> Result<Transcript<G>, TextError> {
    let first_throw = words.iter().position(|(_, word)| word.starts_with('@'));
    let (start, moves) = words.split_at(first_throw.unwrap_or(words.len()));
    let (start, moves) = beginning::<G>(start, moves)?;
    let mut game = Transcript::new(start.position);
    let (moves, result) = match moves.as_slice().split_last() {
        Some((&(place, word), before)) => match outcome(word) {
            Some(result) => (before, Some((place, result))),
            None if word == OPEN => (before, None),
            None => (moves.as_slice(), None),
        },
        None => (moves.as_slice(), None),
    };
    let mut reader = MoveReader { game: &mut game, roll: start.roll };
    for &(place, word) in moves {
        reader.read(word).map_err(|error| place.wrong(error))?;
    }
    if let Err(error) = reader.end() {
        let last = words.last().map_or(Place::line(1), |(place, _)| *place);
        return Err(last.wrong(error));
    }
    if let Some((place, result)) = result {
        game.state(result).map_err(|error| place.wrong(error))?;
    }
    Ok(game)
}

/// A beginning, and the words after it.
type Begun<'a, G> = (Situation<G>, Vec<(Place, &'a str)>);

/// Where a game begins that has these words before its first throw.
fn beginning<'a, G: Playable>(
    words: &[(Place, &'a str)],
    moves: &[(Place, &'a str)],
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
            match (1..=words.len()).rev().find_map(read) {
                Some(read) => read,
                None => {
                    let error = G::read(&text(words.len())).err();
                    let problem = error.map(|error| error.to_string()).unwrap_or_default();
                    let setup = G::setups().first().map(ToString::to_string).unwrap_or_default();
                    return Err(place.wrong(format!("{problem}, or a set-up such as {setup}")));
                }
            }
        }
    };
    Ok((start, [&words[used..], moves].concat()))
}

/// The game as a line of throws and moves behind its start, as [`read_games`] reads it.
pub fn move_list_of<G: Playable>(game: &Transcript<G>) -> String {
    let mut words = vec![game.start().to_string(), moves_of(game)];
    words.push(game.result.map_or_else(|| OPEN.to_owned(), |outcome| outcome.to_string()));
    words.retain(|word| !word.is_empty());
    words.join(" ")
}

/// The throws and moves of a game in turn.
fn moves_of<G: Playable>(game: &Transcript<G>) -> String {
    let mut words = vec![];
    game.replay(|step| {
        if step.thrown {
            words.push(format!("@{}", step.turn.roll));
        }
        words.push(step.mv.to_string());
    });
    words.join(" ")
}

/// Games that cannot stand in one file of JSON lines.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {0} has other players than the first: lines of JSON need the same two in all games")]
pub struct MixedPlayers(usize);

/// The games as lines of JSON, as a match writes them.
///
/// # Errors
/// When not all are of the same two players.
pub fn write_records<G: Playable>(games: &[Filed<G>]) -> Result<String, MixedPlayers> {
    let name = |game: &Filed<G>, side| match game.game.players[side].as_str() {
        "" => G::SIDES[side].to_owned(),
        name => name.to_owned(),
    };
    let players = |game: &Filed<G>| Side::BOTH.map(|side| name(game, side));
    let agents = games.first().map(players).unwrap_or_default();
    let header = Header::of_games::<G>(agents.clone(), games.len().div_ceil(2) as u64);
    let mut text = serde_json::to_string(&header).unwrap_or_default() + "\n";
    for (number, filed) in games.iter().enumerate() {
        let first = match players(filed) {
            own if own == agents => 0,
            [one, other] if [&other, &one] == [&agents[0], &agents[1]] => 1,
            _ => return Err(MixedPlayers(number + 1)),
        };
        let game = &filed.game;
        let seats = Seats { first };
        let record = GameRecord {
            pair: number as u64 / 2,
            game: (number % 2) as u8,
            first: first as u8,
            start: game.start().to_string(),
            moves: moves_of(game),
            result: game.result.map_or_else(|| OPEN.to_owned(), |outcome| outcome.to_string()),
            fault: filed.fault.map(|(side, fault)| (seats.agent(side) as u8, fault)),
            plies: game.now().ply() - game.start().ply(),
            time: game.occasion.time.clone(),
            place: game.occasion.place.clone(),
            event: game.occasion.event.clone(),
        };
        text += &(serde_json::to_string(&record).unwrap_or_default() + "\n");
    }
    Ok(text)
}
