//! The driver's end of the protocol of course cups, and its boards.
//!
//! In the protocol's squares `A1` is the corner at the top left and the rows are counted downward;
//! in ours the rows are counted upward.

use std::time::Duration;

use wurfel_core::{BySide, Instant, Random, Side, excerpt};
pub use wurfel_protocol::course::CUBES;
use wurfel_protocol::course::{Colour, Command, MoveRequest, read_move, read_setup};
use wurfel_protocol::ugi::Reply;

use crate::conversation::{Answer, Conversation, LOOK, Line, Task};
use crate::error::EngineError;
use crate::process::EngineProcess;

/// The games that the protocol can express.
pub const GAMES: [&str; 2] = ["einstein", "einstein-nearest"];
/// The default time for a game: that of the course's cups.
pub(crate) const GAME_TIME: Duration = Duration::from_mins(4);
/// The squares along a side of the board.
const SIZE: u8 = 5;

/// Why a board or a square cannot be expressed in the other notation. Displayed as one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}': expected {1}")]
pub struct BoardError(String, &'static str);

const A_SQUARE: &str = "a square from A1 to E5, or 0";

/// Column and row of a square, both from 0.
fn square(text: &str) -> Result<[u8; 2], BoardError> {
    match text.as_bytes() {
        &[column, row @ b'1'..=b'5'] if matches!(column.to_ascii_uppercase(), b'A'..=b'E') => {
            Ok([column.to_ascii_uppercase() - b'A', row - b'1'])
        }
        _ => Err(BoardError(text.to_owned(), A_SQUARE)),
    }
}

/// The protocol's name of one of our squares: `A1` for `a5`.
///
/// # Errors
/// When the text is not a square.
pub fn turned(text: &str) -> Result<String, BoardError> {
    let [column, row] = square(text)?;
    Ok(format!("{}{}", (b'A' + column) as char, SIZE - row))
}

/// The position of a request, with its roll, in our notation.
///
/// # Errors
/// When a square is not on the board, or two cubes stand on the same square.
pub fn position(request: &MoveRequest) -> Result<String, BoardError> {
    let mut cells = [None; SIZE as usize * SIZE as usize];
    for (cubes, first) in [(&request.red, b'A'), (&request.blue, b'a')] {
        for (letter, text) in (first..).zip(cubes) {
            let Some(text) = text else { continue };
            let [column, row] = square(text)?;
            let cell = &mut cells[usize::from(SIZE * row + column)];
            if cell.replace(letter as char).is_some() {
                return Err(BoardError(text.clone(), "one cube on a square"));
            }
        }
    }
    let row = |row: &[Option<char>]| -> String {
        let mut text = String::new();
        for part in row.chunk_by(|one, other| one.is_none() && other.is_none()) {
            match part[0] {
                Some(letter) => text.push(letter),
                None => text.push_str(&part.len().to_string()),
            }
        }
        text
    };
    let rows: Vec<String> = cells.chunks(usize::from(SIZE)).map(row).collect();
    let side = match request.colour {
        Colour::Red => 'r',
        Colour::Blue => 'b',
    };
    Ok(format!("{} {side} {} 1", rows.join("/"), request.roll))
}

/// The squares of a side's cubes 1 to 6 on one of our boards, `None` where a cube is captured.
pub fn cubes(board: &str, side: Side) -> [Option<String>; CUBES] {
    let first = if side == Side::First { b'A' } else { b'a' };
    let mut squares: [Option<String>; CUBES] = Default::default();
    let rows = board.split_whitespace().next().unwrap_or_default().split('/');
    for (row, cells) in (1..).zip(rows) {
        let mut column = b'A';
        for cell in cells.bytes() {
            if cell.is_ascii_digit() {
                column = column.saturating_add(cell - b'0');
                continue;
            }
            if let Some(square) = squares.get_mut(usize::from(cell.wrapping_sub(first))) {
                *square = Some(format!("{}{row}", column as char));
            }
            column = column.saturating_add(1);
        }
    }
    squares
}

/// The request for one of our positions with its roll.
///
/// # Errors
/// When the text is not such a position.
fn request(situation: &str) -> Result<MoveRequest, BoardError> {
    let mut words = situation.split_whitespace().skip(1);
    let colour = match words.next() {
        Some("r") => Colour::Red,
        _ => Colour::Blue,
    };
    let roll = words.next().and_then(|roll| roll.parse().ok());
    let roll = roll.ok_or_else(|| BoardError(situation.to_owned(), "a position with its roll"))?;
    let [red, blue] = [Side::First, Side::Second].map(|side| cubes(situation, side));
    Ok(MoveRequest { colour, roll, blue, red })
}

#[derive(Default)]
pub(crate) struct Course {
    /// Whether the engine still has to be told its side in a new game.
    is_new: bool,
    last_error: Option<String>,
}

impl Course {
    /// Sends one line and reads the answer, one line.
    fn ask(
        &mut self,
        engine: &mut EngineProcess,
        command: &Command,
        deadline: Instant,
    ) -> Result<String, EngineError> {
        self.ask_until(engine, command, deadline, &|| false)
    }

    /// The same, but when `stopped` turns true, the answer is not waited for.
    fn ask_until(
        &mut self,
        engine: &mut EngineProcess,
        command: &Command,
        deadline: Instant,
        stopped: &dyn Fn() -> bool,
    ) -> Result<String, EngineError> {
        engine.send(&command.to_string(), deadline)?;
        let mut latest = deadline;
        let line = loop {
            match engine.line(latest.min(Instant::now() + LOOK)) {
                Err(EngineError::Timeout) if stopped() => return Err(EngineError::Timeout),
                Err(EngineError::Timeout) if Instant::now() >= latest => {
                    latest = engine.extended(deadline).ok_or(EngineError::Timeout)?;
                }
                Err(EngineError::Timeout) => {}
                line => break line?,
            }
        };
        if let Some(error) = line.strip_prefix("error: ") {
            self.last_error = Some(error.to_owned());
        }
        Ok(line)
    }
}

/// Asks an engine that has just been started for its set-ups: for each side the squares of cubes 1 to
/// 6, which are not checked. It has the time `start` for each answer.
///
/// # Errors
/// When it does not answer, or not with six squares.
pub fn setups(
    engine: &mut EngineProcess,
    start: Duration,
) -> Result<BySide<[Option<String>; CUBES]>, EngineError> {
    let mut course = Course::default();
    engine.watch();
    course.open(engine, Instant::now() + start)?;
    let mut setup = |colour| {
        engine.watch();
        let line = course.ask(engine, &Command::Setup(colour), Instant::now() + start)?;
        let squares =
            read_setup(&line).map_err(|error| EngineError::Protocol(error.to_string()))?;
        Ok(squares.map(|square| Some(square.to_ascii_uppercase())))
    };
    Ok(BySide::new(setup(Colour::Red)?, setup(Colour::Blue)?))
}

impl Conversation for Course {
    fn open(&mut self, engine: &mut EngineProcess, deadline: Instant) -> Result<(), EngineError> {
        let board = Command::BoardSetting { size: u32::from(SIZE), cubes: CUBES as u32 };
        let answer = self.ask(engine, &board, deadline)?;
        // No program of the course protocol answers so.
        if answer.parse::<Reply>().is_ok() {
            let reply = excerpt(&answer);
            return Err(EngineError::Protocol(format!(
                "it answered '{reply}', which is not the course protocol: did you mean protocol=ugi?"
            )));
        }
        Ok(())
    }

    /// The engine is told of the game only with its first turn, because its side is not known
    /// before.
    fn begin(
        &mut self,
        _engine: &mut EngineProcess,
        _random: &mut Random,
        _deadline: Instant,
    ) -> Result<(), EngineError> {
        self.last_error = None;
        self.is_new = true;
        Ok(())
    }

    /// The protocol knows neither values nor a request to stop, and as to time only that of a whole
    /// game. An engine that is to stop is not waited for.
    fn decide(
        &mut self,
        engine: &mut EngineProcess,
        task: Task<'_>,
        _all: bool,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Answer, EngineError> {
        let request =
            request(task.situation).map_err(|error| EngineError::Failed(error.to_string()))?;
        if std::mem::take(&mut self.is_new) {
            if let Some(clocks) = task.limits.clocks {
                // Programs read whole seconds. Rounding down keeps them within their time.
                let time = Command::TimeSetting(clocks.left[task.side].as_secs().max(1) as f64);
                self.ask(engine, &time, task.deadline)?;
            }
            // The engine is asked for a set-up, as the protocol demands, but the answer is not used,
            // because the pieces are already on the board: its own set-up, if it was to choose.
            self.ask(engine, &Command::Setup(request.colour), task.deadline)?;
        }
        let request = Command::Move(Box::new(request));
        let line = self.ask_until(engine, &request, task.deadline, stopped)?;
        // An answer that is not a move is passed on as it was given, and is then illegal.
        let mv = read_move(&line).ok().and_then(|[from, to]| {
            Some(format!("{}{}", turned(&from).ok()?, turned(&to).ok()?).to_ascii_lowercase())
        });
        Ok(Answer { best: Line { mv: mv.unwrap_or(line), ..Line::default() }, ..Answer::default() })
    }

    fn last_error(&self) -> Option<&str> {
        self.last_error.as_deref()
    }
}
