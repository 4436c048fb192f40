//! The course of a game in a room: rolls, moves, clocks, and the end.

use std::time::Duration;

use wurfel::{Agent, Game, Position, game};
use wurfel_arena::{RoomEnd, RoomEndReason, RoomPlayer, RoomRoll, RoomStep};
use wurfel_core::{Budget, BySide, Instant, Outcome, Random, Side};

use super::request::{GameRequest, short};
use super::view::{ShownClock, ShownRemotePlay, ShownStep, View};
use super::{Action, Actor, Answer, Refusal, Thought};
use crate::agents::{self, AgentCache, Stop};
use crate::dice::MAX_ROLLS;
use crate::record::{DiceKind, Proposal, RecordError, Replay, RoomRecord, TakeBack, rolled};

/// The time for an agent's move when its spec sets no limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// The maximum number of moves in a game, which guards against rules that allow endless ones.
pub(crate) const MAX_STEPS: usize = 4000;

/// A room.
pub(crate) struct Room {
    pub(super) game: Game,
    pub(super) record: RoomRecord,
    pub(super) replay: Replay,
    /// When the running clock was started.
    pub(super) began: Instant,
}

impl Room {
    /// Opens a new room.
    pub fn open(id: String, request: GameRequest, cache: &mut AgentCache) -> Result<Self, Refusal> {
        let game = game(&request.game)?;
        let (start, record) = request.grant(game, id, cache)?;
        Ok(Self { game, record, replay: Replay::new(start), began: Instant::now() })
    }

    /// Opens a room again from its record, where the game was interrupted.
    pub fn reopen(record: RoomRecord) -> Result<Self, Refusal> {
        let (game, replay) = (game(&record.game)?, record.replay()?);
        if let DiceKind::Fair(dice) = &record.dice
            && dice.rolls > MAX_ROLLS
        {
            return Err(RecordError::TooManyRolls(dice.rolls).into());
        }
        if replay.now.outcome().is_some() && record.end.is_none() {
            return Err(RecordError::End("one, as the game is over by the rules").into());
        }
        let mut room = Self { game, record, replay, began: Instant::now() };
        if let Some(roll) = room.record.rolled.clone() {
            // What the last step left of its roll makes way for the roll of the record.
            room.replay.now = rolled(&room.replay.now.unrolled(), &roll.roll)?;
        }
        room.roll();
        Ok(room)
    }

    pub(super) fn side(&self) -> Side {
        self.replay.now.side()
    }

    fn player(&self, side: Side) -> &RoomPlayer {
        &self.record.players[side.index()]
    }

    fn goes_on(&self) -> Result<(), Refusal> {
        match (self.record.begun, &self.record.end) {
            (_, Some(_)) => Err(Refusal::Not("the game is over")),
            (false, None) => Err(Refusal::Not("the game has not begun")),
            (true, None) => Ok(()),
        }
    }

    /// Rolls the dice, if a roll is due and the server rolls in this game.
    pub(super) fn roll(&mut self) {
        if !self.record.begun || self.record.end.is_some() || self.replay.now.roll().is_some() {
            return;
        }
        let DiceKind::Fair(dice) = &mut self.record.dice else { return };
        let (roll, rolled) = dice.roll(self.game, &self.replay.now);
        self.record.rolled = Some(roll);
        self.replay.now = rolled;
    }

    pub(super) fn end(&mut self, outcome: Outcome, reason: RoomEndReason) {
        self.record.end =
            Some(RoomEnd { result: outcome.to_string(), reason, fault: String::new() });
    }

