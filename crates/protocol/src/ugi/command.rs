//! The commands of a driver to an engine.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::Go;
use crate::ProtocolError;

/// A line from the driver to the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// `ugi`: the engine introduces itself.
    Ugi,
    /// `isready`: the engine answers once it has carried out its commands, and also while it
    /// thinks.
    IsReady,
    /// `uginewgame`: the following commands belong to another game.
    NewGame,
    /// `setoption name … value …`; a button has no value.
    SetOption {
        /// The option's name, which may be several words.
        name: String,
        /// The value, which may be several words.
        value: Option<String>,
    },
    /// `position …`
    Position(PositionCommand),
    /// `go …`: the engine thinks and answers with the best move.
    Go(Go),
    /// `ponderhit @4`: the roll has been made about which the engine has been thinking in advance.
    PonderHit(String),
    /// `stop`: the engine answers with the best move it has found.
    Stop,
    /// `quit`: the engine ends.
    Quit,
    /// `query …`
    Query(GameQuery),
}

/// A position, given by the moves that lead to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionCommand {
    /// Where the game starts.
    pub start: Start,
    /// The rolls and moves since then.
    pub steps: Vec<PositionWord>,
}

/// Where a game starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The initial position of the game.
    Usual,
    /// A position in the game's own notation, with its roll if it has one.
    Text(String),
}

/// A roll or a move, each a single word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PositionWord {
    /// `@4`, without its `@`.
    Roll(String),
    /// A move.
    Move(String),
}

/// A query of the driver about the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GameQuery {
    /// Whether the first side is to roll or to move.
    FirstSideToMove,
    /// Whether the game is over.
    GameOver,
    /// How the game ended.
    Result,
}

impl From<&str> for PositionWord {
    fn from(word: &str) -> Self {
        match word.strip_prefix('@') {
            Some(roll) => Self::Roll(roll.to_owned()),
            None => Self::Move(word.to_owned()),
        }
    }
}

impl Display for PositionWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Roll(roll) => write!(f, "@{roll}"),
            Self::Move(mv) => f.write_str(mv),
        }
    }
}

impl GameQuery {
    const ALL: [(&'static str, Self); 3] =
        [("p1turn", Self::FirstSideToMove), ("gameover", Self::GameOver), ("result", Self::Result)];
}

impl Command {
    /// Reads a line. Words may be separated by any white space. Notes on limits of a `go` that were
    /// adjusted or ignored are returned beside the command.
    ///
    /// # Errors
    /// When the line is no command, and when words follow a command that takes none.
    pub fn read(line: &str) -> Result<(Self, Vec<ProtocolError>), ProtocolError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["go", limits @ ..] => Go::read(line, limits).map(|(go, notes)| (Self::Go(go), notes)),
            words => Self::other(line, words).map(|command| (command, vec![])),
        }
    }

    /// Whether a line is meant as `go`, even if it cannot be read: its sender waits for a move.
    pub fn means_go(line: &str) -> bool {
        line.split_whitespace().next() == Some("go")
    }

    /// Reads any line but `go`.
    fn other(line: &str, words: &[&str]) -> Result<Self, ProtocolError> {
        let (name, rest) = words.split_first().map_or(("", words), |(name, rest)| (*name, rest));
        let alone = |command: Self| match rest.first() {
            None => Ok(command),
            Some(_) => Err(ProtocolError::new(line, format!("nothing after '{name}'"))),
        };
        match name {
            "ugi" => alone(Self::Ugi),
            "isready" => alone(Self::IsReady),
            "uginewgame" => alone(Self::NewGame),
            "stop" => alone(Self::Stop),
            "quit" => alone(Self::Quit),
            "setoption" => set_option(line, rest),
            "position" => Ok(Self::Position(position(line, rest)?)),
            "ponderhit" => match rest {
                [roll] if roll.len() > 1 && roll.starts_with('@') => {
                    Ok(Self::PonderHit(roll[1..].to_owned()))
                }
                _ => Err(ProtocolError::new(line, "a roll, as in 'ponderhit @4'")),
            },
            "query" => {
                let matches = |&&(name, _): &&(&str, GameQuery)| *rest == [name];
                match GameQuery::ALL.iter().find(matches) {
                    Some(&(_, query)) => Ok(Self::Query(query)),
                    None => Err(ProtocolError::new(line, "'p1turn', 'gameover' or 'result'")),
                }
            }
            _ => Err(ProtocolError::new(
                line,
                "ugi, isready, uginewgame, setoption, position, go, ponderhit, stop, query or quit",
            )),
        }
    }
}

impl FromStr for Command {
    type Err = ProtocolError;

    /// Reads a line, as [`Command::read`] does.
    fn from_str(line: &str) -> Result<Self, ProtocolError> {
        Self::read(line).map(|(command, _)| command)
    }
}

fn set_option(line: &str, words: &[&str]) -> Result<Command, ProtocolError> {
    let wrong = || ProtocolError::new(line, "'setoption name NAME value VALUE'");
    let Some((&"name", words)) = words.split_first() else { return Err(wrong()) };
    let value = words.iter().position(|&word| word == "value");
    let (name, value) = match value {
        Some(at) => (&words[..at], Some(words[at + 1..].join(" "))),
        None => (words, None),
    };
    if name.is_empty() {
        return Err(wrong());
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

fn position(line: &str, words: &[&str]) -> Result<PositionCommand, ProtocolError> {
    let wrong = || ProtocolError::new(line, "'position startpos' or 'position fen POSITION'");
    let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let start = match &words[..moves] {
        ["startpos"] => Start::Usual,
        ["fen", text @ ..] if !text.is_empty() => Start::Text(text.join(" ")),
        _ => return Err(wrong()),
    };
    let steps: Vec<PositionWord> = words.iter().skip(moves + 1).map(|&word| word.into()).collect();
    if steps.contains(&PositionWord::Roll(String::new())) {
        return Err(ProtocolError::new(line, "a roll after every '@'"));
    }
    Ok(PositionCommand { start, steps })
}

impl Display for Command {
    /// Writes the line without its line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ugi => f.write_str("ugi"),
            Self::IsReady => f.write_str("isready"),
            Self::NewGame => f.write_str("uginewgame"),
            Self::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Self::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Self::Position(position) => position.fmt(f),
            Self::Go(go) => go.fmt(f),
            Self::PonderHit(roll) => write!(f, "ponderhit @{roll}"),
            Self::Stop => f.write_str("stop"),
            Self::Quit => f.write_str("quit"),
            Self::Query(query) => {
                let name = GameQuery::ALL.iter().find(|(_, known)| known == query);
                write!(f, "query {}", name.map_or("", |(name, _)| name))
            }
        }
    }
}

impl Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            Start::Usual => f.write_str("position startpos")?,
            Start::Text(text) => write!(f, "position fen {text}")?,
        }
        if !self.steps.is_empty() {
            f.write_str(" moves")?;
        }
        self.steps.iter().try_for_each(|step| write!(f, " {step}"))
    }
}
