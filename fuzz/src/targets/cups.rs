//! Tournaments that a TOML file describes: the file, and that of their games while it is written.

use serde_json::json;
use wurfel_arena::{CupDefinition, CupReader, Standings};

use super::checks::{one_line, text};

/// Standings of more games than this are not computed, only read: an input that asks for millions of games
/// would take all the time.
const MAX_GAMES: u64 = 10_000;

pub fn fuzz(input: &[u8]) {
    let text = text(input);
    match CupDefinition::read(&text) {
        Err(error) => one_line(&error),
        Ok(definition) => {
            let header = header(&definition);
            let reader = CupReader::begin(&header).expect("a header that we have written");
            standings(reader);
        }
    }
    let mut lines = text.lines();
    if let Some(mut reader) = lines.next().and_then(CupReader::begin) {
        for line in lines {
            if let Err(error) = reader.add(line) {
                one_line(&error);
                break;
            }
        }
        standings(reader);
    }
}

/// The first line of the file of a tournament's games.
fn header(definition: &CupDefinition) -> String {
    let header = json!({
        "format": "wurfel-tournament", "version": 1, "program": "wurfel", "tournament": definition,
    });
    header.to_string()
}

fn standings(reader: CupReader) {
    if reader.definition().max_games() > MAX_GAMES {
        return;
    }
    let Some((definition, meetings, complete)) = reader.meetings() else { return };
    let standings = Standings::new(&definition, &meetings, complete);
    assert_eq!(standings.rows.len(), definition.participants.len());
    one_line(&standings.caption());
    let _ = (standings.text(), standings.short_text(4), standings.csv());
    let _ = (standings.markdown(), standings.latex());
}
