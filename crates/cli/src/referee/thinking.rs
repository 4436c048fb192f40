//! Agents at the table: while one thinks, its clock is watched and the arbiter is answered.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use wurfel::{Agent, NoAnswer, Position};
use wurfel_arena::{NextEntry, SessionEvent};
use wurfel_core::{Budget, Decision, Side};

use crate::progress::waiting;

use super::console::{Console, GLANCE};
use super::show;
use super::typed::{self, Change, Typed};
use super::world::{Input, World};

/// An agent's decision, or why there is none.
type Thought = Result<Decision<String>, NoAnswer>;

impl<W: World> Console<'_, W> {
    /// If a move of an agent is due and its clock runs, lets it decide, and returns what was typed
    /// meanwhile: nothing when it has moved, or what has interrupted it. `None` when no agent has
    /// to move.
    pub(super) fn agent_moves(&mut self) -> anyhow::Result<Option<Input>> {
        let NextEntry::Move(side, _) = self.session.next_entry() else { return Ok(None) };
        let thinks = self.session.running() == Some(side) && self.typing.waits.is_none();
        let Some(position) = self.session.position().filter(|_| thinks) else { return Ok(None) };
        let player = self.session.player(side);
        let Some(mut agent) = self.players.agents[player].take() else { return Ok(None) };
        let thought = self.think(&mut *agent, side, &position);
        self.players.agents[player] = Some(agent);
        let thought = match thought? {
            Ok(thought) => thought,
            Err(input) => return Ok(Some(input)),
        };
        let mv = match thought {
            Ok(decision) => decision.mv,
            Err(failure) => {
                let reason = format!("the agent failed: {failure}").replace(char::is_control, " ");
                self.print_line(&format!(
                    "{reason}: go lets it try again, or type its move, or award"
                ))?;
                self.note(SessionEvent::Pause { reason })?;
                return Ok(Some(Input::Nothing));
            }
        };
        self.note(SessionEvent::Move { mv: mv.clone(), by_agent: true })?;
        let (who, state) = (show::who(&*self.session, side), self.state());
        self.print_line(format!("{who} plays {mv}\n{state}").trim_end())?;
        Ok(Some(Input::Nothing))
    }

    /// Lets an agent decide on a thread of its own, while this one watches the clocks and answers.
    /// The error is what has interrupted it: a search that was interrupted has made no decision.
    fn think(
        &mut self,
        agent: &mut dyn Agent,
        side: Side,
        position: &Position,
    ) -> anyhow::Result<Result<Thought, Input>> {
        let at = self.now();
        let clocks = self.session.clocks(self.players.budget, at);
        let limit = self.session.limit(self.players.budget, side, at);
        let interrupt = AtomicBool::new(limit.stopped());
        let budget = Budget { clocks: clocks.as_ref(), stop: Some(&interrupt), ..limit };
        self.out.flush()?;
        let waiting = waiting("thinking", self.world.answers_meanwhile());
        let (sender, thoughts) = sync_channel(1);
        let thought = thread::scope(|threads| {
            threads.spawn(move || {
                // Where nobody waits for it any more, an error ends the program.
                let _ = sender.send(agent.decide(position, budget));
            });
            let (mut input, mut announced) = (Ok(None), false);
            loop {
                match thoughts.recv_timeout(GLANCE) {
                    Err(RecvTimeoutError::Timeout) => {}
                    thought => break input.map(|input| (thought.ok(), input)),
                }
                if matches!(input, Ok(None)) {
                    input = self.look_around(side, &mut announced);
                }
                let interrupts = limit.stopped() || !matches!(input, Ok(None));
                interrupt.fetch_or(interrupts, Ordering::Relaxed);
            }
        });
        drop(waiting);
        let (thought, input) = thought?;
        let thought = thought.filter(|_| !interrupt.load(Ordering::Relaxed));
        Ok(thought.ok_or(input.unwrap_or(Input::Stop)))
    }

    /// What is done from time to time while an agent of this side thinks. Returns what must
    /// interrupt it.
    fn look_around(&mut self, side: Side, announced: &mut bool) -> anyhow::Result<Option<Input>> {
        self.watch_clocks()?;
        if !self.world.answers_meanwhile() || self.typing.waits.is_some() {
            return Ok(None);
        }
        if !mem::replace(announced, true) {
            let who = show::who(&*self.session, side);
            writeln!(self.out, "{who} thinks; you can type meanwhile")?;
        }
        if !self.typing.prompted {
            // What is wanted when the line comes is not known yet.
            self.ask("")?;
        }
        let line = match self.read_input(Duration::ZERO) {
            Input::Line(line) => line,
            Input::Stop => return Ok(Some(Input::Stop)),
            // The end comes again when the agent has moved.
            Input::Nothing | Input::End => return Ok(None),
        };
        let typed = typed::read(line.trim(), &*self.session);
        let waits = matches!(typed, Ok(Typed::Change(Change::Words(_) | Change::Lot)));
        let interrupts = match &typed {
            Ok(Typed::Change(change)) => self.trial().change(change).is_ok(),
            Ok(Typed::Quit) => true,
            _ => false,
        };
        drop(typed);
        if waits {
            self.typing.waits = Some(line);
        } else if interrupts {
            return Ok(Some(Input::Line(line)));
        } else {
            self.answer(&line)?;
        }
        Ok(None)
    }
}
