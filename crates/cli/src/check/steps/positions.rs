//! Setting positions, and legal moves in all of them.

use std::time::Duration;

use super::reports::variation_begins_with_the_move;
use super::{MOVES, READY};
use crate::check::connection::{Connection, shown};
use crate::check::step::{CheckStep, Checked, Group, Level, StepError, holds};
use crate::check::ugi::{USUAL, legal};

const TAKEN: &str = "no error";

/// What a match asks: every turn as a position with its roll, without moves.
pub fn deciding() -> Group<Connection> {
    const LEGAL: &str = "bestmove with a legal move";
    let steps: Vec<CheckStep<Connection>> = vec![
        CheckStep {
            name: "the start, each roll",
            expected: LEGAL,
            check: |connection| connection.decided_all(&connection.material.start.clone()),
        },
        CheckStep {
            name: "the second turn, each roll",
            expected: LEGAL,
            check: |connection| connection.decided_all(&connection.material.second.clone()),
        },
        CheckStep {
            name: "every turn of a game",
            expected: LEGAL,
            check: |connection| connection.decided_all(&connection.material.games[0].clone()),
        },
        CheckStep {
            name: "every turn of a game from another start",
            expected: LEGAL,
            check: |connection| connection.decided_all(&connection.material.games[1].clone()),
        },
        CheckStep {
            name: "positions from games",
            expected: LEGAL,
            check: |connection| connection.decided_all(&connection.material.middle.clone()),
        },
        CheckStep {
            name: "few pieces, each roll, player 1",
            expected: LEGAL,
            check: |connection| endings(connection, true),
        },
        CheckStep {
            name: "few pieces, each roll, player 2",
            expected: LEGAL,
            check: |connection| endings(connection, false),
        },
        CheckStep {
            name: "rolls that leave a choice between pieces",
            expected: LEGAL,
            check: |connection| connection.decided_all(&connection.material.choices.clone()),
        },
        CheckStep {
            name: "one answer to each go",
            expected: "one line bestmove, and readyok after it",
            check: answers_once,
        },
    ];
    Group { title: "moves", level: Level::Match, needs: &[READY], steps }
}

pub fn setting() -> Group<Connection> {
    let steps: Vec<CheckStep<Connection>> = vec![
        CheckStep {
            name: "position startpos",
            expected: TAKEN,
            check: |connection| connection.set("position startpos"),
        },
        CheckStep {
            name: "position fen before its roll",
            expected: TAKEN,
            check: |connection| lines(connection, |connection| connection.material.before.clone()),
        },
        CheckStep {
            name: "uginewgame after a game",
            expected: "the initial position again, before its roll: go is answered by bestmove 0000",
            check: new_game,
        },
        CheckStep { name: "go after the end", expected: "bestmove 0000", check: over },
    ];
    Group { title: "positions", level: Level::Complete, needs: &[READY], steps }
}

/// Positions by the rolls and moves that lead to them.
pub fn moving() -> Group<Connection> {
    let steps: Vec<CheckStep<Connection>> = vec![
        CheckStep {
            name: MOVES,
            expected: "bestmove with a legal move after 'position startpos moves @4 a4b4 @1': \
                       every move is played with the roll before it, and the last roll is yours",
            check: |connection| by_moves(connection, 0),
        },
        CheckStep {
            name: "a game from another start, by its moves",
            expected: "bestmove with a legal move",
            check: |connection| by_moves(connection, 1),
        },
        CheckStep {
            name: "position fen with moves",
            expected: TAKEN,
            check: |connection| {
                lines(connection, |connection| {
                    connection.material.middle.iter().map(line).collect()
                })
            },
        },
        CheckStep {
            name: "every legal move of turns with a choice between pieces",
            expected: TAKEN,
            check: |connection| {
                lines(connection, |connection| connection.material.every_move.clone())
            },
        },
        CheckStep {
            name: "captures of opposing pieces",
            expected: TAKEN,
            check: |connection| {
                lines(connection, |connection| connection.material.captures.clone())
            },
        },
        CheckStep {
            name: "captures of own pieces",
            expected: TAKEN,
            check: |connection| {
                lines(connection, |connection| connection.material.own_captures.clone())
            },
        },
        CheckStep {
            name: "games that are over",
            expected: TAKEN,
            check: |connection| {
                lines(connection, |connection| {
                    connection.material.over.iter().map(|o| o.line.clone()).collect()
                })
            },
        },
        CheckStep {
            name: "principal variations",
            expected: "legal moves with rolls between them, the first of which is bestmove",
            check: variation_begins_with_the_move,
        },
    ];
    Group { title: "rolls and moves", level: Level::Complete, needs: &[READY, MOVES], steps }
}

fn line(turn: &crate::check::material::AskedTurn) -> String {
    turn.line.clone()
}

fn lines(connection: &mut Connection, of: impl Fn(&Connection) -> Vec<String>) -> Checked {
    let lines = of(connection);
    connection.set_all(&lines)
}

fn endings(connection: &mut Connection, first: bool) -> Checked {
    let turns: Vec<_> =
        connection.material.endings.iter().filter(|turn| turn.first == first).cloned().collect();
    connection.decided_all(&turns)
}

fn new_game(connection: &mut Connection) -> Checked {
    let Some(turn) = connection.material.second.first().cloned() else {
        return Err(StepError::NoSuchPosition);
    };
    connection.set(&turn.text)?;
    connection.set("uginewgame")?;
    let answer = connection.go(USUAL)?;
    holds(answer.best == "0000", || format!("bestmove {}", shown(&answer.best)))
}

/// Decides every turn of a game that is set by its moves.
fn by_moves(connection: &mut Connection, game: usize) -> Checked {
    for turn in connection.material.games[game].clone() {
        connection.set(&turn.line)?;
        let answer = connection.go(USUAL)?;
        legal(&turn.line, &turn, &answer)?;
    }
    Ok(())
}

fn answers_once(connection: &mut Connection) -> Checked {
    for turn in connection.material.start.clone() {
        connection.decided(&turn, USUAL)?;
        let more = connection.ready()?;
        let again = more.iter().find(|line| line.starts_with("bestmove"));
        holds(again.is_none(), || format!("{} again", shown(again.map_or("", |line| line))))?;
    }
    // Late answers arrive before the answer to this.
    connection.send("isready")?;
    let line = connection.receive(Duration::ZERO)?;
    holds(line.trim() == "readyok", || shown(&line))
}

fn over(connection: &mut Connection) -> Checked {
    for over in connection.material.over.clone() {
        connection.set(&over.text)?;
        let answer = connection.go(USUAL)?;
        holds(answer.best == "0000", || {
            format!("bestmove {} after {}", shown(&answer.best), over.text)
        })?;
    }
    Ok(())
}
