//! Files of labelled positions. The first line is JSON and says how the positions were made; each
//! further line has the number of the game, the position and its value, separated by tabs.

use std::io::Write;
use std::path::{Path, PathBuf};
use wurfel_core::files::FileError;
use wurfel_games::Learnable;

use serde::{Deserialize, Serialize};
use wurfel_arena::{Draft, OutputError};
use wurfel_core::read_text;

use crate::{Labelled, Labels};

/// How the positions of a file were made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PositionsHeader {
    /// The rule set of the positions.
    pub game: String,
    /// The evaluation at the leaves of the search; for parameters from a file, it is `learned` and
    /// their checksum.
    pub eval: String,
    /// Turns that the search looked ahead.
    pub depth: u32,
    /// The number of games that the positions come from.
    pub games: u64,
    /// The seed for the games.
    pub seed: u64,
    /// The λ of TD(λ): the weight of the searches of later turns in the values.
    #[serde(default, skip_serializing_if = "nothing")]
    pub lambda: f32,
    /// How many rolls were sampled for each value; 0 where all were searched.
    #[serde(default, skip_serializing_if = "none")]
    pub rolls: u32,
    /// Whether only rolls that do not win at once were rolled.
    #[serde(default, skip_serializing_if = "is_false")]
    pub without_wins: bool,
    /// Whether a value is the mean over all rolls, those that win at once included.
    #[serde(default, skip_serializing_if = "is_false")]
    pub all_rolls: bool,
    /// The number of further positions at the end of each turn that were labelled.
    #[serde(default, skip_serializing_if = "none")]
    pub alternatives: u32,
    /// The version of the program.
    pub version: String,
}

/// Whether each value comes from a single search. This is also the default for files without the
/// entry.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn nothing(lambda: &f32) -> bool {
    *lambda <= 0.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn none(rolls: &u32) -> bool {
    *rolls == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

impl PositionsHeader {
    /// The first line of the file.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// The header of a file that this program is about to write.
    pub fn new(game: &str, eval: String, games: u64, labels: Labels) -> Self {
        let Labels { depth, seed, lambda, rolls, all_rolls, without_wins, alternatives } = labels;
        Self {
            game: game.to_owned(),
            eval,
            depth,
            games,
            seed,
            lambda,
            rolls,
            without_wins,
            all_rolls,
            alternatives,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// Why a file of positions cannot be read. Displays as one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PositionsError {
    /// The system refused.
    #[error(transparent)]
    File(#[from] FileError),
    /// The first line is not the header of such a file.
    #[error("'{0}': expected a file of positions of {1}")]
    WrongHeader(PathBuf, &'static str),
    /// A line cannot be read.
    #[error("'{0}', line {1}: expected game, position and value from 0 to 1, separated by tabs")]
    Line(PathBuf, usize),
}

/// A file of positions that is being written.
#[derive(Debug)]
pub struct PositionsFile {
    draft: Draft,
}

impl PositionsFile {
    /// Opens a file for writing, and returns the number of the next game: 0, or the one at which an
    /// interrupted run with the same settings ended.
    ///
    /// # Errors
    /// When the file already exists, an unfinished file of other work is in the way, or the system
    /// refuses.
    pub fn open(path: &Path, settings: &PositionsHeader) -> Result<(Self, u64), OutputError> {
        let header = settings.line();
        let mut draft = Draft::begin(path.to_owned(), &header)?;
        // The last game may be incomplete, so it is played again.
        let game = |line: &str| line.split('\t').next()?.parse::<u64>().ok();
        let mut last = 0;
        draft.retain_lines(|number, line| {
            if number > 0 {
                last = game(line).ok_or("expected the number of a game before a tab")?;
            }
            Ok(true)
        })?;
        if draft.retain_lines(|number, line| Ok(number == 0 || game(line) < Some(last)))? == 0 {
            draft.write(header.as_bytes())?;
        }
        Ok((Self { draft }, last))
    }

    /// Adds the lines of a game, as [`write_game`] makes them.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn add(&mut self, lines: &[u8]) -> Result<(), OutputError> {
        self.draft.write(lines)
    }

    /// Keeps the unfinished file, so that a later run can resume.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn suspend(mut self) -> Result<(), OutputError> {
        self.draft.sync()
    }

    /// Gives the complete file its final name.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn finish(self) -> Result<(), OutputError> {
        self.draft.finish()
    }
}

/// Appends the lines of a game's positions in the format of the file.
pub fn write_game<G: Learnable>(lines: &mut Vec<u8>, game: u64, positions: &[Labelled<G>]) {
    for Labelled { position, value } in positions {
        // Writing into memory cannot fail.
        let _ = writeln!(lines, "{game}\t{position}\t{value}");
    }
}

/// Reads a file of positions by these rules.
///
/// # Errors
/// Names the file and the line that cannot be read.
pub fn read_positions<G: Learnable>(
    rules: &G,
    path: &Path,
) -> Result<Vec<Labelled<G>>, PositionsError> {
    let text = read_text(path).map_err(FileError::at(path))?;
    let mut lines = text.lines();
    let settings = lines.next().and_then(|line| serde_json::from_str::<PositionsHeader>(line).ok());
    if settings.is_none_or(|settings| settings.game != rules.name()) {
        return Err(PositionsError::WrongHeader(path.to_owned(), rules.name()));
    }
    let labelled = |line: &str| {
        let mut fields = line.split('\t').skip(1);
        let position = rules.read_at_rest_alike(fields.next()?).ok()?;
        let value = fields.next()?.parse::<f32>().ok()?;
        let fits =
            fields.next().is_none() && (0.0..=1.0).contains(&value) && position.outcome().is_none();
        fits.then_some(Labelled { position, value })
    };
    (2..)
        .zip(lines)
        .map(|(n, line)| labelled(line).ok_or_else(|| PositionsError::Line(path.to_owned(), n)))
        .collect()
}
