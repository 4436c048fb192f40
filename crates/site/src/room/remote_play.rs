//! A game of two people on two devices: its start, proposals to the other player, and what happens
//! when a player is away.

use std::time::Duration;

use wurfel_arena::{PersonName, RoomEnd, RoomEndReason, RoomPlayer};
use wurfel_core::{BySide, Outcome, Side};

use super::play::Room;
use super::request::setup;
use super::view::{OpenClock, OpenGame};
use super::{Actor, Claim, Refusal};
use crate::record::{DiceKind, Offer, Proposal, RemotePlay, Replay, RoomRecord};
use crate::secret::same;

/// How long a player must have been away on their own turn before the other player may end the
/// game.
pub(crate) const ABSENCE: Duration = Duration::from_mins(2);

const ALONE: Refusal = Refusal::Not("there is no other player to agree with");

impl Room {
    fn apart(&mut self) -> Result<&mut RemotePlay, Refusal> {
        self.record.apart.as_mut().ok_or(ALONE)
    }

    /// The only side that the actor plays; refused for a device that plays both sides.
    fn own(by: &Actor) -> Result<Side, Refusal> {
        let own = Side::BOTH.into_iter().find(|&side| by.sides[side] && !by.sides[!side]);
        own.ok_or(ALONE)
    }

    fn not_begun(&self) -> Result<(), Refusal> {
        match (self.record.begun, &self.record.end) {
            (_, Some(_)) => Err(Refusal::Not("the game is over")),
            (true, None) => Err(Refusal::Not("the game has begun already")),
            (false, None) => Ok(()),
        }
    }

    /// Records that a player is ready, with the salt that they contribute to the dice.
    pub(super) fn begin(&mut self, salt: &str, by: &Actor) -> Result<(), Refusal> {
        self.not_begun()?;
        let plain = salt.chars().all(|character| character.is_ascii_alphanumeric());
        if salt.len() > 64 || !plain {
            return Err(Refusal::Not("expected a salt of up to 64 letters and digits"));
        }
        if let Some(apart) = &mut self.record.apart {
            for side in Side::BOTH.into_iter().filter(|&side| by.sides[side]) {
                let known = &mut apart.salts[side.index()];
                if known.is_some() {
                    return Err(Refusal::Not("you are ready already"));
                }
                *known = Some(salt.to_owned());
            }
        } else if let DiceKind::Fair(dice) = &mut self.record.dice {
            salt.clone_into(&mut dice.salt);
        }
        self.start_if_ready(by);
        Ok(())
    }

    /// Begins the game as soon as both players have joined, are ready, and have arranged their pieces.
    fn start_if_ready(&mut self, by: &Actor) {
        if let Some(apart) = &self.record.apart {
            let [Some(first), Some(second)] = &apart.salts else { return };
            let arranged = apart.setups.iter().flatten().all(Option::is_some);
            if apart.open.is_some() || !arranged {
                return;
            }
            if let DiceKind::Fair(dice) = &mut self.record.dice {
                dice.salt = format!("{first}-{second}");
            }
        }
        self.record.begun = true;
        self.began = by.now;
        self.roll();
    }

    /// Records that the invited player has joined, and what they call themselves.
    pub(super) fn join(&mut self, name: &PersonName) -> Result<(), Refusal> {
        let side = self.fill_open_side()?;
        self.record.players[side.index()] = RoomPlayer::Person { name: name.clone() };
        Ok(())
    }

    /// Ends the invitation; returns the side to which it was.
    pub(super) fn fill_open_side(&mut self) -> Result<Side, Refusal> {
        let apart = self.apart()?;
        apart.code = None;
        apart.listed = false;
        apart.open.take().ok_or(Refusal::Not("both sides are taken"))
    }

    /// Lets anybody join who knows this code.
    pub fn invite_by(&mut self, code: &str) {
        if let Some(apart) = &mut self.record.apart {
            apart.code = Some(code.to_owned());
        }
    }

    /// Whether the open side is for whoever knows this code.
    pub fn is_open_by(&self, code: &str) -> bool {
        let apart = self.record.apart.as_ref();
        let open = apart.filter(|apart| apart.open.is_some() && self.record.end.is_none());
        open.and_then(|apart| apart.code.as_deref()).is_some_and(|known| same(known, code))
    }

