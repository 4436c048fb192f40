//! The selective search: with full width it has the values of the plain search, with a filter those of
//! a slow twin, and it plays the turns that it has decided on.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::star::somewhere;
use wurfel_core::{
    Agent, Budget, EndPreference, Evaluator, Even, Game, Literal, Random, Situation, Turn,
    Weighted, before_roll, random_literal,
};
use wurfel_games::dicechess::{DiceChess, DiceChess3, Linear, Threats};
use wurfel_games::einstein::{Einstein, Official, Zweistein};
use wurfel_games::{Playable, shared_evaluation};
use wurfel_search::{Expecti, Filter, Selective};

const FULL: Filter = Filter { candidates: usize::MAX, margin: f32::INFINITY, replies: usize::MAX };

fn depth(depth: u32) -> Budget<'static> {
    Budget { depth: Some(depth), ..Budget::default() }
}

fn nodes(nodes: u64) -> Budget<'static> {
    Budget { nodes: Some(nodes), ..Budget::default() }
}

/// Compares decision and analysis of one turn with those of the plain search.
fn compare<G: Game, E: Evaluator<G> + Clone + 'static>(
    turn: Turn<'_, G>,
    evaluator: &E,
    replies: &Arc<dyn EndPreference<G>>,
    deep: u32,
) {
    let plain = Expecti::new(evaluator.clone(), depth(deep)).analyse(turn, Budget::default());
    let (shared, replies) = (Arc::new(evaluator.clone()), Arc::clone(replies));
    let mut full = Selective::new(shared, replies, FULL, depth(deep));
    let decided = full.decide(turn, Budget::default());
    let at = format!("{} {} at depth {deep}", turn.position, turn.roll);
    let best = plain.moves[0].value.unwrap();
    assert!((decided.value.unwrap() - best).abs() < 1e-5, "{at}: {decided:?} {best}");
    let analysis = full.analyse(turn, Budget::default());
    for scored in &plain.moves {
        let same = analysis.moves.iter().find(|other| other.mv == scored.mv).unwrap();
        let (wanted, actual) = (scored.value.unwrap(), same.value.unwrap());
        assert!((wanted - actual).abs() < 1e-5, "{at}: {} {wanted} {actual}", scored.mv);
        assert!(scored.exact || !same.exact || actual > 1.0 - 1e-6, "{at}: {}", scored.mv);
    }
    let chosen = plain.moves.iter().find(|scored| scored.mv == decided.mv).unwrap();
    assert!(best - chosen.value.unwrap() < 1e-5, "{at}");
}

#[test]
fn with_full_width_it_has_the_values_of_the_plain_search() {
    let mut random = Random::new(1);
    for n in 0..400 {
        let text = random_literal(&mut random, 1 + n % 4);
        if let Some((position, roll)) = somewhere(text.parse::<Literal>().unwrap(), 2, &mut random)
        {
            let even: Arc<dyn EndPreference<Literal>> = Arc::new(Even);
            (1..4).for_each(|deep| compare(Turn { position: &position, roll }, &Even, &even, deep));
        }
    }
    let zweistein = Arc::new(Zweistein::<Official>::new());
    let schwarz = shared_evaluation::<Einstein>("schwarz").unwrap();
    let schwarz: Arc<dyn EndPreference<Einstein>> = Arc::new(schwarz);
    for (deep, positions) in [(1, 100), (2, 100), (3, 30)] {
        for _ in 0..positions {
            let start = Einstein::default().setup(&mut random);
            if let Some((position, roll)) = somewhere(start, 20, &mut random) {
                compare(Turn { position: &position, roll }, &zweistein, &schwarz, deep);
            }
        }
    }
    // A die that shows a kind without moves is rolled again.
    let linear: Arc<dyn EndPreference<DiceChess>> = Arc::new(Linear::PAPER);
    for _ in 0..40 {
        if let Some((position, roll)) = somewhere(DiceChess::default(), 60, &mut random) {
            compare(Turn { position: &position, roll }, &Threats(Linear::PAPER), &linear, 2);
        }
    }
}

/// Few pieces, so that all of two turns can be looked at.
const SMALL: [&str; 3] = [
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 PPK",
    "8/5k2/8/2n5/8/8/3P4/1K6 b - - 0 40 NNK",
    "k7/8/8/3r4/8/8/8/K6R w - - 0 9 RKB",
];

