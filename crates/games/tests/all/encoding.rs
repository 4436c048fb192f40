//! The encodings of EWN: the planes of a turn determine its legal moves, and its images have the
//! same value.

use std::collections::BTreeSet;

use wurfel_core::{Encode, Game, Random, Situation, draw};
use wurfel_games::Learnable;
use wurfel_games::einstein::{Einstein, EinsteinNearest};

/// Turns of random games and of scattered cubes.
fn turns<G: Learnable>(count: usize) -> Vec<Situation<G>> {
    let mut random = Random::new(1);
    let mut turns = vec![];
    while turns.len() < count {
        if let Some(position) = G::default().scattered(2 + random.below(10), &mut random) {
            turns.push(Situation { position, roll: Some(draw(G::DICE, &mut random)) });
        }
        let mut position = G::default().setup(&mut random);
        while position.outcome().is_none() {
            let roll = draw(G::DICE, &mut random);
            turns.push(Situation { position: position.clone(), roll: Some(roll) });
            let mv = *random.pick(position.moves(roll).as_ref());
            position.play(roll, mv);
        }
    }
    turns
}

fn planes<G: Game>(encode: &dyn Encode<G>, situation: &Situation<G>) -> Vec<f32> {
    let mut planes = vec![0.0; encode.planes() * encode.board() * encode.board()];
    encode.write(situation, &mut planes);
    planes
}

fn encoding<G: Learnable>(name: &str) -> &'static dyn Encode<G> {
    *G::ENCODINGS.iter().find(|encode| encode.name() == name).unwrap()
}

/// The planes side by side, with `#` for every number that is not 0.
fn picture(planes: &[f32], which: std::ops::Range<usize>) -> String {
    let mark = |plane: usize, cell: usize| match planes[25 * plane + cell] {
        0.0 => '.',
        number if number > 0.0 => '#',
        _ => '-',
    };
    let line = |row: usize| {
        let plane = |plane| (0..5).map(|column| mark(plane, 5 * row + column)).collect();
        let planes: Vec<String> = which.clone().map(plane).collect();
        planes.join(" ") + "\n"
    };
    (0..5).map(line).collect()
}

#[test]
fn the_planes_of_one_turn_drawn() {
    let text = "ABC2/DE3/F3f/3ed/2cba b 4 2";
    let turn: Situation<Einstein> = text.parse().unwrap();
    let first = planes(encoding("ewn-v1"), &turn);
    let second = planes(encoding("ewn-v2"), &turn);
    // Blue's cubes 1 to 6: where they stand, and after the half turn.
    assert_eq!(
        picture(&first, 0..6),
        "..... ..... ..... ..... ..... .....\n\
         ..... ..... ..... ..... ..... .....\n\
         ..... ..... ..... ..... ..... ....#\n\
         ..... ..... ..... ....# ...#. .....\n\
         ....# ...#. ..#.. ..... ..... .....\n"
    );
    assert_eq!(
        picture(&second, 0..6),
        "#.... .#... ..#.. ..... ..... .....\n\
         ..... ..... ..... #.... .#... .....\n\
         ..... ..... ..... ..... ..... #....\n\
         ..... ..... ..... ..... ..... .....\n\
         ..... ..... ..... ..... ..... .....\n"
    );
    // The steps sideways, ahead and diagonally and whose turn it is; then the cube that a 4 moves,
    // and the board.
    assert_eq!(
        picture(&first, 12..16),
        "..... ..... ..... -----\n\
         ..... ..... ..... -----\n\
         ....- ....- ....- -----\n\
         ...-- ...-- ...-- -----\n\
         ..--- ..--- ..--- -----\n"
    );
    assert_eq!(
        picture(&second, 12..14),
        "..... #####\n\
         #.... #####\n\
         ..... #####\n\
         ..... #####\n\
         ..... #####\n"
    );
}

/// Reads the legal moves back from the planes alone.
fn moves_of_v2(planes: &[f32]) -> BTreeSet<usize> {
    let mut moves = BTreeSet::new();
    for cube in 0..6 {
        let Some(cell) = (0..25).find(|cell| planes[25 * cube + cell] > 0.0) else { continue };
        let (row, column) = (cell / 5, cell % 5);
        if planes[25 * 12 + cell] > 0.0 {
            let steps = [column < 4, row < 4, row < 4 && column < 4];
            moves.extend((0..3).filter(|&n| steps[n]).map(|n| 3 * cube + n));
        }
    }
    moves
}

