//! The rules of Dice Chess against published counts, against a naive twin that was written from the
//! rules text alone, and against the contract of [`Game`].

use std::collections::HashMap;

use crate::mailbox::{Cell, Mailbox};
use arrayvec::{ArrayString, ArrayVec};
use wurfel_core::{Game, Outcome, Random, Side, Situation, Weighted, conformance, draw, perft};
use wurfel_games::dicechess::{DiceChess, DiceChess3, DiceCount, Kind, Pool, Position, Variant};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn sequences_are_counted() {
    let kiwipete: DiceChess = KIWIPETE.parse().unwrap();
    assert_eq!(perft(&DiceChess::default(), None, 4), [20, 400, 8902, 197_742]);
    assert_eq!(perft(&kiwipete, None, 4), [48, 2049, 98_903, 4_206_146]);
    let by_kind = |position: &DiceChess| {
        let count = |face: &str| position.moves(face.parse().unwrap()).len();
        ["P", "N", "B", "R", "Q", "K"].map(count)
    };
    assert_eq!(by_kind(&DiceChess::default()), [16, 4, 0, 0, 0, 0]);
    assert_eq!(by_kind(&kiwipete), [8, 11, 11, 5, 9, 4]);
}

fn conforms<G: Game>(start: &G, games: u32) {
    let mut random = Random::new(5);
    conformance::check((0..games).map(|_| start.clone()), &mut random);
}

#[test]
fn one_die_conforms() {
    conforms(&DiceChess::default(), 30);
    conforms(&DiceChess::under(Variant::PromotionByDie), 10);
    conforms(&DiceChess::under(Variant::BareKingLoses), 10);
}

#[test]
fn three_dice_conform() {
    conforms(&DiceChess3::default(), 1);
}

/// A random position as text, which is the only form that the crate and the twin share. Pieces are
/// scattered over the board, some kings and rooks stand on their first squares with their castling
/// rights, and some pawns have just moved two squares.
fn scattered(three: bool, random: &mut Random) -> String {
    let mut pieces = [['.'; 8]; 8];
    let mut free: Vec<Cell> = (0..64).map(|n| (n % 8, n / 8)).collect();
    random.shuffle(&mut free);
    let mut put = |piece: char, wanted: Option<Cell>| {
        let pawn = piece.eq_ignore_ascii_case(&'p');
        let fits = |cell: &Cell| {
            wanted.is_none_or(|wanted| wanted == *cell) && !(pawn && matches!(cell.1, 0 | 7))
        };
        if let Some(place) = free.iter().position(fits) {
            let (file, rank) = free.swap_remove(place);
            pieces[rank as usize][file as usize] = piece;
        }
    };
    let white = random.below(2) == 0;
    for (king, rook, rank) in [('K', 'R', 0), ('k', 'r', 7)] {
        let at_home = random.below(2) == 0;
        put(king, at_home.then_some((4, rank)));
        for corner in [0, 7] {
            if at_home && random.below(2) == 0 {
                put(rook, Some((corner, rank)));
            }
        }
    }
    // Now and then a file full of blocked pieces, so that nothing can move.
    let most = *random.pick(&[0, 3, 8, 12]);
    for letters in ["PPPPPPNNBBQ", "ppppppnnbbq"] {
        for _ in 0..random.below(most + 1) {
            let letters: Vec<char> = letters.chars().collect();
            put(*random.pick(&letters), None);
        }
    }
    let count = |piece: char| pieces.iter().flatten().filter(|&&other| other == piece).count();
    for (side, queens) in [("PNBQ", 1), ("pnbq", 1)] {
        let [pawns, knights, bishops, many] =
            [0, 1, 2, 3].map(|n| count(side.chars().nth(n).unwrap()));
        let promoted =
            knights.saturating_sub(2) + bishops.saturating_sub(2) + many.saturating_sub(queens);
        if pawns + promoted > 8 {
            return scattered(three, random);
        }
    }
    let at = |file: usize, rank: usize| pieces[rank][file];
    let rights: String = [('K', 7, 0), ('Q', 0, 0), ('k', 7, 7), ('q', 0, 7)]
        .into_iter()
        .filter(|&(right, corner, rank)| {
            let (king, rook) = if right.is_ascii_uppercase() { ('K', 'R') } else { ('k', 'r') };
            at(4, rank) == king && at(corner, rank) == rook && random.below(4) > 0
        })
        .map(|(right, ..)| right)
        .collect();
    let (stands, behind, pawn) = if white { (4, '6', 'p') } else { (3, '3', 'P') };
    let mut passed = String::new();
    for file in 0..8usize {
        if at(file, stands) == pawn && random.below(2) == 0 && (three || passed.is_empty()) {
            passed.extend([(b'a' + file as u8) as char, behind]);
        }
    }
    let twin = Mailbox {
        pieces: pieces.map(|rank| rank.map(|piece| piece as u8)),
        white,
        rights: ArrayString::from(&rights).unwrap(),
        passed: ArrayVec::new(),
        passing: ArrayVec::new(),
        clock: random.below(200) * random.below(2) % 150,
        full: random.below(100) + 1,
        three,
        by_die: false,
    };
    let text = twin.text();
    let words: Vec<&str> = text.split(' ').collect();
    let passed = if passed.is_empty() { "-" } else { &passed };
    [words[0], words[1], words[2], passed, words[4], words[5]].join(" ")
}

