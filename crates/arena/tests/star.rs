//! Star1 and Star2 give the values of the plain search, with any table.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::sync::Arc;

use wurfel_game::{Agent, Budget, Evaluator, Even, Game, Literal, Random, Turn, draw};
use wurfel_games::Playable;
use wurfel_games::einstein::{Einstein, EinsteinNearest, Nearest, Official, Zweistein};
use wurfel_search::{Cutoffs, Expecti, Star, Table};

fn depth(depth: u32) -> Budget {
    Budget { depth: Some(depth), ..Budget::default() }
}

/// A position after up to `plies` random turns, and a throw in it.
fn somewhere<G: Game>(start: G, plies: u32, random: &mut Random) -> Option<(G, G::Roll)> {
    let mut position = start;
    for _ in 0..random.below(plies) {
        let roll = draw(position.rolls().as_ref(), random);
        let mut rest = Some(roll);
        while let Some(roll) = rest {
            rest = position.play(roll, position.pick(roll, random)?);
        }
        if position.outcome().is_some() {
            return None;
        }
    }
    let roll = draw(position.rolls().as_ref(), random);
    Some((position, roll))
}

/// Compares all values, and the decision, of both searches in a turn.
fn compare<G: Game, E: Evaluator<G> + Clone>(
    turn: Turn<'_, G>,
    evaluator: &E,
    deep: u32,
    table: &Arc<Table>,
) {
    let plain = Expecti::new(evaluator.clone(), depth(deep)).analyse(turn, Budget::default());
    for cutoffs in [Cutoffs::Star1, Cutoffs::Star2] {
        let mut star = Star::new(evaluator.clone(), cutoffs, Arc::clone(table), depth(deep));
        let decided = star.decide(turn, Budget::default());
        let pruned = star.analyse(turn, Budget::default());
        let at = format!("{} {} at depth {deep}, {cutoffs:?}", turn.position, turn.roll);
        let value = decided.value.unwrap();
        assert!((value - plain.moves[0].value.unwrap()).abs() < 1e-5, "{at}: {value}");
        for judged in &plain.moves {
            let same = pruned.moves.iter().find(|other| other.mv == judged.mv).unwrap();
            let (wanted, found) = (judged.value.unwrap(), same.value.unwrap());
            assert!((wanted - found).abs() < 1e-5, "{at}: {} {wanted} {found}", judged.mv);
            // A cut-off may spare an estimate, and then knows more.
            assert!(same.exact || !judged.exact, "{at}: {}", judged.mv);
        }
        // Of equally good moves either may be chosen.
        let chosen = plain.moves.iter().find(|judged| judged.mv == decided.mv).unwrap();
        assert!(plain.moves[0].value.unwrap() - chosen.value.unwrap() < 1e-5, "{at}");
    }
}

fn compare_on<G: Playable, E: Evaluator<G> + Clone>(evaluator: &E, seed: u64) {
    let mut random = Random::new(seed);
    for (deep, positions) in [(1, 1000), (2, 1000), (3, 500), (4, 100), (5, 12)] {
        for n in 0..positions {
            let start = G::setup(&mut random);
            // None to speak of, one that overflows, and one that holds all.
            let table = Arc::new(Table::new([0, 1, 8][n % 3]));
            if let Some((position, roll)) = somewhere(start, 20, &mut random) {
                compare(Turn { position: &position, roll }, evaluator, deep, &table);
            }
        }
    }
}

#[test]
fn einstein_has_the_values_of_the_plain_search() {
    compare_on::<Einstein, _>(&Arc::new(Zweistein::<Official>::new()), 1);
}

#[test]
fn einstein_nearest_has_the_values_of_the_plain_search() {
    compare_on::<EinsteinNearest, _>(&Arc::new(Zweistein::<Nearest>::new()), 2);
}

/// A random literal: throws with and without weights, draws, turns that go on.
fn literal(random: &mut Random, depth: u32) -> String {
    let end = |random: &mut Random| (*random.pick(&["+", "-", "="])).to_owned();
    if depth == 0 {
        return end(random);
    }
    let weights = *random.pick(&[&[6][..], &[3, 3], &[1, 5], &[2, 2, 2], &[1, 2, 3], &[4, 1, 1]]);
    let mut text = String::from("{");
    for weight in weights {
        text.extend([weight.to_string(), choice(random, depth)]);
    }
    text + "}"
}

fn choice(random: &mut Random, depth: u32) -> String {
    let mut text = String::from("[");
    for _ in 0..=random.below(3) {
        text += &match random.below(8) {
            0 => choice(random, depth),
            1 => literal(random, 0),
            _ => literal(random, depth - 1),
        };
    }
    text + "]"
}

#[test]
fn random_literals_have_the_values_of_the_plain_search() {
    let mut random = Random::new(3);
    for n in 0..600 {
        let text = literal(&mut random, 1 + n % 4);
        let Some((position, roll)) = somewhere(text.parse::<Literal>().unwrap(), 2, &mut random)
        else {
            continue;
        };
        let turn = Turn { position: &position, roll };
        for deep in 1..5 {
            compare(turn, &Even, deep, &Arc::new(Table::new(0)));
        }
        // What is called exact at depth 2 is the value of the whole game.
        let whole = Expecti::new(Even, depth(9)).analyse(turn, Budget::default());
        let table = Arc::new(Table::new(0));
        let shallow =
            Star::new(Even, Cutoffs::Star2, table, depth(2)).analyse(turn, Budget::default());
        for judged in shallow.moves.iter().filter(|judged| judged.exact) {
            let same = whole.moves.iter().find(|other| other.mv == judged.mv).unwrap();
            assert!((judged.value.unwrap() - same.value.unwrap()).abs() < 1e-5, "{text}");
        }
    }
}

#[test]
fn every_budget_gives_a_legal_move() {
    static STOP: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(true);
    let mut random = Random::new(4);
    let zweistein = Arc::new(Zweistein::<Official>::new());
    let mut star = Star::new(zweistein, Cutoffs::Star2, Arc::new(Table::new(1)), Budget::default());
    for _ in 0..200 {
        let Some((position, roll)) = somewhere(Einstein::setup(&mut random), 20, &mut random)
        else {
            continue;
        };
        let turn = Turn { position: &position, roll };
        for budget in [
            Budget::default(),
            Budget { nodes: Some(1), ..Budget::default() },
            Budget { nodes: Some(5000), ..Budget::default() },
            Budget { time: Some(std::time::Duration::from_micros(1)), ..Budget::default() },
            Budget { stop: Some(&STOP), depth: Some(30), ..Budget::default() },
        ] {
            let decision = star.decide(turn, budget);
            assert!(turn.moves().as_ref().contains(&decision.mv));
        }
    }
}
