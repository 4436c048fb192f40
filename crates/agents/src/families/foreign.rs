//! Other people's programs as agents: the options of a spec that say how such a program is run.

use std::sync::Arc;
use std::time::Duration;

use wurfel_core::{Agent, BySide, Endgame, Failure, Random};
use wurfel_engines::{
    Dialect, EngineAgent, EngineError, EngineProcess, EngineSettings, MEMORY, course,
    unknown_option,
};
use wurfel_games::{IN_PAGE, Learnable};

use super::searchers::budget;
use super::{AgentInfo, Factory, OptionInfo};
use crate::limits::{parse_memory, parse_time};
use crate::spec::COMMAND;
use crate::{LimitError, Spec, SpecError};

/// How long an engine may take to start if its spec does not say so.
const START: Duration = Duration::from_secs(10);
/// The first pause before a program that did not start is started again, if its spec does not say.
const RETRY: Duration = Duration::from_millis(100);
/// The longest name of a program, in letters.
const MAX_NAME: usize = 80;
/// The prefix of the engine's own options in a spec.
const OWN: &str = "option.";

pub(super) const AGENTS: &[AgentInfo] = &[AgentInfo {
    name: "cmd",
    about: "another program, as in cmd:\"./engine --flag\",protocol=ugi",
    options: &[
        OptionInfo { name: COMMAND, about: "the command, in quotes; its name may be left out" },
        OptionInfo { name: "name", about: "its name in reports; default: the whole spec" },
        OptionInfo { name: "protocol", about: "ugi or course; default: ugi" },
        OptionInfo { name: "time", about: "time for each move, such as 100ms (the default)" },
        OptionInfo {
            name: "total",
            about: "its clock: time for all moves of a game, such as 60s; default: 240s with course",
        },
        OptionInfo { name: "inc", about: "what each move adds to the clock of total" },
        OptionInfo { name: "depth", about: "turns to look ahead" },
        OptionInfo { name: "nodes", about: "positions to visit for each move" },
        OptionInfo { name: "margin", about: "how late an answer may be; default: 200ms" },
        OptionInfo { name: "start", about: "how long it may take to start; default: 10s" },
        OptionInfo {
            name: "retry",
            about: "the first pause before it is started again if it did not start; default: 100ms",
        },
        OptionInfo { name: "patience", about: "time limit for a move without one; default: 60s" },
        OptionInfo {
            name: "memory",
            about: "memory limit of each of its processes (Linux), such as 500MB, or none; default: 2GB",
        },
        OptionInfo { name: "ponder", about: "yes: it thinks on its opponent's time; default: no" },
        OptionInfo {
            name: "history",
            about: "yes: it gets the moves that led to a position; default: yes if it has an option History",
        },
        OptionInfo { name: "option.NAME", about: "a value for the engine's own option NAME" },
    ],
}];

/// Makes the factory of a spec whose agent and option names have been checked, for the game with this
/// name. Each worker has a program of its own, which starts when it is first needed.
pub(super) fn build<G: Learnable + Endgame>(
    game: &'static str,
    spec: &Spec,
) -> Result<Factory<G>, SpecError> {
    // A page cannot start programs, so the code that drives them is not compiled for it.
    if IN_PAGE {
        let problem = "no program can be started in a web page".into();
        return Err(SpecError::Malformed { spec: spec.to_string(), problem });
    }
    let settings = Arc::new(settings(game, spec)?);
    Ok(Arc::new(move || Box::new(EngineAgent::new(Arc::clone(&settings), game))))
}