    /// Plays a move, or says why it is not legal.
    fn step(&mut self, mv: &str, value: Option<f32>, now: Instant) -> Result<(), Refusal> {
        let roll = self.replay.now.roll().ok_or(Refusal::Not("the dice are not rolled"))?;
        let (side, left) = (self.side(), self.left(now));
        let rest = self.replay.rest;
        let mv = self.replay.step(&roll, mv)?;
        let RoomRoll { number, void, .. } = self.record.rolled.take().unwrap_or_default();
        self.record.steps.push(RoomStep { roll, number, void, mv, value, rest });
        let is_person = self.player(side).is_person();
        if let Some(clock) = self.record.clock.as_mut().filter(|_| is_person) {
            let increment = if self.replay.rest { 0 } else { clock.increment_ms };
            clock.left_ms[side.index()] = left[side.index()].saturating_add(increment);
        }
        self.began = now;
        if let Some(apart) = &mut self.record.apart {
            apart.offer = None;
        }
        if let Some(outcome) = self.replay.now.outcome() {
            self.end(outcome, RoomEndReason::Rules);
        } else if self.record.steps.len() >= MAX_STEPS {
            self.end(Outcome::Draw, RoomEndReason::Rules);
        }
        self.roll();
        Ok(())
    }

    /// The side whose clock is running.
    fn running(&self) -> Option<Side> {
        let person = self.player(self.side()).is_person();
        (self.record.clock.is_some() && person && self.goes_on().is_ok()).then(|| self.side())
    }

    /// The time left on each clock.
    fn left(&self, now: Instant) -> [u64; 2] {
        let mut left = self.record.clock.map_or([0; 2], |clock| clock.left_ms);
        if let Some(side) = self.running() {
            let used = now.saturating_duration_since(self.began).as_millis() as u64;
            left[side.index()] = left[side.index()].saturating_sub(used);
        }
        left
    }

    /// The number of moves that remain after a take-back. It removes the last move that a person on these
    /// sides chose among several, and everything after it.
    pub(super) fn undone(&self, sides: BySide<bool>) -> Option<usize> {
        let chose = |turn: &Position| {
            let side = turn.side();
            let person = sides[side] && self.player(side).is_person();
            person && turn.moves().len() > 1
        };
        let taken: usize = self.record.taken_back.iter().map(|back| back.steps.len()).sum();
        let allowed = self.goes_on().is_ok() && self.record.clock.is_none() && taken < MAX_STEPS;
        self.replay.before.iter().rposition(chose).filter(|_| allowed)
    }

    /// Whether a roll that people have entered waits for its move, so that a slip can be corrected.
    fn waits_with_entered_roll(&self) -> bool {
        let entered = self.record.dice == DiceKind::Typed && !self.replay.rest;
        entered && self.replay.now.roll().is_some() && self.goes_on().is_ok()
    }

    pub(super) fn undo(&mut self, sides: BySide<bool>) -> Result<(), Refusal> {
        let remaining = self.undone(sides).ok_or(Refusal::Not(
            "there is nothing to take back (never with a clock or after the end)",
        ))?;
        let Some(now) = self.replay.before.get(remaining).cloned() else { return Ok(()) };
        let steps = self.record.steps.split_off(remaining);
        let rolled = self.record.rolled.take();
        // The player had seen the roll before making this choice, so the roll stays. Later rolls
        // had been seen as well and would be known in advance, so they are rolled again.
        self.replay.rest = steps[0].rest;
        self.record.rolled = (!self.replay.rest).then(|| steps[0].roll());
        self.record.taken_back.push(TakeBack { kept: remaining, steps, rolled });
        self.replay.now = now;
        self.replay.before.truncate(remaining);
        Ok(())
    }

