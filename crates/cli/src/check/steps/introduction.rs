//! How an engine introduces itself, and its options.

use std::time::Duration;

use wurfel_protocol::ugi::{OptionKind, Reply};

use super::READY;
use crate::check::step::{CheckStep, Checked, Group, Level, StepError, holds};
use crate::check::talk::{Talk, shown};

pub fn basic() -> Group<Talk> {
    let steps: Vec<CheckStep<Talk>> = vec![
        CheckStep { name: "ugi", expected: "ugiok", check: is_there },
        CheckStep { name: READY, expected: "readyok", check: |talk| talk.ready().map(drop) },
        CheckStep {
            name: "uginewgame",
            expected: "nothing, and readyok afterwards",
            check: |talk| talk.set("uginewgame"),
        },
    ];
    Group { title: "introduction", level: Level::Match, needs: &["ugi", READY], steps }
}

pub fn details() -> Group<Talk> {
    let steps: Vec<CheckStep<Talk>> = vec![
        CheckStep {
            name: "the lines before ugiok",
            expected: "id, option and info string lines",
            check: introduces_itself,
        },
        CheckStep { name: "its name", expected: "a line id name NAME", check: has_a_name },
        CheckStep { name: "its author", expected: "a line id author NAME", check: has_an_author },
        CheckStep {
            name: "isready 20 times",
            expected: "20 lines readyok",
            check: is_ready_each_time,
        },
        CheckStep { name: "ugi twice", expected: "the same lines again", check: is_the_same_again },
        CheckStep {
            name: "its options",
            expected: "option name NAME type spin|combo|string|check|button …",
            check: options_are_well_formed,
        },
        CheckStep {
            name: "defaults of options",
            expected: "within the range, or among the words, that the option names",
            check: defaults_are_possible,
        },
        CheckStep {
            name: "setoption to the default",
            expected: "no error",
            check: options_take_their_defaults,
        },
        CheckStep {
            name: "setoption of an option that there is not",
            expected: "an error or nothing, and readyok afterwards",
            check: |talk| {
                talk.tell("setoption name No Such Option value 1")?;
                talk.ready().map(drop)
            },
        },
    ];
    Group { title: "names and options", level: Level::Complete, needs: &["ugi", READY], steps }
}

/// All lines up to `ugiok`.
fn introduction(talk: &mut Talk) -> Result<Vec<String>, StepError> {
    talk.tell("ugi")?;
    talk.until(Duration::ZERO, |line| line.trim() == "ugiok")
}

/// Notes the options of the engine, too. A match ignores lines that it does not know.
fn is_there(talk: &mut Talk) -> Checked {
    let lines = introduction(talk)?;
    let known = lines.iter().filter_map(|line| line.parse().ok());
    talk.options = known
        .filter_map(|reply| match reply {
            Reply::Option(option) => Some(option),
            _ => None,
        })
        .collect();
    Ok(())
}

fn introduces_itself(talk: &mut Talk) -> Checked {
    let lines = introduction(talk)?;
    for line in &lines {
        // Options of other kinds than the protocol's are checked below.
        if line.starts_with("option ") {
            continue;
        }
        match line.parse() {
            Ok(Reply::Name(_) | Reply::Author(_) | Reply::UgiOk | Reply::Note(_)) => {}
            _ => return Err(StepError::found(shown(line))),
        }
    }
    Ok(())
}

fn says(talk: &mut Talk, what: impl Fn(&Reply) -> bool) -> Checked {
    let lines = introduction(talk)?;
    let said = lines.iter().any(|line| line.parse().is_ok_and(|reply| what(&reply)));
    holds(said, || "no such line before ugiok".to_owned())
}

fn has_a_name(talk: &mut Talk) -> Checked {
    says(talk, |reply| matches!(reply, Reply::Name(name) if !name.is_empty()))
}

fn has_an_author(talk: &mut Talk) -> Checked {
    says(talk, |reply| matches!(reply, Reply::Author(name) if !name.is_empty()))
}

fn is_ready_each_time(talk: &mut Talk) -> Checked {
    talk.tell(&["isready"; 20].join("\n"))?;
    for _ in 0..20 {
        let line = talk.hear(Duration::ZERO)?;
        holds(line.trim() == "readyok", || shown(&line))?;
    }
    Ok(())
}

fn is_the_same_again(talk: &mut Talk) -> Checked {
    let (one, other) = (introduction(talk)?, introduction(talk)?);
    holds(one == other, || format!("{} lines, then {}", one.len(), other.len()))
}

fn options_are_well_formed(talk: &mut Talk) -> Checked {
    let lines = introduction(talk)?;
    let options: Vec<&String> = lines.iter().filter(|line| line.starts_with("option")).collect();
    if options.is_empty() {
        return Err(StepError::not_offered("it has no options"));
    }
    for line in options {
        // Kinds that UCI has and this protocol does not use.
        let foreign = [" type check", " type button"].iter().any(|kind| line.contains(kind));
        let named = line.starts_with("option name ");
        let known = matches!(line.parse(), Ok(Reply::Option(_)));
        holds(known || foreign && named, || shown(line))?;
    }
    Ok(())
}

fn defaults_are_possible(talk: &mut Talk) -> Checked {
    if talk.options.is_empty() {
        return Err(StepError::not_offered("it has no options"));
    }
    for option in &talk.options {
        let possible = match &option.kind {
            OptionKind::Spin { default, min, max } => (min..=max).contains(&default),
            OptionKind::Combo { default, words } => words.contains(default),
            _ => true,
        };
        holds(possible, || format!("another default of {}", option.name))?;
    }
    Ok(())
}

fn options_take_their_defaults(talk: &mut Talk) -> Checked {
    if talk.options.is_empty() {
        return Err(StepError::not_offered("it has no options"));
    }
    for option in talk.options.clone() {
        let default = match option.kind {
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } | OptionKind::Text { default } => default,
            _ => continue,
        };
        if !default.is_empty() {
            talk.set(&format!("setoption name {} value {default}", option.name))?;
        }
    }
    Ok(())
}
