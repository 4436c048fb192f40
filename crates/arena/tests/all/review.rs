//! Reviews: sums that hold with any analyser, and true values where they are known.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use wurfel_agents::{Factory, build};
use wurfel_arena::{
    Graph, LuckMark, Mark, Match, Output, RecordedGame, Review, ReviewProgress, ReviewReport,
    ReviewedDecision, Reviewer, Series, SeriesTally, Totals, read_games,
};
use wurfel_core::{Agent, Analysis, Budget, BySide, Decision, Even, Game, Random, Side, Turn};
use wurfel_games::Playable;
use wurfel_games::einstein::{Einstein, Move};
use wurfel_search::{Cutoffs, Star, TranspositionTable};

fn games(agents: [&str; 2], pairs: u64) -> Vec<RecordedGame<Einstein>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let specs = agents.map(|spec| spec.parse().unwrap());
    let arranged = Match::new(&Einstein::default(), specs, pairs, 1).unwrap();
    let output = Output::open(&path, &arranged.header(), false).unwrap();
    arranged.run(1, Some(output), &mut |_| {}).unwrap();
    read_games(&Einstein::default(), &std::fs::read_to_string(path).unwrap()).unwrap()
}

fn review(analyser: &str, games: &[RecordedGame<Einstein>], jobs: usize) -> Vec<Review<Einstein>> {
    review_by(build(&Einstein::default(), &analyser.parse().unwrap()).unwrap(), games, jobs, None)
}

fn review_by(
    analyser: Factory<Einstein>,
    games: &[RecordedGame<Einstein>],
    jobs: usize,
    again: Option<Duration>,
) -> Vec<Review<Einstein>> {
    let reviewer = Reviewer { analyser, solver: None, budget: Budget::default(), again };
    let (mut reviews, mut progress) = (vec![], vec![]);
    let see = |number, review| {
        assert_eq!(number, reviews.len());
        reviews.push(review);
        true
    };
    reviewer.run(games, jobs, |at| progress.push(at), see).unwrap();
    // Every position is reported, and after those of a game the moves that are searched again.
    let (searched_again, positions): (Vec<ReviewProgress>, Vec<_>) =
        progress.into_iter().partition(|at| at.again);
    let expected = games.iter().enumerate().flat_map(|(game, recorded_game)| {
        let all = recorded_game.game.decisions().len() + 1;
        (1..=all).map(move |done| ReviewProgress { game, again: false, done, all })
    });
    assert_eq!(positions, expected.collect::<Vec<_>>());
    assert!(searched_again.iter().all(|at| at.done < at.all && again.is_some()));
    reviews
}

/// Checks the sums that hold with any analyser.
fn check(recorded_game: &RecordedGame<Einstein>, review: &Review<Einstein>) {
    assert_eq!(review.decisions.len(), recorded_game.game.decisions().len());
    let change = review.last - review.initial;
    let parts = review.luck() - review.lost() + review.residual();
    assert!((parts - change).abs() < 1e-9, "{parts} {change}");
    if let Some(outcome) = recorded_game.game.now().outcome() {
        assert!((review.last - f64::from(outcome.value_for(Side::First))).abs() < 1e-12);
    }
    let mut totals = BySide::<Totals>::default();
    for decided in &review.decisions {
        let ReviewedDecision { situation, mv, before, moves, .. } = decided;
        // Every legal move has a value, and the best move comes first.
        let legal = situation.position.moves(situation.roll.unwrap());
        assert_eq!(moves.len(), legal.as_ref().len());
        assert!(moves.iter().all(|scored| legal.as_ref().contains(&scored.mv)));
        assert!(moves.iter().all(|scored| scored.value.is_some()));
        // Moves that were searched again come before the others, and only moves that were searched
        // alike are compared.
        let (comparable, others) = (decided.comparable(), &moves[decided.comparable().len()..]);
        for alike in [comparable, others] {
            assert!(alike.is_sorted_by_key(|scored| -scored.value.unwrap()));
        }
        assert!(comparable.iter().any(|scored| scored.mv == *mv) && decided.lost() >= 0.0);
        assert!(moves.len() > 1 || decided.lost() == 0.0);
        assert!((0.0..=1.0).contains(&before.unwrap()));
        let totals = &mut totals[decided.side()];
        totals.luck += decided.luck();
        totals.lost += decided.lost();
    }
    for side in Side::BOTH {
        assert!((totals[side].luck - review.totals[side].luck).abs() < 1e-12);
        assert!((totals[side].lost - review.totals[side].lost).abs() < 1e-12);
    }
}

