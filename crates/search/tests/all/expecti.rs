//! Expectiminimax against a search that is obviously correct, on games of `EinStein würfelt nicht!`
//! and on games written as literals; also budgets, and the players that do not search.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use wurfel_core::{
    Agent, Analysis, Budget, Decision, Evaluator, Even, Game, Literal, Random, Situation, Turn,
    draw,
};
use wurfel_games::Playable;
use wurfel_games::einstein::{Basic, Nearest, Official, Position, RuleSet, Zweistein};
use wurfel_search::{Expecti, Greedy, RandomPlayer};

/// A value, and whether it came only from ends of the game.
type Scored = (f64, bool);

/// The expected result for the side to roll. Every face of the dice and every move is tried;
/// nothing is merged and nothing is shared.
fn before_roll<G: Game>(position: &G, depth: u32, evaluator: &impl Evaluator<G>) -> Scored {
    if let Some(outcome) = position.outcome() {
        return (f64::from(outcome.value_for(position.side())), true);
    }
    if depth == 0 {
        return (f64::from(evaluator.evaluate(position)), false);
    }
    let (mut sum, mut chances, mut all_exact) = (0.0, 0.0, true);
    for face in G::DICE {
        let moves = scored_moves(Turn { position, roll: face.item }, depth, evaluator);
        // A face without a legal move is rolled again.
        if moves.is_empty() {
            continue;
        }
        let best = moves.iter().map(|(_, (value, _))| *value).fold(f64::MIN, f64::max);
        sum += f64::from(face.weight) * best;
        chances += f64::from(face.weight);
        all_exact &= moves.iter().all(|(_, (_, exact))| *exact);
    }
    (sum / chances, all_exact)
}

/// Every move with its expected result for the side that makes it.
fn scored_moves<G: Game>(
    turn: Turn<'_, G>,
    depth: u32,
    evaluator: &impl Evaluator<G>,
) -> Vec<(G::Move, Scored)> {
    let mut scored = vec![];
    for &mv in turn.moves().as_ref() {
        let mut next = turn.position.clone();
        let value = match next.play(turn.roll, mv) {
            None => {
                let (value, exact) = before_roll(&next, depth - 1, evaluator);
                (1.0 - value, exact)
            }
            Some(rest) => {
                let turn = Turn { position: &next, roll: rest };
                let further = scored_moves(turn, depth, evaluator);
                let best = further.iter().map(|(_, (value, _))| *value).fold(f64::MIN, f64::max);
                (best, further.iter().all(|(_, (_, exact))| *exact))
            }
        };
        scored.push((mv, value));
    }
    scored
}

fn to_depth(depth: u32) -> Budget<'static> {
    Budget { depth: Some(depth), ..Budget::default() }
}

fn nodes(nodes: u64) -> Budget<'static> {
    Budget { nodes: Some(nodes), ..Budget::default() }
}

/// Asserts that `analysis` lists each legal move once, the best first, and that its line is a game
/// that can be played.
fn assert_sound<G: Game>(turn: Turn<'_, G>, analysis: &Analysis<G>) {
    let legal = turn.moves();
    let legal = legal.as_ref();
    assert_eq!(analysis.moves.len(), legal.len(), "{}", turn.position);
    for mv in legal {
        let times = analysis.moves.iter().filter(|scored| scored.mv == *mv).count();
        assert_eq!(times, 1, "{mv}: {}", turn.position);
    }
    for pair in analysis.moves.windows(2) {
        assert!(pair[0].value >= pair[1].value, "{:?}", analysis.moves);
    }
    assert!(analysis.depth >= 1);
    assert_eq!(analysis.line.first(), Some(&(turn.roll, analysis.moves[0].mv)));
    let mut position = turn.position.clone();
    let mut turns = 0;
    let mut expected = Some(turn.roll);
    for &(roll, mv) in &analysis.line {
        assert_eq!(position.outcome(), None, "the line goes on after the end");
        let rolled = position.rolls().as_ref().iter().any(|known| known.item == roll);
        assert!(expected.map_or(rolled, |rest| rest == roll), "{roll}: {position}");
        assert!(position.moves(roll).as_ref().contains(&mv), "{roll} {mv}: {position}");
        expected = position.play(roll, mv);
        turns += u32::from(expected.is_none());
    }
    assert!(turns <= analysis.depth, "{turns} turns in the line, {} looked ahead", analysis.depth);
}

