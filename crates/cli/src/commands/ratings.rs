//! `wurfel ratings`: how strong agents are, from all games that they have played against each
//! other.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io::Write;

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use wurfel_arena::{Bootstrap, CheckLevel, Ratings, Results, default_resamples};

use crate::Done;
use crate::bounds::{seed, whole};
use crate::commands::ratings_report::RatingsReport;
use crate::games::open;
use crate::json::write_sorted;
use crate::options::{Jobs, LuckOption, warn_incomplete};

/// Rates agents in Elo from the games of matches and tournaments
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel ratings games.jsonl\n  \
    wurfel ratings games.jsonl table.jsonl --anchor greedy --los\n\n\
    The files are those that `wurfel match`, `wurfel sprt` and `wurfel tournament` write, and - is\n\
    standard input. A player is a name with a spec: agents without a name are called by their spec,\n\
    and participants of a tournament as its file names them. Every game is played again, and one whose\n\
    result does not follow from its moves is refused; --trust accepts it.")]
pub struct RatingsCommand {
    /// Files of matches or tournaments, all of one game
    #[arg(required = true)]
    files: Vec<OsString>,
    /// The player whose rating is fixed at 0, by its name in the table [default: the mean rating is 0]
    #[arg(long)]
    anchor: Option<String>,
    /// How to count games that were lost by a crash, an illegal move or time
    #[arg(long, value_enum, default_value_t = Faults::Count)]
    faults: Faults,
    /// Also show the likelihood of superiority of each agent over each other one
    #[arg(long)]
    los: bool,
    /// Also rate the players with the luck of the dice taken off their games
    #[arg(long, value_enum, default_value_t = LuckOption::Auto, conflicts_with = "trust")]
    luck: LuckOption,
    /// Believe the results without playing the games again, which takes a fraction of the time
    #[arg(long)]
    trust: bool,
    /// Number of bootstrap resamples for the intervals [default: 1000; fewer for more than 15 players,
    /// but at least 200]
    #[arg(long, value_parser = whole::<u32>(10..=1_000_000))]
    resamples: Option<u32>,
    /// The seed of the bootstrap
    #[arg(long, default_value_t = 1, value_parser = seed)]
    seed: u64,
    #[command(flatten)]
    jobs: Jobs,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// What becomes of games that were lost by a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Faults {
    /// They are games lost
    Count,
    /// They are left out
    Skip,
}

impl RatingsCommand {
    /// Reads the files, rates the agents and writes the table.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let results = self.results()?;
        let labels = results.labels();
        let anchor = self.anchor.as_ref().map(|name| {
            let known = labels.iter().position(|label| label == name);
            known.with_context(|| {
                format!("--anchor '{name}': expected one of '{}'", labels.join("', '"))
            })
        });
        let anchor = anchor.transpose()?;
        ensure!(results.players.len() > 1, "expected games of at least two agents");
        ensure!(results.games() > 0, "expected at least one game that is over, found none");
        let ratings = Ratings::of(labels.len(), &results.encounters);
        let resamples = self.resamples.unwrap_or_else(|| default_resamples(labels.len()));
        let bootstrap = Bootstrap::of(&ratings, results.clusters(), resamples, self.seed);
        let report = RatingsReport::new(&results, anchor, &ratings, &bootstrap);
        if self.json {
            write_sorted(&report, out)?;
        } else {
            report.text(self.los, out)?;
        }
        Ok(Done::All)
    }

    /// Reads the files.
    fn results(&self) -> anyhow::Result<Results> {
        let reading = match self.luck {
            _ if self.trust => CheckLevel::Trusted,
            LuckOption::Auto => CheckLevel::LuckOfSearches,
            LuckOption::On => CheckLevel::Luck,
            LuckOption::Off => CheckLevel::Replayed,
        };
        let mut results = Results::new(reading, self.jobs.count());
        results.skips_faults = self.faults == Faults::Skip;
        let mut read = HashSet::new();
        for path in &self.files {
            let (shown, input) = open(path)?;
            // Another name of the same file counts, too.
            let file = fs::canonicalize(path).unwrap_or_else(|_| path.into());
            ensure!(read.insert(file), "{shown} is named twice: expected each file once");
            let not_whole = results.add(input).with_context(|| shown.clone())?;
            warn_incomplete(&shown, not_whole)?;
        }
        Ok(results)
    }
}
