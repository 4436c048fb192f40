//! Reading games, in any of their formats.
//!
//! There are five formats: the JSON lines that a match writes, those of a tournament that a TOML
//! file describes, the record that the site saves, plain move lists, and the formats that the
//! players of a game use among themselves ([`Playable::RECORDS`]). A file is encoded as UTF-8, or
//! as GBK by Chinese programs.

use std::rc::Rc;

use serde::Deserialize;
use wurfel_core::{
    BySide, MoveReader, Scanner, Situation, TextError, TextPosition, Transcript, without_mark,
};
use wurfel_games::{Playable, ReadGame, RecordForm};

use crate::records::form::Form;
use crate::records::record::{GameRecord, MatchHeader, OPEN, outcome};
use crate::records::recorded_game::{RecordedGame, plain, replay_record};
use crate::records::room::Room;

/// The name of the game that a text of games belongs to; `None` when the text does not say.
///
/// # Errors
/// When the text has a wrong header.
pub fn game_of(text: &str) -> Result<Option<String>, TextError> {
    Form::of(text).map(Form::game)
}

/// A game in a text, not parsed yet.
#[derive(Debug)]
pub struct UnparsedGame<'a, G: Playable> {
    rules: G,
    source: Source<'a, G>,
}

#[derive(Debug)]
enum Source<'a, G: Playable> {
    /// A line of JSON, its number, and what the lines before it say about it.
    Line(&'a str, usize, Rc<LineOrigin>),
    /// A move list and the number of its first line.
    Words(&'a str, usize),
    Room(Room),
    /// A record in a form of the game's own, and the number of its first line.
    Own(&'a RecordForm<G>, &'a str, usize),
}

impl<G: Playable> UnparsedGame<'_, G> {
    /// Parses the game.
    ///
    /// # Errors
    /// Says where the text is wrong, and what was expected there.
    pub fn read(self) -> Result<RecordedGame<G>, TextError> {
        let Self { rules, source } = self;
        match source {
            Source::Line(line, number, origin) => origin.read(&rules, line, number),
            Source::Words(block, line) => move_list(&rules, block, line).map(RecordedGame::alone),
            Source::Room(room) => {
                room.read(&rules).map_err(|error| TextPosition::line(1).wrong(error))
            }
            Source::Own(form, record, line) => {
                let ReadGame { game, assumed } = (form.read)(record, line)?;
                Ok(RecordedGame { assumed, ..RecordedGame::alone(game) })
            }
        }
    }
}

/// Finds the games of a text in any format, played by these rules, in order; there is always at least one.
/// [`read_games`] also parses them.
///
/// # Errors
/// When there is no game, or the text belongs to games by other rules.
pub fn find_games<'a, G: Playable>(
    rules: &G,
    text: &'a str,
) -> Result<impl Iterator<Item = UnparsedGame<'a, G>> + use<'a, G>, TextError> {
    let text = without_mark(text);
    let form = Form::of(text)?;
    let own = G::RECORDS.iter().find(|form| (form.recognises)(text));
    let origin = LineOrigin::of(&form).map(Rc::new);
    if let Some(origin) = &origin {
        origin.expect(rules)?;
    }
    let sources: Box<dyn Iterator<Item = Source<'a, G>> + 'a> = match (form, own) {
        (Form::Records(_), _) => Box::new(json_lines(text, 1, origin)),
        // The second line has the set-ups.
        (Form::Cup(..), _) => Box::new(json_lines(text, 2, origin)),
        (Form::Room(room), _) => {
            expect(rules, &room.game)?;
            Box::new([Source::Room(room)].into_iter())
        }
        (Form::Other, Some(form)) => {
            let records = (form.split)(text).into_iter();
            Box::new(records.map(move |(line, record)| Source::Own(form, record, line)))
        }
        (Form::Other, None) => {
            Box::new(blocks(text).map(|(block, line)| Source::Words(block, line)))
        }
    };
    let mut sources = sources.peekable();
    if sources.peek().is_none() {
        return Err(TextPosition::line(1).wrong("expected a game, found none"));
    }
    let rules = rules.clone();
    Ok(sources.map(move |source| UnparsedGame { rules: rules.clone(), source }))
}

/// Reads the games of a text in any format, played by these rules.
///
/// # Errors
/// Says where the text is wrong, and what was expected there.
///
/// # Example
///
/// ```
/// use wurfel_arena::{move_list_of, read_games};
/// use wurfel_games::einstein::Einstein;
///
/// let games = read_games(&Einstein::default(), "ABC2/DE3/F3f/3ed/2cba r - 1 @4 a4b4 @1 e1e2 *")?;
/// assert_eq!(games[0].game.decisions().len(), 2);
/// assert!(move_list_of(&games[0].game).ends_with("@4 a4b4 @1 e1e2 *"));
///
/// let error = read_games(&Einstein::default(), "@4 a4e4").unwrap_err();
/// assert!(error.to_string().starts_with("line 1, column 4"), "{error}");
/// # Ok::<(), wurfel_core::TextError>(())
/// ```
pub fn read_games<G: Playable>(rules: &G, text: &str) -> Result<Vec<RecordedGame<G>>, TextError> {
    find_games(rules, text)?.map(UnparsedGame::read).collect()
}

/// Refuses a text with games of another rule set.
fn expect<G: Playable>(rules: &G, sources: &str) -> Result<(), TextError> {
    if sources == rules.name() {
        return Ok(());
    }
    let expected = format!("expected games of {}, found {sources}", rules.name());
    Err(TextPosition::line(1).wrong(expected))
}

