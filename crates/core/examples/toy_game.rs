//! A whole game as one line of text, its rolls and moves, and its exact value.
//!
//! ```text
//! cargo run -p wurfel-core --example toy_game
//! ```
//!
//! In the text `{…}` is a position, `[…]` a roll with its moves, and `+`, `-` and `=` are a win of
//! the first side, a win of the second side and a draw. A number before a roll says how many of
//! the six faces of the die it has. Such games are small enough to be checked by hand, and the
//! functions below work for every [`Game`].

#![allow(clippy::print_stdout, reason = "the example shows its results in the terminal")]

use wurfel_core::{Game, Literal, NotationError};

/// Two faces of six let the first side win. The other four let it choose between a draw and a roll
/// of the second side, which wins with two faces of six and loses with the others.
const GAME: &str = "{2[+-]4[={4[+]2[-]}]}";

/// The result that the **side to move** can expect before its roll if both sides play perfectly,
/// from 0 (lost) to 1 (won).
fn value<G: Game>(position: &G) -> f32 {
    let side = position.side();
    if let Some(outcome) = position.outcome() {
        return outcome.value_for(side);
    }
    // For each roll the best end of the turn, and the mean of that over the rolls.
    position.mean_of_best(|end| if end.side() == side { value(end) } else { 1.0 - value(end) })
}

fn main() -> Result<(), NotationError> {
    let game: Literal = GAME.parse()?;
    for roll in game.rolls() {
        let moves = game.moves(roll.item);
        println!("{} of 6 faces allow {} moves:", roll.weight, moves.len());
        for mv in moves {
            let mut next = game.clone();
            next.play(roll.item, mv);
            println!("  move {mv} leads to {next}");
        }
    }
    println!("The first side can expect {:.4}.", value(&game));
    Ok(())
}

#[test]
fn the_risk_is_better_than_the_draw() {
    // 2/6 of a win, and 4/6 of the better of 1/2 (the draw) and 4/6 (the risk).
    let expected = 2.0 / 6.0 + 4.0 / 6.0 * 4.0 / 6.0;
    let game: Literal = GAME.parse().expect("the literal is well-formed");
    assert!((value(&game) - expected).abs() < 1e-6, "{}", value(&game));
    main().expect("the example runs");
}
