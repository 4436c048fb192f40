//! Reading and writing of EWN's texts: no text makes a parser panic, and what is written is read
//! back.

use proptest::prelude::*;
use wurfel_core::{Game, Random, Side, Situation, draw};
use wurfel_games::Playable;
use wurfel_games::einstein::{
    Die, Einstein, EinsteinNearest, Nearest, Official, Position, RuleSet, Setup,
};

/// The situation after `plies` random turns of a game, with a roll unless the game is over.
fn situation<R: RuleSet>(seed: u64, plies: u32) -> Situation<Position<R>> {
    let mut random = Random::new(seed);
    let mut position = Position::<R>::default().setup(&mut random);
    for _ in 0..plies {
        if position.outcome().is_some() {
            return Situation { position, roll: None };
        }
        let die = draw(Position::<R>::DICE, &mut random);
        let mv = *random.pick(position.moves(die).as_ref());
        position.play(die, mv);
    }
    let roll = draw(Position::<R>::DICE, &mut random);
    let roll = (position.outcome().is_none() && seed.is_multiple_of(2)).then_some(roll);
    Situation { position, roll }
}

/// A change of one character.
#[derive(Clone, Debug)]
enum Edit {
    Remove,
    Double,
    Swap,
    Insert(char),
    Replace(char),
}

fn edits() -> impl Strategy<Value = Vec<(prop::sample::Index, Edit)>> {
    let character = prop_oneof![
        6 => prop::sample::select("ABCDEFabcdef0123456789/ -rbS@".chars().collect::<Vec<_>>()),
        1 => any::<char>(),
    ];
    let edit = prop_oneof![
        Just(Edit::Remove),
        Just(Edit::Double),
        Just(Edit::Swap),
        character.clone().prop_map(Edit::Insert),
        character.prop_map(Edit::Replace),
    ];
    prop::collection::vec((any::<prop::sample::Index>(), edit), 1..8)
}

/// Five rows of five squares with few cubes, some of which may appear twice.
fn boards() -> impl Strategy<Value = String> {
    let square = prop_oneof![
        5 => Just('1'),
        1 => prop::sample::select("ABCDEFabcdef".chars().collect::<Vec<_>>()),
    ];
    prop::collection::vec(prop::collection::vec(square, 5), 5).prop_map(|rows| {
        let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        rows.join("/")
    })
}

fn edited(text: &str, edits: &[(prop::sample::Index, Edit)]) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for (place, edit) in edits {
        let at = place.index(characters.len() + 1);
        let last = at + 1 >= characters.len();
        match edit {
            Edit::Insert(character) => characters.insert(at, *character),
            _ if at == characters.len() => {}
            Edit::Replace(character) => characters[at] = *character,
            Edit::Double => characters.insert(at, characters[at]),
            Edit::Swap if last => {}
            Edit::Swap => characters.swap(at, at + 1),
            Edit::Remove => drop(characters.remove(at)),
        }
    }
    characters.into_iter().collect()
}

/// Whether the board in a text is valid: five rows of five squares, at least one cube, no cube
/// twice, and not both sides on their goals.
fn describes_a_position(text: &str) -> bool {
    let board = text.split(' ').next().unwrap_or_default();
    let rows: Vec<String> = board
        .split('/')
        .map(|row| {
            let squares = row.chars().map(|character| match character.to_digit(10) {
                Some(empty) => ".".repeat(empty as usize),
                None => character.to_string(),
            });
            squares.collect()
        })
        .collect();
    let squares = rows.concat();
    let cubes: Vec<char> = squares.chars().filter(|&character| character != '.').collect();
    let once = cubes.iter().all(|cube| cubes.iter().filter(|other| cube == *other).count() == 1);
    let on_goal =
        |square: Option<char>, cubes: &str| square.is_some_and(|cube| cubes.contains(cube));
    rows.len() == 5
        && rows.iter().all(|row| row.chars().count() == 5)
        && once
        && !cubes.is_empty()
        && !(on_goal(squares.chars().next(), "abcdef") && on_goal(squares.chars().last(), "ABCDEF"))
}

/// Reads any text. A mistake must be named on one line; what could be read must mean the same after
/// it was written and read again.
fn read<R: RuleSet>(text: &str) -> Result<(), TestCaseError> {
    match Position::<R>::read(text) {
        Err(error) => prop_assert!(!error.to_string().contains('\n'), "{error}"),
        Ok(situation) => {
            let written = situation.to_string();
            let again = Position::<R>::read(&written);
            prop_assert_eq!(again.as_ref(), Ok(&situation), "{} {}", text, &written);
            let ply = again.map(|again| again.position.ply());
            prop_assert_eq!(ply, Ok(situation.position.ply()), "{} {}", text, &written);
            prop_assert!(describes_a_position(text), "{}", text);
            let over = situation.position.outcome().is_some();
            prop_assert!(!(over && situation.roll.is_some()), "{}", text);
        }
    }
    Ok(())
}

