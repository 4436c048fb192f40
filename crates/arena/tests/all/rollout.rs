//! Rollouts compared with exact values: they are unbiased, their standard errors are right, and the number of
//! threads makes no difference.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use wurfel_agents::{Factory, build};
use wurfel_arena::{
    Candidate, Candidates, ComparisonResult, ComparisonTerms, LuckMeter, Rollout, RolloutResult,
    RolloutTerms, StoppingRule, StoredComparison, load_rollout, save_rollout,
};
use wurfel_core::{Agent, Budget, Decision, Game, Random, Side, Situation, Turn, before_roll};
use wurfel_games::dicechess::DiceChess3;
use wurfel_games::einstein::{Die, Einstein, Move};

static METER: LazyLock<LuckMeter<Einstein>> = LazyLock::new(LuckMeter::default_for_game);

fn player(spec: &str) -> Factory<Einstein> {
    build(&Einstein::default(), &spec.parse().unwrap()).unwrap()
}

fn rollout(
    position: &str,
    player: &Factory<Einstein>,
    seed: u64,
    luck: bool,
) -> Rollout<'static, Einstein> {
    Rollout {
        situation: position.parse().unwrap(),
        player: Factory::clone(player),
        budget: Budget::default(),
        luck: luck.then(|| METER.clone()),
        turns: None,
        seed,
    }
}

fn games(games: u64) -> StoppingRule {
    StoppingRule { games: Some(games), error: None }
}

fn adjusted(result: &RolloutResult) -> (f64, f64) {
    let estimate = result.control.adjusted().unwrap().estimate;
    (estimate.mean, estimate.error)
}

/// The value for the first side when this deterministic player plays both sides, by trying every roll.
struct Policy {
    player: Box<dyn Agent<Einstein>>,
    known: HashMap<Einstein, f64>,
}

impl Policy {
    fn value(&mut self, position: &Einstein) -> f64 {
        if let Some(outcome) = position.outcome() {
            return f64::from(outcome.value_for(Side::First));
        }
        if let Some(&value) = self.known.get(position) {
            return value;
        }
        let mut sum = 0.0;
        for face in Einstein::DICE {
            let turn = Turn { position, roll: face.item };
            let mv = self.player.decide(turn, Budget::default()).mv;
            let mut next = *position;
            let _ = next.play(face.item, mv);
            sum += self.value(&next) / 6.0;
        }
        self.known.insert(*position, sum);
        sum
    }
}

/// The value for the side to move between two of these players.
fn exact(position: &str, player: &Factory<Einstein>) -> f64 {
    let player = player();
    let position: Einstein = position.parse().unwrap();
    let value = Policy { player, known: HashMap::new() }.value(&position);
    if position.side() == Side::First { value } else { 1.0 - value }
}

/// Takes many small rollouts of several positions, with and without luck. The means must be right
/// on average, and their errors, in standard errors, must be normally distributed.
#[test]
fn rollouts_are_unbiased_and_as_sure_as_they_say() {
    let player = &player("expecti:depth=1");
    for position in
        ["2E2/1B3/5/3c1/2d2 r - 1", "A4/2C2/2F2/1f1d1/4a b - 6", "ABC2/DE3/F3f/3ed/2cba r - 1"]
    {
        let truth = match position.len() {
            // This position is too large to be solved, so a long rollout of plain games is the oracle.
            27 => {
                rollout(position, player, 77, false)
                    .run(2, games(40_000), |_| true)
                    .control
                    .raw()
                    .mean
            }
            _ => exact(position, player),
        };
        for luck in [false, true] {
            let (rollouts, mut sum, mut squares) = (200, 0.0, 0.0);
            for seed in 0..rollouts {
                let result = rollout(position, player, seed, luck).run(2, games(60), |_| true);
                let (mean, error) = if luck {
                    adjusted(&result)
                } else {
                    let raw = result.control.raw();
                    (raw.mean, raw.error)
                };
                sum += (mean - truth) / error;
                squares += ((mean - truth) / error).powi(2);
            }
            // The bounds for the mean of this many normal numbers and for the mean of their squares are four
            // standard deviations, and a little more because the standard errors are estimates.
            let count = rollouts as f64;
            let (bias, spread) = (sum / count, squares / count);
            assert!(bias.abs() < 4.0 / count.sqrt(), "{position} {luck}: {bias}");
            assert!((0.7..1.45).contains(&spread), "{position} {luck}: {spread}");
        }
    }
}

