//! `wurfel perft`: counting move sequences.

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use wurfel_game::perft;
use wurfel_games::{Playable, UseGame, with_game};

use crate::Done;
use crate::batch::{Answer, Form, answer_each};

/// Counts the sequences of throws and moves of each length
#[derive(Args, Debug)]
#[command(
    allow_missing_positional = true,
    after_help = "Examples:\n  wurfel perft 6\n  wurfel perft 'ABC2/DE3/F3f/3ed/2cba r - 1' 4"
)]
pub struct Perft {
    /// The position (the standard start if left out), or - to read many
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    /// The longest sequences to count, in turns
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    #[command(flatten)]
    form: Form,
}

/// The numbers of sequences.
#[derive(Serialize)]
struct Counts {
    position: String,
    counts: Vec<u64>,
    seconds: f64,
}

impl Answer for Counts {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.position)?;
        for (length, count) in (1..).zip(&self.counts) {
            writeln!(out, "{length:>3} {count:>20}")?;
        }
        let sequences: u64 = self.counts.iter().sum();
        let rate = sequences as f64 / self.seconds / 1e6;
        writeln!(out, "{:.3} s, {rate:.0} M sequences/s", self.seconds)
    }
}

impl Perft {
    /// Does it.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let game = self.form.game.clone();
        with_game(&game, Run { command: &self, out })?
    }
}

struct Run<'a> {
    command: &'a Perft,
    out: &'a mut dyn Write,
}

impl UseGame for Run<'_> {
    type Output = anyhow::Result<Done>;

    fn with<G: Playable>(self) -> Self::Output {
        let Perft { position, depth, form } = self.command;
        let position = position.clone().unwrap_or_else(|| G::default().to_string());
        answer_each::<G, _>(&position, form.json, self.out, |situation| {
            let started = Instant::now();
            let counts = perft(&situation.position, situation.roll, *depth);
            let seconds = started.elapsed().as_secs_f64();
            Ok(Counts { position: situation.to_string(), counts, seconds })
        })?;
        Ok(Done::All)
    }
}
