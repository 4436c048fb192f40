//! The engine, driven line by line as another program drives it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::program::{command, ended, has_worked, wurfel_with};
use serde_json::Value;
use wurfel_core::{Game, Outcome, Random, Side};
use wurfel_games::dicechess::DiceChess3;
use wurfel_games::einstein::Einstein;

/// An engine that runs, and is killed when it is dropped.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn new(args: &[&str]) -> Self {
        Self::of(command(&[&["engine"], args].concat()))
    }

    fn of(mut command: Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("an engine");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output }
    }

    fn say(&mut self, line: impl AsRef<[u8]>) {
        let line = [line.as_ref(), b"\n"].concat();
        self.input.as_mut().expect("an open input").write_all(&line).expect("the engine reads");
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("UTF-8");
        assert!(line.ends_with('\n'), "the engine ended: '{line}'");
        line.trim_end().to_owned()
    }

    /// All lines up to the first one that begins with `word`.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = vec![];
        loop {
            lines.push(self.hear());
            if lines.last().is_some_and(|line| line.starts_with(word)) {
                return lines;
            }
        }
    }

    /// The only answer.
    fn ask(&mut self, line: &str) -> String {
        self.say(line);
        self.hear()
    }

    /// The move of `go`.
    fn best(&mut self, go: &str) -> String {
        self.say(go);
        let last = self.until("bestmove").pop().unwrap_or_default();
        match last.split(' ').collect::<Vec<_>>()[..] {
            ["bestmove", mv] => mv.to_owned(),
            _ => panic!("{last}"),
        }
    }

    /// Closes the input and returns the exit code.
    fn ended(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().expect("the engine ends").code()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_introduces_itself_and_every_option_can_be_set_to_its_default() {
    let mut engine = Engine::new(&[]);
    engine.say("ugi");
    let lines = engine.until("ugiok");
    assert!(lines[0].starts_with("id name wurfel") && lines[1].starts_with("id author"));
    let options: Vec<&String> = lines.iter().filter(|line| line.starts_with("option ")).collect();
    assert_eq!(options.len(), 9);
    for option in options {
        let (name, rest) = option["option name ".len()..].split_once(" type ").unwrap();
        let default = rest.split(" default ").nth(1).unwrap();
        let default = default.split(" min ").next().unwrap().split(" var ").next().unwrap();
        engine.say(format!("setoption name {name} value {default}"));
        assert_eq!(engine.ask("isready"), "readyok", "{option}");
    }
    engine.say("quit");
    assert_eq!(engine.ended(), Some(0));
}

#[test]
fn the_conversations_of_the_documents_take_place() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/protocol.md");
    let page = std::fs::read_to_string(page).unwrap();
    let talks: Vec<&str> = page.split("```text\n").skip(1).collect();
    let json = ["--protocol", "json", "--threads", "1"];
    let engines = [&[][..], &["--protocol", "course"], &json];
    assert_eq!(talks.len(), engines.len());
    for (talk, args) in talks.into_iter().zip(engines) {
        let mut engine = Engine::new(args);
        for line in talk.split("```").next().unwrap().lines() {
            match line.split_at(2) {
                ("> ", line) => engine.say(line),
                ("< ", line) => assert_eq!(untimed(&engine.hear()), untimed(line)),
                _ => panic!("{line}"),
            }
        }
        assert_eq!(engine.ended(), Some(0));
    }
}

/// A line without the figures that depend on the machine.
fn untimed(line: &str) -> String {
    if let Ok(mut answer) = serde_json::from_str::<Value>(line) {
        if answer.get("time").is_some() {
            answer["time"] = Value::Null;
        }
        return answer.to_string();
    }
    let mut words: Vec<&str> = line.split(' ').collect();
    for at in 1..words.len() {
        if matches!(words[at - 1], "time" | "nps") {
            words[at] = "?";
        }
    }
    words.join(" ")
}

