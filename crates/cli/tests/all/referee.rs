//! Matches at a real table, typed by a script into the real program.

#![cfg(unix)]
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::program::{Run, command, ended, hears, noting, send, wurfel};
use serde_json::Value;

/// Entries of a short game, in which red's cube 4 walks home.
const GAME: [&str; 19] = [
    "S123456",
    "123456",
    "go",
    "4",
    "a4b3",
    "1",
    "e1d1",
    "4 b3c2",
    "3",
    "undo wrong roll",
    "2",
    "d1c1",
    "claim blue the clock stands",
    "dismiss it does not",
    "4 c2d1",
    "3 e2d2",
    "4",
    "clock red 3:20 real clock",
    "d1e1",
];

/// Runs the referee in a folder with these lines on its standard input.
fn referee(folder: &Path, options: &[&str], typed: &str) -> Run {
    let mut run = command(&[&["referee"], options].concat());
    let mut child = run.current_dir(folder).stdin(Stdio::piped()).spawn().unwrap();
    // The program may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    ended(child.wait_with_output().unwrap())
}

/// The fields of the journal's entries, without times and checksums.
fn journal(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let entry = |line: &str| {
        let mut entry: Value = serde_json::from_str(line).unwrap();
        let fields = entry.as_object_mut().unwrap();
        for name in ["at", "time", "sum"] {
            assert!(fields.remove(name).is_some(), "{name} in {line}");
        }
        entry
    };
    text.lines().skip(1).map(entry).collect()
}

/// The entries that the arbiter has made.
fn entered(path: &Path) -> Vec<Value> {
    let mut entries = journal(path);
    let by_itself = ["tick", "warned", "left", "resumed", "filed"];
    entries.retain(|entry| !by_itself.contains(&entry["event"].as_str().unwrap()));
    entries
}

/// The records in a folder, in order.
fn records(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let is_record = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "txt");
    let mut files: Vec<PathBuf> = files.filter(is_record).collect();
    files.sort();
    files
}

/// A text with an x for each digit of its dates, such as `2026.08.01 14:00`.
fn dateless(text: &str) -> String {
    let form = "dddd.dd.dd dd:dd";
    let mut characters: Vec<char> = text.chars().collect();
    for start in 0..characters.len().saturating_sub(form.len() - 1) {
        let fits = |(character, wanted): (&char, char)| match wanted {
            'd' => character.is_ascii_digit(),
            ':' => ":_".contains(*character),
            wanted => *character == wanted,
        };
        if characters[start..].iter().zip(form.chars()).all(fits) {
            characters[start..start + form.len()].iter_mut().for_each(|character| {
                if character.is_ascii_digit() {
                    *character = 'x';
                }
            });
        }
    }
    characters.into_iter().collect()
}

const TRANSCRIPT: &str = "\
game 1 of 1: red (Ada) begins against blue (Blaise)
Ada 0 : 0 Blaise
set-up of red (Ada): set-up 'S123457': expected one such as S234561
set-up of red (Ada): set-up of red: S123456
set-up of blue (Blaise): set-up of blue: S123456
5  A  B  C  .  .
4  D  E  .  .  .
3  F  .  .  .  f
2  .  .  .  e  d
1  .  .  c  b  a
   a  b  c  d  e
ply 1: red is to roll
red (Ada) rolls: die '7': expected a number 1-6
red (Ada) rolls: move 'a5b4': expected one of a4b4 a4a3 a4b3
red (Ada) rolls: 5  A  B  C  .  .
4 (D) E  .  .  .
3  F  .  .  .  f
2  .  .  .  e  d
1  .  .  c  b  a
   a  b  c  d  e
ply 1: red has rolled 4
red (Ada) has 4 and moves: move '5': expected one of a4b4 a4a3 a4b3
red (Ada) has 4 and moves: 5  A  B  C  .  .
4  .  E  .  .  .
3  F  D  .  .  f
2  .  .  .  e  d
1  .  .  c  b  a
   a  b  c  d  e
ply 2: blue is to roll
blue (Blaise) rolls: 5  A  B  C  .  .
4  .  E  .  .  .
3  F  .  D  .  f
2  .  .  .  e  d
1  .  .  c  a  *
   a  b  c  d  e
