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

/// Declares the commands, each with the writer that it gets.
macro_rules! commands {
    (|$out:ident, $report:ident| $($(#[$attribute:meta])* $name:ident($kind:ty) => $to:ident,)+) => {
        #[derive(Subcommand)]
        enum Command {
            $($(#[$attribute])* $name($kind),)+
        }

        impl Command {
            fn run(self, $out: &mut dyn Write, $report: &mut dyn Write) -> anyhow::Result<Done> {
                match self {
                    $(Self::$name(command) => command.run($to),)+
                }
            }
        }
    };
}

// A report's long lines are broken at the width of the terminal.
commands! { |out, report|
    Serve(commands::serve::Serve) => out,
    ExportSite(commands::export_site::ExportSite) => out,
    Analyse(commands::analyse::Analyse) => report,
    Play(commands::play::Play) => report,
    Referee(Box<commands::referee::Referee>) => out,
    Match(commands::matches::Matches) => report,
    Tournament(commands::tournament::TournamentCommand) => report,
    Standings(commands::standings::StandingsCommand) => out,
    Sprt(commands::sprt::SprtCommand) => report,
    Ratings(commands::ratings::RatingsCommand) => report,
    Moves(commands::moves::ListMoves) => out,
    Review(commands::review::ReviewCommand) => report,
    Replay(commands::replay::Replay) => out,
    Rollout(commands::rollout::RolloutCommand) => report,
    Convert(commands::convert::Convert) => out,
    Perft(commands::perft::Perft) => out,
    Render(commands::render::Render) => out,
    Games(commands::lists::Games) => out,
    Agents(commands::lists::Agents) => out,
    Solve(commands::solve::Solve) => out,
    Positions(commands::positions::Positions) => out,
    Regret(commands::regret::RegretCommand) => report,
    Setups(commands::setups::Setups) => report,
    Tables(commands::tables::TablesCommand) => out,
    Bench(commands::bench::Bench) => out,
    Engine(commands::engine::Engine) => out,
    CheckEngine(commands::check_engine::CheckEngine) => out,
    Train(commands::train::Train) => out,
    Network(commands::network::NetworkCommand) => out,
    Reproduce(commands::reproduce::Reproduce) => out,
    Work(commands::work::WorkCommand) => out,
    VerifyDice(commands::verify_dice::VerifyDice) => out,
    Completions(commands::shell::Completions) => out,
    #[command(name = "man")]
    Manual(commands::shell::Manual) => out,
    Tour(commands::tour::Tour) => report,
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
        Some(command) => command.run(&mut out, &mut report),
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
