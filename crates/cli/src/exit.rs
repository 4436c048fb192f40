//! How the program ends: its exit code, and the line that says why.

use std::error::Error;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::Command;
use wurfel_arena::MatchError;
use wurfel_site::ServerError;
use wurfel_tablebase::NoHome;

use crate::mistyped::message;
use crate::stop;

/// Prints the help or the version if requested; otherwise says in one line what is wrong with the
/// command line of `program`.
pub fn mistyped(error: &clap::Error, program: &Command) -> ExitCode {
    if !error.use_stderr() {
        return match error.print() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => report(&error.into()),
        };
    }
    let _ = writeln!(io::stderr(), "error: {}", message(error, program));
    ExitCode::from(2)
}

/// Says in one line what went wrong. The exit code is 2 for bad input, 1 for a system that refuses,
/// 130 for Ctrl-C, and 0 when the reader of the output has closed the pipe.
pub fn report(error: &anyhow::Error) -> ExitCode {
    let system = error.downcast_ref::<io::Error>();
    if system.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    let _ = writeln!(io::stderr(), "error: {}", one_line(error));
    if error.is::<stop::Stopped>() {
        ExitCode::from(stop::CODE)
    } else if error.chain().any(is_of_the_system) {
        ExitCode::from(1)
    } else {
        ExitCode::from(2)
    }
}

/// Ends the program from any thread because the system refuses something.
pub fn failed(problem: &str) -> ! {
    let _ = writeln!(io::stderr(), "error: {problem}");
    std::process::exit(1)
}

/// The text of an error and its causes, each once: errors of the library name their cause themselves.
fn one_line(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Whether the operating system refused something, as opposed to the input being wrong.
fn is_of_the_system(error: &(dyn Error + 'static)) -> bool {
    // A file that is not UTF-8 is bad input, although the error comes from reading it.
    let refused = |error: &io::Error| error.kind() != ErrorKind::InvalidData;
    error.downcast_ref().is_some_and(refused)
        || matches!(error.downcast_ref(), Some(MatchError::GivenUp(_)))
        || error.is::<NoHome>()
        || error.downcast_ref().is_some_and(ServerError::is_of_the_system)
}

#[cfg(test)]
mod tests {
    use anyhow::Context;
    use wurfel_agents::Spec;
    use wurfel_train::network::RunError;

    use super::*;

    #[test]
    fn each_cause_is_told_once() {
        let cause = "star2:depth".parse::<Spec>().unwrap_err();
        let expected = format!("'run': configuration: {cause}");
        let error = Err::<(), _>(RunError::from(cause)).context("'run'").unwrap_err();
        assert_eq!(one_line(&error), expected);
    }
}