/// The value for the first side after a roll, when both sides play at random.
fn at_random(position: &Einstein, roll: Die, known: &mut HashMap<Einstein, f64>) -> f64 {
    let moves = position.moves(roll);
    let after = |&mv: &Move| {
        let mut next = *position;
        let _ = next.play(roll, mv);
        if let Some(outcome) = next.outcome() {
            return f64::from(outcome.value_for(Side::First));
        }
        if let Some(&value) = known.get(&next) {
            return value;
        }
        let value = Einstein::DICE.iter().map(|face| at_random(&next, face.item, known)).sum();
        let value: f64 = value;
        known.insert(next, value / 6.0);
        value / 6.0
    };
    moves.as_ref().iter().map(after).sum::<f64>() / moves.as_ref().len() as f64
}

/// Random games whose luck is left in are played together: their mean is right, their number is what was
/// asked for, and threads make no difference.
#[test]
fn random_players_roll_out_the_exact_value() {
    let position: Einstein = "2E2/1B3/5/3c1/2d2 b - 2".parse().unwrap();
    let mut of_roll = HashMap::new();
    let mut values = vec![];
    for face in Einstein::DICE {
        values.push(1.0 - at_random(&position, face.item, &mut of_roll));
    }
    let mean = values.iter().sum::<f64>() / 6.0;
    let random = player("random");
    for (text, truth) in [("2E2/1B3/5/3c1/2d2 b - 2", mean), ("2E2/1B3/5/3c1/2d2 b 3 2", values[2])]
    {
        let rollout = rollout(text, &random, 1, false);
        let result = rollout.run(1, games(60_000), |_| true);
        assert_eq!(result, rollout.run(2, games(60_000), |_| true));
        assert_eq!((result.control.count(), result.faults), (60_000, 0));
        let raw = result.control.raw();
        assert!((raw.mean - truth).abs() < 4.0 * raw.error, "{text}: {raw:?}, not {truth}");
        let sure = StoppingRule { games: None, error: Some(0.004) };
        let result = rollout.run(2, sure, |_| true);
        assert!((0.002..=0.004).contains(&result.control.raw().error));
    }
}

#[test]
fn perfect_players_roll_out_the_exact_value() {
    for (position, truth) in
        [("5/5/2C2/5/2cba r - 1", 95.0 / 108.0), ("5/5/2C2/5/2cba b - 1", 1.0 - 68.0 / 81.0)]
    {
        let result =
            rollout(position, &player("star2:depth=30"), 1, true).run(2, games(300), |_| true);
        let (mean, error) = adjusted(&result);
        assert!((mean - truth).abs() < 4.0 * error && error < 0.02, "{mean} {error}");
    }
}

#[test]
fn a_roll_that_is_given_is_the_first() {
    // A 4 all but loses for red, and a 1 wins immediately.
    for (die, mean) in [("1", 1.0), ("4", 0.0)] {
        let position = format!("5/1a3/D4/3C1/5 r {die} 1");
        let result =
            rollout(&position, &player("expecti:depth=3"), 1, true).run(1, games(30), |_| true);
        assert!((result.control.raw().mean - mean).abs() < 1e-12, "{die}");
        assert_eq!(result.control.count(), 30);
    }
}

