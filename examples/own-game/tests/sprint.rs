//! The contract of the rules, and what the agents make of them.

use own_game::{Distance, Sprint};
use wurfel_arena::{Entrant, Match};
use wurfel_core::{Evaluator, Game, Random, conformance};

#[test]
fn the_rules_keep_the_contract() {
    let positions =
        ["0,0 0,0 1 1", "3,9 0,11 2 8", "12,13 1,1 1 31"].map(|text| text.parse().unwrap());
    conformance::check::<Sprint>(positions, &mut Random::new(1));
}

#[test]
fn a_runner_that_is_met_goes_back_to_the_start() {
    let mut position: Sprint = "0,5 3,4 1 7".parse().unwrap();
    let (roll, mv) = ("4".parse().unwrap(), position.moves("4".parse().unwrap())[1]);
    position.play(roll, mv);
    assert_eq!(position.to_string(), "0,9 0,3 2 8");
}

#[test]
fn the_evaluation_sees_both_sides_alike() {
    let value = |text: &str| Distance.evaluate(&text.parse::<Sprint>().unwrap());
    assert!((value("0,5 3,4 1 7") - value("3,4 0,5 2 7")).abs() < 1e-6);
    assert!(value("0,5 3,4 1 7") < value("3,4 0,5 1 7"));
}

#[test]
fn a_search_beats_chance() {
    let entrants =
        ["expecti:depth=2", "random"].map(|spec| Entrant::new(spec.parse().unwrap()).unwrap());
    let report = Match::<Sprint>::between(entrants, 100, 1).run(2, None, &mut |_| {}).unwrap();
    assert!(report.score.summary().interval.low > 0.5);
}
