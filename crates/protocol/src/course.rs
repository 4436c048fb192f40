//! The protocol of course cups in Taiwan for EinStein würfelt nicht!: the driver asks with one
//! line, and the engine answers with one. In the protocol's squares, `A1` is the corner at the top
//! left, and the rows are counted downwards.

use std::fmt::{self, Display};
use std::str::FromStr;

use crate::ProtocolError;

/// How many cubes a side has.
pub const CUBES: usize = 6;

/// The two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// `R`: red, from the top left to the bottom right.
    Red,
    /// `B`: blue.
    Blue,
}

/// A line from the driver to the engine.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// `name`: answered with the engine's name.
    Name,
    /// `version`: answered with the engine's version.
    Version,
    /// `time_setting 240`: the seconds for a whole game; answered with `1`.
    TimeSetting(f64),
    /// `board_setting 5 6`: the board's size and the number of cubes; answered with `1`.
    BoardSetting {
        /// Cells along a side of the board.
        size: u32,
        /// Cubes of a side.
        cubes: u32,
    },
    /// `ini R`: answered with the squares of cubes 1 to 6.
    Setup(Colour),
    /// `get R 4 …`: answered with the move, as its two squares.
    Move(Box<MoveRequest>),
    /// `exit`: the engine ends.
    Exit,
}

/// A turn that the engine is to decide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveRequest {
    /// The side that moves.
    pub colour: Colour,
    /// What was rolled, 1 to 6.
    pub roll: u32,
    /// The squares of blue's cubes 1 to 6; `None` for a captured cube.
    pub blue: [Option<String>; CUBES],
    /// The squares of red's cubes 1 to 6; `None` for a captured cube.
    pub red: [Option<String>; CUBES],
}

impl Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Red => "R",
            Self::Blue => "B",
        })
    }
}

fn colour(line: &str, word: &str) -> Result<Colour, ProtocolError> {
    match word {
        "R" | "r" => Ok(Colour::Red),
        "B" | "b" => Ok(Colour::Blue),
        _ => Err(ProtocolError::new(line, "R or B")),
    }
}

impl FromStr for Command {
    type Err = ProtocolError;

    fn from_str(line: &str) -> Result<Self, ProtocolError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["name"] => Ok(Self::Name),
            ["version"] => Ok(Self::Version),
            ["exit"] => Ok(Self::Exit),
            ["time_setting", seconds] => {
                let seconds: Option<f64> = seconds.parse().ok();
                let seconds = seconds.filter(|seconds| (0.0..=1e9).contains(seconds));
                let expected = "the seconds for a game, as in 'time_setting 240'";
                Ok(Self::TimeSetting(seconds.ok_or_else(|| ProtocolError::new(line, expected))?))
            }
            ["board_setting", size, cubes] => match (size.parse(), cubes.parse()) {
                (Ok(size), Ok(cubes)) => Ok(Self::BoardSetting { size, cubes }),
                _ => Err(ProtocolError::new(line, "two numbers, as in 'board_setting 5 6'")),
            },
            ["ini", side] => Ok(Self::Setup(colour(line, side)?)),
            ["get", side, roll, squares @ ..] => {
                request(line, side, roll, squares).map(Box::new).map(Self::Move)
            }
            _ => {
                let expected = "name, version, time_setting, board_setting, ini, get or exit";
                Err(ProtocolError::new(line, expected))
            }
        }
    }
}

fn request(
    line: &str,
    side: &str,
    roll: &str,
    squares: &[&str],
) -> Result<MoveRequest, ProtocolError> {
    let colour = colour(line, side)?;
    let roll = roll.parse().ok().filter(|roll| (1..=6).contains(roll));
    let roll = roll.ok_or_else(|| ProtocolError::new(line, "a roll from 1 to 6"))?;
    if squares.len() != 2 * CUBES {
        let expected = "12 squares, blue's cubes 1 to 6 and then red's, 0 for a captured one";
        return Err(ProtocolError::new(line, expected));
    }
    let (blue, red) = squares.split_at(CUBES);
    let side = |squares: &[&str]| -> [Option<String>; CUBES] {
        std::array::from_fn(|n| (squares[n] != "0").then(|| squares[n].to_owned()))
    };
    Ok(MoveRequest { colour, roll, blue: side(blue), red: side(red) })
}

