//! Queries, and whether an engine with a seed does the same twice.

use super::READY;
use crate::check::connection::Connection;
use crate::check::step::{Checked, Group, Level, StepError, holds, step};

pub fn group() -> Group {
    let steps = vec![
        step(
            "query p1turn",
            "response true when player 1 is to move, else response false",
            whose_turn,
        ),
        step(
            "query p1turn before the roll",
            "response true when player 1 is to roll, else response false",
            whose_roll,
        ),
        step(
            "query gameover",
            "response false during a game, response true after its end",
            |connection| {
                check_query(connection, "query gameover", |_| "response true".to_owned(), "false")
            },
        ),
        step(
            "query result",
            "response none during a game, then p1win, p2win or draw",
            |connection| {
                check_query(
                    connection,
                    "query result",
                    |result| format!("response {result}"),
                    "none",
                )
            },
        ),
        step("a seed", "with setoption name Seed and uginewgame the same moves again", same_again),
    ];
    Group { title: "queries and seeds", level: Level::Complete, needs: &[READY], steps }
}

/// Sends a line and then a query, and compares the answer with the expected one.
fn compare(connection: &mut Connection, line: &str, query: &str, expected: &str) -> Checked {
    connection.set(line)?;
    let reply = connection.query(query)?;
    holds(reply == expected, || format!("'{reply}' to {query} after {line}"))
}

fn whose_turn(connection: &mut Connection) -> Checked {
    let turns =
        [&connection.material.start[..], &connection.material.second, &connection.material.middle]
            .concat();
    let mut turns = turns.into_iter();
    turns.try_for_each(|turn| {
        compare(connection, &turn.text, "query p1turn", &format!("response {}", turn.first))
    })
}

fn whose_roll(connection: &mut Connection) -> Checked {
    let rests = connection.material.rests.clone();
    rests.iter().try_for_each(|rest| {
        compare(connection, &rest.line, "query p1turn", &format!("response {}", rest.first))
    })
}

fn check_query(
    connection: &mut Connection,
    query: &str,
    over: impl Fn(&str) -> String,
    open: &str,
) -> Checked {
    for turn in connection.material.middle.clone() {
        compare(connection, &turn.text, query, &format!("response {open}"))?;
    }
    let ended = connection.material.over.clone();
    if ended.is_empty() {
        return Err(StepError::NoSuchPosition);
    }
    ended.iter().try_for_each(|game| compare(connection, &game.text, query, &over(game.result)))
}

fn same_again(connection: &mut Connection) -> Checked {
    connection.needs("Seed")?;
    let mut moves = || {
        connection.set("setoption name Seed value 7")?;
        connection.set("uginewgame")?;
        let turns = connection.material.choices.clone();
        let decide = |turn| connection.decided(turn, "go nodes 200").map(|answer| answer.best);
        turns.iter().map(decide).collect::<Result<Vec<String>, StepError>>()
    };
    let (one, other) = (moves()?, moves()?);
    holds(one == other, || format!("{} and then {}", one.join(" "), other.join(" ")))
}
