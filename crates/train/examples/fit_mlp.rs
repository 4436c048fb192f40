//! Fits the evaluation `mlp` of Dice Chess to games, as paper `dice-chess-agents` does. Each turn
//! of a game is an example: the position, seen by the side to move, with that side's result.
//!
//! ```text
//! cargo run --release -p wurfel-train --example fit_mlp -- GAMES.jsonl OUT.weights
//! ```
//!
//! The settings are the paper's: 400 epochs, batches of 1,382, learning rate 0.001. One game in ten
//! goes to the validation set, on which the error is measured.

#![allow(clippy::print_stdout, reason = "what it finds goes to the terminal")]

use std::error::Error;
use std::fs;

use wurfel_arena::read_games;
use wurfel_games::dicechess::{DiceChess, Mlp};
use wurfel_games::perceptron::Perceptron;
use wurfel_train::{Fit, TrainingExample, fit_perceptron};

/// One game in this many goes to the validation set.
const VALIDATION: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths = std::env::args().skip(1);
    let (Some(games), Some(out)) = (paths.next(), paths.next()) else {
        return Err("expected a file of games and the name of the file to write".into());
    };
    let games = read_games::<DiceChess>(&fs::read_to_string(games)?)?;
    let (mut lessons, mut validation) = (vec![], vec![]);
    for (n, filed) in games.iter().enumerate() {
        let Some(outcome) = filed.game.result else { continue };
        let list = if n % VALIDATION == 0 { &mut validation } else { &mut lessons };
        filed.game.replay(|step| {
            list.push(TrainingExample {
                inputs: Mlp::inputs(step.turn.position, step.turn.roll).to_vec(),
                value: outcome.value_for(step.turn.side()),
            });
        });
    }
    println!("{} turns to learn from, {} validation", lessons.len(), validation.len());
    let fit = Fit { epochs: 400, batch: 1382, learning_rate: 0.001, seed: 1 };
    let mut epoch = 0;
    let network = fit_perceptron(&Mlp::SIZES, &lessons, fit, |network, error| {
        epoch += 1;
        if epoch % 20 == 0 || epoch == 1 {
            println!(
                "epoch {epoch}: root mean squared error {error:.4}, validation {:.4}",
                rms(network, &validation)
            );
        }
    });
    fs::write(out, network.to_bytes())?;
    Ok(())
}

fn rms(network: &Perceptron, lessons: &[TrainingExample]) -> f64 {
    let error = |lesson: &TrainingExample| {
        f64::from(network.evaluate(&lesson.inputs) - lesson.value).powi(2)
    };
    (lessons.iter().map(error).sum::<f64>() / lessons.len().max(1) as f64).sqrt()
}
