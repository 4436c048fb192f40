//! `wurfel tournament`: every agent against every other one, or the tournament of a file.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{bail, ensure};
use clap::{Args, ValueEnum};
use serde_json::json;
use wurfel::{default_game, game};
use wurfel_agents::Spec;
use wurfel_arena::{
    AdjustedRate, GamesWon, Interval, Pairing, PlayedGames, PlayedPairings, PlayedRate, Printed,
    Searches, SetUps, Tournament, Wins, adjusted_standing, fault_warning, games_won, standing,
};
use wurfel_core::Budget;

use crate::bounds::{Bounds, seed, whole};
use crate::commands::cup::CupCommand;
use crate::json::write_json;
use crate::work::{Arrange, Jobs, LuckOption, bar};
use crate::{Done, figures, given_up, stop};

/// The number of pairs of games in each pairing when none is given.
const PAIRS: u64 = 100;

/// Plays every agent against every other one and ranks them, or plays the tournament of a file
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  wurfel tournament champion star2 uct greedy --time 5ms --pairs 100\n  \
    wurfel tournament examples/tournaments/swiss.toml --out swiss.jsonl\n\n\
    Each pairing has set-ups and dice of its own. With --out, each pairing is written as soon as\n\
    it is over, and the same command resumes a tournament that was stopped.\n\n\
    A file describes round robins, gauntlets, Swiss tournaments, knockouts, and the formats of\n\
    TCGA and CCGC (docs/tournaments.md). Every game is written to the file --out, by default\n\
    NAME.jsonl beside NAME.toml, and `wurfel standings` shows it in other forms."
)]
pub struct TournamentCommand {
    /// The agents (see `wurfel agents`), or one TOML file that describes the tournament
    #[arg(required = true, value_name = "AGENTS|FILE.toml")]
    agents: Vec<OsString>,
    /// The game, einstein by default (see `wurfel games`)
    #[arg(long)]
    game: Option<String>,
    /// Number of pairs of games in each pairing, 100 by default
    #[arg(long, value_parser = whole::<u64>(1..=1 << 40))]
    pairs: Option<u64>,
    /// The seed for set-ups, dice and agents, 1 by default
    #[arg(long, value_parser = seed)]
    seed: Option<u64>,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    jobs: Jobs,
    /// Where set-ups come from, in games whose sides arrange their pieces; random by default
    #[arg(long, value_enum)]
    setups: Option<Arrange>,
    /// Measure the luck of the games, and show the win rates without it beside the others; auto by
    /// default
    #[arg(long, value_enum)]
    luck: Option<LuckOption>,
    /// What the table shows: win rates with their intervals, or games won with sums and ranks; rates
    /// by default
    #[arg(long, value_enum)]
    show: Option<Show>,
    /// Write the results to this file, a line of JSON for each pairing, or for each game of a
    /// tournament from a file
    #[arg(long)]
    out: Option<PathBuf>,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl TournamentCommand {
    /// Plays the tournament of a file, or that of the agents on the command line.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let is_file =
            |text: &OsString| Path::new(text).extension().is_some_and(|end| end == "toml");
        if !self.agents.iter().any(is_file) {
            let count = self.agents.len();
            ensure!(count > 1, "expected two agents or more, or one file NAME.toml, found {count}");
            return self.round_robin(out);
        }
        let [file] = self.agents.as_slice() else {
            bail!("expected one file NAME.toml and no agents beside it");
        };
        let given = [
            ("--game", self.game.is_some()),
            ("--pairs", self.pairs.is_some()),
            ("--seed", self.seed.is_some()),
            ("--depth, --nodes or --time", !self.bounds.budget().is_open()),
            ("--setups", self.setups.is_some()),
            ("--luck", self.luck.is_some()),
            ("--show", self.show.is_some()),
        ];
        if let Some((option, _)) = given.iter().find(|(_, given)| *given) {
            bail!(
                "{option}: expected no such option beside '{}', which describes the tournament",
                file.display()
            );
        }
        CupCommand::read(Path::new(file), self.out, self.jobs, self.json)?.run(out)
    }
}

/// What the table of a tournament shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Show {
    #[default]
    Rates,
    Games,
}

