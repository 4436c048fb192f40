//! The entrants of matches, and matches between two of them.

use std::ops::Range;
use std::sync::OnceLock;
use std::time::Duration;

use wurfel_agents::{Catalogued, SpecError};
use wurfel_arena::{
    AgentReport, ChoiceError, Entrant, LuckMeter, MatchError, MatchHeader, MatchProgress,
    MatchReport, MatchTally, NotStarted, Output, Resumed, Sprt,
};
use wurfel_core::Budget;

use crate::player::Player;

/// Players of one game that can meet each other, each built once.
pub struct Entrants(Box<dyn AnyEntrants>);

/// The conditions of a match.
#[derive(Clone, Copy, Debug, Default)]
pub struct MatchSettings<'a> {
    /// The number of mirrored pairs of games.
    pub pairs: u64,
    /// The seed of set-ups, dice and agents.
    pub seed: u64,
    /// What each agent may spend on a move, unless its spec sets a bound.
    pub budget: Budget<'a>,
    /// Whether the luck of the games is measured.
    pub luck: bool,
    /// The test that ends the match when it is decided; `None` plays all pairs.
    pub sprt: Option<Sprt>,
}

/// A match between two entrants. All results are those of the **first** one.
pub struct Match<'a>(Box<dyn AnyMatch + 'a>);

trait AnyEntrants: Send + Sync {
    fn try_start(&self) -> Result<(), NotStarted>;
    fn between<'a>(&self, numbers: [usize; 2], settings: MatchSettings<'a>) -> Match<'a>;
}

trait AnyMatch: Send + Sync {
    fn try_start(&mut self) -> Result<(), NotStarted>;
    fn choose_setups(&mut self, jobs: usize) -> Result<(), ChoiceError>;
    fn header(&self) -> MatchHeader;
    fn run(
        &self,
        jobs: usize,
        output: Option<(Output, Vec<Resumed>)>,
        progress: &mut dyn FnMut(MatchProgress<'_>),
    ) -> Result<MatchTally, MatchError>;
    fn play_part(&self, pairs: Range<u64>, jobs: usize) -> Result<Option<Vec<u8>>, MatchError>;
    fn add_part(&self, tally: &mut MatchTally, lines: &str) -> Result<(), MatchError>;
    fn report(&self, tally: &MatchTally, time: Option<Duration>) -> MatchReport;
    fn agent_reports(&self, tally: &MatchTally) -> [AgentReport; 2];
}

struct Typed<G: Catalogued> {
    entrants: Vec<Entrant<G>>,
    luck: OnceLock<LuckMeter<G>>,
}

impl Entrants {
    pub(crate) fn new<G: Catalogued>(players: &[Player]) -> Result<Self, SpecError> {
        let entrants = players.iter().map(Player::entrant::<G>).collect::<Result<_, _>>()?;
        Ok(Self(Box::new(Typed { entrants, luck: OnceLock::new() })))
    }

    /// Starts each entrant that is a program once, so that one that is missing is found before any
    /// game.
    ///
    /// # Errors
    /// When a program does not start.
    pub fn try_start(&self) -> Result<(), NotStarted> {
        self.0.try_start()
    }

    /// The match between two entrants, given by their numbers in the order of the players.
    ///
    /// # Panics
    /// When there is no entrant with one of these numbers.
    pub fn between<'a>(&self, numbers: [usize; 2], settings: MatchSettings<'a>) -> Match<'a> {
        self.0.between(numbers, settings)
    }
}

impl<G: Catalogued> AnyEntrants for Typed<G> {
    fn try_start(&self) -> Result<(), NotStarted> {
        self.entrants.iter().try_for_each(|entrant| entrant.try_start().map(drop))
    }

