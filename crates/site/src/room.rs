//! A room: one game between people and agents, with its dice and clocks.
//!
//! A room knows its game and the rules of the site, nothing of the network. Everything
//! that happens in it is in its [`Record`]: a room made again from the record goes on
//! where it was.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use wurfel_arena::SpecError;
use wurfel_game::{Budget, BySide, NotationError, Outcome, Random, Side, Situation, Turn};
use wurfel_games::{Playable, UnknownName, UseGame, with_game};

use crate::agents::{self, Shelf};
use crate::dice::FairDice;
use crate::pool::Stop;
use crate::record::{
    Clock, DiceKind, End, FORMAT, Player, Reason, Record, RecordError, Replay, Step, VERSION,
    usable,
};
use crate::scene::Scene;

/// What an agent may spend on a move when its spec does not say it.
const USUAL: Duration = Duration::from_secs(1);
/// No game is longer, whatever its rules say.
const MOST_STEPS: usize = 4000;

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

const MOST_PACE: u64 = 5000;
const MOST_SECONDS: u64 = 24 * 60 * 60;
/// The longest text that is looked at: a Dice Chess position has about 100 characters.
const MOST_TEXT: usize = 200;

/// What somebody in the room does.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Action {
    /// Begins the game. The salt goes into the dice.
    Begin {
        #[serde(default)]
        salt: String,
    },
    /// Says what the dice show, where people throw them.
    Throw { roll: String },
    /// Moves for the side whose turn it is.
    Move {
        #[serde(rename = "move")]
        mv: String,
    },
    /// Takes back the last move of a person, and what followed.
    Undo,
    /// Gives up, for the side whose turn it is or the only person.
    Resign,
}

/// Why an action is not done. Displays as one line.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error(transparent)]
    Notation(#[from] NotationError),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Game(#[from] UnknownName),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("set-up '{0}': {1} has none like it")]
    Setup(String, &'static str),
    #[error("{0}")]
    Not(&'static str),
    #[error("no random numbers: {0}")]
    Random(String),
}

/// What a page is told of a room.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct View {
    /// The name of the room.
    pub id: String,
    /// The game, which is the rule set.
    pub game: String,
    /// Grows with every change.
    pub version: u64,
    /// Who plays, the first side first.
    pub players: [Player; 2],
    /// Whether the game has begun.
    pub begun: bool,
    /// The position now.
    pub scene: Scene,
    /// The moves so far.
    pub steps: Vec<ShownStep>,
    /// How it ended.
    pub end: Option<End>,
    /// The clocks.
    pub clock: Option<ShownClock>,
    /// The dice; the seed only after the end.
    pub dice: DiceKind,
    /// Whether the last move of a person can be taken back.
    pub undo: bool,
}

/// A move with the situation in which it was made.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ShownStep {
    /// Before it, with the throw.
    pub position: String,
    /// The side that moved, 0 or 1.
    pub side: usize,
    /// The throw and the move.
    #[serde(flatten)]
    pub step: Step,
}

/// The clocks at the time of the view.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ShownClock {
    pub left_ms: [u64; 2],
    /// Whose clock runs.
    pub running: Option<usize>,
}

/// An agent's answer.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Answer {
    pub mv: String,
    pub value: Option<f32>,
}

/// What a thread does for an answer.
pub(crate) type Work = Box<dyn FnOnce(&mut Shelf, Stop) -> Option<Answer> + Send>;

/// Work on an agent's move.
pub(crate) struct Thought {
    /// Of the room when the thought began: a later room has no use for the answer.
    pub version: u64,
    /// Before this time has passed the answer is not played.
    pub pace: Duration,
    /// The work.
    pub work: Work,
}

/// A room of any game.
pub(crate) trait AnyRoom: Send {
    /// Everything about the game.
    fn record(&self) -> &Record;

    /// Grows with every change.
    fn version(&self) -> u64;

    /// What a page is told.
    fn view(&self, now: Instant) -> View;

    /// Does something that a person in the room asks for.
    fn act(&mut self, action: &Action, now: Instant) -> Result<(), Refusal>;

