//! Matches of mirrored pairs.
//!
//! Both games of a pair have the same set-ups and the same dice, and the agents exchange sides. The
//! luck that one agent has in the first game, the other has in the second, so a pair is more
//! informative than two independent games. The luck that remains can be measured and taken off
//! ([`Control`](crate::Control)).
//!
//! A program that fails during a game loses that game. One that does not start for a game is started
//! again after pauses, because a machine that is short of memory for a while says nothing about
//! strength; when that does not help, the match ends, and no game is lost by it.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use wurfel_core::{Agent, Budget, BySide, Instant, Random, Side, threads};
use wurfel_games::Playable;
use wurfel_statistics::{
    AgentReport, FinishedGame, MatchReport, MatchTally, SetUpReport, SetUps, Sides, Sprt,
    SprtVerdict, Timing,
};

use crate::play::adjudicate::Adjudicator;
use crate::play::chosen::ChosenSetUps;
use crate::play::clock::TimeControl;
use crate::play::entrant::{ChoiceError, Entrant, NotStarted};
use crate::play::ordered::run_in_order;
use crate::play::referee::{Terms, play_on};
use crate::play::streams::{Stream, dice_of, lots_of, start_of, stream_of};
use crate::records::draft::OutputError;
use crate::records::game_recorder::{GameRecorder, Recording};
use crate::records::output::{Output, PairText, ResumedGame};
use crate::records::record::{GameRecord, MatchHeader};
use crate::records::recorded_game::replay_record;
use crate::study::luck::{LuckMeter, MeteredDice};
use wurfel_agents::{Catalogued, Spec, SpecError};

/// Maximum number of restarts of a program that does not start. The pauses before them double each
/// time: with the default first pause they take 25 s together. Neither number was
/// measured.
const MAX_RESTARTS: u32 = 8;
/// The interval at which a pause checks whether the match was stopped.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Why a match cannot be played, or its games cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// An agent cannot choose its set-ups.
    #[error(transparent)]
    SetUps(#[from] ChoiceError),
    /// An agent cannot be built.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An agent is a program that does not start.
    #[error(transparent)]
    NotStarted(#[from] NotStarted),
    /// A program that had started before did not start again, and the match has ended early.
    #[error(transparent)]
    GivenUp(Box<GivenUp>),
    /// The games cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The file of an earlier run holds a game that is not legal.
    #[error("game {game} of pair {pair}, from an earlier run: {error}")]
    Record {
        /// The number of the pair in the match, from 0.
        pair: u64,
        /// 0 or 1: the place of the game in its pair.
        game: u8,
        /// What is wrong with it.
        error: String,
    },
    /// A part of the match does not hold the game that belongs in its place.
    #[error("game {game} of pair {pair}: expected its record, a line of JSON")]
    Part {
        /// The number of the pair in the match, from 0.
        pair: u64,
        /// 0 or 1: the place of the game in its pair.
        game: u8,
    },
}

/// The early end of a match with a program that cannot be restarted.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct GivenUp {
    /// The program, and what happened when it was last started.
    pub reason: NotStarted,
    /// The report of the pairs before that.
    pub report: MatchTally,
}

/// Why a game has no result.
pub(crate) enum NoResult {
    /// The match was stopped.
    Stopped,
    /// An agent does not start.
    GivenUp(NotStarted),
}

impl NoResult {
    /// Notes the agent that does not start, if that is the reason.
    pub fn note(self, given_up: &Mutex<Option<NotStarted>>) {
        if let Self::GivenUp(reason) = self {
            *given_up.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
        }
    }
}

