//! The answer of `wurfel ratings`: one report for its text and for `--json`.

use std::io::{self, Write};

use indicatif::HumanCount;
use serde::Serialize;
use wurfel_arena::{Bootstrap, Decimal, Encounter, Interval, Ratings, Results};

/// The ratings of all players.
#[derive(Serialize)]
pub(super) struct RatingsReport {
    game: String,
    /// The player whose rating is 0.
    anchor: Option<String>,
    /// The number of games that were lost by a fault.
    lost_by_fault: u64,
    /// Whether these games are left out.
    skips_faults: bool,
    /// The number of draws that were added so that every player has a rating.
    virtual_draws: u64,
    /// The players, group by group, the strongest of a group first.
    agents: Vec<RatedAgent>,
    /// The number of games that are counted.
    #[serde(skip)]
    games: u64,
}

/// A player. One who met nobody has no rating.
#[derive(Serialize)]
struct RatedAgent {
    /// The number of its group, from 1. The players of a group have met, directly or through others.
    group: usize,
    /// Its place in the group, from 1.
    rank: usize,
    agent: String,
    spec: String,
    elo: Option<f64>,
    interval: Option<Interval>,
    /// The standard error of the rating, as if games were independent.
    error: Option<f64>,
    luck_adjusted: Option<AdjustedRating>,
    /// The games against others, and the points won in them.
    games: u64,
    points: f64,
    /// How likely the player is stronger than each player of `agents`; null for those of other groups.
    los: Vec<Option<f64>>,
}

/// A rating with the luck of the dice taken off.
#[derive(Serialize)]
struct AdjustedRating {
    elo: f64,
    interval: Interval,
}

impl RatingsReport {
    /// The report on all players; the rating of `anchor` is 0 in its group.
    pub fn new(
        results: &Results,
        anchor: Option<usize>,
        ratings: &Ratings,
        bootstrap: &Bootstrap,
    ) -> Self {
        let (labels, adjusted) = (results.labels(), results.luck_adjusted());
        let mut groups = ratings.groups();
        for group in &mut groups {
            group.sort_by(|&one, &other| ratings.elo(other).total_cmp(&ratings.elo(one)));
        }
        let all = groups.concat();
        let mut agents = vec![];
        for (group, number) in groups.iter().zip(1..) {
            let anchor = anchor.filter(|anchor| group.contains(anchor));
            let is_rated = group.len() > 1;
            for (&player, rank) in group.iter().zip(1..) {
                let ((elo, error), (points, games)) =
                    (ratings.above(player, anchor), score(results, player));
                let adjusted =
                    adjusted.as_ref().filter(|_| is_rated).map(|adjusted| AdjustedRating {
                        elo: adjusted.above(player, anchor),
                        interval: adjusted.interval(player, anchor),
                    });
                let los = |other: &usize| {
                    let is_known = group.contains(other);
                    is_known.then(|| bootstrap.superiority(ratings, player, *other))
                };
                agents.push(RatedAgent {
                    group: number,
                    rank,
                    agent: labels[player].clone(),
                    spec: results.players[player].spec.clone(),
                    elo: is_rated.then_some(elo),
                    interval: is_rated.then(|| bootstrap.display_interval(ratings, player, anchor)),
                    error: is_rated.then_some(error),
                    luck_adjusted: adjusted,
                    games,
                    points,
                    los: all.iter().map(los).collect(),
                });
            }
        }
        Self {
            game: results.game.clone(),
            anchor: anchor.map(|anchor| labels[anchor].clone()),
            lost_by_fault: results.lost_by_fault,
            skips_faults: results.skips_faults,
            virtual_draws: ratings.virtual_draws(),
            agents,
            games: results.games(),
        }
    }

    /// Writes a table for each group, with the likelihoods of superiority if `los` is set, and notes.
    pub fn text(&self, los: bool, out: &mut dyn Write) -> io::Result<()> {
        let groups = self.agents.chunk_by(|one, other| one.group == other.group);
        let (rated, alone): (Vec<_>, Vec<_>) = groups.partition(|group| group.len() > 1);
        for (group, number) in rated.iter().zip(1..) {
            if number > 1 {
                writeln!(out)?;
            }
            if rated.len() > 1 {
                writeln!(
                    out,
                    "Group {number} of {}, whose players have not played the others:\n",
                    rated.len()
                )?;
            }
            table(group, out)?;
            if los {
                self.superiority(group, out)?;
            }
        }
        self.notes(&rated, &alone, out)
    }

