//! The option `tables=`, with which agents use exact values.

use std::sync::Arc;

use wurfel_core::{Endgame, Evaluator, Even};
use wurfel_games::Playable;
use wurfel_tablebase::{TableError, TablebaseEvaluator, Tables, default_folder};

use super::OptionInfo;
use crate::limits::{LimitError, parse_number};

pub(super) const TABLES: OptionInfo = OptionInfo {
    name: "tables",
    about: "look up positions with up to this many pieces in tablebases, or none; default: none",
};

/// The tables in the default folder for at most this many pieces. Small ones are built if they are
/// missing. `text` is the number of pieces, or `none`.
///
/// # Errors
/// When `text` is neither, or there are no tables for that many pieces.
pub fn read_tables<G: Playable + Endgame>(
    text: &str,
) -> Result<Option<Arc<Tables<G>>>, LimitError> {
    if text == "none" {
        return Ok(None);
    }
    let most = u64::from(G::MAX_PIECES);
    let pieces = parse_number(text, 2, most).map_err(|LimitError(numbers)| {
        LimitError(if most < 2 { "none".into() } else { format!("none or {numbers}") })
    })? as u32;
    let unusable = |error: TableError| LimitError(format!("tables that can be used ({error})"));
    let folder = default_folder().map_err(unusable)?;
    let tables = Tables::<G>::with_small(G::NAME, &folder, pieces).map_err(unusable)?;
    if tables.max_pieces() < pieces {
        let built =
            format!("a number of pieces for which there are tables in '{}'", folder.display());
        return Err(LimitError(format!(
            "{built} (`wurfel tables build --pieces {pieces}` makes them)"
        )));
    }
    Ok(Some(Arc::new(tables)))
}

/// An evaluation that knows the exact values of positions with few pieces, and nothing else.
/// `text` is the largest number of pieces, or `none`. Small tables are built if they are missing.
///
/// # Errors
/// When `text` is neither, or there are no tables for that many pieces.
pub fn exact_values<G: Playable + Endgame>(
    text: &str,
) -> Result<Option<Arc<dyn Evaluator<G>>>, LimitError> {
    let known = read_tables::<G>(text)?;
    Ok(known.map(|tables| Arc::new(TablebaseEvaluator::new(Even, tables)) as Arc<dyn Evaluator<G>>))
}
