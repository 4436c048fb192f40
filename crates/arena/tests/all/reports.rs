//! The report of a match: statistics of searches and turns to win, and how reports are saved, added up and
//! resumed.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use wurfel_agents::Catalogued;
use wurfel_arena::{
    Entrant, LuckMeter, Match, MatchTally, Output, Searches, Tally, Wins, read_games,
};
use wurfel_core::{Agent, Budget, BySide, Decision, Outcome, Random, Statistic, Turn};
use wurfel_games::dicechess::DiceChess3;
use wurfel_games::einstein::{Einstein, Move};

/// An agent that plays the first legal move. For its n-th decision in a game it reports n nodes at
/// depth 2, for every second one also a share, and for every third one a number that makes no
/// sense.
struct Talker(u64);

impl Agent<Einstein> for Talker {
    fn begin(&mut self, _: Random) {
        self.0 = 0;
    }

    fn decide(&mut self, turn: Turn<'_, Einstein>, _: Budget<'_>) -> Decision<Move> {
        self.0 += 1;
        let mv = turn.moves().as_ref()[0];
        Decision { mv, value: None, exact: false, nodes: self.0, depth: 2 }
    }

    fn statistics(&self) -> Vec<Statistic> {
        match self.0 {
            n if n.is_multiple_of(2) => vec![Statistic { name: "share", value: 1.0 / n as f64 }],
            n if n.is_multiple_of(3) => vec![Statistic { name: "share", value: f64::NAN }],
            7 => panic!("on purpose"),
            _ => vec![],
        }
    }
}

fn talker() -> Entrant<Einstein> {
    Entrant::custom(&Einstein::default(), "talker", Arc::new(|| Box::new(Talker(0))))
}

fn entrant(spec: &str) -> Entrant<Einstein> {
    Entrant::new(&Einstein::default(), spec.parse().unwrap()).unwrap()
}

fn played(specs: [&str; 2], pairs: u64, seed: u64) -> MatchTally {
    let mut arranged = Match::between(specs.map(entrant), pairs, seed);
    arranged.luck = Some(LuckMeter::default_for_game());
    arranged.run(2, None, &mut |_| {}).unwrap()
}

/// An agent that plays the first legal move, but panics at its second decision in every other game.
struct Fails(u32, u32);

impl Agent<Einstein> for Fails {
    fn begin(&mut self, _: Random) {
        (self.0, self.1) = (self.0 + 1, 0);
    }

    fn decide(&mut self, turn: Turn<'_, Einstein>, _: Budget<'_>) -> Decision<Move> {
        self.1 += 1;
        assert!(self.0.is_multiple_of(2) || self.1 < 2, "on purpose");
        Decision { mv: turn.moves().as_ref()[0], value: None, exact: false, nodes: 0, depth: 0 }
    }
}

/// Half of its games were forfeited, and the report gave its strength as if they had been played.
#[test]
fn games_lost_by_faults_are_told_apart_from_games_played() {
    let fails = Entrant::custom(&Einstein::default(), "fails", Arc::new(|| Box::new(Fails(0, 0))));
    let report =
        Match::between([fails, entrant("random")], 20, 1).run(1, None, &mut |_| {}).unwrap();
    assert_eq!((report.score.games(), report.lost_by_fault()), (40, 20));
    let rate = report.played_games().unwrap().rate().unwrap();
    assert_eq!(rate.games, 20);
    // It won nothing but games that it played.
    assert!((report.score.wins as f64 - rate.rate * 20.0).abs() < 1e-9);
    assert!(rate.interval.low < rate.rate && rate.rate < rate.interval.high);
    // Two reports add up to one of twice the games, and what is saved is the same.
    let mut both = report.clone();
    both.merge(&report);
    assert_eq!(both.played_games().unwrap().rate().unwrap().games, 40);
    let saved: MatchTally = serde_json::from_str(&serde_json::to_string(&report).unwrap()).unwrap();
    assert_eq!(saved.played_games(), report.played_games());
    assert!(saved.is_possible());
    let healthy = played(["random", "greedy"], 2, 1);
    assert_eq!((healthy.lost_by_fault(), healthy.played_games()), (0, None));
}