#[test]
fn luck_losses_and_residual_are_all_that_changes_whoever_analyses() {
    let games = games(["greedy", "random"], 10);
    for analyser in ["expecti:depth=1", "champion:depth=2", "star2:nodes=300", "uct:playouts=200"] {
        let reviews = review(analyser, &games, 2);
        assert_eq!(reviews.len(), games.len());
        for (recorded_game, review) in games.iter().zip(&reviews) {
            check(recorded_game, review);
        }
        // The value of a position does not depend on the thread, or on other positions.
        assert_eq!(reviews, review(analyser, &games, 1), "{analyser}");
    }
}

#[test]
fn games_that_are_cut_off_are_reviewed_as_far_as_they_are() {
    for text in
        ["@4 a4b4 @1 e1e2 @3 c5d4 *", "@4 a4b4 @1 e1e2 1-0", "S123456", "5/5/2C2/5/2cba r 4 1 c3d3"]
    {
        let games = read_games(&Einstein::default(), text).unwrap();
        check(&games[0], &review("champion:depth=2", &games, 1)[0]);
    }
}

/// With perfect values the luck of all rolls averages to zero, nothing is uncertain, and the values
/// are those of the oracle.
#[test]
fn a_perfect_analyser_is_certain() {
    // Red's 3 against blue's 1, 2 and 3 is worth 95/108 for red; c3c2 loses most of that.
    let games = read_games(&Einstein::default(), "5/5/2C2/5/2cba r - 1 @4 c3c2 @1 e1d2").unwrap();
    let review = &review("star2:depth=30", &games, 1)[0];
    check(&games[0], review);
    assert!((review.initial - 95.0 / 108.0).abs() < 1e-6);
    let [red, blue] = &review.decisions[..] else { panic!("two decisions") };
    assert!(red.exact() && red.luck().abs() < 1e-6);
    assert!((red.best() - 95.0 / 108.0).abs() < 1e-6 && (red.made() - 1.0 / 6.0).abs() < 1e-6);
    assert_eq!(Mark::of(red.lost()), Some(Mark::Blunder));
    for decided in [red, blue] {
        assert!(decided.residual().abs() < 1e-6);
    }
}

/// Each second search had the time of a position, and a review that took too long because of them was lost.
#[test]
fn second_searches_share_their_time_and_are_missing_where_it_is_over() {
    let games = games(["random", "random"], 3);
    let by = |again| {
        review_by(
            build(&Einstein::default(), &"expecti:depth=1".parse().unwrap()).unwrap(),
            &games,
            1,
            again,
        )
    };
    let unhurried = by(None);
    assert_eq!(by(Some(Duration::from_hours(1))), unhurried);
    let decided = |reviews: &[Review<Einstein>]| -> Vec<ReviewedDecision<Einstein>> {
        reviews.iter().flat_map(|review| review.decisions.clone()).collect()
    };
    let (unhurried, hasty) = (decided(&unhurried), decided(&by(Some(Duration::ZERO))));
    assert_eq!(hasty.len(), unhurried.len());
    let (mut unconfirmed, mut again) = (0, 0);
    for (hasty, unhurried) in hasty.iter().zip(&unhurried) {
        assert!(hasty.again == 0 && !unhurried.is_unconfirmed());
        // What is searched again is what would be marked otherwise.
        assert_eq!(hasty.is_unconfirmed(), unhurried.again > 0, "{}", unhurried.situation);
        unconfirmed += usize::from(hasty.is_unconfirmed());
        again += usize::from(unhurried.again > 0);
    }
    assert!(unconfirmed > 5 && again == unconfirmed, "{unconfirmed} {again}");
}

