//! `wurfel check-engine`: checks whether a program follows an engine protocol.
//!
//! A step is a function that talks with the engine. It compares the engine's answers only with what
//! the rules of the game allow; how well an engine plays is not measured. The positions that the
//! steps ask about are drawn from a fixed seed, so every run asks about the same ones.

mod connection;
mod material;
mod step;
mod steps;
mod ugi;

use std::time::Duration;

use clap::ValueEnum;
use wurfel::Game;

use connection::Connection;
use material::Material;
use step::{Checked, StepError};

pub use step::{Level, StepOutcome, StepReport};

/// After this many silent steps in a row, the remaining steps are not tried.
const MAX_SILENT: u32 = 4;

/// The protocol that is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Protocol {
    /// The Universal Game Interface with rolls
    Ugi,
    /// The protocol of university course tournaments, for EinStein würfelt nicht!
    Course,
}

/// Checks a program, step by step, and passes the result of each step to `send`, whose errors it
/// returns. `patience` is how long an answer may take beyond the time that a search is given.
pub fn check<E>(
    game: Game,
    command: &str,
    protocol: Protocol,
    patience: Duration,
    mut send: impl FnMut(StepReport) -> Result<(), E>,
) -> Result<(), E> {
    let mut connection = Connection::new(command.to_owned(), patience, Material::of(game));
    let groups = match protocol {
        Protocol::Ugi => steps::ugi(),
        Protocol::Course => steps::course(),
    };
    let mut silent = 0;
    // The names of the steps that were not passed.
    let mut missing: Vec<&str> = vec![];
    for group in groups {
        for step in &group.steps {
            let lacks = group.needs.iter().copied().find(|need| missing.contains(need));
            let report = if lacks.is_some() || silent >= MAX_SILENT {
                StepReport::not_tried(&group, step, lacks)
            } else {
                let checked: Checked = (step.check)(&mut connection);
                match &checked {
                    Err(StepError::Silent(_)) => silent += 1,
                    _ => silent = 0,
                }
                // A failure here must not be blamed on the next step, so the engine is restarted.
                if matches!(checked, Err(StepError::Wrong(_) | StepError::Silent(_))) {
                    connection.end();
                }
                StepReport::new(&group, step, checked)
            };
            if report.is_missing() {
                missing.push(step.name);
            }
            send(report)?;
        }
    }
    Ok(())
}