/// Asserts that the values of `analysis`, and whether they are exact, are those of the plain
/// search.
fn assert_scored<G: Game>(
    turn: Turn<'_, G>,
    analysis: &Analysis<G>,
    evaluator: &impl Evaluator<G>,
    depth: u32,
) {
    for (mv, (value, exact)) in scored_moves(turn, depth, evaluator) {
        let actual = analysis.moves.iter().find(|scored| scored.mv == mv).expect("a legal move");
        let difference = f64::from(actual.value.expect("a searched move has a value")) - value;
        assert!(difference.abs() < 1e-5, "{mv} at depth {depth}: {difference}, {}", turn.position);
        assert_eq!(actual.exact, exact, "{mv} at depth {depth}: {}", turn.position);
    }
}

/// Rolled positions from random games, after at least `shortest` plies.
fn rolled<R: RuleSet>(count: usize, shortest: u32, random: &mut Random) -> Vec<Rolled<R>> {
    let mut actual = vec![];
    while actual.len() < count {
        let mut position = Position::<R>::default().setup(random);
        let age = shortest + random.below(12);
        while position.outcome().is_none() {
            let roll = draw(Position::<R>::DICE, random);
            if position.ply() > age {
                actual.push(Rolled { position, roll });
                break;
            }
            position.play(roll, *random.pick(position.moves(roll).as_ref()));
        }
    }
    actual
}

#[derive(Clone, Copy)]
struct Rolled<R: RuleSet> {
    position: Position<R>,
    roll: <Position<R> as Game>::Roll,
}

impl<R: RuleSet> Rolled<R> {
    fn turn(&self) -> Turn<'_, Position<R>> {
        Turn { position: &self.position, roll: self.roll }
    }
}

fn compare_at_depths<R: RuleSet>(random: &mut Random) {
    let zweistein = Arc::new(Zweistein::<R>::new());
    for (depth, count) in [(1, 1000), (2, 1000), (3, 500), (4, 100)] {
        let mut player = Expecti::new(Arc::clone(&zweistein), to_depth(depth));
        for shortest in [0, 8] {
            for rolled in rolled::<R>(count, shortest, random) {
                let analysis = player.analyse(rolled.turn(), Budget::default());
                assert_sound(rolled.turn(), &analysis);
                assert_scored(rolled.turn(), &analysis, &zweistein, depth);
                let solved = analysis.moves.iter().all(|scored| scored.exact);
                assert!(analysis.depth == depth || (solved && analysis.depth < depth));
                let decision = player.decide(rolled.turn(), Budget::default());
                assert_eq!(decision.mv, analysis.moves[0].mv);
                assert_eq!(decision.value, analysis.moves[0].value);
                // An analysis also searches the principal variation.
                assert!(decision.nodes <= analysis.nodes);
                assert_eq!(decision.depth, analysis.depth);
            }
        }
    }
}

#[test]
fn values_are_those_of_the_plain_search_under_the_official_rules() {
    compare_at_depths::<Official>(&mut Random::new(1));
}

#[test]
fn values_are_those_of_the_plain_search_under_the_nearest_number_rules() {
    compare_at_depths::<Nearest>(&mut Random::new(2));
}

fn literal(text: &str) -> (Literal, <Literal as Game>::Roll) {
    let Situation { position, roll } = text.parse().expect("a literal");
    (position, roll.expect("a rolled literal"))
}

/// The values of the moves of a literal, in their order, and which are exact.
fn scored(text: &str, depth: u32) -> Vec<(f32, bool)> {
    let (position, roll) = literal(text);
    let turn = Turn { position: &position, roll };
    let analysis = Expecti::new(Even, to_depth(depth)).analyse(turn, Budget::default());
    assert_sound(turn, &analysis);
    assert_scored(turn, &analysis, &Even, depth);
    let mut moves = analysis.moves;
    moves.sort_by_key(|scored| scored.mv.to_string());
    moves.iter().map(|scored| (scored.value.expect("a value"), scored.exact)).collect()
}