    /// Carries out an action that changes a game in progress.
    fn play(&mut self, action: &Action, by: &Actor) -> Result<(), Refusal> {
        let turn = by.sides[self.side()] && self.player(self.side()).is_person();
        match action {
            Action::Roll { roll } => {
                if self.record.dice != DiceKind::Typed {
                    return Err(Refusal::Not("the server rolls the dice of this game"));
                }
                if self.replay.now.roll().is_some() {
                    return Err(Refusal::Not("the dice have been rolled already"));
                }
                if !turn && self.record.apart.is_some() {
                    return Err(Refusal::Not("it is not your turn"));
                }
                self.replay.now = rolled(&self.replay.now, short(roll)?)?;
                let roll = self.replay.now.roll().unwrap_or_default();
                self.record.rolled = Some(RoomRoll { roll, ..RoomRoll::default() });
                Ok(())
            }
            Action::Move { mv } if turn => self.step(short(mv)?, None, by.now),
            Action::Move { .. } => Err(Refusal::Not("it is not your turn")),
            Action::Undo if self.record.apart.is_some() => {
                Err(Refusal::Not("the other player has to agree: offer it"))
            }
            Action::Undo if self.waits_with_entered_roll() => {
                self.record.rolled = None;
                self.replay.now = self.replay.now.unrolled();
                Ok(())
            }
            Action::Undo => self.undo(by.sides),
            Action::Claim { what } => self.claim(*what, by),
            _ => self.resign(by),
        }
    }

    fn resign(&mut self, by: &Actor) -> Result<(), Refusal> {
        let people = BySide::from_fn(|side| by.sides[side] && self.player(side).is_person());
        let side = match (people[self.side()], people[!self.side()]) {
            (true, _) => self.side(),
            (false, true) => !self.side(),
            (false, false) => return Err(Refusal::Not("no person plays here")),
        };
        self.end(Outcome::Win(!side), RoomEndReason::Resigned);
        Ok(())
    }
}

impl Room {
    /// The record of the game so far.
    pub const fn record(&self) -> &RoomRecord {
        &self.record
    }

    /// A number that grows with every change and is stored with the room, so that it identifies a
    /// state of the room for ever.
    pub const fn version(&self) -> u64 {
        self.record.changes
    }

    /// The view of the room that the page shows.
    pub fn view(&self, now: Instant) -> View {
        let steps = self.record.steps.iter().zip(&self.replay.before);
        View {
            token: None,
            invitation: None,
            code: None,
            id: self.record.id.clone(),
            game: self.record.game.clone(),
            version: self.record.changes,
            players: self.record.players.clone(),
            begun: self.record.begun,
            scene: self.replay.now.scene(),
            void: self.record.rolled.as_ref().map_or_else(Vec::new, |roll| roll.void.clone()),
            rest: self.replay.rest,
            steps: steps
                .map(|(step, before)| ShownStep {
                    position: before.to_string(),
                    side: before.side(),
                    step: step.clone(),
                })
                .collect(),
            end: self.record.end.clone(),
            clock: self
                .record
                .clock
                .map(|_| ShownClock { left_ms: self.left(now), running: self.running() }),
            dice: self.record.shown_dice(),
            undo: self.undone(BySide::from_fn(|_| true)).is_some()
                || self.waits_with_entered_roll(),
            taken_back: self.record.taken_back.len(),
            apart: self.record.apart.as_ref().map(ShownRemotePlay::new),
        }
    }

    /// Carries out an action of a player.
    pub fn act(&mut self, action: &Action, by: &Actor) -> Result<(), Refusal> {
        // An action that arrives after the time is up finds the game over.
        if self.drop_flag(by.now) {
            return Ok(());
        }
        match action {
            Action::Begin { salt } => self.begin(salt, by)?,
            Action::Join { name, .. } => self.join(name)?,
            Action::Arrange { setup } => self.arrange(setup, by)?,
            Action::Abort => self.abort()?,
            Action::Offer { what } => self.offer(*what, by)?,
            Action::Accept => self.accept(by)?,
            Action::Decline => self.decline()?,
            Action::Enter => return Err(Refusal::Not("only watchers can enter")),
            Action::Roll { .. }
            | Action::Move { .. }
            | Action::Undo
            | Action::Resign
            | Action::Claim { .. } => {
                self.goes_on()?;
                self.play(action, by)?;
            }
        }
        self.record.changes += 1;
        Ok(())
    }