#[test]
fn stratified_rolls_and_luck_save_games() {
    let result = rollout("ABC2/DE3/F3f/3ed/2cba r - 1", &player("champion:depth=1"), 1, true).run(
        2,
        games(1200),
        |_| true,
    );
    assert_eq!((result.control.count(), result.faults), (1200, 0));
    assert!(result.control.adjusted().unwrap().gain > 2.0);
    // The first rolls decide this position, so stratification alone more than halves the error.
    let result = rollout("5/1a3/D4/3C1/5 r - 1", &player("expecti:depth=2"), 1, false);
    let error = result.run(1, games(60), |_| true).control.raw().error;
    assert!(error < 1e-9, "{error}");
}

#[test]
fn the_seed_alone_decides_and_the_wanted_error_is_reached() {
    let position = "2E2/1B3/5/3c1/2d2 r - 1";
    let enough = StoppingRule { games: None, error: Some(0.01) };
    let greedy = player("greedy");
    let [one, two, other] = [(1, 1), (1, 8), (2, 8)]
        .map(|(seed, jobs)| rollout(position, &greedy, seed, true).run(jobs, enough, |_| true));
    assert_eq!(one, two);
    assert_ne!(one, other);
    let (_, error) = adjusted(&one);
    assert!(error <= 0.01 && one.control.count() > 100);
    // Returning false ends the rollout after whole blocks.
    let mut seen = 0;
    let stopped = rollout(position, &player("greedy"), 1, true).run(2, enough, |_| {
        seen += 1;
        seen < 3
    });
    assert_eq!(stopped.control.count(), 18);
    // A rollout also ends when all games have the same result.
    let won = rollout("5/1a3/5/3A1/5 r - 1", &player("expecti:depth=1"), 1, true);
    assert!((won.run(1, enough, |_| true).control.raw().mean - 1.0).abs() < 1e-12);
}

/// An agent that panics at its first decision.
struct Crash;

impl Agent<Einstein> for Crash {
    fn begin(&mut self, _: Random) {}

    fn decide(&mut self, _: Turn<'_, Einstein>, _: Budget<'_>) -> Decision<Move> {
        panic!("on purpose")
    }
}

#[test]
fn games_that_a_fault_decides_are_counted() {
    let crash: Factory<Einstein> = Arc::new(|| Box::new(Crash));
    let result = rollout("2E2/1B3/5/3c1/2d2 r - 1", &crash, 1, false).run(1, games(6), |_| true);
    assert_eq!((result.faults, result.control.count()), (6, 6));
}

/// After one turn the mean over the first rolls is known: the estimate of the player, seen from the other
/// side.
#[test]
fn a_rollout_that_is_cut_ends_with_the_estimate_of_its_player() {
    let factory = player("expecti:depth=1");
    let position = "2E2/1B3/5/3c1/2d2 r - 1";
    let rollout = Rollout { turns: Some(1), ..rollout(position, &factory, 5, false) };
    let result = rollout.run(2, games(60), |_| true);
    let (mut player, start) = (factory(), position.parse::<Einstein>().unwrap());
    let mut sum = 0.0;
    for face in Einstein::DICE {
        let turn = Turn { position: &start, roll: face.item };
        let mut next = start;
        let _ = next.play(face.item, player.decide(turn, Budget::default()).mv);
        sum += 1.0 - f64::from(before_roll(&mut *player, &next, Budget::default()).unwrap());
    }
    assert!(
        (result.control.raw().mean - sum / 6.0).abs() < 1e-6,
        "{:?}, not {}",
        result,
        sum / 6.0
    );
    assert_eq!(result.plies, 60);
}

