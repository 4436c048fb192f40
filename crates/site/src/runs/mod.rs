//! Tournaments, matches and training runs on the disk, which can be watched while they are written.

mod cup;
mod games;
mod lines;
mod shown;
mod tournament;
mod training;

use std::path::{Path, PathBuf};

use serde::Serialize;
use wurfel_arena::GameRecord;

use crate::pool::Refused;
pub(crate) use games::MatchScore;
use lines::Lines;
pub(crate) use shown::Runs;
use tournament::Tournament;
use training::{METRICS, Training};

/// The largest size of a file that is read.
const MAX_BYTES: u64 = 256 << 20;
/// The largest size of a tournament's file. It has a line for every two agents and is read as a
/// whole.
const MAX_TOURNAMENT: u64 = 4 << 20;
/// The suffix of the name of a file that is being written.
const PART: &str = ".part";
/// The number of files of a folder that are listed.
const MAX_FILES: usize = 500;

/// Why a run is not shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    #[error("no folder of runs is served here (`wurfel serve --runs FOLDER`)")]
    None,
    #[error("no run has this name")]
    Unknown,
    #[error("'{0}' is no tournament, match or training run that wurfel has written")]
    Strange(String),
    #[error("runs: {0}")]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Busy(#[from] Refused),
}

/// The contents of a file, or of the directory of a training run.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Run {
    /// A tournament of any format.
    Tournament(Tournament),
    /// A match between two agents.
    Match {
        #[serde(flatten)]
        standing: MatchScore,
        /// The last games of the match.
        games: Vec<GameRecord>,
    },
    /// The training of a network.
    Training(Training),
}

/// The names of the runs in a folder, in order: files of JSON lines, and directories of training
/// runs.
pub(crate) fn list(folder: Option<&Path>) -> Result<Vec<String>, RunError> {
    let folder = folder.ok_or(RunError::None)?;
    let mut names = files(folder)?;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let learns = entry.file_type()?.is_dir() && entry.path().join(METRICS).is_file();
        names.extend(entry.file_name().into_string().ok().filter(|_| learns));
    }
    names.sort();
    names.truncate(MAX_FILES);
    Ok(names)
}

/// The names of the files in a folder that have JSON lines, or will have them, in order.
fn files(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut names = vec![];
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(mut name) = entry.file_name().into_string() else { continue };
        if let Some(stem) = name.strip_suffix(PART) {
            name.truncate(stem.len());
        }
        let lines = Path::new(&name).extension().is_some_and(|end| end == "jsonl");
        if lines && entry.file_type()?.is_file() {
            names.push(name);
        }
    }
    names.sort();
    names.dedup();
    Ok(names)
}

/// The path of the file with this name, or, while it is still being written, of the file that will
/// become it.
fn place(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    if path.exists() { path } else { folder.join(format!("{name}{PART}")) }
}