#[test]
fn a_report_has_mean_and_maximum_of_what_decisions_say() {
    let arranged = Match::between([entrant("random"), talker()], 1, 1);
    let report = arranged.run(1, None, &mut |_| {}).unwrap();
    assert!(report.searches[0].is_empty());
    let searches = &report.searches[1];
    let names: Vec<&str> = searches.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["depth", "nodes", "share"]);
    let nodes = searches.get("nodes").unwrap();
    // A game of n decisions has 1 + 2 + … + n nodes.
    let (count, longest) = (report.timing[1].moves, nodes.max);
    let other = count as f64 - longest;
    let sum = f64::midpoint(longest * (longest + 1.0), other * (other + 1.0));
    assert_eq!(*nodes, Tally { count, sum, max: longest });
    assert!(longest >= 7.0, "the panic of the seventh decision is not tried");
    let depth = searches.get("depth").unwrap();
    assert_eq!((depth.mean(), depth.max), (Some(2.0), 2.0));
    let share = searches.get("share").unwrap();
    let spoken = (longest / 2.0).floor() + (other / 2.0).floor();
    assert_eq!((share.count as f64, share.max), (spoken, 0.5));
    assert_eq!(report.faults, [[0; 3]; 2]);
}

/// A match, and the folder with its files.
fn saved_match<G: Catalogued>(
    agents: [&str; 2],
    pairs: u64,
) -> (Match<'static, G>, MatchTally, tempfile::TempDir) {
    let arranged =
        Match::new(&G::default(), agents.map(|spec| spec.parse().unwrap()), pairs, 5).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let output =
        Output::open(&folder.path().join("games.jsonl"), &arranged.header(), true).unwrap();
    let report = arranged.run(2, Some(output), &mut |_| {}).unwrap();
    (arranged, report, folder)
}

fn text(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap()
}

/// Turns to win, counted from the records of the games.
fn counted<G: Catalogued>(pairs: u64) {
    let agents = ["greedy", "random"];
    let (_, report, folder) = saved_match::<G>(agents, pairs);
    let mut wins = [Wins::default(); 2];
    for recorded_game in read_games(&G::default(), &text(folder.path(), "games.jsonl")).unwrap() {
        let Some(Outcome::Win(winner)) = recorded_game.game.result else { continue };
        let mut turns = BySide::<u64>::default();
        recorded_game
            .game
            .replay(|step| turns[step.turn.position.side()] += u64::from(step.rolled));
        let agent =
            agents.iter().position(|name| *name == recorded_game.game.players[winner]).unwrap();
        let (own, plies) = (turns[winner], turns[winner] + turns[!winner]);
        wins[agent].merge(&Wins { games: 1, turns: own, squares: own * own, plies });
    }
    assert_eq!(report.wins, wins);
    assert!(wins[0].games > wins[1].games, "{wins:?}");
}

#[test]
fn turns_to_win_are_those_of_the_winner_in_the_games_that_it_won() {
    counted::<Einstein>(100);
    // A turn of three dice has several moves but counts once.
    counted::<DiceChess3>(10);
}

/// Cuts the files of a match off in the middle and resumes the match.
fn resumed<G: Catalogued>(arranged: &Match<G>, folder: &Path) -> MatchTally {
    for file in ["games.jsonl", "games.games.csv", "games.moves.csv"] {
        let whole = text(folder, file);
        std::fs::write(folder.join(format!("{file}.part")), &whole[..whole.len() / 2]).unwrap();
        std::fs::remove_file(folder.join(file)).unwrap();
    }
    let output = Output::open(&folder.join("games.jsonl"), &arranged.header(), true).unwrap();
    arranged.run(2, Some(output), &mut |_| {}).unwrap()
}

#[test]
fn a_resumed_match_reports_all_searches() {
    let agents = ["uct:playouts=30", "expecti:depth=2"];
    let (arranged, whole, folder) = saved_match::<Einstein>(agents, 12);
    let before = text(folder.path(), "games.jsonl");
    let again = resumed(&arranged, folder.path());
    assert!(again.resumed > 2 && again.complete, "{again:?}");
    assert_eq!((&again.searches, again.wins), (&whole.searches, whole.wins));
    assert!(whole.searches[0].get("per cent pruned").is_some_and(|pruned| pruned.max == 0.0));
    for (one, other) in whole.timing.iter().zip(again.timing) {
        assert_eq!(one.moves, other.moves);
        assert!(other.longest > Duration::ZERO && other.total >= other.longest);
    }
    // Records contain no times, so that the same match always gives the same records.
    assert_eq!(text(folder.path(), "games.jsonl"), before);
}

