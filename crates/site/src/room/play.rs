//! What happens in a room: throws, moves, clocks, and how it ends.

use std::time::{Duration, Instant};

use wurfel_game::{Budget, BySide, Outcome, Random, Side, Situation, Turn};
use wurfel_games::Playable;

use super::view::{ShownClock, ShownStep, View};
use super::wish::{Wish, short};
use super::{Action, Answer, AnyRoom, Refusal, Thought};
use crate::agents::{self, Shelf};
use crate::pool::Stop;
use crate::record::{DiceKind, End, Player, Reason, Record, RecordError, Replay, Step, usable};
use crate::scene::Scene;

/// What an agent may spend on a move when its spec does not say it.
const USUAL: Duration = Duration::from_secs(1);
/// No game is longer, whatever its rules say.
const MOST_STEPS: usize = 4000;

/// A room of the game `G`.
pub(super) struct Room<G: Playable> {
    record: Record,
    replay: Replay<G>,
    /// When the turn of the side whose clock runs began.
    began: Instant,
}

impl<G: Playable> Room<G> {
    pub fn open(id: String, wish: Wish, shelf: &mut Shelf) -> Result<Self, Refusal> {
        let (start, record) = wish.grant(id, shelf)?;
        Ok(Self { record, replay: Replay::new(start), began: Instant::now() })
    }

    pub fn reopen(record: Record) -> Result<Self, Refusal> {
        let replay = record.replay::<G>()?;
        let over = replay.now.position.outcome();
        if over.is_some() && record.end.is_none() {
            return Err(RecordError::End("one, as the game is over by the rules").into());
        }
        let mut room = Self { record, replay, began: Instant::now() };
        if let Some(thrown) = room.record.thrown.clone() {
            room.replay.now.roll = Some(usable(&room.replay.now.position, &thrown)?);
        }
        room.throw();
        Ok(room)
    }

    fn side(&self) -> Side {
        self.replay.now.position.side()
    }

    fn player(&self, side: Side) -> &Player {
        &self.record.players[side.index()]
    }

    fn goes_on(&self) -> Result<(), Refusal> {
        match (self.record.begun, &self.record.end) {
            (_, Some(_)) => Err(Refusal::Not("the game is over")),
            (false, None) => Err(Refusal::Not("the game has not begun")),
            (true, None) => Ok(()),
        }
    }

    /// Throws, if the server throws and a throw is due.
    fn throw(&mut self) {
        if !self.record.begun || self.record.end.is_some() || self.replay.now.roll.is_some() {
            return;
        }
        if let DiceKind::Fair(dice) = &self.record.dice {
            let roll = dice.throw(&self.replay.now.position, self.record.throws() + 1);
            self.replay.now.roll = Some(roll);
        }
    }

    fn end(&mut self, outcome: Outcome, reason: Reason) {
        self.record.end = Some(End { result: outcome.to_string(), reason });
    }

    /// Plays a legal move, or says why it is none.
    fn step(&mut self, mv: &str, value: Option<f32>, now: Instant) -> Result<(), Refusal> {
        let roll = self.replay.now.roll.ok_or(Refusal::Not("the dice are not thrown"))?;
        let (side, left) = (self.side(), self.left(now));
        let rest = self.replay.rest;
        let roll = roll.to_string();
        self.replay.step(&roll, mv)?;
        let mv = mv.to_ascii_lowercase();
        self.record.steps.push(Step { roll, mv, value, rest });
        self.record.thrown = None;
        if let Some(clock) = &mut self.record.clock {
            clock.left_ms[side.index()] = left[side.index()] + clock.increment_ms;
        }
        self.began = now;
        if let Some(outcome) = self.replay.now.position.outcome() {
            self.end(outcome, Reason::Rules);
        } else if self.record.steps.len() >= MOST_STEPS {
            self.end(Outcome::Draw, Reason::Rules);
        }
        self.throw();
        Ok(())
    }

    /// The side whose clock runs.
    fn running(&self) -> Option<Side> {
        let person = *self.player(self.side()) == Player::Person;
        (self.record.clock.is_some() && person && self.goes_on().is_ok()).then(|| self.side())
    }

    /// What each clock shows.
    fn left(&self, now: Instant) -> [u64; 2] {
        let mut left = self.record.clock.map_or([0; 2], |clock| clock.left_ms);
        if let Some(side) = self.running() {
            let used = now.saturating_duration_since(self.began).as_millis() as u64;
            left[side.index()] = left[side.index()].saturating_sub(used);
        }
        left
    }

    /// How many moves stay when one is taken back: the last by which a person has chosen
    /// among several, and what followed, are not among them.
    fn undone(&self) -> Option<usize> {
        let chose = |turn: &Situation<G>| {
            let person = *self.player(turn.position.side()) == Player::Person;
            let moves = turn.roll.map(|roll| turn.position.moves(roll));
            person && moves.is_some_and(|moves| moves.as_ref().len() > 1)
        };
        let allowed = self.goes_on().is_ok() && self.record.clock.is_none();
        self.replay.before.iter().rposition(chose).filter(|_| allowed)
    }

    fn undo(&mut self) -> Result<(), Refusal> {
        let kept = self.undone().ok_or(Refusal::Not(
            "there is nothing to take back (with a clock, and after the end, nothing is)",
        ))?;
        let Some(now) = self.replay.before.get(kept).cloned() else { return Ok(()) };
        // The same throw is there again, typed or not.
        self.replay.rest = self.record.steps[kept].rest;
        let typed = self.record.dice == DiceKind::Typed && !self.replay.rest;
        self.record.thrown = now.roll.filter(|_| typed).map(|roll| roll.to_string());
        self.replay.now = now;
        self.replay.before.truncate(kept);
        self.record.steps.truncate(kept);
        Ok(())
    }

