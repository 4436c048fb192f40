//! The texts of Dice Chess: what is written is read back, mistakes are named, and no text makes a
//! parser panic.

use proptest::prelude::*;
use wurfel_core::{Game, Outcome, Random, Side, Situation, draw};
use wurfel_games::Playable;
use wurfel_games::dicechess::{
    DiceChess, DiceChess3, DiceCount, Move, Moves, OneDie, Pool, Position, ThreeDice, Variant,
};

/// The situation after `turns` random turns of a game, with a roll unless the game is over.
fn situation<R: DiceCount>(seed: u64, turns: u32) -> Situation<Position<R>> {
    let mut random = Random::new(seed);
    let mut position = Position::<R>::default();
    for _ in 0..turns {
        let mut rest = Some(draw(position.rolls(), &mut random));
        while let Some(roll) = rest {
            let mv = position.pick(roll, &mut random).unwrap();
            rest = position.play(roll, mv);
        }
        if position.outcome().is_some() {
            return Situation { position, roll: None };
        }
    }
    let roll = draw(position.rolls(), &mut random);
    Situation { position, roll: seed.is_multiple_of(2).then_some(roll) }
}

/// Reads any text. A mistake must be named on one line; what could be read must mean the same after
/// it was written and read again.
fn read<R: DiceCount>(text: &str) -> Result<(), TestCaseError> {
    match Position::<R>::read(text) {
        Err(error) => prop_assert!(!error.to_string().contains('\n'), "{error}"),
        Ok(situation) => {
            let written = situation.to_string();
            let again = Position::<R>::read(&written);
            prop_assert_eq!(again.as_ref(), Ok(&situation), "{} {}", text, &written);
            prop_assert_eq!(again.map(|again| again.to_string()), Ok(written));
            if situation.position.outcome().is_none() {
                // Wherever the pieces stand, a game can go on from there.
                let mut position = situation.position;
                let roll = situation.roll.unwrap_or(position.rolls()[0].item);
                let mv = position.moves(roll)[0];
                position.play(roll, mv);
                let moves: usize = R::DICE.iter().map(|face| position.count(face.item)).sum();
                prop_assert!(moves < 100_000);
            }
        }
    }
    Ok(())
}

proptest! {
    // A text that fails is written down as a test of its own, below.
    #![proptest_config(ProptestConfig {
        cases: 3000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_text_makes_a_parser_panic(text in any::<String>()) {
        read::<OneDie>(&text)?;
        let _ = text.parse::<Pool>();
        let _ = DiceChess::default().find_move(Pool::of(wurfel_games::dicechess::Kind::Pawn), &text);
    }

    #[test]
    fn no_text_of_the_right_signs_makes_a_parser_panic(
        rows in prop::collection::vec("[PNBRQKpnbrqk1-8]{1,8}", 8),
        rest in " [wb] (-|[KQkq]{1,4}) (-|([a-h][36]){1,3})( [-PNBRQK]{1,4}|( [0-9]{1,5}( [0-9]{1,5}( [-pnbrqk]{1,4})?)?)?)",
    ) {
        let text = rows.join("/") + &rest;
        read::<OneDie>(&text)?;
        read::<ThreeDice>(&text)?;
    }

    #[test]
    fn no_slip_of_the_fingers_makes_a_parser_panic(
        (seed, turns) in (any::<u64>(), 0..60u32),
        at in any::<prop::sample::Index>(),
        character in prop_oneof![prop::sample::select("PNBRQKpnbrqk12345678/ -wab36".chars().collect::<Vec<_>>()), any::<char>()],
    ) {
        let text = situation::<OneDie>(seed, turns).to_string();
        let mut characters: Vec<char> = text.chars().collect();
        let place = at.index(characters.len());
        characters[place] = character;
        read::<OneDie>(&String::from_iter(&characters))?;
        characters.remove(place);
        read::<ThreeDice>(&String::from_iter(&characters))?;
    }

    #[test]
    fn positions_come_back((seed, turns) in (any::<u64>(), 0..80u32)) {
        let one = situation::<OneDie>(seed, turns);
        prop_assert_eq!(one.to_string().parse(), Ok(one));
        let three = situation::<ThreeDice>(seed, turns / 8);
        prop_assert_eq!(three.to_string().parse(), Ok(three));
    }
}

