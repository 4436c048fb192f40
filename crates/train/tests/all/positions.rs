//! Labelled positions have the right values, and their files are read as they were written.

use std::fs;
use std::path::Path;

use wurfel_agents::{Catalogued, build};
use wurfel_arena::OutputError;
use wurfel_core::files::FileError;
use wurfel_core::{Evaluator, Game};
use wurfel_games::einstein::{Einstein, EinsteinNearest, Nearest, Official, Zweistein};
use wurfel_train::{
    Labelled, Labels, PositionsFile, PositionsHeader, label, read_positions, write_game,
};

/// The labelled positions of some games, game after game.
fn made<G: Catalogued>(
    games: std::ops::Range<u64>,
    labels: Labels,
    jobs: usize,
) -> Vec<(u64, Vec<Labelled<G>>)> {
    let mut made = vec![];
    let searcher = build(&G::default(), &"star2:eval=zweistein,hash=1".parse().unwrap()).unwrap();
    label(&G::default(), games, labels, &searcher, jobs, |game, positions| {
        made.push((game, positions));
        true
    });
    made
}

fn einstein(games: std::ops::Range<u64>, depth: u32, seed: u64, jobs: usize) -> Games {
    made(games, Labels::new(depth, seed), jobs)
}

type Games = Vec<(u64, Vec<Labelled<Einstein>>)>;

#[test]
fn positions_depend_on_the_seed_and_the_number_of_the_game_alone() {
    // More games than the generations that a transposition table counts.
    let alone = einstein(0..600, 3, 1, 1);
    assert!(alone.iter().map(|(game, _)| *game).eq(0..600));
    for jobs in [2, 3] {
        assert_eq!(einstein(0..600, 3, 1, jobs), alone);
    }
    let parts = [einstein(0..7, 3, 1, 1), einstein(7..50, 3, 1, 2)].concat();
    assert_eq!(parts, alone[..50]);
    assert_ne!(einstein(0..50, 3, 2, 1), alone[..50]);
    // A game has some twenty turns, and about every fourth position is kept.
    let count: usize = alone.iter().map(|(_, positions)| positions.len()).sum();
    assert!((2000..4000).contains(&count), "{count}");
}

/// The value of a position by plain recursion over all faces and all moves.
fn value<G: Game>(position: &G, depth: u32, evaluator: &impl Evaluator<G>) -> f64 {
    if let Some(outcome) = position.outcome() {
        return f64::from(outcome.value_for(position.side()));
    }
    if depth == 0 {
        return f64::from(evaluator.evaluate(position));
    }
    let (mut sum, mut chances) = (0.0, 0.0);
    for face in G::DICE {
        let mut best: f64 = 0.0;
        for &mv in position.moves(face.item).as_ref() {
            let mut next = position.clone();
            assert!(next.play(face.item, mv).is_none());
            best = best.max(1.0 - value(&next, depth - 1, evaluator));
        }
        sum += f64::from(face.weight) * best;
        chances += f64::from(face.weight);
    }
    sum / chances
}

#[test]
fn values_are_those_of_the_plain_search() {
    fn check<G: Catalogued>(evaluator: &impl Evaluator<G>) {
        for (depth, games) in [(1, 40), (2, 40), (3, 15)] {
            let made = made::<G>(0..games, Labels::new(depth, 5), 1);
            for Labelled { position, value: actual } in made.iter().flat_map(|(_, all)| all) {
                let expected = value(position, depth, evaluator);
                let at = format!("{position} at depth {depth}: {actual} {expected}");
                assert!((f64::from(*actual) - expected).abs() < 1e-5, "{at}");
            }
        }
    }
    check::<Einstein>(&Zweistein::<Official>::new());
    check::<EinsteinNearest>(&Zweistein::<Nearest>::new());
}

