//! How an entry changes the table, and which entries are refused.

use std::ffi::OsStr;
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use wurfel_core::{Outcome, Side, Transcript, UnknownName};
use wurfel_games::Playable;

use super::clocks::{clock_text, thresholds};
use super::entry::{SessionEntry, SessionEvent};
use super::refusal::Refusal;
use super::settings::SessionSettings;
use super::table::{SessionEnding, SessionGame, Table};

impl<G: Playable> Table<G> {
    /// Applies an entry. After a refusal the table must no longer be used.
    pub fn apply(
        &mut self,
        entry: &SessionEntry,
        settings: &SessionSettings,
    ) -> Result<(), Refusal> {
        let SessionEntry { at, time, event } = entry;
        match event {
            SessionEvent::SetUp { side, setup } => self.arrange(side, setup, time, settings),
            SessionEvent::Roll { roll } => self.roll(roll, *at),
            SessionEvent::Move { mv, .. } => self.play(mv, *at, settings),
            SessionEvent::Go => self.go(*at),
            SessionEvent::Pause { .. } => self.pause(*at),
            SessionEvent::Clock { side, left, reason } => {
                check_reason(reason)?;
                self.set_clock(side, *left, *at, settings)
            }
            SessionEvent::Claim { side, reason } => {
                check_reason(reason)?;
                self.claim(side, reason, *at)
            }
            SessionEvent::Dismiss { reason } => {
                check_reason(reason)?;
                self.dismiss()
            }
            SessionEvent::Resign { .. }
            | SessionEvent::Flag { .. }
            | SessionEvent::Award { .. }
            | SessionEvent::Draw { .. } => self.end(event, *at, settings),
            SessionEvent::Filed { file } => self.set_file(file),
            SessionEvent::Next => self.next(settings, time),
            SessionEvent::Warned { side, seconds } => {
                self.clocks.announce(side_of::<G>(side)?, *seconds);
                Ok(())
            }
            SessionEvent::Left | SessionEvent::Resumed => {
                self.clocks.stop(*at);
                Ok(())
            }
            // An undo is not applied here, because it replaces the whole table.
            SessionEvent::Tick | SessionEvent::Undo { .. } => Ok(()),
        }
    }

    /// The game, if it goes on.
    fn open(&mut self) -> Result<&mut Transcript<G>, Refusal> {
        match (&mut self.game, &self.ending) {
            (Some(game), None) => Ok(game),
            (None, _) => refuse("the game has not begun: expected both set-ups first"),
            (_, Some(_)) => refuse("the game is over: expected next, or undo with a reason"),
        }
    }

    /// The game, if it goes on and no claim waits for a decision.
    fn undisputed(&mut self) -> Result<&mut Transcript<G>, Refusal> {
        if self.claim.is_some() {
            return refuse("a claim is open: expected award, draw or dismiss, with a reason");
        }
        self.open()
    }

    fn arrange(
        &mut self,
        side: &str,
        text: &str,
        time: &str,
        settings: &SessionSettings,
    ) -> Result<(), Refusal> {
        let side = side_of::<G>(side)?;
        if self.game.is_some() {
            return refuse("the game has begun: expected no set-up, or undo with a reason");
        }
        if self.setups[side].is_some() {
            return refuse(format!("{} has a set-up: expected none", G::SIDES[side]));
        }
        let Some(setup) = G::setup_of(text) else {
            let example = G::setups().first().map(ToString::to_string).unwrap_or_default();
            return refuse(format!("set-up '{}': expected one such as {example}", brief(text)));
        };
        self.setups[side] = Some(setup);
        self.begin(settings, time);
        Ok(())
    }

    fn roll(&mut self, text: &str, at: u64) -> Result<(), Refusal> {
        let due = self.roll;
        let game = self.undisputed()?;
        if let Some(due) = due {
            let problem = format!("roll '{}': expected a move for {due}", brief(text));
            return refuse(format!("{problem}, or undo with a reason"));
        }
        let roll: G::Roll = text.parse().map_err(Refusal::of)?;
        game.check(roll).map_err(Refusal::of)?;
        let side = game.now().side();
        self.roll = Some(roll);
        self.clocks.start(side, at);
        Ok(())
    }

    fn play(&mut self, text: &str, at: u64, settings: &SessionSettings) -> Result<(), Refusal> {
        let roll = self.roll;
        let game = self.undisputed()?;
        let Some(roll) = roll else {
            return refuse(format!("move '{}': expected the roll first", brief(text)));
        };
        let side = game.now().side();
        let mv = game.now().find_move(roll, text).map_err(Refusal::of)?;
        game.push(roll, mv).map_err(Refusal::of)?;
        let (rest, next, outcome) = (game.rest(), game.now().side(), game.now().outcome());
        self.roll = rest;
        self.clocks.start(if rest.is_some() { side } else { next }, at);
        if rest.is_none() {
            self.turns[side] += 1;
            self.clocks.add(side, settings.clock.as_ref().map_or(0, |clock| clock.increment));
        }
        if let Some(outcome) = outcome {
            self.over(outcome, "by the rules".to_owned(), at);
        }
        Ok(())
    }

