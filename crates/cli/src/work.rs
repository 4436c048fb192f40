//! The number of threads, the files of a match and the progress bar, which long-running commands share.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use std::{fmt, io};

use anyhow::bail;
use clap::{Args, ValueEnum};
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use wurfel_agents::{Spec, searches};
use wurfel_arena::{MatchHeader, NotWhole, Output, Resumed, SetUps};

use crate::bounds::whole;
use crate::terminal::draws;

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
    pub fn open(&self, header: &MatchHeader) -> anyhow::Result<Option<(Output, Vec<Resumed>)>> {
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
    /// Drawn at random, anew for each pair of games
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
pub fn warn_incomplete(name: &str, not_whole: Option<NotWhole>) -> io::Result<()> {
    match not_whole {
        Some(missing) => writeln!(io::stderr(), "{name} is incomplete: {missing}"),
        None => Ok(()),
    }
}

/// The number of CPUs that the program may use.
pub fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A progress bar on standard error, invisible when this is not a terminal or when `hidden`.
pub fn bar(length: u64, what: &str, hidden: bool) -> ProgressBar {
    if hidden || !draws(&io::stderr()) {
        return ProgressBar::hidden();
    }
    ticking(ProgressBar::new(length), style_of(&in_a_line(what)))
}

/// Shows on a terminal how much of something is done where nobody knows how much there is; invisible as
/// [`bar`] is.
pub fn counter(what: &str, hidden: bool) -> ProgressBar {
    if hidden || !draws(&io::stderr()) {
        return ProgressBar::hidden();
    }
    let style = format!("{{spinner}} {{human_pos}} {what}, {{elapsed}}");
    ticking(ProgressBar::new_spinner(), style_of(&style))
}

/// The template of a bar. The message is cut off on the right where it does not fit into the line.
fn in_a_line(what: &str) -> String {
    format!("{{bar:20}} {{human_pos}}/{{human_len}} {what}{{left}}  {{wide_msg}}")
}

/// A progress bar whose length becomes known during the work. Until then it shows how long the work
/// has been going on.
pub struct OpenBar {
    bar: ProgressBar,
    what: &'static str,
}

impl OpenBar {
    /// A bar without a known length, invisible as [`bar`] is.
    pub fn new(what: &'static str, hidden: bool) -> Self {
        Self { bar: spinner(what, hidden), what }
    }

    /// Shows that `done` of `of` are done.
    pub fn show(&self, done: u64, of: u64) {
        if self.bar.length().is_none() && !self.bar.is_hidden() {
            self.bar.set_style(style_of(&in_a_line(self.what)));
        }
        self.bar.set_length(of);
        self.bar.set_position(done);
    }

    /// Shows a message beside the bar.
    pub fn show_message(&self, text: String) {
        self.bar.set_message(text);
    }
}

impl Drop for OpenBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A progress bar with room for a table below it, its message.
pub fn bar_over_table(length: u64, what: &str, hidden: bool) -> ProgressBar {
    let bar = bar(length, what, hidden);
    if !bar.is_hidden() {
        let style = format!("{{bar:20}} {{human_pos}}/{{human_len}} {what}{{left}}\n{{msg}}");
        bar.set_style(style_of(&style));
    }
    bar
}

/// A word, quoted for a shell if necessary.
pub fn quoted(word: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "/._-".contains(character);
    if word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Shows on a terminal how long work has been going on whose progress is not known. Work that takes
/// less than half a second shows nothing.
pub fn waiting(what: &str, hidden: bool) -> Waiting {
    Waiting(spinner(what, hidden))
}

/// A spinner, and for how long the work has been going on; invisible as [`bar`] is.
fn spinner(what: &str, hidden: bool) -> ProgressBar {
    if hidden || !draws(&io::stderr()) {
        return ProgressBar::hidden();
    }
    let style = format!("{{spinner}} {what}, {{elapsed}}");
    ticking(ProgressBar::new_spinner(), style_of(&style))
}

/// The bar in this style, redrawn regularly so that its time advances even while nothing happens.
fn ticking(bar: ProgressBar, style: ProgressStyle) -> ProgressBar {
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn style_of(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("left", |state: &ProgressState, out: &mut dyn fmt::Write| {
        // Before anything is done, nobody knows how long the rest takes.
        if state.pos() > 0 {
            let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
        }
    })
}

/// A line that is shown until the work is done.
pub struct Waiting(ProgressBar);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
