//! The files that learning reads back: labelled positions, the metrics of a run, the games of a round,
//! and the games of a curve.

use wurfel_games::Learnable;
use wurfel_games::dicechess::DiceChess;
use wurfel_games::einstein::Einstein;
use wurfel_train::network::{Hyperbola, games_from, games_to, read_rounds, testkit};
use wurfel_train::read_positions;

use super::checks::{one_line, text, with_files};

pub fn fuzz(input: &[u8]) {
    with_files(&[("file", input)], |folder| {
        let path = folder.join("file");
        if let Err(error) = read_positions(&Einstein::default(), &path) {
            one_line(&error);
        }
        if let Err(error) = read_positions(&DiceChess::default(), &path) {
            one_line(&error);
        }
        match read_rounds(&path) {
            Ok(rounds) => {
                let losses: Vec<f64> =
                    rounds.iter().filter_map(|round| round.loss).map(f64::from).collect();
                let _ = Hyperbola::fit(&losses);
            }
            Err(error) => one_line(&error),
        }
        if let Err(error) = testkit::read_curve(&path) {
            one_line(&error);
        }
    });
    read_games(&Einstein::default(), input);
    read_games(&DiceChess::default(), input);
}

/// The samples of a round, and whole games as units of work pass them on.
fn read_games<G: Learnable>(rules: &G, input: &[u8]) {
    with_files(&[("file", input)], |folder| {
        if let Err(error) = testkit::read_samples(rules, &folder.join("file")) {
            one_line(&error);
        }
    });
    match games_from(rules, &text(input)) {
        Err(error) => one_line(&error),
        Ok(games) => {
            let written = games_to(&games).expect("what was read can be written");
            let again = games_from(rules, &text(&written));
            assert_eq!(again.as_ref(), Ok(&games), "other games after they were written");
        }
    }
}
