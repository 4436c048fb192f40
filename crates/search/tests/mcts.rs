//! Monte Carlo tree search on games whose values can be seen.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use wurfel_game::{Agent, Analysis, Budget, Even, Literal, Random, Situation, Turn};
use wurfel_search::Expecti;
use wurfel_search::mcts::{EvaluateAtOnce, Flat, Mcts, Playout, ToTheEnd, Ucb, Uniform};

fn analyse(game: &str, playouts: u64, playout: impl Playout<Literal>, c: f32) -> Analysis<Literal> {
    let Situation { position, roll } = game.parse().unwrap();
    let turn = Turn { position: &position, roll: roll.unwrap() };
    let budget = Budget { nodes: Some(playouts), ..Budget::default() };
    Mcts::new(Ucb { c }, playout, budget, Random::new(1)).analyse(turn, Budget::default())
}

/// The value found for each move, by the move's number.
fn values(analysis: &Analysis<Literal>) -> Vec<f32> {
    let mut moves = analysis.moves.clone();
    moves.sort_by_key(|judged| judged.mv.to_string());
    moves.iter().map(|judged| judged.value.unwrap()).collect()
}

#[test]
fn both_sides_look_for_their_own_good() {
    // After move 1 the other side finds its win; after move 2 it has none.
    let analysis = analyse("{[{[+++-]}{[=++]}]} 1 1", 4000, ToTheEnd(Uniform), 0.5);
    assert_eq!(analysis.moves[0].mv.to_string(), "2");
    let found = values(&analysis);
    assert!(found[0] < 0.3 && (found[1] - 0.5).abs() < 0.1, "{found:?}");
    // The same for the second side.
    let analysis = analyse("{[{[---+]}{[=--]}]} 2 1", 4000, ToTheEnd(Uniform), 0.5);
    assert_eq!(analysis.moves[0].mv.to_string(), "2");
}

#[test]
fn throws_count_by_their_weights() {
    // The other side is lost with 5 faces of 6 after move 1, with 1 after move 2.
    let analysis = analyse("{[{5[+]1[-]}{1[+]5[-]}]} 1 1", 20_000, ToTheEnd(Uniform), 2.0);
    let found = values(&analysis);
    assert!((found[0] - 5.0 / 6.0).abs() < 0.02, "{found:?}");
    assert!((found[1] - 1.0 / 6.0).abs() < 0.08, "{found:?}");
}

#[test]
fn a_side_that_goes_on_is_not_its_own_enemy() {
    let analysis = analyse("{[[+--]=]} 1 1", 2000, ToTheEnd(Uniform), 0.5);
    assert_eq!(analysis.moves[0].mv.to_string(), "1");
    assert!(values(&analysis)[0] > 0.9, "{:?}", values(&analysis));
}

#[test]
fn it_comes_to_the_decision_of_the_whole_search() {
    let games = [
        "{[{[{[+-]}{[-=]}]3[-]3[=+]}{2[+-]4[{[++]}{[--]}]}]} 1 1",
        "{[{3[+=]3[{[{[+-]}=]}]}{6[{1[+]5[-]}]}=]} 1 1",
        "{[{[{[--+]}]}{[{[+]}{[-]}]}]} 2 1",
    ];
    for text in games {
        let text = text.replace("3[-]3[=+]", "[=+]");
        let Situation { position, roll } = text.parse::<Situation<Literal>>().unwrap();
        let turn = Turn { position: &position, roll: roll.unwrap() };
        let whole = Budget { depth: Some(9), ..Budget::default() };
        let exact = Expecti::new(Even, whole).analyse(turn, Budget::default());
        for found in [
            analyse(&text, 20_000, ToTheEnd(Uniform), 0.7),
            analyse(&text, 20_000, EvaluateAtOnce(Even), 0.7),
        ] {
            let chosen = found.moves[0];
            let true_value = |mv| exact.moves.iter().find(|judged| judged.mv == mv).unwrap().value;
            assert_eq!(true_value(chosen.mv), exact.moves[0].value, "{text}");
            let error = chosen.value.unwrap() - exact.moves[0].value.unwrap();
            assert!(error.abs() < 0.06, "{text}: {error}");
        }
    }
}

#[test]
fn flat_playouts_average_over_what_both_sides_might_do() {
    let Situation { position, roll } =
        "{[{[+++-]}{[=++]}+]} 1 1".parse::<Situation<Literal>>().unwrap();
    let turn = Turn { position: &position, roll: roll.unwrap() };
    let budget = Budget { nodes: Some(30_000), ..Budget::default() };
    let analysis =
        Flat::new(ToTheEnd(Uniform), budget, Random::new(1)).analyse(turn, Budget::default());
    // A tree would find that the other side wins after the first move.
    let wanted = [0.75, 5.0 / 6.0, 1.0];
    for (found, wanted) in values(&analysis).into_iter().zip(wanted) {
        assert!((found - wanted).abs() < 0.015, "{found} is not {wanted}");
    }
    assert_eq!((analysis.nodes, analysis.moves[0].mv.to_string()), (30_000, "3".to_owned()));
}

#[test]
fn a_budget_of_playouts_is_kept_exactly() {
    for playouts in [1, 2, 1000] {
        let analysis = analyse("{[{[+-]}{[-+]}]} 1 1", playouts, ToTheEnd(Uniform), 1.0);
        assert_eq!(analysis.nodes, playouts);
        assert_eq!(analysis.moves.len(), 2);
    }
}
