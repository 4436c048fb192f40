//! Reads and writes the files of a run. Each is replaced as a whole, so that a kill leaves the old
//! one or the new one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use wurfel_games::Learnable;

use serde::{Deserialize, Serialize};
use wurfel_arena::write_whole;
use wurfel_core::{Situation, checksum};

use super::error::RunError;
use super::games::Sample;
use super::metrics::Round;

/// A sample as a JSON line.
#[derive(Serialize, Deserialize)]
struct Line {
    /// A position, with its roll if it has one.
    turn: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    policy: Vec<f32>,
    value: f32,
}

/// Samples as lines of JSON: the turn, the policy target, the value target.
///
/// # Errors
/// When JSON has no form for a number.
pub fn samples_to<G: Learnable>(samples: &[Sample<G>]) -> Result<Vec<u8>, serde_json::Error> {
    let mut text = vec![];
    for Sample { situation, policy, value } in samples {
        let line = Line { turn: situation.to_string(), policy: policy.clone(), value: *value };
        serde_json::to_writer(&mut text, &line)?;
        text.push(b'\n');
    }
    Ok(text)
}

/// Reads what [`samples_to`] has written.
///
/// # Errors
/// Says in one line what is wrong with which line.
pub fn samples_from<G: Learnable>(text: &str) -> Result<Vec<Sample<G>>, String> {
    let mut samples = vec![];
    for (number, line) in (1..).zip(text.lines()) {
        let bad = |why: &dyn ToString| format!("line {number}: {}", why.to_string());
        let line: Line = serde_json::from_str(line).map_err(|error| bad(&error))?;
        let situation: Situation<G> = line.turn.parse().map_err(|error| bad(&error))?;
        let Situation { position, roll } = &situation;
        let moves = roll.map_or(0, |roll| position.count(roll));
        if position.outcome().is_some() || moves != line.policy.len() {
            return Err(bad(&"the number of shares is not that of the legal moves"));
        }
        samples.push(Sample { situation, policy: line.policy, value: line.value });
    }
    Ok(samples)
}

/// Writes the samples of a round, and returns the checksum of the file.
pub fn write_samples<G: Learnable>(path: &Path, samples: &[Sample<G>]) -> Result<String, RunError> {
    let text = samples_to(samples).map_err(|error| failed(path, &error))?;
    replace(path, &text)?;
    Ok(hexadecimal(&text))
}

fn hexadecimal(bytes: &[u8]) -> String {
    format!("{:016x}", checksum(bytes))
}

/// Reads the samples of a round, and checks that they are those that its metrics record.
pub fn read_samples<G: Learnable>(path: &Path, noted: &Round) -> Result<Vec<Sample<G>>, RunError> {
    let text = fs::read_to_string(path).map_err(refused(path))?;
    let samples = samples_from(&text).map_err(|error| failed(path, &error))?;
    if samples.len() != noted.positions {
        let (is, wanted) = (samples.len(), noted.positions);
        return Err(failed(path, &format!("{is} positions, not {wanted} as metrics.jsonl says")));
    }
    if !noted.games_checksum.is_empty() && noted.games_checksum != hexadecimal(text.as_bytes()) {
        return Err(failed(path, &"its checksum is not the one in metrics.jsonl"));
    }
    Ok(samples)
}

/// Replaces a file as a whole.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    write_whole(path, bytes).map_err(refused(path))
}

/// Appends a JSON line to a file and syncs it.
pub fn append_line(path: &Path, line: &impl Serialize) -> Result<(), RunError> {
    let mut bytes = serde_json::to_vec(line).map_err(|error| failed(path, &error))?;
    bytes.push(b'\n');
    append(path, &bytes)
}

/// Appends bytes to a file and syncs it.
pub fn append(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let write = || -> io::Result<()> {
        let mut file = File::options().create(true).append(true).open(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(refused(path))
}

/// The system refuses a file.
pub fn refused(path: &Path) -> impl FnOnce(io::Error) -> RunError {
    let path = path.to_owned();
    move |error| RunError::Io { path, error }
}

/// What is wrong with a file.
pub fn failed(path: &Path, why: &impl ToString) -> RunError {
    RunError::File(path.to_owned(), why.to_string())
}