impl Display for Command {
    /// Writes the line without its line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name => f.write_str("name"),
            Self::Version => f.write_str("version"),
            Self::TimeSetting(seconds) => write!(f, "time_setting {seconds}"),
            Self::BoardSetting { size, cubes } => write!(f, "board_setting {size} {cubes}"),
            Self::Setup(colour) => write!(f, "ini {colour}"),
            Self::Move(request) => {
                let MoveRequest { colour, roll, blue, red } = &**request;
                write!(f, "get {colour} {roll}")?;
                let mut squares = blue.iter().chain(red);
                squares.try_for_each(|square| write!(f, " {}", square.as_deref().unwrap_or("0")))
            }
            Self::Exit => f.write_str("exit"),
        }
    }
}

/// The line of a set-up: the squares of cubes 1 to 6.
pub fn setup_line(squares: &[String; CUBES]) -> String {
    squares.join(" ")
}

/// Reads the squares of a set-up line.
///
/// # Errors
/// When there are not exactly six.
pub fn read_setup(line: &str) -> Result<[String; CUBES], ProtocolError> {
    let squares: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    squares.try_into().map_err(|_| ProtocolError::new(line, "the squares of six cubes"))
}

/// Reads the two squares of the line with a move.
///
/// # Errors
/// When there are not exactly two.
pub fn read_move(line: &str) -> Result<[String; 2], ProtocolError> {
    let squares: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    squares.try_into().map_err(|_| ProtocolError::new(line, "two squares, as in 'A1 B2'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_as_they_are_written() {
        for line in [
            "name",
            "version",
            "time_setting 240",
            "time_setting 0.5",
            "board_setting 5 6",
            "ini R",
            "ini B",
            "get R 4 E5 0 C5 E4 D4 E3 A1 B1 C1 A2 B2 A3",
            "exit",
        ] {
            assert_eq!(line.parse::<Command>().unwrap().to_string(), line);
        }
    }

    #[test]
    fn blue_comes_first_and_0_is_captured() {
        let line = "get B 6 E5 0 C5 E4 D4 E3 A1 B1 C1 A2 B2 0";
        let Ok(Command::Move(request)) = line.parse() else { panic!("a turn") };
        assert_eq!((request.colour, request.roll), (Colour::Blue, 6));
        assert_eq!(request.blue[0].as_deref(), Some("E5"));
        assert_eq!((request.blue[1].as_deref(), request.red[5].as_deref()), (None, None));
    }

    #[test]
    fn wrong_lines_are_refused_with_what_was_expected() {
        for (line, expected) in [
            ("", "name, version"),
            ("get", "name, version"),
            ("ini G", "R or B"),
            ("get R 7 E5 0 C5 E4 D4 E3 A1 B1 C1 A2 B2 A3", "a roll from 1 to 6"),
            ("get R 4 E5 0 C5", "12 squares"),
            ("time_setting -1", "the seconds for a game"),
            ("time_setting NaN", "the seconds for a game"),
            ("board_setting five 6", "two numbers"),
        ] {
            let error = line.parse::<Command>().unwrap_err().to_string();
            assert!(error.contains(expected), "{line}: {error}");
        }
        assert!(read_move("A1").is_err() && read_move("A1 B2 C3").is_err());
        assert!(read_setup("A1 A2 A3 B1 B2").is_err());
        let squares = read_setup("A1 B1 C1 A2 B2 A3").unwrap();
        assert_eq!(setup_line(&squares), "A1 B1 C1 A2 B2 A3");
    }
}
