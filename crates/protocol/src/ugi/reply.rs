//! The replies of an engine to its driver.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::{Info, NO_MOVE};
use crate::ProtocolError;

/// The word before the move that an engine plays.
const BEST_MOVE: &str = "bestmove";
/// The prefix of an error's text.
const ERROR: &str = "error: ";

/// A line from the engine to the driver.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Reply {
    /// `id name …`
    Name(String),
    /// `id author …`
    Author(String),
    /// `option …`
    Option(OptionLine),
    /// `ugiok`: the introduction is over.
    UgiOk,
    /// `readyok`
    ReadyOk,
    /// `info …`
    Info(Info),
    /// `info string …`: a message for people.
    Note(String),
    /// `info string error: …`: a line was wrong, and nothing else happened.
    Error(String),
    /// `bestmove …`; `None` is `0000`.
    BestMove(Option<String>),
    /// `response …`
    Response(Response),
}

/// The answer to a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Response {
    /// `true` or `false`.
    Is(bool),
    /// The first or the second side has won.
    Won {
        /// Whether it was the first side.
        first: bool,
    },
    /// A draw.
    Draw,
    /// The game is not over.
    None,
}

/// An option of the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionLine {
    /// Its name, which may be several words.
    pub name: String,
    /// The values that it takes.
    pub kind: OptionKind,
}

/// The kind of values that an option takes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum OptionKind {
    /// A whole number.
    Spin {
        /// The default value.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of a few words.
    Combo {
        /// The default word.
        default: String,
        /// The words that may be chosen, the default among them.
        words: Vec<String>,
    },
    /// A text; an empty one is written `<empty>`.
    Text {
        /// The default text.
        default: String,
    },
}

/// The text that stands for an empty one.
const EMPTY: &str = "<empty>";

impl Reply {
    /// Whether a line is meant as `bestmove …`, even if it cannot be read: in upper case, behind a
    /// byte order mark, or without exactly one move. Nothing better will follow such a line, so a
    /// driver need not wait on.
    pub fn means_best_move(line: &str) -> bool {
        let line = line.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
        line.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case(BEST_MOVE))
    }
}

impl FromStr for Reply {
    type Err = ProtocolError;

    /// Reads a line; the move after `ponder` is ignored. A driver ignores lines that cannot be read,
    /// because engines may say more than this.
    fn from_str(line: &str) -> Result<Self, ProtocolError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["ugiok"] => Ok(Self::UgiOk),
            ["readyok"] => Ok(Self::ReadyOk),
            ["id", "name", name @ ..] => Ok(Self::Name(name.join(" "))),
            ["id", "author", name @ ..] => Ok(Self::Author(name.join(" "))),
            ["option", words @ ..] => option(line, words).map(Self::Option),
            ["info", "string", words @ ..] => {
                let text = words.join(" ");
                Ok(match text.strip_prefix(ERROR) {
                    Some(error) => Self::Error(error.to_owned()),
                    None => Self::Note(text),
                })
            }
            ["info", words @ ..] => Ok(Self::Info(Info::read(words))),
            // Engines for UCI also name the move that they would ponder on.
            [BEST_MOVE, mv] | [BEST_MOVE, mv, "ponder", _] => {
                Ok(Self::BestMove((*mv != NO_MOVE).then(|| (*mv).to_owned())))
            }
            [BEST_MOVE, ..] => Err(ProtocolError::new(line, "exactly one move after bestmove")),
            ["response", word] => response(line, word).map(Self::Response),
            _ => Err(ProtocolError::new(
                line,
                "id, option, ugiok, readyok, info, bestmove or response",
            )),
        }
    }
}

fn response(line: &str, word: &str) -> Result<Response, ProtocolError> {
    Ok(match word {
        "true" => Response::Is(true),
        "false" => Response::Is(false),
        "p1win" => Response::Won { first: true },
        "p2win" => Response::Won { first: false },
        "draw" => Response::Draw,
        "none" => Response::None,
        _ => return Err(ProtocolError::new(line, "true, false, p1win, p2win, draw or none")),
    })
}

/// Reads the words after `option`: a name, and then pairs of a key and its value.
fn option(line: &str, words: &[&str]) -> Result<OptionLine, ProtocolError> {
    const KEYS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];
    let mut fields: Vec<(&str, String)> = vec![];
    for word in words {
        match fields.last_mut() {
            _ if KEYS.contains(word) => fields.push((word, String::new())),
            None => return Err(ProtocolError::new(line, "'option name NAME type TYPE …'")),
            Some((_, value)) => {
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(word);
            }
        }
    }
    let get =
        |key: &str| fields.iter().find(|(name, _)| *name == key).map(|(_, value)| value.clone());
    let number = |key: &str| get(key).and_then(|value| value.parse().ok());
    let default = get("default").unwrap_or_default();
    let kind = match get("type").as_deref() {
        Some("spin") => match (default.parse(), number("min"), number("max")) {
            (Ok(default), Some(min), Some(max)) => OptionKind::Spin { default, min, max },
            _ => return Err(ProtocolError::new(line, "default, min and max as whole numbers")),
        },
        Some("combo") => {
            let words = fields.iter().filter(|(key, _)| *key == "var");
            OptionKind::Combo { default, words: words.map(|(_, value)| value.clone()).collect() }
        }
        Some("string") if default == EMPTY => OptionKind::Text { default: String::new() },
        Some("string") => OptionKind::Text { default },
        _ => return Err(ProtocolError::new(line, "type spin, combo or string")),
    };
    let name = get("name").filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| ProtocolError::new(line, "the name of the option"))?;
    Ok(OptionLine { name, kind })
}

impl Display for Reply {
    /// Writes the line without its line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Author(name) => write!(f, "id author {name}"),
            Self::Option(option) => option.fmt(f),
            Self::UgiOk => f.write_str("ugiok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => write!(f, "info{info}"),
            Self::Note(text) => write!(f, "info string {text}"),
            Self::Error(text) => write!(f, "info string {ERROR}{text}"),
            Self::BestMove(mv) => write!(f, "bestmove {}", mv.as_deref().unwrap_or(NO_MOVE)),
            Self::Response(response) => {
                let word = match response {
                    Response::Is(true) => "true",
                    Response::Is(false) => "false",
                    Response::Won { first: true } => "p1win",
                    Response::Won { first: false } => "p2win",
                    Response::Draw => "draw",
                    Response::None => "none",
                };
                write!(f, "response {word}")
            }
        }
    }
}

impl Display for OptionLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, words } => {
                write!(f, "combo default {default}")?;
                words.iter().try_for_each(|word| write!(f, " var {word}"))
            }
            OptionKind::Text { default } if default.is_empty() => {
                write!(f, "string default {EMPTY}")
            }
            OptionKind::Text { default } => write!(f, "string default {default}"),
        }
    }
}