fn settings(game: &str, spec: &Spec) -> Result<EngineSettings, SpecError> {
    let command = spec.option(COMMAND).ok_or_else(|| SpecError::Malformed {
        spec: spec.to_string(),
        problem: "expected a command in quotes, as in cmd:\"./engine --flag\"".into(),
    })?;
    let dialect = spec.read("protocol", |text| match text {
        "ugi" => Ok(Dialect::Ugi),
        "course" if course::GAMES.contains(&game) => Ok(Dialect::Course),
        "course" => Err(LimitError(format!("ugi, because course has only {}", course::GAMES[0]))),
        _ => Err(LimitError("ugi or course".into())),
    })?;
    let time = |name: &str, default: Duration| -> Result<Duration, SpecError> {
        Ok(spec.read(name, parse_time)?.unwrap_or(default))
    };
    let total = spec.read("total", |text| {
        let total = parse_time(text)?;
        check_total(dialect, total).map(|()| total)
    })?;
    if dialect == Some(Dialect::Course) {
        let expected = "none, because the course protocol only has the time for a game (total=)";
        for bound in ["time", "depth", "nodes", "inc"] {
            spec.read(bound, |_| Err::<(), _>(LimitError(expected.into())))?;
        }
    }
    if total.is_none() {
        spec.read("inc", |_| Err::<(), _>(LimitError("total= beside it".into())))?;
    }
    let ponders = spec.read("ponder", |text| match text {
        "yes" if dialect != Some(Dialect::Course) => Ok(true),
        "yes" => Err(LimitError("no, because the course protocol has no pondering".into())),
        "no" => Ok(false),
        _ => Err(LimitError("yes or no".into())),
    })?;
    let history = spec.read("history", |text| match text {
        "yes" if dialect != Some(Dialect::Course) => Ok(true),
        "yes" => Err(LimitError("no, because the course protocol does not send moves".into())),
        "no" => Ok(false),
        _ => Err(LimitError("yes or no".into())),
    })?;
    let increment = spec.read("inc", parse_time)?.unwrap_or_default();
    check_driven(spec)?;
    spec.read("name", |name| match name.chars().count() {
        1..=MAX_NAME if !name.chars().any(char::is_control) => Ok(()),
        _ => Err(LimitError(format!("a name of at most {MAX_NAME} letters, on one line"))),
    })?;
    let options = own_options(spec);
    if let (Some((name, _)), Some(Dialect::Course)) = (options.first(), dialect) {
        let problem = "protocol=ugi, because the course protocol has no options";
        spec.read(&format!("{OWN}{name}"), |_| Err::<(), _>(LimitError(problem.into())))?;
    }
    Ok(EngineSettings {
        command: command.to_owned(),
        dialect: dialect.unwrap_or(Dialect::Ugi),
        budget: budget(spec)?,
        clock: total.map(|total| (total, increment)),
        margin: time("margin", Duration::from_millis(200))?,
        start: time("start", START)?,
        patience: time("patience", Duration::from_mins(1))?,
        memory: memory_limit(spec)?,
        ponders: ponders.unwrap_or(false),
        history,
        options,
    })
}

/// How many bytes of memory each process of the program of a spec may take, if that is limited.
fn memory_limit(spec: &Spec) -> Result<Option<u64>, SpecError> {
    let limit = spec.read("memory", |text| match text {
        "none" => Ok(None),
        _ if !cfg!(target_os = "linux") => {
            Err(LimitError("none, because only Linux limits the memory of programs".into()))
        }
        text => parse_memory(text).map(Some),
    })?;
    Ok(limit.unwrap_or(MEMORY))
}

/// Refuses a time for a game that a protocol cannot express.
fn check_total(dialect: Option<Dialect>, total: Duration) -> Result<(), LimitError> {
    match dialect {
        Some(Dialect::Course) if total.subsec_nanos() > 0 || total.is_zero() => {
            Err(LimitError("whole seconds, because the course protocol has no smaller unit".into()))
        }
        _ => Ok(()),
    }
}

/// Refuses a clock of a tournament that the protocol of a spec's program cannot express.
///
/// # Errors
/// When the program speaks the course protocol, has no clock of its own, and that of the tournament is
/// not in whole seconds.
pub fn check_clock(spec: &Spec, total: Duration) -> Result<(), SpecError> {
    let is_told = spec.option(COMMAND).is_none() || spec.option("total").is_some();
    spec.read("protocol", |text| match text {
        "course" if !is_told => {
            check_total(Some(Dialect::Course), total).map_err(|LimitError(expected)| {
                LimitError(format!("a clock of {expected}, or total= beside it"))
            })
        }
        _ => Ok(()),
    })
    .map(drop)
}

