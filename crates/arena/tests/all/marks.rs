//! The marks of reviews must be right. They are compared with exact values where there are any, and
//! elsewhere with a deeper search.

#![allow(clippy::print_stdout, reason = "a measurement is printed")]

use std::fmt::Write;
use std::sync::Arc;

use wurfel_agents::{Factory, build, solver_with};
use wurfel_arena::{Mark, PositionSource, RecordedGame, ReviewedDecision, Reviewer, read_games};
use wurfel_core::{Agent, Budget, Even, Game, Random, Turn, Weighted, draw};
use wurfel_games::einstein::Einstein;
use wurfel_search::{Cutoffs, Star, TranspositionTable};
use wurfel_tablebase::{Build, Tables};

const DEFAULT_BUDGET: Budget<'_> =
    Budget { depth: Some(4), nodes: None, time: None, deadline: None, clocks: None, stop: None };
/// A bound on what the rounding of table values adds to a loss, with room to spare.
const ROUNDING: f64 = 2e-4;

fn small_tables(pieces: u32) -> Arc<Tables<Einstein>> {
    let folder = tempfile::tempdir().unwrap();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let settings = Build { pieces, threads, memory: 1 << 30 };
    Arc::new(Tables::ready("einstein", folder.path(), settings).unwrap())
}

fn champion() -> Factory<Einstein> {
    build(&Einstein::default(), &"champion".parse().unwrap()).unwrap()
}

/// The decisions of games as `wurfel review` sees them, with tables for up to four cubes.
fn default_decisions(games: &[RecordedGame<Einstein>]) -> Vec<ReviewedDecision<Einstein>> {
    decisions(champion(), Some(solver_with(small_tables(4))), DEFAULT_BUDGET, games)
}

fn decisions(
    analyser: Factory<Einstein>,
    solver: Option<Factory<Einstein>>,
    budget: Budget<'_>,
    games: &[RecordedGame<Einstein>],
) -> Vec<ReviewedDecision<Einstein>> {
    let mut decisions = vec![];
    let reviewer = Reviewer { analyser, solver, budget, again: None };
    let see = |_, review: wurfel_arena::Review<Einstein>| {
        decisions.extend(review.decisions);
        true
    };
    reviewer.run(games, 2, |_| {}, see).unwrap();
    decisions
}

/// Games of one move, made at random in positions with this many cubes.
fn random_moves(pieces: &[u32], count: u64, seed: u64) -> Vec<RecordedGame<Einstein>> {
    let mut text = String::new();
    for number in 0..count {
        let mut random = Random::new(Random::seed_for(seed, &[number]));
        let pieces = pieces[number as usize % pieces.len()];
        let source =
            if number % 2 == 0 { PositionSource::Scattered } else { PositionSource::Played };
        let position: Einstein = source.draw(&Einstein::default(), pieces, &mut random).unwrap();
        let roll = draw(position.rolls(), &mut random);
        let mv = *random.pick(position.moves(roll).as_ref());
        writeln!(text, "{position} @{roll} {mv}\n").unwrap();
    }
    read_games(&Einstein::default(), &text).unwrap()
}

/// What a move loses against perfect play, by a search that uses no tables.
fn exact_loss(star: &mut Star<Even>, decided: &ReviewedDecision<Einstein>) -> f64 {
    Agent::<Einstein>::begin(star, Random::new(0));
    let (position, roll) = (&decided.situation.position, decided.situation.roll.unwrap());
    let value = |mv| {
        let mut next = *position;
        assert!(next.play(roll, mv).is_none(), "a turn has one move");
        1.0 - f64::from(star.solve(&next, Budget::default()).0.unwrap())
    };
    let best = position.moves(roll).as_ref().iter().map(|&mv| value(mv)).fold(0.0, f64::max);
    best - value(decided.mv)
}

fn oracle() -> Star<Even> {
    Star::new(Even, Cutoffs::Star1, Arc::new(TranspositionTable::new(64)), Budget::default())
}

/// Whether a mark belongs to this loss, up to rounding.
fn is_right(mark: Option<Mark>, loss: f64) -> bool {
    [-ROUNDING, 0.0, ROUNDING].iter().any(|error| Mark::of(loss + error) == mark)
}

/// In `5/1A3/2B2/2c1a/5 b` with roll 4, the champion alone, at depth 4, found that c2b2 loses 18
/// points against a move that is in fact the worse one.
#[test]
fn the_best_move_is_no_blunder() {
    let games = read_games(&Einstein::default(), "5/1A3/2B2/2c1a/5 b - 1 @4 c2b2").unwrap();
    let decided = &default_decisions(&games)[0];
    assert!(decided.exact() && decided.lost() == 0.0, "{decided:?}");
    assert!((decided.best() - 0.1514).abs() < 1e-4, "{decided:?}");
    let worse = decided.moves[1].value.unwrap();
    assert!((worse - 0.1241).abs() < 1e-4, "{decided:?}");
}

#[test]
fn marks_of_positions_with_few_cubes_are_those_of_perfect_play() {
    let games = random_moves(&[3, 4, 5], 150, 1);
    let mut star = oracle();
    let mut marks = 0;
    for decided in default_decisions(&games) {
        assert!(decided.exact(), "{}", decided.situation);
        let (mark, loss) = (Mark::of(decided.lost()), exact_loss(&mut star, &decided));
        assert!(is_right(mark, loss), "{}: {mark:?} but {loss}", decided.situation);
        marks += u32::from(mark.is_some());
    }
    assert!(marks > 30, "{marks}");
}

