//! `wurfel ratings`: how strong agents are, from all games that they have played against each
//! other.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use indicatif::HumanCount;
use serde_json::{Value, json};
use wurfel_arena::{
    Bootstrap, CheckLevel, Encounter, Interval, LuckAdjusted, Printed, Ratings, Results,
    default_resamples,
};

use crate::Done;
use crate::bounds::{seed, whole};
use crate::games::open;
use crate::json::write_json;
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
        let shown = RatingsOutput {
            results: &results,
            labels: &labels,
            ratings: &ratings,
            bootstrap: &bootstrap,
            adjusted: results.luck_adjusted(),
            groups: ratings.groups(),
            anchor,
        };
        if self.json {
            write_json(&shown.json(), out)?;
        } else {
            shown.text(self.los, out)?;
        }
        Ok(Done::All)
    }

    /// Reads the files.
    fn results(&self) -> anyhow::Result<Results> {
        let check_level = match self.luck {
            _ if self.trust => CheckLevel::Trusted,
            LuckOption::Auto => CheckLevel::LuckOfSearches,
            LuckOption::On => CheckLevel::Luck,
            LuckOption::Off => CheckLevel::Replayed,
        };
        let mut results = Results::new(check_level, self.jobs.count());
        results.skips_faults = self.faults == Faults::Skip;
        let mut read = HashSet::new();
        for path in &self.files {
            let (shown, input) = open(path)?;
            // Another name of the same file counts, too.
            let file = fs::canonicalize(path).unwrap_or_else(|_| path.into());
            ensure!(read.insert(file), "{shown} is named twice: expected each file once");
            let missing = results.add(input).with_context(|| shown.clone())?;
            warn_incomplete(&shown, missing)?;
        }
        Ok(results)
    }
}

/// Ratings to be shown.
struct RatingsOutput<'a> {
    results: &'a Results,
    /// The names that are shown for the players.
    labels: &'a [String],
    ratings: &'a Ratings,
    bootstrap: &'a Bootstrap,
    /// The ratings with the luck of the dice taken off, where it could be.
    adjusted: Option<LuckAdjusted>,
    /// The groups of players who have met, directly or through others.
    groups: Vec<Vec<usize>>,
    /// The player whose rating is 0.
    anchor: Option<usize>,
}