#[test]
fn a_stored_rollout_continues_as_if_it_had_not_ended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollout.json");
    let position = "2E2/1B3/5/3c1/2d2 r - 1";
    let rollout = rollout(position, &player("expecti:depth=1"), 7, true);
    let terms = RolloutTerms { position: position.to_owned(), seed: 7, ..RolloutTerms::default() };
    assert_eq!(load_rollout::<RolloutResult>(&path, &terms).unwrap(), None);
    let mut result = rollout.empty_result();
    // 100 games are 17 blocks; 60 are less than there are.
    for (wanted, there) in [(100, 102), (60, 102), (300, 300)] {
        result = rollout.resume(result, 2, games(wanted), |_| true);
        assert_eq!(result.control.count(), there);
        save_rollout(&path, &terms, &result).unwrap();
        result = load_rollout(&path, &terms).unwrap().unwrap();
    }
    assert_eq!(result, rollout.run(1, games(300), |_| true));

    let refused =
        |terms: &RolloutTerms| load_rollout::<RolloutResult>(&path, terms).unwrap_err().to_string();
    let other = RolloutTerms { seed: 8, ..terms.clone() };
    assert_eq!(refused(&other), "another rollout is stored there: seed is 7, not 8");
    let other = RolloutTerms { depth: Some(2), ..terms.clone() };
    assert_eq!(refused(&other), "another rollout is stored there: depth is null, not 2");
    let text = std::fs::read_to_string(&path).unwrap();
    for (old, new) in [("\"count\":", "\"count\":1"), ("\"version\":1", "\"version\":2"), ("{", "")]
    {
        std::fs::write(&path, text.replacen(old, new, 1)).unwrap();
        assert!(refused(&terms).starts_with("expected a stored rollout, version 1: "), "{old}");
    }
}

/// A file may have the right checksum and the results of another position.
#[test]
fn only_whole_blocks_of_the_same_rolls_fit() {
    let factory = player("expecti:depth=1");
    let whole = rollout("2E2/1B3/5/3c1/2d2 r - 1", &factory, 7, true);
    let rolled = rollout("2E2/1B3/5/3c1/2d2 r 3 1", &factory, 7, true);
    let result = rolled.run(1, games(7), |_| true);
    assert!(rolled.fits(&result) && whole.fits(&whole.run(1, games(7), |_| true)));
    assert!(!whole.fits(&result));
    let text = serde_json::to_string(&result).unwrap();
    for (old, new) in [
        ("\"count\":7", "\"count\":8"),
        ("\"yy\":", "\"yy\":1e999"),
        ("1.0", "-1.0"),
        ("\"faults\":0", "\"faults\":8"),
        ("\"plies\":", "\"plies\":9999999999999"),
    ] {
        let changed = text.replacen(old, new, 1);
        assert_ne!(text, changed);
        let read: Result<RolloutResult, _> = serde_json::from_str(&changed);
        assert!(!read.is_ok_and(|result| rolled.fits(&result)), "{changed}");
    }
}

/// All legal moves of a turn, to be played out.
fn candidates(position: &str) -> Candidates<'static, Einstein> {
    let rollout = rollout(position, &player("expecti:depth=3"), 3, true);
    let moves = rollout.situation.turn().unwrap().moves();
    let moves = moves.as_ref().iter().map(|&mv| Candidate(vec![mv])).collect();
    Candidates { rollout, moves, error_rate: 0.05 }
}

/// The three moves win 15.14 %, 12.41 % and nothing, by exact values.
#[test]
fn moves_are_compared_on_the_same_dice() {
    let contest = candidates("5/1A3/2B2/2c1a/5 b 4 1");
    let result = contest.run(1, games(20_000), |_| true);
    let (selection, place) = (&result.selection, |mv: &str| {
        contest.moves.iter().position(|of| of.to_string() == mv).unwrap()
    });
    let leader = place("c2b2");
    assert_eq!(selection.leader(), leader);
    for (mv, value) in [("c2b2", 0.1514), ("c2b3", 0.1241), ("c2c3", 0.0)] {
        let estimate = selection.estimate(place(mv));
        let bound = 4.0 * estimate.error + 0.005;
        assert!((estimate.mean - value).abs() < bound, "{mv}: {estimate:?}, not {value}");
        assert_eq!(selection.is_in(place(mv)), mv == "c2b2", "{mv}");
    }
    let threads = candidates("5/1A3/2B2/2c1a/5 b 4 1").run(3, games(20_000), |_| true);
    assert_eq!(threads, result);
}

