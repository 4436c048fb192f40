//! `wurfel sprt`: a match that ends as soon as one of two hypotheses is clearly the likelier one.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use indicatif::HumanCount;
use wurfel::{Game, Match, MatchSettings, Player, game};
use wurfel_agents::Spec;
use wurfel_arena::{
    AdjustedRate, AgentReport, CheckLevel, Decimal, MatchTally, RatedPlayer, ReadPairs, Sprt,
    SprtReport, SprtVerdict, read_pairs,
};
use wurfel_core::Budget;

use crate::bounds::{Bounds, seed};
use crate::commands::sprt_options::Test;
use crate::commands::sprt_simulation::Simulate;
use crate::json::write_json;
use crate::options::{Jobs, OutOptions, warn_incomplete};
use crate::progress::bar;
use crate::{Done, figures, given_up, stop};

/// Plays mirrored pairs until a sequential probability ratio test is decided
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel sprt expecti:depth=3 greedy --elo1 50\n  \
    wurfel sprt expecti:depth=2 expecti:depth=1 --elo1 30 --luck --out test.jsonl\n  \
    wurfel sprt --from games.jsonl --elo1 10 --luck\n  \
    wurfel sprt --simulate 10000 --elo1 40\n\n\
    H0 says that the first agent is --elo0 stronger than the second, H1 that it is --elo1\n\
    stronger. A test that Ctrl-C or --max-pairs ends before it is decided is inconclusive. With\n\
    --out the same command resumes it. --simulate says how often such a test errs.")]
pub struct SprtCommand {
    /// The agent that is tested (see `wurfel agents`)
    #[arg(required_unless_present_any = ["simulate", "from"], conflicts_with_all = ["simulate", "from"],
        value_name = "AGENT")]
    one: Option<String>,
    /// Its opponent
    #[arg(required_unless_present_any = ["simulate", "from"], conflicts_with_all = ["simulate", "from"],
        value_name = "OPPONENT")]
    other: Option<String>,
    #[command(flatten)]
    test: Test,
    #[command(flatten)]
    simulate: Simulate,
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    /// The seed for set-ups, dice and agents, or for simulated pairs
    #[arg(long, default_value_t = 1, value_parser = seed)]
    seed: u64,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    files: OutOptions,
    /// Play no games: test those of this file, which a match has written, in their order
    #[arg(long, conflicts_with_all = ["simulate", "out"])]
    from: Option<PathBuf>,
    /// With --from, believe the results of the games without playing them again
    #[arg(long, conflicts_with_all = ["one", "simulate", "luck"])]
    trust: bool,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl SprtCommand {
    /// Tests the agents, a file or simulated matches, and writes the report to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let game = game(&self.game)?;
        let sprt = self.test.sprt()?;
        if self.simulate.is_wanted() {
            return self.simulate.run(&self.test, self.seed, self.jobs, self.json, out);
        }
        if let Some(path) = &self.from {
            return self.test_stored(path, sprt, out);
        }
        let named = |agent: &Option<String>| agent.clone().context("expected two agents");
        let specs: [Spec; 2] = [named(&self.one)?.parse()?, named(&self.other)?.parse()?];
        let settings = MatchSettings {
            pairs: self.test.max_pairs,
            seed: self.seed,
            budget: Budget { stop: Some(stop::on_ctrl_c()), ..self.bounds.budget() },
            luck: sprt.luck,
            sprt: Some(sprt),
        };
        let mut arranged = game.entrants(&specs.map(Player::Spec))?.between([0, 1], settings);
        arranged.try_start()?;
        self.play(game, &*arranged, sprt, out)
    }

    /// Plays a match until its test is decided.
    fn play(
        &self,
        game: Game,
        arranged: &dyn Match,
        sprt: Sprt,
        out: &mut dyn Write,
    ) -> anyhow::Result<Done> {
        let files = self.files.open(&arranged.header())?;
        let (bar, bounds) = (bar(self.test.max_pairs, "pairs", self.json), sprt.bounds());
        let started = Instant::now();
        let run = stop::working(|| {
            arranged.run(self.jobs.count(), files, &mut |progress| {
                bar.set_position(progress.report.score.games() / 2);
                bar.set_message(format!(
                    "LLR {:.2} ({:.2} to {:.2}), {:.1} %",
                    Decimal(sprt.llr_of(progress.report)),
                    bounds.low,
                    bounds.high,
                    100.0 * progress.report.score.summary().win_rate
                ));
            })
        });
        bar.finish_and_clear();
        let (tally, given_up) = given_up::split(run)?;
        if tally.score.games() == 0 {
            writeln!(io::stderr(), "stopped before a pair was played")?;
            return Ok(Done::Stopped);
        }
        let (of, agents) = ((sprt, self.test.max_pairs), arranged.agent_reports(&tally));
        let game = (game.name(), Some(self.seed));
        let mut report = SprtReport::new(of, game, agents, &tally, started.elapsed());
        report.given_up = given_up.as_ref().map(ToString::to_string);
        self.show(&report, out)?;
        if report.complete {
            return Ok(Done::All);
        }
        let goes_on = if self.files.is_wanted() { "; the same command resumes it" } else { "" };
        let (ended, done) = given_up::early_end(given_up.as_ref());
        writeln!(io::stderr(), "{ended} after {} pairs{goes_on}", report.score.pairs)?;
        Ok(done)
    }

    /// Tests the games of a file.
    fn test_stored(&self, path: &Path, sprt: Sprt, out: &mut dyn Write) -> anyhow::Result<Done> {
        let name = || format!("'{}'", path.display());
        let started = Instant::now();
        let file = File::open(path).with_context(name)?;
        let (max_pairs, mut tally) = (self.test.max_pairs, MatchTally::default());
        let check_level = match (self.trust, sprt.luck) {
            (true, _) => CheckLevel::Trusted,
            (_, true) => CheckLevel::Luck,
            _ => CheckLevel::Replayed,
        };
        let read = read_pairs(file, check_level, self.jobs.count(), |halves, luck| {
            tally.add_pair(halves, luck);
            let played = tally.score.games() / 2;
            played < max_pairs && sprt.verdict_of(&tally) == SprtVerdict::Inconclusive
        })
        .with_context(name)?;
        warn_incomplete(&name(), read.missing)?;
        let ReadPairs { game, agents, .. } = read;
        if tally.score.games() == 0 {
            bail!("{}: expected a mirrored pair of games, found none", name());
        }
        tally.complete = true;
        let agent = |number: usize| {
            let name = RatedPlayer::from(agents[number].clone()).name;
            AgentReport::new(&tally.agent(number), &agents[number], &name)
        };
        let (of, agents) = ((sprt, max_pairs), [agent(0), agent(1)]);
        let report = SprtReport::new(of, (&game, None), agents, &tally, started.elapsed());
        self.show(&report, out)?;
        Ok(Done::All)
    }

    fn show(&self, report: &SprtReport, out: &mut dyn Write) -> io::Result<()> {
        if self.json {
            write_json(report, out)?;
        } else {
            write_text(report, out)?;
        }
        out.flush()
    }
}

