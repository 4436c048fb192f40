//! The lines of a match, put together to mirrored pairs: both games of a pair have the same set-ups and
//! dice, and the agents exchange sides.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use wurfel_statistics::Sides;

use crate::records::record::{OPEN, check_place, outcome};
use crate::records::recorded_game::plain;

/// The fields that a line of a match must have.
#[derive(Deserialize)]
pub(super) struct Line<'a> {
    pub pair: u64,
    pub game: u8,
    pub first: u8,
    #[serde(borrow)]
    start: Cow<'a, str>,
    #[serde(borrow)]
    pub moves: Cow<'a, str>,
    #[serde(borrow)]
    result: Cow<'a, str>,
    /// Present if the game was lost by a fault.
    pub fault: Option<IgnoredAny>,
}

/// The half points of the first agent of a game; `first` is 0 if it played the first side.
/// `None` when the game is not over.
pub(super) fn halves(first: u8, result: &str) -> Result<Option<u8>, String> {
    let sides = Sides { first: usize::from(first & 1) };
    match outcome(result) {
        Some(outcome) => Ok(Some(sides.halves(outcome))),
        None if result == OPEN => Ok(None),
        None => Err(format!("result '{result}': expected 1-0, 0-1, 1/2-1/2 or *")),
    }
}

/// What the first agent won in a game.
#[derive(Clone, Copy)]
pub(super) struct GamePoints {
    /// In half points.
    pub halves: u8,
    /// Its luck, if that was measured.
    pub luck: Option<f64>,
}

impl GamePoints {
    /// Both games of a mirrored pair.
    pub fn with(self, other: Self) -> Unit {
        let luck = self.luck.zip(other.luck).map(|(one, other)| f64::midpoint(one, other));
        Unit::Pair([self.halves, other.halves], luck)
    }
}

/// A result that the lines of a match make up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Unit {
    /// Both games of a mirrored pair, by the half points of the first agent, and the mean of
    /// its luck, if that was measured.
    Pair([u8; 2], Option<f64>),
    /// A game without its partner.
    Single(u8),
}

/// What the header of a match says about its pairs.
#[derive(Clone, Copy)]
pub(super) struct Pairs {
    /// How many there are.
    pub count: u64,
    pub seed: u64,
    /// Whether a test may have ended the match before all of them were played.
    pub tested: bool,
    /// Whether the players can be distinguished, which is not so when an agent plays against itself.
    pub named: bool,
    /// Whether both games of a pair have the same set-ups, which they need not if agents choose
    /// theirs.
    pub same_start: bool,
}

/// A game whose partner may be in the next line.
pub(super) struct Waiting {
    pub pair: u64,
    game: u8,
    first: u8,
    start: String,
    /// The first roll; `None` where none was recorded.
    roll: Option<String>,
    pub points: GamePoints,
}

impl Waiting {
    fn new(line: &Line<'_>, points: GamePoints) -> Self {
        let &Line { pair, game, first, .. } = line;
        let (start, roll) = (line.start.to_string(), first_roll(&line.moves).map(str::to_owned));
        Self { pair, game, first, start, roll, points }
    }

    /// Checks that a game of the same pair is the mirrored one of this game.
    fn check(&self, line: &Line<'_>, pairs: Pairs) -> Result<(), String> {
        let Self { pair, game, first, start, roll, .. } = self;
        if (*game, line.game) != (0, 1) {
            let other = line.game;
            return Err(format!(
                "game {other} of pair {pair} after its game {game}: expected games 0 and 1"
            ));
        }
        if pairs.named && *first == line.first {
            return Err(format!(
                "first {first} in both games of pair {pair}: expected exchanged sides"
            ));
        }
        if !pairs.same_start {
            return Ok(());
        }
        if *start != line.start {
            return Err(format!(
                "start '{}': expected '{start}' as in game 0 of pair {pair} (unless the header says \
                 \"setups\":\"chosen\")",
                line.start
            ));
        }
        match (roll.as_deref(), first_roll(&line.moves)) {
            (Some(before), Some(roll)) if before != roll => Err(format!(
                "first roll {roll}: expected {before} as in game 0 of pair {pair}, which has the same \
                 dice"
            )),
            _ => Ok(()),
        }
    }
}

/// The first roll of a game.
fn first_roll(moves: &str) -> Option<&str> {
    moves.split_whitespace().next()?.strip_prefix('@')
}

pub(super) fn line(text: &[u8]) -> Result<Line<'_>, String> {
    serde_json::from_slice(text).map_err(|error| plain(&error))
}

/// The result that the line of a game completes, if it does, and the number of its pair. `luck` is that
/// of the first agent in this game, if it was measured.
pub(super) fn unit(
    line: &Line<'_>,
    luck: Option<f64>,
    pairs: Pairs,
    waiting: &mut Option<Waiting>,
) -> Result<Option<(u64, Unit)>, String> {
    check_place(line.pair, line.game, line.first, Some(pairs.count))?;
    let Some(halves) = halves(line.first, &line.result)? else { return Ok(None) };
    let points = GamePoints { halves, luck };
    Ok(match waiting.take() {
        Some(before) if before.pair == line.pair => {
            before.check(line, pairs)?;
            Some((line.pair, before.points.with(points)))
        }
        before => {
            *waiting = Some(Waiting::new(line, points));
            before.map(|alone| (alone.pair, Unit::Single(alone.points.halves)))
        }
    })
}
