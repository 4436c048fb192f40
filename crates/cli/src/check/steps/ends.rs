//! How an engine ends. Each step starts a process of its own.

use super::READY;
use crate::check::connection::{Connection, shown};
use crate::check::step::{CheckStep, Checked, Group, Level, StepError, holds};

pub fn group() -> Group<Connection> {
    let steps: Vec<CheckStep<Connection>> = vec![
        CheckStep {
            name: "nothing but lines of the protocol",
            expected: "id, option, ugiok, readyok, info, bestmove and response",
            check: |connection| {
                holds(connection.strange.is_empty(), || shown(&connection.strange[0]))
            },
        },
        CheckStep {
            name: "quit",
            expected: "the process ends with exit code 0",
            check: |connection| ends(connection, &["quit"], false),
        },
        CheckStep {
            name: "the end of its input",
            expected: "the process ends with exit code 0",
            check: |connection| ends(connection, &[], true),
        },
    ];
    Group { title: "the end", level: Level::Complete, needs: &[READY], steps }
}

pub fn in_the_middle() -> Group<Connection> {
    let steps: Vec<CheckStep<Connection>> = vec![
        CheckStep {
            name: "quit during a search",
            expected: "the process ends with exit code 0",
            check: |connection| searches_and_ends(connection, "go movetime 1000\nquit", false),
        },
        CheckStep {
            name: "the end of its input during go infinite",
            expected: "the process ends",
            check: |connection| searches_and_ends(connection, "go infinite", true),
        },
        CheckStep {
            name: "a last line without its end",
            expected: "bestmove, and the process ends",
            check: answers_at_the_end,
        },
    ];
    Group { title: "the end of a search", level: Level::Robust, needs: &[READY], steps }
}

fn ends(connection: &mut Connection, lines: &[&str], closes: bool) -> Checked {
    connection.end();
    connection.ready()?;
    lines.iter().try_for_each(|line| connection.send(line))?;
    let code = connection.ended(closes)?;
    holds(code == Some(0), || format!("exit code {}", code.unwrap_or(-1)))
}

fn searches_and_ends(connection: &mut Connection, go: &str, closes: bool) -> Checked {
    connection.end();
    let Some(turn) = connection.material.start.first().cloned() else {
        return Err(StepError::NoSuchPosition);
    };
    connection.set(&turn.text)?;
    connection.send(go)?;
    connection.ended(closes).map(drop)
}

fn answers_at_the_end(connection: &mut Connection) -> Checked {
    connection.end();
    let Some(turn) = connection.material.start.first().cloned() else {
        return Err(StepError::NoSuchPosition);
    };
    connection.set(&turn.text)?;
    connection.send_bytes(b"go depth 1")?;
    connection.engine()?.close_input();
    connection.best("go depth 1")?;
    connection.ended(true).map(drop)
}
