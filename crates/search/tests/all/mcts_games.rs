//! Monte Carlo tree search on games of `EinStein würfelt nicht!`.

use std::sync::Arc;

use wurfel_core::{
    Agent, Analysis, Assessment, Budget, Even, Game, Preference, Random, Situation, Turn, draw,
};
use wurfel_games::Playable;
use wurfel_games::einstein::{Basic, Die, Einstein, Official, Zweistein};
use wurfel_search::mcts::{
    Flat, FullPlayout, HeuristicPruning, HeuristicScale, Huct, HuctSettings, Mcts, MctsSettings,
    Playout, Select, TreeForm, TreeStatistics, Ucb, Uniform,
};
use wurfel_search::{Cutoffs, Expecti, Star, TranspositionTable};

/// Rolled positions from all phases of the game.
const SAMPLES: [&str; 3] =
    ["FA1B1/2C2/D2e1/2E1d/2cba b 2 6", "2C2/1A1d1/3e1/1b1F1/a4 b 3 14", "2B2/F4/5/3f1/4a r 4 11"];

const START: &str = "ABC2/DE3/F3f/3ed/2cba r 4 1";

fn playouts(playouts: u64) -> Budget<'static> {
    Budget { nodes: Some(playouts), ..Budget::default() }
}

fn player<S: Select<Einstein>>(
    select: S,
    settings: MctsSettings,
    budget: Budget<'static>,
) -> Mcts<Einstein, S, FullPlayout<Uniform>> {
    Mcts::new(select, FullPlayout(Uniform), budget, Random::new(1)).with(settings)
}

fn in_form(form: TreeForm) -> MctsSettings {
    MctsSettings { form, ..MctsSettings::default() }
}

fn ask(agent: &mut impl Agent<Einstein>, text: &str) -> Analysis<Einstein> {
    let Situation { position, roll } = text.parse::<Situation<Einstein>>().unwrap();
    agent.analyse(Turn { position: &position, roll: roll.unwrap() }, Budget::default())
}

/// A rolled position after `plies` random turns.
fn rolled(plies: u32, random: &mut Random) -> Option<(Einstein, <Einstein as Game>::Roll)> {
    let mut position = Einstein::default().setup(random);
    for _ in 0..plies {
        let roll = draw(position.rolls(), random);
        position.play(roll, position.pick(roll, random)?);
        if position.outcome().is_some() {
            return None;
        }
    }
    let roll = draw(position.rolls(), random);
    Some((position, roll))
}

/// In endgames all forms find the exact values. This includes the open form, because in EWN a move
/// alone decides which position follows.
#[test]
fn endgames_come_out_exactly() {
    let zweistein = Arc::new(Zweistein::<Official>::new());
    let deep = Budget { depth: Some(14), ..Budget::default() };
    for text in
        ["5/2B2/3F1/1f3/2a2 r 4 11", "5/2C2/1f1F1/3a1/5 b 3 11", "5/A1B2/1f1F1/1b1a1/5 r 3 11"]
    {
        let table = Arc::new(TranspositionTable::new(16));
        let mut star = Star::new(Arc::clone(&zweistein), Cutoffs::Star2, table, deep);
        let exact = ask(&mut star, text).moves;
        for form in [TreeForm::Closed, TreeForm::Open, TreeForm::Proving] {
            let mut player = player(Ucb::new(0.5), in_form(form), playouts(100_000));
            let actual = ask(&mut player, text).moves[0];
            let same = exact.iter().find(|scored| scored.mv == actual.mv).unwrap();
            let [actual, wanted, best] =
                [&actual, same, &exact[0]].map(|scored| scored.value.unwrap());
            assert!((actual - wanted).abs() < 0.015, "{text} {form:?}: {actual} {wanted}");
            assert!(best - wanted < 0.03, "{text} {form:?}: {wanted} {best}");
        }
    }
}

#[test]
fn what_is_proven_is_what_the_whole_search_finds() {
    let mut random = Random::new(2);
    let (mut positions, mut proven) = (0, 0);
    while positions < 100 {
        let Some((position, roll)) = rolled(22, &mut random) else { continue };
        positions += 1;
        let turn = Turn { position: &position, roll };
        let mut solver = player(Ucb::new(1.0), in_form(TreeForm::Proving), playouts(4000));
        let actual = solver.analyse(turn, Budget::default());
        let whole = Budget { depth: Some(4), ..Budget::default() };
        let exact = Expecti::new(Even, whole).analyse(turn, Budget::default());
        for scored in actual.moves.iter().filter(|scored| scored.exact) {
            let other = exact.moves.iter().find(|other| other.mv == scored.mv).unwrap();
            if other.exact {
                assert_eq!(scored.value, other.value, "{position} {roll}: {}", scored.mv);
                proven += 1;
            }
        }
        // A move that wins immediately is made.
        if exact.moves[0].exact && exact.moves[0].value == Some(1.0) {
            assert_eq!(actual.moves[0].value, Some(1.0), "{position} {roll}");
        }
    }
    assert!(proven > 20, "{proven}");
}

#[test]
fn the_line_is_a_game_that_can_be_played() {
    for form in [TreeForm::Closed, TreeForm::Open, TreeForm::Proving] {
        for text in SAMPLES {
            let actual = ask(&mut player(Ucb::new(1.0), in_form(form), playouts(20_000)), text);
            let mut position = text.parse::<Situation<Einstein>>().unwrap().position;
            for &(roll, mv) in &actual.line {
                assert_eq!(position.outcome(), None);
                assert!(
                    position.rolls().iter().any(|known| known.item == roll) || position.ply() > 0
                );
                assert!(position.moves(roll).as_ref().contains(&mv), "{roll} {mv}: {position}");
                position.play(roll, mv);
            }
            assert!(actual.line.len() <= actual.depth as usize);
            assert!(
                actual.line.len() >= 3 || position.outcome().is_some() || form == TreeForm::Proving
            );
        }
    }
}

