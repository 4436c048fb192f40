//! `wurfel ratings`: how strong agents are, from all games that they have played against each
//! other.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use indicatif::HumanCount;
use serde_json::{Value, json};
use wurfel_arena::{Bootstrap, Encounter, Interval, Printed, Ratings, Results, usual_resamples};

use crate::Done;
use crate::bounds::{seed, whole};
use crate::json::write_json;

/// Rates agents in Elo from the games of matches and tournaments
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel ratings games.jsonl\n  \
    wurfel ratings games.jsonl table.jsonl --anchor greedy --los\n\n\
    The files are those that `wurfel match`, `wurfel sprt` and `wurfel tournament` write, and - is\n\
    standard input. A player is a name with a spec: agents without a name are called by their spec,\n\
    and participants of a tournament as its file names them.")]
pub struct RatingsCommand {
    /// Files of matches or tournaments, all of one game
    #[arg(required = true)]
    files: Vec<String>,
    /// The player whose rating is 0, as the table calls it (by default the mean of all ratings is)
    #[arg(long)]
    anchor: Option<String>,
    /// What counts of games that were lost by a crash, an illegal move or time
    #[arg(long, value_enum, default_value_t = Faults::Count)]
    faults: Faults,
    /// Also show how likely each agent is stronger than each other one
    #[arg(long)]
    los: bool,
    /// How often results are drawn anew to find the intervals (by default 1000 times, and fewer times
    /// for more than 15 players, but at least 200)
    #[arg(long, value_parser = whole::<u32>(10..=1_000_000))]
    resamples: Option<u32>,
    /// The seed for drawing them
    #[arg(long, default_value_t = 1, value_parser = seed)]
    seed: u64,
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
        let skips_faults = self.faults == Faults::Skip;
        let mut results = Results::default();
        results.skips_faults = skips_faults;
        let mut read = HashSet::new();
        for name in &self.files {
            // Another name of the same file counts, too. A file that is missing is refused below.
            let file = fs::canonicalize(name).unwrap_or_else(|_| name.into());
            ensure!(read.insert(file), "'{name}' is named twice: expected each file once");
            if name == "-" {
                results.add(io::stdin().lock()).context("standard input")?;
            } else {
                let file = File::open(name).with_context(|| format!("'{name}'"))?;
                results.add(file).with_context(|| format!("'{name}'"))?;
            }
        }
        let labels = results.labels();
        let anchor = self.anchor.as_ref().map(|name| {
            let known = labels.iter().position(|label| label == name);
            known.with_context(|| {
                format!("--anchor '{name}': expected one of '{}'", labels.join("', '"))
            })
        });
        let anchor = anchor.transpose()?;
        ensure!(results.players.len() > 1, "expected games of at least two agents");
        let ratings = Ratings::of(labels.len(), &results.encounters);
        let resamples = self.resamples.unwrap_or_else(|| usual_resamples(labels.len()));
        let drawn = Bootstrap::of(&ratings, results.clusters(), resamples, self.seed);
        let shown = RatingsOutput {
            results: &results,
            labels: &labels,
            ratings: &ratings,
            drawn: &drawn,
            anchor,
        };
        if self.json {
            write_json(&shown.json(), out)?;
        } else {
            shown.table(out)?;
            if self.los {
                shown.superiority(out)?;
            }
            shown.notes(out)?;
        }
        Ok(Done::All)
    }
}

/// Ratings to be shown.
struct RatingsOutput<'a> {
    results: &'a Results,
    /// The names that are shown for the players.
    labels: &'a [String],
    ratings: &'a Ratings,
    drawn: &'a Bootstrap,
    /// The player whose rating is 0.
    anchor: Option<usize>,
}

