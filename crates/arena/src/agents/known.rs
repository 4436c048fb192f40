//! Tables of exact values, as agents are told to use them.

use std::sync::Arc;

use wurfel_core::{Endgame, Evaluator, Even};
use wurfel_games::Playable;
use wurfel_tablebase::{Informed, Tables, default_folder};

use super::OptionInfo;
use crate::agents::limits::{LimitError, parse_number};

pub(super) const TABLES: OptionInfo = OptionInfo {
    name: "tables",
    about: "most pieces of positions whose exact values are looked up, or none; none if left out",
};

/// The tables for up to so many pieces; small ones are built when they are not there.
pub(super) fn tables<G: Playable + Endgame>(
    text: &str,
) -> Result<Option<Arc<Tables<G>>>, LimitError> {
    if text == "none" {
        return Ok(None);
    }
    let most = u64::from(G::MAX_PIECES);
    let pieces = parse_number(text, 2, most).map_err(|LimitError(numbers)| {
        LimitError(if most < 2 { "none".into() } else { format!("none or {numbers}") })
    })? as u32;
    let folder = default_folder();
    let tables = Tables::<G>::with_small(G::NAME, &folder, pieces)
        .map_err(|error| LimitError(format!("tables that can be used ({error})")))?;
    if tables.max_pieces() < pieces {
        let built =
            format!("a number of pieces for which there are tables in '{}'", folder.display());
        return Err(LimitError(format!(
            "{built} (`wurfel tables build --pieces {pieces}` makes them)"
        )));
    }
    Ok(Some(Arc::new(tables)))
}

/// What knows the exact values of positions with up to so many pieces, and nothing else:
/// `text` is that number, or `none`. Small tables are built when they are not there.
///
/// # Errors
/// When it is no such number, or there are no such tables.
pub fn exact_values<G: Playable + Endgame>(
    text: &str,
) -> Result<Option<Arc<dyn Evaluator<G>>>, LimitError> {
    let known = tables::<G>(text)?;
    Ok(known.map(|tables| Arc::new(Informed::new(Even, tables)) as Arc<dyn Evaluator<G>>))
}
