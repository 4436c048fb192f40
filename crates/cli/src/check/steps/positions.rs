//! Setting positions, and legal moves in all of them.

use std::time::Duration;

use super::reports::variation_begins_with_the_move;
use super::{MOVES, READY};
use crate::check::connection::{Connection, shown};
use crate::check::material::{AskedTurn, first};
use crate::check::step::{Checked, Group, Level, holds, step};
use crate::check::ugi::{ORDINARY_GO, legal};

const TAKEN: &str = "no error";

/// What a match asks: every turn as a position with its roll, without moves.
pub fn deciding() -> Group {
    const LEGAL: &str = "bestmove with a legal move";
    let steps = vec![
        step("the start, each roll", LEGAL, |connection| connection.decided_all(|all| &all.start)),
        step("the second turn, each roll", LEGAL, |connection| {
            connection.decided_all(|all| &all.second)
        }),
        step("every turn of a game", LEGAL, |connection| {
            connection.decided_all(|all| &all.games[0])
        }),
        step("every turn of a game from another start", LEGAL, |connection| {
            connection.decided_all(|all| &all.games[1])
        }),
        step("positions from games", LEGAL, |connection| connection.decided_all(|all| &all.middle)),
        step("few pieces, each roll, player 1", LEGAL, |connection| {
            connection.decided_all(|all| &all.endings[0])
        }),
        step("few pieces, each roll, player 2", LEGAL, |connection| {
            connection.decided_all(|all| &all.endings[1])
        }),
        step("rolls that leave a choice between pieces", LEGAL, |connection| {
            connection.decided_all(|all| &all.choices)
        }),
        step("one answer to each go", "one line bestmove, and readyok after it", answers_once),
    ];
    Group { title: "moves", level: Level::Match, needs: &[READY], steps }
}

pub fn setting() -> Group {
    let steps = vec![
        step("position startpos", TAKEN, |connection| connection.set("position startpos")),
        step("position fen before its roll", TAKEN, |connection| {
            connection.set_all(|all| all.before.clone())
        }),
        step(
            "uginewgame after a game",
            "the initial position again, before its roll: go is answered by bestmove 0000",
            new_game,
        ),
        step("go after the end", "bestmove 0000", over),
    ];
    Group { title: "positions", level: Level::Complete, needs: &[READY], steps }
}

/// Positions by the rolls and moves that lead to them.
pub fn moving() -> Group {
    let steps = vec![
        step(
            MOVES,
            "bestmove with a legal move after 'position startpos moves @4 a4b4 @1': \
                       every move is played with the roll before it, and the last roll is yours",
            |connection| by_moves(connection, 0),
        ),
        step(
            "a game from another start, by its moves",
            "bestmove with a legal move",
            |connection| by_moves(connection, 1),
        ),
        step("position fen with moves", TAKEN, |connection| {
            connection.set_all(|all| all.middle.iter().map(line).collect())
        }),
        step("every legal move of turns with a choice between pieces", TAKEN, |connection| {
            connection.set_all(|all| all.every_move.clone())
        }),
        step("captures of opposing pieces", TAKEN, |connection| {
            connection.set_all(|all| all.captures.clone())
        }),
        step("captures of own pieces", TAKEN, |connection| {
            connection.set_all(|all| all.own_captures.clone())
        }),
        step("games that are over", TAKEN, |connection| {
            connection.set_all(|all| all.over.iter().map(|over| over.line.clone()).collect())
        }),
        step(
            "principal variations",
            "legal moves with rolls between them, the first of which is bestmove",
            variation_begins_with_the_move,
        ),
    ];
    Group { title: "rolls and moves", level: Level::Complete, needs: &[READY, MOVES], steps }
}

fn line(turn: &AskedTurn) -> String {
    turn.line.clone()
}

fn new_game(connection: &mut Connection) -> Checked {
    let turn = first(&connection.material.second)?;
    connection.set(&turn.text)?;
    connection.set("uginewgame")?;
    let answer = connection.go(ORDINARY_GO)?;
    holds(answer.best == "0000", || format!("bestmove {}", shown(&answer.best)))
}

/// Decides every turn of a game that is set by its moves.
fn by_moves(connection: &mut Connection, game: usize) -> Checked {
    for turn in connection.material.games[game].clone() {
        connection.set(&turn.line)?;
        let answer = connection.go(ORDINARY_GO)?;
        legal(&turn.line, &turn, &answer)?;
    }
    Ok(())
}

fn answers_once(connection: &mut Connection) -> Checked {
    for turn in connection.material.start.clone() {
        connection.decided(&turn, ORDINARY_GO)?;
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
        let answer = connection.go(ORDINARY_GO)?;
        holds(answer.best == "0000", || {
            format!("bestmove {} after {}", shown(&answer.best), over.text)
        })?;
    }
    Ok(())
}