    /// The work to do, if it is an agent's turn.
    fn thought(&self) -> Option<Thought>;

    /// Plays what an agent answered; false when the room has changed since. Without an
    /// answer, or with an illegal one, the agent has lost.
    fn answer(&mut self, version: u64, answer: Option<Answer>, now: Instant) -> bool;

    /// When the clock that runs is at its end.
    fn flag(&self) -> Option<Instant>;

    /// Ends the game if that time has come; false if not.
    fn drop_flag(&mut self, now: Instant) -> bool;
}

/// Opens a new room.
pub(crate) fn open(id: String, wish: Wish) -> Result<Box<dyn AnyRoom>, Refusal> {
    struct Open(String, Wish);

    impl UseGame for Open {
        type Output = Result<Box<dyn AnyRoom>, Refusal>;

        fn with<G: Playable>(self) -> Self::Output {
            Ok(Box::new(Room::<G>::open(self.0, self.1)?))
        }
    }
    with_game(&wish.game.clone(), Open(id, wish))?
}

/// Opens a room again from its record.
pub(crate) fn reopen(record: Record) -> Result<Box<dyn AnyRoom>, Refusal> {
    struct Reopen(Record);

    impl UseGame for Reopen {
        type Output = Result<Box<dyn AnyRoom>, Refusal>;

        fn with<G: Playable>(self) -> Self::Output {
            Ok(Box::new(Room::<G>::reopen(self.0)?))
        }
    }
    with_game(&record.game.clone(), Reopen(record))?
}

struct Room<G: Playable> {
    record: Record,
    replay: Replay<G>,
    version: u64,
    /// When the turn of the side whose clock runs began.
    began: Instant,
}

impl<G: Playable> Room<G> {
    fn open(id: String, wish: Wish) -> Result<Self, Refusal> {
        for player in &wish.players {
            if let Player::Agent { spec } = player {
                agents::read::<G>(short(spec)?)?;
            }
        }
        if wish.typed_dice && !wish.players.contains(&Player::Person) {
            return Err(Refusal::Not("dice can be typed in only where a person plays"));
        }
        let start = start::<G>(&wish)?;
        if start.outcome().is_some() {
            return Err(Refusal::Not("the game is over in this position"));
        }
        let clock = wish.clock.map(|clock| {
            if !(1..=MOST_SECONDS).contains(&clock.seconds) || clock.increment > MOST_SECONDS {
                return Err(Refusal::Not("a clock has from 1 second to a day"));
            }
            Ok(Clock { left_ms: [1000 * clock.seconds; 2], increment_ms: 1000 * clock.increment })
        });
        let dice = if wish.typed_dice {
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
            players: wish.players,
            dice,
            clock: clock.transpose()?,
            pace_ms: wish.pace_ms.min(MOST_PACE),
            begun: false,
            steps: vec![],
            thrown: None,
            end: None,
        };
        Ok(Self { record, replay: Replay::new(start), version: 0, began: Instant::now() })
    }