/// A value is that of the search, plus λ times the difference between the next value and the one
/// that was expected after the roll. Where the move was random, it is that of the search alone.
#[test]
fn along_a_game_a_value_takes_over_what_later_turns_find() {
    let evaluator = Zweistein::<Official>::new();
    let all = |lambda| made::<Einstein>(0..40, Labels { lambda, ..Labels::new(2, 7) }, 1);
    // A tiny λ changes no value, but makes the same games as a larger one.
    let (alone, half, whole) = (all(1e-9), all(0.5), all(1.0));
    let mut moved = 0;
    for ((game, alone), ((_, half), (_, whole))) in alone.iter().zip(half.iter().zip(&whole)) {
        assert!(alone.len() > 5 && alone.len() == half.len(), "game {game}");
        for (n, positions) in alone.windows(2).enumerate() {
            let [before, after] = positions else { unreachable!() };
            let expected = value(&before.position, 2, &evaluator);
            assert!((f64::from(before.value) - expected).abs() < 1e-5);
            assert_eq!(
                (&half[n].position, &whole[n].position),
                (&before.position, &before.position)
            );
            assert_ne!(before.position.side(), after.position.side());
            // The expected value after each roll whose best move, or one as good, leads there.
            let promises = before.position.rolls().iter().filter_map(|roll| {
                let moves = before.position.moves(roll.item);
                let worth = moves.as_ref().iter().map(|&mv| {
                    let mut next = before.position;
                    next.play(roll.item, mv);
                    (1.0 - value(&next, 1, &evaluator), next)
                });
                let worth: Vec<_> = worth.collect();
                let best = worth.iter().map(|(value, _)| *value).fold(0.0, f64::max);
                let as_good = |(value, next): &(f64, Einstein)| {
                    *value > best - 1e-5 && *next == after.position
                };
                worth.iter().any(as_good).then_some(best)
            });
            let promises: Vec<f64> = promises.collect();
            let near = |lambda: f64, made: &[Labelled<Einstein>]| {
                let later = 1.0 - f64::from(made[n + 1].value);
                let worth = |promise| f64::from(before.value) + lambda * (later - promise);
                let actual = f64::from(made[n].value);
                let clamped = made[n + 1].value <= 0.0 || made[n + 1].value >= 1.0;
                clamped
                    || (actual - f64::from(before.value)).abs() < 1e-5
                    || promises
                        .iter()
                        .any(|&promise| (worth(promise).clamp(0.0, 1.0) - actual).abs() < 1e-4)
            };
            assert!(near(0.5, half) && near(1.0, whole), "{} in game {game}", before.position);
            moved += u32::from((half[n].value - before.value).abs() > 1e-4);
        }
    }
    assert!(moved > 100, "{moved}");
}

/// Without rolls that win at once, a value is the chance of those rolls and, for the others, what the
/// search promised after the roll, or with λ = 1 what the next position is worth.
#[test]
fn without_wins_the_chance_to_win_at_once_is_exact() {
    let evaluator = Zweistein::<Official>::new();
    let all = |lambda| {
        let labels = Labels { lambda, without_wins: true, ..Labels::new(2, 8) };
        made::<Einstein>(0..60, labels, 1)
    };
    let (alone, whole) = (all(0.0), all(1.0));
    let (mut taken_over, mut winning) = (0, 0);
    for ((_, alone), (_, whole)) in alone.iter().zip(&whole) {
        for (n, Labelled { position, value: actual }) in alone.iter().enumerate() {
            // The best value after each roll that does not win.
            let (mut promises, mut won) = (vec![], 1.0);
            for roll in position.rolls() {
                let moves = position.moves(roll.item);
                let ends = moves.as_ref().iter().map(|&mv| {
                    let mut next = *position;
                    next.play(roll.item, mv);
                    (next, 1.0 - value(&next, 1, &evaluator))
                });
                let ends: Vec<_> = ends.collect();
                if ends.iter().all(|(next, _)| next.outcome().is_none()) {
                    won -= f64::from(roll.weight) / 6.0;
                    promises.push(ends);
                }
            }
            winning += u32::from(won > 1e-6);
            let close = |one: f64, other: f32| (one - f64::from(other)).abs() < 1e-4;
            let worth = |ends: &Vec<(Einstein, f64)>| {
                let best = ends.iter().map(|(_, value)| *value).fold(0.0, f64::max);
                close(won + (1.0 - won) * best, *actual)
            };
            let lost = promises.is_empty() && close(1.0, *actual);
            assert!(lost || promises.iter().any(worth), "{position}: {actual}");
            let Some(next) = alone.get(n + 1) else {
                assert!(won > 1e-6, "a game ends where it could be won: {position}");
                continue;
            };
            let mut reached = promises.iter().flatten();
            assert!(reached.any(|(end, _)| *end == next.position), "{position}");
            let (later, now) = (f64::from(whole[n + 1].value), whole[n].value);
            let taken = close(won + (1.0 - won) * (1.0 - later), now);
            assert!(taken || (now - actual).abs() < 1e-6, "{position}: {now}");
            taken_over += u32::from(taken);
        }
    }
    assert!(taken_over > 200 && winning > 50, "{taken_over} {winning}");
}