fn indices_are_apart_and_planes_determine_them<G: Learnable>() {
    for situation in &turns::<G>(20_000) {
        let position = &situation.position;
        let turn = situation.turn().unwrap();
        let moves = turn.moves();
        for encode in G::ENCODINGS {
            let indices = moves.as_ref().iter().map(|&mv| encode.index(turn, mv));
            let indices: BTreeSet<usize> = indices.collect();
            assert_eq!(indices.len(), moves.as_ref().len(), "{situation}");
            assert!(indices.iter().all(|&index| index < encode.moves()));
            if encode.name() == "ewn-v2" {
                assert_eq!(moves_of_v2(&planes(*encode, situation)), indices, "{situation}");
            }
            if encode.name() == "ewn-v3" {
                // The cubes that may move, and their shares of the die.
                let planes = planes(*encode, situation);
                for index in indices {
                    assert!(planes[12 * 25 + index % 25] > 0.0, "{situation}");
                }
                let mut expected = [0.0; 25];
                for face in G::DICE {
                    let moves = position.moves(face.item);
                    let from = moves.as_ref().iter().map(|&mv| encode.index(turn, mv) % 25);
                    for cell in from.collect::<BTreeSet<usize>>() {
                        expected[cell] += 1.0 / 6.0;
                    }
                }
                assert_eq!(planes[14 * 25..15 * 25], expected, "{position}");
            }
        }
    }
}

#[test]
fn different_moves_have_different_indices_and_v2_determines_the_legal_ones() {
    indices_are_apart_and_planes_determine_them::<Einstein>();
    indices_are_apart_and_planes_determine_them::<EinsteinNearest>();
}

fn images_play_alike<G: Learnable>() {
    for situation in &turns::<G>(2_000) {
        let (position, turn) = (&situation.position, situation.turn().unwrap());
        for encode in G::ENCODINGS {
            let mut different = BTreeSet::new();
            for number in 0..encode.images() {
                let rolled = encode.image(situation, number);
                let image = rolled.turn().unwrap();
                let text = |moves: &[G::Move]| moves.iter().map(|mv| format!("{mv:?}")).collect();
                let legal: BTreeSet<String> = text(image.moves().as_ref());
                let moves = turn.moves();
                let mapped: Vec<G::Move> =
                    moves.as_ref().iter().map(|&mv| encode.move_image(turn, mv, number)).collect();
                assert_eq!(text(&mapped), legal, "{situation} image {number}");
                // The image of the next position is the position after the image of the move.
                for (&mv, &mapped) in moves.as_ref().iter().zip(&mapped) {
                    let (mut after, mut image_after) = (position.clone(), image.position.clone());
                    after.play(turn.roll, mv);
                    image_after.play(image.roll, mapped);
                    let swapped = number & 8 != 0;
                    let viewer = if swapped { !turn.side() } else { turn.side() };
                    assert_eq!(
                        after.outcome().map(|outcome| outcome.value_for(turn.side()) > 0.5),
                        image_after.outcome().map(|outcome| outcome.value_for(viewer) > 0.5)
                    );
                    if after.outcome().is_none() {
                        // After the move the other side is to move, so the symmetries of the two
                        // sides change places.
                        let number = number & 9 | (number & 2) << 1 | (number & 4) >> 1;
                        let rest = Situation { position: after, roll: None };
                        let image = encode.image(&rest, number);
                        assert_eq!(image.position, image_after, "{position}");
                    }
                }
                let bits = planes(*encode, &rolled).iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                different.insert(bits);
            }
            assert!(different.len() > 1 || position.ply() == 1, "{position}");
        }
    }
}

#[test]
fn images_have_the_same_moves_with_the_same_consequences() {
    images_play_alike::<Einstein>();
    images_play_alike::<EinsteinNearest>();
}

#[test]
fn our_encodings_do_not_tell_the_colours_apart() {
    for encode in ["ewn-v2", "ewn-v3"].map(encoding::<Einstein>) {
        for Situation { position, roll } in turns::<Einstein>(2_000) {
            for roll in [roll, None] {
                let swapped = Situation { position: position.colours_swapped(), roll };
                let own = Situation { position, roll };
                assert_eq!(planes(encode, &own), planes(encode, &swapped));
            }
        }
    }
}

#[test]
fn at_rest_everything_shows_but_the_roll() {
    // The planes in which each encoding shows the cubes that may move; the first encoding shows no
    // roll.
    for (name, movable) in [("ewn-v1", 0..0), ("ewn-v2", 300..325), ("ewn-v3", 300..325)] {
        let encode = encoding::<Einstein>(name);
        for rolled in turns::<Einstein>(500) {
            let rest = Situation { roll: None, ..rolled.clone() };
            let (mut with, without) = (planes(encode, &rolled), planes(encode, &rest));
            assert_eq!(with == without, name == "ewn-v1");
            with[movable.clone()].fill(0.0);
            assert_eq!(with, without, "{rolled}");
        }
    }
}
