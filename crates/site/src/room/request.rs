//! A request for a new game: checked, and turned into the record with which the game begins.

use serde::Deserialize;
use wurfel::{Game, Position};
use wurfel_arena::{RoomPlayer, best_setups};
use wurfel_core::{BySide, Random, Side};

use super::Refusal;
use crate::agents::{self, AgentCache};
use crate::dice::CommittedDice;
use crate::record::{Clock, DiceKind, FORMAT, RemotePlay, RoomRecord, VERSION};
use crate::secret;

/// A request for a new game.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a game to open, as an object")]
#[allow(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub(crate) struct GameRequest {
    /// The game, which is the rule set.
    pub game: String,
    /// Who plays, the first side first.
    pub players: [RoomPlayer; 2],
    /// The set-up of each side, or `book` for one of the best; drawn at random by default.
    #[serde(default)]
    pub setups: [Option<String>; 2],
    /// The side of a guest who joins by invitation on a device of their own, 0 or 1.
    #[serde(default)]
    pub guest: Option<Side>,
    /// Whether the game is in the list of games that anybody on this server may join.
    #[serde(default)]
    pub listed: bool,
    /// Whether both players arrange their pieces at the same time, without seeing the other's.
    #[serde(default)]
    pub arrange: bool,
    /// The position to begin with, instead of the set-ups.
    #[serde(default)]
    pub position: Option<String>,
    /// Whether castling rights that the board of `position` rules out are dropped and not refused.
    #[serde(default)]
    pub drop_castling: bool,
    /// Whether people roll the dice themselves and enter the rolls.
    #[serde(default)]
    pub typed_dice: bool,
    /// The time control; without one, no clock runs.
    #[serde(default)]
    pub clock: Option<ClockRequest>,
    /// The minimum time for an agent's move in milliseconds, at most 5,000. A quicker move is played
    /// when this time is over.
    #[serde(default)]
    pub pace_ms: u64,
}

/// A time control, the same for each side.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a time control, as an object")]
pub(crate) struct ClockRequest {
    /// The time for the whole game, in seconds, from 1 to 86,400.
    pub seconds: u64,
    /// The increment after each turn, in seconds.
    #[serde(default)]
    pub increment: u64,
}

/// The largest minimum time for an agent's move, in milliseconds.
const MAX_PACE: u64 = 5000;
const MAX_SECONDS: u64 = 24 * 60 * 60;
/// The maximum length of a text in bytes. A Dice Chess position has about 100 characters.
const MAX_TEXT: usize = 200;

impl GameRequest {
    /// The first position of the game, and the record that begins with it. Agents that are not in
    /// the cache are built now, so that a spec that cannot be built is refused at this point. An
    /// error names the first part of the request that is refused.
    pub(super) fn grant(
        self,
        game: Game,
        id: String,
        cache: &mut AgentCache,
    ) -> Result<(Position, RoomRecord), Refusal> {
        for player in &self.players {
            if let RoomPlayer::Agent { spec } = player {
                cache.check(game, &agents::read(short(spec)?)?)?;
            }
        }
        if self.typed_dice && !self.players.iter().any(RoomPlayer::is_person) {
            return Err(Refusal::Not("rolls can be entered only where a person plays"));
        }
        let apart = self.apart(game)?;
        let start = start(game, &self)?;
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
        let record = RoomRecord {
            format: FORMAT.to_owned(),
            version: VERSION,
            id,
            game: game.name().to_owned(),
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
    /// The settings that two players on two devices share.
    fn apart(&self, game: Game) -> Result<Option<RemotePlay>, Refusal> {
        let free = self.position.is_none() && self.setups == [None, None];
        if self.arrange && (self.guest.is_none() || game.setups().len() < 2 || !free) {
            return Err(Refusal::Not(
                "both arrange their pieces only where there is a guest, something to arrange and \
                 nothing arranged already",
            ));
        }
        let Some(open) = self.guest else {
            let listed = Refusal::Not("a game in the list is one that a guest joins");
            return if self.listed { Err(listed) } else { Ok(None) };
        };
        if !self.players.iter().all(RoomPlayer::is_person) {
            return Err(Refusal::Not("a guest joins only a game between two people"));
        }
        Ok(Some(RemotePlay {
            open: Some(open),
            listed: self.listed,
            setups: self.arrange.then(Default::default),
            position: self.position.clone(),
            seconds: self.clock.map_or(0, |clock| clock.seconds),
            ..RemotePlay::default()
        }))
    }

    /// The request for the same game with the sides exchanged.
    pub(super) fn again(record: &RoomRecord, apart: &RemotePlay) -> Self {
        Self {
            game: record.game.clone(),
            players: [record.players[1].clone(), record.players[0].clone()],
            setups: [None, None],
            guest: Some(Side::First),
            listed: false,
            arrange: apart.setups.is_some(),
            position: apart.position.clone(),
            // An invalid start would have been refused before.
            drop_castling: true,
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
            return Err(Refusal::Not("expected a clock from 1 second to a day"));
        }
        Ok(Clock { left_ms: [1000 * self.seconds; 2], increment_ms: 1000 * self.increment })
    }
}

/// Checks the length of a text from a guest before it is parsed.
pub(super) fn short(text: &str) -> Result<&str, Refusal> {
    let fits = text.len() <= MAX_TEXT;
    fits.then_some(text).ok_or(Refusal::Not("the text is too long"))
}

fn start(game: Game, request: &GameRequest) -> Result<Position, Refusal> {
    if let Some(text) = &request.position {
        // Read without its roll, because a game begins before its first roll.
        let read = game.read(short(text)?, request.drop_castling)?;
        return Ok(game.read_at_rest(&read.to_string())?);
    }
    let seed = secret::random_hex::<8>().map_err(|e| Refusal::Random(e.to_string()))?;
    let mut random = Random::new(u64::from_str_radix(&seed, 16).unwrap_or_default());
    let setups = game.setups();
    let mut chosen = |side: Side| {
        let text = match request.setups[side.index()].as_deref() {
            Some("book") => best_setups(game.name()).map(|book| *random.pick(&book[side])),
            text => text,
        };
        text.map_or_else(|| Ok(random.pick(&setups).clone()), |text| setup(game, text))
    };
    let [first, second] = [chosen(Side::First)?, chosen(Side::Second)?];
    let start = game.arranged(BySide::new(&first, &second));
    start.ok_or(Refusal::Not("these set-ups have no position"))
}

/// The set-up that a guest has sent.
pub(super) fn setup(game: Game, text: &str) -> Result<String, Refusal> {
    let text = short(text)?;
    let known = game.setups().into_iter().find(|setup| setup == text);
    known.ok_or_else(|| Refusal::Setup(text.to_owned(), game.facts().title))
}