/// How often random positions had each property, so that a test can tell that it has seen all of
/// them.
type PropertyCounts = HashMap<&'static str, u32>;

/// Compares the moves, the positions that they lead to, and the end of the game with those of the
/// twin.
fn compare<D: DiceCount>(
    rules: &Position<D>,
    text: &str,
    random: &mut Random,
    seen: &mut PropertyCounts,
) {
    let position = rules.read_alike(text).unwrap().position;
    let by_die = rules.variant() == Variant::PromotionByDie;
    let twin = Mailbox::read(&position.to_string(), D::THREE_DICE, by_die);
    assert_eq!(twin.text(), position.to_string(), "{text}");
    let result = position.outcome().map(|outcome| match outcome {
        Outcome::Win(Side::First) => 'w',
        Outcome::Win(Side::Second) => 'b',
        Outcome::Draw => '=',
    });
    assert_eq!(result, twin.result(), "{text}");
    if result.is_some() {
        let stuck = twin.movable().is_empty();
        *seen.entry(if stuck { "no kind can move" } else { "the game is over" }).or_default() += 1;
        return;
    }
    let letters: String = position.rolls().iter().map(|roll| roll.item.to_string()).collect();
    assert_eq!(letters, twin.movable(), "{text}");
    let kind = *random.pick(&Kind::ALL);
    let die = Pool::of(kind);
    let sorted = |mut moves: Vec<String>| {
        moves.sort();
        moves
    };
    let steps = twin.moves(kind.letter());
    let moves = position.moves(die);
    assert_eq!(
        sorted(moves.iter().map(ToString::to_string).collect()),
        sorted(steps.iter().map(|step| step.text()).collect()),
        "{text} {kind:?}"
    );
    assert_eq!(position.count(die), moves.len(), "{text} {kind:?}");
    let mut taken = 0;
    for step in &steps {
        let mut next = twin.clone();
        next.make(*step);
        next.end_turn();
        let mv = position.find_move(die, &step.text()).unwrap();
        let mut played = position;
        played.play(die, mv);
        assert_eq!(played.to_string(), next.text(), "{text} {mv}");
        let won = !next.has_king(next.white);
        assert_eq!(played.outcome().and_then(Outcome::winner).is_some(), won, "{text} {mv}");
        taken += u32::from(won);
        let named = [
            ("promotion", mv.promotion().is_some()),
            ("castling", mv.castles()),
            ("en passant", mv.kind() == Some(Kind::Pawn) && twin.passed.contains(&step.to)),
            ("king captured", won),
        ];
        for (name, _) in named.into_iter().filter(|(_, is)| *is) {
            *seen.entry(name).or_default() += 1;
        }
    }
    if taken > 0 {
        assert!(position.king_capture_chance() > 0.0, "{text}");
    }
    let kings = |letter: char| {
        let mut count = 0;
        for step in twin.moves(letter) {
            let mut next = twin.clone();
            next.make(step);
            count += u32::from(!next.has_king(!next.white));
        }
        count > 0
    };
    let winning = letters.chars().filter(|&letter| kings(letter)).count();
    let share = winning as f32 / letters.len() as f32;
    assert!((position.king_capture_chance() - share).abs() < 1e-6, "{text}");
}

fn agree(positions: u32) {
    let mut random = Random::new(11);
    let mut seen = PropertyCounts::new();
    let promotion = DiceChess::under(Variant::PromotionByDie);
    let mut comparisons = 0;
    while comparisons < positions {
        let text = scattered(false, &mut random);
        compare(&DiceChess::default(), &text, &mut random, &mut seen);
        compare(&promotion, &text, &mut random, &mut seen);
        comparisons += 2;
        if comparisons % 10 == 0 {
            // Then the positions of a random game.
            let mut position = DiceChess::default();
            while position.outcome().is_none() {
                let roll = draw(position.rolls(), &mut random);
                position.play(roll, *random.pick(&position.moves(roll)));
                let text = position.to_string();
                compare(&DiceChess::default(), &text, &mut random, &mut seen);
                comparisons += 1;
            }
        }
    }
    for name in ["no kind can move", "promotion", "castling", "en passant", "king captured"] {
        assert!(seen.get(name).is_some_and(|&n| n > 4), "{name}: {seen:?}");
    }
}