/// Wherever a comparison is stopped, before the first look, at one or between two.
#[test]
fn a_comparison_that_was_stopped_goes_on_as_if_it_had_not_been() {
    let contest = candidates("2E2/1B3/5/3c1/2d2 r 3 1");
    let whole = contest.run(2, games(1000), |_| true);
    assert!(whole.games > 1000, "{whole:?}");
    let mut result = contest.empty_result();
    for stop in [1, 50, 120, 121, 240, 700] {
        assert!(!contest.is_over(&result, games(1000)));
        let mut seen = result.selection.games(result.selection.leader());
        result = contest.resume(result, 2, games(1000), |_| {
            seen += 1;
            seen < stop
        });
        assert_eq!(result.selection.games(result.selection.leader()), stop);
    }
    result = contest.resume(result, 1, games(1000), |_| true);
    assert_eq!(result, whole);
    for bound in [1000, 60] {
        assert!(contest.is_over(&result, games(bound)));
        assert_eq!(contest.resume(result.clone(), 1, games(bound), |_| true), whole);
    }
}

/// What is dropped does not depend on how often a comparison was ended before, or by which bound, because an
/// end takes no share of the error rate.
#[test]
fn an_extended_comparison_equals_one_that_ran_through() {
    let contest = candidates("2E2/1B3/5/3c1/2d2 r 3 1");
    let whole = contest.run(2, games(2000), |_| true);
    let mut result = contest.empty_result();
    for bound in [60, 119, 120, 130, 500, 100, 960, 1100, 1900, 2000] {
        result = contest.resume(result, 2, games(bound), |_| true);
        assert!(contest.fits(&result) && contest.is_over(&result, games(bound)), "{bound}");
    }
    assert_eq!(result, whole);

    let sure = |error| StoppingRule { games: None, error: Some(error) };
    let exact = contest.run(2, sure(0.004), |_| true);
    let rough = contest.run(1, sure(0.02), |_| true);
    assert!(rough.games < exact.games, "{} {}", rough.games, exact.games);
    assert_eq!(contest.resume(rough, 1, sure(0.004), |_| true), exact);
}

/// A comparison so cautious that of its three moves the one that loses is dropped at the first
/// look, and the other two are in after 300 games.
fn cautious() -> Candidates<'static, Einstein> {
    Candidates { error_rate: 1e-30, ..candidates("5/1A3/2B2/2c1a/5 b 4 1") }
}

/// A program may be killed after any game, also between the last game before a look and the look.
#[test]
fn a_stored_comparison_can_be_continued_after_any_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moves.json");
    let contest = cautious();
    let terms =
        ComparisonTerms { moves: 3, error_rate: contest.error_rate, ..ComparisonTerms::default() };
    let names: Vec<String> = contest.moves.iter().map(Candidate::to_string).collect();
    let mut states = vec![];
    let whole = contest.run(1, games(300), |result| {
        states.push(result.clone());
        true
    });
    let mut dropped = [0, 1, 2].map(|at| whole.selection.dropped(at));
    dropped.sort_unstable();
    assert_eq!((dropped, states.len()), ([None, None, Some(120)], 300));
    for at in [1, 2, 119, 120, 121, 239, 240, 241, 299, 300] {
        let stored = StoredComparison { moves: names.clone(), compared: states[at - 1].clone() };
        save_rollout(&path, &terms, &stored).unwrap();
        let there: StoredComparison = load_rollout(&path, &terms).unwrap().unwrap();
        assert_eq!(there, stored);
        let Candidates { rollout, error_rate, .. } = cautious();
        let again = Candidates::from_names(rollout, &there.moves, error_rate).unwrap();
        assert!(again.fits(&there.compared), "{at}");
        assert_eq!(again.resume(there.compared, 1, games(300), |_| true), whole, "{at}");
    }
}

