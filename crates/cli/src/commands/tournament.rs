//! `wurfel tournament`: every agent against every other one, or the tournament of a file.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{bail, ensure};
use clap::{Args, ValueEnum};
use wurfel::{default_game, game};
use wurfel_agents::Spec;
use wurfel_arena::{
    Decimal, GamesWon, MeanRate, Pairing, PlayedPairings, PlayedReport, SetUps, StandingReport,
    Tournament, TournamentReport, TournamentTerms, games_won,
};
use wurfel_core::Budget;

use crate::bounds::{Bounds, seed, whole};
use crate::commands::cup::CupCommand;
use crate::json::write_json;
use crate::options::{Arrange, Jobs, LuckOption};
use crate::progress::bar;
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
    /// The game (see `wurfel games`) [default: einstein]
    #[arg(long)]
    game: Option<String>,
    /// Number of pairs of games in each pairing [default: 100]
    #[arg(long, value_parser = whole::<u64>(1..=1 << 40))]
    pairs: Option<u64>,
    /// The seed for set-ups, dice and agents [default: 1]
    #[arg(long, value_parser = seed)]
    seed: Option<u64>,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    jobs: Jobs,
    /// Where set-ups come from, in games whose sides arrange their pieces [default: random]
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
        let names = |spec: &Spec| (spec.to_string(), spec.label());
        let agents: Vec<_> = tournament.specs.iter().map(names).collect();
        let facts = game.facts();
        let of = (facts.name, facts.sides);
        let terms = TournamentTerms { game: of, agents: &agents, pairs, seed, setups };
        let mut report = TournamentReport::new(terms, &played);
        report.given_up = given_up.as_ref().map(ToString::to_string);
        if self.json {
            write_json(&report, out)?;
        } else {
            let shown =
                TournamentOutput { tournament: &tournament, played: &played, report: &report };
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
fn cell(rate: f64, [low, high]: [f64; 2]) -> String {
    let half = 50.0 * (high - low);
    format!("{:.1} ±{:.1}", Decimal(100.0 * rate), Decimal(half))
}

/// A finished tournament, to be shown.
struct TournamentOutput<'a> {
    tournament: &'a Tournament<'a>,
    played: &'a [Pairing],
    report: &'a TournamentReport,
}

impl TournamentOutput<'_> {
    fn name(&self, agent: usize) -> String {
        self.tournament.specs[agent].label()
    }

    /// The indices of the agents, in the order of the standings. No two agents have the same name.
    fn order(&self) -> Vec<usize> {
        let specs = &self.tournament.specs;
        let place = |name: &String| specs.iter().position(|spec| spec.label() == *name);
        self.report.standings.iter().filter_map(|standing| place(&standing.agent.name)).collect()
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

    /// Writes the facts about the agents besides their scores.
    fn notes(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.tournament.setups == SetUps::Chosen {
            writeln!(out, "The agents chose their set-ups.")?;
        }
        let faults: u64 = self.report.matches.iter().map(|played| played.score.lost_by_fault).sum();
        writeln!(out, "Games lost by crash, illegal move or time: {faults}.\n")?;
        let agents = || self.report.standings.iter().map(|standing| &standing.agent);
        for agent in agents() {
            let reason = agent.reasons.first().map(String::as_str);
            if let Some(lost) = figures::faults(agent.faults, reason) {
                writeln!(out, "* `{}` lost {lost}", agent.name)?;
            }
        }
        for played in &self.report.matches {
            let [one, other] = played.agents.each_ref().map(|agent| &agent.name);
            if let Some(warning) = &played.score.warning {
                let others = played.score.played.map_or(String::new(), |played| {
                    let PlayedReport { games, win_rate, .. } = played;
                    format!("; in the other {games} it is {:.1} %", 100.0 * win_rate)
                });
                writeln!(out, "* warning: `{one}` against `{other}`: {warning}{others}")?;
            }
        }
        for agent in agents() {
            writeln!(out, "* `{}` {}", agent.name, figures::agent_words(agent))?;
        }
        Ok(())
    }

    /// A Markdown table: win rates of the row's agent against the column's in per cent, and the
    /// mean over all columns.
    fn rates(&self, out: &mut dyn Write) -> io::Result<()> {
        let order = self.order();
        let heads: Vec<String> = (1..=order.len()).map(|place| place.to_string()).collect();
        writeln!(out, "| | agent | all | luck-adjusted | {} | ms |", heads.join(" | "))?;
        writeln!(out, "|{}", "---|".repeat(order.len() + 5))?;
        for ((place, &number), standing) in (1..).zip(&order).zip(&self.report.standings) {
            let StandingReport { agent, win_rate, interval, luck_adjusted, .. } = standing;
            let cells: Vec<String> = order.iter().map(|&other| self.cell(number, other)).collect();
            let adjusted =
                luck_adjusted.map(|MeanRate { win_rate, interval }| cell(win_rate, interval));
            writeln!(
                out,
                "| {place} | `{}` | {} | {} | {} | {:.2} |",
                agent.name,
                cell(*win_rate, *interval),
                adjusted.unwrap_or_else(|| "–".to_owned()),
                cells.join(" | "),
                Decimal(1000.0 * agent.mean_seconds.unwrap_or_default())
            )?;
        }
        let Tournament { pairs, seed, .. } = self.tournament;
        writeln!(
            out,
            "\nWin rate of the row against the column in per cent, ± half of the 95 % interval; \
             {pairs} mirrored pairs each, seed {seed}; ms: mean time for a move."
        )
    }
}
