//! How an engine ends. Each step starts a process of its own.

use super::READY;
use crate::check::connection::{Connection, shown};
use crate::check::material::first;
use crate::check::step::{Checked, Group, Level, holds, step};

pub fn group() -> Group {
    let steps = vec![
        step(
            "nothing but lines of the protocol",
            "id, option, ugiok, readyok, info, bestmove and response",
            |connection| holds(connection.strange.is_empty(), || shown(&connection.strange[0])),
        ),
        step("quit", "the process ends with exit code 0", |connection| {
            ends(connection, &["quit"], false)
        }),
        step("the end of its input", "the process ends with exit code 0", |connection| {
            ends(connection, &[], true)
        }),
    ];
    Group { title: "the end", level: Level::Complete, needs: &[READY], steps }
}

pub fn in_the_middle() -> Group {
    let steps = vec![
        step("quit during a search", "the process ends with exit code 0", |connection| {
            searches_and_ends(connection, "go movetime 1000\nquit", false)
        }),
        step("the end of its input during go infinite", "the process ends", |connection| {
            searches_and_ends(connection, "go infinite", true)
        }),
        step("a last line without its end", "bestmove, and the process ends", answers_at_the_end),
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
    let turn = first(&connection.material.start)?;
    connection.set(&turn.text)?;
    connection.send(go)?;
    connection.ended(closes).map(drop)
}

fn answers_at_the_end(connection: &mut Connection) -> Checked {
    connection.end();
    let turn = first(&connection.material.start)?;
    connection.set(&turn.text)?;
    connection.send_bytes(b"go depth 1")?;
    connection.engine()?.close_input();
    connection.best("go depth 1")?;
    connection.ended(true).map(drop)
}