#[test]
fn with_three_dice_it_has_the_values_of_the_plain_search() {
    let linear: Arc<dyn EndPreference<DiceChess3>> = Arc::new(Linear::PAPER);
    for text in SMALL {
        let situation: Situation<DiceChess3> = text.parse().unwrap();
        for deep in [1, 2] {
            compare(situation.turn().unwrap(), &Linear::PAPER, &linear, deep);
        }
    }
}

/// The twin: every step is spelt out, and lists are sorted and cut.
struct Twin {
    filter: Filter,
}

impl Twin {
    fn ends(turn: Turn<'_, DiceChess3>) -> Vec<DiceChess3> {
        let mut ends = vec![];
        turn.position.ends(turn.roll, |end| ends.push(*end));
        ends
    }

    /// The value of an end for the side whose turn ended there.
    fn looks(end: &DiceChess3, evaluator: &impl Evaluator<DiceChess3>) -> f32 {
        1.0 - end.outcome().map_or_else(|| evaluator.evaluate(end), |o| o.value_for(end.side()))
    }

    /// The best ends of a turn by an evaluation, with their values.
    fn best(
        turn: Turn<'_, DiceChess3>,
        evaluator: &impl Evaluator<DiceChess3>,
        most: usize,
    ) -> Vec<(f32, DiceChess3)> {
        let ends = Self::ends(turn).into_iter();
        let mut ends: Vec<_> = ends.map(|end| (Self::looks(&end, evaluator), end)).collect();
        ends.sort_by(|one, other| other.0.total_cmp(&one.0));
        ends.truncate(most);
        ends
    }

    /// The value of a turn for the side that decides.
    fn value(&self, turn: Turn<'_, DiceChess3>, evaluator: &impl Evaluator<DiceChess3>) -> f32 {
        let mut candidates = Self::best(turn, evaluator, self.filter.candidates);
        let floor = candidates[0].0 - self.filter.margin;
        candidates.retain(|(looks, _)| *looks >= floor);
        let value = |(looks, end): &(f32, DiceChess3)| {
            if end.outcome().is_some() {
                return *looks;
            }
            1.0 - self.before_roll(end, evaluator)
        };
        candidates.iter().map(value).fold(0.0, f32::max)
    }

    /// The value of a position for the side to move, one turn ahead.
    fn before_roll(&self, position: &DiceChess3, evaluator: &impl Evaluator<DiceChess3>) -> f32 {
        let mean = |roll: &Weighted<_>| {
            let turn = Turn { position, roll: roll.item };
            let replies = Self::best(turn, &Linear::PAPER, self.filter.replies);
            let values = replies.iter().map(|(_, reply)| Self::looks(reply, evaluator));
            roll.weight as f32 * values.fold(0.0, f32::max) / 216.0
        };
        DiceChess3::DICE.iter().map(mean).sum()
    }
}

#[test]
fn with_a_filter_it_has_the_values_of_its_twin() {
    let mut random = Random::new(2);
    let filter = Filter { candidates: 3, margin: 0.02, replies: 4 };
    let evaluator = Threats(Linear::PAPER);
    let mut comparisons = 0;
    while comparisons < 4 {
        let Some((position, roll)) = somewhere(DiceChess3::default(), 16, &mut random) else {
            continue;
        };
        let turn = Turn { position: &position, roll };
        let (shared, replies) = (Arc::new(evaluator), Arc::new(Linear::PAPER));
        let mut agent = Selective::new(shared, replies, filter, depth(2));
        let twin = Twin { filter };
        let (actual, wanted) =
            (agent.decide(turn, Budget::default()), twin.value(turn, &evaluator));
        assert!((actual.value.unwrap() - wanted).abs() < 1e-5, "{position} {roll}: {wanted}");
        assert!(actual.depth == 2 || actual.exact);
        // One turn deep, a position before its roll has the mean of the best replies.
        let (shared, replies) = (Arc::new(evaluator), Arc::new(Linear::PAPER));
        let mut short = Selective::new(shared, replies, filter, depth(1));
        let actual = before_roll(&mut short, &position, Budget::default()).unwrap();
        let wanted = twin.before_roll(&position, &evaluator);
        assert!((actual - wanted).abs() < 1e-5, "{position}: {actual} {wanted}");
        comparisons += 1;
    }
}

fn quick(filter: Filter) -> Selective<DiceChess3> {
    Selective::new(Arc::new(Linear::PAPER), Arc::new(Linear::PAPER), filter, Budget::default())
}

