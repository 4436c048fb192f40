//! Queries, and whether an engine with a seed does the same twice.

use super::READY;
use crate::check::step::{CheckStep, Checked, Group, Level, StepError, holds};
use crate::check::talk::Talk;

pub fn group() -> Group<Talk> {
    let steps: Vec<CheckStep<Talk>> = vec![
        CheckStep {
            name: "query p1turn",
            expected: "response true when player 1 is to move, else response false",
            check: whose_turn,
        },
        CheckStep {
            name: "query p1turn before the roll",
            expected: "response true when player 1 is to roll, else response false",
            check: whose_roll,
        },
        CheckStep {
            name: "query gameover",
            expected: "response false during a game, response true after its end",
            check: |talk| asked(talk, "query gameover", |_| "response true".to_owned(), "false"),
        },
        CheckStep {
            name: "query result",
            expected: "response none during a game, then p1win, p2win or draw",
            check: |talk| {
                asked(talk, "query result", |result| format!("response {result}"), "none")
            },
        },
        CheckStep {
            name: "a seed",
            expected: "with setoption name Seed and uginewgame the same moves again",
            check: same_again,
        },
    ];
    Group { title: "queries and seeds", level: Level::Complete, needs: &[READY], steps }
}

/// Sends a line and then a query, and compares the answer with the expected one.
fn compare(talk: &mut Talk, line: &str, query: &str, expected: &str) -> Checked {
    talk.set(line)?;
    let said = talk.query(query)?;
    holds(said == expected, || format!("'{said}' to {query} after {line}"))
}

fn whose_turn(talk: &mut Talk) -> Checked {
    let turns = [&talk.material.start[..], &talk.material.second, &talk.material.middle].concat();
    let mut asked = turns.into_iter();
    asked.try_for_each(|turn| {
        compare(talk, &turn.text, "query p1turn", &format!("response {}", turn.first))
    })
}

fn whose_roll(talk: &mut Talk) -> Checked {
    let rests = talk.material.rests.clone();
    rests.iter().try_for_each(|rest| {
        compare(talk, &rest.line, "query p1turn", &format!("response {}", rest.first))
    })
}

fn asked(talk: &mut Talk, query: &str, over: impl Fn(&str) -> String, open: &str) -> Checked {
    for turn in talk.material.middle.clone() {
        compare(talk, &turn.text, query, &format!("response {open}"))?;
    }
    let ended = talk.material.over.clone();
    if ended.is_empty() {
        return Err(StepError::NoSuchPosition);
    }
    ended.iter().try_for_each(|game| compare(talk, &game.text, query, &over(game.result)))
}

fn same_again(talk: &mut Talk) -> Checked {
    talk.needs("Seed")?;
    let mut moves = || {
        talk.set("setoption name Seed value 7")?;
        talk.set("uginewgame")?;
        let turns = talk.material.choices.clone();
        let decide = |turn| talk.decided(turn, "go nodes 200").map(|answer| answer.best);
        turns.iter().map(decide).collect::<Result<Vec<String>, StepError>>()
    };
    let (one, other) = (moves()?, moves()?);
    holds(one == other, || format!("{} and then {}", one.join(" "), other.join(" ")))
}
