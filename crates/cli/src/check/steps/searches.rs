//! Limits of searches, ending them, and thinking before the roll.
//!
//! An engine's time is checked only against the patience of the check, because on a busy machine no
//! program is punctual.

use super::READY;
use crate::check::connection::{Connection, shown};
use crate::check::material::{AskedTurn, first};
use crate::check::step::{Checked, Group, Level, StepError, holds, step};
use crate::check::ugi::{SearchAnswer, legal};

/// A step that sends this `go`.
macro_rules! limit {
    ($name:literal) => {
        step($name, "bestmove with a legal move, in time", |connection| limited(connection, $name))
    };
}

/// The limits of a match, unless it is one of a fixed depth or of a number of nodes.
pub fn times() -> Group {
    let steps = vec![
        limit!("go movetime 1"),
        limit!("go movetime 200"),
        limit!("go p1time 2000 p2time 2000 p1inc 0 p2inc 0"),
        limit!("go p1time 1000 p2time 1000 p1inc 50 p2inc 50"),
        limit!("go p1time 20 p2time 20 p1inc 0 p2inc 0"),
        step(
            "the clock of its own side",
            "bestmove by its own clock, although the other has an hour",
            own_clock,
        ),
    ];
    Group { title: "times", level: Level::Match, needs: &[READY], steps }
}

pub fn limits() -> Group {
    let steps = vec![
        limit!("go depth 1"),
        limit!("go depth 2"),
        limit!("go nodes 1"),
        limit!("go nodes 1000"),
        limit!("go p1time 2000 p2time 2000"),
        limit!("go p1time -5 p2time -5"),
        limit!("go movetime 200 depth 2 nodes 1000"),
        step("isready during a search", "readyok and one bestmove", ready_meanwhile),
        step("depth 1 looks no further", "no info with a depth above 1", obeys_depth),
    ];
    Group { title: "limits", level: Level::Complete, needs: &[READY], steps }
}

/// Limits that other drivers send.
pub fn odd_limits() -> Group {
    let steps = vec![
        limit!("go depth 0"),
        limit!("go depth 100 movetime 50"),
        limit!("go p1time 1000 p2time 1000 movestogo 20"),
        limit!("go movetime 50 strangely"),
    ];
    Group { title: "limits of other drivers", level: Level::Robust, needs: &[READY], steps }
}

/// The step without which no other can be stopped.
const STOP: &str = "go infinite, stop";

pub fn stopping() -> Group {
    const ONCE: &str = "one bestmove with a legal move, by the stop at the latest";
    let steps = vec![
        step(STOP, ONCE, |connection| stopped(connection, true, 1)),
        step("go infinite and stop in one breath, 10 times", ONCE, |connection| {
            stopped(connection, false, 10)
        }),
        step("isready during go infinite", "readyok before the stop", ready_in_infinite),
        step("stop without a search", "nothing", |connection| {
            connection.send("stop")?;
            let replies = connection.ready()?;
            holds(replies.is_empty(), || shown(&replies[0]))
        }),
        step("stop during a timed search", ONCE, stopped_in_time),
        step(
            "a position sent during a search",
            "the search goes on, and the position counts for the next one",
            position_meanwhile,
        ),
    ];
    Group { title: "stop", level: Level::Complete, needs: &[READY, STOP], steps }
}

pub fn pondering() -> Group {
    let steps = vec![
        step(
            "go ponder, ponderhit",
            "bestmove with a legal move for the roll of ponderhit",
            |connection| ponders(connection, 1),
        ),
        step(
            "go ponder and ponderhit, each roll",
            "bestmove with a legal move for the roll of ponderhit",
            |connection| ponders(connection, usize::MAX),
        ),
        step("go ponder, stop", "bestmove 0000", ponders_in_vain),
        step("isready while it ponders", "readyok before the ponderhit", ready_while_pondering),
    ];
    Group { title: "pondering", level: Level::Complete, needs: &[READY], steps }
}

/// A turn from the middle of a game, in which the wanted side is to move.
fn some_turn(connection: &Connection, first: bool) -> Result<AskedTurn, StepError> {
    let turns = connection.material.middle.iter().chain(&connection.material.second);
    let turns = turns.chain(&connection.material.start);
    let turn = turns.into_iter().find(|turn| turn.first == first).cloned();
    turn.ok_or(StepError::NoSuchPosition)
}

fn limited(connection: &mut Connection, go: &str) -> Checked {
    for first in [true, false] {
        let turn = some_turn(connection, first)?;
        connection.decided(&turn, go)?;
    }
    Ok(())
}

fn own_clock(connection: &mut Connection) -> Checked {
    for (first, go) in
        [(true, "go p1time 200 p2time 3600000"), (false, "go p1time 3600000 p2time 200")]
    {
        let turn = some_turn(connection, first)?;
        connection.decided(&turn, go)?;
    }
    Ok(())
}