    /// What others see of this game while anybody may join it; `None` for all other games.
    pub fn open_game(&self) -> Option<OpenGame> {
        let RoomRecord { id, game, players, dice, clock, end, apart, .. } = &self.record;
        let apart = apart.as_ref().filter(|apart| apart.listed && end.is_none())?;
        let side = apart.open?;
        let RoomPlayer::Person { name } = &players[(!side).index()] else { return None };
        Some(OpenGame {
            id: id.clone(),
            code: apart.code.clone()?,
            game: game.clone(),
            name: name.clone(),
            side,
            clock: clock.map(|clock| OpenClock {
                seconds: apart.seconds,
                increment: clock.increment_ms / 1000,
            }),
            typed_dice: *dice == DiceKind::Typed,
        })
    }

    /// Takes the set-up of one side. Once both sides have sent theirs, the board is set up.
    pub(super) fn arrange(&mut self, text: &str, by: &Actor) -> Result<(), Refusal> {
        self.not_begun()?;
        let side = Self::own(by)?;
        let game = self.game;
        let chosen = setup(game, text)?;
        let nothing = Refusal::Not("this game has no set-ups to arrange");
        let setups = self.apart()?.setups.as_mut().ok_or(nothing)?;
        if setups[side.index()].is_some() {
            return Err(Refusal::Not("you have arranged your pieces already"));
        }
        setups[side.index()] = Some(chosen);
        if let [Some(first), Some(second)] = setups {
            let start = game.arranged(BySide::new(first, second));
            let start = start.ok_or(Refusal::Not("these set-ups have no position"))?;
            self.record.start = start.to_string();
            self.replay = Replay::new(start);
        }
        self.start_if_ready(by);
        Ok(())
    }

    pub(super) fn offer(&mut self, what: Proposal, by: &Actor) -> Result<(), Refusal> {
        let side = Self::own(by)?;
        let possible = match what {
            Proposal::TakeBack => self.undone(by.sides).is_some(),
            Proposal::Rematch => self.record.end.is_some(),
        };
        let apart = self.apart()?;
        if apart.offer.is_some() {
            return Err(Refusal::Not("there is a proposal already"));
        }
        if apart.next.is_some() || !possible {
            return Err(Refusal::Not(match what {
                Proposal::TakeBack => "you have nothing to take back",
                Proposal::Rematch => "there is no rematch of this game",
            }));
        }
        apart.offer = Some(Offer { side, what });
        Ok(())
    }

    /// The proposal that the other player has made to this one.
    pub(super) fn proposed_to(&self, by: &Actor) -> Option<Offer> {
        let own = Self::own(by).ok()?;
        self.record.apart.as_ref()?.offer.filter(|offer| offer.side != own)
    }

    pub(super) fn accept(&mut self, by: &Actor) -> Result<(), Refusal> {
        let offer = self.proposed_to(by).ok_or(Refusal::Not("there is no proposal for you"))?;
        match offer.what {
            Proposal::TakeBack => {
                let proposer = BySide::from_fn(|side: Side| side == offer.side);
                self.undo(proposer)?;
            }
            // A rematch needs another room, which only the registry can open.
            Proposal::Rematch => return Err(Refusal::Not("the rematch has no room")),
        }
        self.apart()?.offer = None;
        Ok(())
    }

    pub(super) fn decline(&mut self) -> Result<(), Refusal> {
        let proposed = self.apart()?.offer.take();
        proposed.map(|_| ()).ok_or(Refusal::Not("there is no proposal"))
    }

    pub(super) fn abort(&mut self) -> Result<(), Refusal> {
        if self.record.end.is_some() {
            return Err(Refusal::Not("the game is over"));
        }
        let moved = |side| self.replay.before.iter().any(|turn| turn.side() == side);
        if Side::BOTH.into_iter().all(moved) {
            return Err(Refusal::Not("both players have moved: the game can only be resigned now"));
        }
        self.record.end = Some(RoomEnd {
            result: "*".to_owned(),
            reason: RoomEndReason::Aborted,
            fault: String::new(),
        });
        Ok(())
    }

    pub(super) fn claim(&mut self, what: Claim, by: &Actor) -> Result<(), Refusal> {
        let own = Self::own(by)?;
        self.apart()?;
        if self.record.clock.is_some() {
            return Err(Refusal::Not("a game with clocks cannot be claimed: the clock decides"));
        }
        if self.side() == own || by.away[!own] < ABSENCE {
            return Err(Refusal::Not(
                "only when the other player has been away for two minutes on their turn",
            ));
        }
        let outcome = match what {
            Claim::Win => Outcome::Win(own),
            Claim::Draw => Outcome::Draw,
        };
        self.end(outcome, RoomEndReason::Absent);
        Ok(())
    }
}