/// The games in JSON lines after the first `before` lines.
fn json_lines<G: Playable>(
    text: &str,
    before: usize,
    origin: Option<Rc<LineOrigin>>,
) -> impl Iterator<Item = Source<'_, G>> {
    let lines = text.lines().zip(1..).skip(before).filter(|(line, _)| !line.trim().is_empty());
    lines.filter_map(move |(line, number)| Some(Source::Line(line, number, origin.clone()?)))
}

/// What the first line of a file of JSON lines says about the games in the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LineOrigin {
    pub game: String,
    players: Players,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Players {
    /// The two agents of a match, and the number of its pairs.
    Match([String; 2], u64),
    /// The participants of a tournament, whose lines name two by their numbers.
    Cup(Vec<String>),
}

impl LineOrigin {
    /// The origin of the lines of a text in this form; `None` if it is no form of JSON lines.
    pub(super) fn of(form: &Form) -> Option<Self> {
        let (game, players) = match form {
            Form::Records(MatchHeader { game, agents, pairs, .. }) => {
                (game, Players::Match(agents.clone(), *pairs))
            }
            Form::Cup(game, names) => (game, Players::Cup(names.clone())),
            Form::Room(_) | Form::Other => return None,
        };
        Some(Self { game: game.clone(), players })
    }

    /// Refuses lines of another rule set.
    pub fn expect<G: Playable>(&self, rules: &G) -> Result<(), TextError> {
        expect(rules, &self.game)
    }

    /// The game in a line.
    pub fn read<G: Playable>(
        &self,
        rules: &G,
        line: &str,
        number: usize,
    ) -> Result<RecordedGame<G>, TextError> {
        #[derive(Deserialize)]
        struct Line {
            players: [usize; 2],
        }
        match &self.players {
            Players::Match(agents, pairs) => record(rules, line, number, agents, Some(*pairs)),
            Players::Cup(names) => {
                // A line without players is refused when its game is read.
                let players = serde_json::from_str(line).map_or([0; 2], |Line { players }| players);
                let name = |player: usize| names.get(player).cloned().unwrap_or_default();
                record(rules, line, number, &players.map(name), None)
            }
        }
    }
}

/// The game in one JSON line.
pub(super) fn record<G: Playable>(
    rules: &G,
    line: &str,
    number: usize,
    agents: &[String; 2],
    pairs: Option<u64>,
) -> Result<RecordedGame<G>, TextError> {
    let record: GameRecord = serde_json::from_str(line).map_err(|error| {
        TextPosition { line: number, column: error.column().max(1) }.wrong(plain(&error))
    })?;
    replay_record(rules, &record, agents, pairs)
        .map_err(|error| TextPosition::line(number).wrong(error))
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
/// initial position by default), then rolls and moves alternately, `@4 a5b4 @1 …`, then perhaps the
/// result. `line` is the number of its first line.
fn move_list<G: Playable>(rules: &G, block: &str, line: usize) -> Result<Transcript<G>, TextError> {
    let mut scanner = Scanner::within(block, TextPosition::line(line));
    let mut words = std::iter::from_fn(|| scanner.word()).peekable();
    let mut first = vec![];
    while first.len() < MAX_FIELDS
        && let Some(word) = words.next_if(|(_, word)| !word.starts_with('@'))
    {
        first.push(word);
    }
    let (start, used) = beginning(rules, &first)?;
    let mut last = first.last().map_or(TextPosition::line(line), |(place, _)| *place);
    // Words are read one by one, so that a mistake in a long text is reported before its rest is split.
    let mut words = first.into_iter().skip(used).chain(words).peekable();
    let (mut reader, mut result) = (MoveReader::new(start), None);
    while let Some((place, word)) = words.next() {
        last = place;
        if words.peek().is_none() && (word == OPEN || outcome(word).is_some()) {
            result = outcome(word);
        } else {
            reader.read(word).map_err(|error| place.wrong(error))?;
        }
    }
    let mut game = reader.end().map_err(|error| last.wrong(error))?;
    if let Some(result) = result {
        game.state(result).map_err(|error| last.wrong(error))?;
    }
    Ok(game)
}

/// An upper bound on the number of fields of a position; words beyond this number are not tried
/// as part of one.
const MAX_FIELDS: usize = 12;

/// Reads the start of a game from the first words before its first roll, and says how many of them
/// it takes.
fn beginning<G: Playable>(
    rules: &G,
    words: &[(TextPosition, &str)],
) -> Result<(Situation<G>, usize), TextError> {
    let setups: Vec<G::Setup> =
        words.iter().map_while(|(_, word)| G::setup_of(word)).take(2).collect();
    let at_rest = |position| Situation { position, roll: None };
    match (setups.as_slice(), words.first()) {
        (_, None) => Ok((at_rest(rules.clone()), 0)),
        (&[both], _) => Ok((at_rest(rules.start(BySide::new(both, both))), 1)),
        (&[first, second], _) => Ok((at_rest(rules.start(BySide::new(first, second))), 2)),
        (_, Some((place, _))) => {
            let text = |count: usize| {
                words[..count].iter().map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
            };
            let read = |count: usize| Some((rules.read_alike(&text(count)).ok()?, count));
            (1..=words.len()).rev().find_map(read).ok_or_else(|| {
                let error = rules.read_alike(&text(words.len())).err();
                let problem = error.map(|error| error.to_string()).unwrap_or_default();
                let setup = G::setups().first().map(ToString::to_string).unwrap_or_default();
                place.wrong(format!("{problem}, or a set-up such as {setup}"))
            })
        }
    }
}