ply 4: blue is to roll
blue (Blaise) rolls: undo: expected a reason, as in undo wrong roll
blue (Blaise) rolls: taken back: move b3c3
5  A  B  C  .  .
4  .  E  .  .  .
3  F (D) .  .  f
2  .  .  .  e  d
1  .  .  c  a  *
   a  b  c  d  e
ply 3: red has rolled 4
red (Ada) has 4 and moves: 5  A  B  C  .  .
4  .  E  .  .  .
3  F  .  .  .  f
2  .  .  D  e  d
1  .  .  c  a  *
   a  b  c  d  e
ply 4: blue is to roll
blue (Blaise) rolls: 5  A  B  C  .  .
4  .  E  .  .  .
3  F  .  .  .  f
2  .  .  D  e  d
1  .  .  a  .  *
   a  b  c  d  e
ply 5: red is to roll
red (Ada) rolls: resign 'green': expected a side, red or blue
red (Ada) rolls: clock: expected none, as this match has no clocks
red (Ada) rolls: 5  A  B  C  .  .
4  .  E  .  .  .
3  F  .  .  .  f
2  .  .  .  d  .
1  .  .  a  .  D
   a  b  c  d  e
red has won
game 1: red (Ada) wins, by the rules
Ada 1 : 0 Blaise
record: 'table/WTN-Ada vs Blaise-先手胜-Beijing xxxx.xx.xx xx_xx-2026 CCGC.txt'
the match is over, quit or undo: the match is over: expected quit, or undo with a reason
the match is over, quit or undo: ";

#[test]
fn a_session_is_answered_and_written_down() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["Ada", "Blaise", "--out", "table", "--no-clock", "--games", "1"];
    let options = [&options[..], &["--place", "Beijing", "--event", "2026 CCGC"]].concat();
    let typed = "S123457\n123456\nS123456\n7\n4 a5b4\n4\n5\na4b3\n1 e1d1 4 b3c3\nundo\nundo it was b3c2\n\
                 B3C2\n@2 d1c1\nresign green\nclock\n4 c2d1 3 e2d2 4 d1e1\nnext\nquit\n";
    let run = referee(folder.path(), &options, typed);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert_eq!(dateless(&run.out), TRANSCRIPT);
    let table = folder.path().join("table");
    let [record] = records(&table).try_into().unwrap();
    let name = dateless(&record.file_name().unwrap().to_string_lossy());
    assert_eq!(name, "WTN-Ada vs Blaise-先手胜-Beijing xxxx.xx.xx xx_xx-2026 CCGC.txt");
    assert_eq!(
        dateless(&fs::read_to_string(record).unwrap()),
        "#[WTN][Ada R][Blaise B][先手胜][xxxx.xx.xx xx:xx Beijing][2026 CCGC];\n\
         R:A5-1;B5-2;C5-3;A4-4;B4-5;A3-6\n\
         B:E3-6;D2-5;E2-4;C1-3;D1-2;E1-1\n\
         1:4;(R4,B3)\n2:1;(B1,D1)\n3:4;(R4,C2)\n4:2;(B1,C1)\n5:4;(R4,D1)\n6:3;(B4,D2)\n7:4;(R4,E1)\n"
    );
    let undone: Vec<Value> = journal(&table.join("session.jsonl"));
    let undone = undone.iter().filter(|entry| entry["event"] == "undo");
    let reasons: Vec<&str> = undone.map(|entry| entry["reason"].as_str().unwrap()).collect();
    assert_eq!(reasons, ["it was b3c2"]);
}

/// The referee with somebody who reads what it answers.
struct Typist {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
}