/// Options of engines that the driver sets itself, and what it sets them to.
const DRIVEN: [(&str, &str); 3] = [
    ("Seed", "none, because each game gets a seed from that of the match"),
    ("History", "none, because history= says whether the engine gets the moves"),
    ("Game", "none, because the game that is played sets it"),
];

/// Refuses values for options that the driver sets itself.
fn check_driven(spec: &Spec) -> Result<(), SpecError> {
    for (option, _) in &spec.options {
        let own = option.strip_prefix(OWN).unwrap_or_default();
        if let Some((_, expected)) = DRIVEN.iter().find(|(name, _)| name.eq_ignore_ascii_case(own))
        {
            spec.read(option, |_| Err::<(), _>(LimitError((*expected).into())))?;
        }
    }
    Ok(())
}

/// Refuses a value for an option that the program of a spec does not offer. If the spec has values
/// for options of a program, the program is started and asked; to read specs without starting
/// anything, call [`build`](crate::build). A program that does not answer passes: it then loses its
/// games, with the reason.
///
/// # Errors
/// When the program offers options, and not this one.
pub fn check_own_options(spec: &Spec) -> Result<(), SpecError> {
    let is_asked = spec.option(COMMAND).is_some() && spec.option("protocol") != Some("course");
    if !is_asked || own_options(spec).is_empty() {
        return Ok(());
    }
    unknown_option(&settings("", spec)?).map_or(Ok(()), |error| Err(spec.unknown(error)))
}

/// Starts the program of a spec once for a game by these rules, and returns the name that it reports (`id
/// name`, usually with its version). `None` also for other agents, and in the course protocol, which has
/// no such query.
///
/// # Errors
/// When it does not start.
pub fn introduced<G: Learnable + Endgame>(
    rules: &G,
    spec: &Spec,
) -> Result<Option<String>, Failure> {
    // Errors in a spec are reported when its agents are built.
    let Ok(settings) = settings(rules.name(), spec) else { return Ok(None) };
    let mut agent = EngineAgent::<G>::new(Arc::new(settings), rules.name());
    agent.begin(Random::new(0));
    agent.failure().map_or_else(|| Ok(agent.identity()), Err)
}

/// The set-ups with which the program of a spec comes to a match, as it answers `ini R` and `ini B`
/// of the course protocol: for each side the squares of cubes 1 to 6, which are not checked. `None`
/// for other agents. The program is started and ended.
///
/// # Errors
/// When the program does not answer, or not with six squares.
pub fn own_setups(
    spec: &Spec,
) -> Result<Option<BySide<[Option<String>; course::CUBES]>>, EngineError> {
    let Some(command) = spec.option(COMMAND) else { return Ok(None) };
    if spec.option("protocol") != Some("course") {
        return Ok(None);
    }
    let start = spec.read("start", parse_time).ok().flatten().unwrap_or(START);
    let limit = memory_limit(spec).unwrap_or(MEMORY);
    let mut engine = EngineProcess::start_within(command, limit)?;
    course::setups(&mut engine, start).map(Some)
}

/// The first pause before the program of a spec is started again if it did not start. `None` for
/// other agents.
///
/// # Errors
/// When the spec's value for it is not a time.
pub fn retry_of(spec: &Spec) -> Result<Option<Duration>, SpecError> {
    let retry = spec.read("retry", parse_time)?.unwrap_or(RETRY);
    Ok(spec.option(COMMAND).map(|_| retry))
}

/// The values for options of the engine's own.
fn own_options(spec: &Spec) -> Vec<(String, String)> {
    let own = |(name, value): &(String, String)| {
        Some((name.strip_prefix(OWN)?.to_owned(), value.clone()))
    };
    spec.options.iter().filter_map(own).collect()
}

/// Whether an option is one of the engine's own.
pub(super) fn is_own(option: &str) -> bool {
    option.strip_prefix(OWN).is_some_and(|name| !name.is_empty())
}
