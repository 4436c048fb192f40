//! A game that somebody wants to begin, checked and made into a record.

use serde::Deserialize;
use wurfel_arena::{Catalogued, best_setups};
use wurfel_core::{BySide, Random, Side};

use super::Refusal;
use crate::agents::{self, AgentCache};
use crate::dice::CommittedDice;
use crate::record::{Apart, Clock, DiceKind, FORMAT, Player, Record, VERSION};
use crate::secret;

/// A game somebody wants to begin.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameRequest {
    /// The game, which is the rule set.
    pub game: String,
    /// Who plays, the first side first.
    pub players: [Player; 2],
    /// How each side arranges its pieces, `book` for one of the best; by chance if left out.
    #[serde(default)]
    pub setups: [Option<String>; 2],
    /// The side of a guest with a device of their own, 0 or 1, who takes the seat by an
    /// invitation.
    #[serde(default)]
    pub guest: Option<usize>,
    /// Whether both arrange their pieces at the same time, each unseen by the other.
    #[serde(default)]
    pub arrange: bool,
    /// Where to begin instead of the set-ups.
    #[serde(default)]
    pub position: Option<String>,
    /// Whether people roll the dice and type what fell.
    #[serde(default)]
    pub typed_dice: bool,
    /// Time for each side.
    #[serde(default)]
    pub clock: Option<ClockRequest>,
    /// The least time for an agent's move, at most [`MAX_PACE`].
    #[serde(default)]
    pub pace_ms: u64,
}

/// Time for each side.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClockRequest {
    /// For the whole game.
    pub seconds: u64,
    /// Added by each move.
    #[serde(default)]
    pub increment: u64,
}

/// In milliseconds.
const MAX_PACE: u64 = 5000;
const MAX_SECONDS: u64 = 24 * 60 * 60;
/// The longest text that is looked at: a Dice Chess position has about 100 characters.
const MAX_TEXT: usize = 200;

impl GameRequest {
    /// The start of the game and the record that begins with it. Its agents are built, unless
    /// they stand on the cache, to see that they can be.
    ///
    /// # Errors
    /// The first part of the request that cannot be granted.
    pub(super) fn grant<G: Catalogued>(
        self,
        id: String,
        cache: &mut AgentCache,
    ) -> Result<(G, Record), Refusal> {
        for player in &self.players {
            if let Player::Agent { spec } = player {
                cache.with::<G, _>(&agents::read(short(spec)?)?, |_| ())?;
            }
        }
        if self.typed_dice && !self.players.contains(&Player::Person) {
            return Err(Refusal::Not("dice can be typed in only where a person plays"));
        }
        let apart = self.apart::<G>()?;
        let start = start::<G>(&self)?;
        if start.outcome().is_some() {
            return Err(Refusal::Not("the game is over in this position"));
        }
        let dice = if self.typed_dice {
            DiceKind::Typed
        } else {
            DiceKind::Fair(
                CommittedDice::new().map_err(|error| Refusal::Random(error.to_string()))?,
            )
        };
        let record = Record {
            format: FORMAT.to_owned(),
            version: VERSION,
            id,
            game: G::NAME.to_owned(),
            start: start.to_string(),
            players: self.players,
            dice,
            clock: self.clock.map(ClockRequest::grant).transpose()?,
            apart,
            pace_ms: self.pace_ms.min(MAX_PACE),
            changes: 0,
            begun: false,
            steps: vec![],
            rolled: None,
            taken_back: vec![],
            end: None,
        };
        Ok((start, record))
    }
}

impl GameRequest {
    /// What there is to agree on where two people have a device each.
    fn apart<G: Catalogued>(&self) -> Result<Option<Apart>, Refusal> {
        let free = self.position.is_none() && self.setups == [None, None];
        if self.arrange && (self.guest.is_none() || G::setups().len() < 2 || !free) {
            return Err(Refusal::Not(
                "both arrange their pieces only where there is a guest, something to arrange and \
                 nothing arranged already",
            ));
        }
        let Some(open) = self.guest else { return Ok(None) };
        if open > 1 || self.players != [Player::Person, Player::Person] {
            return Err(Refusal::Not("a guest is side 0 or 1 of a game of two people"));
        }
        Ok(Some(Apart {
            open: Some(open),
            setups: self.arrange.then(Default::default),
            position: self.position.clone(),
            seconds: self.clock.map_or(0, |clock| clock.seconds),
            ..Apart::default()
        }))
    }

    /// The same game once more, with the sides changed.
    pub(super) fn again(record: &Record, apart: &Apart) -> Self {
        Self {
            game: record.game.clone(),
            players: record.players.clone(),
            setups: [None, None],
            guest: Some(0),
            arrange: apart.setups.is_some(),
            position: apart.position.clone(),
            typed_dice: record.dice == DiceKind::Typed,
            clock: record.clock.map(|clock| ClockRequest {
                seconds: apart.seconds,
                increment: clock.increment_ms / 1000,
            }),
            pace_ms: record.pace_ms,
        }
    }
}

impl ClockRequest {
    fn grant(self) -> Result<Clock, Refusal> {
        if !(1..=MAX_SECONDS).contains(&self.seconds) || self.increment > MAX_SECONDS {
            return Err(Refusal::Not("a clock has from 1 second to a day"));
        }
        Ok(Clock { left_ms: [1000 * self.seconds; 2], increment_ms: 1000 * self.increment })
    }
}

/// A text of a guest that is not too long to be looked at.
pub(super) fn short(text: &str) -> Result<&str, Refusal> {
    let fits = text.len() <= MAX_TEXT;
    fits.then_some(text).ok_or(Refusal::Not("a text is too long"))
}

fn start<G: Catalogued>(request: &GameRequest) -> Result<G, Refusal> {
    if let Some(text) = &request.position {
        return Ok(short(text)?.parse()?);
    }
    let seed = secret::random_hex::<8>().map_err(|e| Refusal::Random(e.to_string()))?;
    let mut random = Random::new(u64::from_str_radix(&seed, 16).unwrap_or_default());
    let mut chosen = |side: Side| {
        let text = match request.setups[side.index()].as_deref() {
            Some("book") => best_setups(G::NAME).map(|book| *random.pick(&book[side])),
            text => text,
        };
        text.map_or_else(|| Ok(*random.pick(G::setups())), setup::<G>)
    };
    Ok(G::start(BySide::new(chosen(Side::First)?, chosen(Side::Second)?)))
}

/// The set-up of this text.
pub(super) fn setup<G: Catalogued>(text: &str) -> Result<G::Setup, Refusal> {
    let text = short(text)?;
    let known = G::setups().iter().find(|setup| setup.to_string() == text);
    known.copied().ok_or_else(|| Refusal::Setup(text.to_owned(), G::TITLE))
}