#[test]
fn mistakes_are_named_with_their_place() {
    for (text, message) in [
        ("", "it is empty, expected eight ranks of eight squares, rank 8 has 0"),
        (
            "4k4/8/8/8/8/8/8/4K3 w",
            "character 3 is '4', expected KQRBNP (White), kqrbnp (Black) or a number of empty \
             squares that fits: rank 8 has 5 of 8 squares",
        ),
        ("4k3/8/8 w", "character 8 is ' ', expected eight ranks of eight squares, rank 6 has 8"),
        ("4k3p", "character 4 is 'p', expected '/' after the eight squares of rank 8"),
        (
            "4k2p/8/8/8/8/8/8/4K3 w",
            "character 4 is 'p', expected no pawn on the first or the last rank",
        ),
        ("4k3/8/8/8/8/8/8/4K3", "it ends after character 19, expected the side to move, w or b"),
        ("4k3/8/8/8/8/8/8/4K3 x", "character 21 is 'x', expected the side to move, w or b"),
        (
            "4k3/8/8/8/8/8/8/4K3 w K",
            "character 23 is 'K', expected a king on e1 and a rook on h1 for this right",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w x",
            "character 23 is 'x', expected castling rights, each of KQkq at most once, or -",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e3",
            "character 25 is 'e', expected a square that a pawn has just passed, or -",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6",
            "character 25 is 'e', expected a square that a pawn on e5 has just passed, each once",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 200",
            "character 27 is '2', expected turns without a capture or a pawn move, 0-150",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
            "character 29 is '0', expected the full-move number, 1-9999",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1 kk",
            "character 31 is 'k', expected the die, one of pnbrqk, or - when it is not rolled",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 n", "expected dice that let a piece move: one of K"),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1 k k",
            "character 33 is 'k', expected nothing after the dice",
        ),
        ("8/8/8/8/8/8/8/8 w", "expected a king on the board"),
        ("8/8/8/8/8/8/8/KK6 w", "expected one king of White"),
        (
            "k7/pppppppp/p7/8/8/8/8/K7 w",
            "expected for Black no more than 16 pieces, and no more than 8 pawns and pieces that were pawns",
        ),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1 k", "expected no dice, as the game is over"),
    ] {
        let error = DiceChess::read(text).unwrap_err().to_string();
        assert_eq!(error, format!("position '{text}': {message}"));
    }
    let error = DiceChess3::read("4k3/8/8/8/8/8/8/4K3 w - - 0 1 kkkk").unwrap_err().to_string();
    assert!(error.ends_with("up to three of pnbrqk, or - when not rolled"), "{error}");
}

#[test]
fn what_is_left_out_is_completed() {
    let position: DiceChess = "4k3/8/8/8/8/8/8/4K3 b".parse().unwrap();
    assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    let position: DiceChess3 = "4k3/8/8/8/8/8/8/4K3 b".parse().unwrap();
    assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/4K3 b - - 0 1 -");
}

/// Opening books have four fields and the dice, in capitals for either side.
#[test]
fn the_dice_may_follow_the_fields_that_make_the_position() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for (text, full) in
        [("BPR", "0 1 pbr"), ("bpr", "0 1 pbr"), ("PP", "0 1 pp"), ("-", "0 1 -"), ("", "0 1 -")]
    {
        let read = DiceChess3::read(&format!("{START} {text}")).unwrap();
        assert_eq!(read, DiceChess3::read(&format!("{START} {full}")).unwrap(), "{text}");
    }
    let black = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - BPR";
    assert!(DiceChess3::read(black).unwrap().to_string().ends_with(" b KQkq - 0 1 pbr"));
    let one = DiceChess::read(&format!("{START} N")).unwrap();
    assert_eq!(one.roll, Some("N".parse().unwrap()));
    for (text, message) in [
        ("BPR 0 1", "character 58 is '0', expected nothing after the dice"),
        (
            "BPX",
            "character 54 is 'B', expected the dice to be spent, up to three of pnbrqk, or - when not rolled",
        ),
        ("-1", "character 54 is '-', expected turns without a capture or a pawn move, 0-150"),
    ] {
        let error = DiceChess3::read(&format!("{START} {text}")).unwrap_err().to_string();
        assert!(error.ends_with(message), "{error}");
    }
}

