//! The file of a session: JSON lines, the first of which has the settings, and then one for each entry.
//!
//! An entry is on the disk before it is acknowledged, so a program that is killed loses at most a
//! last line that is half written. Each line ends with a checksum over itself and the line before:
//! a file that was changed or damaged is refused, instead of leading to another game.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use wurfel_core::{checksum, in_one_line};
use wurfel_games::Playable;

use crate::records::draft::{Draft, OutputError, unfinished};

use super::entry::SessionEntry;
use super::settings::SessionSettings;
use super::state::Session;

/// The name of the format, in the first line.
const FORMAT: &str = "wurfel-session";
/// The version of the format; a reader refuses a version it does not know.
const VERSION: u32 = 1;

/// Why a session cannot be written or read. Displays as one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// Its file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The file does not hold what was written to it.
    #[error("'{path}', line {line}: {problem}")]
    Damaged {
        /// The journal of the session.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it, and what was expected.
        problem: String,
    },
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    program: String,
    settings: SessionSettings,
}

/// The file of an unfinished session. Its name ends in `.part` until the session is finished.
#[derive(Debug)]
pub struct SessionFile {
    draft: Draft,
    /// The checksum of the last line.
    sum: u64,
}

impl SessionFile {
    /// Begins the file of a new session.
    ///
    /// # Errors
    /// When there is such a file, finished or not, or the system refuses.
    pub fn begin(path: &Path, settings: &SessionSettings) -> Result<Self, SessionError> {
        let draft = Draft::begun(path.to_owned(), "")?;
        let mut file = Self { draft, sum: 0 };
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: concat!("wurfel ", env!("CARGO_PKG_VERSION")).to_owned(),
            settings: settings.clone(),
        };
        file.write_lines(&[header])?;
        Ok(file)
    }

    /// Opens the file that an earlier run has left; `None` when there is none. An incomplete last
    /// line, which was never acknowledged, is cut off.
    ///
    /// # Errors
    /// When the file is damaged, another program is writing it, or the system refuses.
    pub fn resume<G: Playable>(path: &Path) -> Result<Option<(Self, Session<G>)>, SessionError> {
        let part = unfinished(path);
        if !part.exists() {
            return Ok(None);
        }
        let mut draft = Draft::open(path.to_owned())?;
        let mut lines = vec![];
        draft.keep(|_, line| {
            lines.push(line.to_owned());
            Ok(true)
        })?;
        if lines.is_empty() {
            return Ok(None);
        }
        let (session, sum) = replayed(&lines).map_err(|(line, problem)| SessionError::Damaged {
            path: part,
            line,
            problem,
        })?;
        Ok(Some((Self { draft, sum }, session)))
    }

    /// The game of the session that an earlier run has left; `None` when there is no such session.
    pub fn game_of(path: &Path) -> Option<String> {
        let text = std::fs::read(unfinished(path)).ok()?;
        let line = text.split(|&byte| byte == b'\n').next()?;
        let (body, _) = parted(std::str::from_utf8(line).ok()?)?;
        serde_json::from_str::<Header>(&body).ok().map(|header| header.settings.game)
    }

    /// Appends entries, and returns when they are on the disk.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn write(&mut self, entries: &[SessionEntry]) -> Result<(), SessionError> {
        self.write_lines(entries)
    }

    /// Gives the file its final name: the session is over.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn finish(self) -> Result<(), SessionError> {
        Ok(self.draft.finish()?)
    }

    fn write_lines(&mut self, lines: &[impl Serialize]) -> Result<(), SessionError> {
        let mut text = String::new();
        for line in lines {
            let body = serde_json::to_string(line).unwrap_or_default();
            self.sum = chained(self.sum, &body);
            let open = body.strip_suffix('}').unwrap_or_default();
            let sum = format!(",\"sum\":\"{:016x}\"}}\n", self.sum);
            text.extend([open, sum.as_str()]);
        }
        self.draft.write(text.as_bytes())?;
        Ok(self.draft.sync()?)
    }
}

/// The checksum of a line, which depends on all lines before it.
fn chained(before: u64, body: &str) -> u64 {
    checksum(format!("{before:016x}{body}").as_bytes())
}

/// A line split into its text before the checksum was added and the checksum.
fn parted(line: &str) -> Option<(String, u64)> {
    let (body, sum) = line.strip_suffix("\"}")?.rsplit_once(",\"sum\":\"")?;
    Some((format!("{body}}}"), u64::from_str_radix(sum, 16).ok()?))
}

/// The session that these lines describe, and the checksum of the last one; or the number of the
/// line that is wrong, and why.
fn replayed<G: Playable>(lines: &[String]) -> Result<(Session<G>, u64), (usize, String)> {
    let mut sum = 0;
    let mut bodies = vec![];
    for (line, number) in lines.iter().zip(1..) {
        let parted = parted(line).filter(|(body, found)| chained(sum, body) == *found);
        let Some((body, found)) = parted else {
            return Err((number, "expected the line as it was written: it is damaged".to_owned()));
        };
        sum = found;
        bodies.push(body);
    }
    let wrong = |number: usize| move |error: serde_json::Error| (number, in_one_line(error));
    let (first, entries) = bodies.split_first().ok_or((1, "expected a header".to_owned()))?;
    let header: Header = serde_json::from_str(first).map_err(wrong(1))?;
    if (header.format.as_str(), header.version) != (FORMAT, VERSION) {
        return Err((1, format!("expected format {FORMAT}, version {VERSION}")));
    }
    let mut session = Session::new(header.settings).map_err(|error| (1, error.to_string()))?;
    for (body, number) in entries.iter().zip(2..) {
        let entry: SessionEntry = serde_json::from_str(body).map_err(wrong(number))?;
        session.apply(entry).map_err(|error| (number, error.to_string()))?;
    }
    Ok((session, sum))
}
