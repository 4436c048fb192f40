//! The numbering of endgame positions and their values, against the plain rules.

use std::collections::HashMap;

use wurfel_core::{Endgame, EndgameIndex, Game, Random, Side};
use wurfel_games::Playable;
use wurfel_games::einstein::{Einstein, Nearest, NumberedEndgames, Official, Position};

/// Every position to which a symmetry maps this one.
fn images<R: NumberedEndgames>(position: Position<R>) -> Vec<Position<R>> {
    let with = |all: Vec<Position<R>>, image: &dyn Fn(&Position<R>) -> Position<R>| {
        let images: Vec<_> = all.iter().map(image).collect();
        [all, images].concat()
    };
    let all = with(vec![position], &Position::mirrored);
    let all = with(all, &Position::colours_swapped);
    let all = with(all, &|position| position.numbers_reversed(Side::First));
    with(all, &|position| position.numbers_reversed(Side::Second))
}

fn numbers_come_back<R: NumberedEndgames>(pieces: u32) {
    let count: u64 = Position::<R>::units(pieces).iter().sum();
    for index in 0..count {
        let place = EndgameIndex { pieces, index };
        let position = Position::<R>::at_place(place).unwrap();
        assert!(position.outcome().is_none(), "{place:?}: {position}");
        for image in images(position) {
            assert_eq!(image.place(7), Some(place), "{position} and {image}");
        }
    }
    assert_eq!(Position::<R>::at_place(EndgameIndex { pieces, index: count }), None);
}

#[test]
fn every_number_is_that_of_one_position_and_its_images() {
    for pieces in 2..=3 {
        numbers_come_back::<Official>(pieces);
        numbers_come_back::<Nearest>(pieces);
    }
}

#[test]
#[ignore = "11 million positions, half a minute: run with `cargo test -p wurfel-games --test all endgames -- --ignored`"]
fn every_number_of_four_cubes_is_that_of_one_position_and_its_images() {
    numbers_come_back::<Official>(4);
}

fn random_positions_share_a_number_with_their_images(pieces: u32, count: u32) {
    let mut random = Random::new(1);
    for _ in 0..count {
        let Some(position) = Einstein::default().scattered(pieces, &mut random) else {
            continue;
        };
        let Some(place) = position.place(7) else {
            panic!("{position}");
        };
        for image in images(position) {
            assert_eq!(image.place(7), Some(place), "{position} and {image}");
        }
        let again = Einstein::at_place(place).unwrap();
        assert_eq!(again.place(7), Some(place), "{position} became {again}");
    }
}

#[test]
fn random_positions_share_a_number_with_their_images_and_with_the_one_it_stands_for() {
    for pieces in 4..=6 {
        random_positions_share_a_number_with_their_images(pieces, 3000);
    }
}

/// CI runs it.
#[test]
#[ignore = "numbers the positions of seven cubes, a quarter of a minute"]
fn random_positions_of_seven_cubes_share_a_number_with_their_images() {
    random_positions_share_a_number_with_their_images(7, 300);
}

/// Finds values for the side to move by trying everything; the map keeps those that are known.
struct Solver<G>(HashMap<G, f64>);

impl<G: Game> Solver<G> {
    fn value(&mut self, position: &G) -> f64 {
        if let Some(outcome) = position.outcome() {
            return f64::from(outcome.value_for(position.side()));
        }
        if let Some(&value) = self.0.get(position) {
            return value;
        }
        let mut sum = 0.0;
        for face in G::DICE {
            let mut best = 0.0;
            for &mv in position.moves(face.item).as_ref() {
                let mut next = position.clone();
                assert!(next.play(face.item, mv).is_none());
                best = f64::max(best, 1.0 - self.value(&next));
            }
            sum += best;
        }
        let value = sum / 6.0;
        self.0.insert(position.clone(), value);
        value
    }
}

/// The values of all layers with up to `pieces` pieces, by their number of pieces.
fn solve<G: Endgame>(pieces: u32, threads: usize) -> Vec<Vec<u16>> {
    let mut layers: Vec<Vec<u16>> = vec![vec![], vec![]];
    for pieces in 2..=pieces {
        let mut layer = vec![];
        for unit in 0..G::units(pieces).len() {
            let known = |EndgameIndex { pieces, index }: EndgameIndex| {
                f32::from(layers[pieces as usize][index as usize]) / 65_535.0
            };
            layer.extend(G::solve(pieces, unit, &known, threads));
        }
        layers.push(layer);
    }
    layers
}

/// The largest difference between the solved values and those of the plain solver, in
/// steps of 1/65,535.
fn largest_error<R: NumberedEndgames>(layers: &[Vec<u16>], pieces: u32, positions: usize) -> f64 {
    let mut random = Random::new(5);
    let mut solver = Solver(HashMap::new());
    let mut largest: f64 = 0.0;
    for _ in 0..positions {
        let Some(position) = Position::<R>::default().scattered(pieces, &mut random) else {
            continue;
        };
        let place = position.place(7).unwrap();
        let actual = f64::from(layers[place.pieces as usize][place.index as usize]);
        largest = largest.max((actual - 65_535.0 * solver.value(&position)).abs());
        if solver.0.len() > 20_000_000 {
            solver.0.clear();
        }
    }
    largest
}

fn values_agree<R: NumberedEndgames>(pieces: u32, positions: usize) {
    let layers = solve::<Position<R>>(pieces, 2);
    for pieces in 2..=pieces {
        let error = largest_error::<R>(&layers, pieces, positions);
        // One rounding for each cube beyond two, and a little for the precision of 32-bit numbers.
        let bound = f64::from(pieces - 2) / 2.0 + 0.01;
        assert!(error <= bound, "{} with {pieces} cubes: {error} steps", R::NAME);
    }
}

#[test]
fn values_agree_with_trying_everything() {
    values_agree::<Official>(4, 100);
    values_agree::<Nearest>(3, 1000);
}

#[test]
#[ignore = "100,000 positions, some minutes: run with `cargo test -p wurfel-games --test all endgames -- --ignored`"]
fn a_hundred_thousand_values_agree_with_trying_everything() {
    let layers = solve::<Einstein>(4, 2);
    for (pieces, positions) in [(2, 10_000), (3, 80_000), (4, 30_000)] {
        let error = largest_error::<Official>(&layers, pieces, positions);
        assert!(error <= f64::from(pieces - 2) / 2.0 + 0.01, "{pieces} cubes: {error} steps");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    assert_eq!(solve::<Einstein>(3, 1), solve::<Einstein>(3, 3));
}
