//! The files that learning reads again: labelled positions, and what a run notes of its rounds.

use wurfel_games::dicechess::DiceChess;
use wurfel_games::einstein::Einstein;
use wurfel_train::network::{Hyperbola, read_rounds};
use wurfel_train::read_positions;

use super::checks::{one_line, with_files};

pub fn fuzz(input: &[u8]) {
    with_files(&[("file", input)], |folder| {
        let path = folder.join("file");
        if let Err(error) = read_positions::<Einstein>(&path) {
            one_line(&error);
        }
        if let Err(error) = read_positions::<DiceChess>(&path) {
            one_line(&error);
        }
        match read_rounds(&path) {
            Ok(rounds) => {
                let losses: Vec<f64> = rounds.iter().map(|round| round.loss.into()).collect();
                let _ = Hyperbola::fit(&losses);
            }
            Err(error) => one_line(&error),
        }
    });
}
