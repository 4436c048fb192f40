//! The file of a session: JSON lines, the first with the settings, and then one for each entry.
//!
//! An entry is on the disk before it is acknowledged, so a program that is killed loses at most a
//! last line that is half written. The lines are [chained](LineChain): a file that was changed or
//! damaged is refused, instead of leading to another game.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use wurfel_core::files::unfinished;
use wurfel_core::in_one_line;
use wurfel_games::Playable;

use crate::records::chain::LineChain;
use crate::records::draft::{Draft, OutputError};

use super::entry::SessionEntry;
use super::settings::SessionSettings;
use super::state::Session;

/// The name of the format, in the first line.
const FORMAT: &str = "wurfel-session";
/// The version of the format; a reader refuses a version it does not know.
const VERSION: u32 = 1;
/// How the first line begins; a test compares it with what is written.
const START: &str = "{\"format\":\"wurfel-session\",";

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
    chain: LineChain,
}

impl SessionFile {
    /// Begins the file of a new session.
    ///
    /// # Errors
    /// When there is such a file, finished or not, or the system refuses.
    pub fn begin(path: &Path, settings: &SessionSettings) -> Result<Self, SessionError> {
        let draft = Draft::begin(path.to_owned(), "")?;
        let mut file = Self { draft, chain: LineChain::default() };
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: concat!("wurfel ", env!("CARGO_PKG_VERSION")).to_owned(),
            settings: settings.clone(),
        };
        file.write_lines(&[header])?;
        Ok(file)
    }

    /// Opens the file that an earlier run left of a session by these rules; `None` when there is none.
    /// An incomplete last line, which was never acknowledged, is cut off once all lines before it have been
    /// checked.
    ///
    /// # Errors
    /// When the file is damaged, another program is writing it, or the system refuses; the file is then
    /// unchanged.
    pub fn resume<G: Playable>(
        rules: &G,
        path: &Path,
    ) -> Result<Option<(Self, Session<G>)>, SessionError> {
        if !unfinished(path).exists() {
            return Ok(None);
        }
        let mut draft = Draft::open(path.to_owned())?;
        draft.expect_start(START)?;
        let (mut chain, mut session) = (LineChain::default(), None);
        let lines = draft
            .retain_lines(|_, line| replay(rules, line, &mut chain, &mut session).map(|()| true));
        match lines {
            Err(OutputError::Damaged { path, line, problem }) => {
                Err(SessionError::Damaged { path, line, problem })
            }
            Err(error) => Err(error.into()),
            Ok(_) => Ok(session.map(|session| (Self { draft, chain }, session))),
        }
    }

    /// The game of the session that an earlier run has left; `None` when there is no such session.
    pub fn game_of(path: &Path) -> Option<String> {
        let text = std::fs::read(unfinished(path)).ok()?;
        let line = text.split(|&byte| byte == b'\n').next()?;
        let body = LineChain::body(std::str::from_utf8(line).ok()?)?;
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
        let text: String = lines.iter().map(|line| self.chain.next_line(line)).collect();
        self.draft.write(text.as_bytes())?;
        Ok(self.draft.sync()?)
    }
}

/// Adds a line to the chain and to the session, which the first line begins.
fn replay<G: Playable>(
    rules: &G,
    line: &str,
    chain: &mut LineChain,
    session: &mut Option<Session<G>>,
) -> Result<(), String> {
    let body = chain.read(line)?;
    let Some(session) = session else {
        let header: Header = serde_json::from_str(&body).map_err(in_one_line)?;
        if (header.format.as_str(), header.version) != (FORMAT, VERSION) {
            return Err(format!("expected format {FORMAT}, version {VERSION}"));
        }
        *session = Some(Session::new(rules, header.settings).map_err(|error| error.to_string())?);
        return Ok(());
    };
    let entry: SessionEntry = serde_json::from_str(&body).map_err(in_one_line)?;
    session.apply(entry).map_err(|error| error.to_string())
}
