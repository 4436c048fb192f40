//! Minimax and the searches of bounded size against a recursion that obviously is minimax, on games
//! of `EinStein würfelt nicht!` and on literals.

use std::sync::Arc;

use wurfel_core::{
    Agent, Analysis, Assessment, Budget, Evaluator, Even, Game, Literal, Random, Situation, Turn,
    draw,
};
use wurfel_games::Playable;
use wurfel_games::einstein::{Einstein, EinsteinNearest, Nearest, Official, Zweistein};
use wurfel_search::{Bounded, ExpansionOrder, Expecti, Minimax, MinimaxPruning};

const ORDERS: [ExpansionOrder; 2] = [ExpansionOrder::DepthFirst, ExpansionOrder::BreadthFirst];

fn depth(depth: u32) -> Budget<'static> {
    Budget { depth: Some(depth), ..Budget::default() }
}

fn nodes(nodes: u64) -> Budget<'static> {
    Budget { nodes: Some(nodes), ..Budget::default() }
}

/// The value of a move for the side that makes it. After it, every move with every face of the dice
/// may be chosen.
fn value<G: Game>(turn: Turn<'_, G>, mv: G::Move, deep: u32, evaluator: &impl Evaluator<G>) -> f32 {
    let mut next = turn.position.clone();
    let best = |position: &G, roll, deep| {
        let moves = position.moves(roll).as_ref().to_vec().into_iter();
        moves.map(|mv| value(Turn { position, roll }, mv, deep, evaluator)).fold(0.0, f32::max)
    };
    if let Some(rest) = next.play(turn.roll, mv) {
        best(&next, rest, deep)
    } else if let Some(outcome) = next.outcome() {
        outcome.value_for(turn.side())
    } else if deep == 1 {
        1.0 - evaluator.evaluate(&next)
    } else {
        let faces = G::DICE.iter().map(|face| best(&next, face.item, deep - 1));
        1.0 - faces.fold(0.0, f32::max)
    }
}

fn assert_same<G: Game>(actual: &Analysis<G>, expected: &[(G::Move, f32)], at: &str) {
    assert_eq!(actual.moves.len(), expected.len(), "{at}");
    for &(mv, value) in expected {
        let scored = actual.moves.iter().find(|scored| scored.mv == mv).unwrap();
        assert!((scored.value.unwrap() - value).abs() < 1e-6, "{at} {mv}: {scored:?}, not {value}");
    }
    for pair in actual.moves.windows(2) {
        assert!(pair[0].value >= pair[1].value, "{at}");
    }
}

/// Asserts that all searches find the values of the recursion.
fn compare<G: Game, E: Evaluator<G> + Clone>(turn: Turn<'_, G>, evaluator: &E, deep: u32) {
    let at = format!("{} {} at depth {deep}", turn.position, turn.roll);
    let moves = turn.moves();
    let scored = moves.as_ref().iter().map(|&mv| (mv, value(turn, mv, deep, evaluator)));
    let expected: Vec<_> = scored.collect();
    let best = expected.iter().map(|(_, value)| *value).fold(0.0, f32::max);
    for pruning in [MinimaxPruning::Off, MinimaxPruning::AlphaBeta] {
        let mut player = Minimax::new(evaluator.clone(), pruning, depth(deep));
        let analysis = player.analyse(turn, Budget::default());
        assert_same(&analysis, &expected, &at);
        let decision = player.decide(turn, Budget::default());
        assert_eq!(decision.mv, analysis.moves[0].mv, "{at} {pruning:?}");
        assert!((decision.value.unwrap() - best).abs() < 1e-6, "{at} {pruning:?}");
    }
    for order in ORDERS {
        let budget = Budget { nodes: Some(1 << 20), ..depth(deep) };
        let mut player = Bounded::new(evaluator.clone(), order, budget);
        assert_same(&player.analyse(turn, Budget::default()), &expected, &at);
        assert_eq!(player.decide(turn, Budget::default()).value, Some(best), "{at} {order:?}");
    }
}

/// A position after some random turns, and a roll in it.
fn somewhere<G: Playable>(random: &mut Random) -> (G, G::Roll) {
    loop {
        let mut position = G::default().setup(random);
        for _ in 0..random.below(18) {
            let roll = draw(G::DICE, random);
            if position.outcome().is_none() {
                position.play(roll, position.pick(roll, random).unwrap());
            }
        }
        if position.outcome().is_none() {
            return (position, draw(G::DICE, random));
        }
    }
}

fn compare_on<G: Playable, E: Evaluator<G> + Clone>(evaluator: &E, seed: u64) {
    let mut random = Random::new(seed);
    for (deep, positions) in [(1, 300), (2, 200), (3, 100), (4, 10)] {
        for _ in 0..positions {
            let (position, roll) = somewhere::<G>(&mut random);
            compare(Turn { position: &position, roll }, evaluator, deep);
        }
    }
}

