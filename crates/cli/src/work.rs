//! What long-running commands share: the number of threads and the progress bar.

use std::io::{self, IsTerminal};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use wurfel_arena::{Spec, searches};

/// The option for the number of threads.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Jobs {
    /// Number of threads (all CPUs by default)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl Jobs {
    /// The number of threads, by default that of the CPUs.
    pub fn count(self) -> usize {
        self.jobs.map_or_else(cpus, usize::from)
    }
}

/// Whether the luck of games is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Luck {
    /// If one of the agents searches
    Auto,
    /// Always
    On,
    /// Never
    Off,
}

impl Luck {
    /// Whether the luck of games between these agents is measured.
    pub fn is_measured<'a>(self, mut agents: impl Iterator<Item = &'a Spec>) -> bool {
        self == Self::On || self == Self::Auto && agents.any(searches)
    }
}

/// The number of CPUs that the program may use.
pub fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A progress bar on standard error, invisible when that is no terminal or when `hidden`.
pub fn bar(length: u64, what: &str, hidden: bool) -> ProgressBar {
    if hidden || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = format!("{{bar:30}} {{human_pos}}/{{human_len}} {what}  {{msg}}  {{eta}} left");
    let style = ProgressStyle::with_template(&style);
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