impl TournamentCommand {
    /// Plays the tournament of the agents on the command line.
    fn round_robin(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let game = self.game.as_deref().map_or_else(|| Ok(default_game()), game)?;
        let specs: Vec<Spec> = self
            .agents
            .iter()
            .map(|text| text.to_string_lossy().parse())
            .collect::<Result<_, _>>()?;
        for (n, spec) in specs.iter().enumerate() {
            let name = spec.label();
            ensure!(
                specs[..n].iter().all(|known| known.label() != name),
                "agent '{name}' is named twice"
            );
        }
        let budget = Budget { stop: Some(stop::on_ctrl_c()), ..self.bounds.budget() };
        let luck = self.luck.unwrap_or(LuckOption::Auto).is_measured(specs.iter());
        let (pairs, seed) = (self.pairs.unwrap_or(PAIRS), self.seed.unwrap_or(1));
        let setups = self.setups.unwrap_or(Arrange::Random).into();
        let tournament = Tournament { specs, pairs, seed, budget, setups, luck };
        let jobs = self.jobs.count();
        let bar = bar(pairs, "pairs", self.json);
        if setups == SetUps::Chosen {
            bar.set_message("choosing set-ups");
        }
        let started = Instant::now();
        let run = stop::working(|| {
            game.tournament(
                &tournament,
                jobs,
                self.out.as_deref(),
                &mut |[one, other], progress| {
                    bar.set_position(progress.report.score.games() / 2);
                    bar.set_message(format!(
                        "{} against {}",
                        tournament.specs[one], tournament.specs[other]
                    ));
                },
            )
        })?;
        bar.finish_and_clear();
        let PlayedPairings { pairings: played, given_up } = run;
        let shown = TournamentOutput { tournament: &tournament, played: &played };
        if self.json {
            let mut told = shown.json();
            given_up::insert(&mut told, given_up.as_ref());
            write_json(&told, out)?;
        } else {
            given_up::text(given_up.as_ref(), out)?;
            match self.show.unwrap_or_default() {
                Show::Rates => shown.rates(out)?,
                Show::Games => shown.games(out)?,
            }
            shown.notes(out)?;
            writeln!(out, "\n{:.0} s", started.elapsed().as_secs_f64())?;
        }
        out.flush()?;
        if played.len() == tournament.pairings().len() {
            return Ok(Done::All);
        }
        let (count, all) = (played.len(), tournament.pairings().len());
        let goes_on = self.out.as_ref().map_or("", |_| "; the same command resumes it");
        let (ended, done) = given_up::early_end(given_up.as_ref());
        writeln!(io::stderr(), "{ended} after {count} of {all} pairings{goes_on}")?;
        Ok(done)
    }
}

/// A rate and half the width of its interval, in per cent.
fn cell(rate: f64, interval: Interval) -> String {
    let half = 50.0 * (interval.high - interval.low);
    format!("{:.1} ±{:.1}", Printed(100.0 * rate), Printed(half))
}

/// A finished tournament, to be shown.
struct TournamentOutput<'a> {
    tournament: &'a Tournament<'a>,
    played: &'a [Pairing],
}

