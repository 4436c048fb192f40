//! `wurfel match`: many games between two agents, and their statistics.

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;
use indicatif::HumanCount;
use wurfel::{MatchSettings, Player, game};
use wurfel_agents::Spec;
use wurfel_arena::{
    AdjustedRate, AgentReport, Decimal, FaultReport, MatchReport, ScoreReport, SetUpReport,
};
use wurfel_core::Budget;

use crate::bounds::{Bounds, seed, whole};
use crate::json::write_json;
use crate::options::{Arrange, Jobs, LuckOption, OutOptions};
use crate::progress::{bar, waiting};
use crate::{Done, figures, given_up, stop};

/// Plays a match of mirrored pairs and reports its statistics
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

impl Matches {
    /// Plays the match and writes its report to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let game = game(&self.game)?;
        let specs: [Spec; 2] = [self.one.parse()?, self.other.parse()?];
        let settings = MatchSettings {
            pairs: self.pairs,
            seed: self.seed,
            budget: Budget { stop: Some(stop::on_ctrl_c()), ..self.bounds.budget() },
            luck: self.luck.is_measured(specs.iter()),
            sprt: None,
        };
        let mut arranged = game.entrants(&specs.map(Player::Spec))?.between([0, 1], settings);
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
        let (tally, given_up) = given_up::split(run)?;
        if tally.score.games() == 0 {
            writeln!(io::stderr(), "stopped before a pair was played")?;
            return Ok(Done::Stopped);
        }
        let mut report = arranged.report(&tally, Some(started.elapsed()));
        report.given_up = given_up.as_ref().map(ToString::to_string);
        if self.json {
            write_json(&report, out)?;
        } else {
            let untimed = if self.files.records_times() { 0 } else { tally.resumed };
            write_match(&report, untimed, out)?;
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
            report.score.pairs,
            self.pairs
        )?;
        Ok(done)
    }
}

/// Writes the report of a match as text for people to read. `untimed` is the number of pairs of an
/// earlier run that did not record the times of their moves.
pub fn write_match(report: &MatchReport, untimed: u64, out: &mut dyn Write) -> io::Result<()> {
    let MatchReport { game, sides, agents, seed, score, .. } = report;
    let [one, other] = agents;
    let elo = |elo: Option<f64>| elo.map_or("?".into(), |elo| format!("{:+.0}", Decimal(elo)));
    let [none, half, even, most, both] = score.pair_points;
    given_up::text(report.given_up.as_ref(), out)?;
    writeln!(
        out,
        "{} against {}: {game}, {} pairs, seed {seed}",
        one.name,
        other.name,
        HumanCount(score.pairs)
    )?;
    let ScoreReport { wins, draws, losses, .. } = score;
    writeln!(out, "score            {wins} won, {draws} drawn, {losses} lost")?;
    figures::write_rates(score, out)?;
    if let Some(AdjustedRate { coefficient, gain, .. }) = score.luck_adjusted {
        writeln!(
            out,
            "luck removed     with coefficient {coefficient:.2}: as precise as {gain:.2} times the pairs"
        )?;
    }
    let [low, high] = score.elo_interval;
    writeln!(out, "Elo              {}, interval {} to {}", elo(score.elo), elo(low), elo(high))?;
    writeln!(out, "likelihood of superiority {:.2} %", 100.0 * score.los)?;
    writeln!(out, "points in pairs  0: {none}  ½: {half}  1: {even}  1½: {most}  2: {both}")?;
    if let Some(gain) = score.gain_of_pairing {
        writeln!(out, "gain of pairing  as precise as {gain:.2} times as many independent games")?;
    }
    if let Some(games) = score.games_for_one_percent {
        writeln!(out, "games for ±1 %   {}", HumanCount(games))?;
    }
    writeln!(
        out,
        "games            {:.1} plies on average, {} won {:.1} %",
        report.mean_plies,
        sides[0],
        100.0 * report.first_side_wins as f64 / score.games.max(1) as f64
    )?;
    for agent in agents {
        write_agent(agent, *sides, out)?;
    }
    if untimed > 0 {
        writeln!(out, "times leave out the {} pairs of an earlier run", HumanCount(untimed))?;
    }
    let (seconds, games) = (report.seconds, report.games_per_second);
    writeln!(
        out,
        "{:.2} s, {} games/s",
        seconds.unwrap_or_default(),
        HumanCount(games.unwrap_or_default() as u64)
    )
}

/// Writes what an agent spent, how it won and what it lost by faults.
fn write_agent(agent: &AgentReport, sides: [&str; 2], out: &mut dyn Write) -> io::Result<()> {
    let times = match (agent.mean_seconds, agent.max_seconds) {
        (Some(mean), Some(longest)) => {
            let [mean, longest] = [mean, longest].map(|seconds| 1e3 * seconds);
            format!("{mean:.4} ms a move, {longest:.4} at most")
        }
        _ => "no move timed".to_owned(),
    };
    let FaultReport { crashes, illegal_moves, time_losses } = agent.faults;
    writeln!(
        out,
        "{}: {times}; lost by crash {crashes}, illegal move {illegal_moves}, time {time_losses}",
        agent.name
    )?;
    for reason in &agent.reasons {
        writeln!(out, "  lost because {reason}")?;
    }
    writeln!(out, "  {}", figures::agent_words(agent))?;
    if let Some(SetUpReport { first, second }) = &agent.setups {
        let shown = |setup: &Option<String>| setup.clone().unwrap_or("one at random".to_owned());
        let [one, other] = sides;
        writeln!(out, "  chose {} as {one}, {} as {other}", shown(first), shown(second))?;
    }
    Ok(())
}