/// A solver of positions with at most this many pieces, by the search that is the oracle. It records the plies
/// of the positions that it is asked about before their roll.
struct RecordingSolver {
    star: Star<Even>,
    pieces: u32,
    queries: Arc<Mutex<Vec<u32>>>,
}

impl Agent<Einstein> for RecordingSolver {
    fn begin(&mut self, random: Random) {
        Agent::<Einstein>::begin(&mut self.star, random);
    }

    fn decide(&mut self, _: Turn<'_, Einstein>, _: Budget<'_>) -> Decision<Move> {
        panic!("a solver is asked for analyses")
    }

    fn at_rest(&mut self, position: &Einstein, _: Budget<'_>) -> Option<f32> {
        self.queries.lock().unwrap().push(position.ply());
        let knows = pieces(position) <= self.pieces;
        knows.then(|| self.star.solve(position, Budget::default()).0.unwrap())
    }

    fn analyse(&mut self, turn: Turn<'_, Einstein>, _: Budget<'_>) -> Analysis<Einstein> {
        self.star.solve_turn(turn, Budget::default()).unwrap()
    }
}

fn pieces(position: &Einstein) -> u32 {
    Side::BOTH.map(|side| position.pieces(side).count).iter().sum()
}

/// Each position of an ending used to be solved as if no other were known, for every roll on its
/// own, and those that could not be solved were tried for every roll of every position before them.
#[test]
fn an_ending_is_solved_backwards_and_no_further_than_it_can_be() {
    let games = games(["greedy", "random"], 8);
    let analyser: Factory<Einstein> =
        build(&Einstein::default(), &"expecti:depth=1".parse().unwrap()).unwrap();
    let queries: Arc<Mutex<Vec<u32>>> = Arc::default();
    let log = Arc::clone(&queries);
    let solver: Factory<Einstein> = Arc::new(move || {
        let star = Star::new(
            Even,
            Cutoffs::Star1,
            Arc::new(TranspositionTable::new(8)),
            Budget::default(),
        );
        Box::new(RecordingSolver { star, pieces: 4, queries: Arc::clone(&log) })
    });
    let review = |solver, games: &[RecordedGame<Einstein>], jobs| {
        let again = Some(Duration::ZERO);
        let budget = Budget::default();
        let reviewer = Reviewer { analyser: Arc::clone(&analyser), solver, budget, again };
        let mut reviews = vec![];
        let see = |_, review| {
            reviews.push(review);
            true
        };
        reviewer.run(games, jobs, |_| {}, see).unwrap();
        reviews
    };
    let mut exact = 0;
    for recorded_game in &games {
        let game = std::slice::from_ref(recorded_game);
        let [solved] = &review(Some(Arc::clone(&solver)), game, 1)[..] else { panic!("a game") };
        let [alone] = &review(None, game, 1)[..] else { panic!("a game") };
        check(recorded_game, solved);
        let known: Vec<&Einstein> = solved
            .decisions
            .iter()
            .map(|decided| &decided.situation.position)
            .rev()
            .take_while(|position| pieces(position) <= 4)
            .collect();
        let tried = solved.decisions.len().min(known.len() + 1);
        let plies = solved.decisions.iter().rev().take(tried);
        let plies: Vec<u32> = plies.map(|decided| decided.situation.position.ply()).collect();
        assert_eq!(std::mem::take(&mut *queries.lock().unwrap()), plies);
        let unsolved = solved.decisions.len() - known.len();
        let (before, ending) = solved.decisions.split_at(unsolved);
        assert!(ending.iter().all(ReviewedDecision::exact));
        exact += ending.len();
        // The last of the others sees a position after it that is solved now.
        assert_eq!(
            before.split_last().map(|(_, rest)| rest),
            alone.decisions[..unsolved].split_last().map(|(_, rest)| rest)
        );
    }
    assert!(exact > 6, "{exact}");
    // Which thread solves which ending changes nothing.
    let [one, three] = [1, 3].map(|jobs| review(Some(Arc::clone(&solver)), &games, jobs));
    assert_eq!(one, three);
}

