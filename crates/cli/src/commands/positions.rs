//! `wurfel positions`: random positions for experiments.

use std::io::Write;

use anyhow::bail;
use clap::{Args, ValueEnum};
use wurfel::game;
use wurfel_core::Random;

use crate::Done;
use crate::bounds::{seed, whole};

/// Draws random positions with a given number of pieces, one per line
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel positions --pieces 6 --count 3\n  \
    wurfel positions --pieces 7 --count 100 --from games | wurfel solve - --time 10s --json")]
pub struct Positions {
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    /// Number of pieces on the board
    #[arg(long, value_parser = whole::<u32>(2..=64))]
    pieces: u32,
    /// Number of positions
    #[arg(long, default_value_t = 10, value_parser = whole::<u64>(0..=1 << 40))]
    count: u64,
    /// Where the positions come from
    #[arg(long, value_enum, default_value_t = PositionSource::Random)]
    from: PositionSource,
    /// The seed for the positions
    #[arg(long, default_value_t = 1, value_parser = seed)]
    seed: u64,
}

/// Where positions come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PositionSource {
    /// Pieces scattered at random
    Random,
    /// Games of random moves
    Games,
}

impl From<PositionSource> for wurfel_arena::PositionSource {
    fn from(origin: PositionSource) -> Self {
        match origin {
            PositionSource::Random => Self::Scattered,
            PositionSource::Games => Self::Played,
        }
    }
}

impl Positions {
    /// Draws the positions and writes them to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Self { game: name, pieces, count, from, seed } = self;
        let game = game(&name)?;
        for number in 0..count {
            let mut random = Random::new(Random::seed_for(seed, &[number]));
            let Some(position) = game.draw(from.into(), pieces, &mut random) else {
                if from == PositionSource::Random
                    && game.draw(wurfel_arena::PositionSource::Scattered, 2, &mut random).is_none()
                {
                    bail!("--from random: expected --from games, the only source in {name}");
                }
                bail!(
                    "--pieces {pieces}: expected a number of pieces that positions of {name} can have"
                );
            };
            writeln!(out, "{position}")?;
        }
        Ok(Done::All)
    }
}
