//! `wurfel match`: many games between two agents, and their statistics.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::HumanCount;
use serde_json::{Value, json};
use wurfel_agents::{Catalogued, Spec};
use wurfel_arena::{Adjusted, Control, LuckMeter, Match, MatchReport, Printed, Timing};
use wurfel_core::{Budget, Side};

use crate::bounds::{Bounds, seed, whole};
use crate::game_command::GameCommand;
use crate::json::write_json;
use crate::work::{Arrange, Jobs, LuckOption, OutOptions, bar, waiting};
use crate::{Done, figures, given_up, stop};

/// Plays a match of mirrored pairs and says what it proves
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel match expecti:depth=3 greedy --pairs 500\n  \
    wurfel match expecti:depth=5 expecti:depth=3 --seed 7 --out games.jsonl\n\n\
    Both games of a pair have the same set-ups and dice, with the sides exchanged. --out writes\n\
    the games as JSON lines, and with --csv also the tables NAME.games.csv and NAME.moves.csv.\n\
    Ctrl-C ends the match and drops the games in play; with --out the same command resumes it.")]
pub struct Matches {
    /// The agent whose results are shown (see `wurfel agents`)
    one: String,
    /// Its opponent
    other: String,
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    /// Number of pairs of games
    #[arg(long, default_value_t = 1000, value_parser = whole::<u64>(1..=1 << 40))]
    pairs: u64,
    /// The seed for set-ups, dice and agents
    #[arg(long, default_value_t = 1, value_parser = seed)]
    seed: u64,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    files: OutOptions,
    /// Where set-ups come from, in games whose sides arrange their pieces
    #[arg(long, value_enum, default_value_t = Arrange::Random)]
    setups: Arrange,
    /// Measure the luck of the games, and show the win rate without it in a line of its own
    #[arg(long, value_enum, default_value_t = LuckOption::Auto)]
    luck: LuckOption,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl GameCommand for Matches {
    fn game(&self) -> &str {
        &self.game
    }

    fn run_for<G: Catalogued>(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let specs: [Spec; 2] = [self.one.parse()?, self.other.parse()?];
        let mut arranged = Match::<G>::new(specs, self.pairs, self.seed)?;
        let stop = stop::on_ctrl_c();
        arranged.budget = Budget { stop: Some(stop), ..self.bounds.budget() };
        let specs = arranged.entrants.iter().map(|entrant| &entrant.spec);
        arranged.luck = self.luck.is_measured(specs).then(LuckMeter::usual);
        arranged.try_start()?;
        let jobs = self.jobs.count();
        if self.setups == Arrange::Chosen {
            let _waiting = waiting("choosing set-ups", self.json);
            stop::working(|| arranged.choose_setups(jobs))?;
        }
        let files = self.files.open(&arranged.header())?;
        let bar = bar(self.pairs, "pairs", self.json);
        let started = Instant::now();
        let run = stop::working(|| {
            arranged.run(jobs, files, &mut |progress| {
                bar.set_position(progress.report.score.games() / 2);
                let summary = progress.report.score.summary();
                bar.set_message(format!(
                    "{:.1} % ({:.1} to {:.1})",
                    100.0 * summary.win_rate,
                    100.0 * summary.interval.low,
                    100.0 * summary.interval.high
                ));
            })
        });
        bar.finish_and_clear();
        let (report, given_up) = given_up::kept(run)?;
        if report.score.games() == 0 {
            writeln!(io::stderr(), "stopped before a pair was played")?;
            return Ok(Done::Stopped);
        }
        let shown = MatchOutput {
            arranged: &arranged,
            report: &report,
            untimed: if self.files.keeps_times() { 0 } else { report.resumed },
            time: started.elapsed(),
        };
        if self.json {
            let mut told = shown.json();
            given_up::insert(&mut told, given_up.as_ref());
            write_json(&told, out)?;
        } else {
            given_up::text(given_up.as_ref(), out)?;
            shown.text(out)?;
        }
        out.flush()?;
        if report.complete {
            return Ok(Done::All);
        }
        let goes_on = if self.files.is_wanted() { "; the same command resumes it" } else { "" };
        let (ended, done) = given_up::early_end(given_up.as_ref());
        writeln!(
            io::stderr(),
            "{ended} after {} of {} pairs{goes_on}",
            report.score.games() / 2,
            self.pairs
        )?;
        Ok(done)
    }
}

/// A finished match, to be shown.
pub struct MatchOutput<'a, G: Catalogued> {
    /// The agents and settings of the match.
    pub arranged: &'a Match<'a, G>,
    pub report: &'a MatchReport,
    /// The number of pairs from an earlier run of whose moves the times are not known.
    pub untimed: u64,
    /// How long the match took.
    pub time: Duration,
}

