//! How an engine introduces itself, and its options.

use std::time::Duration;

use wurfel_protocol::ugi::{OptionKind, Reply};

use super::READY;
use crate::check::connection::{Connection, shown};
use crate::check::step::{Checked, Group, Level, StepError, holds, step};

pub fn basic() -> Group {
    let steps = vec![
        step("ugi", "ugiok", is_there),
        step(READY, "readyok", |connection| connection.ready().map(drop)),
        step("uginewgame", "nothing, and readyok afterwards", |connection| {
            connection.set("uginewgame")
        }),
    ];
    Group { title: "introduction", level: Level::Match, needs: &["ugi", READY], steps }
}

pub fn details() -> Group {
    let steps = vec![
        step("the lines before ugiok", "id, option and info string lines", introduces_itself),
        step("its name", "a line id name NAME", has_a_name),
        step("its author", "a line id author NAME", has_an_author),
        step("isready 20 times", "20 lines readyok", is_ready_each_time),
        step("ugi twice", "the same lines again", is_the_same_again),
        step(
            "its options",
            "option name NAME type spin|combo|string|check|button …",
            options_are_well_formed,
        ),
        step(
            "defaults of options",
            "within the range, or among the words, that the option names",
            defaults_are_possible,
        ),
        step("setoption to the default", "no error", options_take_their_defaults),
        step(
            "setoption of an option that there is not",
            "an error or nothing, and readyok afterwards",
            |connection| {
                connection.send("setoption name No Such Option value 1")?;
                connection.ready().map(drop)
            },
        ),
    ];
    Group { title: "names and options", level: Level::Complete, needs: &["ugi", READY], steps }
}

/// All lines up to `ugiok`.
fn introduction(connection: &mut Connection) -> Result<Vec<String>, StepError> {
    connection.send("ugi")?;
    connection.until(Duration::ZERO, |line| line.trim() == "ugiok")
}

/// Notes the options of the engine, too. A match ignores lines that it does not know.
fn is_there(connection: &mut Connection) -> Checked {
    let lines = introduction(connection)?;
    let known = lines.iter().filter_map(|line| line.parse().ok());
    connection.options = known
        .filter_map(|reply| match reply {
            Reply::Option(option) => Some(option),
            _ => None,
        })
        .collect();
    Ok(())
}

fn introduces_itself(connection: &mut Connection) -> Checked {
    let lines = introduction(connection)?;
    for line in &lines {
        // Options of kinds that the protocol does not have are checked below.
        if line.starts_with("option ") {
            continue;
        }
        match line.parse() {
            Ok(Reply::Name(_) | Reply::Author(_) | Reply::UgiOk | Reply::Note(_)) => {}
            _ => return Err(StepError::wrong(shown(line))),
        }
    }
    Ok(())
}

fn introduces(connection: &mut Connection, what: impl Fn(&Reply) -> bool) -> Checked {
    let lines = introduction(connection)?;
    let present = lines.iter().any(|line| line.parse().is_ok_and(|reply| what(&reply)));
    holds(present, || "no such line before ugiok".to_owned())
}

fn has_a_name(connection: &mut Connection) -> Checked {
    introduces(connection, |reply| matches!(reply, Reply::Name(name) if !name.is_empty()))
}

fn has_an_author(connection: &mut Connection) -> Checked {
    introduces(connection, |reply| matches!(reply, Reply::Author(name) if !name.is_empty()))
}

fn is_ready_each_time(connection: &mut Connection) -> Checked {
    connection.send(&["isready"; 20].join("\n"))?;
    for _ in 0..20 {
        let line = connection.receive(Duration::ZERO)?;
        holds(line.trim() == "readyok", || shown(&line))?;
    }
    Ok(())
}

fn is_the_same_again(connection: &mut Connection) -> Checked {
    let (one, other) = (introduction(connection)?, introduction(connection)?);
    holds(one == other, || format!("{} lines, then {}", one.len(), other.len()))
}

fn options_are_well_formed(connection: &mut Connection) -> Checked {
    let lines = introduction(connection)?;
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

fn defaults_are_possible(connection: &mut Connection) -> Checked {
    if connection.options.is_empty() {
        return Err(StepError::not_offered("it has no options"));
    }
    for option in &connection.options {
        let possible = match &option.kind {
            OptionKind::Spin { default, min, max } => (min..=max).contains(&default),
            OptionKind::Combo { default, words } => words.contains(default),
            _ => true,
        };
        holds(possible, || format!("another default of {}", option.name))?;
    }
    Ok(())
}

fn options_take_their_defaults(connection: &mut Connection) -> Checked {
    if connection.options.is_empty() {
        return Err(StepError::not_offered("it has no options"));
    }
    for option in connection.options.clone() {
        let default = match option.kind {
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } | OptionKind::Text { default } => default,
            _ => continue,
        };
        if !default.is_empty() {
            connection.set(&format!("setoption name {} value {default}", option.name))?;
        }
    }
    Ok(())
}
