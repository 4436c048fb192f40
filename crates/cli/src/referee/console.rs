//! The arbiter's console: lines are read, entered, written down and answered, in this order.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use wurfel::{Agent, Game, Session};
use wurfel_arena::{NextEntry, SessionEvent, SessionFile};
use wurfel_core::{Budget, Random};

use crate::Done;

use super::records::RecordFile;
use super::show;
use super::trial::Trial;
use super::typed::{self, Typed};
use super::world::{Input, World};

/// How long the program waits for input at a time; warnings are at most this late.
pub(super) const GLANCE: Duration = Duration::from_millis(100);

/// How many milliseconds of a running clock a crash may lose. The value was not measured.
const TICK: u64 = 10_000;

/// The players that are agents.
pub struct Players {
    pub agents: [Option<Box<dyn Agent>>; 2],
    /// What the agents may spend on a decision, in addition to their share of the clock.
    pub budget: Budget<'static>,
    /// The number of the last game that was announced to the agents.
    pub announced_game: u32,
}

/// A session, and the arbiter who makes its entries.
pub struct Console<'a, W: World> {
    pub game: Game,
    pub session: Box<dyn Session>,
    pub file: SessionFile,
    /// The folder of the records.
    pub folder: PathBuf,
    pub players: Players,
    pub world: W,
    /// The time of the session when the program began, in milliseconds.
    pub before: u64,
    pub colour: bool,
    pub typing: Typing,
    pub out: &'a mut dyn Write,
}

/// What the person who types is doing.
#[derive(Default)]
pub struct Typing {
    /// Whether a line has been asked for that has not come yet.
    pub(super) prompted: bool,
    /// A line that came while an agent was thinking and waits for its move.
    pub(super) waits: Option<String>,
}