fn ready_meanwhile(connection: &mut Connection) -> Checked {
    let turn = some_turn(connection, true)?;
    connection.set(&turn.text)?;
    connection.send("go movetime 300\nisready")?;
    let is_best = |line: &str| line.starts_with("bestmove");
    let mut lines = connection.until(std::time::Duration::ZERO, |line| is_best(line))?;
    if !lines.iter().any(|line| line.trim() == "readyok") {
        lines.extend(connection.until(std::time::Duration::ZERO, |line| line.trim() == "readyok")?);
    }
    let moves = lines.iter().filter(|line| is_best(line)).count();
    holds(moves == 1, || format!("{moves} lines bestmove"))
}

fn obeys_depth(connection: &mut Connection) -> Checked {
    let turn = some_turn(connection, true)?;
    let answer = connection.decided(&turn, "go depth 1")?;
    let deepest = answer.infos.iter().filter_map(|info| info.depth).max();
    match deepest {
        None => Err(StepError::not_offered("it reports no depth")),
        Some(depth) => holds(depth <= 1, || format!("info depth {depth}")),
    }
}

fn stopped(connection: &mut Connection, waits: bool, times: usize) -> Checked {
    let turn = some_turn(connection, true)?;
    connection.set(&turn.text)?;
    for _ in 0..times {
        connection.send("go infinite")?;
        if waits {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        connection.send("stop")?;
        one_answer(connection, &turn, "go infinite")?;
    }
    Ok(())
}

/// Expects a legal move, and nothing after it.
fn one_answer(connection: &mut Connection, turn: &AskedTurn, go: &str) -> Checked {
    let answer = connection.best(go)?;
    legal(&turn.text, turn, &answer)?;
    let more = connection.ready()?;
    holds(more.is_empty(), || format!("{} after bestmove", shown(&more[0])))
}

fn ready_in_infinite(connection: &mut Connection) -> Checked {
    let turn = some_turn(connection, true)?;
    connection.set(&turn.text)?;
    connection.send("go infinite\nisready")?;
    let before = connection.until(std::time::Duration::ZERO, |line| line.trim() == "readyok")?;
    connection.send("stop")?;
    // An engine that has nothing to think about may already have answered.
    if before.iter().any(|line| line.starts_with("bestmove")) {
        return Ok(());
    }
    one_answer(connection, &turn, "go infinite")
}

fn stopped_in_time(connection: &mut Connection) -> Checked {
    let turn = some_turn(connection, false)?;
    connection.set(&turn.text)?;
    connection.send("go movetime 1000\nstop")?;
    one_answer(connection, &turn, "go movetime 1000")
}

fn position_meanwhile(connection: &mut Connection) -> Checked {
    let (one, other) = (some_turn(connection, true)?, some_turn(connection, false)?);
    connection.set(&one.text)?;
    connection.send(&format!("go movetime 100\n{}", other.text))?;
    let answer = connection.best("go movetime 100")?;
    legal(&one.text, &one, &answer)?;
    let answer = connection.go("go movetime 10")?;
    legal(&other.text, &other, &answer)
}

/// The answer to `go ponder`, after the line `then` has been sent.
fn ponder(connection: &mut Connection, line: &str, then: &str) -> Result<SearchAnswer, StepError> {
    connection.set(line)?;
    connection.send("go ponder movetime 50")?;
    // An engine that does not ponder answers immediately.
    let replies = connection.ready()?;
    if replies.iter().any(|line| line.starts_with("bestmove")) {
        return Err(StepError::not_offered("go ponder is answered at once"));
    }
    connection.send(then)?;
    connection.best(then)
}

fn ponders(connection: &mut Connection, most: usize) -> Checked {
    for turn in connection.material.second.clone().into_iter().take(most) {
        let Some((_, roll)) = turn.line.rsplit_once(' ') else { continue };
        let before = format!("position fen {}", turn.board);
        let answer = ponder(connection, &before, &format!("ponderhit {roll}"))?;
        legal(&before, &turn, &answer)?;
    }
    Ok(())
}

fn ponders_in_vain(connection: &mut Connection) -> Checked {
    let answer = ponder(connection, "position startpos", "stop")?;
    holds(answer.best == "0000", || format!("bestmove {}", shown(&answer.best)))
}

fn ready_while_pondering(connection: &mut Connection) -> Checked {
    // Any engine that gets this far has answered `isready` once while it was pondering.
    let turn = first(&connection.material.start)?;
    let roll = turn.line.rsplit(' ').next().unwrap_or_default().to_owned();
    let answer = ponder(connection, "position startpos", &format!("isready\nponderhit {roll}"))?;
    legal("position startpos", &turn, &answer)
}
