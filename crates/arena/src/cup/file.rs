//! The file of a tournament's games: JSON lines. The first repeats the whole TOML file, and the second
//! has the set-ups that do not change. A game is written as a line as soon as it ends, so
//! lines are in the order in which games ended; `number` is the place of a game in the order of
//! play.

use std::collections::HashMap;
use std::path::Path;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wurfel_core::files::unfinished;
use wurfel_core::{Outcome, Side};
use wurfel_games::Playable;

use crate::play::adjudicate::Adjudicator;
use crate::play::chosen::ChosenSetUps;
use crate::play::tournament::are_unknown;
use crate::records::differences::differences;
use crate::records::draft::{Draft, OutputError};
use crate::records::record::{GameRecord, outcome};
use crate::records::recorded_game::plain;

use super::definition::CupDefinition;
use super::error::CupError;
use super::meeting::{GameScore, Meeting};
use super::replay::{Check, Replay, check, read_setups};
use super::schedule::{DueGame, games, next};

/// The name of the format, in the first line.
const FORMAT: &str = "wurfel-tournament";
/// The version of the format; a reader refuses a version it does not know.
const VERSION: u32 = 1;

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header<T> {
    format: String,
    version: u32,
    program: String,
    tournament: T,
}

impl<T> Header<T> {
    fn new(tournament: T) -> Self {
        let program = concat!("wurfel ", env!("CARGO_PKG_VERSION")).to_owned();
        Self { format: FORMAT.to_owned(), version: VERSION, program, tournament }
    }

    fn is_known(&self) -> bool {
        self.format == FORMAT && self.version == VERSION
    }
}

/// The second line: for each participant the set-ups of the first and of the second side, where
/// they are not drawn for each pair of games.
#[derive(Serialize, Deserialize)]
struct SetUpLine {
    setups: Vec<[Option<String>; 2]>,
    /// The names that participants that are programs give themselves, with their versions.
    #[serde(default, skip_serializing_if = "are_unknown")]
    programs: Vec<Option<String>>,
}

impl SetUpLine {
    /// Reads the line for this number of participants.
    fn read(line: &str, participants: usize) -> Result<Self, String> {
        let read: Self = serde_json::from_str(line)
            .map_err(|error| format!("expected the set-ups: {}", plain(&error)))?;
        match read.setups.len() {
            count if count == participants => Ok(read),
            count => {
                Err(format!("expected the set-ups of {participants} participants, found {count}"))
            }
        }
    }
}

/// The line of a game, as it is written.
#[derive(Serialize)]
pub(crate) struct GameLine<'a> {
    /// Its place in the order of play, from 0.
    pub number: u64,
    /// The round, from 1.
    pub round: u32,
    /// The two participants, by their places in the TOML file, from 0. Agents 0 and 1 of the record
    /// are these two.
    pub players: [usize; 2],
    /// The mean time of each participant for a move, in milliseconds.
    pub mean_ms: [f64; 2],
    /// Whether tablebases ended the game before the rules did.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub adjudicated: bool,
    #[serde(flatten)]
    pub record: &'a GameRecord,
}

/// The part of a game's line that the standings need.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Entry {
    number: u64,
    round: u32,
    players: [usize; 2],
    pair: u64,
    game: u8,
    first: u8,
    result: String,
    #[serde(default)]
    fault: Option<(u8, IgnoredAny)>,
}

impl Entry {
    /// Reads the line of a game.
    ///
    /// # Errors
    /// Says what is missing from the game, or wrong with it.
    pub fn read(line: &str) -> Result<Self, String> {
        let entry: Self = serde_json::from_str(line)
            .map_err(|error| format!("expected a game: {}", plain(&error)))?;
        match outcome(&entry.result) {
            Some(_) => Ok(entry),
            None => Err(format!("result '{}': expected 1-0, 0-1 or 1/2-1/2", entry.result)),
        }
    }