#[test]
fn a_stored_comparison_of_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moves.json");
    let contest = candidates("5/1A3/2B2/2c1a/5 b 4 1");
    let comparison = contest.run(2, games(300), |_| true);
    let moves = contest.moves.iter().map(Candidate::to_string).collect();
    let terms = ComparisonTerms { moves: 3, error_rate: 0.05, ..ComparisonTerms::default() };
    let stored = StoredComparison { moves, compared: comparison };
    save_rollout(&path, &terms, &stored).unwrap();
    let refused = |terms: &ComparisonTerms| {
        load_rollout::<StoredComparison>(&path, terms).unwrap_err().to_string()
    };
    let start = "another comparison of moves is stored there: ";
    let other = ComparisonTerms { error_rate: 0.01, ..terms.clone() };
    assert_eq!(refused(&other), format!("{start}error_rate is 0.05, not 0.01"));
    let other = ComparisonTerms { moves: 4, ..terms.clone() };
    assert_eq!(refused(&other), format!("{start}moves is 3, not 4"));
    let rollout = RolloutTerms { seed: 8, ..RolloutTerms::default() };
    let other = ComparisonTerms { rollout: rollout.clone(), ..terms.clone() };
    assert_eq!(refused(&other), format!("{start}seed is 0, not 8"));
    let error = load_rollout::<RolloutResult>(&path, &rollout).unwrap_err().to_string();
    assert_eq!(error, "expected a stored rollout, version 1: it is wurfel-comparison, version 1");
    let text = std::fs::read_to_string(&path).unwrap();
    for cut in [0, 1, text.len() / 2, text.len() - 2] {
        std::fs::write(&path, &text[..cut]).unwrap();
        let error = refused(&terms);
        assert!(error.starts_with("expected a stored comparison of moves, version 1: "), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }
    std::fs::write(&path, text.replacen("\"looks\":", "\"looks\":1", 1)).unwrap();
    assert!(refused(&terms).ends_with("the checksum does not match"));
}

/// A file may have the right checksum and anything in it.
#[test]
fn only_what_a_comparison_of_the_same_moves_can_find_fits() {
    let contest = cautious();
    let result = contest.run(2, games(300), |_| true);
    assert!(contest.fits(&result) && contest.fits(&contest.empty_result()));
    let other = candidates("2E2/1B3/5/3c1/2d2 r 3 1");
    assert!(!other.fits(&result) && !contest.fits(&other.empty_result()));
    let text = serde_json::to_string(&result).unwrap();
    for (old, new) in [
        ("\"rate\":1e-30", "\"rate\":0.5"),
        ("\"looks\":2", "\"looks\":1"),
        ("\"looks\":2", "\"looks\":4294967295"),
        ("\"dropped\":[null", "\"dropped\":[120"),
        ("\"dropped\":[null", "\"dropped\":[null,null"),
        ("\"pairs\":[{", "\"pairs\":[{\"strata\":[],\"count\":0},{"),
        ("\"count\":120", "\"count\":240"),
        ("\"games\":", "\"games\":1"),
        ("\"faults\":0", "\"faults\":9999"),
        ("\"plies\":", "\"plies\":9999999999999"),
    ] {
        let changed = text.replacen(old, new, 1);
        assert_ne!(text, changed, "{old}");
        let read: Result<ComparisonResult, _> = serde_json::from_str(&changed);
        assert!(!read.is_ok_and(|result| contest.fits(&result)), "{new}");
    }
    let named = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let rollout = candidates("5/1A3/2B2/2c1a/5 b 4 1").rollout;
        Candidates::from_names(rollout, &names, 0.05).map(|result| result.moves.len())
    };
    assert_eq!(named(&["c2b3", "c2b2"]), Some(2));
    for names in [&[][..], &["c2b3", "c2b3"], &["c2d4"], &["c2b3", ""]] {
        assert_eq!(named(names), None, "{names:?}");
    }
}

