//! Lines that no engine may accept, and lines that every engine must survive.

use wurfel_protocol::MAX_LINE;

use super::{MOVES, READY};
use crate::check::step::{CheckStep, Checked, Group, Level, StepError, holds};
use crate::check::talk::{Talk, shown};
use crate::check::ugi::{USUAL, is_error, legal};

/// Lines that set no position.
pub fn positions() -> Group<Talk> {
    const REFUSED: &str = "info string error: …, and the position is the one before";
    macro_rules! refuses {
        ($name:literal) => {
            CheckStep { name: $name, expected: REFUSED, check: |talk| refuses(talk, $name) }
        };
    }
    let steps: Vec<CheckStep<Talk>> = vec![
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

pub fn lines() -> Group<Talk> {
    const ALIVE: &str = "readyok afterwards, and the position is the one before";
    macro_rules! survives {
        ($name:literal, $bytes:expr) => {
            CheckStep { name: $name, expected: ALIVE, check: |talk| survives(talk, $bytes) }
        };
    }
    let steps: Vec<CheckStep<Talk>> = vec![
        survives!("an unknown command", b"hello engine"),
        survives!("position without arguments", b"position"),
        survives!("position fen without a position", b"position fen"),
        survives!(
            "signs of all kinds",
            b"position fen ////// \\\\ %s%n {} [] \" ' ` $( ) ; | & \x07"
        ),
        survives!("bytes that are not UTF-8", b"position \xff\xfe\x80 moves \xc3\x28"),
        survives!("a line of 65536 bytes", &[b'x'; MAX_LINE]),
        survives!("a line of 65537 bytes", &[b'x'; MAX_LINE + 1]),
        survives!("a line of a million bytes", &vec![b'x'; 1_000_000]),
        survives!("200 lines of nonsense", &b"nonsense 1 2 3\n".repeat(200)),
        CheckStep {
            name: "empty lines and lines of spaces",
            expected: "nothing",
            check: |talk| quiet(talk, b"\n\n   \n\t\n"),
        },
        CheckStep {
            name: "lines that end with a carriage return, too",
            expected: "the same as without",
            check: |talk| spoken(talk, |line| format!("{line}\r\n")),
        },
        CheckStep {
            name: "tabs and several spaces between words",
            expected: "the same as single spaces",
            check: |talk| spoken(talk, |line| format!("  {} \n", line.replace(' ', " \t "))),
        },
    ];
    Group { title: "invalid lines", level: Level::Robust, needs: &[READY], steps }
}

/// Sets a turn and sends a line that no engine may accept; the turn must still be set afterwards.
/// Returns what the engine said to the line.
fn unchanged(talk: &mut Talk, bytes: &[u8]) -> Result<Vec<String>, StepError> {
    let turns = talk.material.second.iter().chain(&talk.material.middle);
    let Some(turn) = turns.max_by_key(|turn| turn.moves.len()).cloned() else {
        return Err(StepError::NoSuchPosition);
    };
    talk.set(&turn.text)?;
    let after = |error, said: &[String]| match error {
        StepError::Found(what) => StepError::Found(format!("{}, then {what}", told(said))),
        StepError::Silent(what) => StepError::Silent(format!("{}, then {what}", told(said))),
        error => error,
    };
    talk.tell_bytes(&[bytes, b"\n"].concat()).map_err(|error| after(error, &[]))?;
    let said = talk.ready().map_err(|error| after(error, &[]))?;
    let best = talk.go(USUAL).and_then(|answer| legal(&turn.text, &turn, &answer));
    best.map_err(|error| after(error, &said))?;
    Ok(said)
}

/// What an engine said to a line.
fn told(said: &[String]) -> String {
    match said {
        [] => "nothing".to_owned(),
        [line] => shown(line),
        [first, ..] => format!("{} lines, the first {}", said.len(), shown(first)),
    }
}

fn refuses(talk: &mut Talk, what: &str) -> Checked {
    let known = talk.material.illegal.iter().find(|(name, _)| *name == what);
    let Some((_, line)) = known.cloned() else { return Err(StepError::NoSuchPosition) };
    let said = unchanged(talk, line.as_bytes())?;
    holds(said.iter().any(|line| is_error(line)), || format!("{} to {}", told(&said), shown(&line)))
}

fn survives(talk: &mut Talk, bytes: &[u8]) -> Checked {
    unchanged(talk, bytes).map(drop)
}

fn quiet(talk: &mut Talk, bytes: &[u8]) -> Checked {
    talk.tell_bytes(bytes)?;
    let said = talk.ready()?;
    holds(said.is_empty(), || shown(&said[0]))
}

/// Checks that lines are understood when `dress` has changed their form.
fn spoken(talk: &mut Talk, dress: impl Fn(&str) -> String) -> Checked {
    for turn in talk.material.start.clone().into_iter().take(2) {
        for line in [&turn.text, USUAL] {
            talk.tell_bytes(dress(line).as_bytes())?;
        }
        let answer = talk.best(USUAL)?;
        legal(&turn.text, &turn, &answer)?;
    }
    talk.tell_bytes(dress("isready").as_bytes())?;
    talk.until(std::time::Duration::ZERO, |line| line.trim() == "readyok").map(drop)
}
