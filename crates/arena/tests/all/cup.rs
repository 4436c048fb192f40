//! Files of tournaments that somebody has changed: nothing that cannot have been played counts.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use wurfel_arena::{Cup, CupDefinition, CupReader, CupState, Results};
use wurfel_games::einstein::Einstein;

/// Fixed set-ups, so that all games begin alike and differ by their dice.
const FIXED: &str = "format = 'round-robin'\npairs = 2\n\
    [[participant]]\nagent = 'random'\nsetup = { first = 'S123456', second = 'S654321' }\n\
    [[participant]]\nagent = 'greedy'\nsetup = { first = 'S123456', second = 'S654321' }\n";

const SWISS: &str = "format = 'swiss'\npairs = 2\nrounds = 2\n\
    [[participant]]\nname = 'a'\nagent = 'random'\n[[participant]]\nname = 'b'\nagent = 'random'\n\
    [[participant]]\nagent = 'greedy'\nsetup = 'chosen'\n\
    [[participant]]\nagent = 'cmd:\"/no/such/engine\"'\n";

/// A tournament in a folder of its own.
struct CupFolder {
    folder: tempfile::TempDir,
    text: String,
}

impl CupFolder {
    fn begin(text: &str) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), text: text.to_owned() }
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("cup.jsonl")
    }

    fn part(&self) -> PathBuf {
        self.folder.path().join("cup.jsonl.part")
    }

    fn run(&self) -> Result<CupState, String> {
        let definition = CupDefinition::read(&self.text).unwrap();
        let cup = Cup::new(&Einstein::default(), definition, None).unwrap();
        cup.run(1, &self.out(), &mut |_| ()).map_err(|error| error.to_string())
    }

    /// The lines of the finished tournament, which is then unfinished again.
    fn lines(&self) -> Vec<Value> {
        assert!(self.run().unwrap().complete);
        let text = fs::read_to_string(self.out()).unwrap();
        fs::rename(self.out(), self.part()).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Writes these lines and says what a run, a reader of the standings and ratings find wrong.
    fn refused(&self, lines: &[Value]) -> [String; 3] {
        let text = lines.iter().fold(String::new(), |text, line| format!("{text}{line}\n"));
        fs::write(self.part(), &text).unwrap();
        let run = self.run().unwrap_err();
        assert_eq!(fs::read_to_string(self.part()).unwrap(), text);
        let mut reader = CupReader::begin(&lines[0].to_string()).unwrap();
        let read = lines[1..].iter().try_for_each(|line| reader.add(&line.to_string()));
        let rated = Results::default().add(text.as_bytes()).unwrap_err();
        [run, read.unwrap_err(), rated.to_string()]
    }
}

/// A result that was changed in an unfinished file decided who met whom next.
#[test]
fn a_game_that_was_changed_is_refused_with_its_line() {
    let played = CupFolder::begin(FIXED);
    let lines = played.lines();
    assert_eq!(lines.len(), 6);
    let result = lines[3]["result"].as_str().unwrap().to_owned();
    let other = if result == "1-0" { "0-1" } else { "1-0" };
    let moves = lines[3]["moves"].as_str().unwrap();
    let fewer = &moves[..moves.rfind('@').unwrap()];
    for (field, value, problem) in [
        ("result", other.into(), format!("result '{other}': expected {result}, as the game ended")),
        ("plies", 1.into(), "plies 1: expected ".to_owned()),
        ("start", lines[2]["start"].as_str().unwrap().replace('1', "2").into(), String::new()),
        ("moves", fewer.trim().into(), "as the moves have it".to_owned()),
        ("moves", moves.replacen('@', "@7", 1).into(), "expected a number 1-6".to_owned()),
        ("adjudicated", true.into(), "expected neither, as the game ended".to_owned()),
        ("first", 0.into(), "expected game 1 of pair 0 with first 1".to_owned()),
        ("players", [0, 2].as_slice().into(), "players [0, 2]: expected two below 2".to_owned()),
    ] {
        let mut changed = lines.clone();
        changed[3][field] = value;
        let [run, read, rated] = played.refused(&changed);
        assert!(run.contains(", line 4: ") && run.contains(&problem), "{field}: {run}");
        assert!(read.contains(&problem), "{field}: {read}");
        assert!(rated.contains("line 4, ") && rated.contains(&problem), "{field}: {rated}");
    }
    let mut shorter = lines.clone();
    shorter[3]["moves"] = fewer.trim().into();
    shorter[3]["plies"] = (lines[3]["plies"].as_u64().unwrap() - 1).into();
    for problem in played.refused(&shorter) {
        assert!(problem.contains("expected more moves, as the game is not over"), "{problem}");
    }
}

/// The two games are legal, but each has the dice of the other.
#[test]
fn a_game_with_the_dice_of_another_one_is_refused() {
    let played = CupFolder::begin(FIXED);
    let mut lines = played.lines();
    for field in ["moves", "result", "plies"] {
        let [one, other] = [2, 4].map(|line| lines[line][field].clone());
        (lines[2][field], lines[4][field]) = (other, one);
    }
    for problem in played.refused(&lines) {
        assert!(problem.contains("roll '@") && problem.contains(", as the dice fell"), "{problem}");
    }
}

#[test]
fn set_ups_that_are_not_those_of_the_tournament_are_refused() {
    let played = CupFolder::begin(FIXED);
    let mut lines = played.lines();
    lines[1]["setups"][0][1] = "S123456".into();
    for problem in played.refused(&lines) {
        assert!(problem.contains("expected the set-ups of 'random' to be those"), "{problem}");
    }
}

/// A tournament with such a program had a winner.
#[cfg(unix)]
#[test]
fn a_program_that_does_not_start_is_refused_before_any_game() {
    let played = CupFolder::begin(SWISS);
    let problem = played.run().unwrap_err();
    let expected = "agent 'cmd:\"/no/such/engine\"' did not start: '/no/such/engine' cannot be";
    assert!(problem.starts_with(expected), "{problem}");
    assert!(!played.part().exists());
}

/// Set-ups that were chosen, drawn ones, later rounds, clocks and tables: what was played can be
/// played again.
#[test]
fn what_was_played_is_read_again() {
    let swiss = SWISS.replace("cmd:\"/no/such/engine\"", "star2:depth=1");
    for text in [
        swiss.clone(),
        swiss
            .replace("pairs = 2\n", "pairs = 2\nadjudication = { rule = 'certain', pieces = 3 }\n"),
        swiss
            .replace("pairs = 2\n", "pairs = 2\nadjudication = { rule = 'covered', pieces = 3 }\n"),
        FIXED.replace("pairs = 2\n", "").replace("round-robin", "ccgc"),
    ] {
        let played = CupFolder::begin(&text);
        let lines = played.lines();
        let again = played.run().unwrap();
        assert_eq!((again.resumed as usize, again.complete), (lines.len() - 2, true));
        let mut reader = CupReader::begin(&lines[0].to_string()).unwrap();
        lines[1..].iter().try_for_each(|line| reader.add(&line.to_string())).unwrap();
        assert!(reader.meetings().unwrap().2);
    }
}
