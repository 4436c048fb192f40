//! Star1 and Star2 find the values of the plain search, with any transposition table.

use std::sync::Arc;

use wurfel_core::{
    Agent, Budget, Evaluator, Even, Game, Literal, Random, Situation, Turn, draw, random_literal,
};
use wurfel_games::Playable;
use wurfel_games::einstein::{Einstein, EinsteinNearest, Nearest, Official, Zweistein, learned};
use wurfel_search::{Cutoffs, Expecti, Star, TranspositionTable};

fn depth(depth: u32) -> Budget<'static> {
    Budget { depth: Some(depth), ..Budget::default() }
}

/// A position after up to `plies` random turns, and a roll in it.
pub fn somewhere<G: Game>(start: G, plies: u32, random: &mut Random) -> Option<(G, G::Roll)> {
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

/// Compares all values, and the decision, of the two searches in one turn.
fn compare<G: Game, E: Evaluator<G> + Clone>(
    turn: Turn<'_, G>,
    evaluator: &E,
    deep: u32,
    table: &Arc<TranspositionTable>,
) {
    let plain = Expecti::new(evaluator.clone(), depth(deep)).analyse(turn, Budget::default());
    for cutoffs in [Cutoffs::Star1, Cutoffs::Star2] {
        let mut star = Star::new(evaluator.clone(), cutoffs, Arc::clone(table), depth(deep));
        let decided = star.decide(turn, Budget::default());
        let pruned = star.analyse(turn, Budget::default());
        let at = format!("{} {} at depth {deep}, {cutoffs:?}", turn.position, turn.roll);
        let value = decided.value.unwrap();
        assert!((value - plain.moves[0].value.unwrap()).abs() < 1e-5, "{at}: {value}");
        for scored in &plain.moves {
            let same = pruned.moves.iter().find(|other| other.mv == scored.mv).unwrap();
            let (wanted, actual) = (scored.value.unwrap(), same.value.unwrap());
            assert!((wanted - actual).abs() < 1e-5, "{at}: {} {wanted} {actual}", scored.mv);
            // A cut-off may avoid an estimate, and then the value is exact where that of the plain
            // search is not.
            assert!(same.exact || !scored.exact, "{at}: {}", scored.mv);
        }
        // Any one of several equally good moves may be chosen.
        let chosen = plain.moves.iter().find(|scored| scored.mv == decided.mv).unwrap();
        assert!(plain.moves[0].value.unwrap() - chosen.value.unwrap() < 1e-5, "{at}");
    }
}

fn compare_on<G: Playable, E: Evaluator<G> + Clone>(evaluator: &E, seed: u64) {
    let mut random = Random::new(seed);
    for (deep, positions) in [(1, 1000), (2, 1000), (3, 500), (4, 100), (5, 12)] {
        for n in 0..positions {
            let start = G::default().setup(&mut random);
            // A table with hardly any entries, one that overflows, and one that holds everything.
            let table = Arc::new(TranspositionTable::new([0, 1, 8][n % 3]));
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

#[test]
fn random_literals_have_the_values_of_the_plain_search() {
    let mut random = Random::new(3);
    for n in 0..600 {
        let text = random_literal(&mut random, 1 + n % 4);
        let Some((position, roll)) = somewhere(text.parse::<Literal>().unwrap(), 2, &mut random)
        else {
            continue;
        };
        let turn = Turn { position: &position, roll };
        for deep in 1..5 {
            compare(turn, &Even, deep, &Arc::new(TranspositionTable::new(0)));
        }
        // A value that is called exact at depth 2 must be that of a search to the end of the game.
        let whole = Expecti::new(Even, depth(9)).analyse(turn, Budget::default());
        let table = Arc::new(TranspositionTable::new(0));
        let shallow =
            Star::new(Even, Cutoffs::Star2, table, depth(2)).analyse(turn, Budget::default());
        for scored in shallow.moves.iter().filter(|scored| scored.exact) {
            let same = whole.moves.iter().find(|other| other.mv == scored.mv).unwrap();
            assert!((scored.value.unwrap() - same.value.unwrap()).abs() < 1e-5, "{text}");
        }
    }
}

/// Only a search of many nodes keeps what positions are worth one turn ahead.
#[test]
fn long_searches_have_the_values_of_the_plain_search() {
    let zweistein = Arc::new(Zweistein::<Official>::new());
    let table = Arc::new(TranspositionTable::new(1));
    let mut random = Random::new(5);
    for _ in 0..4 {
        let start = Einstein::default().setup(&mut random);
        let (position, roll) = somewhere(start, 6, &mut random).unwrap();
        let turn = Turn { position: &position, roll };
        let mut star =
            Star::new(Arc::clone(&zweistein), Cutoffs::Star2, Arc::clone(&table), depth(6));
        assert!(star.decide(turn, Budget::default()).nodes > 40_000);
        compare(turn, &zweistein, 6, &table);
    }
}

#[test]
fn every_budget_gives_a_legal_move() {
    static STOP: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(true);
    let mut random = Random::new(4);
    let zweistein = Arc::new(Zweistein::<Official>::new());
    let mut star = Star::new(
        zweistein,
        Cutoffs::Star2,
        Arc::new(TranspositionTable::new(1)),
        Budget::default(),
    );
    for _ in 0..200 {
        let Some((position, roll)) =
            somewhere(Einstein::default().setup(&mut random), 20, &mut random)
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

/// Compares searches on several threads with the search on one thread: all moves, and the decision.
fn compare_threads<G: Playable, E: Evaluator<G> + Clone>(
    evaluator: &E,
    seed: u64,
    deep: u32,
    positions: u32,
) {
    let mut random = Random::new(seed);
    for n in 0..positions {
        let Some((position, roll)) = somewhere(G::default().setup(&mut random), 24, &mut random)
        else {
            continue;
        };
        let turn = Turn { position: &position, roll };
        // A table that overflows and one that holds everything. First each search has a table of
        // its own; then both share one that is full of what the last search left.
        let table = || Arc::new(TranspositionTable::new([1, 16][n as usize % 2]));
        let star = |threads, table: &Arc<TranspositionTable>| {
            let star = Star::new(evaluator.clone(), Cutoffs::Star2, Arc::clone(table), depth(deep));
            star.on_threads(threads)
        };
        let one = star(1, &table()).analyse(turn, Budget::default());
        let best = one.moves[0].value.unwrap();
        let mut used = table();
        for threads in [2, 3] {
            let at = format!("{position} {roll} at depth {deep} on {threads} threads");
            for table in [table(), Arc::clone(&used)] {
                let mut several = star(threads, &table);
                let decided = several.decide(turn, Budget::default());
                assert!((decided.value.unwrap() - best).abs() < 1e-5, "{at}: {decided:?}");
                let chosen = one.moves.iter().find(|scored| scored.mv == decided.mv).unwrap();
                assert!(best - chosen.value.unwrap() < 1e-5, "{at}: {decided:?}");
                let all = several.analyse(turn, Budget::default());
                for scored in &one.moves {
                    let same = all.moves.iter().find(|other| other.mv == scored.mv).unwrap();
                    let difference = (scored.value.unwrap() - same.value.unwrap()).abs();
                    assert!(difference < 1e-5, "{at}: {} {difference}", scored.mv);
                }
                used = table;
            }
        }
    }
}

#[test]
fn several_threads_find_the_values_of_one() {
    let zweistein = Arc::new(Zweistein::<Official>::new());
    compare_threads::<Einstein, _>(&zweistein, 5, 5, 150);
    compare_threads::<Einstein, _>(&zweistein, 6, 6, 30);
    // The learned evaluation continues from parents, whatever the order of the nodes is.
    compare_threads::<Einstein, _>(&Arc::new(learned::<Official>()), 7, 5, 60);
    compare_threads::<EinsteinNearest, _>(&Arc::new(Zweistein::<Nearest>::new()), 8, 5, 60);
}

/// A turn whose first move is refuted by looking two turns ahead, whose second move draws, and
/// whose third move wins, which takes many nodes to find.
const LATE: &str = "{[{[-]}{[=]}{[++++++++++++++++++++++++++++++]}]}";

/// What `agent` finds with larger budgets: it never gets worse, and in the end it is the best move.
fn grows_with_its_budget(mut agent: impl Agent<Literal>) -> Vec<f32> {
    let position: Literal = LATE.parse().unwrap();
    let turn = Turn { position: &position, roll: position.rolls()[0].item };
    let mut actual = vec![];
    for nodes in 1..100 {
        agent.begin(Random::new(0));
        let decision = agent.decide(turn, Budget { nodes: Some(nodes), ..Budget::default() });
        let number = turn.moves().iter().position(|&mv| mv == decision.mv).unwrap();
        actual.push([0.0, 0.5, 1.0][number]);
    }
    assert!(actual.is_sorted(), "{actual:?}");
    actual.dedup();
    actual
}

/// If the budget ends after the draw was found and before the win, the search still uses what it
/// has seen of the second turn.
#[test]
fn a_search_that_was_cut_short_keeps_what_it_has_found() {
    assert_eq!(grows_with_its_budget(Expecti::new(Even, Budget::default())), [0.0, 0.5, 1.0]);
    for cutoffs in [Cutoffs::Star1, Cutoffs::Star2] {
        let star =
            Star::new(Even, cutoffs, Arc::new(TranspositionTable::new(0)), Budget::default());
        assert_eq!(grows_with_its_budget(star), [0.0, 0.5, 1.0], "{cutoffs:?}");
    }
}

/// An analysis promises the values of all moves at the same depth, so it uses only finished
/// iterations.
#[test]
fn an_analysis_counts_whole_iterations() {
    let position: Literal = LATE.parse().unwrap();
    let turn = Turn { position: &position, roll: position.rolls()[0].item };
    let mut star =
        Star::new(Even, Cutoffs::Star2, Arc::new(TranspositionTable::new(0)), Budget::default());
    for nodes in 1..100 {
        <Star<Even> as Agent<Literal>>::begin(&mut star, Random::new(0));
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        let analysis = star.analyse(turn, budget);
        let values: Vec<f32> = analysis.moves.iter().map(|scored| scored.value.unwrap()).collect();
        match analysis.depth {
            1 => assert_eq!(values, [0.5; 3], "{nodes} nodes"),
            _ => assert_eq!(values, [1.0, 0.5, 0.0], "{nodes} nodes"),
        }
    }
}

/// In the game itself: with any number of nodes, the move is that of a finished iteration, or is
/// better than that move one turn deeper.
#[test]
fn a_decision_cut_short_is_no_worse_one_turn_deeper() {
    let zweistein = Arc::new(Zweistein::<Official>::new());
    let mut random = Random::new(9);
    let (mut changed, mut decisions) = (0, 0);
    for _ in 0..40 {
        let Some((position, roll)) =
            somewhere(Einstein::default().setup(&mut random), 16, &mut random)
        else {
            continue;
        };
        let turn = Turn { position: &position, roll };
        let star = || {
            let table = Arc::new(TranspositionTable::new(1));
            Star::new(Arc::clone(&zweistein), Cutoffs::Star2, table, Budget::default())
        };
        for nodes in [100, 300, 1000, 3000, 10_000, 30_000] {
            let decided = star().decide(turn, Budget { nodes: Some(nodes), ..Budget::default() });
            let whole = star().decide(turn, depth(decided.depth));
            let deeper = star().analyse(turn, depth(decided.depth + 1));
            let worth = |mv| deeper.moves.iter().find(|scored| scored.mv == mv).unwrap().value;
            let (actual, before) = (worth(decided.mv).unwrap(), worth(whole.mv).unwrap());
            assert!(actual > before - 1e-5, "{position} {roll}, {nodes} nodes: {actual} {before}");
            changed += u32::from(decided.mv != whole.mv);
            decisions += 1;
        }
    }
    assert!(changed > 0, "no iteration of {decisions} that was cut short changed a move");
}

/// Bounds were once taken for values where 1 − (1 − x) is not x in 32 bits. Then a solved position
/// was off by up to half a point of a hundred. The values are those of two programs by other people,
/// in C++ and in Python.
#[test]
fn solved_positions_have_the_values_that_other_programs_find() {
    for (position, value) in
        [("4a/3d1/2C2/3b1/D4 r - 1", 0.707_927), ("4a/1C1d1/5/4b/D4 r - 2", 0.421_85)]
    {
        let Situation { position, .. } = position.parse::<Situation<Einstein>>().unwrap();
        let table = Arc::new(TranspositionTable::new(64));
        let zweistein = Zweistein::<Official>::new();
        let star = Star::new(zweistein, Cutoffs::Star2, table, Budget::default());
        let solution = star.solve_moves(&position, None, 1, Budget::default(), |_, _| {});
        let (low, high) = solution.bounds();
        assert!((low - value).abs() < 1e-5 && (high - value).abs() < 1e-5, "{position}: {low}");
    }
}
