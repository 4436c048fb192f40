//! The arbiter's desk: lines are read, entered, written down and answered, in this order.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use wurfel_agents::Catalogued;
use wurfel_arena::{Session, SessionEvent, SessionFile, Wanted};
use wurfel_core::{Agent, Budget, Random, Turn};

use crate::Done;
use crate::work::waiting;

use super::records::Record;
use super::show;
use super::trial::Trial;
use super::typed::{self, Typed};
use super::world::{Heard, World};

/// How long the program waits for input at a time; warnings are at most this late.
const GLANCE: Duration = Duration::from_millis(100);

/// How many milliseconds of a running clock a crash may lose. The value was not measured.
const TICK: u64 = 10_000;

/// The players that are agents.
pub struct Players<G: Catalogued> {
    pub agents: [Option<Box<dyn Agent<G>>>; 2],
    /// What the agents may spend on a decision, in addition to their share of the clock.
    pub budget: Budget<'static>,
    /// The number of the last game that the agents have been told of.
    pub told: u32,
}

/// A session, and the arbiter who makes its entries.
pub struct Desk<'a, G: Catalogued, W: World> {
    pub session: Session<G>,
    pub file: SessionFile,
    /// The folder of the records.
    pub folder: PathBuf,
    pub players: Players<G>,
    pub world: W,
    /// The time of the session when the program began, in milliseconds.
    pub before: u64,
    pub colour: bool,
    pub out: &'a mut dyn Write,
}