#[test]
fn marks_have_their_bounds() {
    let marks = [0.0199, 0.02, 0.0399, 0.04, 0.0799, 0.08, 1.0].map(Mark::of);
    let [doubtful, error, blunder] = [Mark::Doubtful, Mark::Error, Mark::Blunder].map(Some);
    assert_eq!(marks, [None, doubtful, doubtful, error, error, blunder, blunder]);
    let lucky = [-0.3, -0.299, -0.149, 0.149, 0.15, 0.3].map(LuckMark::of);
    assert_eq!(
        lucky,
        [
            Some(LuckMark::VeryUnlucky),
            Some(LuckMark::Unlucky),
            None,
            None,
            Some(LuckMark::Lucky),
            Some(LuckMark::VeryLucky)
        ]
    );
}

#[test]
fn a_series_tells_players_apart_and_takes_their_luck_off() {
    let games = games(["champion:depth=2", "random"], 30);
    let reviews = review("champion:depth=2", &games, 2);
    let series = series(&games, &reviews);
    let [strong, weak] = series.players() else { panic!("two players") };
    assert_eq!((strong.name.as_str(), weak.name.as_str()), ("champion:depth=2", "random"));
    let (one, other) = (strong.totals, weak.totals);
    // Here the player itself is the analyser.
    assert!(one.error_rate().unwrap() < 1e-3 && one.grade() == Some("flawless"), "{one:?}");
    assert!(other.error_rate().unwrap() > 0.03 && other.blunders > 30, "{other:?}");
    assert!((one.luck + other.luck).abs() < 60.0 * 0.5);
    let (raw, (adjusted, coefficient)) = (series.raw().unwrap(), series.adjusted().unwrap());
    assert!(adjusted.error < raw.error && (0.2..1.2).contains(&coefficient));
    // Players without names are called by their sides.
    let games = read_games(&Einstein::default(), "@4 a4b4\n\n@5 b4c3").unwrap();
    let reviews = review("champion:depth=1", &games, 1);
    assert_eq!(names(&self::series(&games, &reviews)), ["red", "blue"]);
}

/// The games taken together.
fn series(games: &[RecordedGame<Einstein>], reviews: &[Review<Einstein>]) -> Series {
    let mut tally = SeriesTally::default();
    for (number, (recorded_game, review)) in games.iter().zip(reviews).enumerate() {
        tally.add(&ReviewReport::new(number, recorded_game, review));
    }
    tally.series()
}

/// Only the names, the points and the luck count, and not which game of a pair comes first.
#[test]
fn a_series_is_the_same_whichever_game_of_a_pair_comes_first() {
    let games = games(["champion:depth=2", "random"], 4);
    let swapped: Vec<_> = games.chunks(2).flat_map(|pair| [&pair[1], &pair[0]]).cloned().collect();
    let [one, other] = [&games, &swapped].map(|games| {
        let series = series(games, &review("champion:depth=2", games, 2));
        let raw = series.raw().unwrap().mean;
        if names(&series)[0] == "random" { 1.0 - raw } else { raw }
    });
    assert!((one - other).abs() < 1e-12, "{one} {other}");
}

fn names(series: &Series) -> Vec<&str> {
    series.players().iter().map(|player| player.name.as_str()).collect()
}

