//! Files of games in every form: what is written is read back the same, and no content makes a reader panic.

use proptest::prelude::*;
use serde_json::{Value, json};
use wurfel_arena::{
    CheckLevel, GameStream, LostDetails, Match, MatchHeader, Output, RecordWriter, RecordedGame,
    game_of, move_list_of, read_games, read_pairs, write_records,
};
use wurfel_core::{BySide, Game, Outcome, Side, decode, encode_gbk};
use wurfel_games::einstein::Einstein;

/// The records of a short match.
fn records() -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let specs = ["greedy", "random"].map(|spec| spec.parse().unwrap());
    let arranged = Match::new(&Einstein::default(), specs, 3, 1).unwrap();
    let output = Output::open(&path, &arranged.header(), false).unwrap();
    arranged.run(1, Some(output), &mut |_| {}).unwrap();
    std::fs::read_to_string(path).unwrap()
}

fn read(text: &str) -> Result<Vec<RecordedGame<Einstein>>, String> {
    read_games(&Einstein::default(), text).map_err(|error| error.to_string())
}

#[test]
fn the_records_of_a_match_are_read_and_written_again() {
    let text = records();
    assert_eq!(game_of(&text).unwrap().as_deref(), Some("einstein"));
    let games = read(&text).unwrap();
    assert_eq!(games.len(), 6);
    assert_eq!(
        games.iter().map(|recorded_game| recorded_game.pair).collect::<Vec<_>>(),
        [0, 0, 1, 1, 2, 2].map(Some)
    );
    assert_eq!(games[0].game.players[Side::First], "greedy");
    assert_eq!(games[1].game.players[Side::First], "random");
    assert!(
        games
            .iter()
            .all(|recorded_game| recorded_game.game.result == recorded_game.game.now().outcome())
    );
    // All lines except the header are written again byte for byte.
    let again = write_records(&games).unwrap();
    assert!(again.lines().skip(1).eq(text.lines().skip(1)));
}

/// A game of two moves with comments and variations, one of them within the other.
const NOTED: &str = r#"{"format":"wurfel-games","version":1,"program":"","game":"einstein","agents":["Ada","Blaise"],"pairs":1,"seed":0}
{"pair":0,"game":0,"first":0,"start":"ABC2/DE3/F3f/3ed/2cba r - 1","moves":"@4 a4b4 @1 e1e2","result":"*","plies":2,"comments":[{"after":0,"text":"A quiet start"},{"after":2,"text":"Two\nlines <b>and</b> a \"quote\""}],"variations":[{"after":0,"moves":"@4 a4b3 @2 d1c2","comments":[{"after":1,"text":"Bolder"}],"variations":[{"after":1,"moves":"@5 d2c3"}]},{"after":2,"moves":"@6 a3b3"}]}
"#;

#[test]
fn comments_and_variations_are_written_again_and_their_loss_is_reported() {
    let games = read(NOTED).unwrap();
    assert_eq!(games[0].notes.variations[0].variations[0].moves, "@5 d2c3");
    let again = write_records(&games).unwrap();
    assert_eq!(again.lines().nth(1), NOTED.lines().nth(1));
    let list = read(&move_list_of(&games[0].game)).unwrap();
    let mut losses = LostDetails::default();
    losses.add(&games[0], &list[0]);
    assert!(
        losses.to_string().ends_with("the comments (1 game), the variations (1 game)"),
        "{losses}"
    );
}

#[test]
fn notes_that_belong_nowhere_are_refused() {
    for (right, wrong, said) in [
        (r#"{"after":2,"text"#, r#"{"after":3,"text"#, "comment after 3 moves: expected at most 2"),
        ("A quiet", r"A\u001b[2J", "expected no control characters"),
        (
            r#""after":2,"moves""#,
            r#""after":3,"moves""#,
            "variation after 3 moves: expected at most 2",
        ),
        ("@5 d2c3", "@3 e1e2", "variation after 1 moves"),
        ("@5 d2c3", "d2c3", "a roll, as in @4"),
        ("@5 d2c3", "@5 d2c3 @1", "a move after it"),
        ("@6 a3b3", "", "a move after it"),
    ] {
        assert!(NOTED.contains(right), "{right}");
        let error = read(&NOTED.replace(right, wrong)).unwrap_err();
        assert!(error.contains(said), "{wrong}: {error}");
    }
}

/// Games of a real tournament had become mirrored pairs, and a test of strength used them.
#[test]
fn games_without_pairs_stand_alone() {
    let lists = read("@4 a4b4 0-1\n\n@4 a4b4 1-0\n\n@4 a4b4 1-0\n").unwrap();
    let games: Vec<RecordedGame<Einstein>> = [&lists[..], &read(&records()).unwrap()[..2]].concat();
    let named = games.into_iter().map(|mut recorded_game| {
        if recorded_game.pair.is_none() {
            recorded_game.game.players = BySide::new("greedy".to_owned(), "random".to_owned());
        }
        recorded_game
    });
    let text = write_records(&named.collect::<Vec<_>>()).unwrap();
    let slots: Vec<(Value, Value)> = text
        .lines()
        .skip(1)
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            (line["pair"].clone(), line["game"].clone())
        })
        .collect();
    let expected =
        [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1)].map(|(pair, game)| (json!(pair), json!(game)));
    assert_eq!(slots, expected);
    assert!(text.starts_with("{\"format\"") && text.contains("\"pairs\":4,"), "{text}");
    let mut pairs = 0;
    read_pairs(text.as_bytes(), CheckLevel::Trusted, 1, |_, _| {
        pairs += 1;
        true
    })
    .unwrap();
    assert_eq!(pairs, 1);
}

