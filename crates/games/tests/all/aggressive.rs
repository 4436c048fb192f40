//! The evaluation that also counts pieces.

use wurfel_core::{Evaluator, Even};
use wurfel_games::Aggressive;
use wurfel_games::dicechess::DiceChess;
use wurfel_games::einstein::Einstein;

#[test]
fn an_aggressive_learner_is_rewarded_for_pieces() {
    // Red, who rolls, has two cubes and blue one.
    let two: Einstein = "A4/1B3/5/5/4c r".parse().unwrap();
    let value = |pieces| Aggressive { evaluator: Even, pieces }.evaluate(&two);
    assert!((value(1.0) - f32::midpoint(0.5, 2.0 / 3.0)).abs() < 1e-6, "{}", value(1.0));
    assert!((value(1000.0) - 2.0 / 3.0).abs() < 1e-3, "{}", value(1000.0));
    // In Dice Chess pieces have values: a queen is worth 1,000, a king 2,000.
    let queen: DiceChess = "4k3/8/8/8/8/8/8/3QK3 b - - 0 1".parse().unwrap();
    let value = Aggressive { evaluator: Even, pieces: 3.0 }.evaluate(&queen);
    assert!((value - (0.5 + 3.0 * 0.4) / 4.0).abs() < 1e-6, "{value}");
}
