//! Games and decisions a second in which a network plays against itself at EinStein würfelt nicht!.
//!
//! ```sh
//! cargo run --release -p wurfel-train --example self_play -- [SECONDS] [THREADS] [SIMULATIONS] [TOGETHER] [DEVICE]
//! ```
//!
//! The counterpart of `openspiel.py`, with the same first arguments and the same output: a network
//! with random parameters and the tower of the one that ships, that many simulations for every
//! decision, and noise at the root. The games are those of a training run: each thread plays as many
//! together as the configuration says, or `TOGETHER`, and they share the network's batches.
//! `DEVICE` is `cpu` or, with feature `gpu` or `cuda`, `gpu`.

#![allow(clippy::print_stdout, reason = "what it measures goes to the terminal")]

use std::error::Error;
use std::time::Instant;
use std::{env, fs};

use wurfel_games::einstein::Einstein;
use wurfel_train::network::{Device, Generator, TrainingConfig};

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/einstein.toml");

fn main() -> Result<(), Box<dyn Error>> {
    let mut config = TrainingConfig::read(&fs::read_to_string(SHIPPED)?)?;
    let mut settings = [60, 2, 200, config.self_play.parallel_games];
    for (setting, word) in settings.iter_mut().zip(env::args().skip(1)) {
        *setting = word.parse().map_err(|_| format!("expected a whole number, not '{word}'"))?;
    }
    let [seconds, threads, simulations, together] = settings;
    let device = match env::args().nth(1 + settings.len()).as_deref() {
        None | Some("cpu") => Device::Cpu,
        Some("gpu") => Device::Gpu,
        Some(other) => return Err(format!("expected cpu or gpu, not '{other}'").into()),
    };

    config.teacher = None;
    config.self_play.full_share = 1.0;
    config.self_play.simulations = simulations.try_into()?;
    config.self_play.parallel_games = together;
    // Enough games that few batches are small because a round ends.
    config.self_play.games = config.self_play.games.max(2 * together * threads);
    config.self_play.tables = 0;
    config.check()?;
    let batch = config.self_play.games;
    let generator = Generator::new(&Einstein::default(), config, device)?;
    let network = generator.first()?;

    let (mut games, mut decisions, started) = (0, 0, Instant::now());
    for round in 1.. {
        let played = generator.play(&network, round, 0..batch, threads as usize, None)?;
        for game in played.iter().flatten() {
            games += 1;
            decisions += game.samples.len();
        }
        if started.elapsed().as_secs() >= seconds {
            break;
        }
    }
    let passed = started.elapsed().as_secs_f64();
    println!("games {:.3}", f64::from(games) / passed);
    println!("decisions {:.2}", decisions as f64 / passed);
    Ok(())
}
