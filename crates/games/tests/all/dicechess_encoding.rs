//! The encoding of Dice Chess for networks.

use std::collections::BTreeSet;

use wurfel_core::{Encode, Game, Random, Situation, Turn, draw};
use wurfel_games::Learnable;
use wurfel_games::dicechess::{DiceChess, DiceChess3, Move, Variant};

fn turns<G: Learnable>(start: &G, games: usize) -> Vec<Situation<G>> {
    let mut random = Random::new(1);
    let mut turns = vec![];
    for _ in 0..games {
        let mut position = start.setup(&mut random);
        let mut rest = None;
        while position.outcome().is_none() {
            let roll = rest.unwrap_or_else(|| draw(position.rolls().as_ref(), &mut random));
            turns.push(Situation { position: position.clone(), roll: Some(roll) });
            let mv = *random.pick(position.moves(roll).as_ref());
            rest = position.play(roll, mv);
        }
    }
    turns
}

fn planes<G: Game>(encode: &dyn Encode<G>, situation: &Situation<G>) -> Vec<f32> {
    let mut planes = vec![0.0; encode.planes() * encode.board() * encode.board()];
    encode.write(situation, &mut planes);
    planes
}

fn encoding<G: Learnable>() -> &'static dyn Encode<G> {
    *G::ENCODINGS.first().unwrap()
}

fn indices_are_apart<G: Learnable<Move = Move>>(start: &G) {
    let encode = encoding::<G>();
    let mut seen = BTreeSet::new();
    for situation in &turns(start, 300) {
        let turn = situation.turn().unwrap();
        let moves = turn.moves();
        let indices = moves.as_ref().iter().map(|&mv| encode.index(turn, mv));
        let indices: BTreeSet<usize> = indices.collect();
        assert_eq!(indices.len(), moves.as_ref().len(), "{situation}");
        assert!(indices.iter().all(|&index| index < encode.moves()));
        // A spatial policy needs the index of each move on a square from which a piece may move.
        if moves.as_ref() != [Move::PASS] {
            let planes = planes(encode, situation);
            assert!(indices.iter().all(|index| planes[24 * 64 + index % 64] > 0.0));
        }
        seen.extend(indices);
    }
    // Random games use most ways from most squares that have them: there are 1,792 moves between
    // different squares, and promotions.
    assert!(seen.len() > 1_500, "{}", seen.len());
}

#[test]
fn different_moves_have_different_indices() {
    indices_are_apart(&DiceChess::default());
    indices_are_apart(&DiceChess3::default());
    indices_are_apart(&DiceChess::under(Variant::PromotionByDie));
}

fn colours_exchanged(text: &str) -> String {
    let swap = |part: &str| -> String {
        let other = |character: char| {
            if character.is_uppercase() {
                character.to_ascii_lowercase()
            } else {
                character.to_ascii_uppercase()
            }
        };
        part.chars().map(other).collect()
    };
    let fields: Vec<&str> = text.split(' ').collect();
    let ranks: Vec<String> = fields[0].split('/').rev().map(swap).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let rights: Vec<char> = swap(fields[2]).chars().collect();
    let rights: String = "KQkq-".chars().filter(|right| rights.contains(right)).collect();
    let passed = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    let rest = fields[4..].join(" ");
    format!("{} {side} {rights} {passed} {rest}", ranks.join("/"))
}

#[test]
fn colours_are_not_told_apart() {
    let encode = encoding::<DiceChess>();
    for situation in turns(&DiceChess::default(), 30) {
        let text = colours_exchanged(&situation.position.to_string());
        let position = Situation::<DiceChess>::at_rest(&text).unwrap();
        let exchanged = Situation { position, roll: situation.roll };
        assert_eq!(planes(encode, &situation), planes(encode, &exchanged), "{situation}");
        let indices = |turn: Turn<'_, DiceChess>| -> BTreeSet<usize> {
            turn.moves().iter().map(|&mv| encode.index(turn, mv)).collect()
        };
        let (turn, other) = (situation.turn().unwrap(), exchanged.turn().unwrap());
        assert_eq!(indices(turn), indices(other), "{situation}");
    }
}

#[test]
fn the_mirror_image_has_the_same_moves_with_the_same_consequences() {
    let encode = encoding::<DiceChess>();
    let mut mirrored = 0;
    for situation in &turns(&DiceChess::default(), 100) {
        let (position, turn) = (&situation.position, situation.turn().unwrap());
        let image = encode.image(situation, 1);
        mirrored += usize::from(image.position != *position);
        let image = image.turn().unwrap();
        let mapped: Vec<Move> =
            turn.moves().iter().map(|&mv| encode.move_image(turn, mv, 1)).collect();
        let text =
            |moves: &[Move]| -> BTreeSet<String> { moves.iter().map(Move::to_string).collect() };
        assert_eq!(text(&mapped), text(&image.moves()), "{situation}");
        for (&mv, &mapped) in turn.moves().iter().zip(&mapped) {
            let (mut after, mut image_after) = (*position, *image.position);
            after.play(turn.roll, mv);
            image_after.play(image.roll, mapped);
            assert_eq!(after.outcome(), image_after.outcome());
            if after.outcome().is_none() && position.to_string().split(' ').nth(2) == Some("-") {
                let expected = encode.image(&Situation { position: after, roll: None }, 1);
                assert_eq!(
                    expected.position.to_string(),
                    image_after.to_string(),
                    "{position} {mv}"
                );
            }
        }
    }
    assert!(mirrored > 1_000, "{mirrored}");
}

#[test]
fn planes_show_pieces_attacks_dice_and_rights() {
    let text = "4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 12 9 P";
    let situation: Situation<DiceChess> = text.parse().unwrap();
    let at_rest = planes(encoding(), &Situation { roll: None, ..situation.clone() });
    let mut planes = planes(encoding(), &situation);
    let squares = |plane: usize| -> Vec<usize> {
        (0..64).filter(|cell| planes[64 * plane + cell] != 0.0).collect()
    };
    // White has a pawn on e5, rooks on a1 and h1 and the king on e1; Black has a pawn on d5 and the
    // king on e8.
    assert_eq!([squares(0), squares(3), squares(5)], [vec![36], vec![0, 7], vec![4]]);
    assert_eq!([squares(12), squares(17)], [vec![35], vec![60]]);
    // The pawns attack d6 and f6, and c4 and e4.
    assert_eq!([squares(6), squares(18)], [vec![43, 45], vec![26, 28]]);
    // The piece that may move, and the square on which it may capture en passant.
    assert_eq!([squares(24), squares(25)], [vec![36], vec![43]]);
    let all: Vec<f32> = (26..39).map(|plane| planes[64 * plane]).collect();
    // The die, the castling rights, the quiet turns, the enemy's chance of ½ for each of its kinds,
    // and 1.
    let expected = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.12, 0.5, 1.0];
    assert_eq!(all, expected);
    // At rest, neither the piece that may move nor the die is shown.
    for hidden in [24, 26, 27, 28, 29, 30, 31] {
        planes[64 * hidden..][..64].fill(0.0);
    }
    assert_eq!(planes, at_rest);
}
