//! How an engine ends. Each step starts a process of its own.

use super::READY;
use crate::check::step::{CheckStep, Checked, Group, Level, StepError, holds};
use crate::check::talk::{Talk, shown};

pub fn group() -> Group<Talk> {
    let steps: Vec<CheckStep<Talk>> = vec![
        CheckStep {
            name: "nothing but lines of the protocol",
            expected: "id, option, ugiok, readyok, info, bestmove and response",
            check: |talk| holds(talk.strange.is_empty(), || shown(&talk.strange[0])),
        },
        CheckStep {
            name: "quit",
            expected: "the process ends with exit code 0",
            check: |talk| ends(talk, &["quit"], false),
        },
        CheckStep {
            name: "the end of its input",
            expected: "the process ends with exit code 0",
            check: |talk| ends(talk, &[], true),
        },
    ];
    Group { title: "the end", level: Level::Complete, needs: &[READY], steps }
}

pub fn in_the_middle() -> Group<Talk> {
    let steps: Vec<CheckStep<Talk>> = vec![
        CheckStep {
            name: "quit during a search",
            expected: "the process ends with exit code 0",
            check: |talk| searches_and_ends(talk, "go movetime 1000\nquit", false),
        },
        CheckStep {
            name: "the end of its input during go infinite",
            expected: "the process ends",
            check: |talk| searches_and_ends(talk, "go infinite", true),
        },
        CheckStep {
            name: "a last line without its end",
            expected: "bestmove, and the process ends",
            check: answers_at_the_end,
        },
    ];
    Group { title: "the end of a search", level: Level::Robust, needs: &[READY], steps }
}

fn ends(talk: &mut Talk, lines: &[&str], closes: bool) -> Checked {
    talk.end();
    talk.ready()?;
    lines.iter().try_for_each(|line| talk.tell(line))?;
    let code = talk.ended(closes)?;
    holds(code == Some(0), || format!("exit code {}", code.unwrap_or(-1)))
}

fn searches_and_ends(talk: &mut Talk, go: &str, closes: bool) -> Checked {
    talk.end();
    let Some(turn) = talk.material.start.first().cloned() else {
        return Err(StepError::NoSuchPosition);
    };
    talk.set(&turn.text)?;
    talk.tell(go)?;
    talk.ended(closes).map(drop)
}

fn answers_at_the_end(talk: &mut Talk) -> Checked {
    talk.end();
    let Some(turn) = talk.material.start.first().cloned() else {
        return Err(StepError::NoSuchPosition);
    };
    talk.set(&turn.text)?;
    talk.tell_bytes(b"go depth 1")?;
    talk.engine()?.close_input();
    talk.best("go depth 1")?;
    talk.ended(true).map(drop)
}
