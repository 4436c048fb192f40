//! Access for fuzz targets to internals (feature `testkit`): to everything that reads what the
//! author of an experiment or an earlier run has written.
//!
//! Nothing here is part of the library: it may change with any version.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value};
use wurfel_arena::LineChain;
use wurfel_core::files::FileError;

use crate::kinds::summary::summary;
use crate::plot::plot;
use crate::progress::{FILE, Header, Progress};
use crate::{Definition, Figures, LabError, ResultTable};

/// Reads a definition, the paper's figures and a result. If all three are sound, also decides the
/// checks and draws the plot. Returns the errors.
///
/// # Panics
/// When reading a result that has been written does not give the same result.
pub fn read_experiment(definition: &str, figures: &str, result: &str) -> Vec<LabError> {
    let mut errors = vec![];
    let mut sound = |error| errors.push(error);
    let definition = Definition::read("experiment.toml", definition).map_err(&mut sound).ok();
    let figures = Figures::read("paper.csv", figures).map_err(&mut sound).ok();
    let table = ResultTable::read("result.csv", result).map_err(&mut sound).ok();
    if let Some(table) = &table {
        let again =
            ResultTable::read("result.csv", &table.csv()).expect("a table that we have written");
        assert_eq!(&again, table, "another table after it was written and read");
    }
    if let (Some(definition), Some(figures), Some(table)) = (definition, figures, table) {
        for check in &definition.checks {
            let _ = check.decide(&table, &figures, 0.0);
        }
        for wanted in &definition.summaries {
            errors.extend(summary(wanted, table.cells()).err());
        }
        errors.extend(plot(&definition, &table, &figures).err());
    }
    errors
}

/// Resumes the run whose progress is in a folder, adds a unit, and resumes it once more.
///
/// # Errors
/// When the file is damaged.
///
/// # Panics
/// When the unit, or one that was there before, is missing afterwards.
pub fn resume(folder: &Path) -> Result<(), LabError> {
    let path = folder.join(FILE);
    let text = fs::read(&path).unwrap_or_default();
    let mut chain = LineChain::default();
    let chained = |line: &[u8]| match serde_json::from_slice::<Map<String, Value>>(line) {
        Ok(value) if !value.is_empty() && line.ends_with(b"\n") => {
            chain.next_line(&value).into_bytes()
        }
        _ => line.to_owned(),
    };
    let text: Vec<u8> = text.split_inclusive(|&byte| byte == b'\n').flat_map(chained).collect();
    fs::write(&path, &text).map_err(FileError::at(&path))?;
    let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let header = serde_json::from_slice(first).unwrap_or_else(|_| Header {
        experiment: "paper/table".into(),
        definition: String::new(),
        scale: "tiny".into(),
        seed: 1,
        signature: String::new(),
        version: String::new(),
        started: String::new(),
    });
    let mut progress = Progress::open(folder, &header)?;
    let first = progress.results("a", 1);
    progress.add("b", 7, Duration::from_millis(1), Value::Null)?;
    drop(progress);
    let progress = Progress::open(folder, &header).expect("progress that we have written");
    assert!(progress.has("b", 7), "a unit is lost");
    assert_eq!(progress.results("a", 1), first, "a unit has changed");
    Ok(())
}
