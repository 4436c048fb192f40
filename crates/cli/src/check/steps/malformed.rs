//! Lines that no engine may accept, and lines that every engine must survive.

use wurfel_protocol::MAX_LINE;

use super::{MOVES, READY};
use crate::check::connection::{Connection, shown};
use crate::check::step::{Checked, Group, Level, StepError, holds, step};
use crate::check::ugi::{ORDINARY_GO, is_error, legal};

/// Lines that set no position.
pub fn positions() -> Group {
    const REFUSED: &str = "info string error: …, and the position is the one before";
    macro_rules! refuses {
        ($name:literal) => {
            step($name, REFUSED, |connection| refuses(connection, $name))
        };
    }
    let steps = vec![
        refuses!("a move without a roll"),
        refuses!("two rolls in a row"),
        refuses!("an impossible roll"),
        refuses!("an unreadable move"),
        refuses!("a move for another roll"),
        refuses!("an unreadable position"),
        refuses!("a roll after the end"),
    ];
    Group { title: "illegal positions", level: Level::Robust, needs: &[READY, MOVES], steps }
}

pub fn lines() -> Group {
    const ALIVE: &str = "readyok afterwards, and the position is the one before";
    macro_rules! survives {
        ($name:literal, $bytes:expr) => {
            step($name, ALIVE, |connection| survives(connection, $bytes))
        };
    }
    let steps = vec![
        survives!("an unknown command", b"hello engine"),
        survives!("position without arguments", b"position"),
        survives!("position fen without a position", b"position fen"),
        survives!(
            "special characters of all kinds",
            b"position fen ////// \\\\ %s%n {} [] \" ' ` $( ) ; | & \x07"
        ),
        survives!("bytes that are not UTF-8", b"position \xff\xfe\x80 moves \xc3\x28"),
        survives!("a line of 65536 bytes", &[b'x'; MAX_LINE]),
        survives!("a line of 65537 bytes", &[b'x'; MAX_LINE + 1]),
        survives!("a line of a million bytes", &vec![b'x'; 1_000_000]),
        survives!("200 lines of nonsense", &b"nonsense 1 2 3\n".repeat(200)),
        step("empty lines and lines of spaces", "nothing", |connection| {
            quiet(connection, b"\n\n   \n\t\n")
        }),
        step("lines that end with a carriage return, too", "the same as without", |connection| {
            understands(connection, |line| format!("{line}\r\n"))
        }),
        step("tabs and several spaces between words", "the same as single spaces", |connection| {
            understands(connection, |line| format!("  {} \n", line.replace(' ', " \t ")))
        }),
    ];
    Group { title: "invalid lines", level: Level::Robust, needs: &[READY], steps }
}

/// Sets a turn and sends a line that no engine may accept; the turn must still be set afterwards.
/// Returns what the engine said to the line.
fn unchanged(connection: &mut Connection, bytes: &[u8]) -> Result<Vec<String>, StepError> {
    let turns = connection.material.second.iter().chain(&connection.material.middle);
    let Some(turn) = turns.max_by_key(|turn| turn.moves.len()).cloned() else {
        return Err(StepError::NoSuchPosition);
    };
    connection.set(&turn.text)?;
    let after = |error, replies: &[String]| match error {
        StepError::Wrong(what) => StepError::Wrong(format!("{}, then {what}", summary(replies))),
        StepError::Silent(what) => StepError::Silent(format!("{}, then {what}", summary(replies))),
        error => error,
    };
    connection.send_bytes(&[bytes, b"\n"].concat()).map_err(|error| after(error, &[]))?;
    let replies = connection.ready().map_err(|error| after(error, &[]))?;
    let best = connection.go(ORDINARY_GO).and_then(|answer| legal(&turn.text, &turn, &answer));
    best.map_err(|error| after(error, &replies))?;
    Ok(replies)
}

/// What an engine said to a line.
fn summary(replies: &[String]) -> String {
    match replies {
        [] => "nothing".to_owned(),
        [line] => shown(line),
        [first, ..] => format!("{} lines, the first {}", replies.len(), shown(first)),
    }
}

fn refuses(connection: &mut Connection, what: &str) -> Checked {
    let known = connection.material.illegal.iter().find(|(name, _)| *name == what);
    let Some((_, line)) = known.cloned() else { return Err(StepError::NoSuchPosition) };
    let replies = unchanged(connection, line.as_bytes())?;
    holds(replies.iter().any(|line| is_error(line)), || {
        format!("{} to {}", summary(&replies), shown(&line))
    })
}

fn survives(connection: &mut Connection, bytes: &[u8]) -> Checked {
    unchanged(connection, bytes).map(drop)
}

fn quiet(connection: &mut Connection, bytes: &[u8]) -> Checked {
    connection.send_bytes(bytes)?;
    let replies = connection.ready()?;
    holds(replies.is_empty(), || shown(&replies[0]))
}

/// Checks that the engine understands lines after `reformat` has changed their form.
fn understands(connection: &mut Connection, reformat: impl Fn(&str) -> String) -> Checked {
    for turn in connection.material.start.clone().into_iter().take(2) {
        for line in [&turn.text, ORDINARY_GO] {
            connection.send_bytes(reformat(line).as_bytes())?;
        }
        let answer = connection.best(ORDINARY_GO)?;
        legal(&turn.text, &turn, &answer)?;
    }
    connection.send_bytes(reformat("isready").as_bytes())?;
    connection.until(std::time::Duration::ZERO, |line| line.trim() == "readyok").map(drop)
}