impl TournamentOutput<'_> {
    /// What an agent is called.
    fn name(&self, agent: usize) -> String {
        self.tournament.specs[agent].label()
    }

    /// The indices of the agents, best first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.tournament.specs.len()).collect();
        let rate = |&agent: &usize| standing(agent, self.played).0;
        order.sort_by(|one, other| rate(other).total_cmp(&rate(one)));
        order
    }

    /// The win rate of an agent against another and half the width of its interval,
    /// in per cent.
    fn cell(&self, agent: usize, other: usize) -> String {
        let both = |pairing: &&Pairing| {
            pairing.agents == [agent, other] || pairing.agents == [other, agent]
        };
        match self.played.iter().find(both).and_then(|pairing| pairing.rate(agent)) {
            Some((rate, half)) => format!("{:.1} ±{:.1}", 100.0 * rate, 100.0 * half),
            None => "–".into(),
        }
    }

    /// A Markdown table: games that the row's agent won against the column's, their sum, and the
    /// rank.
    fn games(&self, out: &mut dyn Write) -> io::Result<()> {
        let won = games_won(self.tournament.specs.len(), self.played);
        let mut order: Vec<usize> = (0..won.len()).collect();
        order.sort_by_key(|&agent| won[agent].rank);
        let heads: Vec<String> = (1..=order.len()).map(|place| place.to_string()).collect();
        writeln!(out, "| | agent | {} | sum | rank |", heads.join(" | "))?;
        writeln!(out, "|{}", "---|".repeat(order.len() + 4))?;
        for (place, &agent) in order.iter().enumerate() {
            let GamesWon { against, sum, rank } = &won[agent];
            let cell = |&other: &usize| against[other].map_or("–".into(), |won| won.to_string());
            let cells: Vec<String> = order.iter().map(cell).collect();
            let spec = self.name(agent);
            let (place, cells) = (place + 1, cells.join(" | "));
            writeln!(out, "| {place} | `{spec}` | {cells} | {sum} | {rank} |")?;
        }
        let Tournament { pairs, seed, .. } = self.tournament;
        writeln!(
            out,
            "\nGames that the row won against the column; {pairs} mirrored pairs each, seed {seed}."
        )
    }

    /// Writes the facts about the agents beyond their scores.
    fn notes(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.tournament.setups == SetUps::Chosen {
            writeln!(out, "The agents chose their set-ups.")?;
        }
        let faults: u64 = self.played.iter().flat_map(|pairing| pairing.faults).flatten().sum();
        writeln!(out, "Games lost by crash, illegal move or time: {faults}.\n")?;
        for agent in self.order() {
            let (faults, reason) = self.faults(agent);
            if let Some(lost) = figures::faults(faults.into(), reason) {
                writeln!(out, "* `{}` lost {lost}", self.name(agent))?;
            }
        }
        for pairing in self.played {
            let [one, other] = pairing.agents.map(|agent| self.name(agent));
            let lost = pairing.lost_by_fault();
            if let Some(warning) = fault_warning(lost, pairing.score.games()) {
                let rate = pairing.played.as_ref().and_then(PlayedGames::rate);
                let others = rate.map_or(String::new(), |PlayedRate { games, rate, .. }| {
                    format!("; in the other {games} it is {:.1} %", 100.0 * rate)
                });
                writeln!(out, "* warning: `{one}` against `{other}`: {warning}{others}")?;
            }
        }
        for agent in self.order() {
            let (wins, searches) = self.known(agent);
            writeln!(out, "* `{}` {}", self.name(agent), figures::words(&wins, &searches))?;
        }
        Ok(())
    }

    /// The games that an agent lost by a crash, an illegal move, and time, over all its pairings, and
    /// why it lost the first of them.
    fn faults(&self, agent: usize) -> ([u64; 3], Option<&str>) {
        let (mut counts, mut first) = ([0; 3], None);
        for (faults, reasons) in self.played.iter().filter_map(|pairing| pairing.faults_of(agent)) {
            for (count, more) in counts.iter_mut().zip(faults) {
                *count += more;
            }
            first = first.or(reasons.first().map(String::as_str));
        }
        (counts, first)
    }

    /// The turns to win of an agent and the statistics of its searches, over all its pairings.
    fn known(&self, agent: usize) -> (Wins, Searches) {
        let (mut wins, mut searches) = (Wins::default(), Searches::default());
        for (own, told) in self.played.iter().filter_map(|pairing| pairing.of(agent)) {
            wins.merge(own);
            searches.merge(told);
        }
        (wins, searches)
    }

    /// A Markdown table: win rates of the row's agent against the column's in per cent, and the
    /// mean over all columns.
    fn rates(&self, out: &mut dyn Write) -> io::Result<()> {
        let order = self.order();
        let heads: Vec<String> = (1..=order.len()).map(|place| place.to_string()).collect();
        let adjusted = |agent: usize| match adjusted_standing(agent, self.played) {
            Some((rate, interval)) => cell(rate, interval),
            None => "–".into(),
        };
        writeln!(out, "| | agent | all | luck-adjusted | {} | ms |", heads.join(" | "))?;
        writeln!(out, "|{}", "---|".repeat(order.len() + 5))?;
        for (place, &agent) in order.iter().enumerate() {
            let (rate, interval) = standing(agent, self.played);
            let cells: Vec<String> = order.iter().map(|&other| self.cell(agent, other)).collect();
            writeln!(
                out,
                "| {} | `{}` | {} | {} | {} | {:.2} |",
                place + 1,
                self.name(agent),
                cell(rate, interval),
                adjusted(agent),
                cells.join(" | "),
                Printed(self.mean_ms(agent))
            )?;
        }
        let Tournament { pairs, seed, .. } = self.tournament;
        writeln!(
            out,
            "\nWin rate of the row against the column in per cent, ± half of the 95 % interval; \
             {pairs} mirrored pairs each, seed {seed}; ms: mean time for a move."
        )
    }

    /// The mean time of an agent for a move over its pairings.
    fn mean_ms(&self, agent: usize) -> f64 {
        let times: Vec<f64> =
            self.played.iter().filter_map(|pairing| pairing.mean_ms(agent)).collect();
        times.iter().sum::<f64>() / times.len().max(1) as f64
    }

    fn json(&self) -> serde_json::Value {
        let won = games_won(self.tournament.specs.len(), self.played);
        let agent = |agent: usize| {
            let (rate, interval) = standing(agent, self.played);
            let (wins, searches) = self.known(agent);
            let mut entry = json!({
                "agent": self.tournament.specs[agent].to_string(),
                "win_rate": rate,
                "interval": interval,
                "luck_adjusted": adjusted_standing(agent, self.played)
                    .map(|(rate, interval)| json!({"win_rate": rate, "interval": interval})),
                "won": won[agent].sum,
                "rank": won[agent].rank,
            });
            figures::insert(&mut entry, &wins, &searches);
            entry
        };
        let names =
            |pairing: &Pairing| pairing.agents.map(|n| self.tournament.specs[n].to_string());
        let pairing = |pairing: &Pairing| {
            let mut entry = json!({
                "agents": names(pairing),
                "score": pairing.score,
                "summary": pairing.score.summary(),
                "luck_adjusted": pairing.adjusted.map(AdjustedRate::from),
                "mean_ms": pairing.mean_ms,
                "faults": pairing.faults,
            });
            figures::insert_reasons(&mut entry, &pairing.reasons);
            let of = (pairing.lost_by_fault(), pairing.score.games());
            figures::insert_played(&mut entry, of, pairing.played.as_ref());
            entry
        };
        json!({
            "pairs": self.tournament.pairs,
            "seed": self.tournament.seed,
            "setups": self.tournament.setups,
            "agents": self.order().into_iter().map(agent).collect::<Vec<_>>(),
            "pairings": self.played.iter().map(pairing).collect::<Vec<_>>(),
        })
    }
}