impl Typist {
    fn sits_down(folder: &Path, options: &[&str]) -> (Self, String) {
        let mut run = command(&[&["referee", "--out", "table"], options].concat());
        let mut child = run.current_dir(folder).stdin(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut typist = Self { child, stdin, stdout };
        let answer = typist.hears();
        (typist, answer)
    }

    /// What is answered, until the next line is asked for.
    fn hears(&mut self) -> String {
        let mut answer = vec![];
        while !answer.ends_with(b": ") {
            let mut some = [0; 4096];
            let read = self.stdout.read(&mut some).unwrap();
            assert!(read > 0, "it ended: {}", String::from_utf8_lossy(&answer));
            answer.extend(&some[..read]);
        }
        String::from_utf8(answer).unwrap()
    }

    fn types(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").unwrap();
    }

    fn says(&mut self, line: &str) -> String {
        self.types(line);
        self.hears()
    }

    fn dies(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn leaves(mut self) -> i32 {
        self.types("quit");
        drop(self.stdin);
        self.child.wait().unwrap().code().unwrap()
    }
}

const PLAYERS: [&str; 4] = ["Ada", "Blaise", "--games", "3"];

#[test]
fn a_kill_after_any_entry_loses_nothing_that_was_answered() {
    let undisturbed = tempfile::tempdir().unwrap();
    let run = referee(
        undisturbed.path(),
        &[&PLAYERS[..], &["--out", "table"]].concat(),
        &(GAME.join("\n") + "\nnext\n"),
    );
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let expected = entered(&undisturbed.path().join("table/session.jsonl.part"));
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("table/session.jsonl.part");
    let mut answered = 0;
    for (number, line) in GAME.iter().chain(&["next"]).enumerate() {
        let mut typist = if number == 0 {
            Typist::sits_down(folder.path(), &PLAYERS).0
        } else {
            let (mut typist, offer) = Typist::sits_down(folder.path(), &[]);
            assert!(
                offer.starts_with("an unfinished session: Ada 0 : 0 Blaise, game 1 of 3, ")
                    || offer.starts_with("an unfinished session: Ada 1 : 0 Blaise, game 1 of 3, ")
            );
            let board = typist.says("yes");
            assert!(
                board.contains("game 1 of 3: red (Ada) begins against blue (Blaise)"),
                "{board}"
            );
            typist
        };
        let answer = typist.says(line);
        assert!(!answer.contains("expected"), "{line}: {answer}");
        typist.dies();
        let entries = entered(&part);
        assert!(entries.len() > answered, "{line}");
        assert_eq!(entries, expected[..entries.len()], "{line}");
        answered = entries.len();
    }
    assert_eq!(answered, expected.len());
    let [one, other] = [&folder, &undisturbed].map(|folder| records(&folder.path().join("table")));
    assert_eq!((one.len(), other.len()), (1, 1), "{one:?}");
    let [one, other] = [one, other].map(|paths| dateless(&fs::read_to_string(&paths[0]).unwrap()));
    assert_eq!(one, other);
}

/// The program is killed without an answer: the entry is there or not, and all before it are.
#[test]
fn a_kill_amid_an_entry_leaves_it_whole_or_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("table/session.jsonl.part");
    Typist::sits_down(folder.path(), &PLAYERS).0.dies();
    for (place, line) in GAME[..7].iter().enumerate() {
        let (mut typist, _) = Typist::sits_down(folder.path(), &[]);
        typist.says("yes");
        typist.types(line);
        std::thread::sleep(std::time::Duration::from_micros(100 * place as u64));
        typist.dies();
        let (mut typist, _) = Typist::sits_down(folder.path(), &[]);
        typist.says("yes");
        if entered(&part).len() == place {
            typist.says(line);
        }
        assert_eq!(entered(&part).len(), place + 1);
        typist.dies();
    }
}

#[test]
fn a_record_is_read_back_and_an_undo_removes_it() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["Ada", "Blaise", "--no-clock", "--out", "table"];
    let game = "123456\n123456\n4 a4b3 1 e1d1\nresign blue\n";
    let run = referee(folder.path(), &options, game);
    assert_eq!(run.code, 0, "{}", run.err);
    let table = folder.path().join("table");
    let [record] = records(&table).try_into().unwrap();
    let record = record.to_string_lossy();
    let moves = wurfel(&["convert", &record, "--to", "moves"]);
    assert_eq!(moves.out, "ABC2/DE3/F3f/3ed/2cba r - 1 @4 a4b3 @1 e1d1 1-0\n", "{}", moves.err);
    let shown = wurfel(&["replay", &record, "--all"]);
    assert!(shown.out.starts_with("Ada against Blaise: 1-0, 2 turns"), "{}", shown.out);
    assert!(shown.out.ends_with("red has won\n"), "{}", shown.out);
    // A crash may have come between the end of the game and its record.
    let text = fs::read(&*record).unwrap();
    fs::remove_file(&*record).unwrap();
    assert_eq!(referee(folder.path(), &["--out", "table"], "yes\n").code, 0);
    assert_eq!(fs::read(&*record).unwrap(), text);
    let run = referee(folder.path(), &["--out", "table"], "yes\nundo no he did not\n4 b3c2\n");
    assert!(run.out.contains("taken back: blue resigns\n"), "{}", run.out);
    assert_eq!(records(&table), [""; 0].map(PathBuf::from));
    // A record that somebody has changed is not ours to remove.
    let run = referee(folder.path(), &["--out", "table"], "yes\nresign red\n");
    assert_eq!(run.code, 0, "{}", run.err);
    let [record] = records(&table).try_into().unwrap();
    fs::write(&record, "signed").unwrap();
    let run = referee(folder.path(), &["--out", "table"], "yes\nundo no she did not\nresign red\n");
    assert!(run.out.contains("was changed by others, and stays\n"), "{}", run.out);
    assert_eq!(fs::read_to_string(&record).unwrap(), "signed");
}