impl RatingsOutput<'_> {
    /// The player with which a group is compared: the one whose rating is 0, if it belongs to it.
    fn anchor_of(&self, group: &[usize]) -> Option<usize> {
        self.anchor.filter(|anchor| group.contains(anchor))
    }

    /// How likely it is that one player is stronger than the other.
    fn likely(&self, one: usize, other: usize) -> f64 {
        self.bootstrap.superiority(self.ratings, one, other)
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

    /// The players of a group, the strongest first.
    fn order(&self, group: &[usize]) -> Vec<usize> {
        let mut order = group.to_vec();
        order.sort_by(|&one, &other| self.ratings.elo(other).total_cmp(&self.ratings.elo(one)));
        order
    }

    /// The groups with more than one player, which can be rated.
    fn rated(&self) -> impl Iterator<Item = &Vec<usize>> {
        self.groups.iter().filter(|group| group.len() > 1)
    }

    fn text(&self, los: bool, out: &mut dyn Write) -> io::Result<()> {
        let groups = self.rated().count();
        for (group, number) in self.rated().zip(1..) {
            if number > 1 {
                writeln!(out)?;
            }
            if groups > 1 {
                writeln!(
                    out,
                    "Group {number} of {groups}, whose players have not played the others:\n"
                )?;
            }
            self.table(group, out)?;
            if los {
                self.superiority(group, out)?;
            }
        }
        self.notes(out)
    }

    fn table(&self, group: &[usize], out: &mut dyn Write) -> io::Result<()> {
        let anchor = self.anchor_of(group);
        let lucky = if self.adjusted.is_some() { " luck-adjusted | 95 % interval |" } else { "" };
        writeln!(out, "| | agent | Elo | 95 % interval | error | games | score |{lucky}")?;
        writeln!(out, "|{}", "---|".repeat(if self.adjusted.is_some() { 9 } else { 7 }))?;
        for (place, player) in self.order(group).into_iter().enumerate() {
            let Interval { low, high } =
                self.bootstrap.display_interval(self.ratings, player, anchor);
            let ((elo, error), (points, games)) =
                (self.ratings.above(player, anchor), self.score(player));
            let [elo, low, high] = [elo, low, high].map(Printed);
            write!(
                out,
                "| {} | {} | {elo:+.1} | {low:+.1} to {high:+.1} | {error:.1} | {} | {:.1} % |",
                place + 1,
                code(&self.labels[player]),
                HumanCount(games),
                100.0 * points / games.max(1) as f64
            )?;
            if let Some(adjusted) = &self.adjusted {
                let Interval { low, high } = adjusted.interval(player, anchor);
                let [elo, low, high] = [adjusted.above(player, anchor), low, high].map(Printed);
                write!(out, " {elo:+.1} | {low:+.1} to {high:+.1} |")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// Writes how likely the player of each row is stronger than that of each column.
    fn superiority(&self, group: &[usize], out: &mut dyn Write) -> io::Result<()> {
        let order = self.order(group);
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
        writeln!(out, "\nLikelihood of superiority of the row over the column, in per cent.")
    }

    fn notes(&self, out: &mut dyn Write) -> io::Result<()> {
        let groups = self.rated().count();
        let of_each = if groups > 1 { " of each group" } else { "" };
        let mean = format!("the mean{of_each} is 0");
        let zero = self.anchor.map_or(mean.clone(), |anchor| {
            let zero = format!("{} is 0", code(&self.labels[anchor]));
            if groups > 1 { format!("{zero}, and the mean of each other group") } else { zero }
        });
        writeln!(
            out,
            "\n{}: {} games; {zero}. Intervals from a bootstrap of the pairs, errors as if games were \
             independent.",
            self.results.game,
            HumanCount(self.results.games())
        )?;
        let lost = self.results.lost_by_fault;
        if lost > 0 {
            let skipped = if self.results.skips_faults { "are left out" } else { "count as lost" };
            writeln!(out, "{} games were lost by a fault and {skipped}.", HumanCount(lost))?;
        }
        if groups > 1 {
            let names = |group: &Vec<usize>| {
                let names: Vec<String> =
                    self.order(group).iter().map(|&player| code(&self.labels[player])).collect();
                names.join(", ")
            };
            let groups: Vec<String> = self.rated().map(names).collect();
            writeln!(
                out,
                "Ratings of different groups cannot be compared, because they never played each other: {}.",
                groups.join("; ")
            )?;
        }
        let alone = self.groups.iter().filter(|group| group.len() == 1);
        for &player in alone.flatten() {
            writeln!(out, "{} is not rated: it played nobody.", code(&self.labels[player]))?;
        }
        let draws = self.ratings.virtual_draws();
        if draws > 0 {
            writeln!(
                out,
                "Some agents won or lost everything against the others: {draws} virtual draws were added."
            )?;
        }
        Ok(())
    }

    /// All players, group by group; what cannot be said of a player is null.
    fn json(&self) -> Value {
        let all: Vec<usize> = self.groups.iter().flat_map(|group| self.order(group)).collect();
        let mut agents = vec![];
        for (group, number) in self.groups.iter().zip(1..) {
            let (anchor, rated) = (self.anchor_of(group), group.len() > 1);
            for (player, rank) in self.order(group).into_iter().zip(1..) {
                let ((elo, error), (points, games)) =
                    (self.ratings.above(player, anchor), self.score(player));
                let los =
                    |&other: &usize| group.contains(&other).then(|| self.likely(player, other));
                let adjusted = self.adjusted.as_ref().filter(|_| rated).map(|adjusted| {
                    let interval = adjusted.interval(player, anchor);
                    json!({ "elo": adjusted.above(player, anchor), "interval": interval })
                });
                agents.push(json!({
                    "group": number,
                    "rank": rank,
                    "agent": self.labels[player],
                    "spec": self.results.players[player].spec,
                    "elo": rated.then_some(elo),
                    "interval": rated.then(|| self.bootstrap.display_interval(self.ratings, player, anchor)),
                    "error": rated.then_some(error),
                    "luck_adjusted": adjusted,
                    "games": games,
                    "points": points,
                    "los": all.iter().map(los).collect::<Vec<_>>(),
                }));
            }
        }
        json!({
            "game": self.results.game,
            "anchor": self.anchor.map(|anchor| &self.labels[anchor]),
            "lost_by_fault": self.results.lost_by_fault,
            "skips_faults": self.results.skips_faults,
            "virtual_draws": self.ratings.virtual_draws(),
            "agents": agents,
        })
    }
}

/// A name as code in a Markdown table.
fn code(name: &str) -> String {
    let name = name.replace('|', "\\|");
    if name.contains('`') { format!("`` {name} ``") } else { format!("`{name}`") }
}