#[test]
fn literals_have_the_values_that_can_be_read_off_them() {
    for (text, depth, expected) in [
        // A win, a draw and a loss, seen from the side that moves.
        ("{[+=-]} 1 1", 1, vec![(1.0, true), (0.5, true), (0.0, true)]),
        ("{[+=-]} 2 1", 1, vec![(0.0, true), (0.5, true), (1.0, true)]),
        // At depth 1 the value of the second move is an estimate, at depth 2 it is known.
        ("{[={5[+]1[-]}]} 1 1", 1, vec![(0.5, true), (0.5, false)]),
        ("{[={5[+]1[-]}]} 1 1", 2, vec![(0.5, true), (5.0 / 6.0, true)]),
        // The other side chooses: with four faces it wins, with two it draws.
        ("{[{4[+-]2[=+]}]} 1 1", 2, vec![(1.0 / 6.0, true)]),
        ("{[{4[+-]2[=-]}]} 2 1", 2, vec![(1.0 / 6.0, true)]),
        // One face is rolled again: the weights of the others are 2 and 3.
        ("{[{1[]2[+]3[-]}]} 1 1", 2, vec![(0.4, true)]),
        // The same side goes on, and chooses again in the same turn.
        ("{[[+-]-[-=]]} 1 1", 1, vec![(1.0, true), (0.0, true), (0.5, true)]),
        ("{[[+-]-[-=]]} 2 1", 1, vec![(1.0, true), (1.0, true), (1.0, true)]),
        ("{[[[=-][--]][{3[+]3[-]}-]]} 1 1", 2, vec![(0.5, true), (0.5, true)]),
        // Going on with the same roll takes no depth: the next roll is still one turn away.
        ("{[[[{[+][-][+]}]]-]} 1 1", 1, vec![(0.5, false), (0.0, true)]),
        ("{[[[{[+][-][+]}]]-]} 1 1", 2, vec![(2.0 / 3.0, true), (0.0, true)]),
        // The other side goes on as well, with one face of six.
        ("{[{1[[-=][+]]5[+]}]} 1 1", 2, vec![(5.0 / 6.0, true)]),
        // Three turns: this side, the other (both of whose moves lead to a roll of this side), this
        // side.
        ("{[{[{1[+]5[-]}{2[+]4[-]}]}]} 1 1", 3, vec![(1.0 / 6.0, true)]),
        ("{[{[{1[+]5[-]}{2[+]4[-]}]}]} 1 1", 2, vec![(0.5, false)]),
        // The best reply ends the game, but the value of the other reply is not known, so the value
        // is marked as an estimate.
        ("{[{[-{[+][-]}]}]} 1 1", 2, vec![(0.0, false)]),
    ] {
        let actual = scored(text, depth);
        assert_eq!(actual.len(), expected.len(), "{text}");
        for (actual, expected) in actual.iter().zip(&expected) {
            assert!((actual.0 - expected.0).abs() < 1e-6, "{text} at depth {depth}: {actual:?}");
            assert_eq!(actual.1, expected.1, "{text} at depth {depth}: {actual:?}");
        }
    }
}

/// A random literal, with positions and choices to some depth.
fn any_literal(depth: u32, random: &mut Random) -> String {
    fn choice(depth: u32, may_be_empty: bool, random: &mut Random) -> String {
        let least = u32::from(!may_be_empty);
        let moves = (0..random.below(4 - least) + least).map(|_| match random.below(6) {
            0 => "+".to_owned(),
            1 => "-".to_owned(),
            2 => "=".to_owned(),
            3 if depth > 0 => choice(depth - 1, false, random),
            _ => any_literal(depth, random),
        });
        format!("[{}]", moves.collect::<String>())
    }
    if depth == 0 {
        return ["+", "-", "="][random.below(3) as usize].to_owned();
    }
    let rolls = match random.below(4) {
        0 => vec![6],
        1 => vec![1, 5],
        2 => vec![2, 3, 1],
        _ => vec![1, 1, 2, 2],
    };
    let last = rolls.len() - 1;
    let rolls = rolls
        .iter()
        .enumerate()
        .map(|(n, faces)| format!("{faces}{}", choice(depth - 1, n < last, random)));
    format!("{{{}}}", rolls.collect::<String>())
}

#[test]
fn values_are_those_of_the_plain_search_on_random_literals() {
    let mut random = Random::new(3);
    let (mut seen, mut gone_on) = (0, 0);
    while seen < 2000 {
        let text = any_literal(5, &mut random);
        // Face 6 always has a move.
        let text = format!("{text} {} 6", random.below(2) + 1);
        gone_on += u32::from(text.contains("[["));
        for depth in 1..=5 {
            scored(&text, depth);
        }
        seen += 1;
    }
    assert!(gone_on > 500, "{gone_on} literals in which a side goes on");
}