/// Writes the report of a test as text for people to read.
fn write_text(report: &SprtReport, out: &mut dyn Write) -> io::Result<()> {
    let SprtReport { game, agents, score, .. } = report;
    let [one, other] = agents.each_ref().map(|agent| &agent.name);
    let elo = |elo: Option<f64>| elo.map_or("?".into(), |elo| format!("{:+.1}", Decimal(elo)));
    let Sprt { elo0, elo1, alpha, beta, model, .. } = report.test;
    let seed = report.seed.map_or("from a file".to_owned(), |seed| format!("seed {seed}"));
    given_up::text(report.given_up.as_ref(), out)?;
    writeln!(out, "{one} against {other}: {game}, {seed}")?;
    writeln!(out, "verdict          {}", report.verdict)?;
    writeln!(
        out,
        "test             H0: {elo0} Elo, H1: {elo1} Elo, {model}; errors {:.3} % and {:.3} %",
        100.0 * alpha,
        100.0 * beta
    )?;
    let [low, high] = report.bounds;
    writeln!(out, "LLR              {:.2}, bounds {low:.2} and {high:.2}", Decimal(report.llr))?;
    let [none, half, even, most, both] = score.pair_points;
    writeln!(
        out,
        "pairs            {}; with points 0: {none}  ½: {half}  1: {even}  1½: {most}  2: {both}",
        HumanCount(score.pairs)
    )?;
    figures::write_rates(score, out)?;
    if let Some(AdjustedRate { gain, .. }) = score.luck_adjusted {
        let pairs = HumanCount((score.pairs as f64 * gain).round() as u64);
        writeln!(out, "luck removed     as precise as about {pairs} pairs with luck")?;
    }
    let [low, high] = score.elo_interval;
    writeln!(
        out,
        "Elo              {}, interval {} to {}, as if the number of pairs had been fixed",
        elo(score.elo),
        elo(low),
        elo(high)
    )?;
    let [low, high] = report.stopping_adjusted_elo_interval;
    if [report.stopping_adjusted_elo, low, high] == [None; 3] {
        writeln!(out, "stopping-adjusted Elo none: pairs that all end alike show no spread")?;
    } else {
        writeln!(
            out,
            "stopping-adjusted Elo {}, interval {} to {}",
            elo(report.stopping_adjusted_elo),
            elo(low),
            elo(high)
        )?;
    }
    for agent in agents {
        let reason = agent.reasons.first().map(String::as_str);
        if let Some(lost) = figures::faults(agent.faults, reason) {
            writeln!(out, "{} lost {lost}", agent.name)?;
        }
    }
    writeln!(out, "{:.2} s", report.seconds)
}
