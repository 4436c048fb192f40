//! `wurfel sprt`: a match that ends as soon as one of two hypotheses is clearly the likelier one.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use indicatif::HumanCount;
use serde_json::{Value, json};
use wurfel_agents::{Catalogued, Spec};
use wurfel_arena::{
    Adjusted, Control, LuckMeter, Match, MatchReport, NotStarted, Pentanomial, Printed,
    RatedPlayer, ReadPairs, Reading, Sprt, SprtVerdict, StoppingAdjusted, read_pairs,
};
use wurfel_core::Budget;

use crate::bounds::{Bounds, seed};
use crate::commands::matches::adjusted_json;
use crate::commands::sprt_options::Test;
use crate::commands::sprt_simulation::Simulate;
use crate::game_command::GameCommand;
use crate::json::write_json;
use crate::work::{Jobs, OutOptions, bar, tell_not_whole};
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

impl GameCommand for SprtCommand {
    fn game(&self) -> &str {
        &self.game
    }

    fn run_for<G: Catalogued>(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let sprt = self.test.sprt()?;
        if self.simulate.is_wanted() {
            return self.simulate.run(&self.test, self.seed, self.jobs, self.json, out);
        }
        if let Some(path) = &self.from {
            return self.test_stored(path, sprt, out);
        }
        let named = |agent: &Option<String>| agent.clone().context("expected two agents");
        let specs: [Spec; 2] = [named(&self.one)?.parse()?, named(&self.other)?.parse()?];
        let mut arranged = Match::<G>::new(specs, self.test.max_pairs, self.seed)?;
        arranged.budget = Budget { stop: Some(stop::on_ctrl_c()), ..self.bounds.budget() };
        arranged.luck = sprt.luck.then(LuckMeter::usual);
        arranged.sprt = Some(sprt);
        arranged.try_start()?;
        self.play(&arranged, sprt, out)
    }
}

impl SprtCommand {
    /// Plays a match until its test is decided.
    fn play<G: Catalogued>(
        &self,
        arranged: &Match<G>,
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
                    Printed(sprt.llr_of(progress.report)),
                    bounds.low,
                    bounds.high,
                    100.0 * progress.report.score.summary().win_rate
                ));
            })
        });
        bar.finish_and_clear();
        let (report, given_up) = given_up::kept(run)?;
        if report.score.games() == 0 {
            writeln!(io::stderr(), "stopped before a pair was played")?;
            return Ok(Done::Stopped);
        }
        let shown = SprtOutput {
            game: G::NAME,
            agents: arranged.entrants.each_ref().map(|entrant| entrant.spec.to_string()),
            seed: Some(self.seed),
            report: &report,
            sprt,
            max_pairs: self.test.max_pairs,
            time: started.elapsed(),
            given_up: given_up.as_ref(),
        };
        shown.write(self.json, out)?;
        if report.complete {
            return Ok(Done::All);
        }
        let goes_on = if self.files.is_wanted() { "; the same command resumes it" } else { "" };
        let (ended, done) = given_up::early_end(given_up.as_ref());
        writeln!(io::stderr(), "{ended} after {} pairs{goes_on}", report.score.games() / 2)?;
        Ok(done)
    }

    /// Tests the games of a file.
    fn test_stored(&self, path: &Path, sprt: Sprt, out: &mut dyn Write) -> anyhow::Result<Done> {
        let name = || format!("'{}'", path.display());
        let started = Instant::now();
        let file = File::open(path).with_context(name)?;
        let (max_pairs, mut report) = (self.test.max_pairs, MatchReport::default());
        let reading = match (self.trust, sprt.luck) {
            (true, _) => Reading::Trusted,
            (_, true) => Reading::Luck,
            _ => Reading::Replayed,
        };
        let read = read_pairs(file, reading, self.jobs.count(), |halves, luck| {
            report.add_pair(halves, luck);
            let played = report.score.games() / 2;
            played < max_pairs && sprt.verdict_of(&report) == SprtVerdict::Inconclusive
        })
        .with_context(name)?;
        tell_not_whole(&name(), read.not_whole)?;
        let ReadPairs { game, agents, .. } = read;
        if report.score.games() == 0 {
            bail!("{}: expected a mirrored pair of games, found none", name());
        }
        report.complete = true;
        let (time, report) = (started.elapsed(), &report);
        let (game, seed, given_up) = (&*game, None, None);
        let shown = SprtOutput { game, agents, seed, report, sprt, max_pairs, time, given_up };
        shown.write(self.json, out)?;
        Ok(Done::All)
    }
}

/// A finished test, to be shown.
struct SprtOutput<'a> {
    game: &'a str,
    agents: [String; 2],
    /// The seed of the games, if they were played for this test.
    seed: Option<u64>,
    report: &'a MatchReport,
    sprt: Sprt,
    max_pairs: u64,
    time: Duration,
    given_up: Option<&'a NotStarted>,
}