/// The mean over the rolls of the best value, and whether all of these are exact.
fn solve<R: RuleSet>(text: &str) -> (f64, bool) {
    let position: Position<R> = text.parse().expect("a position");
    let mut player = Expecti::new(Even, to_depth(64));
    let (mut sum, mut all_exact) = (0.0, true);
    for roll in position.rolls() {
        let turn = Turn { position: &position, roll: roll.item };
        let analysis = player.analyse(turn, Budget::default());
        assert_sound(turn, &analysis);
        let best = analysis.moves[0].value.expect("a value");
        sum += f64::from(roll.weight) * f64::from(best);
        all_exact &= analysis.moves.iter().all(|scored| scored.exact);
    }
    (sum / 6.0, all_exact)
}

#[test]
fn a_search_to_the_end_finds_the_exact_value() {
    // For the side to roll; the values come from two other solvers.
    for (text, expected) in [
        ("5/5/2C2/5/2cba r", 95.0 / 108.0),
        ("5/5/2C2/5/2cba b", 1.0 - 68.0 / 81.0),
        ("5/5/A3d/BF3/5 r", 0.726_851_851_852),
        ("5/5/A3d/BF3/5 b", 1.0 - 0.296_296_296_296),
    ] {
        let (value, exact) = solve::<Official>(text);
        assert!((value - expected).abs() < 1e-5, "{text}: {value}");
        assert!(exact, "{text}");
    }
    let (value, exact) = solve::<Nearest>("5/5/A3d/BF3/5 b");
    assert!((value - 0.875).abs() < 1e-5 && exact, "{value}");
}

#[test]
fn small_endings_are_searched_to_their_exact_values() {
    let mut random = Random::new(4);
    for _ in 0..60 {
        // Two or three cubes, none of them far from its goal.
        let cells = |home: usize, random: &mut Random| {
            let step = |random: &mut Random| random.below(3) as usize;
            let (row, column) = (step(random), step(random));
            if home == 0 { 5 * row + column } else { 24 - 5 * row - column }
        };
        let mut board = ['1'; 25];
        let pieces = [('B', 24), ('e', 0), ('d', 0)];
        for &(piece, goal) in &pieces[..2 + random.below(2) as usize] {
            let cell = cells(goal, &mut random);
            if cell != goal {
                board[cell] = piece;
            }
        }
        let rows: Vec<String> = board.chunks(5).map(String::from_iter).collect();
        let side = ["r", "b"][random.below(2) as usize];
        let Ok(position) = format!("{} {side}", rows.join("/")).parse::<Position<Official>>()
        else {
            continue;
        };
        if position.outcome().is_none() {
            let (expected, _) = before_roll(&position, 64, &Even);
            let (value, exact) = solve::<Official>(&position.to_string());
            assert!((value - expected).abs() < 1e-5 && exact, "{value} {expected}: {position}");
        }
    }
}

#[test]
fn a_search_stops_deepening_when_all_is_known() {
    let (position, roll) = literal("{[{[+][-]}+]} 1 1");
    let turn = Turn { position: &position, roll };
    let deepened = Expecti::new(Even, nodes(1_000_000)).decide(turn, Budget::default());
    assert_eq!((deepened.depth, deepened.value), (2, Some(1.0)));
    assert!(deepened.nodes < 20, "{} nodes", deepened.nodes);
    // A search goes no deeper than one turn when that turn decides the game.
    let (position, roll) = literal("{[+=-]} 1 1");
    let turn = Turn { position: &position, roll };
    for budget in [nodes(1_000_000), to_depth(64)] {
        let decision = Expecti::new(Even, budget).decide(turn, Budget::default());
        assert_eq!((decision.depth, decision.nodes), (1, 3), "{budget:?}");
    }
}

fn start() -> Rolled<Official> {
    let Situation { position, roll } =
        Position::<Official>::read("ABC2/DE3/F3f/3ed/2cba r 4 1").expect("a position");
    Rolled { position, roll: roll.expect("rolled") }
}

