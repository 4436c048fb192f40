//! The results in the file of a tournament that a TOML file describes, in which games end in any order.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::BufRead;

use serde::Deserialize;
use serde::de::IgnoredAny;
use wurfel_core::TextError;

use super::lines::{MissingResults, each_line, wrong};
use super::{Results, ResultsError, replayer};
use crate::cup::file::CupReader;
use crate::records::mirrored::{GamePoints, Unit, halves};
use crate::records::record::check_place;
use crate::records::recorded_game::plain;
use crate::records::replayer::{CheckLevel, Replayer};

/// The first line of a tournament that a TOML file describes, as far as its results need it.
#[derive(Deserialize)]
pub(super) struct CupHead {
    pub format: String,
    pub version: u32,
    pub tournament: CupSettings,
}

#[derive(Deserialize)]
pub(super) struct CupSettings {
    pub game: String,
    pub participant: Vec<CupPlayer>,
}

#[derive(Deserialize)]
pub(super) struct CupPlayer {
    pub name: String,
    pub agent: String,
}

/// The format and version of the file of such a tournament.
pub(super) const CUP: (&str, u32) = ("wurfel-tournament", 1);

/// The fields that a game's line in such a file must have.
#[derive(Deserialize)]
struct CupGame<'a> {
    round: u32,
    players: [usize; 2],
    pair: u64,
    game: u8,
    first: u8,
    #[serde(borrow)]
    moves: Cow<'a, str>,
    #[serde(borrow)]
    result: Cow<'a, str>,
    fault: Option<IgnoredAny>,
}

/// The second line of such a file.
#[derive(Deserialize)]
struct SetUpLine {
    #[serde(rename = "setups")]
    _setups: IgnoredAny,
}

/// Games whose partners have not ended yet, by round, participants and pair, with what the first of the
/// two participants won.
type Halves = HashMap<(u32, [usize; 2], u64), GamePoints>;

/// The reader of a tournament's file.
fn reader(first: &[u8]) -> Result<CupReader, TextError> {
    let reader = std::str::from_utf8(first).ok().and_then(CupReader::begin);
    reader.ok_or_else(|| wrong(1, "expected the description of a tournament"))
}

impl Results {
    pub(super) fn add_cup(
        &mut self,
        file: impl BufRead,
        origin: u64,
        players: &[usize],
        first: &[u8],
    ) -> Result<(Option<MissingResults>, bool), ResultsError> {
        let specs: Vec<String> =
            players.iter().map(|&player| self.players[player].spec.clone()).collect();
        let replayer = match self.check_level {
            CheckLevel::Trusted | CheckLevel::Replayed => None,
            check_level => replayer(check_level, &self.game, &specs, None)?,
        };
        // The line of the set-ups has no luck, and the reader reports what is wrong with a game.
        let luck = replayer.map(|replayer| -> Replayer {
            Box::new(move |text| Ok(replayer(text).ok().flatten()))
        });
        let mut reader = match self.check_level {
            CheckLevel::Trusted => None,
            _ => Some(reader(first)?),
        };
        let mut alone = Halves::new();
        let whole = each_line(file, self.jobs, luck.as_ref(), |text, luck| {
            if let Some(reader) = &mut reader {
                reader.add(std::str::from_utf8(text).unwrap_or_default())?;
            }
            self.add_cup_game(origin, players, (text, luck), &mut alone)?;
            Ok(true)
        })?;
        for ((_, players, _), points) in alone {
            self.add_unit(players, None, Unit::Single(points.halves));
        }
        let Some(reader) = reader else { return Ok((None, whole)) };
        let Some((_, _, complete)) = reader.meetings() else {
            return Err(wrong(
                1,
                "expected only games that follow from the tournament, found others",
            )
            .into());
        };
        Ok(((!complete).then_some(MissingResults::Tournament), whole))
    }

    /// Adds a game of a tournament, in which games end in any order.
    fn add_cup_game(
        &mut self,
        origin: u64,
        players: &[usize],
        (text, luck): (&[u8], Option<f64>),
        waiting: &mut Halves,
    ) -> Result<(), String> {
        let read = serde_json::from_slice(text);
        if read.is_err() && serde_json::from_slice::<SetUpLine>(text).is_ok() {
            return Ok(());
        }
        let line: CupGame<'_> = read.map_err(|error| plain(&error))?;
        let CupGame { round, players: places, pair, game, first, moves, result, fault } = line;
        check_place(pair, game, first, None)?;
        self.once(&(origin, round, places, pair, game, moves))?;
        let Some(halves) = halves(first, &result)? else { return Ok(()) };
        if self.leaves_out(fault.is_some()) {
            return Ok(());
        }
        let named = places.map(|place| players.get(place).copied());
        let [Some(one), Some(other)] = named else {
            return Err(format!("expected two participants below {}", players.len()));
        };
        let players = [one, other];
        let points = GamePoints { halves, luck };
        match waiting.remove(&(round, players, pair)) {
            Some(before) => self.add_unit(players, None, before.with(points)),
            None => {
                waiting.insert((round, players, pair), points);
            }
        }
        Ok(())
    }
}