#[test]
fn a_damaged_journal_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        referee(folder.path(), &["Ada", "Blaise", "--out", "table"], "123456\n123456\n4\na4b3\n");
    assert_eq!(run.code, 0, "{}", run.err);
    let part = folder.path().join("table/session.jsonl.part");
    let text = fs::read_to_string(&part).unwrap();
    fs::write(&part, text.replace("a4b3", "a4a3")).unwrap();
    let run = referee(folder.path(), &["--out", "table"], "yes\n");
    run.refused("session.jsonl.part', line 5: expected the line as it was written: it is damaged");
    assert_eq!(fs::read_to_string(&part).unwrap(), text.replace("a4b3", "a4a3"));
}

/// It was cut before it was refused: by an incomplete line, or to nothing where it had no line end.
#[test]
fn a_journal_that_is_refused_is_not_cut() {
    let folder = tempfile::tempdir().unwrap();
    let run = referee(folder.path(), &["Ada", "Blaise", "--out", "table"], "123456\n123456\n4\n");
    assert_eq!(run.code, 0, "{}", run.err);
    let part = folder.path().join("table/session.jsonl.part");
    let text = fs::read_to_string(&part).unwrap();
    for (damaged, problem) in [
        (
            text.replace("123456", "123465") + "{\"at\":",
            "line 2: expected the line as it was written",
        ),
        ("notes of the arbiter".to_owned(), "is an unfinished file of other work"),
        (text.replace("wurfel-session", "wurfel-sessiom"), "line 1: expected the line as it was"),
    ] {
        fs::write(&part, &damaged).unwrap();
        referee(folder.path(), &["--out", "table"], "yes\n").refused(problem);
        assert_eq!(fs::read_to_string(&part).unwrap(), damaged);
    }
    // What a kill has left of the first line is no match yet.
    fs::write(&part, &text[..60]).unwrap();
    let run = referee(folder.path(), &["Ada", "Blaise", "--out", "table"], "");
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn a_session_that_cannot_begin_is_refused_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |options: &[&str], message: &str| {
        referee(folder.path(), &[options, &["--out", "table"]].concat(), "").refused(message);
    };
    refused(&[], "has no unfinished match: expected the names of both players");
    refused(&["Ada"], "one player: expected the names of both");
    refused(&["Ada", "Ada"], "player 'Ada': expected two different names");
    refused(&["Ada", "red"], "player 'red': expected a name, not red or blue");
    refused(
        &["Ada", "Blaise", "--games", "0"],
        "--games '0': expected a whole number from 1 to 100",
    );
    refused(&["Ada", "Blaise", "--clock", "4"], "expected a time from");
    refused(&["Ada", "Blaise", "--game", "chess"], "unknown game 'chess'");
    refused(&["Ada", "Blaise", "--first-agent", "gredy"], "did you mean 'greedy'?");
    refused(&["Ada", "Blaise", "--clock", "4m", "--no-clock"], "cannot be used with");
    assert!(!folder.path().join("table").exists());
}