    fn go(&mut self, at: u64) -> Result<(), Refusal> {
        let side = self.undisputed()?.now().side();
        if self.clocks.running().is_some() {
            return refuse("the clock is running already: expected a roll, a move or pause");
        }
        self.clocks.start(side, at);
        Ok(())
    }

    fn pause(&mut self, at: u64) -> Result<(), Refusal> {
        if self.clocks.running().is_none() {
            return refuse("the clocks are stopped already: expected go, or a roll");
        }
        self.clocks.stop(at);
        Ok(())
    }

    fn set_clock(
        &mut self,
        side: &str,
        left: i64,
        at: u64,
        settings: &SessionSettings,
    ) -> Result<(), Refusal> {
        self.open()?;
        if settings.clock.is_none() {
            return refuse("this session has no clocks: expected none to be set");
        }
        let thresholds = thresholds(settings.clock.as_ref());
        self.clocks.set(side_of::<G>(side)?, left, at, thresholds);
        Ok(())
    }

    fn claim(&mut self, side: &str, reason: &str, at: u64) -> Result<(), Refusal> {
        self.undisputed()?;
        let side = G::SIDES[side_of::<G>(side)?];
        self.clocks.stop(at);
        self.claim = Some(format!("{side} claims: {reason}"));
        Ok(())
    }

    fn dismiss(&mut self) -> Result<(), Refusal> {
        match self.claim.take() {
            Some(_) => Ok(()),
            None => refuse("no claim is open: expected a claim before it is dismissed"),
        }
    }

    /// Ends the game by a decision of a player or of the arbiter.
    fn end(
        &mut self,
        event: &SessionEvent,
        at: u64,
        settings: &SessionSettings,
    ) -> Result<(), Refusal> {
        self.open()?;
        let (outcome, how) = match event {
            SessionEvent::Resign { side } => {
                let side = side_of::<G>(side)?;
                (Outcome::Win(!side), format!("{} resigned", G::SIDES[side]))
            }
            SessionEvent::Flag { side } => {
                let side = side_of::<G>(side)?;
                let (name, left) = (G::SIDES[side], self.clocks.left(side, at));
                if settings.clock.is_none() || left > 0 {
                    let left =
                        if settings.clock.is_some() { clock_text(left) } else { "no clock".into() };
                    return refuse(format!("{name} has {left}: expected a clock that is at zero"));
                }
                (Outcome::Win(!side), format!("{name} lost on time"))
            }
            SessionEvent::Award { side, reason } => {
                check_reason(reason)?;
                (Outcome::Win(side_of::<G>(side)?), format!("awarded: {reason}"))
            }
            SessionEvent::Draw { reason } => {
                check_reason(reason)?;
                (Outcome::Draw, format!("declared drawn: {reason}"))
            }
            _ => return refuse("no end of a game"),
        };
        self.over(outcome, how, at);
        Ok(())
    }

    fn over(&mut self, outcome: Outcome, how: String, at: u64) {
        self.clocks.stop(at);
        self.claim = None;
        self.roll = None;
        self.ending = Some(SessionEnding { outcome, how });
    }

    fn set_file(&mut self, file: &str) -> Result<(), Refusal> {
        if self.ending.is_none() || self.file.is_some() {
            let problem = "expected a game that has just ended";
            return refuse(format!("record '{}': {problem}", brief(file)));
        }
        // A journal from somebody else must not be able to name a file in another folder.
        if Path::new(file).file_name() != Some(OsStr::new(file)) {
            return refuse(format!("record '{}': expected the name of a file", brief(file)));
        }
        self.file = Some(file.to_owned());
        Ok(())
    }

    fn next(&mut self, settings: &SessionSettings, time: &str) -> Result<(), Refusal> {
        let (Some(game), Some(ending)) = (self.record(settings), self.ending.clone()) else {
            return refuse("the game is not over: expected its end before the next one");
        };
        if self.is_decided(settings) {
            return refuse("the match is over: expected quit, or undo with a reason");
        }
        let first = self.player(settings, Side::First);
        let mut before = std::mem::take(&mut self.before);
        before.push(Arc::new(SessionGame { game, first, ending, file: self.file.take() }));
        *self = Self::new(self.rules.clone(), settings, before, time);
        Ok(())
    }
}

/// The side of this name.
fn side_of<G: Playable>(name: &str) -> Result<Side, Refusal> {
    let names = [G::SIDES[Side::First], G::SIDES[Side::Second]];
    let side = Side::BOTH.into_iter().find(|&side| G::SIDES[side] == name);
    side.ok_or_else(|| Refusal::of(UnknownName::new("side", name, &names)))
}

/// Checks that the arbiter has given a reason for a decision.
fn check_reason(reason: &str) -> Result<(), Refusal> {
    if reason.trim().is_empty() { refuse("no reason: expected one in a few words") } else { Ok(()) }
}

fn refuse<T>(problem: impl Display) -> Result<T, Refusal> {
    Err(Refusal::of(problem))
}

/// The beginning of what was typed, short enough to be shown in an error.
fn brief(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}