/// The interval of each player is that of a ratio of sums over pairs, here in plain loops. With
/// more than two players there is no result of one of them.
#[test]
fn a_series_of_a_tournament_has_a_row_and_an_interval_for_each_player() {
    let mut all = games(["greedy", "random"], 6);
    all.extend(games(["expecti:depth=1", "greedy"], 6));
    let reviews = review("champion:depth=2", &all, 2);
    let series = series(&all, &reviews);
    let mut units: HashMap<(usize, u64), (f64, u64)> = HashMap::new();
    for (number, (recorded_game, review)) in all.iter().zip(&reviews).enumerate() {
        let side = if recorded_game.game.players[Side::First] == "greedy" {
            Side::First
        } else {
            Side::Second
        };
        let unit = units.entry((number / 12, recorded_game.pair.unwrap())).or_default();
        unit.0 += review.totals[side].lost;
        unit.1 += review.totals[side].unforced;
    }
    assert_eq!(names(&series), ["greedy", "random", "expecti:depth=1"]);
    assert_eq!((series.raw(), units.len()), (None, 12));
    let greedy = &series.players()[0];
    let lost: f64 = units.values().map(|unit| unit.0).sum();
    let decisions: u64 = units.values().map(|unit| unit.1).sum();
    assert_eq!(greedy.totals.unforced, decisions);
    let decisions = decisions as f64;
    let squares: f64 =
        units.values().map(|unit| (unit.0 - lost / decisions * unit.1 as f64).powi(2)).sum();
    // Student's quantile for 11 degrees of freedom.
    let half = 2.201 * (squares * 12.0 / 11.0).sqrt() / decisions;
    let interval = greedy.error_interval().unwrap();
    assert!((interval.high - lost / decisions - half).abs() < 1e-4 * half, "{interval:?}");
    assert!((lost / decisions - interval.low - half).abs() < 1e-4 * half, "{interval:?}");
    let alone = self::series(&all[..1], &reviews[..1]);
    assert!(alone.players().iter().all(|player| player.error_interval().is_none()));
}

#[test]
fn an_agent_that_scores_no_move_cannot_review() {
    let games = games(["greedy", "random"], 1);
    let analyser = build(&Einstein::default(), &"greedy".parse().unwrap()).unwrap();
    let reviewer = Reviewer { analyser, solver: None, budget: Budget::default(), again: None };
    let error = reviewer.run(&games, 2, |_| {}, |_, _| true).unwrap_err().to_string();
    assert!(error.contains("expected an agent that scores every move"), "{error}");
}

#[test]
fn graphs_show_how_a_game_went() {
    let games = read_games(&Einstein::default(), "5/5/2C2/5/2cba r - 1 @4 c3c2 @1 e1d2").unwrap();
    let review = &review("star2:depth=30", &games, 1)[0];
    let graph = Graph::new(review, BySide::new("A & B".into(), "<C>".into()));
    let text = graph.text();
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], "A & B's win probability");
    // Red's chance falls from 88 % to 17 % with the blunder, but blue then rolls badly.
    assert_eq!((rows[1], rows[2], rows[9]), ("100 % |  *", "      |*", "      | *"), "{text}");
    assert_eq!(rows[6], " 50 % |---", "{text}");
    let svg = graph.svg();
    assert!(svg.contains("A &amp; B") && svg.contains("&lt;C&gt;"), "{svg}");
    assert_eq!((svg.matches("<circle").count(), svg.matches("<polyline").count()), (1, 1));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    // The two games are one without a move and a long one.
    let games = read_games(&Einstein::default(), "S123456").unwrap();
    let review = &self::review("expecti:depth=1", &games, 1)[0];
    let graph = Graph::new(review, BySide::default());
    assert_eq!(graph.text().matches('*').count(), 1);
    assert!(!graph.svg().contains("NaN"));
}
