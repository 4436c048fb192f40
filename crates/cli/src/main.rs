//! `wurfel`: board games with dice on the command line.

mod batch;
mod bounds;
mod commands;
mod games;
mod stop;
mod work;

use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use wurfel_arena::{MatchError, OutputError};
use wurfel_tablebase::TableError;

/// Plays, analyses and compares board games with dice.
///
/// Without a command it serves the site on this machine: play in the browser.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Serve(commands::serve::Serve),
    Analyse(commands::analyse::Analyse),
    Play(commands::play::Play),
    Match(commands::matches::Matches),
    Tournament(commands::tournament::TournamentCommand),
    Moves(commands::moves::Moves),
    Review(commands::review::ReviewCommand),
    Rollout(commands::rollout::RolloutCommand),
    Convert(commands::convert::Convert),
    Perft(commands::perft::Perft),
    Render(commands::render::Render),
    Games(commands::lists::Games),
    Agents(commands::lists::Agents),
    Solve(commands::solve::Solve),
    Positions(commands::positions::Positions),
    Regret(commands::regret::RegretCommand),
    Setups(commands::setups::Setups),
    Tables(commands::tables::TablesCommand),
    Bench(commands::bench::Bench),
    Train(commands::train::Train),
    VerifyDice(commands::verify_dice::VerifyDice),
    /// Shows the program at work: an analysis and a short match
    Tour,
}

/// What a command that did its work leaves to say.
enum Done {
    /// All of it.
    All,
    /// It was stopped from outside, and said so.
    Stopped,
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return mistyped(&error),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let done = match cli.command {
        None => commands::serve::run(&mut out),
        Some(Command::Serve(command)) => command.run(&mut out),
        Some(Command::Analyse(command)) => command.run(&mut out),
        Some(Command::Play(command)) => command.run(&mut out),
        Some(Command::Match(command)) => command.run(&mut out),
        Some(Command::Tournament(command)) => command.run(&mut out),
        Some(Command::Moves(command)) => command.run(&mut out),
        Some(Command::Review(command)) => command.run(&mut out),
        Some(Command::Rollout(command)) => command.run(&mut out),
        Some(Command::Convert(command)) => command.run(&mut out),
        Some(Command::Perft(command)) => command.run(&mut out),
        Some(Command::Render(command)) => command.run(&mut out),
        Some(Command::Games(command)) => command.run(&mut out),
        Some(Command::Agents(command)) => command.run(&mut out),
        Some(Command::Solve(command)) => command.run(&mut out),
        Some(Command::Positions(command)) => command.run(&mut out),
        Some(Command::Regret(command)) => command.run(&mut out),
        Some(Command::Setups(command)) => command.run(&mut out),
        Some(Command::Tables(command)) => command.run(&mut out),
        Some(Command::Bench(command)) => command.run(&mut out),
        Some(Command::Train(command)) => command.run(&mut out),
        Some(Command::VerifyDice(command)) => command.run(&mut out),
        Some(Command::Tour) => commands::tour::run(&mut out),
    };
    let done = done.and_then(|done| {
        out.flush()?;
        Ok(done)
    });
    match done {
        Ok(Done::All) => ExitCode::SUCCESS,
        Ok(Done::Stopped) => ExitCode::from(stop::CODE),
        Err(error) => report(&error),
    }
}

/// Shows help that was asked for, or says in one line what was typed wrong.
fn mistyped(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let lines = text.lines().map(str::trim);
    let said: Vec<&str> = lines
        .take_while(|line| !line.starts_with("Usage:"))
        .filter(|line| !line.is_empty())
        .collect();
    let hint = "(--help shows what can be typed)";
    let _ = writeln!(io::stderr(), "{} {hint}", said.join(" ").trim_end_matches(hint));
    ExitCode::from(2)
}

/// Says what went wrong in one line: exit code 2 for bad input, 1 for a system
/// that refuses, 130 for Ctrl-C, 0 for a reader of our output that has seen
/// enough.
fn report(error: &anyhow::Error) -> ExitCode {
    let system = error.downcast_ref::<io::Error>();
    if system.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    let _ = writeln!(io::stderr(), "error: {error:#}");
    let output = match error.downcast_ref::<MatchError>() {
        Some(MatchError::Output(output)) => Some(output),
        _ => error.downcast_ref::<OutputError>(),
    };
    if error.is::<stop::Stopped>() {
        ExitCode::from(stop::CODE)
    } else if system.is_some()
        || matches!(output, Some(OutputError::Io { .. }))
        || matches!(error.downcast_ref(), Some(TableError::Io { .. }))
    {
        ExitCode::from(1)
    } else {
        ExitCode::from(2)
    }
}