impl RatingsOutput<'_> {
    /// The rating of a player and its standard error, as if games were independent.
    fn rating(&self, player: usize) -> (f64, f64) {
        self.ratings.above(player, self.anchor)
    }

    /// The interval of a rating. Where all pairs were equal, so that resamples cannot differ, it is
    /// that of independent games.
    fn interval(&self, player: usize) -> Interval {
        self.drawn.shown(self.ratings, player, self.anchor)
    }

    /// How likely it is that one player is stronger than the other.
    fn likely(&self, one: usize, other: usize) -> f64 {
        self.drawn.superiority(self.ratings, one, other)
    }

    /// Points won and games played against others.
    fn score(&self, player: usize) -> (f64, u64) {
        let own = |encounter: &&Encounter| {
            let [one, other] = encounter.players;
            one != other && encounter.players.contains(&player)
        };
        let encounters = self.results.encounters.iter().filter(own);
        encounters.fold((0.0, 0), |(points, games), encounter| {
            let place = usize::from(encounter.players[1] == player);
            (points + encounter.points()[place], games + encounter.games())
        })
    }

    /// The players, the strongest first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.labels.len()).collect();
        order.sort_by(|&one, &other| self.ratings.elo(other).total_cmp(&self.ratings.elo(one)));
        order
    }

    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "| | agent | Elo | 95 % interval | error | games | score |\n|---|---|---|---|---|---|---|"
        )?;
        for (place, player) in self.order().into_iter().enumerate() {
            let Interval { low, high } = self.interval(player);
            let ((elo, error), (points, games)) = (self.rating(player), self.score(player));
            let [elo, low, high] = [elo, low, high].map(Printed);
            writeln!(
                out,
                "| {} | {} | {elo:+.1} | {low:+.1} to {high:+.1} | {error:.1} | {} | {:.1} % |",
                place + 1,
                code(&self.labels[player]),
                HumanCount(games),
                100.0 * points / games.max(1) as f64
            )?;
        }
        Ok(())
    }

    /// Writes how likely the player of each row is stronger than that of each column.
    fn superiority(&self, out: &mut dyn Write) -> io::Result<()> {
        let order = self.order();
        let heads: Vec<String> = (1..=order.len()).map(|place| place.to_string()).collect();
        writeln!(out, "\n| | agent | {} |", heads.join(" | "))?;
        writeln!(out, "|{}", "---|".repeat(order.len() + 2))?;
        for (place, &player) in order.iter().enumerate() {
            let cell = |&other: &usize| {
                let likely = || format!("{:.1}", 100.0 * self.likely(player, other));
                if other == player { "–".to_owned() } else { likely() }
            };
            let cells: Vec<String> = order.iter().map(cell).collect();
            let name = code(&self.labels[player]);
            writeln!(out, "| {} | {name} | {} |", place + 1, cells.join(" | "))?;
        }
        writeln!(out, "\nHow likely it is that the row is stronger than the column, in per cent.")
    }

    fn notes(&self, out: &mut dyn Write) -> io::Result<()> {
        let games: u64 = self.results.encounters.iter().map(Encounter::games).sum();
        let zero = self.anchor.map_or("the mean is 0".to_owned(), |anchor| {
            format!("{} is 0", code(&self.labels[anchor]))
        });
        writeln!(
            out,
            "\n{}: {} games; {zero}. Intervals from pairs that were drawn anew, errors as if games were \
             independent.",
            self.results.game,
            HumanCount(games)
        )?;
        let lost = self.results.lost_by_fault;
        if lost > 0 {
            let skipped = if self.results.skips_faults { "are left out" } else { "count as lost" };
            writeln!(out, "{} games were lost by a fault and {skipped}.", HumanCount(lost))?;
        }
        let draws = self.ratings.virtual_draws();
        if draws > 0 {
            writeln!(
                out,
                "Some agents won or lost everything against the others, or never met them: {draws} virtual \
                 draws were added."
            )?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let order = self.order();
        let agent = |(place, &player): (usize, &usize)| {
            let ((elo, error), (points, games)) = (self.rating(player), self.score(player));
            json!({
                "rank": place + 1,
                "agent": self.labels[player],
                "spec": self.results.players[player].spec,
                "elo": elo,
                "interval": self.interval(player),
                "error": error,
                "games": games,
                "points": points,
                "los": order.iter().map(|&other| self.likely(player, other)).collect::<Vec<_>>(),
            })
        };
        json!({
            "game": self.results.game,
            "anchor": self.anchor.map(|anchor| &self.labels[anchor]),
            "lost_by_fault": self.results.lost_by_fault,
            "skips_faults": self.results.skips_faults,
            "virtual_draws": self.ratings.virtual_draws(),
            "agents": order.iter().enumerate().map(agent).collect::<Vec<_>>(),
        })
    }
}

/// A name as code in a Markdown table.
fn code(name: &str) -> String {
    let name = name.replace('|', "\\|");
    if name.contains('`') { format!("`` {name} ``") } else { format!("`{name}`") }
}
