//! `wurfel setups`: which set-up to start with.

use std::io::{self, Write};
use std::sync::atomic::Ordering;

use clap::Args;
use serde_json::json;
use wurfel_agents::{Catalogued, DEFAULT_AGENT, Spec, build};
use wurfel_arena::{Ranked, rank_setups};
use wurfel_core::{Budget, BySide, Side};

use crate::bounds::{Bounds, whole};
use crate::game_command::GameCommand;
use crate::json::write_json;
use crate::work::{Jobs, OpenBar};
use crate::{Done, stop};

/// Ranks the set-ups of both sides
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel setups --depth 1 --top 3\n\n\
    Every pair of set-ups is searched; a pair and its mirror image count as one. Mean is the win\n\
    probability against a random set-up of the other side, least the one against the best answer.")]
pub struct Setups {
    /// The agent that evaluates, 3 turns ahead unless a bound is given (see `wurfel agents`)
    #[arg(default_value = DEFAULT_AGENT)]
    agent: String,
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    #[command(flatten)]
    bounds: Bounds,
    /// Number of set-ups to show for each side
    #[arg(long, default_value_t = 10, value_parser = whole::<usize>(1..=1_000_000))]
    top: usize,
    #[command(flatten)]
    jobs: Jobs,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl GameCommand for Setups {
    fn game(&self) -> &str {
        &self.game
    }

    fn run_for<G: Catalogued>(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let spec: Spec = self.agent.parse()?;
        let analyser = build::<G>(&spec)?;
        let given = self.bounds.budget();
        let usual = Budget { depth: Some(3), ..Budget::default() };
        let stop = stop::on_ctrl_c();
        let budget = Budget { stop: Some(stop), ..given.or(usual) };
        let jobs = self.jobs.count();
        let bar = OpenBar::new("pairs", self.json);
        let ranked = stop::working(|| {
            rank_setups(G::setups(), &analyser, budget, jobs, |done, all| {
                bar.show(done, all);
                !stop.load(Ordering::Relaxed)
            })
        });
        drop(bar);
        let Some(ranked) = ranked else {
            writeln!(io::stderr(), "stopped before every pair was searched")?;
            return Ok(Done::Stopped);
        };
        if self.json {
            write_json(&as_json::<G>(&ranked, self.top), out)?;
        } else {
            for side in Side::BOTH {
                let which = if side == Side::First { "first" } else { "second" };
                writeln!(out, "{}, who rolls {which}", G::SIDES[side])?;
                writeln!(out, "set-up     mean    least  against")?;
                for Ranked { setup, mean, least, answer } in ranked[side].iter().take(self.top) {
                    let (mean, least) = (100.0 * mean, 100.0 * least);
                    writeln!(out, "{setup}  {mean:5.2} %  {least:5.2} %  {answer}")?;
                }
            }
        }
        Ok(Done::All)
    }
}

fn as_json<G: Catalogued>(ranked: &BySide<Vec<Ranked<G::Setup>>>, top: usize) -> serde_json::Value {
    let setup = |ranked: &Ranked<G::Setup>| {
        json!({
            "setup": ranked.setup.to_string(),
            "mean": ranked.mean,
            "least": ranked.least,
            "answer": ranked.answer.to_string(),
        })
    };
    let side = |side: Side| ranked[side].iter().take(top).map(setup).collect::<Vec<_>>();
    json!({"game": G::NAME, "first": side(Side::First), "second": side(Side::Second)})
}
