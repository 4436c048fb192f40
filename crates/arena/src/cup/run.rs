//! Playing a tournament.
//!
//! The games that follow from the results so far are played on several threads, and each is written
//! as soon as it ends. Then the format is asked for the next ones. A run that resumes a killed one
//! asks the same questions from the start, finds the answers to some of them in its file, and plays
//! the games that are missing.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use wurfel_core::{Agent, Budget, BySide, Instant, Side};
use wurfel_games::Playable;

use crate::play::adjudicate::Adjudicator;
use crate::play::chosen::ChosenSetUps;
use crate::play::clock::TimeControl;
use crate::play::entrant::{Entrant, NotStarted};
use crate::play::matches::Match;
use crate::play::ordered::run_in_order;
use crate::records::draft::{Draft, OutputError};
use crate::records::game_recorder::{GameRecorder, Recording};
use wurfel_agents::{Catalogued, check_clock};

use super::definition::{CupClock, CupDefinition, CupSetup, CupTime};
use super::error::CupError;
use super::file::{CupFile, GameLine, fill, line};
use super::meeting::{GameScore, Meeting};
use super::replay::arranged;
use super::schedule::{DueGame, games, next, seed_of};

/// A game that took this long is synced to the disk before the next one begins, because losing it
/// would cost more than waiting for the disk.
const SYNC_AFTER: Duration = Duration::from_millis(200);
/// How often progress is reported.
const REPORT_INTERVAL: Duration = Duration::from_millis(200);

/// The state of a tournament.
#[derive(Clone, Debug, Default)]
pub struct CupState {
    /// The meetings so far, in the order of play.
    pub meetings: Vec<Meeting>,
    /// Games that were read from an earlier run.
    pub resumed: u64,
    /// Whether the tournament is over.
    pub complete: bool,
    /// The agent that could not be restarted, if that ended the run.
    pub given_up: Option<NotStarted>,
}

/// A tournament with its agents.
pub struct Cup<G: Playable> {
    rules: G,
    definition: CupDefinition,
    entrants: Vec<Entrant<G>>,
    fixed: Vec<ChosenSetUps<G>>,
    adjudicator: Option<Adjudicator<G>>,
    stop: Option<&'static std::sync::atomic::AtomicBool>,
}

impl<G: Catalogued> Cup<G> {
    /// Builds the agents of a tournament by these rules, which ends early when `stop` turns true.
    ///
    /// # Errors
    /// When an agent, a set-up or a tablebase that the file names cannot be used.
    pub fn new(
        rules: &G,
        definition: CupDefinition,
        stop: Option<&'static std::sync::atomic::AtomicBool>,
    ) -> Result<Self, CupError> {
        let mut entrants = vec![];
        let mut fixed = vec![];
        for participant in &definition.participants {
            let entrant = Entrant::new(rules, participant.agent.parse()?)?;
            if let Some(CupClock { total, .. }) = definition.clock() {
                check_clock(&entrant.spec, total.0)?;
            }
            entrants.push(entrant);
            let read = |text: &String| {
                G::setup_of(text).ok_or_else(|| CupError::SetUp {
                    name: participant.name.clone(),
                    setup: text.clone(),
                    example: G::setups().first().map(ToString::to_string).unwrap_or_default(),
                })
            };
            fixed.push(match &participant.setup {
                CupSetup::Random | CupSetup::Chosen => BySide::new(None, None),
                CupSetup::Fixed { first, second } => {
                    BySide::new(Some(read(first)?), Some(read(second)?))
                }
            });
        }
        let announced = definition.adjudication;
        let adjudicator = announced
            .map(|announced| Adjudicator::new(announced.rule, announced.pieces))
            .transpose()
            .map_err(CupError::Tables)?;
        let rules = rules.clone();
        Ok(Self { rules, definition, entrants, fixed, adjudicator, stop })
    }

