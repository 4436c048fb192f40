//! Games and decisions a second in which a network plays against itself at EinStein würfelt nicht!.
//!
//! ```sh
//! cargo run --release -p wurfel-train --example self_play -- [SECONDS] [THREADS] [SIMULATIONS]
//! ```
//!
//! The counterpart of `openspiel.py`, with the same arguments and the same output: a network with
//! random parameters and the tower of the one that ships, that many simulations for every decision,
//! and noise at the root. The games are those of a training run: as many as are played together
//! share the network's batches.

#![allow(clippy::print_stdout, reason = "what it measures goes to the terminal")]

use std::error::Error;
use std::time::Instant;
use std::{env, fs};

use wurfel_games::einstein::Einstein;
use wurfel_train::network::{Device, Generator, TrainingConfig};

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/einstein.toml");

fn main() -> Result<(), Box<dyn Error>> {
    let mut settings = [60, 2, 200];
    for (setting, word) in settings.iter_mut().zip(env::args().skip(1)) {
        *setting = word.parse().map_err(|_| format!("expected a whole number, not '{word}'"))?;
    }
    let [seconds, threads, simulations] = settings;

    let mut config = TrainingConfig::read(&fs::read_to_string(SHIPPED)?)?;
    config.teacher = None;
    config.self_play.full_share = 1.0;
    config.self_play.simulations = simulations;
    config.self_play.tables = 0;
    config.check()?;
    let batch = config.self_play.games;
    let generator = Generator::<Einstein>::new(config, Device::Cpu)?;
    let network = generator.first()?;

    let (mut games, mut decisions, started) = (0, 0, Instant::now());
    for round in 1.. {
        let played = generator.play(&network, round, 0..batch, threads as usize, None)?;
        for game in played.iter().flatten() {
            games += 1;
            decisions += game.samples.len();
        }
        if started.elapsed().as_secs() >= u64::from(seconds) {
            break;
        }
    }
    let passed = started.elapsed().as_secs_f64();
    println!("games {:.3}", f64::from(games) / passed);
    println!("decisions {:.2}", decisions as f64 / passed);
    Ok(())
}
