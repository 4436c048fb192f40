//! Setting positions, and legal moves in all of them.

use std::time::Duration;

use crate::check::step::{CheckStep, Checked, Group, StepError, holds};
use crate::check::talk::{Talk, shown};
use crate::check::ugi::{USUAL, legal};

pub fn setting() -> Group<Talk> {
    const TAKEN: &str = "no error";
    let steps: Vec<CheckStep<Talk>> = vec![
        CheckStep {
            name: "position startpos",
            expected: TAKEN,
            check: |talk| talk.set("position startpos"),
        },
        CheckStep {
            name: "position startpos moves with each roll",
            expected: TAKEN,
            check: |talk| lines(talk, |talk| talk.material.start.iter().map(line).collect()),
        },
        CheckStep {
            name: "position fen before its roll",
            expected: TAKEN,
            check: |talk| lines(talk, |talk| talk.material.texts[0].clone()),
        },
        CheckStep {
            name: "position fen with its roll",
            expected: TAKEN,
            check: |talk| lines(talk, |talk| talk.material.texts[1].clone()),
        },
        CheckStep {
            name: "position fen with moves",
            expected: TAKEN,
            check: |talk| lines(talk, |talk| talk.material.middle.iter().map(line).collect()),
        },
        CheckStep {
            name: "a whole game, roll by roll and move by move",
            expected: TAKEN,
            check: |talk| {
                lines(talk, |talk| talk.material.games.iter().take(2).flatten().map(line).collect())
            },
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
            name: "uginewgame",
            expected: "the usual start again, before its roll: go is answered by bestmove 0000",
            check: new_game,
        },
    ];
    Group { title: "positions", steps }
}

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
            name: "a roll that comes with the position",
            expected: LEGAL,
            check: rolled_text,
        },
        CheckStep {
            name: "one answer to each go",
            expected: "one line bestmove, and readyok after it",
            check: answers_once,
        },
        CheckStep { name: "go after the end", expected: "bestmove 0000", check: over },
    ];
    Group { title: "moves", steps }
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
    talk.set(&turn.line)?;
    talk.set("uginewgame")?;
    let answer = talk.go(USUAL)?;
    holds(answer.best == "0000", || format!("bestmove {}", shown(&answer.best)))
}

fn rolled_text(talk: &mut Talk) -> Checked {
    let (texts, turns) = (talk.material.texts[1].clone(), talk.material.middle.clone());
    for (text, turn) in texts.iter().zip(&turns) {
        talk.set(text)?;
        let answer = talk.go(USUAL)?;
        legal(turn, &answer)?;
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
        talk.set(&over.line)?;
        let answer = talk.go(USUAL)?;
        holds(answer.best == "0000", || {
            format!("bestmove {} after {}", shown(&answer.best), over.line)
        })?;
    }
    Ok(())
}