impl<G: Catalogued, W: World> Desk<'_, G, W> {
    /// Continues until the arbiter leaves. The flag in the result says whether the match is over.
    pub fn run(mut self) -> anyhow::Result<(Done, bool)> {
        self.write_again()?;
        write!(self.out, "{}", show::score(&self.session))?;
        self.show()?;
        loop {
            self.write_record()?;
            self.tell_agents();
            if self.agent_moves()? {
                continue;
            }
            match self.listen()? {
                Heard::Line(line) if self.answer(&line)? => return self.leave(Done::All),
                Heard::Line(_) | Heard::Nothing => {}
                Heard::Stop => return self.leave(Done::Stopped),
                Heard::End => return self.leave(Done::All),
            }
        }
    }

    /// The time of the session now, in milliseconds.
    fn now(&mut self) -> u64 {
        self.before.saturating_add(self.world.now())
    }

    /// A trial of entries that are made now.
    fn trial(&mut self) -> Trial<G> {
        Trial {
            session: self.session.clone(),
            entries: vec![],
            at: self.now(),
            time: self.world.date(),
        }
    }

    /// Writes the entries of a trial down; from then on they count.
    fn commit(&mut self, trial: Trial<G>) -> anyhow::Result<()> {
        self.file.write(&trial.entries)?;
        self.session = trial.session;
        Ok(())
    }

    /// Makes an entry that is known to be possible.
    fn note(&mut self, event: SessionEvent) -> anyhow::Result<()> {
        let mut trial = self.trial();
        trial.enter(event)?;
        self.commit(trial)
    }

    fn show(&mut self) -> anyhow::Result<()> {
        let at = self.now();
        let (board, clocks) =
            (show::board(&self.session, self.colour), show::clocks(&self.session, at));
        Ok(write!(self.out, "{board}{clocks}")?)
    }

    /// Waits for a line, and meanwhile announces when time is running out.
    fn listen(&mut self) -> anyhow::Result<Heard> {
        let mut asked = false;
        loop {
            let at = self.now();
            if let Some(warning) = self.session.warning(at) {
                let text = show::warning(&warning);
                if asked {
                    asked = !self.world.interject(&text, self.out)?;
                } else {
                    writeln!(self.out, "{text}")?;
                }
                self.note(warning)?;
            }
            if self.session.settings().clock.is_some()
                && self.session.running().is_some()
                && at.saturating_sub(self.session.at()) >= TICK
            {
                self.note(SessionEvent::Tick)?;
            }
            if !asked {
                let (prompt, words) = (show::prompt(&self.session), show::words(&self.session));
                self.world.ask(&prompt, words, self.out)?;
                asked = true;
            }
            match self.world.hear(GLANCE) {
                Heard::Nothing => {}
                heard @ Heard::Line(_) => return Ok(heard),
                heard @ (Heard::End | Heard::Stop) => {
                    writeln!(self.out)?;
                    return Ok(heard);
                }
            }
        }
    }

    /// Carries out a line; true when the arbiter leaves. A line that is refused changes nothing.
    fn answer(&mut self, line: &str) -> anyhow::Result<bool> {
        let at = self.now();
        let line = line.replace(char::is_control, " ");
        let typed = match typed::read(line.trim(), &self.session) {
            Ok(typed) => typed,
            Err(error) => {
                writeln!(self.out, "{error}")?;
                return Ok(false);
            }
        };
        match typed {
            Typed::Nothing => {}
            Typed::Quit => return Ok(true),
            Typed::Help => write!(self.out, "{}", show::HELP)?,
            Typed::Board => self.show()?,
            Typed::Moves => writeln!(self.out, "{}", show::moves(&self.session))?,
            Typed::Clocks if self.session.settings().clock.is_none() => {
                writeln!(self.out, "clock: expected none, as this match has no clocks")?;
            }
            Typed::Clocks => write!(self.out, "{}", show::clocks(&self.session, at))?,
            Typed::Score => write!(self.out, "{}", show::score(&self.session))?,
            Typed::Log => write!(self.out, "{}", show::log(&self.session))?,
            Typed::Change(change) => {
                let mut trial = self.trial();
                match trial.change(&change) {
                    Ok(()) => self.accept(trial)?,
                    Err(refusal) => writeln!(self.out, "{refusal}")?,
                }
            }
        }
        Ok(false)
    }

    /// Makes the entries of a line, and shows the new state.
    fn accept(&mut self, trial: Trial<G>) -> anyhow::Result<()> {
        let number = self.session.number();
        if let (Some(file), None) = (self.session.file(), trial.session.file())
            && trial.session.number() == number
            && let Some(record) = Record::of(&self.session)?
        {
            let file = self.folder.join(file);
            let removed = record.remove(&file)?;
            let what = if removed { "is removed" } else { "was changed by others, and stays" };
            writeln!(self.out, "the record '{}' {what}", file.display())?;
        }
        let undone = match trial.entries.as_slice() {
            [entry] if matches!(entry.event, SessionEvent::Undo { .. }) => {
                self.session.undoable().map(ToString::to_string)
            }
            _ => None,
        };
        let events: Vec<SessionEvent> =
            trial.entries.iter().map(|entry| entry.event.clone()).collect();
        self.commit(trial)?;
        for event in events {
            if let SessionEvent::SetUp { .. } = event {
                writeln!(self.out, "{event}")?;
            }
        }
        if let Some(undone) = undone {
            writeln!(self.out, "taken back: {undone}")?;
        }
        if self.session.number() != number {
            write!(self.out, "{}", show::score(&self.session))?;
        }
        self.show()
    }

    /// Tells the agents of a game that has begun, before its first clock runs.
    fn tell_agents(&mut self) {
        let number = self.session.number();
        if self.session.game().is_none() || self.players.told == number {
            return;
        }
        let seed = self.session.settings().seed;
        for (agent, player) in self.players.agents.iter_mut().zip(0..) {
            if let Some(agent) = agent {
                agent.begin(Random::new(Random::seed_for(seed, &[u64::from(number), player])));
            }
        }
        self.players.told = number;
    }

    /// If a move of an agent is due and its clock runs, lets it decide; true when it has moved.
    fn agent_moves(&mut self) -> anyhow::Result<bool> {
        let Wanted::Move(side, roll) = self.session.wanted() else { return Ok(false) };
        let player = self.session.player(side);
        let at = self.now();
        let clocks = self.session.clocks(self.players.budget, at);
        let budget = self.session.limit(self.players.budget, side, at);
        let budget = Budget { clocks: clocks.as_ref(), ..budget };
        let Some(game) = self.session.game().filter(|_| self.session.running() == Some(side))
        else {
            return Ok(false);
        };
        let Some(agent) = &mut self.players.agents[player] else { return Ok(false) };
        self.out.flush()?;
        let waiting = waiting("thinking", false);
        let decision = agent.decide(Turn { position: game.now(), roll }, budget);
        let failure = agent.failure();
        drop(waiting);
        // A search that was stopped has made no decision.
        if budget.stopped() {
            return Ok(false);
        }
        if let Some(failure) = failure {
            let reason = format!("the agent failed: {failure}").replace(char::is_control, " ");
            writeln!(self.out, "{reason}: go lets it try again, or type its move, or award")?;
            self.note(SessionEvent::Pause { reason })?;
            return Ok(false);
        }
        let mv = decision.mv.to_string();
        self.note(SessionEvent::Move { mv: mv.clone(), by_agent: true })?;
        writeln!(self.out, "{} plays {mv}", show::who(&self.session, side))?;
        self.show()?;
        Ok(true)
    }

    /// Writes the record of a game that has just ended.
    fn write_record(&mut self) -> anyhow::Result<()> {
        if self.session.ending().is_none() || self.session.file().is_some() {
            return Ok(());
        }
        let Some(record) = Record::of(&self.session)? else { return Ok(()) };
        let name = record.free_name(&self.folder);
        let path = self.folder.join(&name);
        self.note(SessionEvent::Filed { file: name })?;
        record.write(&path)?;
        write!(self.out, "{}", show::ending(&self.session))?;
        Ok(writeln!(self.out, "record: '{}'", path.display())?)
    }

    /// Writes the record that was not written because of a crash, if there is one.
    fn write_again(&mut self) -> anyhow::Result<()> {
        let (Some(file), Some(record)) = (self.session.file(), Record::of(&self.session)?) else {
            return Ok(());
        };
        let path = self.folder.join(file);
        if path.exists() { Ok(()) } else { record.write(&path) }
    }

    /// Ends the program: for now, or for good when the match is over.
    fn leave(mut self, done: Done) -> anyhow::Result<(Done, bool)> {
        if self.session.wanted() == Wanted::Nothing {
            self.file.finish()?;
            return Ok((done, true));
        }
        self.note(SessionEvent::Left)?;
        Ok((done, false))
    }
}
