//! WTN records are read leniently and written strictly, and every mistake is named with its place.

use proptest::prelude::*;
use wurfel_core::{EventInfo, Game, Outcome, Random, Side, TextError, Transcript, draw};
use wurfel_games::einstein::Einstein;
use wurfel_games::{Playable, ReadGame, RecordForm};

fn wtn() -> &'static RecordForm<Einstein> {
    Einstein::RECORDS.iter().find(|form| form.name == "wtn").unwrap()
}

fn read(text: &str) -> Result<Transcript<Einstein>, TextError> {
    let ReadGame { game, assumed } = read_leniently(text)?;
    assert_eq!(assumed, [""; 0], "{text}");
    Ok(game)
}

/// Reads the only record of a text, with what was assumed.
fn read_leniently(text: &str) -> Result<ReadGame<Einstein>, TextError> {
    assert!((wtn().recognises)(text), "{text}");
    let records = (wtn().split)(text);
    assert_eq!(records, [(1, text)]);
    (wtn().read)(text, 1)
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
    let EventInfo { time, place, event } = &game.event_info;
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
    // All letters, digits and symbols as a Chinese keyboard has them, but for the names.
    let wide = |character: char| match character {
        ' ' => '\u{3000}',
        '!'..='~' => char::from_u32(character as u32 - '!' as u32 + '！' as u32).unwrap(),
        _ => character,
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

/// A game that red wins: its 1 reaches e1 on the ninth ply. Blue's 1 only steps aside.
const WON: &str = "\
#[WTN][甲队 R][乙队 B][先手胜][2026.08.01][2026 CCGC];
R:A5-2;B5-3;C5-4;A4-5;B4-1;A3-6
B:E3-2;D2-1;E2-3;C1-4;D1-5;E1-6
1:1;(R1,C3)
2:4;(B4,B1)
3:1;(R1,D2)
4:4;(B4,A1)
5:1;(R1,E1)
";

/// Programs wrote all of these; each was read as a win of the other side, or refused.
#[test]
fn a_result_is_what_its_words_mean_and_never_contradicts_the_moves() {
    let game = read(WON).unwrap();
    assert_eq!(game.now().outcome(), Some(Outcome::Win(Side::First)));
    let with = |result: &str| read_leniently(&WON.replace("先手胜", result));
    for says_red in ["", "后手负", "后手认输", "后手超时负", "红方胜", "蓝方负", "R wins", "Ｒ胜"]
    {
        assert_eq!(
            with(says_red),
            Ok(ReadGame { game: game.clone(), assumed: vec![] }),
            "{says_red}"
        );
    }
    for says_blue in ["后手胜", "先手负", "先手超时负", "先手认输", "蓝方胜", "红方超时", "B won"]
    {
        let error = with(says_blue).unwrap_err().to_string();
        assert_eq!(
            error, "line 1, column 1: result '0-1': expected 1-0, as the game ended",
            "{says_blue}"
        );
    }
    for says_nothing in ["先（后）手胜", "平局", "CAU", "先手胜后手胜", "先手未胜"]
    {
        let read = with(says_nothing).unwrap();
        assert_eq!(read.game, game, "{says_nothing}");
        let assumed = format!(
            "line 1, column 20: '{says_nothing}' does not say who has won: the moves do, R"
        );
        assert_eq!(read.assumed, [assumed]);
        // Where the moves do not decide, nobody can know.
        let open = WON.replace("先手胜", says_nothing).replace("5:1;(R1,E1)\n", "");
        let error = read_leniently(&open).unwrap_err().to_string();
        assert!(error.contains("and the game is not over: expected 先手胜 or 后手胜"), "{error}");
    }
    let open = WON.replace("5:1;(R1,E1)\n", "");
    for (result, winner) in
        [("先手负", Side::Second), ("后手超时负", Side::First), ("蓝方胜", Side::Second)]
    {
        let game = read(&open.replace("先手胜", result)).unwrap();
        assert_eq!(game.result, Some(Outcome::Win(winner)), "{result}");
    }
}

#[test]
fn headers_of_other_programs_name_players_and_the_first_mover() {
    let game = read(WON).unwrap();
    let head = |text: &str| WON.replacen("#[WTN][甲队 R][乙队 B][先手胜]", text, 1);
    let names = |game: &Transcript<Einstein>| Side::BOTH.map(|side| game.players[side].clone());
    for same in [
        "[WTN][甲队 R][乙队 B][先手胜]",
        "【ＷＴＮ】【甲队 Ｒ】【乙队 Ｂ】【先手胜】",
        "#[红方:甲队][蓝方:乙队][红方先手][红方胜]",
        "[红方：甲队][蓝方：乙队][蓝方后手][先手胜]",
        "#[蓝方:乙队][红方:甲队][先手胜]",
        "#[先手:甲队][后手:乙队][先手胜]",
        "#[后手:乙队][先手:甲队][后手负]",
        "#[甲队R][乙队B][先手胜]",
        "#[甲队][乙队][先手胜]",
        "#[甲队 r][乙队][]",
    ] {
        assert_eq!(read(&head(same)).as_ref(), Ok(&game), "{same}");
    }
    // A letter at the end of a name is a colour only if everything else agrees.
    for (header, players) in [
        ("#[USTB][AlphaB][先手胜]", ["USTB", "AlphaB"]),
        ("#[USTB][AlphaR][先手胜]", ["USTB", "AlphaR"]),
        ("#[USTR][Alpha][先手胜]", ["USTR", "Alpha"]),
        ("#[USTBR][AlphaBB][先手胜]", ["USTB", "AlphaB"]),
        ("#[USTB R][AlphaB B][先手胜]", ["USTB", "AlphaB"]),
        ("#[乙:丙][甲][先手胜]", ["乙:丙", "甲"]),
    ] {
        assert_eq!(names(&read(&head(header)).unwrap()), players, "{header}");
    }
    // The header of a program of 2022, whose game blue won: red resigned after four plies.
    let open = head("#[红方:甲队][蓝方:乙队][红方先手][蓝方胜]").replace("5:1;(R1,E1)\n", "");
    assert_eq!(read(&open).unwrap().result, Some(Outcome::Win(Side::Second)));
}

#[test]
fn where_header_and_moves_disagree_the_moves_are_right_and_that_is_said() {
    // Blue has begun, and whoever filled in the form left it as it was.
    let text = GAME
        .replace("[first player R][second player B][先手胜]", "[first R][last B][]")
        .replace("1:5;(R5,B3)\n2:3;(B3,C2)", "1:3;(B3,C2)\n2:5;(R5,B3)");
    let ReadGame { game, assumed } = read_leniently(&text).unwrap();
    assert_eq!(game.start().side(), Side::Second);
    assert_eq!([&game.players[Side::First], &game.players[Side::Second]], ["first", "last"]);
    let warning =
        "line 1, column 1: the header says that R moves first, the moves that B does: assumed B";
    assert_eq!(assumed, [warning]);
    // Who "the first" is then remains open, a colour does not.
    let error = read_leniently(&text.replace("[]", "[先手胜]")).unwrap_err().to_string();
    assert!(error.contains("'先手胜' does not say who has won"), "{error}");
    let red = read_leniently(&text.replace("[]", "[红方胜]")).unwrap().game;
    assert_eq!(red.result, Some(Outcome::Win(Side::First)));
    let stated = GAME.replace("[first player R][second player B]", "[红:a][蓝:b][蓝方先手]");
    let stated = stated.replace("先手胜", "");
    assert_eq!(read_leniently(&stated).unwrap().assumed.len(), 1);
}

#[test]
fn moves_may_name_the_square_that_a_cube_leaves() {
    let squares = WON
        .replace("(R1,C3)", "(B4,C3)")
        .replace("(B4,B1)", "(C1,B1)")
        .replace("(R1,D2)", "(c3;d2)")
        .replace("(B4,A1)", "(B1-A1)")
        .replace("(R1,E1)", "(D2,E1)");
    assert_eq!(read(&squares), read(WON));
    // Without a header the first square shows who moves first.
    let blue = "R:A5-1;B5-2;C5-3;A4-4;B4-5;A3-6\nB:E3-6;D2-5;E2-4;C1-3;D1-2;E1-1\n1:3;(C1,C2)";
    let game = read(blue).unwrap();
    assert_eq!((game.start().side(), game.decisions().len()), (Side::Second, 1));
    let error = read_leniently(&squares.replace("(C1,B1)", "(C1,D1)")).unwrap_err().to_string();
    assert_eq!(
        error,
        "line 5, column 6: not a legal move, expected one of (C1,B1) (C1,C2) (C1,B2)"
    );
}

#[test]
fn several_records_in_one_text_are_read_one_after_the_other() {
    let bare = GAME.split_once('\n').unwrap().1;
    // A program that appends; `cat` of files that end without a line break; files with byte order marks;
    // records without headers.
    for (texts, lines) in [
        ([GAME, WON, GAME].concat(), [1, 6, 14]),
        ([GAME.trim_end(), WON.trim_end(), GAME].concat(), [1, 5, 12]),
        (["\u{feff}", GAME, "\u{feff}", WON, "\u{feff}", GAME].concat(), [1, 6, 14]),
        ([bare, WON, bare].concat(), [1, 5, 13]),
        ([GAME, WON, GAME].concat().replace("#[", "["), [1, 6, 14]),
        ([GAME, "\n\n", WON, "\n", GAME].concat(), [1, 8, 17]),
    ] {
        let pieces = (wtn().split)(&texts);
        let starts: Vec<usize> = pieces.iter().map(|(line, _)| *line).collect();
        assert_eq!(starts, lines, "{texts}");
        let games: Vec<_> =
            pieces.iter().map(|&(line, record)| (wtn().read)(record, line).unwrap().game).collect();
        assert_eq!(games[1], read(WON).unwrap());
        for game in [&games[0], &games[2]] {
            assert_eq!(game.decisions(), read(GAME).unwrap().decisions(), "{texts}");
        }
        // A mistake has its place in the whole text.
        let wrong = texts.replacen("(R1,C3)", "(R1,E1)", 1);
        let (line, record) = (wtn().split)(&wrong)[1];
        let error = (wtn().read)(record, line).unwrap_err().to_string();
        let place = 1 + wrong[..wrong.find("(R1,E1)").unwrap()].matches('\n').count();
        assert!(error.starts_with(&format!("line {place}, column 6: not a legal move")), "{error}");
    }
}

#[test]
fn mistakes_are_named_with_their_place() {
    for (from, to, message) in [
        ("[WTN]", "[WTN", "line 1, column 6: '[' found where ']' was expected"),
        (
            "先手胜",
            "平局",
            "line 1, column 41: '平局' does not say who has won, and the game is not over: expected 先手胜 or 后手胜",
        ),
        (
            "R][second player B",
            "R][second player R",
            "line 1, column 1: both players have the same colour",
        ),
        (
            "A5-1",
            "A6-1",
            "line 2, column 4: '6' found where the row of a square, 1-5, was expected",
        ),
        ("A5-1", "D4-1", "line 2, column 3: d4 is not in the corner of this side"),
        ("B5-2", "B5-1", "line 2, column 8: b5 or cube 1 is given twice"),
        ("B:E3", "R:E3", "line 3, column 1: R has a set-up already"),
        ("1:5;", "2:5;", "line 4, column 1: expected turn 1, as in 1:5;(R5,B3)"),
        ("1:5;", "1:7;", "line 4, column 3: '7' found where the die, 1-6, was expected"),
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
        ("R:A5", "X:A5", "line 2, column 1: 'X' found where the set-ups, R: and B:, was expected"),
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
    let mut game = Transcript::new(Einstein::default().setup(&mut random));
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
        game.event_info.event = names[2].clone();
        let text = (wtn().write)(&game).unwrap();
        let again = read(&text).unwrap();
        prop_assert_eq!((again.start(), again.decisions()), (game.start(), game.decisions()));
        prop_assert_eq!(again.result, game.result);
        prop_assert_eq!((wtn().write)(&again).unwrap(), text);
    }

    #[test]
    fn no_text_makes_the_reader_panic(
        text in ".{0,60}",
        (seed, place, character) in (0..50u64, any::<prop::sample::Index>(), any::<char>()),
        remove in any::<bool>(),
    ) {
        for text in [text.clone(), format!("#{text}"), format!("#[WTN][{text}]\nR:{text}")] {
            let error = (wtn().read)(&text, 1).map(|_| ()).unwrap_err().to_string();
            prop_assert!(error.starts_with("line ") && !error.contains('\n'), "{}", error);
        }
        let mut characters: Vec<char> = (wtn().write)(&random_game(seed, 30)).unwrap().chars().collect();
        let at = place.index(characters.len());
        if remove { characters.remove(at); } else { characters[at] = character; }
        let edited = String::from_iter(characters);
        if let Err(error) = (wtn().read)(&edited, 1) {
            let error = error.to_string();
            prop_assert!(error.starts_with("line ") && !error.contains('\n'), "{}", error);
        }
    }
}
