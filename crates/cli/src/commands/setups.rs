//! `wurfel setups`: which set-up to start with.

use std::io::{self, Write};

use clap::Args;
use serde_json::json;
use wurfel::game;
use wurfel_agents::DEFAULT_AGENT;
use wurfel_arena::RankedSetUp;
use wurfel_core::{Budget, Side};

use crate::bounds::{Bounds, whole};
use crate::json::write_json;
use crate::options::Jobs;
use crate::progress::OpenBar;
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

impl Setups {
    /// Ranks the set-ups and writes the best ones to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let game = game(&self.game)?;
        let analyser = game.agents_of(&self.agent.parse()?)?;
        let given = self.bounds.budget();
        let fallback = Budget { depth: Some(3), ..Budget::default() };
        let stop = stop::on_ctrl_c();
        let budget = Budget { stop: Some(stop), ..given.or(fallback) };
        let bar = OpenBar::new("pairs", self.json);
        let ranked = stop::working(|| {
            analyser.rank_setups(budget, self.jobs.count(), &mut |done, all| {
                bar.show(done, all);
                !stop::is_wanted()
            })
        });
        drop(bar);
        let Some(ranked) = ranked else {
            writeln!(io::stderr(), "stopped before every pair was searched")?;
            return Ok(Done::Stopped);
        };
        if self.json {
            let best = |side: Side| ranked[side].iter().take(self.top).collect::<Vec<_>>();
            let [first, second] = Side::BOTH.map(best);
            let answer = json!({"game": game.name(), "first": first, "second": second});
            write_json(&answer, out)?;
            return Ok(Done::All);
        }
        for side in Side::BOTH {
            let which = if side == Side::First { "first" } else { "second" };
            writeln!(out, "{}, who rolls {which}", game.facts().sides[side])?;
            writeln!(out, "set-up     mean    least  against")?;
            for RankedSetUp { setup, mean, least, answer } in ranked[side].iter().take(self.top) {
                let (mean, least) = (100.0 * mean, 100.0 * least);
                writeln!(out, "{setup}  {mean:5.2} %  {least:5.2} %  {answer}")?;
            }
        }
        Ok(Done::All)
    }
}