impl SprtOutput<'_> {
    fn write(&self, json: bool, out: &mut dyn Write) -> io::Result<()> {
        if json {
            write_json(&self.json(), out)?;
        } else {
            self.text(out)?;
        }
        out.flush()
    }

    /// The luck-adjusted win rate, if the test took luck off.
    fn adjusted(&self) -> Option<Adjusted> {
        self.report.luck.as_ref().and_then(Control::adjusted)
    }

    fn verdict(&self) -> SprtVerdict {
        self.sprt.verdict_of(self.report)
    }

    fn json(&self) -> Value {
        let Self { game, agents, seed, report, sprt, max_pairs, time, given_up } = self;
        let (score, summary) = (report.score, report.score.summary());
        let bounds = sprt.bounds();
        let normalised = Pentanomial::of(score.pairs).normalised_elo();
        let estimate = sprt.estimate(score.pairs, report.luck.as_ref());
        let mut told = json!({
            "game": game,
            "agents": agents,
            "seed": seed,
            "test": sprt,
            "verdict": self.verdict().to_string(),
            "llr": sprt.llr_of(report),
            "bounds": [bounds.low, bounds.high],
            "pairs": score.games() / 2,
            "max_pairs": max_pairs,
            "games": score.games(),
            "complete": report.complete,
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "pair_points": score.pairs,
            "win_rate": summary.win_rate,
            "interval": [summary.interval.low, summary.interval.high],
            "luck_adjusted": self.adjusted().map(adjusted_json),
            "raw_elo": summary.elo,
            "raw_elo_interval": [summary.elo_low, summary.elo_high],
            "stopping_adjusted_elo": estimate.elo,
            "stopping_adjusted_elo_interval": [estimate.low, estimate.high],
            "normalised_elo": normalised.0,
            "normalised_elo_interval": [normalised.1.low, normalised.1.high],
            "faults": report.faults,
            "seconds": time.as_secs_f64(),
        });
        figures::insert_reasons(&mut told, &report.reasons);
        let of = (report.lost_by_fault(), score.games());
        figures::insert_played(&mut told, of, report.played());
        given_up::insert(&mut told, *given_up);
        told
    }

    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { game, agents, seed, report, sprt, time, .. } = self;
        let [one, other] = agents.clone().map(|agent| RatedPlayer::from(agent).name);
        let (score, summary) = (report.score, report.score.summary());
        let elo = |elo: Option<f64>| elo.map_or("?".into(), |elo| format!("{:+.1}", Printed(elo)));
        let bounds = sprt.bounds();
        let Sprt { elo0, elo1, alpha, beta, model, .. } = sprt;
        let seed = seed.map_or("from a file".to_owned(), |seed| format!("seed {seed}"));
        given_up::text(self.given_up, out)?;
        writeln!(out, "{one} against {other}: {game}, {seed}")?;
        writeln!(out, "verdict          {}", self.verdict())?;
        writeln!(
            out,
            "test             H0: {elo0} Elo, H1: {elo1} Elo, {model}; errors {:.3} % and {:.3} %",
            100.0 * alpha,
            100.0 * beta
        )?;
        writeln!(
            out,
            "LLR              {:.2}, bounds {:.2} and {:.2}",
            Printed(sprt.llr_of(report)),
            bounds.low,
            bounds.high
        )?;
        let [none, half, even, most, both] = score.pairs;
        let pairs = score.games() / 2;
        writeln!(
            out,
            "pairs            {}; with points 0: {none}  ½: {half}  1: {even}  1½: {most}  2: {both}",
            HumanCount(pairs)
        )?;
        writeln!(
            out,
            "win rate         {:.2} %, 95 % interval {:.2} to {:.2}",
            100.0 * summary.win_rate,
            100.0 * summary.interval.low,
            100.0 * summary.interval.high
        )?;
        figures::write_played(report, out)?;
        if let Some(Adjusted { estimate, gain, .. }) = self.adjusted() {
            writeln!(
                out,
                "luck-adjusted    {:.2} %, 95 % interval {:.2} to {:.2}; with their luck about {} pairs",
                Printed(100.0 * estimate.mean),
                Printed(100.0 * estimate.interval.low),
                Printed(100.0 * estimate.interval.high),
                HumanCount((pairs as f64 * gain).round() as u64)
            )?;
        }
        writeln!(
            out,
            "raw Elo          {}, interval {} to {}, as if the number of pairs had been fixed",
            elo(summary.elo),
            elo(summary.elo_low),
            elo(summary.elo_high)
        )?;
        let estimate = sprt.estimate(score.pairs, report.luck.as_ref());
        if estimate == StoppingAdjusted::NONE {
            writeln!(out, "stopping-adjusted Elo none: pairs that all end alike show no spread")?;
        } else {
            writeln!(
                out,
                "stopping-adjusted Elo {}, interval {} to {}",
                elo(estimate.elo),
                elo(estimate.low),
                elo(estimate.high)
            )?;
        }
        for (n, agent) in [&one, &other].into_iter().enumerate() {
            let reason = report.reasons[n].first().map(String::as_str);
            if let Some(lost) = figures::faults(report.faults[n], reason) {
                writeln!(out, "{agent} lost {lost}")?;
            }
        }
        writeln!(out, "{:.2} s", time.as_secs_f64())
    }
}