impl<W: World> Console<'_, W> {
    /// Continues until the arbiter leaves. The flag in the result says whether the match is over.
    pub fn run(mut self) -> anyhow::Result<(Done, bool)> {
        self.write_again()?;
        write!(self.out, "{}", show::score(&*self.session))?;
        self.show()?;
        loop {
            self.write_record()?;
            self.inform_agents();
            let input = match self.agent_moves()? {
                Some(input) => input,
                None => self.listen()?,
            };
            match input {
                Input::Line(line) if self.answer(&line)? => return self.leave(Done::All),
                Input::Line(_) | Input::Nothing => {}
                Input::Stop => return self.leave(Done::Stopped),
                Input::End => return self.leave(Done::All),
            }
        }
    }

    /// The time of the session now, in milliseconds.
    pub(super) fn now(&mut self) -> u64 {
        self.before.saturating_add(self.world.now())
    }

    /// A trial of entries that are made now.
    pub(super) fn trial(&mut self) -> Trial {
        Trial {
            game: self.game,
            session: self.session.copy(),
            entries: vec![],
            at: self.now(),
            time: self.world.date(),
        }
    }

    /// Writes the entries of a trial down; from then on they count.
    fn commit(&mut self, trial: Trial) -> anyhow::Result<()> {
        self.file.write(&trial.entries)?;
        self.session = trial.session;
        Ok(())
    }

    /// Makes an entry that is known to be possible.
    pub(super) fn note(&mut self, event: SessionEvent) -> anyhow::Result<()> {
        let mut trial = self.trial();
        trial.enter(event)?;
        self.commit(trial)
    }

    /// The board and the clocks.
    pub(super) fn state(&mut self) -> String {
        let at = self.now();
        show::board(&*self.session, self.colour) + &show::clocks(&*self.session, at)
    }

    fn show(&mut self) -> anyhow::Result<()> {
        let state = self.state();
        Ok(write!(self.out, "{state}")?)
    }

    /// Writes lines, above the prompt if somebody may be typing.
    pub(super) fn print_line(&mut self, text: &str) -> anyhow::Result<()> {
        if self.typing.prompted {
            self.typing.prompted = !self.world.interject(text, self.out)?;
        } else {
            writeln!(self.out, "{text}")?;
        }
        Ok(())
    }

    /// Announces when time is running out, and keeps the time that has passed.
    pub(super) fn watch_clocks(&mut self) -> anyhow::Result<()> {
        let at = self.now();
        if let Some(warning) = self.session.warning(at) {
            self.print_line(&show::warning(&warning))?;
            self.note(warning)?;
        }
        if self.session.settings().clock.is_some()
            && self.session.running().is_some()
            && at.saturating_sub(self.session.at()) >= TICK
        {
            self.note(SessionEvent::Tick)?;
        }
        Ok(())
    }

    /// Asks for a line, unless one has been asked for.
    pub(super) fn ask(&mut self, prompt: &str) -> anyhow::Result<()> {
        if !self.typing.prompted {
            self.world.ask(prompt, show::words(&*self.session), self.out)?;
            self.typing.prompted = true;
        }
        Ok(())
    }

    /// Waits for a line for no longer than `at_most`.
    pub(super) fn read_input(&mut self, at_most: Duration) -> Input {
        let input = self.world.read_input(at_most);
        self.typing.prompted &= matches!(input, Input::Nothing);
        input
    }

    /// Waits for a line, and meanwhile announces when time is running out.
    fn listen(&mut self) -> anyhow::Result<Input> {
        if let Some(line) = self.typing.waits.take() {
            return Ok(Input::Line(line));
        }
        let prompt = show::prompt(&*self.session);
        if self.typing.prompted {
            // A prompt that stands there cannot be changed any more.
            self.print_line(&prompt)?;
        }
        loop {
            self.watch_clocks()?;
            self.ask(&prompt)?;
            match self.read_input(GLANCE) {
                Input::Nothing => {}
                input @ Input::Line(_) => return Ok(input),
                input @ (Input::End | Input::Stop) => {
                    writeln!(self.out)?;
                    return Ok(input);
                }
            }
        }
    }

    /// Carries out a line; true when the arbiter leaves. A line that is refused changes nothing.
    pub(super) fn answer(&mut self, line: &str) -> anyhow::Result<bool> {
        let at = self.now();
        let line = line.replace(char::is_control, " ");
        let typed = match typed::read(line.trim(), &*self.session) {
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
            Typed::Moves => writeln!(self.out, "{}", show::moves(&*self.session))?,
            Typed::Clocks if self.session.settings().clock.is_none() => {
                writeln!(self.out, "clock: expected none, as this match has no clocks")?;
            }
            Typed::Clocks => write!(self.out, "{}", show::clocks(&*self.session, at))?,
            Typed::Score => write!(self.out, "{}", show::score(&*self.session))?,
            Typed::Log => write!(self.out, "{}", show::log(&*self.session))?,
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
    fn accept(&mut self, trial: Trial) -> anyhow::Result<()> {
        let number = self.session.number();
        if let (Some(file), None) = (self.session.file(), trial.session.file())
            && trial.session.number() == number
            && let Some(record) = RecordFile::of(&*self.session)?
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
            write!(self.out, "{}", show::score(&*self.session))?;
        }
        self.show()
    }

    /// Tells the agents of a game that has begun, before its first clock runs.
    fn inform_agents(&mut self) {
        let number = self.session.number();
        if self.session.position().is_none() || self.players.announced_game == number {
            return;
        }
        let seed = self.session.settings().seed;
        for (agent, player) in self.players.agents.iter_mut().zip(0..) {
            if let Some(agent) = agent {
                agent.begin(Random::new(Random::seed_for(seed, &[u64::from(number), player])));
            }
        }
        self.players.announced_game = number;
    }

    /// Writes the record of a game that has just ended.
    fn write_record(&mut self) -> anyhow::Result<()> {
        if self.session.ending().is_none() || self.session.file().is_some() {
            return Ok(());
        }
        let Some(record) = RecordFile::of(&*self.session)? else { return Ok(()) };
        let name = record.free_name(&self.folder);
        let path = self.folder.join(&name);
        self.note(SessionEvent::Filed { file: name })?;
        record.write(&path)?;
        write!(self.out, "{}", show::ending(&*self.session))?;
        Ok(writeln!(self.out, "record: '{}'", path.display())?)
    }

    /// Writes the record that was not written because of a crash, if there is one.
    fn write_again(&mut self) -> anyhow::Result<()> {
        let (Some(file), Some(record)) = (self.session.file(), RecordFile::of(&*self.session)?)
        else {
            return Ok(());
        };
        let path = self.folder.join(file);
        if path.exists() { Ok(()) } else { record.write(&path) }
    }

    /// Ends the program: for now, or for good when the match is over.
    fn leave(mut self, done: Done) -> anyhow::Result<(Done, bool)> {
        if self.session.next_entry() == NextEntry::Nothing {
            self.file.finish()?;
            return Ok((done, true));
        }
        self.note(SessionEvent::Left)?;
        Ok((done, false))
    }
}