/// With several rolls a value is the chance to win at once and the mean of what the search expects
/// after the others; a single one of them is the one that is played.
#[test]
fn several_rolls_and_alternatives_have_the_values_that_the_search_expects() {
    let evaluator = Zweistein::<Official>::new();
    let labels = Labels { without_wins: true, rolls: 1, ..Labels::new(2, 11) };
    let (one, many) = (
        made::<Einstein>(0..40, labels, 1),
        made::<Einstein>(0..40, Labels { rolls: 64, alternatives: 2, ..labels }, 2),
    );
    assert_eq!(one, made::<Einstein>(0..40, Labels { rolls: 0, ..labels }, 1));
    assert_ne!(one, many);
    let (mut error, mut worst, mut siblings) = (0.0, 0.0, 0);
    for (game, all) in &many {
        let turns =
            all.windows(2).take_while(|pair| pair[0].position.side() != pair[1].position.side());
        let turns = 1 + turns.count();
        assert!(all.len() > turns && all.len() <= 3 * turns, "game {game}");
        for (n, Labelled { position, value: actual }) in all.iter().enumerate() {
            // The exact expectation, by plain recursion.
            let expected = value(position, 2, &evaluator);
            error += f64::from(*actual) - expected;
            worst = f64::max(worst, (f64::from(*actual) - expected).abs());
            if n >= turns {
                let is_end_of_a_turn = all[..turns].iter().any(|before| {
                    let ends = |roll| {
                        let mut ends = vec![];
                        before.position.ends(roll, |end| ends.push(*end));
                        ends
                    };
                    before.position.rolls().iter().any(|roll| ends(roll.item).contains(position))
                });
                assert!(is_end_of_a_turn, "{position} in game {game}");
                siblings += 1;
            }
        }
    }
    let count = many.iter().map(|(_, all)| all.len()).sum::<usize>();
    // The mean over 64 rolls has a standard error of at most 1/16 in each position.
    assert!((error / count as f64).abs() < 0.01 && worst < 0.25, "{error} of {count}, {worst}");
    assert!(siblings > 200, "{siblings}");
}

/// With all rolls there is no luck in a value: it is what plain recursion expects, for the positions of
/// the games and for the alternatives; with λ = 1 it is what the next position is worth after the
/// roll, in addition to what the other rolls promise.
#[test]
fn with_all_rolls_a_value_is_the_exact_expectation() {
    let evaluator = Zweistein::<Official>::new();
    let exact = Labels { without_wins: true, all_rolls: true, ..Labels::new(2, 13) };
    let all = made::<Einstein>(0..20, Labels { alternatives: 2, ..exact }, 1);
    let mut seen = 0;
    for Labelled { position, value: actual } in all.iter().flat_map(|(_, all)| all) {
        let expected = value(position, 2, &evaluator);
        assert!((f64::from(*actual) - expected).abs() < 1e-4, "{position}: {actual}, {expected}");
        seen += 1;
    }
    assert!(seen > 500, "{seen}");
    // The correction by λ is the same as with a single roll: only the luck of the roll is gone.
    let one = Labels { all_rolls: false, ..exact };
    let lambda = |labels: Labels| made::<Einstein>(0..20, Labels { lambda: 0.5, ..labels }, 1);
    let [all, one] = [lambda(exact), lambda(one)];
    let mut corrected = 0;
    for ((_, all), (_, one)) in all.iter().zip(&one) {
        assert_eq!(all.len(), one.len());
        for (all, one) in all.iter().zip(one) {
            assert_eq!(all.position, one.position);
            let expected = value(&all.position, 2, &evaluator);
            corrected += u32::from((f64::from(all.value) - expected).abs() > 1e-4);
        }
    }
    assert!(corrected > 50, "{corrected}");
}

fn settings(games: u64, labels: Labels) -> PositionsHeader {
    PositionsHeader::new("einstein", "zweistein".into(), games, labels)
}

fn written(path: &Path, settings: &PositionsHeader, games: &Games) {
    let (mut file, first) = PositionsFile::open(path, settings).unwrap();
    for (game, positions) in games.iter().filter(|(game, _)| *game >= first) {
        let mut lines = vec![];
        write_game(&mut lines, *game, positions);
        file.add(&lines).unwrap();
    }
    file.finish().unwrap();
}

#[test]
fn a_file_of_positions_comes_back() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("all.tsv");
    let games = einstein(0..30, 1, 1, 1);
    written(&path, &settings(30, Labels::new(1, 1)), &games);
    let all: Vec<Labelled<Einstein>> = games.into_iter().flat_map(|(_, all)| all).collect();
    assert_eq!(read_positions(&Einstein::default(), &path).unwrap(), all);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no part is left");
}

