//! A tournament that a TOML file describes, which `wurfel tournament FILE.toml` plays.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use indicatif::ProgressBar;
use serde::Serialize;
use wurfel::game;
use wurfel_arena::{CupDefinition, CupFormat, CupState, Standings};
use wurfel_core::read_text;

use crate::json::write_json;
use crate::options::{Jobs, quoted};
use crate::progress::bar_over_table;
use crate::{Done, given_up, stop};

/// The time between two lines of standings where no terminal shows them.
const REPORT_EVERY: Duration = Duration::from_secs(10);
/// Maximum number of participants that are shown while games are played.
const MAX_SHOWN: usize = 12;
/// Maximum number of participants that a line of the standings names.
const MAX_NAMED: usize = 3;

/// The command that plays the tournament of a file.
pub struct CupCommand {
    /// The file, as it was typed.
    file: PathBuf,
    definition: CupDefinition,
    out: PathBuf,
    jobs: Jobs,
    json: bool,
}

impl CupCommand {
    /// Reads the file of a tournament. The games go to `out` or, by default, to a file beside it.
    pub fn read(file: &Path, out: Option<PathBuf>, jobs: Jobs, json: bool) -> anyhow::Result<Self> {
        let name = || format!("'{}'", file.display());
        let text = read_text(file).with_context(name)?;
        let definition =
            CupDefinition::read(&text).map_err(|error| anyhow!("{}: {error}", name()))?;
        let out = out.unwrap_or_else(|| file.with_extension("jsonl"));
        Ok(Self { file: file.to_owned(), definition, out, jobs, json })
    }

    /// The command line that resumes the tournament.
    fn resume_command(&self) -> String {
        let [file, out] = [&self.file, &self.out].map(|path| quoted(path.display()));
        format!("wurfel tournament {file} --out {out}")
    }
}

impl CupCommand {
    /// Plays the tournament and writes its standings to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let definition = &self.definition;
        let cup = game(&definition.game)?
            .cup(definition.clone(), Some(stop::on_ctrl_c()))
            .with_context(|| format!("'{}'", self.file.display()))?;
        let mut live = Live::new(definition, self.json);
        let jobs = self.jobs.count_or(definition.jobs);
        let played = stop::working(|| cup.run(jobs, &self.out, &mut |state| live.show(state)));
        live.bar.finish_and_clear();
        let state = played?;
        let standings = Standings::new(definition, &state.meetings, state.complete)
            .with_ratings(definition, &state.meetings);
        let given_up = state.given_up.as_ref();
        if self.json {
            let given_up = given_up.map(ToString::to_string);
            write_json(&CupAnswer { standings: &standings, given_up }, out)?;
        } else {
            given_up::text(given_up, out)?;
            write!(out, "{}", standings.text())?;
        }
        out.flush()?;
        if state.complete {
            return Ok(Done::All);
        }
        let played = standings.games;
        let (ended, done) = given_up::early_end(given_up);
        writeln!(
            io::stderr(),
            "{ended} after {played} games; `{}` resumes it",
            self.resume_command()
        )?;
        Ok(done)
    }
}

/// The answer in JSON.
#[derive(Serialize)]
struct CupAnswer<'a> {
    #[serde(flatten)]
    standings: &'a Standings,
    #[serde(skip_serializing_if = "Option::is_none")]
    given_up: Option<String>,
}

/// The standings while games are played: drawn on a terminal, and elsewhere written line by line.
struct Live<'a> {
    definition: &'a CupDefinition,
    bar: ProgressBar,
    silent: bool,
    /// When the last line was written, and how many games had been played then.
    last_report: (Instant, u64),
}

impl<'a> Live<'a> {
    fn new(definition: &'a CupDefinition, silent: bool) -> Self {
        let bar = bar_over_table(definition.max_games(), "games", silent);
        Self { definition, bar, silent, last_report: (Instant::now(), 0) }
    }

    fn show(&mut self, state: &CupState) {
        let wanted = state.meetings.iter().map(|meeting| meeting.games.len() as u64).sum();
        let played = state.meetings.iter().map(|meeting| meeting.played().count() as u64).sum();
        if !self.bar.is_hidden() {
            if matches!(self.definition.format, CupFormat::Knockout | CupFormat::Ccgc) {
                // The number of games is not known in advance.
                self.bar.set_length(wanted);
            }
            self.bar.set_position(played);
            self.bar.set_message(self.standings(state).short_text(MAX_SHOWN));
        } else if !self.silent && played > self.last_report.1 {
            let round_is_over = played == wanted;
            if round_is_over || self.last_report.0.elapsed() > REPORT_EVERY {
                self.last_report = (Instant::now(), played);
                // Standard error may be closed, and then nobody wants this line.
                let _ = writeln!(io::stderr(), "{played} games: {}", self.leaders(state));
            }
        }
    }

    fn standings(&self, state: &CupState) -> Standings {
        Standings::new(self.definition, &state.meetings, state.complete)
    }

    /// The first participants, in words.
    fn leaders(&self, state: &CupState) -> String {
        let standings = self.standings(state);
        let first = standings.rows.iter().take(MAX_NAMED);
        let named =
            first.map(|row| format!("{}. {} {:.1} %", row.rank, row.name, 100.0 * row.rate));
        named.collect::<Vec<_>>().join(", ")
    }
}
