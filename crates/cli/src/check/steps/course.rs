//! The steps for engines that speak the course protocol.

use std::time::Duration;

use wurfel_core::Side;
use wurfel_engines::course::{cubes, turned};
use wurfel_protocol::MAX_LINE;
use wurfel_protocol::course::{Colour, Command, MoveRequest, read_move, read_setup};

use crate::check::connection::{Connection, shown};
use crate::check::material::{AskedTurn, Material};
use crate::check::step::{Checked, Group, Level, StepError, holds, step};

/// The squares on which red's pieces begin; blue's begin in the opposite corner.
const CORNER: [&str; 6] = ["A1", "A2", "A3", "B1", "B2", "C1"];

/// The step without which no game can be played.
const ANSWERS: &str = "board_setting 5 6";
/// The step whose answer shows that an engine is still there.
const NAME: &str = "name";

/// All steps, in order of their levels.
pub fn course() -> Vec<Group> {
    vec![introduction(), deciding(), details(), setting_up(), ending(), malformed(), end_of_input()]
}

/// What a match sends before the first turn. A match ignores the answers.
fn introduction() -> Group {
    const ANY: &str = "a line";
    let steps = vec![
        step(ANSWERS, ANY, |t| exchange(t, ANSWERS).map(drop)),
        step("time_setting 240", ANY, |t| exchange(t, "time_setting 240").map(drop)),
        step("ini R, ini B", "a line for each", |t| {
            ["ini R", "ini B"].iter().try_for_each(|line| exchange(t, line).map(drop))
        }),
    ];
    Group { title: "introduction", level: Level::Match, needs: &[ANSWERS], steps }
}

fn deciding() -> Group {
    const LEGAL: &str = "a legal move, as its two squares";
    let steps = vec![
        step("the start, each roll", LEGAL, |t| decides_all(t, |all| &all.start)),
        step("the second turn, each roll", LEGAL, |t| decides_all(t, |all| &all.second)),
        step("positions from games", LEGAL, |t| decides_all(t, |all| &all.middle)),
        step("few cubes, each roll, red", LEGAL, |t| decides_all(t, |all| &all.endings[0])),
        step("few cubes, each roll, blue", LEGAL, |t| decides_all(t, |all| &all.endings[1])),
        step("captured cubes whose roll leaves a choice", LEGAL, |t| {
            decides_all(t, |all| &all.choices)
        }),
        step("a whole game within 2 seconds", LEGAL, |t| {
            exchange(t, "time_setting 2")?;
            exchange(t, "ini R")?;
            decides_all(t, |all| &all.games[0])
        }),
    ];
    Group { title: "moves", level: Level::Match, needs: &[ANSWERS], steps }
}

fn details() -> Group {
    const ONE: &str = "1";
    let steps = vec![
        step(NAME, "a line that is not empty", |t| expect_answer(t, NAME)),
        step("version", "a line that is not empty", |t| expect_answer(t, "version")),
        step("the answer to time_setting 240", ONE, |t| answers(t, "time_setting 240", "1")),
        step("the answer to time_setting 1", ONE, |t| answers(t, "time_setting 1", "1")),
        step("the answer to board_setting 5 6", ONE, |t| answers(t, ANSWERS, "1")),
        step("one line for one line", "20 answers to 20 lines", one_each),
    ];
    Group { title: "answers", level: Level::Complete, needs: &[ANSWERS], steps }
}

fn setting_up() -> Group {
    const SQUARES: &str = "the six squares of its corner, each once";
    let steps = vec![
        step("ini R", SQUARES, |t| sets_up(t, Colour::Red)),
        step("ini B", SQUARES, |t| sets_up(t, Colour::Blue)),
        step("ini ten times", SQUARES, |t| {
            (0..10)
                .try_for_each(|n| sets_up(t, if n % 2 == 0 { Colour::Red } else { Colour::Blue }))
        }),
    ];
    Group { title: "set-ups", level: Level::Complete, needs: &[ANSWERS], steps }
}

fn malformed() -> Group {
    const ALIVE: &str = "at most an error, and an answer to the next line";
    macro_rules! survives {
        ($name:literal, $bytes:expr) => {
            step($name, ALIVE, |connection| survives(connection, $bytes))
        };
    }
    let steps = vec![
        survives!("an unknown command", b"hello engine"),
        survives!("get without arguments", b"get"),
        survives!("get with an impossible roll", b"get R 7 0 0 0 0 0 A5 0 0 0 D4 0 0"),
        survives!("get with a square off the board", b"get R 4 0 0 0 0 0 Z9 0 0 0 D4 0 0"),
        survives!("ini with an unknown colour", b"ini G"),
        survives!("bytes that are not UTF-8", b"get \xff\xfe\x80"),
        survives!("a line of 65536 bytes", &[b'x'; MAX_LINE]),
        survives!("a line of a million bytes", &vec![b'x'; 1_000_000]),
        step("lines that end with a carriage return, too", "the same as without", |connection| {
            connection.send_bytes(b"board_setting 5 6\r\n")?;
            let reply = connection.receive(Duration::ZERO)?;
            holds(reply.trim() == "1", || shown(&reply))
        }),
    ];
    Group { title: "invalid lines", level: Level::Robust, needs: &[ANSWERS, NAME], steps }
}