    /// Adds the game to the known ones, unless it is among them already.
    fn note(self, known: &mut HashMap<u64, Self>) -> Result<(), String> {
        let number = self.number;
        match known.insert(number, self) {
            None => Ok(()),
            Some(_) => Err(format!("game {number} is given twice: expected each game once")),
        }
    }

    /// The points of the game, if it is game `game` of this meeting.
    fn point(
        &self,
        definition: &CupDefinition,
        meeting: &Meeting,
        game: usize,
    ) -> Option<GameScore> {
        let slot = Meeting::slot(definition.format, game as u64);
        let same = (self.round, self.players) == (meeting.round, meeting.players)
            && (self.pair, self.game, self.first) == (slot.pair, slot.game, slot.first);
        let first = if self.first == 0 { Side::First } else { Side::Second };
        let halves = match outcome(&self.result)? {
            Outcome::Draw => 1,
            Outcome::Win(side) => 2 * u8::from(side == first),
        };
        same.then(|| GameScore { halves, faulted: self.fault.as_ref().map(|(loser, _)| *loser) })
    }
}

/// Fills in the results of the due games that are known and returns the others. `before` games
/// precede the due ones in the order of play. `None` when a known game is not the one that is due in
/// its place.
pub(crate) fn fill(
    definition: &CupDefinition,
    meetings: &mut [Meeting],
    before: u64,
    known: &mut HashMap<u64, Entry>,
) -> Option<Vec<DueGame>> {
    let (mut number, mut missing) = (before, vec![]);
    for (place, meeting) in meetings.iter_mut().enumerate() {
        for game in 0..meeting.games.len() {
            if meeting.games[game].is_some() {
                continue;
            }
            match known.remove(&number) {
                Some(entry) => {
                    meeting.games[game] = Some(entry.point(definition, meeting, game)?);
                }
                None => missing.push(DueGame { number, meeting: place, game }),
            }
            number += 1;
        }
    }
    Some(missing)
}

/// The unfinished file of a tournament, with the games that an earlier run has left in it.
pub(crate) struct CupFile<G: Playable> {
    pub draft: Draft,
    /// The games in the file, by their numbers.
    pub known: HashMap<u64, Entry>,
    /// The set-ups in the file; `None` when they have not been written yet.
    pub setups: Option<Vec<ChosenSetUps<G>>>,
}

impl<G: Playable> CupFile<G> {
    /// Opens the file for writing, to begin or to resume a tournament, whose games `adjudicator`
    /// may have ended. All games in the file are played again.
    pub fn open(
        rules: &G,
        path: &Path,
        definition: &CupDefinition,
        adjudicator: Option<&Adjudicator<G>>,
    ) -> Result<Self, CupError> {
        if path.exists() {
            return Err(OutputError::Exists(path.to_owned()).into());
        }
        let own = serde_json::to_value(definition).unwrap_or_default();
        let header = line(&Header::new(&own));
        let mut draft = Draft::open(path.to_owned())?;
        let first = draft.first_line()?;
        let other_work = || CupError::from(OutputError::OtherWork(unfinished(path)));
        if first.ends_with('\n') {
            let there: Header<Value> = serde_json::from_str(&first).map_err(|_| other_work())?;
            if !there.is_known() {
                return Err(other_work());
            }
            let differences = differences(&there.tournament, &own);
            if !differences.is_empty() {
                let differences = differences.iter().map(ToString::to_string).collect();
                return Err(CupError::Changed { path: unfinished(path), differences });
            }
        } else if !header.starts_with(&first) {
            return Err(other_work());
        }
        let (mut known, mut replay) = (HashMap::new(), None);
        let participants = definition.participants.len();
        let lines = draft.retain_lines(|number, text| {
            match number {
                0 => {}
                1 => {
                    let setups = SetUpLine::read(text, participants)?.setups;
                    let chosen = read_setups::<G>(definition, &setups)?;
                    let adjudicator = adjudicator.cloned();
                    let (rules, definition) = (rules.clone(), definition.clone());
                    replay = Some(Replay { rules, definition, chosen, adjudicator });
                }
                _ => {
                    let entry = Entry::read(text)?;
                    replay.iter().try_for_each(|replay: &Replay<G>| replay.check(text))?;
                    entry.note(&mut known)?;
                }
            }
            Ok(true)
        })?;
        if lines == 0 {
            draft.write(header.as_bytes())?;
        }
        Ok(Self { draft, known, setups: replay.map(|replay| replay.chosen) })
    }