    fn reopen(record: Record) -> Result<Self, Refusal> {
        let replay = record.replay::<G>()?;
        let over = replay.now.position.outcome();
        if over.is_some() && record.end.is_none() {
            return Err(RecordError::End("one, as the game is over by the rules").into());
        }
        // So that versions of the same room never repeat.
        let version = 1_000_000 * (1 + record.steps.len() as u64);
        let mut room = Self { record, replay, version, began: Instant::now() };
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

    /// How many moves stay when one is taken back.
    fn undone(&self) -> Option<usize> {
        let person = |turn: &Situation<G>| *self.player(turn.position.side()) == Player::Person;
        let allowed = self.goes_on().is_ok() && self.record.clock.is_none();
        self.replay.before.iter().rposition(person).filter(|_| allowed)
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

/// A text of a guest that is not too long to be looked at.
fn short(text: &str) -> Result<&str, Refusal> {
    let fits = text.len() <= MOST_TEXT;
    fits.then_some(text).ok_or(Refusal::Not("a text is too long"))
}

fn start<G: Playable>(wish: &Wish) -> Result<G, Refusal> {
    if let Some(text) = &wish.position {
        return Ok(short(text)?.parse()?);
    }
    let seed = crate::secret::random_hex::<8>().map_err(|e| Refusal::Random(e.to_string()))?;
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

impl<G: Playable> AnyRoom for Room<G> {
    fn record(&self) -> &Record {
        &self.record
    }

    fn version(&self) -> u64 {
        self.version
    }

    fn view(&self, now: Instant) -> View {
        let steps = self.record.steps.iter().zip(&self.replay.before);
        let mut dice = self.record.dice.clone();
        if let (DiceKind::Fair(dice), None) = (&mut dice, &self.record.end) {
            dice.seed.clear();
        }
        View {
            id: self.record.id.clone(),
            game: self.record.game.clone(),
            version: self.version,
            players: self.record.players.clone(),
            begun: self.record.begun,
            scene: Scene::new(&self.replay.now),
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
            dice,
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
        self.version += 1;
        Ok(())
    }

    fn thought(&self) -> Option<Thought> {
        self.goes_on().ok()?;
        let roll = self.replay.now.roll?;
        let Player::Agent { spec } = self.player(self.side()) else { return None };
        let spec = agents::read::<G>(spec).ok()?;
        let position = self.replay.now.position.clone();
        let seed = Random::seed_for(self.version, &[self.record.steps.len() as u64]);
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
            version: self.version,
            pace: Duration::from_millis(self.record.pace_ms),
            work: Box::new(work),
        })
    }

    fn answer(&mut self, version: u64, answer: Option<Answer>, now: Instant) -> bool {
        if version != self.version || self.goes_on().is_err() {
            return false;
        }
        let played = answer.map(|answer| self.step(&answer.mv, answer.value, now));
        if !matches!(played, Some(Ok(()))) {
            self.end(Outcome::Win(!self.side()), Reason::Fault);
        }
        self.version += 1;
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
        self.version += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(text: &str) -> Wish {
        serde_json::from_str(text).unwrap()
    }

    fn room(wish_text: &str) -> Box<dyn AnyRoom> {
        open("room".into(), wish(wish_text)).unwrap()
    }

    fn act(room: &mut dyn AnyRoom, text: &str) -> Result<(), Refusal> {
        room.act(&serde_json::from_str(text).unwrap(), Instant::now())
    }

    const TWO_PEOPLE: &str = r#"{"game":"einstein","players":[{"kind":"person"},{"kind":"person"}],
        "position":"5/5/2A2/5/a4 r - 1","typed_dice":true}"#;
    const AGAINST: &str = r#"{"game":"einstein",
        "players":[{"kind":"person"},{"kind":"agent","spec":"greedy"}]}"#;

    fn first_move(room: &dyn AnyRoom) -> String {
        let view = room.view(Instant::now());
        format!(r#"{{"do":"move","move":"{}"}}"#, view.scene.moves[0].text)
    }

    /// Lets the agent whose turn it is move.
    fn think(room: &mut dyn AnyRoom) {
        static STOP: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
        let thought = room.thought().unwrap();
        let answer = (thought.work)(&mut Shelf::default(), &STOP);
        assert!(room.answer(thought.version, answer, Instant::now()));
    }

    #[test]
    fn two_people_play_with_typed_dice_to_the_end() {
        let mut room = room(TWO_PEOPLE);
        let refused = act(&mut *room, r#"{"do":"throw","roll":"3"}"#).unwrap_err();
        assert_eq!(refused.to_string(), "the game has not begun");
        for text in [
            r#"{"do":"begin"}"#,
            r#"{"do":"throw","roll":"3"}"#,
            r#"{"do":"move","move":"c3d2"}"#,
            r#"{"do":"throw","roll":"5"}"#,
            r#"{"do":"move","move":"a1a2"}"#,
            r#"{"do":"throw","roll":"1"}"#,
        ] {
            act(&mut *room, text).unwrap();
        }
        let wrong = act(&mut *room, r#"{"do":"move","move":"d2a1"}"#).unwrap_err();
        assert_eq!(wrong.to_string(), "move 'd2a1': expected one of d2e2 d2d1 d2e1");
        act(&mut *room, r#"{"do":"move","move":"D2E1"}"#).unwrap();
        let view = room.view(Instant::now());
        assert_eq!(view.end, Some(End { result: "1-0".into(), reason: Reason::Rules }));
        assert_eq!(view.steps[2].position, "5/5/5/a2A1/5 r 1 3");
        assert!(act(&mut *room, r#"{"do":"undo"}"#).is_err());
    }

    #[test]
    fn a_room_made_again_from_its_record_is_the_same() {
        for (text, after) in [(TWO_PEOPLE, r#"{"do":"throw","roll":"3"}"#), (AGAINST, "")] {
            let mut first = room(text);
            act(&mut *first, r#"{"do":"begin","salt":"abc"}"#).unwrap();
            if !after.is_empty() {
                act(&mut *first, after).unwrap();
            }
            let played = first_move(&*first);
            act(&mut *first, &played).unwrap();
            let kept = serde_json::to_string(first.record()).unwrap();
            let again = reopen(serde_json::from_str(&kept).unwrap()).unwrap();
            let now = Instant::now();
            let [mut one, mut other] = [first.view(now), again.view(now)];
            (one.version, other.version) = (0, 0);
            assert_eq!(one, other);
        }
    }

    #[test]
    fn a_damaged_record_is_an_error() {
        let mut room = room(TWO_PEOPLE);
        act(&mut *room, r#"{"do":"begin"}"#).unwrap();
        let record = room.record().clone();
        let step = Step { roll: "3".into(), mv: "c3c4".into(), value: None, rest: false };
        let broken = [
            Record { version: 2, ..record.clone() },
            Record { game: "chess".into(), ..record.clone() },
            Record { start: "5".into(), ..record.clone() },
            Record { steps: vec![step], ..record.clone() },
            Record { thrown: Some("9".into()), ..record },
        ];
        for record in broken {
            let error = reopen(record).err().unwrap().to_string();
            assert!(!error.is_empty() && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn the_seed_is_hidden_until_the_end_and_then_every_throw_can_be_checked() {
        let mut room = room(AGAINST);
        act(&mut *room, r#"{"do":"begin","salt":"pepper"}"#).unwrap();
        let seed = |view: &View| match &view.dice {
            DiceKind::Fair(dice) => (dice.seed.clone(), dice.commitment.clone()),
            DiceKind::Typed => panic!("thrown dice were asked for"),
        };
        let before = seed(&room.view(Instant::now()));
        assert!(before.0.is_empty() && before.1.len() == 64);
        while room.record().end.is_none() {
            if room.thought().is_some() {
                think(&mut *room);
            } else {
                let played = first_move(&*room);
                act(&mut *room, &played).unwrap();
            }
        }
        let after = seed(&room.view(Instant::now()));
        assert_eq!((after.0.len(), &after.1), (64, &before.1));
        let record = room.record().clone();
        assert_eq!(record.verify(), Ok(record.steps.len() as u32));
        let DiceKind::Fair(dice) = record.dice.clone() else { panic!() };
        let other = DiceKind::Fair(FairDice { salt: "other".into(), ..dice.clone() });
        let steered = Record { dice: other, ..record.clone() }.verify().unwrap_err();
        assert!(matches!(steered, RecordError::Throw { .. }), "{steered}");
        let other = DiceKind::Fair(FairDice { seed: "0".repeat(64), ..dice });
        assert_eq!(Record { dice: other, ..record }.verify(), Err(RecordError::Seed));
    }

    #[test]
    fn taken_back_the_same_throw_is_there_again() {
        let mut room = room(AGAINST);
        act(&mut *room, r#"{"do":"begin","salt":"1"}"#).unwrap();
        let before = room.view(Instant::now());
        assert!(!before.undo);
        let played = first_move(&*room);
        act(&mut *room, &played).unwrap();
        think(&mut *room);
        act(&mut *room, r#"{"do":"undo"}"#).unwrap();
        let after = room.view(Instant::now());
        assert_eq!((&after.scene, &after.steps), (&before.scene, &before.steps));
        assert!(after.version > before.version);
    }

    #[test]
    fn an_answer_to_an_older_question_is_not_played() {
        let mut room = room(AGAINST);
        act(&mut *room, r#"{"do":"begin"}"#).unwrap();
        let played = first_move(&*room);
        act(&mut *room, &played).unwrap();
        let version = room.thought().unwrap().version;
        act(&mut *room, r#"{"do":"undo"}"#).unwrap();
        let answer = Answer { mv: "a5a4".into(), value: None };
        assert!(!room.answer(version, Some(answer), Instant::now()));
        let refused = act(&mut *room, r#"{"do":"throw","roll":"3"}"#).unwrap_err();
        assert_eq!(refused.to_string(), "the server throws the dice of this game");
    }

    #[test]
    fn an_agent_without_a_legal_answer_has_lost() {
        for answer in [None, Some(Answer { mv: "a1a2".into(), value: None })] {
            let mut room = room(AGAINST);
            act(&mut *room, r#"{"do":"begin"}"#).unwrap();
            let played = first_move(&*room);
            act(&mut *room, &played).unwrap();
            let version = room.thought().unwrap().version;
            assert!(room.answer(version, answer, Instant::now()));
            let end = room.record().end.clone();
            assert_eq!(end, Some(End { result: "1-0".into(), reason: Reason::Fault }));
        }
    }

    #[test]
    fn whoever_lets_the_time_pass_or_resigns_has_lost() {
        let text = AGAINST.replace(r#""game""#, r#""clock":{"seconds":60,"increment":2},"game""#);
        let mut room = room(&text);
        assert_eq!(room.flag(), None);
        let start = Instant::now();
        room.act(&Action::Begin { salt: String::new() }, start).unwrap();
        let ten = start + Duration::from_secs(10);
        let mv = room.view(ten).scene.moves[0].text.clone();
        room.act(&Action::Move { mv }, ten).unwrap();
        // The agent's time does not count.
        let view = room.view(start + Duration::from_secs(20));
        assert_eq!(view.clock.unwrap(), ShownClock { left_ms: [52_000, 60_000], running: None });
        think(&mut *room);
        let flag = room.flag().unwrap();
        assert!(!room.drop_flag(start));
        assert!(room.drop_flag(flag));
        let end = room.record().end.clone();
        assert_eq!(end, Some(End { result: "0-1".into(), reason: Reason::Time }));

        let mut room = self::room(AGAINST);
        act(&mut *room, r#"{"do":"begin"}"#).unwrap();
        act(&mut *room, r#"{"do":"resign"}"#).unwrap();
        let end = room.record().end.clone();
        assert_eq!(end, Some(End { result: "0-1".into(), reason: Reason::Resigned }));
    }

    #[test]
    fn wishes_that_cannot_be_granted_are_refused_in_one_line() {
        let people = r#""players":[{"kind":"person"},{"kind":"person"}]"#;
        for (text, message) in [
            (format!(r#"{{"game":"go",{people}}}"#), "unknown game 'go'"),
            (
                format!(r#"{{"game":"einstein",{people},"setups":["S111111",null]}}"#),
                "set-up 'S111111': EinStein würfelt nicht! has none like it",
            ),
            (format!(r#"{{"game":"einstein",{people},"position":"5"}}"#), "position '5'"),
            (
                format!(r#"{{"game":"einstein",{people},"position":"5/5/5/3b1/4A r"}}"#),
                "the game is over in this position",
            ),
            (
                format!(r#"{{"game":"einstein",{people},"clock":{{"seconds":0}}}}"#),
                "a clock has from 1 second to a day",
            ),
            (
                AGAINST.replace("greedy", "champion:threads=64"),
                "agent 'champion:threads=64': threads=64: expected another option",
            ),
        ] {
            let error = open("r".into(), wish(&text)).err().unwrap().to_string();
            assert!(error.starts_with(message) && !error.contains('\n'), "{error}");
        }
    }
}
