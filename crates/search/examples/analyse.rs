//! What every move of a position is worth, found by a search.
//!
//! ```text
//! cargo run --release -p wurfel-search --example analyse
//! ```
//!
//! The position is one of EinStein würfelt nicht! shortly before its end: red has rolled a 4, and
//! its only cube `C` has to reach the corner `e1`. To analyse another game, change the type after
//! `Situation` and choose an evaluation of that game.

#![allow(clippy::print_stdout, reason = "the example shows its results in the terminal")]

use std::sync::Arc;

use wurfel_core::{Agent, Analysis, Budget, NotationError, Situation};
use wurfel_games::einstein::{Einstein, Official, Zweistein};
use wurfel_search::{Cutoffs, Star, TranspositionTable};

/// The position with its roll, row by row from the top.
const POSITION: &str = "5/5/2C2/5/2cba r 4 1";

fn analyse(text: &str) -> Result<Analysis<Einstein>, NotationError> {
    let situation: Situation<Einstein> = text.parse()?;
    let turn = situation.turn().ok_or_else(|| NotationError::whole("position", text, "a roll"))?;
    // Star2 with 16 MiB for positions that it meets again, at most 30 turns deep.
    let table = Arc::new(TranspositionTable::new(16));
    let budget = Budget { depth: Some(30), ..Budget::default() };
    let mut search = Star::new(Zweistein::<Official>::new(), Cutoffs::Star2, table, budget);
    Ok(search.analyse(turn, Budget::default()))
}

fn main() -> Result<(), NotationError> {
    let analysis = analyse(POSITION)?;
    for assessment in &analysis.moves {
        let value = 100.0 * assessment.value.unwrap_or(f32::NAN);
        let kind = if assessment.exact { "exactly" } else { "about" };
        println!("{}  wins {kind} {value:.2} % of the games", assessment.mv);
    }
    println!("{} positions, {} turns deep", analysis.nodes, analysis.depth);
    Ok(())
}

#[test]
fn the_step_along_the_row_is_best() {
    let analysis = analyse(POSITION).expect("the position is well-formed");
    let best = &analysis.moves[0];
    assert_eq!(best.mv.to_string(), "c3d3");
    assert!(best.exact && (best.value.unwrap_or_default() - 0.8796).abs() < 1e-4, "{best:?}");
    main().expect("the example runs");
}
