//! The evaluations of Dice Chess and the features that the learned one uses.

use std::collections::HashSet;

use wurfel_core::{Evaluator, Features, Game, Random, Side, draw};
use wurfel_games::dicechess::{DiceChess, DiceChess3, DiceCount, Kind, Linear, Position, Square};
use wurfel_games::learned::Weights;
use wurfel_games::{Playable, UseEvaluation, with_evaluation};

/// Shows `look` every position of some random games.
fn wander<R: DiceCount>(games: u64, mut look: impl FnMut(&Position<R>, &Position<R>)) {
    for seed in 0..games {
        let mut random = Random::new(seed);
        let mut position = Position::<R>::default();
        loop {
            let before = position;
            let mut rest = Some(draw(position.rolls(), &mut random));
            while let Some(roll) = rest {
                let mv = position.pick(roll, &mut random).unwrap();
                rest = position.play(roll, mv);
            }
            if position.outcome().is_some() {
                break;
            }
            look(&before, &position);
        }
    }
}

fn exchanged<R: DiceCount>(position: &Position<R>) -> Position<R> {
    let text = position.to_string();
    let words: Vec<&str> = text.split(' ').collect();
    let swap = |text: &str| -> String {
        let other = |character: char| {
            if character.is_ascii_lowercase() {
                character.to_ascii_uppercase()
            } else {
                character.to_ascii_lowercase()
            }
        };
        text.chars().map(other).collect()
    };
    let rows: Vec<&str> = words[0].split('/').rev().collect();
    let side = if words[1] == "w" { "b" } else { "w" };
    let rank = if words[1] == "w" { ("6", "3") } else { ("3", "6") };
    let passed = words[3].replace(rank.0, rank.1);
    let rights = swap(words[2]);
    let text = [&swap(&rows.join("/")), side, &rights, &passed, words[4], words[5]].join(" ");
    text.parse().unwrap()
}

/// Checks of an evaluation that must hold for every evaluation.
struct Sound;

impl<R: DiceCount> UseEvaluation<Position<R>> for Sound {
    type Output = ();

    fn with<E: Evaluator<Position<R>> + 'static>(self, evaluator: E) {
        wander::<R>(if R::THREE_DICE { 2 } else { 30 }, |before, position| {
            let value = evaluator.evaluate(position);
            assert!((0.0..=1.0).contains(&value), "{position}: {value}");
            let other = evaluator.evaluate(&exchanged(position));
            assert!((value - other).abs() < 1e-4, "{position}: {value}, exchanged {other}");
            let near = evaluator.near(before)(position);
            assert!((value - near).abs() < 1e-4, "{position}: {value}, from before {near}");
        });
    }
}

#[test]
fn evaluations_see_both_colours_alike() {
    for known in DiceChess::EVALUATIONS {
        with_evaluation::<DiceChess, _>(known.name, Sound).unwrap();
        with_evaluation::<DiceChess3, _>(known.name, Sound).unwrap();
    }
}

/// The sum that each move updates is that of the pieces, added up from the text.
#[test]
fn the_lead_that_is_kept_is_that_of_the_pieces() {
    let check = |position: &DiceChess| {
        let fresh: DiceChess = position.to_string().parse().unwrap();
        assert_eq!(Linear::PAPER.lead(position), Linear::PAPER.lead(&fresh), "{position}");
        let rooks = |side| {
            let squares = (0..64).filter_map(Square::new);
            squares.filter(|&square| position.at(square) == Some((side, Kind::Rook))).count() as i32
        };
        let more = rooks(position.side()) - rooks(!position.side());
        let program = Linear::PAPER.lead(position) - 10 * more;
        assert_eq!(Linear::PROGRAM.lead(position), program, "{position}");
    };
    wander(200, |_, position| check(position));
    // A king in the centre has −50 before turn 50 and 40 from then on; on h1 it has 20 and −50.
    let lead = |linear: Linear, turn: u32| {
        let text = format!("8/8/8/3k4/8/8/P7/7K w - - 0 {turn}");
        linear.lead(&text.parse::<DiceChess>().unwrap())
    };
    let (early, late) = (105 + 20 + 40, 105 - 50 - 40);
    assert_eq!([49, 50].map(|turn| lead(Linear::PAPER, turn)), [early, late]);
    assert_eq!([24, 25].map(|turn| lead(Linear::EARLY_KINGS, turn)), [early, late]);
}

/// The incremental and the recomputed features that `viewer` sees.
fn seen<R: DiceCount>(position: &Position<R>, viewer: Side) -> [HashSet<usize>; 2] {
    let mut sets = [HashSet::new(), HashSet::new()];
    let [incremental, recomputed] = &mut sets;
    let add = |set: &mut HashSet<usize>, feature| {
        assert!(
            feature < Position::<R>::FEATURES
                && Position::<R>::kind(feature) < Position::<R>::KINDS
        );
        assert!(set.insert(feature), "{feature} twice: {position}");
    };
    position.features(viewer, |feature| add(incremental, feature));
    position.recomputed(viewer, |feature| add(recomputed, feature));
    sets
}

#[test]
fn changes_are_the_difference_of_the_features() {
    fn check<R: DiceCount>(before: &Position<R>, position: &Position<R>) {
        let viewer = position.side();
        let [mut features, _] = seen(before, viewer);
        // A feature that is removed and added again stays.
        let (mut gone, mut new) = (vec![], vec![]);
        assert!(position.changes(
            before,
            |feature| gone.push(feature),
            |feature| new.push(feature)
        ));
        for feature in gone {
            assert!(features.remove(&feature), "{before} to {position}");
        }
        features.extend(new);
        let [incremental, recomputed] = seen(position, viewer);
        assert_eq!(features, incremental, "{before} to {position}");
        assert_eq!([incremental, recomputed], seen(&exchanged(position), !viewer), "{position}");
        let twin = position.twin();
        assert_eq!(twin.twin(), *position);
        let chances = [twin, *position].map(|position| position.king_capture_chance());
        assert!((chances[0] - chances[1]).abs() < 1e-6, "{position}");
    }
    wander::<wurfel_games::dicechess::OneDie>(100, check);
    wander::<wurfel_games::dicechess::ThreeDice>(2, check);
}

/// Features were added for three dice; parameters that were fitted before give them no weight.
#[test]
fn parameters_from_before_the_last_features_can_be_read() {
    let bytes = include_bytes!("../../nets/dicechess3-first.weights");
    let before = Weights::from_bytes(bytes, DiceChess3::FIRST_FEATURES).unwrap();
    let now = Weights::of_game::<DiceChess3>(bytes).unwrap();
    let (rows, others) = now.rows.split_at(DiceChess3::FIRST_FEATURES);
    assert_eq!(rows, before.rows);
    assert_eq!(others.len(), DiceChess3::FEATURES - DiceChess3::FIRST_FEATURES);
    assert!(others.len() > 200 && others.as_flattened().iter().all(|&number| number == 0));
    assert_eq!(DiceChess::FEATURES, DiceChess::FIRST_FEATURES);
}