#[test]
fn the_smallest_budgets_give_a_searched_legal_move() {
    let zweistein = Arc::new(Zweistein::<Official>::new());
    let mut random = Random::new(5);
    let flag = AtomicBool::new(true);
    let stopped = Budget { stop: Some(&flag), ..Budget::default() };
    for budget in [
        Budget::default(),
        nodes(0),
        nodes(1),
        Budget { time: Some(Duration::ZERO), ..Budget::default() },
        Budget { time: Some(Duration::from_millis(1)), ..Budget::default() },
        to_depth(0),
        to_depth(1),
        stopped,
        Budget { depth: Some(20), ..stopped },
        Budget { nodes: Some(u64::MAX), ..stopped },
        Budget { time: Some(Duration::MAX), ..stopped },
        Budget { depth: Some(40), nodes: Some(1), time: Some(Duration::ZERO), ..stopped },
    ] {
        let mut player = Expecti::new(Arc::clone(&zweistein), Budget::default());
        for rolled in rolled::<Official>(20, 0, &mut random) {
            let analysis = player.analyse(rolled.turn(), budget);
            assert_sound(rolled.turn(), &analysis);
            assert_scored(rolled.turn(), &analysis, &zweistein, analysis.depth);
            let decision = player.decide(rolled.turn(), budget);
            assert!(rolled.turn().moves().as_ref().contains(&decision.mv), "{budget:?}");
            assert!(decision.depth >= 1 && decision.value.is_some(), "{budget:?}");
        }
    }
}

#[test]
fn a_request_to_stop_ends_the_deepest_search_at_once() {
    let mut player = Expecti::new(Even, Budget::default());
    let stopped = AtomicBool::new(true);
    for bounds in [to_depth(30), nodes(u64::MAX)] {
        let budget = Budget { stop: Some(&stopped), ..bounds };
        let decision = player.decide(start().turn(), budget);
        assert_eq!(decision.depth, 1, "{bounds:?}");
        assert!(decision.nodes < 10_000, "{bounds:?}: {} nodes", decision.nodes);
    }
}

#[test]
fn what_a_player_was_built_for_goes_before_what_it_is_given() {
    let mut built = Expecti::new(Even, to_depth(2));
    assert_eq!(built.decide(start().turn(), to_depth(4)).depth, 2);
    assert_eq!(built.decide(start().turn(), nodes(1)).depth, 2);
    let mut open = Expecti::new(Even, Budget::default());
    assert_eq!(open.decide(start().turn(), to_depth(3)).depth, 3);
    assert_eq!(open.decide(start().turn(), Budget::default()).depth, 1);
    let both = Budget { nodes: Some(10_000_000), ..to_depth(3) };
    assert_eq!(open.decide(start().turn(), both).depth, 3);
    assert_eq!(Agent::<Literal>::bounds(&built, nodes(7)).depth, Some(2));
    assert_eq!(Agent::<Literal>::bounds(&open, nodes(7)).nodes, Some(7));
}

/// Iterative deepening answers from the deepest search that was finished, as if that depth alone
/// had been asked for.
#[test]
fn deepening_answers_as_a_search_to_the_depth_it_reports() {
    let zweistein = Arc::new(Zweistein::<Official>::new());
    let mut random = Random::new(6);
    let mut depths = [0; 8];
    for rolled in rolled::<Official>(60, 0, &mut random) {
        for budget in [1, 50, 700, 8000, 60_000] {
            let search = |budget| {
                let mut player = Expecti::new(Arc::clone(&zweistein), budget);
                player.analyse(rolled.turn(), Budget::default())
            };
            let deepened = search(nodes(budget));
            assert_eq!(deepened, search(nodes(budget)), "the same budget, another result");
            let fixed = search(to_depth(deepened.depth));
            assert_eq!((&deepened.moves, deepened.depth), (&fixed.moves, fixed.depth));
            // Until the search has returned, each turn in progress visits the rest of its steps: 18
            // at most.
            let shallow = search(to_depth(1)).nodes;
            let most = budget.max(shallow) + 18 * u64::from(deepened.depth + 1);
            assert!(deepened.nodes <= most, "{} nodes of {budget}", deepened.nodes);
            depths[(deepened.depth as usize).min(7)] += 1;
        }
    }
    assert!(depths[1] > 0 && depths[2] > 0 && depths[3] > 0 && depths[4] > 0, "{depths:?}");
}

#[test]
fn a_larger_budget_never_looks_less_deep() {
    let zweistein = Arc::new(Zweistein::<Official>::new());
    for rolled in rolled::<Official>(30, 0, &mut Random::new(7)) {
        let mut last = 0;
        for budget in [1, 10, 100, 1000, 10_000, 100_000] {
            let mut player = Expecti::new(Arc::clone(&zweistein), nodes(budget));
            let decision = player.decide(rolled.turn(), Budget::default());
            assert!(decision.depth >= last, "{}", rolled.position);
            last = decision.depth;
        }
    }
}

