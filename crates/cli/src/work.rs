//! What commands that work for long share: how many threads, and how far it is.

use std::io::{self, IsTerminal};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use wurfel_arena::{Spec, searches};

/// The option that says how many threads work.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Jobs {
    /// Threads (all CPUs by default)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl Jobs {
    /// How many threads.
    pub fn count(self) -> usize {
        self.jobs.map_or_else(cpus, usize::from)
    }
}

/// When luck is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Luck {
    /// When an agent searches
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

/// The threads that work when nobody says how many.
pub fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A progress bar on a terminal, nothing elsewhere or when `hidden`.
pub fn bar(length: u64, what: &str, hidden: bool) -> ProgressBar {
    if hidden || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = format!("{{bar:30}} {{human_pos}}/{{human_len}} {what}  {{msg}}  {{eta}} left");
    let style = ProgressStyle::with_template(&style);
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
