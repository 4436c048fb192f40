//! `wurfel train network curve`: how strong the networks of a run are, round by round.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use wurfel::game;
use wurfel_arena::Decimal;
use wurfel_train::network::{CurvePoint, CurveSettings};

use super::train_config::read_config;
use crate::bounds::{seed, whole};
use crate::json::write_json;
use crate::options::{Jobs, quoted};
use crate::progress::bar;
use crate::{Done, stop};

/// Simulations for each decision where the configuration does not say.
const SIMULATIONS: u64 = 100;

/// Measures the saved networks of a run: an Elo curve with intervals, from games of its own
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  wurfel train network curve run --anchors greedy --pairs 100\n\n\
    The networks are those that `keep` names, the best one and the last one. The same command resumes\n\
    what was stopped; more --pairs add to what was played."
)]
pub struct CurveCommand {
    /// The folder of the run
    run: PathBuf,
    /// The agents that every network meets; the first has the rating 0 [default:
    /// the opponents of the configuration, or else greedy]
    #[arg(long, num_args = 1.., value_name = "AGENT")]
    anchors: Vec<String>,
    /// Mirrored pairs of each network against each anchor, rounded up to twenties
    #[arg(long, default_value_t = 200, value_parser = whole::<u64>(1..=1_000_000))]
    pairs: u64,
    /// Simulations of a network's search [default: those of the configuration's evaluation, or
    /// else 100]
    #[arg(long, value_parser = whole::<u64>(1..=1_000_000))]
    simulations: Option<u64>,
    /// The seed for the games
    #[arg(long, default_value_t = 1, value_parser = seed)]
    seed: u64,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    jobs: Jobs,
}

impl CurveCommand {
    /// Plays the missing games and shows the curve.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let config = read_config(&self.run.join("config.toml"))?;

        let (learning, command) = (game(&config.game)?.learning(), self);
        let rules = config.evaluation.as_ref();
        let mut anchors = command.anchors;
        if anchors.is_empty() {
            anchors = rules.map(|rules| rules.opponents.clone()).unwrap_or_default();
        }
        if anchors.is_empty() {
            anchors.push("greedy".to_owned());
        }
        let default = rules.map_or(SIMULATIONS, |rules| rules.simulations);
        let simulations = command.simulations.unwrap_or(default);
        let (pairs, seed) = (command.pairs, command.seed);
        let settings = CurveSettings { anchors, pairs, simulations, seed };
        let mut curve = learning.curve(&command.run, settings)?;
        let stop = stop::on_ctrl_c();
        let (done, all) = curve.progress();
        let bar = bar(all, "parts", false);
        bar.set_position(done);
        loop {
            match stop::working(|| curve.play(command.jobs.count(), Some(stop)))? {
                Some(true) => bar.inc(1),
                Some(false) => break,
                None => {
                    bar.finish_and_clear();
                    curve.write()?;
                    return stop::after(curve.progress().0, all, "parts", stop::RESUMES);
                }
            }
        }
        bar.finish_and_clear();
        let points = curve.write()?;
        if command.json {
            write_json(&json!({ "simulations": simulations, "points": points }), out)?;
            return Ok(Done::All);
        }
        table(&points, out)?;
        let folder = command.run.join("curve");
        writeln!(out, "\nwritten: {}", quoted(folder.join("elo.svg").display()))?;
        Ok(Done::All)
    }
}

/// Writes a line for each network.
fn table(points: &[CurvePoint], out: &mut dyn Write) -> io::Result<()> {
    let anchors: Vec<&str> = points
        .first()
        .map(|point| point.against.iter().map(|won| won.opponent.as_str()).collect())
        .unwrap_or_default();
    let first = anchors.first().unwrap_or(&"");
    writeln!(out, "Elo above {first}, with 95 % intervals; win rates without luck")?;
    writeln!(out, "round     games    Elo            against {}", anchors.join(", "))?;
    for point in points {
        let rates: Vec<String> = point
            .against
            .iter()
            .map(|won| format!("{:.1} %", 100.0 * won.rate().win_rate))
            .collect();
        writeln!(
            out,
            "{:5} {:9} {:6.0} ({:.0} to {:.0})  {}",
            point.round,
            point.games,
            Decimal(point.elo),
            Decimal(point.interval.low),
            Decimal(point.interval.high),
            rates.join(", ")
        )?;
    }
    Ok(())
}