#[test]
fn move_lists_begin_with_a_position_a_set_up_or_nothing() {
    let games =
        read("@4 a4b4 @1\ne1e2\n\nS654321 @3 a4b4\n\n\nS654321 S123456 @3 a4b4 0-1\n").unwrap();
    let starts: Vec<String> =
        games.iter().map(|recorded_game| recorded_game.game.start().to_string()).collect();
    assert_eq!(
        starts,
        [
            "ABC2/DE3/F3f/3ed/2cba r - 1",
            "FED2/CB3/A3a/3bc/2def r - 1",
            "FED2/CB3/A3f/3ed/2cba r - 1"
        ]
    );
    assert_eq!(games[0].game.decisions().len(), 2);
    assert_eq!(games[2].game.result, Some(Outcome::Win(Side::Second)));
    // A position with a roll is followed by its move.
    let games = read("5/5/2C2/5/2cba r 4 1 c3d3 @2 d1d2 *").unwrap();
    assert_eq!(games[0].game.now().to_string(), "5/5/3C1/3b1/2c1a r - 3");
    for recorded_game in read(&records()).unwrap() {
        let again = &read(&move_list_of(&recorded_game.game)).unwrap()[0].game;
        assert_eq!(again.decisions(), recorded_game.game.decisions());
        assert_eq!(again.result, recorded_game.game.result);
    }
}

#[test]
fn files_of_chinese_programs_are_read() {
    let text = "#[红队 R][蓝队 B][后手胜][][];\nR:A5-1;B5-2;C5-3;A4-4;B4-5;A3-6\n\
        B:E3-6;D2-5;E2-4;C1-3;D1-2;E1-1\n1:5;(R5,B3)\n";
    let gbk = encode_gbk(text).unwrap();
    assert!(std::str::from_utf8(&gbk).is_err());
    let marked = ["\u{feff}", text].concat();
    for bytes in [text.as_bytes(), &gbk, marked.as_bytes()] {
        let games = read(&decode(bytes).unwrap()).unwrap();
        assert_eq!(games[0].game.players[Side::Second], "蓝队");
        assert_eq!(games[0].game.result, Some(Outcome::Win(Side::Second)));
    }
    let error = decode(b"@4 a4b4\n@1 \xff\xff").unwrap_err().to_string();
    assert_eq!(error, "line 2, column 4: expected text in UTF-8, UTF-16 or GBK");
}