    /// Whether there is a proposal of a rematch that this actor can accept.
    pub fn can_play_again(&self, by: &Actor) -> bool {
        self.proposed_to(by).is_some_and(|offer| offer.what == Proposal::Rematch)
    }

    /// The room of the rematch, with the sides exchanged.
    pub fn again(&self, id: String) -> Result<Self, Refusal> {
        let nobody = Refusal::Not("a rematch is between two people");
        let request = GameRequest::again(&self.record, self.record.apart.as_ref().ok_or(nobody)?);
        let mut room = Self::open(id, request, &mut AgentCache::default())?;
        room.fill_open_side()?;
        Ok(room)
    }

    /// Records the room of the rematch, to which the page then leads.
    pub fn lead_to(&mut self, id: String) {
        if let Some(apart) = &mut self.record.apart {
            apart.offer = None;
            apart.next = Some(id);
            self.record.changes += 1;
        }
    }

    /// The search to run, if it is an agent's turn.
    pub fn thought(&self) -> Option<Thought> {
        self.goes_on().ok()?;
        self.replay.now.roll()?;
        let RoomPlayer::Agent { spec } = self.player(self.side()) else { return None };
        let spec = agents::read(spec).ok()?;
        let (game, position) = (self.game, self.replay.now.clone());
        let seed = Random::seed_for(self.record.changes, &[self.record.steps.len() as u64]);
        let work = move |cache: &mut AgentCache, stop: Stop<'_>| {
            let budget = Budget { time: Some(DEFAULT_TIME), stop: Some(stop), ..Budget::default() };
            let decide = |agent: &mut dyn Agent| {
                agent.begin(Random::new(seed));
                let decision = agent.decide(&position, budget)?;
                Ok(Answer { mv: decision.mv, value: decision.value })
            };
            cache.player(game, &spec, decide)
        };
        Some(Thought {
            version: self.record.changes,
            pace: Duration::from_millis(self.record.pace_ms),
            work: Box::new(work),
        })
    }

    /// Plays an agent's answer, and returns false if the room has changed since it was requested. An agent
    /// without an answer, or with an illegal move, loses the game.
    pub fn answer(&mut self, version: u64, answer: Result<Answer, String>, now: Instant) -> bool {
        if version != self.record.changes || self.goes_on().is_err() {
            return false;
        }
        let played = answer.and_then(|Answer { mv, value }| {
            self.step(&mv, value, now).map_err(|refusal| refusal.to_string())
        });
        if let Err(fault) = played {
            let (result, reason) = (Outcome::Win(!self.side()).to_string(), RoomEndReason::Fault);
            self.record.end = Some(RoomEnd { result, reason, fault });
        }
        self.record.changes += 1;
        true
    }

    /// The time when the running clock will reach zero.
    pub fn flag(&self) -> Option<Instant> {
        let side = self.running()?;
        let left = self.record.clock?.left_ms[side.index()];
        Some(self.began + Duration::from_millis(left))
    }

    /// Sets the running clock to the time it had left when the room was unloaded.
    pub fn resume(&mut self, left: Duration, now: Instant) {
        if let Some(side) = self.running()
            && let Some(clock) = &mut self.record.clock
        {
            let clock = &mut clock.left_ms[side.index()];
            *clock = (left.as_millis() as u64).min(*clock);
            self.began = now;
        }
    }

    /// Ends the game on time if the running clock has reached zero; false if it has not.
    pub fn drop_flag(&mut self, now: Instant) -> bool {
        let Some(side) = self.running().filter(|side| self.left(now)[side.index()] == 0) else {
            return false;
        };
        if let Some(clock) = &mut self.record.clock {
            clock.left_ms[side.index()] = 0;
        }
        self.end(Outcome::Win(!side), RoomEndReason::Time);
        self.record.changes += 1;
        true
    }
}
