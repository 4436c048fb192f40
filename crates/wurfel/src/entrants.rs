//! The entrants of matches, and matches between two of them.

use std::ops::Range;
use std::sync::OnceLock;
use std::time::Duration;

use wurfel_agents::{Catalogued, SpecError};
use wurfel_arena::{
    AgentReport, ChoiceError, Entrant, LuckMeter, MatchError, MatchHeader, MatchProgress,
    MatchReport, MatchTally, NotStarted, Output, ResumedGame, Sprt,
};
use wurfel_core::Budget;

use crate::player::Player;

/// The conditions of a match.
///
/// ```
/// use std::time::Duration;
///
/// use wurfel::{Budget, MatchSettings};
///
/// let budget = Budget { time: Some(Duration::from_millis(10)), ..Budget::default() };
/// let settings = MatchSettings { pairs: 100, seed: 1, budget, luck: true, ..Default::default() };
/// assert!(settings.sprt.is_none());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct MatchSettings<'a> {
    /// The number of mirrored pairs of games; 0 by default.
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

/// Players of one game that can meet each other, each built once.
pub trait Entrants: Send + Sync {
    /// Starts each entrant that is a program once, so that one that is missing is found before any
    /// game.
    ///
    /// # Errors
    /// When a program does not start.
    fn try_start(&self) -> Result<(), NotStarted>;

    /// The match between two entrants, given by their numbers in the order of the players.
    ///
    /// # Panics
    /// When there is no entrant with one of these numbers.
    fn between<'a>(&self, numbers: [usize; 2], settings: MatchSettings<'a>) -> Box<dyn Match + 'a>;
}

/// A match between two entrants. All results are those of the **first** one.
pub trait Match: Send + Sync {
    /// Starts each agent that is a program once, and records the name it reports.
    ///
    /// # Errors
    /// When a program does not start.
    fn try_start(&mut self) -> Result<(), NotStarted>;

    /// Lets each agent choose its set-ups, on `jobs` threads.
    ///
    /// # Errors
    /// When the sides do not arrange their pieces in this game, or a program has no set-up.
    fn choose_setups(&mut self, jobs: usize) -> Result<(), ChoiceError>;

    /// The header of the match's records.
    fn header(&self) -> MatchHeader;

    /// Plays the match on `jobs` threads and writes its games to `output`; see
    /// [`wurfel_arena::Match::run`].
    ///
    /// # Errors
    /// When the games cannot be written, or a program does not start any more.
    fn run(
        &self,
        jobs: usize,
        output: Option<(Output, Vec<ResumedGame>)>,
        progress: &mut dyn FnMut(MatchProgress<'_>),
    ) -> Result<MatchTally, MatchError>;

    /// Plays some of the pairs and returns the lines of their games, without the header that a file of
    /// games begins with; `None` when it was stopped.
    ///
    /// ```
    /// use wurfel::{MatchSettings, Player};
    ///
    /// let players = [Player::Spec("greedy".parse()?), Player::Spec("random".parse()?)];
    /// let settings = MatchSettings { pairs: 4, seed: 1, ..MatchSettings::default() };
    /// let entrants = wurfel::game("einstein")?.entrants(&players)?;
    /// let arranged = entrants.between([0, 1], settings);
    /// // The second half of the match, which another machine may have played.
    /// let lines = String::from_utf8(arranged.play_part(2..4, 1)?.expect("nobody stops it"))?;
    /// assert_eq!(lines.lines().count(), 4);
    /// let header = serde_json::to_string(&arranged.header())?;
    /// let games = wurfel::game("einstein")?.read_games(&format!("{header}\n{lines}"))?;
    /// assert_eq!(games.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a program does not start any more.
    fn play_part(&self, pairs: Range<u64>, jobs: usize) -> Result<Option<Vec<u8>>, MatchError>;

    /// Plays some of the pairs and passes the result of each to `see`, in their order; see
    /// [`wurfel_arena::Match::play_pairs`].
    ///
    /// # Errors
    /// When a program does not start any more.
    fn play_pairs(
        &self,
        pairs: Range<u64>,
        jobs: usize,
        see: &mut dyn FnMut([u8; 2], Option<f64>),
    ) -> Result<MatchTally, MatchError>;

    /// Adds the games of the lines of a part, which must be those of the next pairs, to a tally.
    ///
    /// # Errors
    /// When a line is not that of the next game, or its game is not legal.
    fn add_part(&self, tally: &mut MatchTally, lines: &str) -> Result<(), MatchError>;

    /// The report of the match with this tally, which took this long to play; `None` where its parts
    /// were played at different times.
    fn report(&self, tally: &MatchTally, time: Option<Duration>) -> MatchReport;

    /// The reports on the two agents of the match with this tally.
    fn agent_reports(&self, tally: &MatchTally) -> [AgentReport; 2];
}

struct Typed<G: Catalogued> {
    entrants: Vec<Entrant<G>>,
    luck: OnceLock<LuckMeter<G>>,
}

pub(crate) fn entrants<G: Catalogued>(
    rules: &G,
    players: &[Player],
) -> Result<Box<dyn Entrants>, SpecError> {
    let built = players.iter().map(|player| player.entrant(rules));
    let entrants = built.collect::<Result<_, _>>()?;
    Ok(Box::new(Typed { entrants, luck: OnceLock::new() }))
}

impl<G: Catalogued> Entrants for Typed<G> {
    fn try_start(&self) -> Result<(), NotStarted> {
        self.entrants.iter().try_for_each(|entrant| entrant.try_start().map(drop))
    }

    fn between<'a>(&self, numbers: [usize; 2], settings: MatchSettings<'a>) -> Box<dyn Match + 'a> {
        let MatchSettings { pairs, seed, budget, luck, sprt } = settings;
        let entrants = numbers.map(|number| self.entrants[number].clone());
        let luck = luck.then(|| self.luck.get_or_init(LuckMeter::default_for_game).clone());
        let arranged = wurfel_arena::Match::between(entrants, pairs, seed);
        Box::new(wurfel_arena::Match { budget, luck, sprt, ..arranged })
    }
}

impl<G: Catalogued> Match for wurfel_arena::Match<'_, G> {
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
        output: Option<(Output, Vec<ResumedGame>)>,
        progress: &mut dyn FnMut(MatchProgress<'_>),
    ) -> Result<MatchTally, MatchError> {
        self.run(jobs, output, progress)
    }

    fn play_part(&self, pairs: Range<u64>, jobs: usize) -> Result<Option<Vec<u8>>, MatchError> {
        self.play_part(pairs, jobs)
    }

    fn play_pairs(
        &self,
        pairs: Range<u64>,
        jobs: usize,
        see: &mut dyn FnMut([u8; 2], Option<f64>),
    ) -> Result<MatchTally, MatchError> {
        self.play_pairs(pairs, jobs, see)
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
