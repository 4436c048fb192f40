//! The finished units of work, one line of JSON each, from which a killed run resumes.
//!
//! The first line identifies the run that the file belongs to; a run with another definition,
//! scale, seed or signature of searches is refused, because its units would be mixed with these.
//! Each unit is on the disk before the next one counts. A line that was cut off when the program
//! was killed is dropped. The lines are [chained](LineChain), so that any other damage, and any
//! change, is an error, which leaves the file as it is. The file is locked while a program works with
//! it.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wurfel_arena::LineChain;
use wurfel_core::files::{self, FileError};

use crate::machine::{now, signature};
use crate::scale::Scale;
use crate::{Experiment, LabError};

/// The name of the file.
pub const FILE: &str = "progress.jsonl";

/// The run that a file belongs to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The name of the experiment.
    pub experiment: String,
    /// The checksum of its definition.
    pub definition: String,
    /// The name of the scale.
    pub scale: String,
    /// The seed from which the seeds of all units follow.
    pub seed: u64,
    /// The signature of the program's searches.
    pub signature: String,
    /// The version of the program.
    pub version: String,
    /// When the run was begun.
    pub started: String,
}

impl Header {
    /// The header of a run that begins now.
    pub fn new(experiment: &Experiment, scale: Scale, seed: u64) -> Self {
        Self {
            experiment: experiment.name.clone(),
            definition: experiment.checksum.clone(),
            scale: scale.to_string(),
            seed,
            signature: signature(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started: now(),
        }
    }

    /// The difference between the run of a file and the wanted one; `None` if there is none.
    fn difference(&self, wanted: &Self) -> Option<String> {
        let [seed, wanted_seed] = [self.seed, wanted.seed].map(|seed| seed.to_string());
        for (what, there, wanted) in [
            ("experiment", &self.experiment, &wanted.experiment),
            ("scale", &self.scale, &wanted.scale),
            ("seed", &seed, &wanted_seed),
        ] {
            if there != wanted {
                return Some(format!("its {what} is {there}, not {wanted}"));
            }
        }
        if self.definition != wanted.definition {
            return Some("the experiment has a new definition".to_owned());
        }
        if self.signature != wanted.signature {
            return Some("the searches have been changed since then".to_owned());
        }
        None
    }
}

/// Whether a first line that was cut off can have been that of a header.
fn is_start(cut_off: &[u8]) -> bool {
    const START: &[u8] = b"{\"experiment\":\"";
    cut_off.starts_with(START) || START.starts_with(cut_off)
}

/// A finished unit.
#[derive(Serialize, Deserialize)]
pub(crate) struct Line {
    pub work: String,
    pub unit: u64,
    pub seconds: f64,
    pub result: Value,
}

/// The finished units of a run, with their file.
#[derive(Debug)]
pub struct Progress {
    path: PathBuf,
    file: File,
    chain: LineChain,
    /// The header that was written when the run was begun.
    header: Header,
    units: HashMap<(String, u64), Value>,
    /// The time of the units of each work.
    seconds: HashMap<String, f64>,
}

impl Progress {
    /// Begins the file of a run in a folder, or continues the one that an earlier run has left.
    ///
    /// # Errors
    /// When another program works in the folder, the file is damaged or belongs to another run, or
    /// the system refuses.
    pub fn open(folder: &Path, header: &Header) -> Result<Self, LabError> {
        let mut file = files::lock_folder(folder, FILE)?;
        let path = folder.join(FILE);
        let mut bytes = vec![];
        file.read_to_end(&mut bytes).map_err(FileError::at(&path))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let (text, cut_off) = bytes.split_at(whole);
        let mut progress = Self {
            path,
            file,
            chain: LineChain::default(),
            header: header.clone(),
            units: HashMap::new(),
            seconds: HashMap::new(),
        };
        if !text.is_empty() {
            progress.resume(&String::from_utf8_lossy(text), header)?;
        } else if !is_start(cut_off) {
            let path = progress.path.display();
            return Err(LabError::Input(format!(
                "'{path}', line 1: expected the units of a run: remove the file to start again"
            )));
        }
        // Only a file that was checked is cut.
        let cut = progress.file.set_len(whole as u64);
        cut.and_then(|()| progress.file.seek(SeekFrom::End(0)))
            .map_err(FileError::at(&progress.path))?;
        if text.is_empty() {
            progress.append(header)?;
        }
        Ok(progress)
    }

    fn resume(&mut self, text: &str, wanted: &Header) -> Result<(), LabError> {
        let path = self.path.display().to_string();
        let damaged = |line: usize, error: &dyn Display| {
            LabError::Input(format!(
                "'{path}', line {line}: {error}: remove the file to start again"
            ))
        };
        for (line, number) in text.lines().zip(1..) {
            let body = self.chain.read(line).map_err(|error| damaged(number, &error))?;
            if number > 1 {
                let line: Line =
                    serde_json::from_str(&body).map_err(|error| damaged(number, &error))?;
                self.count(line);
                continue;
            }
            self.header = serde_json::from_str(&body).map_err(|error| damaged(1, &error))?;
            if let Some(difference) = self.header.difference(wanted) {
                return Err(LabError::Input(format!(
                    "'{path}' is of another run, {difference}: remove it or choose another --out"
                )));
            }
        }
        Ok(())
    }

    /// Writes a line and waits until it is on the disk.
    fn append(&mut self, line: &impl Serialize) -> Result<(), LabError> {
        let text = self.chain.next_line(line);
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        Ok(written.map_err(FileError::at(&self.path))?)
    }

