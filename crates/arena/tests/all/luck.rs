//! Luck-adjusted results of matches: they are unbiased, and the same whether the games were played
//! in one run or in several.

use std::sync::LazyLock;

use wurfel_arena::{Adjusted, Control, LuckMeter, Match, MatchTally, Output};
use wurfel_games::einstein::Einstein;

/// The meter is made once, because it holds tables.
static METER: LazyLock<LuckMeter<Einstein>> = LazyLock::new(LuckMeter::default_for_game);

fn arranged(agents: [&str; 2], pairs: u64, seed: u64, luck: bool) -> Match<'static, Einstein> {
    let specs = agents.map(|spec| spec.parse().unwrap());
    let mut arranged = Match::new(&Einstein::default(), specs, pairs, seed).unwrap();
    arranged.luck = luck.then(|| METER.clone());
    arranged
}

fn adjusted(report: &MatchTally) -> Adjusted {
    report.luck.as_ref().and_then(Control::adjusted).unwrap()
}

/// What `wurfel match greedy random --pairs 200000 --seed 99` finds; its standard error is 0.0006.
const LONG: f64 = 0.800_127_5;

/// Compares many short matches with the win rate of one long match.
#[test]
fn the_adjusted_win_rate_is_unbiased_and_its_interval_holds() {
    let agents = ["greedy", "random"];
    let truth = LONG;
    let matches = 400;
    let (mut sum, mut squares, mut covered) = (0.0, 0.0, 0);
    for seed in 0..matches {
        let report = arranged(agents, 30, seed, true).run(2, None, &mut |_| {}).unwrap();
        let estimate = adjusted(&report).estimate;
        sum += estimate.mean - truth;
        squares += (estimate.mean - truth).powi(2);
        covered += u32::from(estimate.interval.low <= truth && truth <= estimate.interval.high);
    }
    let count = matches as f64;
    // The bound is four standard errors of the difference.
    let error = (squares / count / count).sqrt() + 0.001;
    assert!((sum / count).abs() < 4.0 * error, "{} {error}", sum / count);
    let share = f64::from(covered) / count;
    assert!((0.92..0.98).contains(&share), "{share}");
}

#[test]
fn between_agents_that_search_luck_is_most_of_what_varies() {
    let agents = ["champion:depth=2", "champion:depth=1"];
    let report = arranged(agents, 150, 1, true).run(2, None, &mut |_| {}).unwrap();
    let Adjusted { estimate, gain, coefficient } = adjusted(&report);
    assert!(gain > 4.0 && (0.8..1.2).contains(&coefficient), "{gain} {coefficient}");
    // The plain interval contains the adjusted one.
    let raw = report.score.summary().interval;
    assert!(raw.low < estimate.interval.low && estimate.interval.high < raw.high);
}

#[test]
fn luck_changes_no_game_and_is_found_again_in_records() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, cut] = ["whole.jsonl", "cut.jsonl"].map(|name| folder.path().join(name));
    let agents = ["greedy", "random"];
    let run = |path: &std::path::Path, luck| {
        let arranged = arranged(agents, 40, 3, luck);
        let output = Output::open(path, &arranged.header(), true).unwrap();
        arranged.run(2, Some(output), &mut |_| {}).unwrap()
    };
    let without = run(&whole, false);
    assert_eq!(without.luck, None);
    // A run that measures luck resumes the files of one that did not.
    for file in ["jsonl", "games.csv", "moves.csv"] {
        let text = std::fs::read_to_string(whole.with_extension(file)).unwrap();
        let part = folder.path().join(format!("cut.{file}.part"));
        std::fs::write(part, &text[..text.len() / 2]).unwrap();
    }
    let resumed = run(&cut, true);
    assert!(resumed.resumed > 10 && resumed.complete);
    let fresh = arranged(agents, 40, 3, true).run(1, None, &mut |_| {}).unwrap();
    assert_eq!((resumed.luck, resumed.score), (fresh.luck, without.score));
    assert_eq!(std::fs::read(whole).unwrap(), std::fs::read(cut).unwrap());
}

#[test]
fn a_record_that_is_no_game_is_refused_whether_its_luck_is_measured_or_not() {
    for luck in [true, false] {
        refused(luck);
    }
}

fn refused(luck: bool) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let arranged = arranged(["greedy", "random"], 4, 3, luck);
    let output = Output::open(&path, &arranged.header(), true).unwrap();
    arranged.run(1, Some(output), &mut |_| {}).unwrap();
    // An impossible roll is put into the record and into the table beside it.
    let whole = |name: &str| folder.path().join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let at = text.find("\"moves\":\"@").unwrap() + 10;
    let (before, roll) = (&text[..at], &text[at..=at]);
    let damaged = format!("{before}7{}", &text[at + 1..]);
    std::fs::write(whole("games.jsonl.part"), damaged).unwrap();
    std::fs::remove_file(&path).unwrap();
    std::fs::rename(whole("games.games.csv"), whole("games.games.csv.part")).unwrap();
    let moves = std::fs::read_to_string(whole("games.moves.csv")).unwrap();
    let moves = moves.replacen(&format!(",1,1,{roll},"), ",1,1,7,", 1);
    std::fs::write(whole("games.moves.csv.part"), moves).unwrap();
    std::fs::remove_file(whole("games.moves.csv")).unwrap();
    let output = Output::open(&path, &arranged.header(), true).unwrap();
    let error = arranged.run(1, Some(output), &mut |_| {}).unwrap_err().to_string();
    assert_eq!(error, "game 0 of pair 0, from an earlier run: die '7': expected a number 1-6");
}
