//! Tournaments and matches on the disk, to look at while they are written.

use std::path::{Path, PathBuf};

use serde::Serialize;
use wurfel_arena::{GameRecord, Header, read_pairings, standing};

/// A file that is larger is not read.
const MOST_BYTES: u64 = 64 << 20;
/// Files of a folder that are listed.
const MOST_FILES: usize = 500;
/// Games of a match that are shown, the last ones.
const MOST_GAMES: usize = 200;

/// Why a run is not shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    #[error("no folder of tournaments and matches is shown here (`wurfel serve --runs FOLDER`)")]
    None,
    #[error("no run has this name")]
    Unknown,
    #[error("'{0}' is neither a tournament nor a match that wurfel has written")]
    Strange(String),
    #[error("runs: {0}")]
    Io(#[from] std::io::Error),
}

/// What is in a file.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Run {
    /// Everybody against everybody.
    Tournament {
        /// Whether all have met all.
        complete: bool,
        /// The agents, the best first.
        standings: Vec<Standing>,
    },
    /// Two agents.
    Match {
        /// Their specs.
        agents: [String; 2],
        /// The game, which is the rule set.
        game: String,
        /// Games that were played.
        played: usize,
        /// Games that will be.
        wanted: u64,
        /// Won by the first agent, drawn, won by the second.
        score: [u64; 3],
        /// The last games.
        games: Vec<GameRecord>,
    },
}

/// An agent of a tournament.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Standing {
    pub agent: String,
    /// Games that it has played.
    pub games: u64,
    /// The mean of its win rates, and the 95 % interval.
    pub rate: f64,
    pub low: f64,
    pub high: f64,
    /// Against each other agent, in the order of this list; `None` where they have
    /// not met.
    pub against: Vec<Option<f64>>,
}

/// The names of the files of a folder, in order.
pub(crate) fn list(folder: Option<&Path>) -> Result<Vec<String>, RunError> {
    let folder = folder.ok_or(RunError::None)?;
    let mut names = vec![];
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let readable = entry.file_type()?.is_file();
        names.extend(entry.file_name().into_string().ok().filter(|_| readable));
    }
    names.sort();
    names.truncate(MOST_FILES);
    Ok(names)
}

/// What is in the file of this name, which must be one that is listed.
pub(crate) fn read(folder: Option<&Path>, name: &str) -> Result<Run, RunError> {
    let names = list(folder)?;
    let name = names.into_iter().find(|known| known == name).ok_or(RunError::Unknown)?;
    let path: PathBuf = folder.ok_or(RunError::None)?.join(&name);
    if std::fs::metadata(&path)?.len() > MOST_BYTES {
        return Err(RunError::Strange(name));
    }
    let text = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
    tournament(&text).or_else(|| games(&text)).ok_or(RunError::Strange(name))
}

fn tournament(text: &str) -> Option<Run> {
    let (agents, pairings) = read_pairings(text)?;
    let rate = |one: usize, other: usize| {
        let met = pairings.iter().find(|pairing| {
            pairing.agents.contains(&one) && pairing.agents.contains(&other) && one != other
        });
        met.and_then(|pairing| pairing.rate(one)).map(|(rate, _)| rate)
    };
    let played = |agent| {
        let of = |pairing: &&wurfel_arena::Pairing| pairing.agents.contains(&agent);
        pairings.iter().filter(of).map(|pairing| pairing.score.games()).sum()
    };
    let standings: Vec<_> = (0..agents.len()).map(|agent| standing(agent, &pairings)).collect();
    let mut order: Vec<usize> = (0..agents.len()).collect();
    order.sort_by(|&one, &other| standings[other].0.total_cmp(&standings[one].0));
    let shown = |&agent: &usize| Standing {
        agent: agents[agent].clone(),
        games: played(agent),
        rate: standings[agent].0,
        low: standings[agent].1.low,
        high: standings[agent].1.high,
        against: order.iter().map(|&other| rate(agent, other)).collect(),
    };
    let complete = pairings.len() == agents.len() * agents.len().saturating_sub(1) / 2;
    Some(Run::Tournament { complete, standings: order.iter().map(shown).collect() })
}

fn games(text: &str) -> Option<Run> {
    let mut lines = text.lines();
    let header: Header = serde_json::from_str(lines.next()?).ok()?;
    let mut games: Vec<GameRecord> =
        lines.map_while(|line| serde_json::from_str(line).ok()).collect();
    let mut score = [0; 3];
    for game in &games {
        let place = match (game.result.as_str(), game.first) {
            ("1-0", 0) | ("0-1", 1) => 0,
            ("1-0" | "0-1", _) => 2,
            _ => 1,
        };
        score[place] += 1;
    }
    let played = games.len();
    games.drain(..played.saturating_sub(MOST_GAMES));
    let Header { agents, game, pairs, .. } = header;
    Some(Run::Match { agents, game, played, wanted: 2 * pairs, score, games })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_arena::Tournament;
    use wurfel_game::Budget;
    use wurfel_games::einstein::Einstein;

    #[test]
    fn a_tournament_is_read_and_nothing_outside_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let runs = folder.path().join("runs");
        std::fs::create_dir(&runs).unwrap();
        std::fs::write(folder.path().join("secret"), "{}").unwrap();
        std::fs::write(runs.join("notes.txt"), "not a run").unwrap();
        let specs = ["random", "greedy"].map(|text| text.parse().unwrap()).to_vec();
        let tournament =
            Tournament { specs, pairs: 10, seed: 1, budget: Budget::default(), luck: false };
        let file = runs.join("all.jsonl");
        tournament.run::<Einstein>(1, Some(&file), &mut |_, _| ()).unwrap();
        assert_eq!(list(Some(&runs)).unwrap(), ["all.jsonl", "notes.txt"]);
        let Run::Tournament { complete, standings } = read(Some(&runs), "all.jsonl").unwrap()
        else {
            panic!("a tournament was written");
        };
        assert!(complete && standings[0].agent == "greedy" && standings[0].games == 20);
        assert_eq!(standings[0].against, [None, Some(standings[0].rate)]);
        for name in ["../secret", "..", "", "/etc/passwd", "none"] {
            assert!(matches!(read(Some(&runs), name), Err(RunError::Unknown)), "{name}");
        }
        assert!(matches!(read(Some(&runs), "notes.txt"), Err(RunError::Strange(_))));
        assert!(matches!(list(None), Err(RunError::None)));
    }
}