/// Other programs write no letter, because the game is over whatever the pawn becomes.
#[test]
fn a_pawn_captures_the_king_without_a_letter() {
    let lookup = |position: &str, moves: &[&str]| {
        let Situation { position, roll } = DiceChess3::read(position).unwrap();
        let lookup = |text| position.find_move(roll.unwrap(), text).ok().map(|mv| mv.to_string());
        moves.iter().map(|text| lookup(*text)).collect::<Vec<_>>()
    };
    let queen = |text: &str| Some(format!("{text}q"));
    let white = "r3k3/3P4/8/8/8/8/8/4K3 w - - P";
    let same = Some("d7e8n".to_owned());
    assert_eq!(lookup(white, &["d7e8", "D7E8", "d7e8n"]), [queen("d7e8"), queen("d7e8"), same]);
    assert_eq!(lookup("4k3/8/8/8/8/8/3p4/4K3 b - - p", &["d2e1"]), [queen("d2e1")]);
    // Every other promotion needs its letter.
    assert_eq!(
        lookup(white, &["d7d8", "d7e", "d7", "d7e8k", "d7e8qq"]),
        [None, None, None, None, None]
    );
    // The die of the new kind allows only that kind.
    let by_die = DiceChess::under(Variant::PromotionByDie);
    let Situation { position, roll } = by_die.read_alike("r3k3/3P4/8/8/8/8/8/4K3 w - - N").unwrap();
    assert_eq!(position.find_move(roll.unwrap(), "d7e8").unwrap().to_string(), "d7e8n");
}

#[test]
fn rights_that_the_board_rules_out_are_dropped_on_request() {
    // 8  r . . . k . . .     Black's rook has left h8, White's king has left e1
    // 1  R . . . . K . R
    let text = "r3k3/8/8/8/8/8/8/R4K1R w KQkq - 0 1";
    assert!(DiceChess::read(text).is_err());
    let dropped =
        |text: &str| DiceChess::default().read_position(text, true).map(|read| read.to_string());
    assert_eq!(dropped(text).unwrap(), "r3k3/8/8/8/8/8/8/R4K1R w q - 0 1");
    assert_eq!(DiceChess::default().read_position(text, false), DiceChess::read(text));
    // Rights that the board allows stay, and what is no right is refused all the same.
    let unchanged = DiceChess::default().to_string();
    assert_eq!(dropped(&unchanged), Ok(unchanged.clone()));
    for wrong in ["KQx", "KK", "qq"] {
        assert!(dropped(&text.replace("KQkq", wrong)).is_err(), "{wrong}");
    }
}

/// The text names a square that a pawn has passed as long as a capture there is possible.
#[test]
fn squares_that_were_passed() {
    let play = |text: &str, moves: &[(&str, &str)]| {
        let mut situation: Situation<DiceChess3> = text.parse().unwrap();
        for (dice, mv) in moves {
            let roll = situation.roll.unwrap_or_else(|| dice.parse().unwrap());
            let mv = situation.position.find_move(roll, mv).unwrap();
            situation.roll = situation.position.play(roll, mv);
        }
        situation.to_string()
    };
    // Two pawns pass two squares in one turn, and both can be taken in the next.
    let passed =
        play("4k3/8/8/8/1p6/8/P1P5/4K3 w - - 0 1 ppk", &[("", "a2a4"), ("", "c2c4"), ("", "e1e2")]);
    assert_eq!(passed, "4k3/8/8/8/PpP5/8/4K3/8 b - a3c3 0 1 -");
    let taken = play(&passed, &[("PKN", "b4a3"), ("", "e8e7")]);
    assert_eq!(taken, "8/4k3/8/8/2P5/p7/4K3/8 w - - 0 2 -");
    // With one die, the square is named only if a pawn stands ready to capture there.
    let mut position: DiceChess = "4k3/8/8/8/1p6/8/P4P2/4K3 w - - 0 1".parse().unwrap();
    let die: Pool = "P".parse().unwrap();
    let mv = position.find_move(die, "f2f4").unwrap();
    let mut other = position;
    position.play(die, mv);
    assert_eq!(position.to_string(), "4k3/8/8/8/1p3P2/8/P7/4K3 b - - 0 1");
    let mv = other.find_move(die, "a2a4").unwrap();
    other.play(die, mv);
    assert_eq!(other.to_string(), "4k3/8/8/8/Pp6/8/5P2/4K3 b - a3 0 1");
}