#[test]
fn all_have_the_values_of_the_recursion() {
    compare_on::<Einstein, _>(&Arc::new(Zweistein::<Official>::new()), 1);
    compare_on::<EinsteinNearest, _>(&Arc::new(Zweistein::<Nearest>::new()), 2);
}

#[test]
fn all_have_the_values_of_the_recursion_where_a_side_goes_on() {
    for text in [
        "{[[+-]-]} 1 1",
        "{[{[[-+]=][=]}[=-]]} 1 1",
        "{[{[{[+][-]}][=]}{2[+]4[-]}[{[=]}-]]} 1 1",
        "{[{[[[--]-]+]}=]} 2 1",
    ] {
        let Situation { position, roll } = text.parse::<Situation<Literal>>().unwrap();
        for deep in 1..4 {
            compare(Turn { position: &position, roll: roll.unwrap() }, &Even, deep);
        }
    }
}

fn values(analysis: &Analysis<Literal>) -> Vec<(String, f32, bool)> {
    let row =
        |scored: &Assessment<_>| (format!("{}", scored.mv), scored.value.unwrap(), scored.exact);
    analysis.moves.iter().map(row).collect()
}

#[test]
fn the_opponent_is_taken_to_choose_its_roll() {
    // The first move draws. The second leaves the other side one good roll in six, so its value is
    // 5/6 for a search that knows dice and 0 for minimax.
    let Situation { position, roll } =
        "{[={5[+]1[-]}-]} 1 1".parse::<Situation<Literal>>().unwrap();
    let turn = Turn { position: &position, roll: roll.unwrap() };
    let blind = Minimax::new(Even, MinimaxPruning::Off, depth(2)).analyse(turn, Budget::default());
    assert_eq!(values(&blind), [("1", 0.5, true), ("2", 0.0, false), ("3", 0.0, true)].map(owned));
    let knowing = Expecti::new(Even, depth(2)).analyse(turn, Budget::default());
    let expected = [("2", 5.0 / 6.0, true), ("1", 0.5, true), ("3", 0.0, true)];
    assert_eq!(values(&knowing), expected.map(owned));
}

fn owned((mv, value, exact): (&str, f32, bool)) -> (String, f32, bool) {
    (mv.to_owned(), value, exact)
}

#[test]
fn alpha_beta_looks_at_fewer_positions() {
    let Situation { position, roll } =
        "ABC2/DE3/F3f/3ed/2cba r 4 1".parse::<Situation<Einstein>>().unwrap();
    let turn = Turn { position: &position, roll: roll.unwrap() };
    let zweistein = Arc::new(Zweistein::<Official>::new());
    let [all, fewer] = [MinimaxPruning::Off, MinimaxPruning::AlphaBeta].map(|pruning| {
        Minimax::new(Arc::clone(&zweistein), pruning, depth(4)).decide(turn, Budget::default())
    });
    assert_eq!((all.mv, all.value), (fewer.mv, fewer.value));
    assert!(fewer.nodes * 3 < all.nodes, "{} {}", fewer.nodes, all.nodes);
}

#[test]
fn a_tree_of_bounded_size_keeps_its_bound() {
    let zweistein = Arc::new(Zweistein::<Official>::new());
    let mut random = Random::new(3);
    for _ in 0..200 {
        let (position, roll) = somewhere::<Einstein>(&mut random);
        let turn = Turn { position: &position, roll };
        for order in ORDERS {
            for bound in [1, 30, 500, 4000] {
                let mut player = Bounded::new(Arc::clone(&zweistein), order, nodes(bound));
                let actual = player.analyse(turn, Budget::default());
                // The legal moves of the turn, and those of the position that was expanded last.
                assert!(actual.nodes < bound.max(6) + 18, "{} of {bound}", actual.nodes);
            }
        }
    }
}

#[test]
fn one_order_goes_deep_and_the_other_wide() {
    let Situation { position, roll } =
        "ABC2/DE3/F3f/3ed/2cba r 4 1".parse::<Situation<Einstein>>().unwrap();
    let turn = Turn { position: &position, roll: roll.unwrap() };
    let zweistein = Arc::new(Zweistein::<Official>::new());
    // 3 moves, 54 answers, some thousand moves after them.
    let [deep, wide] = ORDERS.map(|order| {
        let budget = Budget { nodes: Some(200), depth: Some(9), ..Budget::default() };
        Bounded::new(Arc::clone(&zweistein), order, budget).analyse(turn, Budget::default())
    });
    assert_eq!((deep.depth, wide.depth), (9, 3));
    // Where only one legal move was expanded, the others keep the value of the evaluation.
    let shallow = Bounded::new(Arc::clone(&zweistein), ExpansionOrder::BreadthFirst, depth(1));
    let plain = shallow.clone().analyse(turn, Budget::default());
    let unchanged = |actual: &Analysis<Einstein>| {
        let same = |scored: &&Assessment<_>| plain.moves.contains(scored);
        actual.moves.iter().filter(same).count()
    };
    assert_eq!([unchanged(&deep), unchanged(&wide)], [2, 0]);
}