/// The selection of paper `heuristic-pruned-mcts` with the given pruning.
fn huct(pruning: Option<HeuristicPruning>) -> Huct<Arc<Zweistein<Official>>, Basic> {
    let scale = HeuristicScale::Points;
    let settings = HuctSettings { c: 2.0, k: 0.5, lambda: 0.5, pruning, scale };
    Huct { settings, evaluator: Arc::new(Zweistein::new()), preference: Basic }
}

#[test]
fn a_larger_eta_prunes_less() {
    let look = |pruning| -> TreeStatistics {
        let mut player = player(huct(pruning), MctsSettings::default(), playouts(20_000));
        ask(&mut player, START);
        player.statistics()
    };
    let [none, light, heavy] =
        [None, Some(0.7), Some(1.2)].map(|eta| look(eta.map(HeuristicPruning::new)));
    assert_eq!(none.pruned, 0);
    assert!(light.prune_rate() > heavy.prune_rate(), "{light:?} {heavy:?}");
    assert!(heavy.prune_rate() > 0.0, "{heavy:?}");
}

#[test]
fn urgent_moves_and_the_best_two_are_never_pruned() {
    let mut random = Random::new(3);
    // The strongest pruning that the formula allows: everything below the mean, however close to
    // the best.
    let pruning = HeuristicPruning { gap: 0.0, ..HeuristicPruning::new(0.0) };
    let mut player = player(huct(Some(pruning)), MctsSettings::default(), playouts(100));
    let (mut pruned, mut urgent) = (0, 0);
    for plies in 0..400 {
        let Some((position, roll)) = rolled(plies % 20, &mut random) else { continue };
        let turn = Turn { position: &position, roll };
        let actual = player.analyse(turn, Budget::default());
        let tried = |scored: &&Assessment<_>| scored.value.is_some();
        assert!(actual.moves.iter().filter(tried).count() >= actual.moves.len().min(2));
        for scored in &actual.moves {
            if Basic.is_urgent(turn, scored.mv) {
                assert!(scored.value.is_some(), "{position} {roll}: {}", scored.mv);
                urgent += 1;
            } else if scored.value.is_none() {
                pruned += 1;
            }
        }
    }
    assert!(pruned > 100 && urgent > 100, "{pruned} {urgent}");
}

#[test]
fn ten_million_nodes_take_less_than_a_gigabyte() {
    let mut player = player(Ucb::new(1.0), MctsSettings::default(), playouts(200_000));
    ask(&mut player, START);
    let actual = player.statistics();
    let nodes = actual.moves as f64;
    assert!(nodes > 200_000.0, "{actual:?}");
    assert!(actual.bytes as f64 / nodes * 1e7 < 1e9, "{actual:?}");
}

#[test]
fn what_was_found_out_before_counts_in_the_next_decision() {
    for form in [TreeForm::Closed, TreeForm::Open, TreeForm::Proving] {
        for reuse in [true, false] {
            let settings = MctsSettings { reuse, ..in_form(form) };
            let mut player = player(Ucb::new(1.0), settings, Budget::default());
            let Situation { mut position, roll } = START.parse::<Situation<Einstein>>().unwrap();
            let turn = Turn { position: &position, roll: roll.unwrap() };
            let line = player.analyse(turn, playouts(100_000)).line;
            for &(roll, mv) in &line[..2] {
                position.play(roll, mv);
            }
            // Two turns later, after the rolls and moves of the principal variation.
            let turn = Turn { position: &position, roll: line[2].0 };
            let actual = player.analyse(turn, playouts(1));
            let known = actual.moves.iter().filter(|scored| scored.value.is_some()).count();
            assert_eq!(known, if reuse { actual.moves.len() } else { 1 });
            assert_eq!(actual.line.get(1), line.get(3).filter(|_| reuse), "{:?}", actual.line);
            assert_eq!(actual.nodes, 1);
        }
    }
}

/// In EinStein würfelt nicht! the playouts after a move are made together, where a move has enough of them: by
/// their means the moves rank as by playouts one by one, and none is made too many.
#[test]
fn flat_playouts_that_are_made_together_have_the_same_means() {
    struct OneByOne;
    impl Playout<Einstein> for OneByOne {
        fn result(&self, position: Einstein, roll: Option<Die>, random: &mut Random) -> f32 {
            FullPlayout(Uniform).result(position, roll, random)
        }
    }
    for count in [1, 5, 24, 25, 40_000, 40_001] {
        let mut together = Flat::new(FullPlayout(Uniform), playouts(count), Random::new(1));
        let mut single = Flat::new(OneByOne, playouts(count), Random::new(2));
        let [together, single] = [ask(&mut together, START), ask(&mut single, START)];
        assert_eq!((together.nodes, single.nodes), (count.max(3), count.max(3)));
        if count > 1000 {
            for actual in &together.moves {
                let other = single.moves.iter().find(|other| other.mv == actual.mv).unwrap();
                let (actual, other) = (actual.value.unwrap(), other.value.unwrap());
                // Four standard errors of the difference of two means over 13,333 games each.
                assert!((actual - other).abs() < 0.0245, "{actual} {other}");
            }
        }
    }
}