#[test]
fn a_greedy_player_takes_a_win_else_a_cube_else_the_shortest_way() {
    let mut random = Random::new(8);
    let mut player = Greedy::new(Basic, Random::new(9));
    let (mut wins, mut captures) = (0, 0);
    for rolled in rolled::<Official>(5000, 5, &mut random) {
        let turn = rolled.turn();
        let Decision { mv, .. } = player.decide(turn, Budget::default());
        let own = turn.side();
        let moves = turn.moves();
        let moves = moves.as_ref();
        assert!(moves.contains(&mv));
        let winning = |&mv: &_| {
            let mut after = rolled.position;
            after.play(rolled.roll, mv);
            after.outcome().is_some()
        };
        let taking = |&mv: &wurfel_games::einstein::Move| {
            rolled.position.at(mv.to()).is_some_and(|(owner, _)| owner != own)
        };
        if moves.iter().any(winning) {
            assert!(winning(&mv), "{mv}: {}", rolled.position);
            wins += 1;
        } else if moves.iter().any(taking) {
            assert!(taking(&mv), "{mv}: {}", rolled.position);
            captures += 1;
        } else {
            let left = |mv: &wurfel_games::einstein::Move| mv.to().distance(own);
            let shortest = moves.iter().map(left).min();
            assert_eq!(Some(left(&mv)), shortest, "{mv}: {}", rolled.position);
        }
    }
    assert!(wins > 100 && captures > 500, "{wins} {captures}");
}

/// How often each move of a turn is chosen.
fn choices(player: &mut impl Agent<Position<Official>>, games: u32) -> HashMap<String, u32> {
    let mut counts = HashMap::new();
    for _ in 0..games {
        let mv = player.decide(start().turn(), Budget::default()).mv;
        *counts.entry(mv.to_string()).or_insert(0) += 1;
    }
    counts
}

#[test]
fn a_random_player_chooses_all_moves_alike() {
    let counts = choices(&mut RandomPlayer::new(Random::new(10)), 60_000);
    // Cube 4 has three steps; a standard deviation is 115.
    assert_eq!(counts.len(), 3, "{counts:?}");
    assert!(counts.values().all(|&n| n.abs_diff(20_000) < 500), "{counts:?}");
}

#[test]
fn players_draw_from_the_stream_that_a_game_begins_with() {
    fn follows(mut player: impl Agent<Position<Official>>) {
        let mut games = [11, 11, 12].map(|seed| {
            player.begin(Random::new(seed));
            let choose = |_| player.decide(start().turn(), Budget::default()).mv;
            (0..200).map(choose).collect::<Vec<_>>()
        });
        assert_eq!(games[0], games[1]);
        games[1].dedup();
        assert!(games[1].len() > 1, "always the same move");
        assert_ne!(games[0], games[2]);
    }
    follows(RandomPlayer::new(Random::new(1)));
    follows(Greedy::new(Basic, Random::new(1)));
}

/// An evaluation that takes milliseconds, as Q-learning from each position does.
struct Slow;

impl Evaluator<Literal> for Slow {
    fn evaluate(&self, _: &Literal) -> f32 {
        std::thread::sleep(Duration::from_millis(5));
        0.5
    }
}

#[test]
fn time_ends_the_first_turn_where_an_evaluation_takes_milliseconds() {
    let text = format!("{{[{}]}} 1 1", "{[+]}".repeat(60));
    let Situation { position, roll } = text.parse::<Situation<Literal>>().unwrap();
    let turn = Turn { position: &position, roll: roll.unwrap() };
    let time = |time| Budget { time, ..Budget::default() };
    let nodes = |budget| Expecti::new(Slow, budget).decide(turn, Budget::default()).nodes;
    let cut = nodes(time(Some(Duration::from_millis(1))));
    assert!(cut < 10, "{cut} evaluations of 5 ms each");
    assert_eq!(nodes(Budget { depth: Some(1), ..time(None) }), 60);
    // An analysis has a value for each move all the same.
    let all = Expecti::new(Slow, time(Some(Duration::from_millis(1))));
    let analysis = { all }.analyse(turn, Budget::default());
    assert!(analysis.moves.iter().all(|scored| scored.value.is_some()), "{analysis:?}");
}