#[test]
fn mistakes_are_named_with_their_place() {
    let records = records();
    let header = records.lines().next().unwrap();
    let game = records.lines().nth(1).unwrap();
    let with = |from: &str, to: &str| format!("{header}\n{}\n", game.replacen(from, to, 1));
    for (text, message) in [
        (String::new(), "line 1, column 1: expected a game, found none"),
        ("@4 a4b4\n@7 e1e2".into(), "line 2, column 1: die '7': expected a number 1-6"),
        (
            "@4 a4b4\n@1 c3c2".into(),
            "line 2, column 4: move 'c3c2': expected one of e1d1 e1e2 e1d2",
        ),
        ("@4 a4b4 e1e2".into(), "line 1, column 9: move 'e1e2': expected a roll, as in @4"),
        ("@4 @4".into(), "line 1, column 4: move '@4': expected a move after the roll"),
        ("@4 a4b4 @1".into(), "line 1, column 9: roll '1': expected a move after it"),
        (
            "nonsense @4".into(),
            "line 1, column 1: position 'nonsense': character 1 is 'n', expected A-F (red), a-f \
             (blue) or a number of empty squares on square 1 of row 5, or a set-up such as S",
        ),
        (
            "5/5/4a/4A/5 r 1 1 e2e1 @1 e3e2".into(),
            "line 1, column 24: roll '1': expected nothing more: the game is over",
        ),
        (
            "5/5/4a/4A/5 r 1 1 e2e1 0-1".into(),
            "line 1, column 24: result '0-1': expected 1-0, as the game ended",
        ),
        ("{}".into(), "line 1, column 2: expected a header of wurfel-games: missing field"),
        (
            records.replace("\"version\":1", "\"version\":2"),
            "line 1, column 1: expected version 1, found 2",
        ),
        (
            records.replace("wurfel-games", "chess"),
            "line 1, column 1: expected format wurfel-games",
        ),
        (
            records.replace("\"einstein\"", "\"einstein-nearest\""),
            "line 1, column 1: expected games of einstein, found einstein-nearest",
        ),
        (with("@", "@0"), "line 2, column 1: die '0"),
        (with("\"result\":\"", "\"result\":\"x"), "line 2, column 1: result 'x"),
        (format!("{header}\n{}", &game[..40]), "line 2, column 40: EOF while parsing"),
        (
            with("\"moves\":\"", "\"moves\":\"a5b4 "),
            "line 2, column 1: move 'a5b4': expected a roll",
        ),
    ] {
        let error = read(&text).unwrap_err();
        assert!(error.starts_with(message), "{error}\nis not\n{message}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_a_reader_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..60),
        text in "[-@0-9a-eA-Fr/S \n*#{}\"\\[\\]]{0,60}",
        words in prop::collection::vec("@[0-7]|[a-e][1-5][a-e][1-5]|S[1-6]{5,7}|1-0|\\*|\n\n|r", 0..9),
    ) {
        if let Ok(text) = decode(&bytes) {
            check(&text)?;
        }
        check(&text)?;
        check(&words.join(" "))?;
    }

    #[test]
    fn no_slip_of_the_fingers_makes_a_reader_panic(
        place in any::<prop::sample::Index>(),
        sign in any::<char>(),
        remove in any::<bool>(),
    ) {
        static RECORDS: std::sync::LazyLock<String> = std::sync::LazyLock::new(records);
        let lists = || read(&RECORDS).unwrap().iter().map(|recorded_game| move_list_of(&recorded_game.game)).collect::<Vec<_>>();
        for text in [RECORDS.clone(), lists().join("\n\n")] {
            let mut signs: Vec<char> = text.chars().collect();
            let at = place.index(signs.len());
            if remove { signs.remove(at); } else { signs[at] = sign; }
            check(&String::from_iter(signs))?;
        }
    }
}

/// A mistake is reported on one line. The part that could be read is legal and is written again the same.
fn check(text: &str) -> Result<(), TestCaseError> {
    let _ = game_of(text);
    match read(text) {
        Err(error) => {
            prop_assert!(error.starts_with("line ") && !error.contains('\n'), "{}", error);
        }
        Ok(games) => {
            for recorded_game in games {
                let again = read(&move_list_of(&recorded_game.game)).unwrap();
                prop_assert_eq!(again[0].game.decisions(), recorded_game.game.decisions());
            }
        }
    }
    Ok(())
}

/// These games were read, and their players were made up.
#[test]
fn games_whose_numbers_cannot_be_are_refused_with_their_line() {
    let text = records();
    let refused = |from: &str, to: &str| {
        let header = text.lines().next().unwrap();
        let first = text.lines().nth(1).unwrap();
        assert!(first.contains(from), "{first}");
        let text = [header, &first.replacen(from, to, 1)].join("\n");
        read(&text).unwrap_err()
    };
    let at_line_2 = |what: &str| format!("line 2, column 1: {what}");
    for number in [2, 7] {
        let error = refused("\"first\":0", &format!("\"first\":{number}"));
        assert_eq!(error, at_line_2(&format!("first {number}: expected 0 or 1")));
    }
    assert_eq!(refused("\"game\":0", "\"game\":5"), at_line_2("game 5: expected 0 or 1"));
    let error = refused("\"pair\":0", "\"pair\":7");
    assert_eq!(error, at_line_2("pair 7: expected a number below 3, the pairs of the header"));
    let error = refused("\"plies\":", "\"plies\":9");
    assert!(error.contains("plies 9") && error.ends_with(", as the moves have it"), "{error}");
    let error = refused("\"plies\":", "\"fault\":[2,\"crash\"],\"plies\":");
    assert_eq!(error, at_line_2("fault of player 2: expected 0 or 1"));
    let three = text.replacen("[\"greedy\",", "[\"greedy\",\"greedy\",", 1);
    assert!(read(&three).unwrap_err().contains("3 agents: expected two"));
}

/// The header of a text, read from the stream that it is.
fn header_of(text: &str) -> Option<MatchHeader> {
    GameStream::open(text.as_bytes()).unwrap().header().cloned()
}

fn rewritten(games: &[RecordedGame<Einstein>], header: &MatchHeader) -> String {
    let mut writer = RecordWriter::again(header);
    let lines =
        games.iter().map(|recorded_game| writer.line(recorded_game).unwrap()).collect::<String>();
    writer.header() + &lines
}

/// The header lost its seed, so that nobody could play the match again.
#[test]
fn a_file_that_is_written_again_keeps_its_header_and_the_numbers_of_its_pairs() {
    let text = records();
    let header = header_of(&text).unwrap();
    let games = read(&text).unwrap();
    assert_eq!(rewritten(&games, &header), text);
    let last = rewritten(&games[4..], &header);
    assert!(last.lines().skip(1).eq(text.lines().skip(5)), "{last}");
    assert_eq!(header_of("@4 a4b4 0-1"), None);
    // An agent that plays against itself: the games do not show who had which side.
    let alike = text.replace("\"random\"", "\"greedy\"");
    let header = header_of(&alike).unwrap();
    assert_eq!(rewritten(&read(&alike).unwrap(), &header), alike);
}
