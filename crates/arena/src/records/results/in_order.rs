//! The mirrored pairs of a match, read one after the other.

use std::io::Read;

use wurfel_core::decoded;

use super::lines::{MissingResults, Seen, each_line, first_line, wrong};
use super::{Head, Results, ResultsError, replayer};
use crate::records::mirrored::{Unit, line, unit};
use crate::records::replayer::CheckLevel;

/// The pairs of a match that were read in their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadPairs {
    /// The game.
    pub game: String,
    /// The specs of the agents.
    pub agents: [String; 2],
    /// What is missing, if anything is and all was read.
    pub missing: Option<MissingResults>,
}

/// Reads the mirrored pairs of a match in their order, and calls `see` with the first agent's
/// half points in both games and the mean of its luck, if that is measured, until it returns
/// false. Games without a partner are left out. Games are played again on `jobs` threads, unless they
/// are trusted.
///
/// # Errors
/// When the file cannot be read, is not the file of a match, or has a game that cannot have been played.
pub fn read_pairs(
    file: impl Read,
    check_level: CheckLevel,
    jobs: usize,
    mut see: impl FnMut([u8; 2], Option<f64>) -> bool,
) -> Result<ReadPairs, ResultsError> {
    let mut file = decoded(file);
    let mut results = Results::new(check_level, jobs);
    let Head::Match(_, pairs) = results.head(&first_line(&mut file)?)? else {
        return Err(wrong(1, "expected the file of a match, found that of a tournament").into());
    };
    // An agent that played against itself is a single player.
    let specs = [results.players.first(), results.players.last()];
    let agents = specs.map(|player| player.map_or(String::new(), |player| player.spec.clone()));
    let replayer = replayer(check_level, &results.game, &agents, Some(pairs.count))?;
    let (mut waiting, mut last, mut seen, mut enough) = (None, None, Seen::default(), false);
    let whole = each_line(file, jobs, replayer.as_ref(), |text, luck| {
        let line = line(text)?;
        let place = Some((line.pair, line.game));
        if place <= last {
            let (pair, game) = (line.pair, line.game);
            return Err(format!("game {game} of pair {pair}: expected each game once, in order"));
        }
        last = place;
        seen.add(line.pair);
        if let Some((_, Unit::Pair(halves, luck))) = unit(&line, luck, pairs, &mut waiting)? {
            enough = !see(halves, luck);
        }
        Ok(!enough)
    })?;
    let missing = seen.missing(pairs).or((!whole).then_some(MissingResults::Line));
    Ok(ReadPairs { game: results.game, agents, missing: missing.filter(|_| !enough) })
}
