//! The files of an interrupted match and of interrupted labelling of positions, which later runs
//! resume.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use wurfel_arena::{LuckMeter, Match, MatchHeader, Output};
use wurfel_core::checksum;
use wurfel_games::Playable;
use wurfel_games::einstein::Einstein;
use wurfel_train::{Labelled, PositionsFile, PositionsHeader, write_game};

use super::checks::{chance, one_line, parts, with_files};

/// The pairs of the match that is resumed.
const PAIRS: u64 = 3;

/// Reads an input of three parts as the records, the table of games and the table of moves of a
/// match, which was begun without tables where both are empty, and its first part as a file of
/// positions too.
pub fn fuzz(input: &[u8]) {
    let files = parts(input, 3);
    let part = |number: usize| files.get(number).copied().unwrap_or_default();
    let names = ["match.jsonl.part", "match.games.csv.part", "match.moves.csv.part"];
    let named = [0, 1, 2].map(|number| (names[number], part(number)));
    let csv = named[1..].iter().any(|(_, table)| !table.is_empty());
    let named = if csv { &named[..] } else { &named[..1] };
    let first = part(0).split(|&byte| byte == b'\n').next().unwrap_or_default();
    let header = serde_json::from_slice(first).unwrap_or_else(|_| arranged().header());
    with_files(named, |folder| resume_match(&folder.join("match.jsonl"), &header, csv, input));
    if let Ok(header) = serde_json::from_slice(first) {
        let files = [("positions.tsv.part", part(0))];
        with_files(&files, |folder| resume_positions(&folder.join("positions.tsv"), &header));
    }
}

/// The match that is played to its end.
fn arranged() -> Match<'static, Einstein> {
    let specs = ["random", "greedy"].map(|spec| spec.parse().expect("the spec of an agent"));
    Match::new(&Einstein::default(), specs, PAIRS, 1).expect("agents of every game")
}

/// The records of the match, played in one run.
fn whole() -> &'static [u8] {
    static WHOLE: OnceLock<Vec<u8>> = OnceLock::new();
    WHOLE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder for a match");
        let path = folder.path().join("match.jsonl");
        play(&arranged(), &path, false).expect("it can be played");
        fs::read(path).expect("the games of the match")
    })
}

fn play(arranged: &Match<'_, Einstein>, path: &Path, csv: bool) -> Result<(), String> {
    let header = arranged.header();
    let output = Output::open(path, &header, csv).map_err(|error| error.to_string())?;
    let report = arranged.run(1, Some(output), &mut |_| ()).map_err(|error| error.to_string())?;
    assert!(report.complete && report.score.games() == 2 * PAIRS, "not all of the match");
    Ok(())
}

fn resume_match(path: &Path, header: &MatchHeader, csv: bool, input: &[u8]) {
    let mut arranged = arranged();
    if *header != arranged.header() {
        match Output::open(path, header, csv) {
            Err(error) => one_line(&error),
            Ok((_, left)) => assert_eq!(left.len() % 2, 0, "a pair of which a game is missing"),
        }
        return;
    }
    arranged.luck = checksum(input).is_multiple_of(4).then(LuckMeter::default_for_game);
    let left = fs::read(path.with_added_extension("part")).expect("what was left");
    if let Err(error) = play(&arranged, path, csv) {
        return one_line(&error);
    }
    let bytes = fs::read(path).expect("the games of the match");
    let lines = bytes.split(|&byte| byte == b'\n').skip(1).count() as u64;
    assert_eq!(lines, 1 + 2 * PAIRS, "lines of the records");
    let is_cut = whole().starts_with(&left);
    assert!(!is_cut || bytes == whole(), "other games after a cut at byte {}", left.len());
}

/// Resumes a file of positions, adds a game to it, and resumes it once more, at the same game.
fn resume_positions(path: &Path, header: &PositionsHeader) {
    let (mut file, next) = match PositionsFile::open(path, header) {
        Ok(opened) => opened,
        Err(error) => return one_line(&error),
    };
    let position = Einstein::default().setup(&mut chance(b"position"));
    let mut lines = vec![];
    write_game(&mut lines, next, &[Labelled { position, value: 0.5 }]);
    file.add(&lines).expect("room for a game");
    file.suspend().expect("room for a game");
    let (file, again) = PositionsFile::open(path, header).expect("a file that we have written");
    assert_eq!(again, next, "another game is the next one");
    file.finish().expect("a file can be renamed");
}