#[test]
fn what_is_wrong_is_told_and_changes_nothing() {
    let mut engine = Engine::new(&["star2:depth=2"]);
    engine.say("position startpos moves @4");
    let best = engine.best("go depth 2");
    for (line, message) in [
        ("hello", "expected ugi, isready"),
        ("position startpos moves @4 a1a1", "move 'a1a1': expected one of"),
        ("position startpos moves @9", "die '9'"),
        ("position fen nonsense", "position 'nonsense'"),
        ("setoption name Agent value star3", "unknown agent 'star3'"),
        ("setoption name Agent value star2:depth=0", "expected"),
        ("setoption name Agent value cmd:\"touch x\"", "a driver cannot start programs"),
        ("setoption name Game value chess", "unknown game 'chess'"),
        ("setoption name Game value dicechess3x", "unknown game 'dicechess3x'"),
        ("setoption name Hash value 0", "from 1 to 4096"),
        ("setoption name Colour value red", "unknown option 'Colour'"),
        ("ponderhit @4", "ponderhit: expected a search that ponders"),
        (&"x".repeat(70_000), "a line of at most 65536 bytes"),
    ] {
        let answer = engine.ask(line);
        assert!(answer.starts_with("info string error: ") && answer.contains(message), "{answer}");
        assert_eq!(engine.best("go depth 2"), best);
    }
    engine.say(b"\xff\xfe\x00");
    assert!(engine.hear().starts_with("info string error: '\u{fffd}\u{fffd}"));
    engine.say("\n\n  \r\nstop");
    assert_eq!(engine.best("go depth 2"), best);
}

#[test]
fn a_search_without_a_turn_is_refused_or_reports_on_all_rolls() {
    let mut engine = Engine::new(&["star2"]);
    engine.say("position startpos");
    engine.say("go movetime 5");
    assert!(engine.hear().contains("expected a roll after the last move"));
    assert_eq!(engine.hear(), "bestmove 0000");
    engine.say("go depth 2");
    let report = engine.until("bestmove");
    let rolls: Vec<&String> = report.iter().filter(|line| line.contains(" weight 1 ")).collect();
    assert_eq!((rolls.len(), report.len()), (6, 8), "{report:?}");
    assert!(rolls[5].contains(" pv @6 ") && !report[6].contains(" pv "));
    assert_eq!(report[7], "bestmove 0000");
    engine.say("position fen 4A/5/5/5/a4 r");
    engine.say("go depth 2");
    let over = engine.until("bestmove");
    engine.say("query gameover");
    assert_eq!(engine.hear(), "response false");
    assert_eq!(over.last().unwrap(), "bestmove 0000");
    engine.say("position fen 5/5/5/5/a3A r");
    assert_eq!(engine.ask("query result"), "response p1win");
    assert_eq!(engine.ask("query gameover"), "response true");
    assert!(engine.ask("go depth 2").contains("before the end of the game"));
    assert_eq!(engine.hear(), "bestmove 0000");
}

#[test]
fn it_listens_while_it_thinks() {
    let mut engine = Engine::new(&["star2"]);
    engine.say("position startpos moves @4");
    engine.say("go infinite");
    // A search without a limit can have ended only because it was stopped.
    for _ in 0..3 {
        engine.say("isready");
        engine.until("readyok");
    }
    engine.say("stop");
    engine.until("bestmove");
    // What comes right after the answer is heard, and so is a stop right after go.
    for _ in 0..50 {
        engine.say("position startpos moves @4\ngo infinite\nstop");
        let lines = engine.until("bestmove");
        assert!(!lines.iter().any(|line| line.contains("error")), "{lines:?}");
    }
    engine.say("go infinite");
    assert_eq!(engine.ended(), Some(0));
}

