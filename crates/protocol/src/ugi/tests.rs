//! Lines are read as they are written, and wrong ones are refused.

use std::time::Duration;

use proptest::prelude::*;

use super::*;

fn command(line: &str) -> Command {
    line.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn refused(line: &str) -> String {
    line.parse::<Command>().unwrap_err().to_string()
}

#[test]
fn commands_are_read_as_they_are_written() {
    for line in [
        "ugi",
        "isready",
        "uginewgame",
        "setoption name Agent value star2:depth=4,eval=schwarz",
        "setoption name Move Overhead value 20",
        "setoption name Clear Hash",
        "position startpos",
        "position startpos moves @4 a4b4 @1",
        "position fen ABC2/DE3/F3f/3ed/2cba r 4 1",
        "position fen ABC2/DE3/F3f/3ed/2cba r - 1 moves @4 a4b4",
        "go p1time 1000 p2time 900 p1inc 10 p2inc 0",
        "go ponder p1time 1000 p2time 900 p1inc 10 p2inc 0",
        "go movetime 500",
        "go depth 3 nodes 5000",
        "go infinite",
        "ponderhit @PNB",
        "stop",
        "query p1turn",
        "query gameover",
        "query result",
        "quit",
    ] {
        assert_eq!(command(line).to_string(), line);
    }
}

#[test]
fn commands_mean_what_they_say() {
    let Command::Position(position) = command("\tposition  fen A4/5/5/5/4a r - 1  moves @4 a5b5 ")
    else {
        panic!("a position");
    };
    assert_eq!(position.start, Start::Text("A4/5/5/5/4a r - 1".to_owned()));
    assert_eq!(
        position.steps,
        [PositionWord::Roll("4".to_owned()), PositionWord::Move("a5b5".to_owned())]
    );
    let Command::Go(go) = command("go p2time 5 p1time -3 p2inc 7") else { panic!("go") };
    let ms = Duration::from_millis;
    let clock = GoClock { left: [ms(0), ms(5)], increment: [ms(0), ms(7)] };
    assert_eq!(go.clock, Some(clock));
}

#[test]
fn wrong_commands_are_refused_with_what_was_expected() {
    for (line, expected) in [
        ("", "'': expected ugi, isready"),
        ("hello", "'hello': expected ugi"),
        ("ugi now", "nothing after 'ugi'"),
        ("setoption Agent random", "'setoption name NAME value VALUE'"),
        ("setoption name value 3", "'setoption name NAME value VALUE'"),
        ("position", "'position startpos'"),
        ("position fen", "'position startpos'"),
        ("position startpos @4", "'position startpos'"),
        ("position startpos moves @", "a roll after every '@'"),
        ("go", "p1time, p2time"),
        ("go ponder", "p1time, p2time"),
        ("go depth", "a number after depth"),
        ("go nodes many", "a number after nodes"),
        ("go movetime soon", "a time in milliseconds after movetime"),
        ("go p1time 5", "both p1time and p2time"),
        ("go p1inc 5", "both p1time and p2time"),
        ("go infinite depth 3", "no limit beside infinite"),
        ("go fast", "p1time, p2time"),
        ("ponderhit 4", "'ponderhit @4'"),
        ("ponderhit @", "'ponderhit @4'"),
        ("query moves", "'p1turn', 'gameover' or 'result'"),
    ] {
        assert!(refused(line).contains(expected), "{line}: {}", refused(line));
    }
    let long = refused(&"x".repeat(100_000));
    assert!(long.chars().count() < 200 && !refused("a\u{7}b").contains('\u{7}'));
}

/// They were an error without a move, for which drivers of the public protocol wait for ever.
#[test]
fn limits_out_of_range_are_brought_into_it_and_unknown_words_are_ignored() {
    for (line, meant, note) in [
        ("go depth 0", "go depth 1", "'depth 0': expected a number from 1 to 64; it is taken as 1"),
        ("go depth 100", "go depth 64", "'depth 100': expected a number from 1 to 64"),
        ("go depth -1", "go depth 1", "it is taken as 1"),
        ("go nodes 0", "go nodes 1", "'nodes 0': expected a number from 1 to"),
        ("go nodes 99999999999999999999", "go nodes 18446744073709551615", "it is taken as 1844"),
        ("go movetime 99999999999999", "go movetime 1000000000000", "it is taken as 1000000000000"),
        ("go movetime 5 movestogo 20", "go movetime 5", "'movestogo 20': expected p1time, p2time"),
        ("go fast depth 3 now", "go depth 3", "'fast now': expected p1time"),
    ] {
        let (command, notes) = Command::read(line).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(command.to_string(), meant);
        let [note_text] = notes.try_into().unwrap_or_else(|notes| panic!("{line}: {notes:?}"));
        assert!(note_text.to_string().contains(note), "{line}: {note_text}");
    }
    // A clock that has run out causes no note.
    let (_, notes) = Command::read("go p1time -5 p2time 3000").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(notes, []);
    assert!(Command::means_go(" go depth soon") && !Command::means_go("gone"));
}

#[test]
fn replies_are_read_as_they_are_written() {
    for line in [
        "id name wurfel 0.1.0",
        "id author nobody",
        "option name Hash type spin default 16 min 1 max 4096",
        "option name Game type combo default einstein var einstein var dicechess",
        "option name Agent type string default <empty>",
        "option name Move Overhead type string default two words",
        "ugiok",
        "readyok",
        "info depth 4 time 12 nodes 9000 nps 750000 multipv 2 score cp -35 value 0.449813 exact \
         weight 2 pv a4b4 @1 e1e2",
        "info string a good move",
        "info string error: 'x': expected y",
        "bestmove a4b4",
        "bestmove 0000",
        "response true",
        "response p2win",
        "response none",
    ] {
        assert_eq!(line.parse::<Reply>().unwrap().to_string(), line);
    }
}

#[test]
fn an_engine_may_say_more_than_is_understood_but_not_two_moves() {
    let info =
        "info seldepth 9 score cp 12 lowerbound hashfull 10 nodes many time 3 string depth 7";
    let Reply::Info(info) = info.parse().unwrap() else { panic!("an info") };
    let time = Some(Duration::from_millis(3));
    assert_eq!(info, Info { cp: Some(12), time, ..Info::default() });
    for line in ["bestmove", "bestmove a4b4 e1e2", "response maybe", "hello", ""] {
        assert!(line.parse::<Reply>().is_err(), "{line}");
    }
}

/// A driver waited on for the move after such a line, and the engine lost on time.
#[test]
fn a_line_that_is_meant_as_a_best_move_is_known_as_such() {
    let ponders: Reply = "bestmove a4b4 ponder e1e2".parse().unwrap();
    assert_eq!(ponders, Reply::BestMove(Some("a4b4".to_owned())));
    for line in ["bestmove", " BestMove a4b4", "\u{feff}bestmove a4b4", "bestmove a4b4 e1e2"] {
        assert!(Reply::means_best_move(line), "{line}");
    }
    for line in ["", "bestmoves", "info string bestmove a4b4", "best move a4b4"] {
        assert!(!Reply::means_best_move(line), "{line}");
    }
}

#[test]
fn centipoints_are_elo_and_bounded() {
    let scores = [0.5, 10.0 / 11.0, 0.0, 1.0, f64::NAN].map(Info::centipoints);
    assert_eq!(scores, [0, 400, -10_000, 10_000, 0]);
}

proptest! {
    #[test]
    fn no_line_panics(line in "\\PC*", words in proptest::collection::vec(
        "(go|position|moves|fen|startpos|@|@4|value|name|option|type|spin|info|pv|-1|9{20}| )", 0..9)) {
        for line in [line, words.join(" ")] {
            if let Ok(command) = line.parse::<Command>() {
                prop_assert_eq!(command.to_string().parse::<Command>().unwrap(), command);
            }
            if let Ok(reply) = line.parse::<Reply>() {
                prop_assert_eq!(reply.to_string().parse::<Reply>().unwrap(), reply);
            }
        }
    }
}