    /// Writes how likely the player of each row is stronger than that of each column.
    fn superiority(&self, group: &[RatedAgent], out: &mut dyn Write) -> io::Result<()> {
        let heads: Vec<String> = group.iter().map(|player| player.rank.to_string()).collect();
        writeln!(out, "\n| | agent | {} |", heads.join(" | "))?;
        writeln!(out, "|{}", "---|".repeat(group.len() + 2))?;
        for RatedAgent { rank, agent, los, .. } in group {
            let columns = self.agents.iter().zip(los).filter_map(|(other, los)| {
                let percent = format!("{:.1}", 100.0 * (*los)?);
                Some(if other.rank == *rank { "–".to_owned() } else { percent })
            });
            let cells = columns.collect::<Vec<_>>().join(" | ");
            writeln!(out, "| {rank} | {} | {cells} |", code(agent))?;
        }
        writeln!(out, "\nLikelihood of superiority of the row over the column, in per cent.")
    }

    fn notes(
        &self,
        rated: &[&[RatedAgent]],
        alone: &[&[RatedAgent]],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let Self { game, games, lost_by_fault: lost, virtual_draws: draws, .. } = self;
        let several = rated.len() > 1;
        let zero = match &self.anchor {
            Some(anchor) if several => {
                format!("{} is 0, and the mean of each other group", code(anchor))
            }
            Some(anchor) => format!("{} is 0", code(anchor)),
            None if several => "the mean of each group is 0".to_owned(),
            None => "the mean is 0".to_owned(),
        };
        writeln!(
            out,
            "\n{game}: {} games; {zero}. Intervals from a bootstrap of the pairs, errors as if games were \
             independent.",
            HumanCount(*games)
        )?;
        if *lost > 0 {
            let skipped = if self.skips_faults { "are left out" } else { "count as lost" };
            writeln!(out, "{} games were lost by a fault and {skipped}.", HumanCount(*lost))?;
        }
        if several {
            let names = |group: &&[RatedAgent]| {
                let names: Vec<String> = group.iter().map(|player| code(&player.agent)).collect();
                names.join(", ")
            };
            let groups: Vec<String> = rated.iter().map(names).collect();
            writeln!(
                out,
                "Ratings of different groups cannot be compared, because they never played each other: {}.",
                groups.join("; ")
            )?;
        }
        for player in alone.iter().copied().flatten() {
            writeln!(out, "{} is not rated: it played nobody.", code(&player.agent))?;
        }
        if *draws > 0 {
            writeln!(
                out,
                "Some agents won or lost everything against the others: {draws} virtual draws were added."
            )?;
        }
        Ok(())
    }
}

/// The points that a player won against others, and the games against them.
fn score(results: &Results, player: usize) -> (f64, u64) {
    let own = |encounter: &&Encounter| {
        let [one, other] = encounter.players;
        one != other && encounter.players.contains(&player)
    };
    results.encounters.iter().filter(own).fold((0.0, 0), |(points, games), encounter| {
        let place = usize::from(encounter.players[1] == player);
        (points + encounter.points()[place], games + encounter.games())
    })
}

/// Writes the ratings of a group.
fn table(group: &[RatedAgent], out: &mut dyn Write) -> io::Result<()> {
    let is_adjusted = group.iter().any(|player| player.luck_adjusted.is_some());
    let (lucky, columns) =
        if is_adjusted { (" luck-adjusted | 95 % interval |", 9) } else { ("", 7) };
    writeln!(out, "| | agent | Elo | 95 % interval | error | games | score |{lucky}")?;
    writeln!(out, "|{}", "---|".repeat(columns))?;
    for player in group {
        let RatedAgent { rank, agent, elo, interval, error, games, points, .. } = player;
        let ((Some(elo), Some(interval)), Some(error)) = ((elo, interval), error) else { continue };
        let rating = |elo: f64, Interval { low, high }: Interval| {
            let [elo, low, high] = [elo, low, high].map(Decimal);
            format!("{elo:+.1} | {low:+.1} to {high:+.1} |")
        };
        write!(
            out,
            "| {rank} | {} | {} {error:.1} | {} | {:.1} % |",
            code(agent),
            rating(*elo, *interval),
            HumanCount(*games),
            100.0 * points / (*games).max(1) as f64
        )?;
        if let Some(AdjustedRating { elo, interval }) = &player.luck_adjusted {
            write!(out, " {}", rating(*elo, *interval))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A name as code in a Markdown table.
fn code(name: &str) -> String {
    let name = name.replace('|', "\\|");
    if name.contains('`') { format!("`` {name} ``") } else { format!("`{name}`") }
}
