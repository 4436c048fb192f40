//! A game that somebody wants to begin, checked and made into a record.

use serde::Deserialize;
use wurfel_game::{BySide, Random, Side};
use wurfel_games::Playable;

use super::Refusal;
use crate::agents::{self, Shelf};
use crate::dice::FairDice;
use crate::record::{Clock, DiceKind, FORMAT, Player, Record, VERSION};
use crate::secret;

/// A game somebody wants to begin.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    /// The game, which is the rule set.
    pub game: String,
    /// Who plays, the first side first.
    pub players: [Player; 2],
    /// How each side arranges its men; by chance if left out.
    #[serde(default)]
    pub setups: [Option<String>; 2],
    /// Where to begin instead of the set-ups.
    #[serde(default)]
    pub position: Option<String>,
    /// Whether people throw the dice and type what fell.
    #[serde(default)]
    pub typed_dice: bool,
    /// Time for each side.
    #[serde(default)]
    pub clock: Option<ClockWish>,
    /// The least time for an agent's move, at most [`MOST_PACE`].
    #[serde(default)]
    pub pace_ms: u64,
}

/// Time for each side.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClockWish {
    /// For the whole game.
    pub seconds: u64,
    /// Added by each move.
    #[serde(default)]
    pub increment: u64,
}

/// In milliseconds.
const MOST_PACE: u64 = 5000;
const MOST_SECONDS: u64 = 24 * 60 * 60;
/// The longest text that is looked at: a Dice Chess position has about 100 characters.
const MOST_TEXT: usize = 200;

impl Wish {
    /// The start of the game and the record that begins with it. Its agents are built, unless
    /// they stand on the shelf, to see that they can be.
    ///
    /// # Errors
    /// The first part of the wish that cannot be granted.
    pub(super) fn grant<G: Playable>(
        self,
        id: String,
        shelf: &mut Shelf,
    ) -> Result<(G, Record), Refusal> {
        for player in &self.players {
            if let Player::Agent { spec } = player {
                shelf.with::<G, _>(&agents::read(short(spec)?)?, |_| ())?;
            }
        }
        if self.typed_dice && !self.players.contains(&Player::Person) {
            return Err(Refusal::Not("dice can be typed in only where a person plays"));
        }
        let start = start::<G>(&self)?;
        if start.outcome().is_some() {
            return Err(Refusal::Not("the game is over in this position"));
        }
        let dice = if self.typed_dice {
            DiceKind::Typed
        } else {
            DiceKind::Fair(FairDice::new().map_err(|error| Refusal::Random(error.to_string()))?)
        };
        let record = Record {
            format: FORMAT.to_owned(),
            version: VERSION,
            id,
            game: G::NAME.to_owned(),
            start: start.to_string(),
            players: self.players,
            dice,
            clock: self.clock.map(ClockWish::grant).transpose()?,
            pace_ms: self.pace_ms.min(MOST_PACE),
            changes: 0,
            begun: false,
            steps: vec![],
            thrown: None,
            end: None,
        };
        Ok((start, record))
    }
}

impl ClockWish {
    fn grant(self) -> Result<Clock, Refusal> {
        if !(1..=MOST_SECONDS).contains(&self.seconds) || self.increment > MOST_SECONDS {
            return Err(Refusal::Not("a clock has from 1 second to a day"));
        }
        Ok(Clock { left_ms: [1000 * self.seconds; 2], increment_ms: 1000 * self.increment })
    }
}

/// A text of a guest that is not too long to be looked at.
pub(super) fn short(text: &str) -> Result<&str, Refusal> {
    let fits = text.len() <= MOST_TEXT;
    fits.then_some(text).ok_or(Refusal::Not("a text is too long"))
}

fn start<G: Playable>(wish: &Wish) -> Result<G, Refusal> {
    if let Some(text) = &wish.position {
        return Ok(short(text)?.parse()?);
    }
    let seed = secret::random_hex::<8>().map_err(|e| Refusal::Random(e.to_string()))?;
    let mut random = Random::new(u64::from_str_radix(&seed, 16).unwrap_or_default());
    let mut chosen = |side: Side| match &wish.setups[side.index()] {
        None => Ok(*random.pick(G::setups())),
        Some(text) => {
            let text = short(text)?;
            let known = G::setups().iter().find(|setup| setup.to_string() == text);
            known.copied().ok_or_else(|| Refusal::Setup(text.to_owned(), G::TITLE))
        }
    };
    Ok(G::start(BySide::new(chosen(Side::First)?, chosen(Side::Second)?)))
}