/// Reads a text in every form other than a position.
fn read_the_rest(text: &str) -> Result<(), TestCaseError> {
    match text.parse::<Setup>() {
        Err(error) => prop_assert!(!error.to_string().contains('\n'), "{error}"),
        Ok(setup) => {
            prop_assert_eq!(setup.to_string(), text);
            let mut numbers: Vec<char> = text.chars().skip(1).collect();
            numbers.sort_unstable();
            prop_assert_eq!(String::from_iter(numbers), "123456");
        }
    }
    match text.parse::<Die>() {
        Err(error) => prop_assert!(!error.to_string().contains('\n'), "{error}"),
        Ok(die) => {
            prop_assert!((1..=6).contains(&die.number()), "{}", text);
            prop_assert_eq!(die.to_string().parse(), Ok(die));
        }
    }
    Ok(())
}

fn find<R: RuleSet>(situation: &Situation<Position<R>>, text: &str) -> Result<(), TestCaseError> {
    for face in Position::<R>::DICE {
        match situation.position.find_move(face.item, text) {
            Err(error) => prop_assert!(!error.to_string().contains('\n'), "{error}"),
            Ok(mv) => {
                prop_assert!(mv.to_string().eq_ignore_ascii_case(text), "{} {}", mv, text);
                prop_assert!(situation.position.moves(face.item).as_ref().contains(&mv));
            }
        }
    }
    Ok(())
}

proptest! {
    // A text that fails is written down as a test of its own, below.
    #![proptest_config(ProptestConfig {
        cases: 4000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_text_at_all_makes_a_parser_panic(text in any::<String>(), seed in 0..100u64) {
        read::<Official>(&text)?;
        read_the_rest(&text)?;
        find::<Official>(&situation(seed, 10), &text)?;
    }

    #[test]
    fn no_text_of_the_right_signs_makes_a_parser_panic(
        (board, rest) in (boards(), " [rb]( [-1-6]( [0-9]{1,25}( .)?)?)?"),
        setup in "S?[1-6]{0,8}",
        die in "[-+0-9 ]{0,4}",
        mv in "[a-eA-E][1-5][a-eA-E][1-5]",
        (seed, plies) in (any::<u64>(), 0..30u32),
    ) {
        read::<Nearest>(&format!("{board}{rest}"))?;
        read_the_rest(&setup)?;
        read_the_rest(&die)?;
        find::<Nearest>(&situation(seed, plies), &mv)?;
    }

    #[test]
    fn no_slip_of_the_fingers_makes_a_parser_panic(
        (seed, plies) in (any::<u64>(), 0..30u32),
        edits in edits(),
    ) {
        let situation = situation::<Official>(seed, plies);
        read::<Official>(&edited(&situation.to_string(), &edits))?;
        read_the_rest(&edited("S124563", &edits))?;
        read_the_rest(&edited("4", &edits))?;
        for face in Einstein::DICE {
            for mv in situation.position.moves(face.item).as_ref() {
                find(&situation, &edited(&mv.to_string(), &edits))?;
            }
        }
    }

    #[test]
    fn positions_come_back(seed in any::<u64>(), plies in 0..40u32) {
        let situation = situation::<Nearest>(seed, plies);
        let text = situation.to_string();
        let read = EinsteinNearest::read(&text);
        prop_assert_eq!(read.as_ref(), Ok(&situation));
        let written = read.as_ref().map(ToString::to_string);
        prop_assert_eq!(written.as_deref(), Ok(text.as_str()));
        let read = read.expect("compared above").position;
        prop_assert_eq!(read.ply(), situation.position.ply());
        prop_assert_eq!(read.outcome(), situation.position.outcome());
        for side in Side::BOTH {
            prop_assert_eq!(read.distance_code(side), situation.position.distance_code(side));
        }
        for face in EinsteinNearest::DICE {
            let moves = |position: &EinsteinNearest| position.moves(face.item).as_ref().to_vec();
            prop_assert_eq!(moves(&read), moves(&situation.position));
        }
    }

    #[test]
    fn set_ups_come_back_and_stand_as_they_are_written(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let (red, blue) = (Setup::random(&mut random), Setup::random(&mut random));
        prop_assert_eq!(red.to_string().parse(), Ok(red));
        // The squares are a5 b5 c5 a4 b4 a3 for red and e1 d1 c1 e2 d2 e3 for blue.
        let letters = |setup: Setup, first: u8| -> Vec<char> {
            let numbers = setup.to_string().into_bytes();
            numbers[1..].iter().map(|&number| char::from(first + number - b'1')).collect()
        };
        let (r, b) = (letters(red, b'A'), letters(blue, b'a'));
        let text = format!(
            "{}{}{}2/{}{}3/{}3{}/3{}{}/2{}{}{} r - 1",
            r[0], r[1], r[2], r[3], r[4], r[5], b[5], b[4], b[3], b[2], b[1], b[0]
        );
        prop_assert_eq!(Einstein::new(red, blue).to_string(), text);
    }
}

/// A ply of five digits once overflowed: 65540 was read as 4, or made the program panic.
#[test]
fn a_ply_that_is_too_large_is_refused() {
    for ply in ["10000", "65536", "65540", "99991", "99999", "18446744073709551617"] {
        let text = format!("A4/5/5/5/3a1 r - {ply}");
        assert!(Einstein::read(&text).is_err(), "{text}");
    }
    let last: Einstein = "A4/5/5/5/3a1 r - 9999".parse().unwrap();
    assert_eq!(last.ply(), 9999);
}
