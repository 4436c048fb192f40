//! `wurfel perft`: how many sequences of rolls and moves there are, to test the rules.

use std::io::{self, Write};
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use crate::Done;
use crate::batch::{Answer, AnswerArgs, answer_each};
use crate::bounds::whole;
use crate::progress::waiting;

/// Counts the sequences of rolls and moves of each length
#[derive(Args, Debug)]
#[command(
    override_usage = "wurfel perft [OPTIONS] [POSITION] <DEPTH>",
    after_help = "Examples:\n  wurfel perft 6\n  wurfel perft 'ABC2/DE3/F3f/3ed/2cba r - 1' 4"
)]
pub struct Perft {
    /// The position (by default the initial position), or - to read positions from standard input;
    /// then the length of the longest sequences to count, 1 to 14 moves
    #[arg(num_args = 1..=2, required = true, value_names = ["POSITION", "DEPTH"])]
    words: Vec<String>,
    #[command(flatten)]
    form: AnswerArgs,
}

/// The numbers of sequences of 1 move, 2 moves and so on.
#[derive(Serialize)]
struct Counted {
    position: String,
    counts: Vec<u64>,
    seconds: f64,
}

impl Answer for Counted {
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
    /// Counts the sequences from the positions and writes the answers to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Perft { words, form } = self;
        let game = form.game()?;
        let (depth, position) = match words.as_slice() {
            [position, depth] => (depth, position.clone()),
            words => (&words[0], game.start().to_string()),
        };
        let known = whole::<u32>(1..=14)(depth);
        let depth = known.with_context(|| format!("depth '{depth}'"))?;
        answer_each(game, &position, &form, out, |position| {
            let started = Instant::now();
            let _waiting = waiting("counting", form.json);
            let counts = position.perft(depth);
            let seconds = started.elapsed().as_secs_f64();
            Ok(Counted { position: position.to_string(), counts, seconds })
        })?;
        Ok(Done::All)
    }
}