    /// Writes the set-ups that do not change.
    pub fn write_setups(
        &mut self,
        setups: Vec<[Option<String>; 2]>,
        programs: Vec<Option<String>>,
    ) -> Result<(), OutputError> {
        self.draft.write(line(&SetUpLine { setups, programs }).as_bytes())?;
        self.draft.sync()
    }
}

/// A value as a line of JSON, with its line break.
pub(crate) fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

/// Reads the file of a tournament line by line, whether it is finished or not.
pub struct CupReader {
    definition: CupDefinition,
    known: HashMap<u64, Entry>,
    /// Plays a game again; `None` before the set-ups have been read.
    check: Option<Check>,
}

impl CupReader {
    /// Begins with the first line; `None` when the line belongs to another kind of file.
    pub fn begin(first: &str) -> Option<Self> {
        let header: Header<CupDefinition> = serde_json::from_str(first).ok()?;
        let is_good = header.is_known() && header.tournament.check().is_ok();
        let definition = header.tournament;
        is_good.then(|| Self { definition, known: HashMap::new(), check: None })
    }

    /// The tournament as the first line of the file describes it.
    pub const fn definition(&self) -> &CupDefinition {
        &self.definition
    }

    /// Reads one more line and plays its game again. [`CupReader::add_unchecked`] does not.
    ///
    /// # Errors
    /// When the line is neither a game nor the set-ups, for instance because it was half written,
    /// when the game is already there, or when it cannot have been played in this tournament. The
    /// error says what was expected.
    pub fn add(&mut self, line: &str) -> Result<(), String> {
        self.check(line)?.map_or(Ok(()), |entry| entry.note(&mut self.known))
    }

    /// Reads one more line without playing its game again, which takes a fraction of the time. For
    /// files that are read again and again while they grow; [`CupReader::add`] checks the game.
    ///
    /// # Errors
    /// When the line is neither a game nor the set-ups, or when the game is already there.
    pub fn add_unchecked(&mut self, line: &str) -> Result<(), String> {
        match Entry::read(line) {
            Ok(entry) => entry.note(&mut self.known),
            Err(_) if serde_json::from_str::<SetUpLine>(line).is_ok() => Ok(()),
            Err(problem) => Err(problem),
        }
    }

    /// Plays the game of a line again without adding it; `None` when the line has the set-ups.
    pub(crate) fn check(&mut self, line: &str) -> Result<Option<Entry>, String> {
        let Some(check) = &self.check else {
            let SetUpLine { setups, .. } =
                SetUpLine::read(line, self.definition.participants.len())?;
            self.check = Some(check(&self.definition, &setups)?);
            return Ok(None);
        };
        let entry = Entry::read(line)?;
        check(line).map(|()| Some(entry))
    }

    /// The meetings with the games that were read, and whether the tournament is over. `None` when
    /// the file has a game that the tournament does not have.
    pub fn meetings(mut self) -> Option<(CupDefinition, Vec<Meeting>, bool)> {
        let (mut meetings, mut before) = (vec![], 0);
        loop {
            if !next(&self.definition, &mut meetings) {
                return self.known.is_empty().then_some((self.definition, meetings, true));
            }
            let missing = fill(&self.definition, &mut meetings, before, &mut self.known)?;
            before = games(&meetings);
            if !missing.is_empty() {
                return self.known.is_empty().then_some((self.definition, meetings, false));
            }
        }
    }
}