fn ending() -> Group {
    let steps = vec![step("exit", "the process ends with exit code 0", |connection| {
        connection.end();
        exchange(connection, ANSWERS)?;
        connection.send("exit")?;
        let code = connection.ended(false)?;
        holds(code == Some(0), || format!("exit code {}", code.unwrap_or(-1)))
    })];
    Group { title: "the end", level: Level::Complete, needs: &[ANSWERS], steps }
}

fn end_of_input() -> Group {
    let steps = vec![step("the end of its input", "the process ends", |connection| {
        connection.end();
        exchange(connection, ANSWERS)?;
        connection.ended(true).map(drop)
    })];
    Group { title: "the end without exit", level: Level::Robust, needs: &[ANSWERS], steps }
}

fn exchange(connection: &mut Connection, line: &str) -> Result<String, StepError> {
    connection.send(line)?;
    connection.receive(Duration::ZERO)
}

fn expect_answer(connection: &mut Connection, line: &str) -> Checked {
    let reply = exchange(connection, line)?;
    let is_error = reply.starts_with("error");
    holds(!reply.trim().is_empty() && !is_error, || shown(&reply))
}

fn answers(connection: &mut Connection, line: &str, expected: &str) -> Checked {
    let reply = exchange(connection, line)?;
    holds(reply.trim() == expected, || format!("{} to {line}", shown(&reply)))
}

fn one_each(connection: &mut Connection) -> Checked {
    let name = exchange(connection, "name")?;
    connection.send(&["name", "board_setting 5 6"].repeat(10).join("\n"))?;
    for number in 0..20 {
        let reply = connection.receive(Duration::ZERO)?;
        let expected = if number % 2 == 0 { name.trim() } else { "1" };
        holds(reply.trim() == expected, || format!("{} in place of {expected}", shown(&reply)))?;
    }
    Ok(())
}

/// The corresponding square of the opposite corner.
fn opposite(square: &str) -> String {
    let [column, row] = [0, 1].map(|at| square.as_bytes().get(at).copied().unwrap_or(b' '));
    format!("{}{}", (b'A' + b'E' - column) as char, (b'1' + b'5' - row) as char)
}

fn sets_up(connection: &mut Connection, colour: Colour) -> Checked {
    let reply = exchange(connection, &Command::Setup(colour).to_string())?;
    let squares = read_setup(&reply).map_err(|_| StepError::wrong(shown(&reply)))?;
    let mut corner_played: Vec<String> =
        squares.iter().map(|square| square.to_uppercase()).collect();
    corner_played.sort();
    let mut corner: Vec<String> = CORNER.map(str::to_owned).to_vec();
    if colour == Colour::Blue {
        corner = corner.iter().map(|square| opposite(square)).collect();
    }
    corner.sort();
    holds(corner_played == corner, || shown(&reply))
}

/// The question about a turn.
fn request(turn: &AskedTurn) -> Option<MoveRequest> {
    let roll = turn.line.rsplit('@').next()?.parse().ok()?;
    let [red, blue] = [Side::First, Side::Second].map(|side| cubes(&turn.board, side));
    let colour = if turn.first { Colour::Red } else { Colour::Blue };
    Some(MoveRequest { colour, roll, blue, red })
}

fn decides(connection: &mut Connection, turn: &AskedTurn) -> Checked {
    let Some(request) = request(turn) else { return Err(StepError::NoSuchPosition) };
    let line = Command::Move(Box::new(request)).to_string();
    let reply = exchange(connection, &line)?;
    let mv = read_move(&reply)
        .ok()
        .and_then(|[from, to]| Some(format!("{}{}", turned(&from).ok()?, turned(&to).ok()?)));
    let legal = mv.is_some_and(|mv| turn.moves.iter().any(|m| m.eq_ignore_ascii_case(&mv)));
    holds(legal, || format!("{} to {line}", shown(&reply)))
}

fn decides_all(connection: &mut Connection, of: impl Fn(&Material) -> &[AskedTurn]) -> Checked {
    of(&connection.material).to_vec().iter().try_for_each(|turn| decides(connection, turn))
}

/// Sends a malformed line, and checks that the next line is answered.
fn survives(connection: &mut Connection, bytes: &[u8]) -> Checked {
    let name = exchange(connection, NAME)?;
    connection.send_bytes(&[bytes, b"\nname\n"].concat())?;
    let reply = connection.receive(Duration::ZERO)?;
    if reply == name {
        return Ok(());
    }
    let then = |what: String| format!("{}, then {what}", shown(&reply));
    match connection.receive(Duration::ZERO) {
        Ok(next) => holds(next == name, || then(shown(&next))),
        Err(StepError::Silent(what)) => Err(StepError::Silent(then(what))),
        Err(error) => Err(error),
    }
}
