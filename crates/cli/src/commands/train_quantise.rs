//! `wurfel train quantise`: scales for inference in eight bits.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use wurfel::game;
use wurfel_train::network::Agreement;

use super::network::read_model;
use crate::Done;
use crate::bounds::seed;
use crate::new_file::write_new;

/// Measures the scales for computing a network in eight bits, and reports the difference from
/// floating point
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  wurfel train quantise run/net.safetensors --out net.safetensors"
)]
pub struct Quantise {
    /// The network, a file that `wurfel train network` has written
    net: PathBuf,
    /// The file to write: the same network with scales
    #[arg(long)]
    out: PathBuf,
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    /// The seed for the games on whose positions the scales are measured
    #[arg(long, default_value_t = 1, value_parser = seed)]
    seed: u64,
}

impl Quantise {
    /// Measures the scales and writes the network with them.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let learning = game(&self.game)?.learning();
        let name = self.net.display();
        let mut model = read_model(&self.net)?;
        let errors = learning.quantise(&mut model, self.seed);
        let errors = errors.with_context(|| format!("'{name}'"))?;
        write_new(self.out, &model.to_bytes()?)?;
        let Agreement { positions, mean, most, same_move } = errors;
        writeln!(
            out,
            "on {positions} positions of its games int8 is {mean:.4} of a win from f32 on average, {most:.4} at most \
             in 99 %; the same best move in {:.1} %",
            100.0 * same_move
        )?;
        Ok(Done::All)
    }
}
