//! Tests of reading results.

use super::*;

const HEADER: &str = r#"{"format":"wurfel-games","version":1,"program":"wurfel","game":"einstein","agents":["A","B"],"pairs":5,"seed":1,"depth":null,"nodes":null,"time_us":null}"#;

fn game(pair: u64, game: u8, first: u8, result: &str) -> String {
    format!(
        r#"{{"pair":{pair},"game":{game},"first":{first},"start":"","moves":"@4 a5b4","result":"{result}","plies":9}}"#
    )
}

/// Results of files whose games are trusted, because they have no moves.
fn trusting() -> Results {
    Results::new(CheckLevel::Trusted, 1)
}

/// A file of these lines.
fn file(header: &str, lines: &[String]) -> String {
    [&[header.to_owned()], lines].concat().join("\n") + "\n"
}

fn read(lines: &[String]) -> Result<Results, ResultsError> {
    let mut results = trusting();
    results.add(file(HEADER, lines).as_bytes()).map(|_| results)
}

/// The same by [`read_pairs`], which reads files in order.
fn read_in_order(lines: &[String]) -> Result<ReadPairs, ResultsError> {
    read_pairs(file(HEADER, lines).as_bytes(), CheckLevel::Trusted, 1, |_, _| true)
}

#[test]
fn pairs_and_single_games_are_counted_for_the_first_agent() {
    let lines = [
        game(0, 0, 0, "1-0"),
        game(0, 1, 1, "0-1"),
        game(1, 0, 0, "0-1"),
        game(1, 1, 1, "1/2-1/2"),
        // One game has no partner, and one is not over.
        game(2, 0, 1, "1-0"),
        game(3, 0, 0, "*"),
        game(4, 0, 0, "1-0"),
    ];
    let results = read(&lines).unwrap();
    assert_eq!(results.labels(), ["A", "B"]);
    let wanted = Encounter { players: [0, 1], pairs: [0, 1, 0, 0, 1], singles: [1, 0, 1] };
    assert_eq!(results.encounters, [wanted]);
    assert_eq!(format!("{:?}", wanted.points()), "[3.5, 2.5]");
}