const FAULTS: [&str; 3] = ["crashes", "illegal_moves", "time_losses"];

fn milliseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e6
}

/// Whether the times of any moves are known.
fn timed(timing: &Timing) -> bool {
    timing.moves > 0
}

/// A luck-adjusted win rate as JSON.
pub fn adjusted_json(adjusted: Adjusted) -> Value {
    let Adjusted { estimate, coefficient, gain } = adjusted;
    json!({
        "win_rate": estimate.mean,
        "interval": [estimate.interval.low, estimate.interval.high],
        "coefficient": coefficient,
        "gain": gain,
    })
}

impl<G: Catalogued> MatchOutput<'_, G> {
    /// The luck-adjusted win rate of the first agent, if luck was measured.
    fn adjusted(&self) -> Option<Adjusted> {
        self.report.luck.as_ref().and_then(Control::adjusted)
    }

    fn first_side(&self) -> f64 {
        self.report.first_side_wins as f64 / self.report.score.games().max(1) as f64
    }

    fn games_per_second(&self) -> f64 {
        let played = self.report.score.games() - 2 * self.report.resumed;
        played as f64 / self.time.as_secs_f64()
    }

    fn agents(&self) -> impl Iterator<Item = (&Spec, &Timing, &[u64; 3])> {
        let report = self.report;
        let entrants = self.arranged.entrants.iter();
        let rows = entrants.zip(&report.timing).zip(&report.faults);
        rows.map(|((entrant, timing), faults)| (&entrant.spec, timing, faults))
    }

    /// All statistics as JSON.
    pub fn json(&self) -> Value {
        let Self { arranged, report, .. } = self;
        let summary = report.score.summary();
        let agent = |(n, (spec, timing, faults)): (usize, (&Spec, &Timing, &[u64; 3]))| {
            let mut agent = json!({
                "agent": spec.to_string(),
                "mean_ms": timed(timing).then(|| milliseconds(timing.mean())),
                "max_ms": timed(timing).then(|| milliseconds(timing.longest)),
            });
            for (name, count) in FAULTS.iter().zip(faults) {
                agent[*name] = json!(count);
            }
            if !report.reasons[n].is_empty() {
                agent["reasons"] = json!(report.reasons[n]);
            }
            figures::insert(&mut agent, &report.wins[n], &report.searches[n]);
            if let Some(chosen) = &arranged.chosen {
                let [first, second] = Side::BOTH.map(|side| chosen[n][side].map(|s| s.to_string()));
                agent["setups"] = json!({"first": first, "second": second});
            }
            agent
        };
        let mut told = json!({
            "game": G::NAME,
            "agents": self.agents().enumerate().map(agent).collect::<Vec<_>>(),
            "pairs": report.score.games() / 2,
            "games": report.score.games(),
            "seed": arranged.seed,
            "setups": arranged.header().setups,
            "complete": report.complete,
            "wins": report.score.wins,
            "draws": report.score.draws,
            "losses": report.score.losses,
            "pair_points": report.score.pairs,
            "win_rate": summary.win_rate,
            "interval": [summary.interval.low, summary.interval.high],
            "luck_adjusted": self.adjusted().map(adjusted_json),
            "elo": summary.elo,
            "elo_interval": [summary.elo_low, summary.elo_high],
            "los": summary.los,
            "gain_of_pairing": summary.gain_of_pairing,
            "games_for_one_percent": summary.games_for_one_percent,
            "first_side_wins": self.first_side(),
            "mean_plies": report.mean_plies(),
            "seconds": self.time.as_secs_f64(),
            "games_per_second": self.games_per_second(),
        });
        let of = (report.lost_by_fault(), report.score.games());
        figures::insert_played(&mut told, of, report.played());
        told
    }

    /// Writes the statistics as text for people to read.
    pub fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { arranged, report, time, .. } = self;
        let summary = report.score.summary();
        let [one, other] = &arranged.entrants;
        let score = report.score;
        let elo = |elo: Option<f64>| elo.map_or("?".into(), |elo| format!("{:+.0}", Printed(elo)));
        let [none, half, even, most, both] = score.pairs;
        writeln!(
            out,
            "{} against {}: {}, {} pairs, seed {}",
            one.spec.label(),
            other.spec.label(),
            G::NAME,
            HumanCount(score.games() / 2),
            arranged.seed
        )?;
        let (wins, draws, losses) = (score.wins, score.draws, score.losses);
        writeln!(out, "score            {wins} won, {draws} drawn, {losses} lost")?;
        writeln!(
            out,
            "win rate         {:.2} %, 95 % interval {:.2} to {:.2}",
            100.0 * summary.win_rate,
            100.0 * summary.interval.low,
            100.0 * summary.interval.high
        )?;
        figures::write_played(report, out)?;
        if let Some(Adjusted { estimate, coefficient, gain }) = self.adjusted() {
            writeln!(
                out,
                "luck-adjusted    {:.2} %, 95 % interval {:.2} to {:.2}",
                Printed(100.0 * estimate.mean),
                Printed(100.0 * estimate.interval.low),
                Printed(100.0 * estimate.interval.high)
            )?;
            writeln!(
                out,
                "luck removed     with coefficient {coefficient:.2}: as precise as {gain:.2} times the pairs"
            )?;
        }
        writeln!(
            out,
            "Elo              {}, interval {} to {}",
            elo(summary.elo),
            elo(summary.elo_low),
            elo(summary.elo_high)
        )?;
        writeln!(out, "superiority      {:.2} % likely", 100.0 * summary.los)?;
        writeln!(out, "points in pairs  0: {none}  ½: {half}  1: {even}  1½: {most}  2: {both}")?;
        if let Some(gain) = summary.gain_of_pairing {
            writeln!(
                out,
                "gain of pairing  as precise as {gain:.2} times as many independent games"
            )?;
        }
        if let Some(games) = summary.games_for_one_percent {
            writeln!(out, "games for ±1 %   {}", HumanCount(games))?;
        }
        writeln!(
            out,
            "games            {:.1} plies on average, {} won {:.1} %",
            report.mean_plies(),
            G::SIDES[Side::First],
            100.0 * self.first_side()
        )?;
        self.agent_lines(out)?;
        if self.untimed > 0 {
            writeln!(
                out,
                "times are without those of the {} pairs of an earlier run",
                HumanCount(self.untimed)
            )?;
        }
        writeln!(
            out,
            "{:.2} s, {} games/s",
            time.as_secs_f64(),
            HumanCount(self.games_per_second() as u64)
        )
    }

    /// Writes what each agent spent, how it won and what it lost by faults.
    fn agent_lines(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { arranged, report, .. } = self;
        for (n, (spec, timing, [crashes, illegal, late])) in self.agents().enumerate() {
            let times = if timed(timing) {
                let [mean, longest] = [timing.mean(), timing.longest].map(milliseconds);
                format!("{mean:.4} ms a move, {longest:.4} at most")
            } else {
                "no move timed".to_owned()
            };
            writeln!(
                out,
                "{}: {times}; lost by crash {crashes}, illegal move {illegal}, time {late}",
                spec.label()
            )?;
            for reason in &report.reasons[n] {
                writeln!(out, "  lost since {reason}")?;
            }
            writeln!(out, "  {}", figures::words(&report.wins[n], &report.searches[n]))?;
            if let Some(chosen) = &arranged.chosen {
                let [first, second] = Side::BOTH.map(|side| {
                    chosen[n][side].map_or("one at random".to_owned(), |setup| setup.to_string())
                });
                writeln!(
                    out,
                    "  chose {first} as {}, {second} as {}",
                    G::SIDES[Side::First],
                    G::SIDES[Side::Second]
                )?;
            }
        }
        Ok(())
    }
}