    /// Adds a finished unit.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn add(
        &mut self,
        work: &str,
        unit: u64,
        took: Duration,
        result: Value,
    ) -> Result<(), LabError> {
        self.take(Line { work: work.to_owned(), unit, seconds: took.as_secs_f64(), result })
    }

    /// Adds a unit that was done elsewhere. Fails when the system refuses.
    pub(crate) fn take(&mut self, line: Line) -> Result<(), LabError> {
        self.append(&line)?;
        self.count(line);
        Ok(())
    }

    fn count(&mut self, line: Line) {
        *self.seconds.entry(line.work.clone()).or_default() += line.seconds;
        self.units.insert((line.work, line.unit), line.result);
    }

    /// How many units of a work are done without a gap.
    pub(crate) fn first(&self, work: &str) -> u64 {
        let mut units = 0..u64::MAX;
        units.find(|&unit| !self.has(work, unit)).unwrap_or(u64::MAX)
    }

    /// Whether a unit is done.
    pub fn has(&self, work: &str, unit: u64) -> bool {
        self.units.contains_key(&(work.to_owned(), unit))
    }

    /// The results of the first `units` units of a work, in their order; `None` if one is missing.
    pub fn results(&self, work: &str, units: u64) -> Option<Vec<Value>> {
        (0..units).map(|unit| self.units.get(&(work.to_owned(), unit)).cloned()).collect()
    }

    /// The time of all units, summed over threads.
    pub fn seconds(&self) -> f64 {
        self.seconds.values().sum()
    }

    /// The time of the units of a work, summed over threads.
    pub(crate) fn seconds_of(&self, work: &str) -> f64 {
        self.seconds.get(work).copied().unwrap_or(0.0)
    }

    /// The header that was written when the run was begun.
    pub const fn header(&self) -> &Header {
        &self.header
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use serde_json::json;

    fn header() -> Header {
        Header {
            experiment: "p/t".into(),
            definition: "0123".into(),
            scale: "tiny".into(),
            seed: 1,
            signature: "abcd".into(),
            version: "0.1.0".into(),
            started: "now".into(),
        }
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn what_was_done_is_there_again_but_for_a_line_that_was_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let mut progress = Progress::open(folder.path(), &header()).unwrap();
        progress.add("a", 0, SECOND, json!([1])).unwrap();
        progress.add("a", 1, SECOND, json!([2])).unwrap();
        let busy = Progress::open(folder.path(), &header()).unwrap_err().to_string();
        assert!(busy.ends_with("' is in use by another program"), "{busy}");
        drop(progress);
        let path = folder.path().join(FILE);
        let text = fs::read_to_string(&path).unwrap();
        for cut in 0..text.len() {
            fs::write(&path, &text[..cut]).unwrap();
            let later = Header { started: "later".into(), ..header() };
            let mut progress = Progress::open(folder.path(), &later).unwrap();
            let lines = text[..cut].matches('\n').count();
            assert_eq!(progress.has("a", 0), lines > 1, "{cut}");
            assert_eq!(progress.results("a", 2), None);
            assert_eq!(progress.header().started, if lines > 0 { "now" } else { "later" });
            progress.add("a", 1, SECOND, json!([3])).unwrap();
            drop(progress);
            assert!(Progress::open(folder.path(), &header()).unwrap().has("a", 1));
        }
    }

    #[test]
    fn the_file_of_another_run_is_refused_with_the_difference() {
        let folder = tempfile::tempdir().unwrap();
        drop(Progress::open(folder.path(), &header()).unwrap());
        let refusal =
            |wanted: Header| Progress::open(folder.path(), &wanted).unwrap_err().to_string();
        let part = |text: String| text.split("another run, ").nth(1).unwrap().to_owned();
        for (wanted, expected) in [
            (Header { scale: "quick".into(), ..header() }, "its scale is tiny, not quick"),
            (Header { seed: 2, ..header() }, "its seed is 1, not 2"),
            (
                Header { definition: String::new(), ..header() },
                "the experiment has a new definition",
            ),
            (
                Header { signature: String::new(), ..header() },
                "the searches have been changed since then",
            ),
        ] {
            let message = part(refusal(wanted));
            assert_eq!(message, format!("{expected}: remove it or choose another --out"));
        }
    }

    /// A result that was edited was once believed, and a file that was refused was cut before.
    #[test]
    fn damage_and_changes_are_told_with_their_line_and_leave_the_file_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let mut progress = Progress::open(folder.path(), &header()).unwrap();
        progress.add("a", 0, SECOND, json!({ "wins": 9 })).unwrap();
        drop(progress);
        let path = folder.path().join(FILE);
        let text = fs::read_to_string(&path).unwrap();
        for (damaged, line) in [
            (text.replace("{\"work\"", "{\"wurk\"") + "{\"work\"", 2),
            (text.replace("\"wins\":9", "\"wins\":8") + "{\"work\"", 2),
            (text.replace("\"seed\":1", "\"seed\":2"), 1),
            ("nonsense\n".to_owned(), 1),
            ("notes without a line end".to_owned(), 1),
        ] {
            fs::write(&path, &damaged).unwrap();
            let error = Progress::open(folder.path(), &header()).unwrap_err().to_string();
            assert!(error.contains(&format!("progress.jsonl', line {line}: ")), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), damaged);
        }
    }
}
