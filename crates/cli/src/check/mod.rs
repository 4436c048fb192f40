//! `wurfel check-engine`: whether a program keeps to an engine protocol.
//!
//! A step is a function that talks with the engine; it compares what the engine says with what the
//! rules of the game allow, and with nothing else: how well an engine plays is not judged. What the
//! steps ask about is drawn from a seed, so every run asks the same.

mod material;
mod step;
mod steps;
mod talk;
mod ugi;

use std::time::Duration;

use wurfel_games::Playable;

use material::Material;
use step::{Checked, Fault, Group};
use talk::Talk;

pub use step::{Entry, Outcome};

/// After how many silent steps in a row the others are not tried.
const MAX_SILENT: u32 = 4;

/// The protocol that is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// The Universal Game Interface with rolls.
    Ugi,
    /// That of course cups.
    Course,
}

/// Checks a program, step by step, and hands on what came out of each. Answers are waited for as
/// long as `patience`.
///
/// # Errors
/// Those of `tell`.
pub fn check<G: Playable, E>(
    command: &str,
    language: Language,
    patience: Duration,
    mut tell: impl FnMut(Entry) -> Result<(), E>,
) -> Result<(), E> {
    let mut talk = Talk::new(command.to_owned(), patience, Material::of::<G>());
    let groups = match language {
        Language::Ugi => steps::ugi(),
        Language::Course => steps::course(),
    };
    let mut silent = 0;
    for Group { title, steps } in groups {
        for step in steps {
            if silent >= MAX_SILENT {
                tell(Entry::not_tried(title, &step))?;
                continue;
            }
            let checked: Checked = (step.check)(&mut talk);
            match &checked {
                Err(Fault::Silent(_)) => silent += 1,
                _ => silent = 0,
            }
            // What went wrong here must not be blamed on what comes next.
            if matches!(checked, Err(Fault::Found(_) | Fault::Silent(_))) {
                talk.end();
            }
            tell(Entry::new(title, &step, checked))?;
        }
    }
    Ok(())
}