#[test]
fn every_budget_gives_a_legal_move_and_the_same_one_for_a_seed() {
    static STOP: AtomicBool = AtomicBool::new(true);
    let mut random = Random::new(4);
    let mut agent = quick(Filter::default());
    for n in 0..12 {
        let Some((position, roll)) = somewhere(DiceChess3::default(), 16, &mut random) else {
            continue;
        };
        let turn = Turn { position: &position, roll };
        for budget in [nodes(1), nodes(3000), nodes(30_000), depth(1)] {
            let mut decide = |seed| {
                agent.begin(Random::new(seed));
                agent.decide(turn, budget)
            };
            let decision = decide(n);
            assert_eq!(decide(n), decision);
            assert!(turn.moves().contains(&decision.mv));
            // What is looked at beyond the limit are the ends of a single roll.
            let limit = budget.nodes.unwrap_or(0).max(decide(n).nodes.min(1000));
            assert!(decision.nodes < limit + 1000, "{decision:?}");
        }
        // A search that is stopped still answers, from its first look.
        for budget in [
            Budget { time: Some(Duration::ZERO), ..Budget::default() },
            Budget { stop: Some(&STOP), ..depth(3) },
        ] {
            let decision = agent.decide(turn, budget);
            assert!(turn.moves().contains(&decision.mv) && decision.depth == 1, "{decision:?}");
        }
    }
}

/// The whole turn is one decision: the moves after the first cost nothing, and lead to the end whose
/// value was announced.
#[test]
fn a_turn_is_decided_once_and_then_followed() {
    let mut random = Random::new(5);
    let (mut followed, mut left) = (0, 0);
    for _ in 0..60 {
        let Some((start, roll)) = somewhere(DiceChess3::default(), 16, &mut random) else {
            continue;
        };
        let mut agent = quick(Filter { candidates: 2, ..Filter::default() });
        let first = agent.decide(Turn { position: &start, roll }, depth(1));
        let (mut position, mut rest) = (start, start.clone().play(roll, first.mv));
        position.play(roll, first.mv);
        while let Some(dice) = rest {
            let turn = Turn { position: &position, roll: dice };
            let next = agent.decide(turn, depth(1));
            assert_eq!((next.value, next.nodes), (first.value, 0));
            followed += 1;
            rest = position.play(dice, next.mv);
        }
        let value = position.outcome().map_or_else(
            || Evaluator::evaluate(&Linear::PAPER, &position),
            |outcome| outcome.value_for(position.side()),
        );
        assert!((1.0 - value - first.value.unwrap()).abs() < 1e-6);
        // Where somebody else has moved, it decides again.
        let mut position = start;
        let moves = start.moves(roll);
        let Some(&other) = moves.iter().find(|&&mv| mv != first.mv) else { continue };
        agent.decide(Turn { position: &start, roll }, depth(1));
        if let Some(rest) = position.play(roll, other) {
            let turn = Turn { position: &position, roll: rest };
            left += u32::from(agent.decide(turn, depth(1)).nodes > 0);
        }
    }
    assert!(followed > 40 && left > 20, "{followed} {left}");
}

/// With more nodes the value comes nearer to that without a limit.
#[test]
fn more_nodes_find_better_values() {
    let mut random = Random::new(6);
    let mut errors = [0.0; 4];
    for turns in 0..30 {
        let Some((position, roll)) = somewhere(DiceChess3::default(), 16, &mut random) else {
            continue;
        };
        let turn = Turn { position: &position, roll };
        let mut agent = quick(Filter { candidates: 12, margin: 1.0, replies: 4 });
        // With a single candidate there is nothing to find out.
        if agent.decide(turn, nodes(1_000_000)).depth == 1 {
            continue;
        }
        let mut value = |budget| {
            agent.begin(Random::new(turns));
            agent.decide(turn, budget).value.unwrap()
        };
        let best = value(depth(2));
        for (error, nodes) in errors.iter_mut().zip([1, 5_000, 30_000, 1_000_000]) {
            *error += (best - value(Budget { nodes: Some(nodes), ..depth(2) })).abs();
        }
    }
    let [sight, some, more, all] = errors;
    assert!(sight > some && some > more && more > all && all < 1e-4, "{errors:?}");
}

/// The end to which the moves of a turn lead; all of them must be legal and end the turn.
fn end_of(turn: Turn<'_, DiceChess3>, moves: &[<DiceChess3 as Game>::Move]) -> DiceChess3 {
    let (mut position, mut rest) = (*turn.position, Some(turn.roll));
    for &mv in moves {
        let roll = rest.expect("the turn goes on");
        assert!(position.moves(roll).contains(&mv), "{position} {roll}: {mv}");
        rest = position.play(roll, mv);
    }
    assert!(rest.is_none(), "the turn has not ended");
    position
}

