//! Options that several commands have: the number of threads, the files of a match, its luck and its
//! set-ups; and parts of their messages about files and about commands to type.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use wurfel_agents::{Spec, searches};
use wurfel_arena::{MatchHeader, MissingResults, Output, ResumedGame, SetUps};

use crate::bounds::whole;

/// The option for the number of threads.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Jobs {
    /// Number of threads (all CPUs by default)
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
}

impl Jobs {
    /// The number of threads, by default that of the CPUs.
    pub fn count(self) -> usize {
        self.count_or(None)
    }

    /// The number of threads, `default`, or else that of the CPUs.
    pub fn count_or(self, default: Option<usize>) -> usize {
        self.jobs.map(usize::from).or(default).unwrap_or_else(cpus)
    }
}

/// The options for the files of a match.
#[derive(Args, Debug)]
pub struct OutOptions {
    /// Write every game to this file
    #[arg(long)]
    out: Option<PathBuf>,
    /// Write tables of the games and of the moves in CSV beside that file, with the time of each move
    #[arg(long, requires = "out")]
    csv: bool,
}

impl OutOptions {
    /// Opens the files of a match with this header, if they are wanted, and reads what an interrupted
    /// run has left there.
    pub fn open(&self, header: &MatchHeader) -> anyhow::Result<Option<(Output, Vec<ResumedGame>)>> {
        match &self.out {
            Some(path) if path.file_name().is_none() || path.is_dir() => {
                bail!("--out '{}': expected the name of a file", path.display())
            }
            Some(path) => Ok(Some(Output::open(path, header, self.csv)?)),
            None => Ok(None),
        }
    }

    /// Whether the games are written.
    pub fn is_wanted(&self) -> bool {
        self.out.is_some()
    }

    /// Whether a match that is resumed knows the times of the moves before.
    pub fn records_times(&self) -> bool {
        self.csv
    }
}

/// Whether the luck of games is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LuckOption {
    /// If one of the agents searches
    Auto,
    /// Always
    On,
    /// Never
    Off,
}

impl LuckOption {
    /// Whether the luck of games between these agents is measured.
    pub fn is_measured<'a>(self, mut agents: impl Iterator<Item = &'a Spec>) -> bool {
        self == Self::On || self == Self::Auto && agents.any(searches)
    }
}

/// Where the set-ups of games come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Arrange {
    /// Drawn at random for each pair of games
    Random,
    /// Chosen by each agent for itself, before it has seen the other's
    Chosen,
}

impl From<Arrange> for SetUps {
    fn from(arrange: Arrange) -> Self {
        match arrange {
            Arrange::Random => Self::Random,
            Arrange::Chosen => Self::Chosen,
        }
    }
}

/// Warns that a file of games, which is used nevertheless, is incomplete.
pub fn warn_incomplete(name: &str, missing: Option<MissingResults>) -> io::Result<()> {
    match missing {
        Some(missing) => writeln!(io::stderr(), "{name} is incomplete: {missing}"),
        None => Ok(()),
    }
}

/// The number of CPUs that the program may use.
pub fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A word, quoted for a shell if necessary.
pub fn quoted(word: impl Display) -> String {
    let word = word.to_string();
    let plain = |character: char| character.is_ascii_alphanumeric() || "/._-".contains(character);
    if word.chars().all(plain) { word } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