/// The times of an earlier run are only in its table of moves; without it they are not taken for zero.
#[test]
fn a_match_that_is_resumed_without_tables_counts_the_times_of_its_own_moves() {
    let agents = ["uct:playouts=30", "expecti:depth=2"];
    let specs = agents.map(|spec| spec.parse().unwrap());
    let arranged = Match::new(&Einstein::default(), specs, 12, 5).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let run = || {
        let output = Output::open(&path, &arranged.header(), false).unwrap();
        arranged.run(2, Some(output), &mut |_| {}).unwrap()
    };
    let whole = run();
    let before = text(folder.path(), "games.jsonl");
    let [_, games @ ..] = &before.split_inclusive('\n').collect::<Vec<_>>()[..] else { panic!() };
    let length = before.len() - games[10..].concat().len();
    std::fs::write(folder.path().join("games.jsonl.part"), &before[..length]).unwrap();
    std::fs::remove_file(&path).unwrap();
    let again = run();
    assert_eq!((again.resumed, again.score, &again.searches), (5, whole.score, &whole.searches));
    assert_eq!(text(folder.path(), "games.jsonl"), before);
    let moves = |of: &[&str]| -> usize {
        let count = |game: &&str| {
            let game: serde_json::Value = serde_json::from_str(game).unwrap();
            game["moves"].as_str().unwrap().split(' ').filter(|word| !word.starts_with('@')).count()
        };
        of.iter().map(count).sum()
    };
    let timed = |report: &MatchTally| {
        report.timing.iter().map(|timing| timing.moves as usize).sum::<usize>()
    };
    assert_eq!((timed(&whole), timed(&again)), (moves(games), moves(&games[10..])));
}

/// Records of older versions have no `searches`, and agents without statistics still write none.
#[test]
fn records_without_searches_are_read() {
    let (arranged, whole, folder) = saved_match::<Einstein>(["random", "greedy"], 30);
    assert!(!text(folder.path(), "games.jsonl").contains("searches"));
    assert!(whole.searches.iter().all(Searches::is_empty));
    let again = resumed(&arranged, folder.path());
    assert_eq!((again.score, again.wins), (whole.score, whole.wins));
    let moves = |report: &MatchTally| report.timing.map(|timing| timing.moves);
    assert_eq!(moves(&again), moves(&whole));
}

#[test]
fn a_report_is_read_back_to_the_bit() {
    let report = played(["uct:playouts=20", "greedy"], 12, 1);
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<MatchTally>(&text).unwrap(), report);
    assert!(report.luck.is_some() && report.searches[0].get("mean depth").is_some());
}

#[test]
fn reports_are_added_up() {
    let agents = ["greedy", "expecti:depth=1"];
    let [one, other] = [1, 2].map(|seed| played(agents, 30, seed));
    let mut both = one.clone();
    both.merge(&other);
    assert_eq!(both.score.games(), 120);
    assert_eq!(both.score.wins, one.score.wins + other.score.wins);
    assert_eq!(both.score.pairs.iter().sum::<u64>(), 60);
    assert_eq!(both.plies, one.plies + other.plies);
    assert_eq!(both.wins[1].turns, one.wins[1].turns + other.wins[1].turns);
    assert_eq!(both.timing[0].moves, one.timing[0].moves + other.timing[0].moves);
    assert_eq!(both.timing[1].longest, one.timing[1].longest.max(other.timing[1].longest));
    let nodes = |report: &MatchTally| *report.searches[1].get("nodes").unwrap();
    let [first, second] = [nodes(&one), nodes(&other)];
    let (count, sum) = (first.count + second.count, first.sum + second.sum);
    assert_eq!(nodes(&both), Tally { count, sum, max: first.max.max(second.max) });
    assert_eq!(both.luck.as_ref().unwrap().count(), 60);
    assert!(both.complete);

    // Adding an empty report changes nothing, in either order.
    let mut sum = MatchTally::default();
    sum.merge(&one);
    assert_eq!(sum, one);
    sum.merge(&MatchTally { complete: true, ..MatchTally::default() });
    assert_eq!(sum, one);
    // If only one of two reports has luck, their sum has none.
    sum.merge(&MatchTally { luck: None, complete: false, ..other });
    assert_eq!((sum.luck, sum.complete), (None, false));
}