    /// Plays the tournament on `jobs` threads and writes its games to `out`. Results depend on the
    /// seed alone and not on `jobs`, as long as no agent is bounded by time. It ends early when
    /// the stop flag turns true or a program cannot be restarted, and a later run of the same
    /// tournament resumes it.
    ///
    /// # Errors
    /// When an agent does not start, or the file cannot be written or belongs to another tournament.
    pub fn run(
        &self,
        jobs: usize,
        out: &Path,
        progress: &mut dyn FnMut(&CupState),
    ) -> Result<CupState, CupError> {
        let programs: Vec<Option<String>> =
            self.entrants.iter().map(Entrant::try_start).collect::<Result<_, _>>()?;
        let mut file =
            CupFile::open(&self.rules, out, &self.definition, self.adjudicator.as_ref())?;
        let Some(chosen) = self.setups(&mut file, programs, jobs)? else {
            return Ok(CupState::default());
        };
        let CupFile { draft, mut known, .. } = file;
        let (failed, given_up) = (Mutex::new(None), Mutex::new(None));
        let play = CupRun { cup: self, chosen, draft: Mutex::new(draft), failed, given_up };
        let mut state = CupState { resumed: known.len() as u64, ..CupState::default() };
        let mut before = 0;
        while next(&self.definition, &mut state.meetings) {
            let missing = fill(&self.definition, &mut state.meetings, before, &mut known)
                .ok_or_else(|| CupError::Strange(out.to_owned()))?;
            play.round(jobs, &missing, &mut state, progress);
            if let Some(error) = play.take_failed() {
                return Err(error.into());
            }
            before = games(&state.meetings);
            if state.meetings.iter().flat_map(|meeting| &meeting.games).any(Option::is_none) {
                play.suspend(&mut state)?;
                return Ok(state);
            }
        }
        if !known.is_empty() {
            return Err(CupError::Strange(out.to_owned()));
        }
        state.complete = true;
        play.into_draft().finish()?;
        Ok(state)
    }

    /// The set-ups of all participants: the fixed ones, and those that agents choose now or chose
    /// when the file was begun. `None` when the choice was stopped, because the result of an
    /// interrupted search is not a choice.
    fn setups(
        &self,
        file: &mut CupFile<G>,
        programs: Vec<Option<String>>,
        jobs: usize,
    ) -> Result<Option<Vec<ChosenSetUps<G>>>, CupError> {
        if let Some(setups) = file.setups.take() {
            return Ok(Some(setups));
        }
        let mut setups = self.fixed.clone();
        for (n, participant) in self.definition.participants.iter().enumerate() {
            if participant.setup == CupSetup::Chosen {
                setups[n] =
                    self.entrants[n].choose(self.definition.seed, self.first_move(), jobs)?;
            }
        }
        if self.budget().stopped() {
            return Ok(None);
        }
        let text = |setups: &ChosenSetUps<G>| {
            Side::BOTH.map(|side| setups[side].map(|setup| setup.to_string()))
        };
        file.write_setups(setups.iter().map(text).collect(), programs)?;
        Ok(Some(setups))
    }

    /// The bounds on a move apart from clocks.
    fn budget(&self) -> Budget<'static> {
        Budget { stop: self.stop, ..self.definition.budget() }
    }

    /// What an agent may spend on the first move of a game.
    fn first_move(&self) -> Budget<'static> {
        let share = self.clock().map(|clock| clock.total / clock.typical_turns);
        let budget = self.budget();
        let time = budget.time.into_iter().chain(share).min();
        Budget { time, ..budget }
    }

    fn clock(&self) -> Option<TimeControl> {
        let CupClock { total, inc, margin } = self.definition.clock()?;
        let or_none = |time: Option<CupTime>| time.map_or(Duration::ZERO, |CupTime(time)| time);
        let (increment, margin) = (or_none(inc), or_none(margin));
        Some(TimeControl { total: total.0, increment, margin, typical_turns: G::TURNS })
    }
}

/// The two agents of a meeting.
type AgentPair<G> = [Box<dyn Agent<G>>; 2];