/// A `stop` ends what was asked for before it, and nothing that is asked for later.
#[test]
fn what_is_said_during_a_search_is_done_after_it() {
    let mut engine = Engine::new(&["star2"]);
    engine.say("position startpos moves @4\ngo infinite\nposition startpos moves @6\ngo infinite");
    engine.say("query p1turn\nhello\nstop\nposition startpos\ngo depth 2\nisready");
    let mut lines = vec![];
    for word in
        ["bestmove a4", "bestmove a3", "response true", "info string error", "bestmove 0000"]
    {
        lines.extend(engine.until(word));
    }
    let of_rolls =
        lines.iter().filter(|line| line.contains("depth 2 ") && line.contains(" weight "));
    assert_eq!(of_rolls.count(), 6, "{lines:?}");
    assert!(lines.contains(&"readyok".to_owned()) || engine.hear() == "readyok");
}

/// Lines beyond the 4,096th were dropped, `position` among them, and searches were about another position.
#[test]
fn however_many_lines_wait_none_is_lost() {
    let turn = |roll| format!("position startpos moves @{roll}\ngo depth 1\n");
    let turns = (turn(4) + &turn(6)).repeat(3000);
    let lines = format!("position startpos moves @4\ngo infinite\n{turns}stop\nquit\n");
    let run = wurfel_with(&["engine", "star2"], &lines);
    let moves: Vec<&str> =
        run.out.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    assert_eq!((run.code, moves.len()), (0, 6001), "{}", run.err);
    let of_4: Vec<bool> = moves.iter().map(|mv| mv.starts_with("a4")).collect();
    assert_eq!(of_4, [&[true][..], &[true, false].repeat(3000)].concat());
}

/// Nobody can stop a search without limits when nothing more can be read.
#[test]
fn a_search_without_limits_ends_when_no_more_lines_can_wait() {
    let lines = "query p1turn\n".repeat(150_000);
    let mut engine = Engine::new(&["star2"]);
    engine.say("position startpos moves @4\ngo infinite");
    let mut input = engine.input.take().unwrap();
    let writer = std::thread::spawn(move || {
        input.write_all(lines.as_bytes()).unwrap();
        input
    });
    engine.until("bestmove a4");
    for _ in 0..150_000 {
        assert_eq!(engine.hear(), "response true");
    }
    engine.input = Some(writer.join().unwrap());
    assert_eq!(engine.ask("isready"), "readyok");
}

/// An engine worked on until everything was done if its driver had closed both pipes, and for ever if its driver only
/// did not read, with exit code 0.
#[test]
fn an_engine_that_cannot_answer_ends_as_an_error() {
    let query = "{\"id\":\"1\",\"moves\":[\"@4\"],\"movetime\":50}\n".repeat(60);
    for (protocol, lines) in [
        ("ugi", format!("position startpos moves @4\n{}", "go movetime 50\n".repeat(60))),
        ("json", query),
        ("course", "name\n".repeat(60)),
    ] {
        for closes in [true, false] {
            let mut engine = command(&["engine", "star2", "--protocol", protocol]);
            let mut child = engine.stdin(Stdio::piped()).spawn().unwrap();
            drop(child.stdout.take());
            let mut input = child.stdin.take().unwrap();
            // It may end before it has read all.
            let _ = input.write_all(lines.as_bytes());
            let input = (!closes).then_some(input);
            let run = ended(child.wait_with_output().unwrap());
            assert_eq!(run.code, 1, "{protocol}, {closes}");
            assert_eq!(run.err.lines().count(), 1, "{}", run.err);
            assert!(run.err.starts_with("error: the answer cannot be written: "), "{}", run.err);
            drop(input);
        }
    }
}

