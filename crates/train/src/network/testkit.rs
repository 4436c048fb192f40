//! Access for fuzz targets to internals (feature `testkit`): to the files of a run that only the run
//! itself reads.
//!
//! Nothing here is part of the library: it may change with any version.

use std::fs;
use std::path::Path;

use wurfel_arena::{EloDifference, MatchTally, anchored_ratings};
use wurfel_core::checksum_text;
use wurfel_core::files::FileError;
use wurfel_games::Learnable;

use super::curve::{Header, read_parts};
use super::error::RunError;
use super::files::{self, samples_to};
use super::metrics::NetworkMatch;

/// Reads the games of a curve, which are those that its first line promises, adds them up as if
/// all had been played by one network, and rates this network.
///
/// # Errors
/// As a measurement that is resumed refuses them.
///
/// # Panics
/// When the rating is no number, or the games are others when they are read again.
pub fn read_curve(path: &Path) -> Result<(), RunError> {
    let text = fs::read_to_string(path).map_err(FileError::at(path))?;
    let first = text.lines().next().and_then(|line| serde_json::from_str(line).ok());
    let header = first.unwrap_or_else(|| Header {
        format: "wurfel-curve 1".to_owned(),
        game: String::new(),
        simulations: 1,
        tables: 0,
        seed: 1,
    });
    let parts = read_parts(path, &header)?;
    let again = read_parts(path, &header).expect("what was read can be read again");
    assert_eq!(again, parts, "other games the second time");
    let mut parts: Vec<_> = parts.into_values().collect();
    parts.sort_by_key(|part| (part.round, part.number));
    let mut report = MatchTally::default();
    for part in &parts {
        report.merge(&part.report());
    }
    let _ = NetworkMatch::new(String::new(), &report);
    if report.score.games() > 0 {
        let difference = EloDifference::of([1, 0], &report.score, report.luck.as_ref());
        let rating = anchored_ratings(2, 0, &[difference])[1];
        assert!(rating.elo.is_finite() && !rating.interval.low.is_nan(), "{rating:?}");
    }
    Ok(())
}

/// Reads a file as the samples of a round for which the metrics record this very file.
///
/// # Errors
/// As the run refuses it.
///
/// # Panics
/// When the samples are others after they were written and read.
pub fn read_samples<G: Learnable>(rules: &G, path: &Path) -> Result<(), RunError> {
    let text = fs::read(path).map_err(FileError::at(path))?;
    let lines = String::from_utf8_lossy(&text).lines().count();
    let samples = files::read_samples(rules, path, lines, &checksum_text(&text))?;
    let written = samples_to(&samples).expect("samples can be written");
    fs::write(path, &written).map_err(FileError::at(path))?;
    let again = files::read_samples(rules, path, samples.len(), "");
    assert_eq!(again.expect("samples that we have written"), samples, "other samples");
    Ok(())
}
