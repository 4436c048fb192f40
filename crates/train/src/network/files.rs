//! Reads and writes the files of a run. Each is replaced as a whole, so that a program that is
//! killed leaves either the old file or the new one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use wurfel_games::Learnable;

use serde::{Deserialize, Serialize};
use wurfel_core::files::{FileError, write_whole};
use wurfel_core::{Outcome, Side, Situation, checksum_text, in_one_line};
use wurfel_net::Model;

use super::error::RunError;
use super::games::{PlayedGame, Resignation, Sample};

/// A sample as a JSON line.
#[derive(Serialize, Deserialize)]
struct Line {
    /// A position, with its roll if it has one.
    turn: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    policy: Vec<f32>,
    value: f32,
}

/// The JSON line of a game, which comes before those of its samples.
#[derive(Serialize, Deserialize)]
struct GameLine {
    /// How many of the following lines belong to the game.
    samples: usize,
    plies: u32,
    /// 1 when the first side won, 0 when it lost, ½ for a draw; missing for a scattered turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resignation: Option<Resignation>,
}

/// Games as lines of JSON, to be played on one machine and learned from on another.
///
/// # Errors
/// When a number cannot be written in JSON.
pub fn games_to<G: Learnable>(games: &[PlayedGame<G>]) -> Result<Vec<u8>, serde_json::Error> {
    let mut text = vec![];
    for PlayedGame { samples, plies, outcome, resignation } in games {
        let result = outcome.map(|outcome| outcome.value_for(Side::First));
        let (plies, resignation) = (*plies, *resignation);
        let line = GameLine { samples: samples.len(), plies, result, resignation };
        serde_json::to_writer(&mut text, &line)?;
        text.push(b'\n');
        text.extend(samples_to(samples)?);
    }
    Ok(text)
}

/// Reads the lines that [`games_to`] has written of games by these rules.
///
/// # Errors
/// Says in one line which line is wrong, and what is wrong with it.
pub fn games_from<G: Learnable>(rules: &G, text: &str) -> Result<Vec<PlayedGame<G>>, String> {
    let (mut games, mut lines) = (vec![], (1..).zip(text.lines()));
    while let Some((number, line)) = lines.next() {
        let line: GameLine = serde_json::from_str(line).map_err(|error| wrong(number, &error))?;
        let own = lines
            .by_ref()
            .take(line.samples)
            .map(|(number, line)| sample_from(rules, number, line));
        let samples = own.collect::<Result<Vec<_>, _>>()?;
        if samples.len() < line.samples {
            return Err(wrong(number, &format!("{} of {} samples", samples.len(), line.samples)));
        }
        let outcome = line.result.map(|result| match result {
            won if won > 0.75 => Outcome::Win(Side::First),
            lost if lost < 0.25 => Outcome::Win(Side::Second),
            _ => Outcome::Draw,
        });
        let GameLine { plies, resignation, .. } = line;
        games.push(PlayedGame { samples, plies, outcome, resignation });
    }
    Ok(games)
}

/// Samples as lines of JSON: the turn, the policy target, the value target.
pub fn samples_to<G: Learnable>(samples: &[Sample<G>]) -> Result<Vec<u8>, serde_json::Error> {
    let mut text = vec![];
    for Sample { situation, policy, value } in samples {
        let line = Line { turn: situation.to_string(), policy: policy.clone(), value: *value };
        serde_json::to_writer(&mut text, &line)?;
        text.push(b'\n');
    }
    Ok(text)
}

/// Reads one of the lines that [`samples_to`] has written.
fn sample_from<G: Learnable>(rules: &G, number: usize, line: &str) -> Result<Sample<G>, String> {
    let bad = |why: &dyn ToString| wrong(number, why);
    let line: Line = serde_json::from_str(line).map_err(|error| bad(&error))?;
    let situation = rules.read_alike(&line.turn).map_err(|error| bad(&error))?;
    let Situation { position, roll } = &situation;
    let moves = roll.map_or(0, |roll| position.count(roll));
    if position.outcome().is_some() || moves != line.policy.len() {
        return Err(bad(&"the number of shares is not that of the legal moves"));
    }
    // A number that is too large for its type is read as infinity, which JSON cannot express.
    if !line.policy.iter().chain([&line.value]).all(|number| number.is_finite()) {
        return Err(bad(&"a share or the value is too large"));
    }
    Ok(Sample { situation, policy: line.policy, value: line.value })
}

/// The message for a line that cannot be used.
fn wrong(number: usize, why: &dyn ToString) -> String {
    in_one_line(format!("line {number}: {}", why.to_string()))
}

/// Writes the samples of a round, and returns the checksum of the file.
pub fn write_samples<G: Learnable>(path: &Path, samples: &[Sample<G>]) -> Result<String, RunError> {
    let text = samples_to(samples).map_err(|error| failed(path, &error))?;
    write_whole(path, &text)?;
    Ok(checksum_text(text))
}

/// Reads the samples of a round, and checks that they are those that its metrics record: that many,
/// with this checksum if there is one.
pub fn read_samples<G: Learnable>(
    rules: &G,
    path: &Path,
    positions: usize,
    checksum: &str,
) -> Result<Vec<Sample<G>>, RunError> {
    let text = fs::read_to_string(path).map_err(FileError::at(path))?;
    let samples = (1..).zip(text.lines()).map(|(number, line)| sample_from(rules, number, line));
    let samples = samples.collect::<Result<Vec<_>, _>>().map_err(|error| failed(path, &error))?;
    if samples.len() != positions {
        let is = samples.len();
        return Err(failed(
            path,
            &format!("{is} positions, not {positions} as metrics.jsonl says"),
        ));
    }
    if !checksum.is_empty() && checksum != checksum_text(&text) {
        return Err(failed(path, &"its checksum is not the one in metrics.jsonl"));
    }
    Ok(samples)
}

pub fn read_model(path: &Path) -> Result<Model, RunError> {
    let bytes = fs::read(path).map_err(FileError::at(path))?;
    Model::from_bytes(&bytes).map_err(|error| failed(path, &error))
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
    Ok(write().map_err(FileError::at(path))?)
}

/// The error for a file that is wrong.
pub fn failed(path: &Path, why: &impl ToString) -> RunError {
    RunError::Unusable(path.to_owned(), why.to_string())
}

#[cfg(test)]
mod tests {
    use wurfel_games::einstein::Einstein;

    use super::games_from;

    /// JSON has no infinity: games with such a sample were read, but could not be read again after
    /// they were written.
    #[test]
    fn a_sample_with_a_number_that_is_too_large_is_refused() {
        let turn = "ABC2/DE3/F3f/3ed/2cba r - 1";
        let text = |value: &str| {
            format!("{{\"samples\":1,\"plies\":3}}\n{{\"turn\":\"{turn}\",\"value\":{value}}}\n")
        };
        assert!(games_from(&Einstein::default(), &text("0.5")).is_ok());
        let error = games_from(&Einstein::default(), &text("1e39")).unwrap_err();
        assert_eq!(error, "line 2: number out of range at line 1 column 50");
    }

    #[test]
    fn an_error_that_quotes_a_line_break_is_one_line() {
        let text = "{\"samples\":0,\"plies\":9,\"resignation\":\"played\\n\"}";
        let error = games_from(&Einstein::default(), text).unwrap_err();
        assert!(error.starts_with("line 1: unknown variant `played\\n`"), "{error}");
    }
}