#[test]
fn files_add_up_whoever_is_named_first() {
    let mut results = read(&[game(0, 0, 0, "1-0"), game(0, 1, 1, "0-1")]).unwrap();
    let turned = HEADER.replace(r#"["A","B"]"#, r#"["B","A"]"#);
    let text = [turned, game(0, 0, 0, "1-0"), game(0, 1, 1, "0-1")].join("\n");
    results.add(text.as_bytes()).unwrap();
    assert_eq!(results.encounters[0].pairs, [1, 0, 0, 0, 1]);
    let tournament = format!(r#"{{"agents":["C","A"],"first":{HEADER}}}"#)
        + "\n"
        + r#"{"agents":[0,1],"score":{"wins":3,"draws":0,"losses":1,"pairs":[0,0,1,0,1]},"more":1}"#
        + "\n{\"agents\":[0,1],\"sco";
    results.add(tournament.as_bytes()).unwrap();
    assert_eq!(results.labels(), ["A", "B", "C"]);
    assert_eq!(results.encounters[1].players, [0, 2]);
    assert_eq!(results.encounters[1].pairs, [1, 0, 1, 0, 0]);
}

/// Games that counted twice made the errors of ratings smaller than they are.
#[test]
fn a_game_that_was_added_before_is_refused() {
    let games = [game(0, 0, 0, "1-0"), game(0, 1, 1, "0-1")];
    let mut results = read(&games).unwrap();
    let before = results.encounters.clone();
    let again = results.add(file(HEADER, &games).as_bytes()).unwrap_err().to_string();
    assert!(again.contains("line 2, column 1: the same game was read before"), "{again}");
    assert_eq!(results.encounters, before);
    // A longer match with the same seed begins with the same games.
    let longer = HEADER.replace(r#""pairs":5"#, r#""pairs":9"#);
    results.add(file(&longer, &games).as_bytes()).unwrap_err();
    // With another seed, or when agents that think by the clock moved otherwise, it is another
    // game.
    let other = HEADER.replace(r#""seed":1"#, r#""seed":2"#);
    results.add(file(&other, &games).as_bytes()).unwrap();
    let moved = games.map(|game| game.replace("a5b4", "a5a4"));
    results.add(file(HEADER, &moved).as_bytes()).unwrap();
}

/// In these files games end in any order, and some have no partner.
#[test]
fn tournaments_of_any_format_are_read() {
    let head = r#"{"format":"wurfel-tournament","version":1,"program":"wurfel","tournament":{"game":"einstein","format":"swiss","participant":[{"name":"One","agent":"greedy"},{"name":"Two","agent":"greedy"},{"name":"B","agent":"random"}]}}"#;
    let line = |round: u32, players: [usize; 2], game: &str| {
        format!(r#"{{"number":7,"round":{round},"players":{players:?},"mean_ms":[0.1,0.2],"#)
            + &game[1..]
    };
    let lines = [
        head.to_owned(),
        r#"{"setups":[[null,null],["S123456",null],[null,null]]}"#.to_owned(),
        line(1, [0, 1], &game(0, 0, 0, "1-0")),
        line(1, [2, 0], &game(0, 0, 0, "1-0")),
        line(2, [0, 1], &game(0, 1, 1, "0-1")),
        line(1, [2, 0], &game(0, 1, 1, "1-0")),
        line(1, [0, 1], &game(0, 1, 1, "0-1")),
    ];
    let mut results = read(&[]).unwrap();
    results.add(lines.join("\n").as_bytes()).unwrap();
    let labels = results.labels();
    assert_eq!(labels, ["A", "B (B)", "One", "Two", "B (random)"]);
    let of = |players: [usize; 2]| {
        let own = results.encounters.iter().find(|encounter| encounter.players == players);
        own.map(|encounter| (encounter.pairs, encounter.singles)).unwrap()
    };
    assert_eq!(of([2, 3]), ([0, 0, 0, 0, 1], [0, 0, 1]));
    assert_eq!(of([2, 4]), ([0, 0, 1, 0, 0], [0, 0, 0]));
    let wrong = [lines[0].clone(), lines[2].replace("[0, 1]", "[0, 9]") + "\n"].join("\n");
    let error = trusting().add(wrong.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("line 2") && error.contains("below 3"), "{error}");
}

#[test]
fn pairs_are_read_in_order_until_the_caller_stops() {
    let lines = [
        HEADER.to_owned(),
        game(0, 0, 0, "1-0"),
        game(0, 1, 1, "0-1"),
        game(1, 0, 0, "0-1"),
        game(2, 0, 1, "1-0"),
        game(2, 1, 0, "1-0"),
        game(3, 0, 0, "nonsense"),
    ];
    let mut seen = vec![];
    let read = read_pairs(lines.join("\n").as_bytes(), CheckLevel::Trusted, 1, |halves, _| {
        seen.push(halves);
        seen.len() < 2
    });
    let agents = ["A", "B"].map(str::to_owned);
    let wanted = ReadPairs { game: "einstein".to_owned(), agents, missing: None };
    assert_eq!(read.unwrap(), wanted);
    assert_eq!(seen, [[2, 2], [0, 2]]);
}

/// Each of these was once accepted as a game, or as a mirrored pair.
#[test]
fn games_that_no_match_can_have_are_refused() {
    let other = |line: &str, from: &str, to: &str| {
        assert!(line.contains(from), "{line}");
        line.replace(from, to)
    };
    let [one, two] = [game(0, 0, 0, "1-0"), game(0, 1, 1, "0-1")];
    let moved = other(&two, "a5b4", "a5a4");
    for (lines, expected) in [
        (vec![game(0, 0, 2, "1-0")], "line 2, column 1: first 2: expected 0 or 1"),
        (vec![game(0, 5, 0, "1-0")], "line 2, column 1: game 5: expected 0 or 1"),
        (
            vec![game(7, 0, 0, "1-0")],
            "line 2, column 1: pair 7: expected a number below 5, the pairs of the header",
        ),
        (
            vec![one.clone(), other(&moved, "\"first\":1", "\"first\":0")],
            "line 3, column 1: first 0 in both games of pair 0: expected exchanged sides",
        ),
        (
            vec![one.clone(), other(&two, "\"start\":\"\"", "\"start\":\"here\"")],
            "line 3, column 1: start 'here': expected '' as in game 0 of pair 0",
        ),
        (
            vec![one.clone(), other(&two, "@4", "@5")],
            "line 3, column 1: first roll 5: expected 4 as in game 0 of pair 0",
        ),
    ] {
        for error in [read(&lines).unwrap_err(), read_in_order(&lines).unwrap_err()] {
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
    let twice = [one.clone(), other(&one, "a5b4", "a5a4")];
    let error = read(&twice).unwrap_err().to_string();
    assert!(error.contains("game 0 of pair 0 after its game 0: expected games 0 and"), "{error}");
    for lines in [&twice[..], &[one.clone(), two, one]] {
        let error = read_in_order(lines).unwrap_err().to_string();
        assert!(error.contains("game 0 of pair 0: expected each game once, in order"), "{error}");
    }
}

/// Set-ups that agents choose differ between the games of a pair, and the records of an agent
/// that plays against itself do not show which of the two had which side.
#[test]
fn pairs_differ_where_they_may() {
    let [one, two] = [game(0, 0, 0, "1-0"), game(0, 1, 0, "0-1")];
    let header = HEADER.replace(r#"["A","B"]"#, r#"["A","A"]"#);
    let text = [header, one.clone(), two].join("\n");
    assert!(read_pairs(text.as_bytes(), CheckLevel::Trusted, 1, |_, _| true).is_ok());
    let two = game(0, 1, 1, "0-1").replace("\"start\":\"\"", "\"start\":\"here\"");
    let header = HEADER.replace(r#""seed""#, r#""setups":"chosen","seed""#);
    let text = [header, one, two].join("\n");
    assert!(read_pairs(text.as_bytes(), CheckLevel::Trusted, 1, |_, _| true).is_ok());
}

/// An engine lost half of its games because it failed to start, and was rated by them.
#[test]
fn games_lost_by_a_fault_can_be_left_out() {
    let fault = |line: String| line.replace("\"plies\"", "\"fault\":[0,\"crash\"],\"plies\"");
    let lines = [
        game(0, 0, 0, "1-0"),
        game(0, 1, 1, "0-1"),
        fault(game(1, 0, 0, "0-1")),
        game(1, 1, 1, "0-1"),
        fault(game(2, 0, 0, "0-1")),
        fault(game(2, 1, 1, "1-0")),
    ];
    let of = |header: &str, lines: &[String], skips_faults: bool| {
        let mut results = Results { skips_faults, ..Results::new(CheckLevel::Trusted, 1) };
        let text = [&[header.to_owned()], lines].concat().join("\n");
        results.add(text.as_bytes()).unwrap();
        let [encounter] = results.encounters[..] else { panic!("two players") };
        (encounter.pairs, encounter.singles, results.lost_by_fault)
    };
    let counted = ([1, 0, 1, 0, 1], [0, 0, 0], 3);
    let skipped = ([0, 0, 0, 0, 1], [0, 0, 1], 3);
    assert_eq!([false, true].map(|skips| of(HEADER, &lines, skips)), [counted, skipped]);
    let head = r#"{"format":"wurfel-tournament","version":1,"program":"wurfel","tournament":{"game":"einstein","format":"round-robin","participant":[{"name":"A","agent":"greedy"},{"name":"B","agent":"random"}]}}"#;
    let lines = lines.map(|line| [r#"{"round":1,"players":[0,1],"#, &line[1..]].concat());
    assert_eq!([false, true].map(|skips| of(head, &lines, skips)), [counted, skipped]);
}

#[test]
fn a_header_with_three_agents_is_refused() {
    let header = HEADER.replace(r#"["A","B"]"#, r#"["A","B","C"]"#) + "\n";
    let error = trusting().add(header.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("line 1, column 1") && error.contains("3 agents: expected two"));
}

/// A truncated file was used as a smaller match, without a warning.
#[test]
fn missing_games_of_a_file_are_reported() {
    let missing = |header: &str, games: &[String], end: &str| {
        let text = [&[header.to_owned()], games].concat().join("\n") + end;
        trusting().add(text.as_bytes()).unwrap().map(|missing| missing.to_string())
    };
    let games: Vec<String> =
        (0..10).map(|n| game(n / 2, (n % 2) as u8, (n % 2) as u8, "1-0")).collect();
    assert_eq!(missing(HEADER, &games, "\n"), None);
    for (count, end) in [(4, "\n"), (9, "\n"), (0, "\n"), (1, "\n"), (9, "\n{\"pair\":4,\"ga")] {
        let expected = format!("{count} of 10 games");
        assert_eq!(missing(HEADER, &games[..count], end), Some(expected), "{end}");
    }
    assert_eq!(missing(HEADER, &games, "\n{").unwrap(), "its last line is not complete");
    // A test ends when it is decided, and games outside mirrored pairs have a number each.
    let tested = HEADER.replace(
        r#""depth""#,
        r#""sprt":{"elo0":0,"elo1":5,"alpha":0.05,"beta":0.05,"model":"logistic","luck":false},"depth""#,
    );
    assert_eq!(missing(&tested, &games[..4], "\n"), None);
    let singles: Vec<String> = (0..5).map(|pair| game(pair, 0, 0, "1-0")).collect();
    assert_eq!(missing(HEADER, &singles, "\n"), None);
    assert_eq!(missing(HEADER, &singles[..3], "\n").unwrap(), "3 of 5 games");
    let mixed = [&games[..4], &singles[2..3], &games[6..]].concat();
    assert_eq!(missing(HEADER, &mixed, "\n"), None);
    let pairing = r#"{"agents":[0,1],"score":{"wins":9,"draws":0,"losses":1,"pairs":[0,0,1,0,4]}}"#;
    let table = format!(r#"{{"agents":["A","B","C"],"first":{HEADER}}}"#);
    assert_eq!(missing(&table, &[pairing.to_owned()], "\n").unwrap(), "10 of 30 games");
}

#[test]
fn mistakes_are_reported_with_their_line() {
    for (lines, expected) in [
        (vec![game(0, 0, 0, "2-0")], "line 2"),
        (vec![game(0, 0, 0, "1-0"), "{".to_owned()], "line 3"),
    ] {
        let error = read(&lines).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let mut results = trusting();
    for text in ["", "S654321 S123456 @3 a4b4\n", "{}\n"] {
        let error = results.add(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("expected the file of a match or a tournament"), "{error}");
    }
    let mut results = read(&[]).unwrap();
    let other = HEADER.replace("einstein", "dicechess");
    let error = results.add(other.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("expected games of einstein, as before, found dicechess"), "{error}");
    let split = HEADER.replace("einstein", r"ein\nstein");
    let error = trusting().add(split.as_bytes()).unwrap_err().to_string();
    assert!(error.contains(r#"game "ein\nstein": expected a text on one line"#), "{error}");
}
