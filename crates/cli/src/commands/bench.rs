//! `wurfel bench`: how fast searches and evaluations are, and whether searches still choose the same
//! moves.

use std::io::Write;
use std::time::Duration;

use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;
use wurfel::{Game, all_games, game};
use wurfel_arena::{BenchResult, Speed, SpeedSettings};
use wurfel_core::Budget;

use crate::bounds::{decimal, seed, whole};
use crate::json::{write_json, write_sorted};
use crate::progress::bar;
use crate::{Done, stop};

/// Searches fixed positions and prints nodes, speed and a signature of the moves
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  wurfel bench\n  wurfel bench --seconds 0\n  wurfel bench --eval --repetitions 5\n\n\
    The signature changes when, and only when, a search visits other positions or chooses\n\
    another move. With --eval, each evaluation of a game is called on positions from random games.\n\
    Compare speeds only on one machine and in one sitting."
)]
pub struct Bench {
    /// Measure evaluations instead of searches, in nanoseconds a call
    #[arg(long, conflicts_with = "seconds")]
    eval: bool,
    /// How long each search is repeated, in seconds; the median is shown. 0 runs each once
    #[arg(long, default_value_t = 1.0, value_parser = decimal::<f64>(0.0..=3600.0))]
    seconds: f64,
    /// The game whose evaluations are measured (see `wurfel games`)
    #[arg(long, requires = "eval", default_value = "einstein")]
    game: String,
    /// Number of positions that each evaluation is called on
    #[arg(long, requires = "eval", default_value_t = 2000,
        value_parser = whole::<u32>(1..=10_000_000))]
    positions: u32,
    /// How often each evaluation is measured; the median is shown
    #[arg(long, requires = "eval", default_value_t = 15,
        value_parser = whole::<u16>(1..=1000))]
    repetitions: u16,
    /// The seed of the positions
    #[arg(long, requires = "eval", default_value_t = 1, value_parser = seed)]
    seed: u64,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Measured {
    game: &'static str,
    agent: &'static str,
    nodes: u64,
    seconds: f64,
    repetitions: usize,
    nodes_per_second: f64,
    signature: String,
}

#[derive(Serialize)]
struct MeasuredEvaluations<'a> {
    game: &'static str,
    positions: u32,
    repetitions: usize,
    seed: u64,
    evaluations: &'a [Speed],
}

impl Bench {
    /// Measures evaluations, or each search with a line for each, and writes that to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        if self.eval {
            return self.evaluations(out);
        }
        for game in all_games() {
            for agent in game.facts().benches {
                let measured = search(game, agent, Duration::from_secs_f64(self.seconds))?;
                if self.json {
                    write_json(&measured, out)?;
                } else {
                    writeln!(
                        out,
                        "{} {}: {} nodes, {:.4} s (median of {}), {:.1} M nodes/s, signature {}",
                        measured.game,
                        measured.agent,
                        HumanCount(measured.nodes),
                        measured.seconds,
                        measured.repetitions,
                        measured.nodes_per_second / 1e6,
                        measured.signature
                    )?;
                }
                out.flush()?;
            }
        }
        Ok(Done::All)
    }

    /// Measures the evaluations of a game.
    fn evaluations(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Bench { positions, repetitions, seed, json, .. } = self;
        let game = game(&self.game)?;
        let settings = SpeedSettings {
            positions: positions as usize,
            repetitions: usize::from(repetitions),
            seed,
            ..SpeedSettings::default()
        };
        let names: Vec<&str> = game.facts().evaluations.iter().map(|known| known.name).collect();
        let bar = bar(u64::from(repetitions), "repetitions", json);
        let mut done = 0;
        let rows = stop::working(|| {
            game.speed(settings, &names, &mut |repetition| {
                done = repetition;
                bar.set_position(repetition as u64);
                !stop::is_wanted()
            })
        })?;
        bar.finish_and_clear();
        if json {
            let (game, evaluations) = (game.name(), &rows);
            let answer =
                MeasuredEvaluations { game, positions, repetitions: done, seed, evaluations };
            write_sorted(&answer, out)?;
        } else {
            writeln!(out, "| evaluation | ns a call | fastest | slowest |\n|---|---|---|---|")?;
            for Speed { evaluation, ns, fastest, slowest, .. } in &rows {
                writeln!(out, "| `{evaluation}` | {ns:.1} | {fastest:.1} | {slowest:.1} |")?;
            }
            writeln!(
                out,
                "\n{}: median of {done} repetitions on {positions} positions from random games, \
                 seed {seed}",
                game.name()
            )?;
        }
        Ok(if done == usize::from(repetitions) { Done::All } else { Done::Stopped })
    }
}

/// Repeats the search of a game's samples for at least this time.
fn search(game: Game, spec: &'static str, least: Duration) -> anyhow::Result<Measured> {
    let mut agent = game.agents_of(&spec.parse()?)?.make();
    // The first pass fills the caches and is not measured.
    let BenchResult { nodes, signature, .. } = agent.search_samples(Budget::default())?;
    let mut times = vec![];
    while times.is_empty() || times.iter().sum::<Duration>() < least {
        let searched = agent.search_samples(Budget::default())?;
        anyhow::ensure!(
            searched.signature == signature,
            "{} {spec}: expected the same nodes and moves when it is run again",
            game.name()
        );
        times.push(searched.time);
    }
    times.sort_unstable();
    let seconds = times[times.len() / 2].as_secs_f64();
    Ok(Measured {
        game: game.name(),
        agent: spec,
        nodes,
        seconds,
        repetitions: times.len(),
        nodes_per_second: nodes as f64 / seconds,
        signature: format!("{signature:016x}"),
    })
}