/// The value in a mutex, also after a panic of a thread that held it.
pub(crate) fn into_inner<T>(value: Mutex<Option<T>>) -> Option<T> {
    value.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// A match between two agents.
///
/// ```
/// use wurfel_agents::Spec;
/// use wurfel_arena::{LuckMeter, Match};
/// use wurfel_games::einstein::Einstein;
///
/// let specs: [Spec; 2] = ["expecti:depth=1".parse()?, "greedy".parse()?];
/// let mut arranged = Match::new(&Einstein::default(), specs, 100, 1)?;
/// arranged.luck = Some(LuckMeter::default_for_game());
/// // On one thread, without files and without progress.
/// let tally = arranged.run(1, None, &mut |_| {})?;
/// let raw = tally.score.summary();
/// let adjusted = tally.luck.and_then(|luck| luck.adjusted()).expect("100 pairs are enough");
/// // Without the luck of the dice the interval is much narrower.
/// let width = adjusted.estimate.interval.high - adjusted.estimate.interval.low;
/// assert!(width < 0.7 * (raw.interval.high - raw.interval.low));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Match<'a, G: Playable> {
    /// The agents; all results are seen from the first one.
    pub entrants: [Entrant<G>; 2],
    /// The number of pairs of games.
    pub pairs: u64,
    /// The seed of set-ups, dice and agents.
    pub seed: u64,
    /// The budget of each agent for a move, unless its spec sets one.
    pub budget: Budget<'a>,
    /// The set-ups of each agent, if the agents choose them; `None` draws them at random. See
    /// [`Match::choose_setups`].
    pub chosen: Option<[ChosenSetUps<G>; 2]>,
    /// The meter of the games' luck; `None` leaves luck unmeasured.
    pub luck: Option<LuckMeter<G>>,
    /// The test that ends the match when it is decided; `None` plays all pairs.
    pub sprt: Option<Sprt>,
    /// The clock of each side in each game; `None` for games without clocks.
    pub clock: Option<TimeControl>,
    /// Ends games before the rules do; `None` plays them to the end.
    pub adjudicator: Option<Adjudicator<G>>,
    /// The names that programs give themselves. See [`Match::try_start`].
    pub programs: [Option<String>; 2],
}

/// The place of a game in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slot {
    /// The number of its pair, which has set-ups and dice of its own.
    pub pair: u64,
    /// Which game of the pair, 0 or 1.
    pub game: u8,
    /// The entrant that plays the first side, 0 or 1.
    pub first: u8,
}

/// The progress of a match between two of its pairs.
#[derive(Clone, Copy, Debug)]
pub struct MatchProgress<'a> {
    /// The report so far.
    pub report: &'a MatchTally,
    /// The number of pairs to play in all.
    pub pairs: u64,
}

impl<G: Catalogued> Match<'_, G> {
    /// A match of `pairs` pairs between two agents, by these rules.
    ///
    /// # Errors
    /// When a spec does not describe an agent of this game.
    pub fn new(rules: &G, specs: [Spec; 2], pairs: u64, seed: u64) -> Result<Self, SpecError> {
        let [one, other] = specs;
        Ok(Self::between([Entrant::new(rules, one)?, Entrant::new(rules, other)?], pairs, seed))
    }

    /// Starts each agent once ([`Entrant::try_start`]) and notes the names that programs give themselves.
    ///
    /// # Errors
    /// When an agent is a program that does not start.
    pub fn try_start(&mut self) -> Result<(), NotStarted> {
        let [one, other] = &self.entrants;
        self.programs = [one.try_start()?, other.try_start()?];
        Ok(())
    }
}