    fn resign(&mut self) -> Result<(), Refusal> {
        let people = BySide::from_fn(|side| *self.player(side) == Player::Person);
        let side = match (people[self.side()], people[!self.side()]) {
            (true, _) => self.side(),
            (false, true) => !self.side(),
            (false, false) => return Err(Refusal::Not("no person plays here")),
        };
        self.end(Outcome::Win(!side), Reason::Resigned);
        Ok(())
    }

    fn begin(&mut self, salt: &str, now: Instant) -> Result<(), Refusal> {
        if self.record.begun {
            return Err(Refusal::Not("the game has begun already"));
        }
        if let DiceKind::Fair(dice) = &mut self.record.dice {
            let plain = salt.chars().all(|sign| sign.is_ascii_alphanumeric());
            if salt.len() > 64 || !plain {
                return Err(Refusal::Not("a salt is up to 64 letters and digits"));
            }
            salt.clone_into(&mut dice.salt);
        }
        self.record.begun = true;
        self.began = now;
        self.throw();
        Ok(())
    }
}

impl<G: Playable> AnyRoom for Room<G> {
    fn record(&self) -> &Record {
        &self.record
    }

    fn version(&self) -> u64 {
        self.record.changes
    }

    fn view(&self, now: Instant) -> View {
        let steps = self.record.steps.iter().zip(&self.replay.before);
        View {
            id: self.record.id.clone(),
            game: self.record.game.clone(),
            version: self.record.changes,
            players: self.record.players.clone(),
            begun: self.record.begun,
            scene: Scene::new(&self.replay.now),
            rest: self.replay.rest,
            steps: steps
                .map(|(step, before)| ShownStep {
                    position: before.to_string(),
                    side: before.position.side().index(),
                    step: step.clone(),
                })
                .collect(),
            end: self.record.end.clone(),
            clock: self.record.clock.map(|_| ShownClock {
                left_ms: self.left(now),
                running: self.running().map(Side::index),
            }),
            dice: self.record.shown_dice(),
            undo: self.undone().is_some(),
        }
    }

    fn act(&mut self, action: &Action, now: Instant) -> Result<(), Refusal> {
        if !matches!(action, Action::Begin { .. }) {
            self.drop_flag(now);
            self.goes_on()?;
        }
        match action {
            Action::Begin { salt } => self.begin(salt, now)?,
            Action::Throw { roll } => {
                if self.record.dice != DiceKind::Typed {
                    return Err(Refusal::Not("the server throws the dice of this game"));
                }
                if self.replay.now.roll.is_some() {
                    return Err(Refusal::Not("the dice are thrown already"));
                }
                let roll = usable(&self.replay.now.position, short(roll)?)?;
                self.record.thrown = Some(roll.to_string());
                self.replay.now.roll = Some(roll);
            }
            Action::Move { mv } => {
                if *self.player(self.side()) != Player::Person {
                    return Err(Refusal::Not("it is not your turn"));
                }
                self.step(short(mv)?, None, now)?;
            }
            Action::Undo => self.undo()?,
            Action::Resign => self.resign()?,
        }
        self.record.changes += 1;
        Ok(())
    }

    fn thought(&self) -> Option<Thought> {
        self.goes_on().ok()?;
        let roll = self.replay.now.roll?;
        let Player::Agent { spec } = self.player(self.side()) else { return None };
        let spec = agents::read(spec).ok()?;
        let position = self.replay.now.position.clone();
        let seed = Random::seed_for(self.record.changes, &[self.record.steps.len() as u64]);
        let work = move |shelf: &mut Shelf, stop: Stop| {
            let budget = Budget { time: Some(USUAL), stop: Some(stop), ..Budget::default() };
            let decide = |agent: &mut dyn wurfel_game::Agent<G>| {
                agent.begin(Random::new(seed));
                agent.decide(Turn { position: &position, roll }, budget)
            };
            let decision = shelf.with(&spec, decide).ok()?;
            Some(Answer { mv: decision.mv.to_string(), value: decision.value })
        };
        Some(Thought {
            version: self.record.changes,
            pace: Duration::from_millis(self.record.pace_ms),
            work: Box::new(work),
        })
    }

    fn answer(&mut self, version: u64, answer: Option<Answer>, now: Instant) -> bool {
        if version != self.record.changes || self.goes_on().is_err() {
            return false;
        }
        let played = answer.map(|answer| self.step(&answer.mv, answer.value, now));
        if !matches!(played, Some(Ok(()))) {
            self.end(Outcome::Win(!self.side()), Reason::Fault);
        }
        self.record.changes += 1;
        true
    }

    fn flag(&self) -> Option<Instant> {
        let side = self.running()?;
        let left = self.record.clock?.left_ms[side.index()];
        Some(self.began + Duration::from_millis(left))
    }

    fn drop_flag(&mut self, now: Instant) -> bool {
        let Some(side) = self.running().filter(|side| self.left(now)[side.index()] == 0) else {
            return false;
        };
        if let Some(clock) = &mut self.record.clock {
            clock.left_ms[side.index()] = 0;
        }
        self.end(Outcome::Win(!side), Reason::Time);
        self.record.changes += 1;
        true
    }
}
