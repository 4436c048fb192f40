//! WTN records are read leniently and written strictly, and every mistake is named with its place.

use proptest::prelude::*;
use wurfel_core::{Game, Outcome, Random, Side, draw};
use wurfel_games::einstein::Einstein;
use wurfel_games::{Occasion, Playable, RecordForm, TextError, Transcript};

fn wtn() -> &'static RecordForm<Einstein> {
    Einstein::RECORDS.iter().find(|form| form.name == "wtn").unwrap()
}

fn read(text: &str) -> Result<Transcript<Einstein>, TextError> {
    assert!((wtn().recognises)(text), "{text}");
    (wtn().read)(text)
}

const GAME: &str = "\
#[WTN][first player R][second player B][先手胜][2026.08.01 14:00 Beijing][2026 CCGC];
R:A5-1;B5-2;C5-3;A4-4;B4-5;A3-6
B:E3-6;D2-5;E2-4;C1-3;D1-2;E1-1
1:5;(R5,B3)
2:3;(B3,C2)
";

#[test]
fn a_record_is_read_and_written_as_the_championship_has_it() {
    let game = read(GAME).unwrap();
    // Red's 5 has gone from b4 to b3, blue's 3 from c1 to c2.
    assert_eq!(game.now().to_string(), "ABC2/D4/FE2f/2ced/3ba r - 3");
    assert_eq!(game.players[Side::First], "first player");
    assert_eq!(game.players[Side::Second], "second player");
    assert_eq!(game.result, Some(Outcome::Win(Side::First)));
    let Occasion { time, place, event } = &game.occasion;
    assert_eq!([time, place, event], ["2026.08.01 14:00", "Beijing", "2026 CCGC"]);
    assert_eq!((wtn().write)(&game).unwrap(), GAME);
    assert_eq!(
        (wtn().file_name)(&game),
        "WTN-first player vs second player-先手胜-Beijing 2026.08.01 14_00-2026 CCGC.txt"
    );
}

#[test]
fn what_programs_and_people_write_otherwise_means_the_same() {
    let game = read(GAME).unwrap();
    let squares = GAME.replace("A5-1;B5-2;C5-3", "C5-3;;B5-2; A5-1").replace("E3-6", "e36");
    let (head, rest) = GAME.split_once('\n').unwrap();
    let moves = rest.replace(';', "；").replace(':', "：").replace('(', "（").replace(',', "，");
    let chinese = format!("{}\n{moves}", head.replace(';', "；"));
    let colours =
        GAME.replace("[first player R]", "[first playerR]").replace("player B", "player b");
    // All letters, digits and signs as a Chinese keyboard has them, but for the names.
    let wide = |sign: char| match sign {
        ' ' => '\u{3000}',
        '!'..='~' => char::from_u32(sign as u32 - '!' as u32 + '！' as u32).unwrap(),
        _ => sign,
    };
    let wide = |text: &str| -> String { text.chars().map(wide).collect() };
    let names = "［first player　Ｒ］［second player Ｂ］［先手胜］［2026.08.01 14:00 Beijing］［2026 CCGC］";
    let full_width = format!("{}{names}；\n{}", wide("#[WTN]"), wide(rest));
    for other in [
        full_width,
        GAME.replace("[WTN]", ""),
        GAME.replace("];", "]"),
        GAME.replace('\n', "\r\n"),
        GAME.replace(")\n", ");\n"),
        GAME.replace("];\n", "];;\n\n"),
        GAME.trim_end().to_owned(),
        // Both set-ups on one line, blue's first.
        {
            let lines: Vec<&str> = GAME.lines().collect();
            [lines[0], &format!("{};{}", lines[2], lines[1]), lines[3], lines[4]].join("\n")
        },
        squares,
        chinese,
        colours,
    ] {
        assert_eq!(read(&other).as_ref(), Ok(&game), "{other}");
    }
    // Without a header no player is named, and the moves show who moves first.
    let bare = GAME.split_once('\n').unwrap().1;
    let read = read(bare).unwrap();
    assert_eq!((read.decisions(), read.result), (game.decisions(), None));
}

#[test]
fn blue_may_roll_first() {
    let text = GAME
        .replace("[first player R][second player B]", "[first player B][second player R]")
        .replace("1:5;(R5,B3)\n2:3;(B3,C2)", "1:3;(B3,C2)\n2:5;(R5,B3)");
    let game = read(&text).unwrap();
    assert_eq!(game.start().side(), Side::Second);
    assert_eq!(game.result, Some(Outcome::Win(Side::Second)));
    assert_eq!(game.players[Side::Second], "first player");
    assert_eq!((wtn().write)(&game).unwrap(), text);
}

