// tests/sprint.rs
use sprint::{Die, Distance, Sprint};
use wurfel_core::{Evaluator, Game, Random, conformance};

#[test]
fn the_rules_keep_the_contract() {
    let positions = ["0 0 0 0 1 1", "3 9 0 11 2 8", "12 13 1 1 1 31"];
    let positions = positions.map(|text| text.parse().unwrap());
    conformance::check::<Sprint>(positions, &mut Random::new(1));
}

#[test]
fn a_runner_that_is_met_goes_back_to_the_start() {
    let mut position: Sprint = "0 5 3 4 1 7".parse().unwrap();
    position.play(Die(4), 5);
    assert_eq!(position.to_string(), "0 9 0 3 2 8");
}

#[test]
fn the_evaluation_sees_both_sides_alike() {
    let value = |text: &str| Distance.evaluate(&text.parse::<Sprint>().unwrap());
    assert_eq!(value("0 5 3 4 1 7"), value("3 4 0 5 2 7"));
    assert!(value("0 5 3 4 1 7") < value("3 4 0 5 1 7"));
}
