//! Recognises the format of a text, in most cases by its first line.

use serde::Deserialize;
use serde::de::IgnoredAny;
use wurfel_core::{TextError, TextPosition, without_mark};

use crate::cup::definition::CupDefinition;
use crate::cup::file::CupReader;
use crate::records::csv_log::{GAME_COLUMNS, MOVE_COLUMNS};
use crate::records::record::{FORMAT, MatchHeader, VERSION};
use crate::records::recorded_game::plain;
use crate::records::room::{ROOM_FORMAT, ROOM_VERSION, Room};

/// The format of a text with games.
pub(super) enum Form {
    /// The JSON lines of a match.
    Records(MatchHeader),
    /// The JSON lines of a tournament that a TOML file describes, with the names of its participants.
    Cup(String, Vec<String>),
    /// A record of the site.
    Room(Room),
    /// A move list, or a format that the players of the game use among themselves.
    Other,
}

impl Form {
    /// Recognises the format of a text.
    ///
    /// # Errors
    /// When the header is wrong, or the text is a file of wurfel that holds no games.
    pub fn of(text: &str) -> Result<Self, TextError> {
        let text = without_mark(text);
        let first = text.lines().next().unwrap_or_default();
        if [GAME_COLUMNS, MOVE_COLUMNS].iter().any(|columns| columns.trim_end() == first.trim_end())
        {
            let problem = "a table holds no positions: read the JSON lines beside it instead";
            return Err(TextPosition::line(1).wrong(problem));
        }
        if !text.trim_start().starts_with('{') {
            return Ok(Self::Other);
        }
        if let Some(reader) = CupReader::begin(first) {
            let CupDefinition { game, participants, .. } = reader.definition().clone();
            let names = participants.into_iter().map(|participant| participant.name).collect();
            return Ok(Self::Cup(game, names));
        }
        // Somebody may have reformatted a record of the site so that it spans many lines.
        let fields =
            serde_json::from_str(first).or_else(|_| serde_json::from_str::<FormatFields>(text));
        match fields {
            Ok(fields) if fields.format.as_deref() == Some(ROOM_FORMAT) => {
                room(text).map(Self::Room)
            }
            Ok(fields) => match fields.no_games() {
                Some(problem) => Err(TextPosition::line(1).wrong(problem)),
                None => header(first).map(Self::Records),
            },
            Err(_) => header(first).map(Self::Records),
        }
    }

    /// The header of the JSON lines of a match.
    pub const fn header(&self) -> Option<&MatchHeader> {
        match self {
            Self::Records(header) => Some(header),
            _ => None,
        }
    }

    /// The name of the game, if the text gives it.
    pub fn game(self) -> Option<String> {
        match self {
            Self::Records(header) => Some(header.game),
            Self::Cup(game, _) => Some(game),
            Self::Room(room) => Some(room.game),
            Self::Other => None,
        }
    }
}

/// The fields by which the kinds of JSON files of wurfel are recognised.
#[derive(Deserialize)]
struct FormatFields {
    format: Option<String>,
    agents: Option<IgnoredAny>,
    first: Option<IgnoredAny>,
    turn: Option<IgnoredAny>,
    round: Option<IgnoredAny>,
    eval: Option<IgnoredAny>,
    depth: Option<IgnoredAny>,
}

impl FormatFields {
    /// Why a file with these fields has no games; `None` when it may have some.
    const fn no_games(&self) -> Option<&'static str> {
        match self {
            Self { format: Some(_), .. } => None,
            Self { agents: Some(_), first: Some(_), .. } => Some(
                "a tournament's file holds results, no games (`wurfel match --out` saves games)",
            ),
            Self { turn: Some(_), .. } => {
                Some("this file holds training positions of a network, not games")
            }
            Self { round: Some(_), .. } => {
                Some("this file holds the metrics of a training run, not games")
            }
            Self { eval: Some(_), depth: Some(_), .. } => {
                Some("this file holds labelled positions (`wurfel train fit` reads it), not games")
            }
            _ => None,
        }
    }
}

/// The header of a file of JSON lines.
fn header(line: &str) -> Result<MatchHeader, TextError> {
    let header = serde_json::from_str::<MatchHeader>(line).map_err(|error| {
        let place = TextPosition { line: 1, column: error.column().max(1) };
        place.wrong(format!("expected a header of {FORMAT}: {}", plain(&error)))
    })?;
    match header.format.as_str() {
        FORMAT => version(header.version, VERSION).map(|()| header),
        _ => Err(TextPosition::line(1).wrong(format!("expected format {FORMAT}"))),
    }
}

fn room(text: &str) -> Result<Room, TextError> {
    let room: Room = serde_json::from_str(text).map_err(|error| {
        let place = TextPosition { line: error.line().max(1), column: error.column().max(1) };
        place.wrong(format!("expected a game of {ROOM_FORMAT}: {}", plain(&error)))
    })?;
    version(room.version, ROOM_VERSION).map(|()| room)
}

fn version(number: u32, expected: u32) -> Result<(), TextError> {
    let wrong =
        || TextPosition::line(1).wrong(format!("expected version {expected}, found {number}"));
    if number == expected { Ok(()) } else { Err(wrong()) }
}