#[test]
fn a_file_goes_on_wherever_it_was_cut_off() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, path) = (dir.path().join("whole.tsv"), dir.path().join("cut.tsv"));
    let settings = settings(5, Labels::new(1, 3));
    let games = einstein(0..5, 1, 3, 1);
    written(&whole, &settings, &games);
    let whole = fs::read(&whole).unwrap();
    for length in 0..=whole.len() {
        fs::write(dir.path().join("cut.tsv.part"), &whole[..length]).unwrap();
        written(&path, &settings, &games);
        assert!(fs::read(&path).unwrap() == whole, "cut off after {length} bytes");
        fs::remove_file(&path).unwrap();
    }
    // Suspended on purpose, after any game.
    for last in 0..5 {
        let (mut file, first) = PositionsFile::open(&path, &settings).unwrap();
        for (game, positions) in &games[first as usize..=last] {
            let mut lines = vec![];
            write_game(&mut lines, *game, positions);
            file.add(&lines).unwrap();
        }
        file.suspend().unwrap();
    }
    written(&path, &settings, &games);
    assert!(fs::read(&path).unwrap() == whole);
}

#[test]
fn nothing_that_is_there_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let (path, part) = (dir.path().join("a.tsv"), dir.path().join("a.tsv.part"));
    let begun = settings(10, Labels::new(2, 3));
    PositionsFile::open(&path, &begun).unwrap().0.suspend().unwrap();
    let before = fs::read(&part).unwrap();
    let others = [
        settings(11, Labels::new(2, 3)),
        settings(10, Labels::new(1, 3)),
        settings(10, Labels::new(2, 4)),
        PositionsHeader::new("einstein", "schwarz".into(), 10, Labels::new(2, 3)),
        PositionsHeader::new("einstein-nearest", "zweistein".into(), 10, Labels::new(2, 3)),
        settings(10, Labels { without_wins: true, ..Labels::new(2, 3) }),
        PositionsHeader { version: "0".into(), ..begun.clone() },
    ];
    for other in others {
        let refused = PositionsFile::open(&path, &other).unwrap_err();
        assert!(matches!(refused, OutputError::OtherWork(_)), "{refused}");
        assert!(fs::read(&part).unwrap() == before);
    }
    let (writing, _) = PositionsFile::open(&path, &begun).unwrap();
    let refused = PositionsFile::open(&path, &begun).unwrap_err();
    assert!(matches!(refused, OutputError::File(FileError::InUse(_))), "{refused}");
    writing.finish().unwrap();
    let refused = PositionsFile::open(&path, &begun).unwrap_err();
    assert!(matches!(refused, OutputError::Exists(_)), "{refused}");
}

#[test]
fn what_is_wrong_with_a_file_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bad.tsv");
    let refused = |text: &[u8]| {
        fs::write(&path, text).unwrap();
        read_positions(&Einstein::default(), &path).unwrap_err().to_string()
    };
    let header = serde_json::to_string(&settings(1, Labels::new(1, 1))).unwrap();
    let good = "0\t2B2/F4/5/3f1/4a r - 11\t0.25";
    for bad in [
        "",
        "0",
        "0\t2B2/F4/5/3f1/4a r - 11",
        "0\t2B2/F4/5/3f1/4a r - 11\t",
        "0\t2B2/F4/5/3f1/4a r - 11\t1.5",
        "0\t2B2/F4/5/3f1/4a r - 11\t-0.1",
        "0\t2B2/F4/5/3f1/4a r - 11\tnan",
        "0\t2B2/F4/5/3f1/4a r - 11\t0.25\t0.25",
        "0\t2B2/F4/5/3f1/4a\t0.25",
        "0\t\t0.25",
        // The game is over.
        "0\t5/5/5/5/4A b - 9\t0.25",
        "2B2/F4/5/3f1/4a r - 11\t0.25",
    ] {
        let text = format!("{header}\n{good}\n{good}\n{bad}\n{good}\n");
        let message = refused(text.as_bytes());
        assert!(message.contains("bad.tsv', line 4: expected game, position"), "{bad}: {message}");
        assert_eq!(message.lines().count(), 1);
    }
    let nearest =
        PositionsHeader::new("einstein-nearest", "zweistein".into(), 1, Labels::new(1, 1));
    let nearest = serde_json::to_string(&nearest).unwrap();
    for foreign in ["", "\n", good, "{}", &nearest] {
        let message = refused(foreign.as_bytes());
        assert!(message.contains("expected a file of positions of einstein"), "{message}");
    }
    assert!(refused(b"\xFF\xFE").contains("bad.tsv'"));
    let missing = read_positions(&Einstein::default(), &dir.path().join("none.tsv")).unwrap_err();
    assert!(missing.to_string().contains("none.tsv'"), "{missing}");
}
