//! The program `wurfel`: board games with dice on the command line.
//!
//! A program of one's own is this one with more games: its `main` is a call of [`run`] with their
//! handles, such as `wurfel_cli::run([Game::of::<Sprint>()])`.

mod batch;
mod bounds;
mod check;
mod commands;
mod engine;
mod exit;
mod figures;
mod games;
mod given_up;
mod json;
mod mistyped;
mod mode;
mod new_file;
mod new_folder;
mod options;
mod progress;
mod referee;
mod stop;
mod terminal;
mod typing;

use std::env;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use wurfel::{Game, add_games};

/// Plays, analyses and compares board games with dice.
///
/// Without a command it serves the site on this machine, to play in a browser.
#[derive(Parser)]
#[command(name = "wurfel", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Serve(commands::serve::Serve),
    ExportSite(commands::export_site::ExportSite),
    Analyse(commands::analyse::Analyse),
    Play(commands::play::Play),
    Referee(Box<commands::referee::Referee>),
    Match(commands::matches::Matches),
    Tournament(commands::tournament::TournamentCommand),
    Standings(commands::standings::StandingsCommand),
    Sprt(commands::sprt::SprtCommand),
    Ratings(commands::ratings::RatingsCommand),
    Moves(commands::moves::ListMoves),
    Review(commands::review::ReviewCommand),
    Replay(commands::replay::Replay),
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
    Engine(commands::engine::Engine),
    CheckEngine(commands::check_engine::CheckEngine),
    Train(commands::train::Train),
    Network(commands::network::NetworkCommand),
    Reproduce(commands::reproduce::Reproduce),
    Work(commands::work::WorkCommand),
    VerifyDice(commands::verify_dice::VerifyDice),
    Completions(commands::shell::Completions),
    #[command(name = "man")]
    Manual(commands::shell::Manual),
    /// Shows what the program can do: an analysis and a short match
    #[command(after_help = "Example:\n  wurfel tour")]
    Tour,
}

/// How a command ended that did not fail.
enum Done {
    /// It did all of its work.
    All,
    /// It did all of its work, and what it has checked is wrong.
    Failed,
    /// Ctrl-C stopped it, and it has said so.
    Stopped,
    /// It could not go on, and it has said so.
    GivenUp,
}

/// Runs the command that the arguments of the process give, with these games beside those that come with
/// wurfel.
///
/// # Panics
/// When a game has the name of another one.
pub fn run(own: impl IntoIterator<Item = Game>) -> ExitCode {
    add_games(own);
    let mut program = mistyped::with_negative_numbers(Cli::command());
    let mut given = program.try_get_matches_from_mut(env::args_os());
    if given.as_ref().is_err_and(mistyped::wants_help_of_help) {
        let words = env::args_os().filter(|word| word != "--help" && word != "-h");
        given = program.try_get_matches_from_mut(words);
    }
    let cli = match given.and_then(|given| Cli::from_arg_matches(&given)) {
        Ok(cli) => cli,
        Err(error) => return exit::mistyped(&error, &program),
    };
    stop::listen();
    // Standard output is not locked for the whole time, because other threads of an engine answer
    // as well.
    let mut out = BufWriter::new(io::stdout());
    let mut report = terminal::Report::new(BufWriter::new(io::stdout()), terminal::width());
    let done = match cli.command {
        None => commands::serve::run(&mut out),
        Some(Command::Serve(command)) => command.run(&mut out),
        Some(Command::ExportSite(command)) => command.run(&mut out),
        Some(Command::Analyse(command)) => command.run(&mut report),
        Some(Command::Play(command)) => command.run(&mut report),
        Some(Command::Referee(command)) => command.run(&mut out),
        Some(Command::Match(command)) => command.run(&mut report),
        Some(Command::Tournament(command)) => command.run(&mut report),
        Some(Command::Standings(command)) => command.run(&mut out),
        Some(Command::Sprt(command)) => command.run(&mut report),
        Some(Command::Ratings(command)) => command.run(&mut report),
        Some(Command::Moves(command)) => command.run(&mut out),
        Some(Command::Review(command)) => command.run(&mut report),
        Some(Command::Replay(command)) => command.run(&mut out),
        Some(Command::Rollout(command)) => command.run(&mut report),
        Some(Command::Convert(command)) => command.run(&mut out),
        Some(Command::Perft(command)) => command.run(&mut out),
        Some(Command::Render(command)) => command.run(&mut out),
        Some(Command::Games(command)) => command.run(&mut out),
        Some(Command::Agents(command)) => command.run(&mut out),
        Some(Command::Solve(command)) => command.run(&mut out),
        Some(Command::Positions(command)) => command.run(&mut out),
        Some(Command::Regret(command)) => command.run(&mut report),
        Some(Command::Setups(command)) => command.run(&mut report),
        Some(Command::Tables(command)) => command.run(&mut out),
        Some(Command::Bench(command)) => command.run(&mut out),
        Some(Command::Engine(command)) => command.run(),
        Some(Command::CheckEngine(command)) => command.run(&mut out),
        Some(Command::Train(command)) => command.run(&mut out),
        Some(Command::Network(command)) => command.run(&mut out),
        Some(Command::Reproduce(command)) => command.run(&mut out),
        Some(Command::Work(command)) => command.run(&mut out),
        Some(Command::VerifyDice(command)) => command.run(&mut out),
        Some(Command::Completions(command)) => command.run(Cli::command(), &mut out),
        Some(Command::Manual(command)) => command.run(Cli::command()),
        Some(Command::Tour) => commands::tour::run(&mut report),
    };
    let done = done.and_then(|done| {
        out.flush()?;
        report.flush()?;
        Ok(done)
    });
    match done {
        Ok(Done::All) => ExitCode::SUCCESS,
        Ok(Done::Failed | Done::GivenUp) => ExitCode::from(1),
        Ok(Done::Stopped) => ExitCode::from(stop::CODE),
        Err(error) => exit::report(&error),
    }
}