/// A tournament while it is being played.
struct CupRun<'a, G: Playable> {
    cup: &'a Cup<G>,
    chosen: Vec<ChosenSetUps<G>>,
    draft: Mutex<Draft>,
    failed: Mutex<Option<OutputError>>,
    given_up: Mutex<Option<NotStarted>>,
}

impl<G: Catalogued> CupRun<'_, G> {
    fn into_draft(self) -> Draft {
        self.draft.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the unfinished file, and notes in the state which agent failed.
    fn suspend(self, state: &mut CupState) -> Result<(), OutputError> {
        state.given_up = self.given_up.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.into_draft().sync()
    }

    fn take_failed(&self) -> Option<OutputError> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Plays the games that are now due.
    fn round(
        &self,
        jobs: usize,
        due: &[DueGame],
        state: &mut CupState,
        progress: &mut dyn FnMut(&CupState),
    ) {
        let matches: Vec<Match<G>> =
            state.meetings.iter().map(|meeting| self.arranged(meeting)).collect();
        let meetings: Vec<(u32, [usize; 2])> =
            state.meetings.iter().map(|meeting| (meeting.round, meeting.players)).collect();
        let mut reported_at = Instant::now();
        progress(state);
        run_in_order(
            0..due.len() as u64,
            jobs,
            || None,
            |agents, number| {
                let due = due[number as usize];
                self.game(due, meetings[due.meeting], &matches[due.meeting], agents)
            },
            |number, point| {
                let DueGame { meeting, game, .. } = due[number as usize];
                state.meetings[meeting].games[game] = Some(point);
                if reported_at.elapsed() > REPORT_INTERVAL {
                    reported_at = Instant::now();
                    progress(state);
                }
                true
            },
        );
        progress(state);
    }

    /// The match that corresponds to a meeting. Each meeting has set-ups and dice of its own, so that
    /// results of different meetings are independent.
    fn arranged(&self, meeting: &Meeting) -> Match<'static, G> {
        let cup = self.cup;
        let entrants = meeting.players.map(|player| cup.entrants[player].clone());
        let seed = seed_of(&cup.definition, meeting.round, meeting.players);
        Match {
            budget: cup.budget(),
            chosen: arranged::<G>(&self.chosen, meeting.players),
            clock: cup.clock(),
            adjudicator: cup.adjudicator.clone(),
            ..Match::between(entrants, cup.definition.pairs(), seed)
        }
    }

    /// Plays a game and writes it; `None` when it was stopped, a program does not start, or the game
    /// cannot be written. A worker reuses its agents as long as it plays games of the same meeting.
    fn game(
        &self,
        due: DueGame,
        (round, players): (u32, [usize; 2]),
        arranged: &Match<G>,
        own: &mut Option<(usize, AgentPair<G>)>,
    ) -> Option<GameScore> {
        let DueGame { number, meeting, game } = due;
        let agents = match own {
            Some((of, agents)) if *of == meeting => agents,
            _ => &mut own.insert((meeting, arranged.agents())).1,
        };
        let slot = Meeting::slot(self.cup.definition.format, game as u64);
        let mut recorder = GameRecorder::<G>::new(Recording::Game);
        let started = Instant::now();
        let played = arranged.play_game(slot, agents, &mut recorder);
        let finished = played.map_err(|why| why.note(&self.given_up)).ok()?;
        let record = recorder.record((slot.pair, slot.game), &finished);
        let mean_ms = finished.timing.map(|timing| 1000.0 * timing.mean().as_secs_f64());
        let adjudicated = recorder.adjudicated();
        let text =
            line(&GameLine { number, round, players, mean_ms, adjudicated, record: &record });
        let mut draft = self.draft.lock().unwrap_or_else(PoisonError::into_inner);
        let mut written = draft.write(text.as_bytes());
        if started.elapsed() > SYNC_AFTER {
            written = written.and_then(|()| draft.sync());
        }
        if let Err(error) = written {
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            return None;
        }
        let faulted = finished.failure.as_ref().map(|(loser, _)| *loser as u8);
        Some(GameScore { halves: finished.halves(), faulted })
    }
}
