//! Setting positions, and legal moves in all of them.

use std::time::Duration;

use super::reports::variation_begins_with_the_move;
use super::{MOVES, READY};
use crate::check::step::{CheckStep, Checked, Group, Level, StepError, holds};
use crate::check::talk::{Talk, shown};
use crate::check::ugi::{USUAL, legal};

const TAKEN: &str = "no error";

/// What a match asks: every turn as a position with its roll, without moves.
pub fn deciding() -> Group<Talk> {
    const LEGAL: &str = "bestmove with a legal move";
    let steps: Vec<CheckStep<Talk>> = vec![
        CheckStep {
            name: "the start, each roll",
            expected: LEGAL,
            check: |talk| talk.decided_all(&talk.material.start.clone()),
        },
        CheckStep {
            name: "the second turn, each roll",
            expected: LEGAL,
            check: |talk| talk.decided_all(&talk.material.second.clone()),
        },
        CheckStep {
            name: "every turn of a game",
            expected: LEGAL,
            check: |talk| talk.decided_all(&talk.material.games[0].clone()),
        },
        CheckStep {
            name: "every turn of a game from another start",
            expected: LEGAL,
            check: |talk| talk.decided_all(&talk.material.games[1].clone()),
        },
        CheckStep {
            name: "positions from games",
            expected: LEGAL,
            check: |talk| talk.decided_all(&talk.material.middle.clone()),
        },
        CheckStep {
            name: "few pieces, each roll, player 1",
            expected: LEGAL,
            check: |talk| endings(talk, true),
        },
        CheckStep {
            name: "few pieces, each roll, player 2",
            expected: LEGAL,
            check: |talk| endings(talk, false),
        },
        CheckStep {
            name: "rolls that leave a choice between pieces",
            expected: LEGAL,
            check: |talk| talk.decided_all(&talk.material.choices.clone()),
        },
        CheckStep {
            name: "one answer to each go",
            expected: "one line bestmove, and readyok after it",
            check: answers_once,
        },
    ];
    Group { title: "moves", level: Level::Match, needs: &[READY], steps }
}

pub fn setting() -> Group<Talk> {
    let steps: Vec<CheckStep<Talk>> = vec![
        CheckStep {
            name: "position startpos",
            expected: TAKEN,
            check: |talk| talk.set("position startpos"),
        },
        CheckStep {
            name: "position fen before its roll",
            expected: TAKEN,
            check: |talk| lines(talk, |talk| talk.material.before.clone()),
        },
        CheckStep {
            name: "uginewgame after a game",
            expected: "the usual start again, before its roll: go is answered by bestmove 0000",
            check: new_game,
        },
        CheckStep { name: "go after the end", expected: "bestmove 0000", check: over },
    ];
    Group { title: "positions", level: Level::Complete, needs: &[READY], steps }
}

/// Positions by the rolls and moves that lead to them.
pub fn moving() -> Group<Talk> {
    let steps: Vec<CheckStep<Talk>> = vec![
        CheckStep {
            name: MOVES,
            expected: "bestmove with a legal move after 'position startpos moves @4 a4b4 @1': \
                       every move is played with the roll before it, and the last roll is yours",
            check: |talk| by_moves(talk, 0),
        },
        CheckStep {
            name: "a game from another start, by its moves",
            expected: "bestmove with a legal move",
            check: |talk| by_moves(talk, 1),
        },
        CheckStep {
            name: "position fen with moves",
            expected: TAKEN,
            check: |talk| lines(talk, |talk| talk.material.middle.iter().map(line).collect()),
        },
        CheckStep {
            name: "every legal move of turns with a choice between pieces",
            expected: TAKEN,
            check: |talk| lines(talk, |talk| talk.material.every_move.clone()),
        },
        CheckStep {
            name: "captures of opposing pieces",
            expected: TAKEN,
            check: |talk| lines(talk, |talk| talk.material.captures.clone()),
        },
        CheckStep {
            name: "captures of own pieces",
            expected: TAKEN,
            check: |talk| lines(talk, |talk| talk.material.own_captures.clone()),
        },
        CheckStep {
            name: "games that are over",
            expected: TAKEN,
            check: |talk| {
                lines(talk, |talk| talk.material.over.iter().map(|o| o.line.clone()).collect())
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

fn lines(talk: &mut Talk, of: impl Fn(&Talk) -> Vec<String>) -> Checked {
    let lines = of(talk);
    talk.set_all(&lines)
}

fn endings(talk: &mut Talk, first: bool) -> Checked {
    let turns: Vec<_> =
        talk.material.endings.iter().filter(|turn| turn.first == first).cloned().collect();
    talk.decided_all(&turns)
}

fn new_game(talk: &mut Talk) -> Checked {
    let Some(turn) = talk.material.second.first().cloned() else {
        return Err(StepError::NoSuchPosition);
    };
    talk.set(&turn.text)?;
    talk.set("uginewgame")?;
    let answer = talk.go(USUAL)?;
    holds(answer.best == "0000", || format!("bestmove {}", shown(&answer.best)))
}

/// Decides every turn of a game that is set by its moves.
fn by_moves(talk: &mut Talk, game: usize) -> Checked {
    for turn in talk.material.games[game].clone() {
        talk.set(&turn.line)?;
        let answer = talk.go(USUAL)?;
        legal(&turn.line, &turn, &answer)?;
    }
    Ok(())
}

fn answers_once(talk: &mut Talk) -> Checked {
    for turn in talk.material.start.clone() {
        talk.decided(&turn, USUAL)?;
        let more = talk.ready()?;
        let again = more.iter().find(|line| line.starts_with("bestmove"));
        holds(again.is_none(), || format!("{} again", shown(again.map_or("", |line| line))))?;
    }
    // Late answers arrive before the answer to this.
    talk.tell("isready")?;
    let line = talk.hear(Duration::ZERO)?;
    holds(line.trim() == "readyok", || shown(&line))
}

fn over(talk: &mut Talk) -> Checked {
    for over in talk.material.over.clone() {
        talk.set(&over.text)?;
        let answer = talk.go(USUAL)?;
        holds(answer.best == "0000", || {
            format!("bestmove {} after {}", shown(&answer.best), over.text)
        })?;
    }
    Ok(())
}