/// Evaluates the positions one turn later, independently of the analyser's earlier values.
fn value_one_turn_on(analyser: &mut dyn Agent<Einstein>, position: &Einstein) -> f64 {
    if let Some(outcome) = position.outcome() {
        return f64::from(outcome.value_for(position.side()));
    }
    let (mut sum, mut chances) = (0.0, 0.0);
    for &Weighted { item: roll, weight } in position.rolls() {
        let analysis = analyser.analyse(Turn { position, roll }, Budget::default());
        let best = analysis.moves.iter().filter_map(|scored| scored.value).fold(0.0, f32::max);
        sum += f64::from(weight) * f64::from(best);
        chances += f64::from(weight);
    }
    sum / chances
}

#[test]
fn a_mark_stands_only_when_a_deeper_look_confirms_it() {
    let games = random_moves(&[9, 10, 11], 150, 2);
    let factory = || build(&Einstein::default(), &"expecti:depth=1".parse().unwrap()).unwrap();
    let mut analyser = factory()();
    let (mut stood, mut fell) = (0, 0);
    for decided in decisions(factory(), None, Budget::default(), &games) {
        let (position, roll) = (&decided.situation.position, decided.situation.roll.unwrap());
        let turn = Turn { position, roll };
        let first = analyser.analyse(turn, Budget::default());
        let value = |mv| first.moves.iter().find(|of| of.mv == mv).and_then(|of| of.value).unwrap();
        let lost = f64::from(value(first.moves[0].mv) - value(decided.mv));
        if Mark::of(lost).is_none() {
            assert!((decided.lost() - lost).abs() < 1e-6);
            continue;
        }
        let mut deeper = |mv| {
            let mut next = *position;
            assert!(next.play(roll, mv).is_none());
            1.0 - value_one_turn_on(&mut *analyser, &next)
        };
        let made = deeper(decided.mv);
        let rivals = first.moves.iter().filter(|of| of.value.unwrap() > value(decided.mv)).take(4);
        let best = rivals.map(|of| deeper(of.mv)).fold(made, f64::max);
        assert!((decided.lost() - (best - made)).abs() < 1e-6, "{}", decided.situation);
        assert!((decided.best() - best).abs() < 1e-6);
        match Mark::of(decided.lost()) {
            Some(_) => stood += 1,
            None => fell += 1,
        }
    }
    assert!(stood > 20 && fell > 0, "{stood} {fell}");
}

/// A measurement in `docs/methods/reviews.md`: the marks of the analyser of `wurfel review`,
/// compared with tables for five cubes.
///
/// `cargo test -p wurfel-arena --test all ten_thousand_marks -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes and a gigabyte on the disk; run by name"]
fn ten_thousand_marks() {
    let tables = small_tables(5);
    let truth = Star::new(
        wurfel_tablebase::TablebaseEvaluator::new(Even, tables),
        Cutoffs::Star2,
        Arc::new(TranspositionTable::new(64)),
        Budget::default(),
    );
    let exact = |decided: &ReviewedDecision<Einstein>| {
        let (position, roll) = (&decided.situation.position, decided.situation.roll.unwrap());
        let analysis = truth.solve_turn(Turn { position, roll }, Budget::default()).unwrap();
        let value = |mv| analysis.moves.iter().find(|of| of.mv == mv).unwrap().value.unwrap();
        f64::from(analysis.moves[0].value.unwrap() - value(decided.mv))
    };
    let (mut marks, mut wrong, mut moves) = (0, 0, 0);
    for seed in 1.. {
        let games = random_moves(&[3, 4, 5], 5000, seed);
        for decided in default_decisions(&games) {
            let mark = Mark::of(decided.lost());
            moves += 1;
            marks += u32::from(mark.is_some());
            let loss = exact(&decided);
            if !is_right(mark, loss) {
                wrong += 1;
                let ReviewedDecision { situation, mv, .. } = &decided;
                println!("{situation} {mv}: {mark:?}, {} lost, but {loss}", decided.lost());
            }
        }
        if marks >= 10_000 {
            break;
        }
    }
    println!("3 to 5 cubes: {moves} moves, {marks} marks, {wrong} wrong");
    assert_eq!(wrong, 0);
}

/// A measurement of `docs/methods/reviews.md`: how many marks beyond the tables a search six turns deep
/// overturns.
///
/// `cargo test -p wurfel-arena --test all marks_that_deep_searches -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes; run by name"]
fn marks_that_deep_searches_overturn() {
    let games = random_moves(&[6, 7, 8, 9, 10, 11, 12], 1400, 1);
    let all = default_decisions(&games);
    let marked: Vec<_> = all.iter().filter(|of| Mark::of(of.lost()).is_some()).collect();
    let others: Vec<_> = marked.iter().filter(|of| !of.exact()).collect();
    let mut deep = build(&Einstein::default(), &"champion".parse().unwrap()).unwrap()();
    let budget = Budget { depth: Some(6), ..Budget::default() };
    let (mut overturned, mut best) = (0, 0);
    for decided in &others {
        let (position, roll) = (&decided.situation.position, decided.situation.roll.unwrap());
        deep.begin(Random::new(0));
        let analysis = deep.analyse(Turn { position, roll }, budget);
        let value = |mv| analysis.moves.iter().find(|of| of.mv == mv).unwrap().value.unwrap();
        let lost = f64::from(analysis.moves[0].value.unwrap() - value(decided.mv));
        overturned += usize::from(Mark::of(lost).is_none());
        best += usize::from(lost <= 0.0);
    }
    println!(
        "6 to 12 cubes: {} moves, {} marks, {} of them exact; of the {} others six turns overturn \
         {overturned}, of which {best} are best moves then",
        all.len(),
        marked.len(),
        marked.len() - others.len(),
        others.len()
    );
    assert!(overturned * 10 <= others.len(), "{overturned} of {}", others.len());
}