/// Whole turns in analyses: each is there once, with the value of its end, and the best one is no
/// worse than that on which the search decides.
#[test]
#[allow(clippy::float_cmp, reason = "the same search finds the same numbers")]
fn an_analysis_ranks_whole_turns() {
    let mut random = Random::new(8);
    let mut comparisons = 0;
    while comparisons < 6 {
        let Some((position, roll)) = somewhere(DiceChess3::default(), 16, &mut random) else {
            continue;
        };
        let turn = Turn { position: &position, roll };
        let mut agent = quick(Filter { candidates: 6, margin: 0.1, replies: 4 });
        // Some rolls allow a single move, or none.
        if agent.analyse(turn, depth(1)).turns.is_empty() {
            continue;
        }
        for deep in [1, 2] {
            let analysis = agent.analyse(turn, depth(deep));
            let decision = agent.decide(turn, depth(deep));
            agent.begin(Random::new(0));
            let [best, ..] = &analysis.turns[..] else { panic!("no turns at {position} {roll}") };
            let decided = decision.value.unwrap();
            // An end of a first move that the decision did not look at may prove better.
            assert!(
                best.value == decided || deep == 2 && best.value > decided,
                "{position} {roll}"
            );
            assert!(best.value > decided || best.moves[0] == decision.mv);
            let mut ends: Vec<_> = vec![];
            for ranked in &analysis.turns {
                let end = end_of(turn, &ranked.moves);
                assert!(!ends.contains(&end), "{end} twice");
                if ranked.depth == 1 {
                    let value = end.outcome().map_or_else(
                        || Linear::PAPER.evaluate(&end),
                        |outcome| outcome.value_for(end.side()),
                    );
                    assert!((1.0 - value - ranked.value).abs() < 1e-6);
                }
                ends.push(end);
            }
            assert!(analysis.turns.is_sorted_by(|one, other| one.depth > other.depth
                || one.depth == other.depth && one.value >= other.value));
            // A first move is worth what the best turn that begins with it is worth.
            assert_eq!(analysis.moves.len(), turn.moves().len());
            assert_eq!(analysis.moves[0].value, Some(best.value));
            assert!(analysis.moves.is_sorted_by(|one, other| one.value >= other.value));
            for ranked in &analysis.turns {
                let first = analysis.moves.iter().find(|scored| scored.mv == ranked.moves[0]);
                let value = first.unwrap().value.unwrap();
                assert!(value >= ranked.value.min(best.value) || ranked.depth < deep, "{ranked:?}");
            }
        }
        comparisons += 1;
    }
    // Where every turn is a single move, turns say nothing that moves do not say.
    let one_die: Situation<DiceChess> = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 P".parse().unwrap();
    let filter = Filter::default();
    let mut agent =
        Selective::new(Arc::new(Linear::PAPER), Arc::new(Linear::PAPER), filter, depth(1));
    assert_eq!(agent.analyse(one_die.turn().unwrap(), Budget::default()).turns, []);
}

/// An analysis once threw away a comparison that its budget had cut short, so that it showed values
/// one turn deep for a hundred milliseconds in which a match decides two turns deep.
#[test]
fn an_analysis_keeps_what_a_limited_search_has_found() {
    let mut random = Random::new(9);
    let (mut comparisons, mut same) = (0, 0);
    while comparisons < 5 {
        let Some((position, roll)) = somewhere(DiceChess3::default(), 16, &mut random) else {
            continue;
        };
        let turn = Turn { position: &position, roll };
        let filter = Filter { candidates: 6, margin: 0.5, replies: 4 };
        if quick(filter).decide(turn, depth(1)).exact {
            continue;
        }
        let cut = quick(filter).analyse(turn, nodes(60_000));
        let decision = quick(filter).decide(turn, nodes(60_000));
        assert!(cut.depth >= 2, "{position} {roll}");
        assert!(cut.moves.iter().all(|scored| scored.value.is_some()));
        same += u32::from(cut.moves[0].mv == decision.mv);
        // Enough nodes leave nothing of the limit.
        let two = |nodes| Budget { nodes, ..depth(2) };
        let enough = quick(filter).analyse(turn, two(Some(100_000_000)));
        let unlimited = quick(filter).analyse(turn, two(None));
        assert_eq!(enough.turns.len(), unlimited.turns.len());
        for (one, other) in enough.moves.iter().zip(&unlimited.moves) {
            assert!((one.value.unwrap() - other.value.unwrap()).abs() < 1e-5, "{position} {roll}");
        }
        comparisons += 1;
    }
    assert!(same >= 3, "{same} of {comparisons}");
}
