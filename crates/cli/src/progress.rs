//! Progress on standard error: bars, counters, and for how long work has been going on.

use std::time::Duration;
use std::{fmt, io};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use crate::terminal::draws;

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
    let style = format!("{{spinner}} {{human_pos}} {what}, {{elapsed}}  {{wide_msg}}");
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
