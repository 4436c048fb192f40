//! `wurfel bench`: how fast the searches are, and whether they still choose the same moves.

use std::io::Write;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;
use wurfel_arena::{Catalogued, Spec, UseGame, build, games, with_game};
use wurfel_core::{Budget, Random, Situation, Turn, checksum};

use crate::Done;

/// Searches fixed positions and prints nodes, speed and a signature of the moves
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel bench\n\n\
    The signature changes when, and only when, a search visits other positions or chooses\n\
    another move. Compare speeds only on one machine and in one sitting.")]
pub struct Bench {
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
    nodes_per_second: f64,
    signature: String,
}

impl Bench {
    /// Measures each search and writes a line for each to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        for game in games() {
            for &agent in game.benches {
                let measured = with_game(game.name, Search { agent })??;
                if self.json {
                    writeln!(out, "{}", serde_json::to_string(&measured)?)?;
                } else {
                    writeln!(
                        out,
                        "{} {}: {} nodes, {:.3} s, {:.1} M nodes/s, signature {}",
                        measured.game,
                        measured.agent,
                        HumanCount(measured.nodes),
                        measured.seconds,
                        measured.nodes_per_second / 1e6,
                        measured.signature
                    )?;
                }
                out.flush()?;
            }
        }
        Ok(Done::All)
    }
}

struct Search {
    agent: &'static str,
}

impl UseGame for Search {
    type Output = anyhow::Result<Measured>;

    fn with<G: Catalogued>(self) -> Self::Output {
        let spec: Spec = self.agent.parse()?;
        let mut agent = build::<G>(&spec)?();
        let mut pass = || -> anyhow::Result<(Vec<u8>, u64)> {
            agent.begin(Random::new(0));
            let mut chosen = vec![];
            let mut nodes = 0;
            for sample in G::SAMPLES {
                let Situation { position, roll } = sample.parse::<Situation<G>>()?;
                let roll = roll.with_context(|| format!("sample '{sample}' is not rolled"))?;
                let decision = agent.decide(Turn { position: &position, roll }, Budget::default());
                nodes += decision.nodes;
                writeln!(chosen, "{} {} {}", decision.mv, decision.nodes, decision.depth)?;
            }
            Ok((chosen, nodes))
        };
        // The first pass fills the caches.
        pass()?;
        let started = Instant::now();
        let (chosen, nodes) = pass()?;
        let seconds = started.elapsed().as_secs_f64();
        Ok(Measured {
            game: G::NAME,
            agent: self.agent,
            nodes,
            seconds,
            nodes_per_second: nodes as f64 / seconds,
            signature: format!("{:016x}", checksum(&chosen)),
        })
    }
}