#[test]
fn mistakes_are_named_with_their_place() {
    for (from, to, message) in [
        ("[WTN]", "[WTN", "line 1, column 6: '[' stands where ']' was expected"),
        ("先手胜", "平局", "line 1, column 41: '平局' stands where 先手胜 or 后手胜 was expected"),
        (
            "R][second player B",
            "R][second player R",
            "line 1, column 1: both players have the same colour",
        ),
        (
            "A5-1",
            "A6-1",
            "line 2, column 4: '6' stands where the row of a square, 1-5, was expected",
        ),
        ("A5-1", "D4-1", "line 2, column 3: d4 is not in the corner of this side"),
        ("B5-2", "B5-1", "line 2, column 8: b5 or cube 1 stands twice"),
        ("B:E3", "R:E3", "line 3, column 1: R has a set-up already"),
        ("1:5;", "2:5;", "line 4, column 1: expected turn 1, as in 1:5;(R5,B3)"),
        ("1:5;", "1:7;", "line 4, column 3: '7' stands where the die, 1-6, was expected"),
        ("(R5", "(B5", "line 4, column 6: R is to move"),
        (
            "(R5,B3)",
            "(R5,E1)",
            "line 4, column 6: not a legal move, expected one of (R5,C4) (R5,B3) (R5,C3)",
        ),
        (
            "(R5,B3)",
            "(R4,B3)",
            "line 4, column 6: not a legal move, expected one of (R5,C4) (R5,B3) (R5,C3)",
        ),
        ("(B3,C2)\n", "", "line 5, column 5: the line ends where '(' was expected"),
        ("R:A5", "X:A5", "line 2, column 1: 'X' stands where the set-ups, R: and B:, was expected"),
    ] {
        let text = GAME.replacen(from, to, 1);
        let text = if to.is_empty() { text + "\n" } else { text };
        assert_eq!(read(&text).unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn only_games_from_their_set_ups_can_be_written() {
    let game = Transcript::new("A4/5/5/5/4a r - 1".parse::<Einstein>().unwrap());
    let error = (wtn().write)(&game).unwrap_err().to_string();
    assert!(error.contains("expected both set-ups before ply 1"), "{error}");
}

/// A game of random moves that ends after some turns.
fn random_game(seed: u64, turns: u32) -> Transcript<Einstein> {
    let mut random = Random::new(seed);
    let mut game = Transcript::new(Einstein::setup(&mut random));
    while game.now().outcome().is_none() && game.now().ply() <= turns {
        let die = draw(Einstein::DICE, &mut random);
        let mv = game.now().pick(die, &mut random).unwrap();
        game.push(die, mv).unwrap();
    }
    game
}

/// Names of any characters, and of those that have a meaning in a record, also in full width.
fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[^\\p{C}]{0,9}", "[\\[\\]［］【】;；:：()（）#＃RbＲｂ \u{3000}-]{0,9}"]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn games_come_back(seed in any::<u64>(), turns in 0..40u32, names in [name(), name(), name()]) {
        let mut game = random_game(seed, turns);
        game.players[Side::First] = names[0].clone();
        game.players[Side::Second] = names[1].clone();
        game.occasion.event = names[2].clone();
        let text = (wtn().write)(&game).unwrap();
        let again = read(&text).unwrap();
        prop_assert_eq!((again.start(), again.decisions()), (game.start(), game.decisions()));
        prop_assert_eq!(again.result, game.result);
        prop_assert_eq!((wtn().write)(&again).unwrap(), text);
    }

    #[test]
    fn no_text_makes_the_reader_panic(
        text in ".{0,60}",
        (seed, place, sign) in (0..50u64, any::<prop::sample::Index>(), any::<char>()),
        remove in any::<bool>(),
    ) {
        for text in [text.clone(), format!("#{text}"), format!("#[WTN][{text}]\nR:{text}")] {
            let error = (wtn().read)(&text).map(|_| ()).unwrap_err().to_string();
            prop_assert!(error.starts_with("line ") && !error.contains('\n'), "{}", error);
        }
        let mut signs: Vec<char> = (wtn().write)(&random_game(seed, 30)).unwrap().chars().collect();
        let at = place.index(signs.len());
        if remove { signs.remove(at); } else { signs[at] = sign; }
        let edited = String::from_iter(signs);
        if let Err(error) = (wtn().read)(&edited) {
            let error = error.to_string();
            prop_assert!(error.starts_with("line ") && !error.contains('\n'), "{}", error);
        }
    }
}