/// The contents of the run with this name, which must be one that is listed.
pub(crate) fn read(folder: Option<&Path>, name: &str) -> Result<Run, RunError> {
    let names = list(folder)?;
    let name = names.into_iter().find(|known| known == name).ok_or(RunError::Unknown)?;
    let folder = folder.ok_or(RunError::None)?;
    let path = place(folder, &name);
    if path.is_dir() {
        return Training::read(&path)?.map(Run::Training).ok_or(RunError::Strange(name));
    }
    // The folder may itself be the directory of a training run.
    if name == METRICS {
        return Training::read(folder)?.map(Run::Training).ok_or(RunError::Strange(name));
    }
    let size = std::fs::metadata(&path)?.len();
    if size > MAX_BYTES {
        return Err(RunError::Strange(name));
    }
    if let Some((standing, games)) = games::read(Lines::open(&path)?)? {
        return Ok(Run::Match { standing, games });
    }
    if let Some(tournament) = cup::read(Lines::open(&path)?)? {
        return Ok(Run::Tournament(tournament));
    }
    if size > MAX_TOURNAMENT {
        return Err(RunError::Strange(name));
    }
    let text = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
    tournament::read(&text).map(Run::Tournament).ok_or(RunError::Strange(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel::default_game;
    use wurfel_arena::{CupDefinition, SetUps, Tournament};
    use wurfel_core::Budget;

    #[test]
    fn a_tournament_is_read_and_nothing_outside_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let runs = folder.path().join("runs");
        std::fs::create_dir(&runs).unwrap();
        std::fs::write(folder.path().join("secret"), "{}").unwrap();
        std::fs::write(runs.join("notes.txt"), "not a run").unwrap();
        std::fs::write(runs.join("other.jsonl"), "not a run").unwrap();
        let specs = ["random", "greedy"].map(|text| text.parse().unwrap()).to_vec();
        let (budget, setups) = (Budget::default(), SetUps::default());
        let tournament = Tournament { specs, pairs: 10, seed: 1, budget, luck: false, setups };
        let file = runs.join("all.jsonl");
        default_game().tournament(&tournament, 1, Some(&file), &mut |_, _| ()).unwrap();
        assert_eq!(list(Some(&runs)).unwrap(), ["all.jsonl", "other.jsonl"]);
        let Run::Tournament(run) = read(Some(&runs), "all.jsonl").unwrap() else {
            panic!("a tournament was written");
        };
        assert_eq!(run.format, wurfel_arena::CupFormat::RoundRobin);
        // While the file is being written it has another name on the disk, but the same name here.
        std::fs::rename(&file, runs.join("all.jsonl.part")).unwrap();
        assert_eq!(list(Some(&runs)).unwrap(), ["all.jsonl", "other.jsonl"]);
        let Run::Tournament(again) = read(Some(&runs), "all.jsonl").unwrap() else {
            panic!("it is the same");
        };
        assert_eq!(again, run);
        let standings = &run.standings;
        assert!(run.complete && standings[0].agent == "greedy" && standings[0].games == 20);
        assert_eq!(standings[0].against, [None, Some(standings[0].rate)]);
        for name in ["../secret", "..", "", "/etc/passwd", "none", "notes.txt"] {
            assert!(matches!(read(Some(&runs), name), Err(RunError::Unknown)), "{name}");
        }
        assert!(matches!(read(Some(&runs), "other.jsonl"), Err(RunError::Strange(_))));
        assert!(matches!(list(None), Err(RunError::None)));
    }

    #[test]
    fn a_tournament_with_a_file_of_its_own_is_shown_while_it_is_played() {
        let folder = tempfile::tempdir().unwrap();
        let text = "name = 'Club'\nformat = 'swiss'\nrounds = 2\npairs = 2\n\
            [[participant]]\nname = 'A'\nagent = 'random'\n\
            [[participant]]\nname = 'B'\nagent = 'greedy'\n\
            [[participant]]\nname = 'C'\nagent = 'random'\n";
        let cup = default_game().cup(CupDefinition::read(text).unwrap(), None).unwrap();
        let file = folder.path().join("cup.jsonl");
        cup.run(1, &file, &mut |_| ()).unwrap();
        let shown = |name: &str| match read(Some(folder.path()), name) {
            Ok(Run::Tournament(run)) => run,
            other => panic!("{other:?}"),
        };
        let whole = shown("cup.jsonl");
        assert!(whole.complete);
        let json = serde_json::to_value(&whole).unwrap();
        assert_eq!((&json["format"], &json["title"]), (&"swiss".into(), &"Club".into()));
        let rows = json["standings"].as_array().unwrap();
        let own = rows.iter().find(|row| row["agent"] == "B").unwrap();
        assert_eq!((&own["spec"], &own["faults"]), (&"greedy".into(), &0.into()));
        assert_eq!(rows[0]["rank"], 1);
        let games = |run: &tournament::Tournament| -> u64 {
            run.standings.iter().map(|standing| standing.games).sum()
        };
        // Two meetings of four games, each of which counts for two.
        assert_eq!((games(&whole), whole.standings.len()), (16, 3));
        // A file that is being written may end in the middle of a line.
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(folder.path().join("half.jsonl.part"), &text[..text.len() - 9]).unwrap();
        let half = shown("half.jsonl");
        assert!(!half.complete && games(&half) == 14);
    }

    #[test]
    fn a_training_run_is_a_directory_and_a_match_in_it_measures_its_strength() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("tiny");
        std::fs::create_dir(&run).unwrap();
        std::fs::create_dir(folder.path().join("empty")).unwrap();
        let header = r#"{"format":"wurfel-games","version":1,"program":"0","game":"einstein",
            "agents":["net","greedy"],"pairs":1,"seed":1}"#;
        let game = |game: u8, first: u8, result: &str| {
            format!(
                r#"{{"pair":0,"game":{game},"first":{first},"start":"","moves":"","result":"{result}","plies":9}}"#
            )
        };
        let lines = [header.replace('\n', ""), game(0, 0, "1-0"), game(1, 1, "1-0")];
        std::fs::write(run.join("strength.jsonl"), lines.join("\n")).unwrap();
        std::fs::write(run.join("config.toml"), "game = \"einstein\"\nrounds = 30\n").unwrap();
        std::fs::write(run.join(METRICS), "{\"round\":1,\"rate\":0.5}\n").unwrap();
        assert_eq!(list(Some(folder.path())).unwrap(), ["tiny"]);
        let contents = read(Some(folder.path()), "tiny").unwrap();
        assert_eq!(read(Some(&run), METRICS).unwrap(), contents);
        let shown = serde_json::to_value(&contents).unwrap();
        assert_eq!(shown["kind"], "training");
        assert_eq!([&shown["done"], &shown["wanted"]], [1, 30]);
        assert_eq!(shown["columns"]["rate"][0], 0.5);
        assert_eq!(shown["matches"][0]["score"], serde_json::json!([1, 0, 1]));
        std::fs::write(run.join(METRICS), "").unwrap();
        assert!(matches!(read(Some(folder.path()), "tiny"), Err(RunError::Strange(_))));
    }
}