#[test]
fn games_end_as_the_rules_say() {
    let outcome = |text: &str| text.parse::<DiceChess>().unwrap().outcome();
    let (white, black) = (Some(Outcome::Win(Side::First)), Some(Outcome::Win(Side::Second)));
    let bare = "4k3/8/8/8/8/8/8/4KR2";
    assert_eq!(outcome(&format!("{bare} b - - 149 100")), None);
    assert_eq!(outcome(&format!("{bare} b - - 150 100")), Some(Outcome::Draw));
    assert_eq!(outcome(&format!("{bare} w - - 0 101")), Some(Outcome::Draw));
    assert_eq!(outcome("8/8/8/8/8/8/8/4K3 b"), white);
    assert_eq!(outcome("4k3/8/8/8/8/8/8/8 b"), black);
    // No piece of White's can move.
    assert_eq!(outcome("k7/8/8/8/8/p7/Pp6/KB6 w"), None);
    assert_eq!(outcome("k7/8/8/8/8/1pp5/1Pp5/KN6 w"), None);
    let rules = DiceChess::under(Variant::BareKingLoses);
    let lost = rules.read_alike(&format!("{bare} b")).unwrap();
    assert_eq!(lost.position.outcome(), white);
}

/// A position is played on by the rule set with which it began, is named after it, and differs from the
/// same board under another one.
#[test]
fn a_position_carries_its_rule_set() {
    let text = DiceChess::default().to_string();
    let mut seen = vec![];
    for variant in Variant::ALL {
        let rules = DiceChess::under(variant);
        let mut random = Random::new(3);
        let mut position = rules.setup(&mut random);
        assert_eq!(rules.read_alike(&text).unwrap().position, position);
        assert!(!seen.contains(&position), "{variant:?}");
        seen.push(position);
        assert_eq!(Variant::ALL.map(DiceChess::under).iter().filter(|of| **of == rules).count(), 1);
        while position.outcome().is_none() {
            assert_eq!((position.variant(), position.name()), (variant, rules.name()));
            let read = position.read_alike(&position.to_string()).unwrap();
            assert_eq!(read.position, position);
            let roll = draw(position.rolls(), &mut random);
            position.play(roll, *random.pick(&position.moves(roll)));
        }
    }
    let names = Variant::ALL.map(|variant| DiceChess::under(variant).name());
    assert_eq!(names, ["dicechess", "dicechess-promotion", "dicechess-bare"]);
    // Without a position to say otherwise, a text is read by the default rules.
    assert_eq!(text.parse::<DiceChess>().unwrap().variant(), Variant::Standard);
}

#[test]
fn a_draw_says_by_which_rule() {
    let why = |text: &str| text.parse::<DiceChess>().unwrap().draw_reason();
    let bare = "4k3/8/8/8/8/8/8/4KR2";
    assert_eq!(why(&format!("{bare} b - - 149 100")), None);
    let quiet = Some("too many turns without a capture or a pawn move");
    assert_eq!(why(&format!("{bare} b - - 150 100")), quiet);
    let long = Some("the maximum number of turns has been played");
    assert_eq!(why(&format!("{bare} w - - 0 101")), long);
    assert_eq!(why("8/8/8/8/8/8/8/4K3 b"), None);
    let rules = DiceChess::under(Variant::BareKingLoses);
    let kings = rules.read_alike("4k3/8/8/8/8/8/8/4K3 w").unwrap();
    assert_eq!(kings.position.draw_reason(), Some("only the kings are left"));
}

#[test]
fn what_is_stored_by_the_million_is_small() {
    assert_eq!(size_of::<DiceChess>(), 48);
    assert_eq!(size_of::<Move>(), 2);
    assert_eq!(size_of::<Pool>(), 2);
    assert!(size_of::<Moves>() <= 600);
}