impl<G: Playable> Match<'_, G> {
    /// A match of `pairs` pairs between any entrants, by the rules of the first one.
    pub fn between(entrants: [Entrant<G>; 2], pairs: u64, seed: u64) -> Self {
        let budget = Budget::default();
        let (chosen, luck, sprt, clock, adjudicator) = (None, None, None, None, None);
        let programs = [None, None];
        Self { entrants, pairs, seed, budget, chosen, luck, sprt, clock, adjudicator, programs }
    }

    /// Lets each agent choose its set-ups, on `jobs` threads, with the match's budget for each
    /// search. Both games of a pair then have the same dice, and each side has the set-up of the
    /// agent that plays it.
    ///
    /// # Errors
    /// When the sides do not arrange their pieces in this game, or a program has no set-up.
    pub fn choose_setups(&mut self, jobs: usize) -> Result<(), ChoiceError> {
        let [one, other] = &self.entrants;
        let choices = [
            one.choose(self.seed, self.budget, jobs)?,
            other.choose(self.seed, self.budget, jobs)?,
        ];
        self.chosen = Some(choices);
        Ok(())
    }

    /// The header of the match's records.
    pub fn header(&self) -> MatchHeader {
        let [one, other] = &self.entrants;
        let agents = [&one.spec, &other.spec];
        let game = self.rules().name();
        let header = MatchHeader::new(game, agents, self.pairs, self.seed, self.budget);
        MatchHeader {
            setups: self.setups(),
            sprt: self.sprt,
            programs: self.programs.clone(),
            ..header
        }
    }

    /// Plays the match on `jobs` threads and writes its games to `output`. The score depends on the
    /// seed alone and not on `jobs`, as long as no agent is bounded by time. The match is complete when all
    /// pairs are played, or when the pairs from the first one on have decided its test. It ends early,
    /// after whole pairs, when `budget.stop` turns true; with an output, a later run of the same
    /// match resumes it.
    ///
    /// A program that does not start is started again, up to eight times, after pauses that double each
    /// time. Other threads continue meanwhile.
    ///
    /// # Errors
    /// When the games cannot be written, or a program cannot be restarted: the error then has the
    /// report of the pairs before that, and a later run resumes the match as after a stop.
    pub fn run(
        &self,
        jobs: usize,
        output: Option<(Output, Vec<ResumedGame>)>,
        progress: &mut dyn FnMut(MatchProgress<'_>),
    ) -> Result<MatchTally, MatchError> {
        let mut report = MatchTally::default();
        let decided = |report: &MatchTally| {
            self.sprt.is_some_and(|sprt| sprt.verdict_of(report) != SprtVerdict::Inconclusive)
        };
        let (mut output, left) = output.unzip();
        for pair in left.unwrap_or_default().chunks_exact(2) {
            let [one, other] =
                [&pair[0], &pair[1]].map(|left| self.played_before(&left.record, left.timing));
            report.add(&[one?, other?]);
            report.resumed += 1;
        }
        report.complete = report.score.games() > 0 && decided(&report);
        let end = if report.complete { report.resumed } else { self.pairs };
        let (mut failed, given_up) = (None, Mutex::new(None));
        let mut last_progress = Instant::now();
        let recording = output.as_ref().map_or(Recording::Nothing, Output::recording);
        run_in_order(
            report.resumed..end,
            jobs,
            || self.agents(),
            |agents, pair| {
                self.play_pair(pair, agents, &recording).map_err(|why| why.note(&given_up)).ok()
            },
            |_, (games, text)| {
                report.add(&games);
                if let Some(output) = &mut output
                    && let Err(error) = output.write(&text)
                {
                    failed = Some(error);
                    return false;
                }
                if last_progress.elapsed() > Duration::from_millis(100) {
                    last_progress = Instant::now();
                    progress(MatchProgress { report: &report, pairs: self.pairs });
                }
                report.complete = decided(&report);
                !report.complete
            },
        );
        if let Some(error) = failed {
            return Err(error.into());
        }
        report.complete |= report.score.games() == 2 * self.pairs;
        match output {
            Some(output) if report.complete => output.finish()?,
            Some(output) => output.suspend()?,
            None => {}
        }
        progress(MatchProgress { report: &report, pairs: self.pairs });
        match into_inner(given_up) {
            Some(reason) if !report.complete => {
                Err(MatchError::GivenUp(Box::new(GivenUp { reason, report })))
            }
            _ => Ok(report),
        }
    }

    const fn setups(&self) -> SetUps {
        if self.chosen.is_some() { SetUps::Chosen } else { SetUps::Random }
    }

    /// The reports on the two agents of the match with this tally.
    pub fn agent_reports(&self, tally: &MatchTally) -> [AgentReport; 2] {
        [0, 1].map(|number| {
            let Entrant { spec, name, .. } = &self.entrants[number];
            let setups = self.chosen.as_ref().map(|chosen| {
                let [first, second] =
                    Side::BOTH.map(|side| chosen[number][side].map(|setup| setup.to_string()));
                SetUpReport { first, second }
            });
            AgentReport {
                setups,
                ..AgentReport::new(&tally.agent(number), &spec.to_string(), name)
            }
        })
    }

    /// The report of the match with this tally, which took this long to play; `None` where its parts
    /// were played at different times.
    pub fn report(&self, tally: &MatchTally, time: Option<Duration>) -> MatchReport {
        let settings = (self.seed, self.setups());
        let game = (self.rules().name(), G::SIDES);
        MatchReport::new(game, self.agent_reports(tally), settings, tally, time)
    }

    /// The rules by which the match is played.
    pub(crate) const fn rules(&self) -> &G {
        &self.entrants[0].rules
    }

    /// The two agents, for one worker.
    pub(crate) fn agents(&self) -> [Box<dyn Agent<G>>; 2] {
        self.entrants.each_ref().map(|entrant| (entrant.factory)())
    }

    /// A game that was played before, with the times of its agents. It is played again from its
    /// record, which also measures its luck.
    pub(crate) fn played_before(
        &self,
        record: &GameRecord,
        timing: [Timing; 2],
    ) -> Result<FinishedGame, MatchError> {
        let GameRecord { pair, game, .. } = *record;
        let refused = |error| MatchError::Record { pair, game, error };
        let names = self.entrants.each_ref().map(|entrant| entrant.name.clone());
        let recorded_game =
            replay_record(self.rules(), record, &names, Some(self.pairs)).map_err(refused)?;
        let over = recorded_game.game.now().outcome().is_some()
            || recorded_game.failure.is_some()
            || self.adjudicator.is_some();
        let finished = record.finished(timing).filter(|_| over);
        let finished =
            finished.ok_or_else(|| refused("expected a game that is over".to_owned()))?;
        let luck = self.luck.as_ref().map(|meter| meter.game(&recorded_game.game));
        Ok(FinishedGame { luck: luck.map(|luck| finished.sides.for_agent(luck)), ..finished })
    }

    pub(crate) fn play_pair(
        &self,
        pair: u64,
        agents: &mut [Box<dyn Agent<G>>; 2],
        recording: &Recording<G>,
    ) -> Result<([FinishedGame; 2], PairText), NoResult> {
        let mut text = PairText::default();
        let mut game = |game: u8| {
            let mut recorder = GameRecorder::new(recording.clone());
            let slot = Slot { pair, game, first: game };
            let finished = self.play_game(slot, agents, &mut recorder)?;
            if !matches!(recording, Recording::Nothing) {
                let agents = self.entrants.each_ref().map(|entrant| entrant.name.as_str());
                recorder.write(agents, (pair, game), &finished, &mut text);
            }
            Ok(finished)
        };
        let games = [game(0)?, game(1)?];
        Ok((games, text))
    }

    /// Begins a game for agent `n`. A program that does not start is started again.
    fn begin(&self, n: usize, agent: &mut dyn Agent<G>, random: &Random) -> Result<(), NoResult> {
        let entrant = &self.entrants[n];
        let Some(mut pause) = entrant.retry else {
            agent.begin(random.clone());
            return Ok(());
        };
        for left in (0..=MAX_RESTARTS).rev() {
            agent.begin(random.clone());
            match agent.failure() {
                None => return Ok(()),
                Some(failure) if left == 0 => {
                    return Err(NoResult::GivenUp(entrant.not_started(failure)));
                }
                Some(_) => self.pause(pause)?,
            }
            pause *= 2;
        }
        Ok(())
    }

    /// Waits, unless the match is stopped.
    fn pause(&self, time: Duration) -> Result<(), NoResult> {
        let end = Instant::now() + time;
        loop {
            if self.budget.stopped() {
                return Err(NoResult::Stopped);
            }
            match end.saturating_duration_since(Instant::now()) {
                Duration::ZERO => return Ok(()),
                left => threads::sleep(left.min(STOP_CHECK_INTERVAL)),
            }
        }
    }

    /// Plays a game. Fails when it was stopped, or one of the agents does not start.
    pub(crate) fn play_game(
        &self,
        slot: Slot,
        agents: &mut [Box<dyn Agent<G>>; 2],
        recorder: &mut GameRecorder<G>,
    ) -> Result<FinishedGame, NoResult> {
        let Slot { pair, game, first } = slot;
        let assigned = Sides { first: usize::from(first) };
        let start = start_of(self.rules(), self.seed, pair, assigned, self.chosen.as_ref());
        let dice = dice_of(self.seed, pair);
        let mut dice = MeteredDice::new(dice, self.luck.as_ref(), None);
        for (n, agent) in agents.iter_mut().enumerate() {
            let seed = stream_of(self.seed, Stream::Agents, pair);
            let random = Random::new(Random::seed_for(seed, &[u64::from(game), n as u64]));
            self.begin(n, &mut **agent, &random)?;
        }
        let [one, other] = agents;
        let mut sides: BySide<&mut dyn Agent<G>> = BySide::new(&mut **one, &mut **other);
        if assigned.first == 1 {
            sides = sides.swapped();
        }
        let mut lots = Random::new(lots_of(self.seed, pair, game));
        let adjudicate = &mut |position: &G| self.adjudicator.as_ref()?.ask(position, &mut lots);
        let terms = Terms { budget: self.budget, clock: self.clock, adjudicate };
        let ending =
            play_on(terms, start, sides, &mut dice, recorder).map_err(|_| NoResult::Stopped)?;
        Ok(FinishedGame {
            sides: assigned,
            outcome: ending.outcome,
            failure: ending.failure.map(|(side, failure)| (assigned.agent(side), failure)),
            plies: ending.plies,
            timing: [0, 1].map(|agent| recorder.timing()[assigned.side(agent)]),
            searches: [0, 1].map(|agent| recorder.searches()[assigned.side(agent)].clone()),
            luck: self.luck.as_ref().map(|_| assigned.for_agent(dice.luck())),
        })
    }
}