#[test]
fn a_match_in_the_folder_is_gone_on_with_as_it_was_begun_or_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        referee(folder.path(), &["Ada", "Blaise", "--games", "1", "--out", "table"], "123456\n");
    assert!(run.out.ends_with("continue it with: wurfel referee --out table\n"), "{}", run.out);
    let other = referee(folder.path(), &["--out", "table", "--clock", "5m"], "yes\n");
    other.refused("has an unfinished match with other settings: expected no options but --out");
    let same = ["--out", "table", "--clock", "4m", "Ada", "Blaise"];
    let run = referee(folder.path(), &same, "what\nno\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("'what': expected yes or no\n"), "{}", run.out);
    let (typist, _) = Typist::sits_down(folder.path(), &[]);
    let busy = referee(folder.path(), &["--out", "table"], "yes\n");
    busy.refused("session.jsonl.part' is in use by another program");
    typist.dies();
    let run =
        referee(folder.path(), &["--out", "table"], "yes\n123456\naward blue no show\nquit\n");
    assert_eq!(run.code, 0, "{}", run.err);
    let run = referee(folder.path(), &same, "");
    run.refused("session.jsonl' already exists: choose another name or remove it");
}

#[test]
fn ctrl_c_leaves_the_match_to_be_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let (mut typist, _) = Typist::sits_down(folder.path(), &PLAYERS);
    typist.says("123456");
    hears(&typist.child);
    send(&typist.child, "INT");
    let mut problem = String::new();
    typist.stdout.read_to_string(&mut problem).unwrap();
    assert!(problem.ends_with("continue it with: wurfel referee --out table\n"), "{problem}");
    assert_eq!(typist.child.wait().unwrap().code(), Some(130));
}

#[test]
fn an_agent_answers_the_roll_that_was_typed_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["Ours", "Theirs", "--first-agent", "greedy", "--games", "1"];
    let (mut typist, _) = Typist::sits_down(folder.path(), &options);
    typist.says("lot");
    typist.says("lot");
    let answer = typist.says("3");
    assert!(answer.contains("red (Ours) plays "), "{answer}");
    assert!(answer.ends_with("blue (Theirs) rolls: "), "{answer}");
    assert!(typist.says("resign blue").contains("game 1: red (Ours) wins, blue resigned"));
    assert_eq!(typist.leaves(), 0);
}

/// It gets both clocks, as in a match, and not a share of its own clock only.
#[test]
fn a_program_at_the_table_is_told_both_clocks() {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_wurfel");
    let note = noting(&folder.path().join("heard"));
    let spec = format!("cmd:\"sh -c '{note} | {program} engine greedy'\",start=100s,margin=100s");
    let clock = ["--games", "1", "--clock", "4m", "--increment", "5s"];
    let options = [&["Ours", "Theirs", "--first-agent", &spec][..], &clock].concat();
    let (mut typist, _) = Typist::sits_down(folder.path(), &options);
    typist.says("lot");
    typist.says("lot");
    assert!(typist.says("3").contains("red (Ours) plays "));
    assert_eq!(typist.leaves(), 0);
    let log = fs::read_to_string(folder.path().join("heard")).unwrap();
    let go: Vec<&str> =
        log.lines().find(|line| line.starts_with("go ")).unwrap().split(' ').collect();
    let ["go", "p1time", left, "p2time", "240000", "p1inc", "5000", "p2inc", "5000"] = go[..]
    else {
        panic!("{go:?}")
    };
    assert!(left.parse::<u64>().unwrap() <= 240_000, "{left}");
}

/// Dice Chess has no set-ups and no record of its own.
#[test]
fn a_game_without_a_record_of_its_own_is_written_as_json_lines() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["Ada", "Blaise", "--game", "dicechess", "--games", "1", "--out", "table"];
    let run = referee(folder.path(), &options, "P e2e4\nN g8f6\nresign white\nquit\n");
    assert_eq!(run.code, 0, "{}", run.err);
    let record = folder.path().join("table/game-1.jsonl");
    let moves = wurfel(&["convert", &record.to_string_lossy(), "--to", "moves"]);
    assert!(moves.out.ends_with(" @P e2e4 @N g8f6 0-1\n"), "{} {}", moves.out, moves.err);
}