    fn between<'a>(&self, numbers: [usize; 2], settings: MatchSettings<'a>) -> Match<'a> {
        let MatchSettings { pairs, seed, budget, luck, sprt } = settings;
        let entrants = numbers.map(|number| self.entrants[number].clone());
        let luck = luck.then(|| self.luck.get_or_init(LuckMeter::usual).clone());
        let arranged = wurfel_arena::Match::between(entrants, pairs, seed);
        Match(Box::new(wurfel_arena::Match { budget, luck, sprt, ..arranged }))
    }
}

impl Match<'_> {
    /// Starts each agent that is a program once, and notes what it says it is.
    ///
    /// # Errors
    /// When a program does not start.
    pub fn try_start(&mut self) -> Result<(), NotStarted> {
        self.0.try_start()
    }

    /// Lets each agent choose its set-ups, on `jobs` threads.
    ///
    /// # Errors
    /// When the sides do not arrange their pieces in this game, or a program has no set-up.
    pub fn choose_setups(&mut self, jobs: usize) -> Result<(), ChoiceError> {
        self.0.choose_setups(jobs)
    }

    /// The header of the match's records.
    pub fn header(&self) -> MatchHeader {
        self.0.header()
    }

    /// Plays the match on `jobs` threads and writes its games to `output`; see
    /// [`wurfel_arena::Match::run`].
    ///
    /// # Errors
    /// When the games cannot be written, or a program does not start any more.
    pub fn run(
        &self,
        jobs: usize,
        output: Option<(Output, Vec<Resumed>)>,
        progress: &mut dyn FnMut(MatchProgress<'_>),
    ) -> Result<MatchTally, MatchError> {
        self.0.run(jobs, output, progress)
    }

    /// Plays some of the pairs and returns the lines of their games; `None` when it was stopped.
    ///
    /// # Errors
    /// When a program does not start any more.
    pub fn play_part(&self, pairs: Range<u64>, jobs: usize) -> Result<Option<Vec<u8>>, MatchError> {
        self.0.play_part(pairs, jobs)
    }

    /// Adds the games of such lines, which must be those of the next pairs, to a tally.
    ///
    /// # Errors
    /// When a line is not that of the next game, or its game is not legal.
    pub fn add_part(&self, tally: &mut MatchTally, lines: &str) -> Result<(), MatchError> {
        self.0.add_part(tally, lines)
    }

    /// The report of the match with this tally, which took this long to play; `None` where its parts
    /// were played at different times.
    pub fn report(&self, tally: &MatchTally, time: Option<Duration>) -> MatchReport {
        self.0.report(tally, time)
    }

    /// The reports on the two agents of the match with this tally.
    pub fn agent_reports(&self, tally: &MatchTally) -> [AgentReport; 2] {
        self.0.agent_reports(tally)
    }
}

impl<G: Catalogued> AnyMatch for wurfel_arena::Match<'_, G> {
    fn try_start(&mut self) -> Result<(), NotStarted> {
        self.try_start()
    }

    fn choose_setups(&mut self, jobs: usize) -> Result<(), ChoiceError> {
        self.choose_setups(jobs)
    }

    fn header(&self) -> MatchHeader {
        self.header()
    }

    fn run(
        &self,
        jobs: usize,
        output: Option<(Output, Vec<Resumed>)>,
        progress: &mut dyn FnMut(MatchProgress<'_>),
    ) -> Result<MatchTally, MatchError> {
        self.run(jobs, output, progress)
    }

    fn play_part(&self, pairs: Range<u64>, jobs: usize) -> Result<Option<Vec<u8>>, MatchError> {
        self.play_part(pairs, jobs)
    }

    fn add_part(&self, tally: &mut MatchTally, lines: &str) -> Result<(), MatchError> {
        self.add_part(tally, lines)
    }

    fn report(&self, tally: &MatchTally, time: Option<Duration>) -> MatchReport {
        self.report(tally, time)
    }

    fn agent_reports(&self, tally: &MatchTally) -> [AgentReport; 2] {
        self.agent_reports(tally)
    }
}