#[test]
fn the_rules_agree_with_the_naive_twin() {
    agree(40_000);
}

/// Runs for a minute or two: `cargo test -p wurfel-games --test all dicechess_rules -- --ignored`.
#[test]
#[ignore = "the same for a million positions"]
fn the_rules_agree_with_the_naive_twin_in_a_million_positions() {
    agree(1_000_000);
}

#[test]
fn three_dice_agree_with_the_naive_twin() {
    let mut random = Random::new(3);
    for n in 0..3000 {
        let text = scattered(true, &mut random);
        let mut position: DiceChess3 = text.parse().unwrap();
        let mut twin = Mailbox::read(&position.to_string(), true, false);
        if position.outcome().is_some() {
            continue;
        }
        let rolled = if n % 2 == 0 {
            draw(DiceChess3::DICE, &mut random)
        } else {
            // Now and then dice that can castle.
            *random.pick(&["RKP", "KRQ", "PPP", "PPQ"].map(|dice| dice.parse().unwrap()))
        };
        let mut rest = Some(rolled);
        while let Some(dice) = rest {
            let letters = dice.to_string();
            let steps = twin.three_dice_steps(&letters);
            let moves = position.moves(dice);
            let mut expected: Vec<String> = steps.iter().map(|(step, _)| step.text()).collect();
            if expected.is_empty() {
                expected.push("0000".into());
            }
            let mut actual: Vec<String> = moves.iter().map(ToString::to_string).collect();
            expected.sort();
            actual.sort();
            assert_eq!(actual, expected, "{text} {letters}");
            let before = position;
            let mv = *random.pick(&moves);
            rest = position.play(dice, mv);
            let left = match steps.iter().find(|(step, _)| step.text() == mv.to_string()) {
                None => String::new(),
                Some((step, left)) => {
                    twin.make(*step);
                    left.clone()
                }
            };
            match rest {
                Some(rest) => {
                    assert_eq!(rest.to_string(), left, "{before} {letters} {mv}");
                    let situation = Situation { position, roll: Some(rest) };
                    let again = situation.to_string().parse();
                    assert_eq!(again, Ok(situation), "{before} {letters} {mv}");
                }
                None => {
                    let over = !twin.has_king(true) || !twin.has_king(false);
                    assert!(over || twin.three_dice_steps(&left).is_empty(), "{before} {mv}");
                    twin.end_turn();
                    assert_eq!(position.to_string(), twin.text(), "{before} {letters} {mv}");
                }
            }
        }
    }
}

/// Compares with the share of rolls that win when every order of moves is played.
#[test]
fn the_chance_to_capture_the_king_is_that_of_all_orders() {
    fn wins(position: &DiceChess3, dice: Pool) -> bool {
        position.moves(dice).iter().any(|&mv| {
            let mut next = *position;
            match next.play(dice, mv) {
                Some(rest) => wins(&next, rest),
                None => next.outcome() == Some(Outcome::Win(position.side())),
            }
        })
    }
    let mut random = Random::new(8);
    let mut between = 0;
    for _ in 0..60 {
        let position: DiceChess3 = scattered(true, &mut random).parse().unwrap();
        if position.outcome().is_some() {
            assert!(position.king_capture_chance() <= 0.0);
            continue;
        }
        let weight = |roll: &&Weighted<Pool>| wins(&position, roll.item);
        let winning: u32 = DiceChess3::DICE.iter().filter(weight).map(|roll| roll.weight).sum();
        let chance = position.king_capture_chance();
        assert!((chance - winning as f32 / 216.0).abs() < 1e-6, "{position}");
        between += u32::from(chance > 0.0 && chance < 1.0);
    }
    assert!(between > 10, "{between}");
}

/// Runs the conformance kit on positions with scattered pieces.
#[test]
fn scattered_pieces_conform() {
    let mut random = Random::new(21);
    let one: Vec<DiceChess> =
        (0..60).map(|_| scattered(false, &mut random).parse().unwrap()).collect();
    conformance::check(one, &mut random);
    let three: Vec<DiceChess3> =
        (0..2).map(|_| scattered(true, &mut random).parse().unwrap()).collect();
    conformance::check(three, &mut random);
}