#[test]
fn only_a_turn_has_moves_to_choose_from() {
    let best = |position, count| {
        let rollout = rollout(position, &player("expecti:depth=3"), 3, true);
        Candidates::best(rollout, count, 0.05)
            .map(|result| result.moves)
            .map_err(|why| why.to_string())
    };
    // Three turns ahead it does not see that c2b2 is better.
    let moves: Vec<String> =
        best("5/1A3/2B2/2c1a/5 b 4 1", 2).unwrap().iter().map(Candidate::to_string).collect();
    assert_eq!(moves, ["c2b3", "c2b2"]);
    let error = best("5/1A3/2B2/2c1a/5 b - 1", 2).unwrap_err();
    assert_eq!(error, "position '5/1A3/2B2/2c1a/5 b - 1': expected one with a roll");
    let error = best("5/5/5/5/4A b - 1", 2).unwrap_err();
    assert!(error.ends_with("nothing to play out, the game is over"), "{error}");
}

/// With three dice, first moves of one turn were once compared with each other, which can never be
/// told apart.
#[test]
fn with_three_dice_whole_turns_are_compared() {
    let start = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1 PNQ";
    let rollout = || Rollout {
        situation: start.parse::<Situation<DiceChess3>>().unwrap(),
        player: build(&DiceChess3::default(), &"selective:depth=1,eval=linear".parse().unwrap())
            .unwrap(),
        budget: Budget::default(),
        luck: None,
        turns: Some(1),
        seed: 3,
    };
    let best = Candidates::best(rollout(), 3, 0.05).unwrap();
    let names: Vec<String> = best.moves.iter().map(ToString::to_string).collect();
    assert_eq!(names.len(), 3);
    assert!(names.iter().all(|name| name.split(' ').count() == 3), "{names:?}");
    let named = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        Candidates::from_names(rollout(), &names, 0.05).map(|result| result.moves.len())
    };
    let again: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(named(&again), Some(3));
    assert_eq!(named(&["d2d4 b1c3 d1e2", "b1c3 d1e2 d2d3"]), Some(2));
    // The same turn in another order, a move too many, and one of the other side.
    for names in [
        &["d2d4 b1c3 d1e2", "b1c3 d1e2 d2d4"][..],
        &["d2d4 b1c3 d1e2 a2a3"],
        &["d2d4 c6d4"],
        &["d2d4  b1c3"],
    ] {
        assert_eq!(named(names), None, "{names:?}");
    }
    // All are cut after the same turn of the other side, so each has a game of one more turn.
    let result = best.run(1, games(60), |_| true);
    assert_eq!(result.plies, result.games);
}

/// A move that ends the game needs no games, and is compared with those after which the other side arrives.
#[test]
fn a_move_that_wins_is_the_best() {
    let contest = candidates("5/a4/5/3A1/5 r 1 1");
    let result = contest.run(2, games(600), |_| true);
    let leader = result.selection.leader();
    assert_eq!(contest.moves[leader].to_string(), "d2e1");
    assert!((result.selection.estimate(leader).mean - 1.0).abs() < 1e-12);
}

#[test]
fn a_rollout_is_repeated_by_a_command_that_a_shell_reads() {
    let terms = RolloutTerms {
        game: "einstein".to_owned(),
        position: "5/1A3/2B2/2c1a/5 b 4 1".to_owned(),
        agent: "expecti:values='mine'".to_owned(),
        seed: 7,
        ..RolloutTerms::default()
    };
    let one_turn = Budget { depth: Some(1), ..Budget::default() };
    let agent = r"'expecti:values='\''mine'\'''";
    assert_eq!(
        terms.clone().with_budget(one_turn).command(3, 100),
        format!(
            "wurfel rollout '5/1A3/2B2/2c1a/5 b 4 1' --game einstein --agent {agent} --moves 3 --games 100 --seed 7"
        )
    );
    let time = Some(std::time::Duration::from_micros(2500));
    let bounds = Budget { nodes: Some(50), time, ..one_turn };
    let terms = RolloutTerms { turns: Some(8), ..terms }.with_budget(bounds);
    let options = " --games 1 --depth 1 --nodes 50 --time 2.5ms --truncate 8 --seed 7";
    assert!(terms.command(2, 1).ends_with(options), "{}", terms.command(2, 1));
}