/// It does not think to the end of a search whose result nobody will read.
#[cfg(unix)]
#[test]
fn an_engine_whose_driver_is_gone_ends_in_the_middle_of_a_search() {
    for (protocol, lines) in [
        ("ugi", "position startpos moves @4\ngo movetime 86400000\n"),
        ("json", "{\"id\":\"1\",\"moves\":[\"@4\"],\"movetime\":86400000}\n"),
    ] {
        let mut engine = command(&["engine", "uct", "--protocol", protocol]);
        let mut child = engine.stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        has_worked(&child, std::time::Duration::from_millis(200));
        drop(child.stdout.take());
        let run = ended(child.wait_with_output().unwrap());
        assert_eq!((run.code, run.err.lines().count()), (1, 1), "{protocol}: {}", run.err);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_whose_output_is_full_ends_as_an_error() {
    for (protocol, line) in [
        ("ugi", "isready"),
        ("json", "{\"id\":\"1\",\"action\":\"query_version\"}"),
        ("course", "name"),
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut engine = command(&["engine", "--protocol", protocol]);
        let mut child = engine.stdin(Stdio::piped()).stdout(full).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(format!("{line}\n").as_bytes());
        let run = ended(child.wait_with_output().unwrap());
        assert_eq!(run.code, 1, "{protocol}");
        assert!(run.err.contains("cannot be written: No space left"), "{}", run.err);
    }
}

/// A driver waits for a move after whatever it sent as `go`.
#[test]
fn every_go_is_answered_by_one_move() {
    let mut engine = Engine::new(&["star2"]);
    engine.say("position startpos moves @4");
    for (go, note_part, best) in [
        ("go depth 0", "'depth 0': expected a number from 1 to 64; it is taken as 1", "a4"),
        ("go depth 100 movetime 5", "'depth 100': expected a number from 1 to 64", "a4"),
        ("go p1time 20 p2time 20 movestogo 20", "'movestogo 20': expected p1time", "a4"),
        ("go depth 2 fast", "'fast': expected p1time", "a4"),
        ("go", "error: 'go': expected p1time", "0000"),
        ("go depth soon", "error: 'go depth soon': expected a number after depth", "0000"),
        ("go p1time 5", "error: 'go p1time 5': expected both p1time and p2time", "0000"),
        ("go infinite depth 3", "expected no limit beside infinite", "0000"),
    ] {
        engine.say(go);
        engine.say("isready");
        let mut lines = engine.until("bestmove");
        // The engine is ready at once, or when it has answered.
        if !lines.contains(&"readyok".to_owned()) {
            lines.push(engine.hear());
        }
        let note = &lines[usize::from(lines[0] == "readyok")];
        assert!(note.starts_with("info string ") && note.contains(note_part), "{note}");
        let moves: Vec<&String> = lines.iter().filter(|line| line.starts_with("best")).collect();
        assert_eq!(moves.len(), 1, "{lines:?}");
        assert!(moves[0].starts_with(&format!("bestmove {best}")), "{go}: {moves:?}");
    }
}

#[test]
fn the_end_of_the_input_or_quit_ends_a_search() {
    let run = wurfel_with(&["engine"], "position startpos moves @4\ngo depth 4\n");
    let best = run.out.lines().rev().nth(1).unwrap();
    assert!(best.starts_with("info depth 4 "), "a search with limits is finished: {}", run.out);
    for last in ["quit\n", ""] {
        let lines = format!("position startpos moves @4\ngo infinite\n{last}");
        let run = wurfel_with(&["engine", "star2"], &lines);
        let best = run.out.lines().last().unwrap();
        assert!(run.code == 0 && best.starts_with("bestmove a"), "{} {}", run.out, run.err);
    }
}

#[test]
fn it_ponders_until_it_is_told_the_roll() {
    let mut engine = Engine::new(&["star2"]);
    for _ in 0..20 {
        engine.say("position startpos");
        engine.say("go ponder movetime 20");
        engine.say("isready");
        engine.until("readyok");
        engine.say("ponderhit @6");
        let lines = engine.until("bestmove");
        assert!(lines.last().unwrap().starts_with("bestmove a3"), "{lines:?}");
    }
    engine.say("go ponder p1time 1000 p2time 1000");
    assert!(engine.hear().contains("expected a position before its roll"));
    assert_eq!(engine.hear(), "bestmove 0000");
    engine.say("position startpos\ngo ponder movetime 20\nstop");
    assert_eq!(engine.until("bestmove").pop().unwrap(), "bestmove 0000");
    engine.say("go ponder movetime 20\nponderhit @9");
    let lines = engine.until("bestmove");
    assert!(lines[lines.len() - 2].contains("die '9'"), "{lines:?}");
}

#[test]
fn several_moves_are_told_best_first() {
    let mut engine = Engine::new(&["star2"]);
    engine.say("setoption name MultiPV value 3\nposition startpos moves @4\ngo depth 2");
    let lines = engine.until("bestmove");
    let value = |line: &String| -> f64 {
        line.split(" value ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
    };
    let last: Vec<&String> = lines.iter().filter(|line| line.contains("depth 2 ")).collect();
    assert_eq!(last.len(), 3);
    assert!(last.is_sorted_by(|one, other| value(one) >= value(other)));
    let first = last[0].split(" pv ").nth(1).unwrap();
    let best = lines.last().unwrap().strip_prefix("bestmove ").unwrap();
    assert!(first.starts_with(best) && first.contains(" @"), "{first}");
}

/// Whole games of three dice, in which a turn has several moves: every answer is legal.
#[test]
fn games_of_three_dice_are_played_to_their_end() {
    let mut engine = Engine::new(&["greedy", "--game", "dicechess3"]);
    let mut random = Random::new(1);
    for game in 0..3 {
        engine.say("uginewgame");
        let mut position = DiceChess3::default();
        let mut line = "position startpos moves".to_owned();
        while position.outcome().is_none() && position.ply() < 60 {
            let rolls = position.rolls();
            let roll = random.pick(rolls.as_ref()).item;
            line = format!("{line} @{roll}");
            let mut rest = Some(roll);
            while let Some(roll) = rest {
                engine.say(&line);
                let best = engine.best("go nodes 1");
                let mv = position.find_move(roll, &best).unwrap_or_else(|e| panic!("{line}: {e}"));
                rest = position.play(roll, mv);
                line = format!("{line} {best}");
            }
        }
        engine.say(&line);
        let over = engine.ask("query gameover");
        assert_eq!(over, format!("response {}", position.outcome().is_some()), "game {game}");
    }
}

#[test]
fn a_million_bytes_of_nonsense_leave_it_answering() {
    let mut engine = Engine::new(&["greedy"]);
    let words = ["position", "startpos", "moves", "@4", "a4b4", "fen", "go", "depth", "1", "name"];
    let mut random = Random::new(7);
    let mut lines = 0;
    let mut sent = vec![];
    while sent.len() < 1_000_000 {
        for _ in 0..random.below(8) {
            match random.below(12) {
                0 => sent.extend((0..random.below(20)).map(|_| random.below(256) as u8)),
                n => sent.extend_from_slice(words[n as usize % words.len()].as_bytes()),
            }
            sent.push(b' ');
        }
        sent.push(b'\n');
        lines += 1;
    }
    let mut input = engine.input.take().unwrap();
    let writer = std::thread::spawn(move || {
        input.write_all(&sent).unwrap();
        input.write_all(b"\nstop\nisready\nquit\n").unwrap();
    });
    let answers = engine.until("readyok");
    writer.join().unwrap();
    assert!(answers.len() > lines / 4, "{} answers to {lines} lines", answers.len());
}

#[test]
fn the_course_protocol_is_spoken() {
    let mut engine = Engine::new(&["greedy", "--protocol", "course"]);
    assert_eq!(engine.ask("name"), "wurfel");
    assert_eq!(engine.ask("version"), env!("CARGO_PKG_VERSION"));
    assert_eq!(engine.ask("time_setting 240"), "1");
    assert_eq!(engine.ask("board_setting 5 6"), "1");
    assert!(engine.ask("board_setting 6 6").starts_with("error: "));
    let corner = |side: &str, squares: &[&str]| {
        let mut squares: Vec<String> = squares.iter().map(|&square| square.to_owned()).collect();
        squares.sort();
        (format!("ini {side}"), squares)
    };
    for (line, squares) in [
        corner("R", &["A1", "B1", "C1", "A2", "B2", "A3"]),
        corner("B", &["E5", "D5", "C5", "E4", "D4", "E3"]),
    ] {
        let mut answer: Vec<String> = engine.ask(&line).split(' ').map(str::to_owned).collect();
        answer.sort();
        assert_eq!(answer, squares);
    }
    // Red's only cube must step onto the corner at the bottom right, and blue's onto the top left.
    assert_eq!(engine.ask("get R 4 0 0 0 0 0 A5 0 0 0 D4 0 0"), "D4 E5");
    assert_eq!(engine.ask("get B 1 0 0 B1 0 0 0 0 0 0 A3 0 0"), "B1 A1");
    for wrong in [
        "get R 7 0 0 0 0 0 A5 0 0 0 D4 0 0",
        "get R 4 0 0 0 0 0 A5 0 0 0 F4 0 0",
        "get R 4 0 0 0 0 0 A5 0 0 0 A5 0 0",
        "get R 4 0 0 0 0 0 A5 0 0 0 E5 0 0",
        "get R 4 0 0 0 0 0 0 0 0 0 0 0 0",
        "ini G",
        "go",
    ] {
        assert!(engine.ask(wrong).starts_with("error: "), "{wrong}");
    }
    assert_eq!(engine.ask("name"), "wurfel");
    engine.say("exit");
    assert_eq!(engine.ended(), Some(0));
}

#[test]
fn options_that_cannot_be_served_are_refused_before_the_first_line() {
    wurfel_with(&["engine", "star3"], "").refused("unknown agent 'star3'");
    wurfel_with(&["engine", "--game", "chess"], "").refused("unknown game 'chess'");
    let course = ["engine", "--protocol", "course", "--game", "dicechess"];
    wurfel_with(&course, "").refused("--protocol course: expected --game einstein");
}

/// The engines from which others begin play whole games, legally, and know when these are over.
#[test]
#[ignore = "needs Python and a C++ compiler"]
fn the_starter_engines_play() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/engines");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ewn");
    let mut compiler = Command::new("c++");
    compiler.args(["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program);
    assert!(compiler.arg(folder.join("ewn.cpp")).status().expect("a compiler").success());
    let mut python = Command::new("python3");
    python.arg(folder.join("ewn.py"));
    let mut engines = [python, Command::new(program)].map(Engine::of);
    for engine in &mut engines {
        engine.say("ugi");
        engine.until("ugiok");
        for wrong in ["hello", "position startpos moves @4 a5a1", "position fen nonsense r 4 1"] {
            assert!(engine.ask(wrong).starts_with("info string error: "));
        }
    }
    let mut random = Random::new(1);
    for game in 0..4 {
        let mut position = Einstein::default();
        let mut line = "position startpos moves".to_owned();
        while position.outcome().is_none() {
            let roll = random.pick(Einstein::DICE).item;
            line = format!("{line} @{roll}");
            let engine = &mut engines[(position.ply() as usize + game) % 2];
            engine.say(&line);
            assert_eq!(engine.ask("isready"), "readyok");
            let best = engine.best("go movetime 20");
            let mv = position.find_move(roll, &best).unwrap_or_else(|e| panic!("{line}: {e}"));
            position.play(roll, mv);
            line = format!("{line} {best}");
        }
        for engine in &mut engines {
            engine.say(&line);
            assert_eq!(engine.ask("query gameover"), "response true");
            let won = if position.outcome() == Some(Outcome::Win(Side::First)) {
                "p1win"
            } else {
                "p2win"
            };
            assert_eq!(engine.ask("query result"), format!("response {won}"));
        }
    }
}
