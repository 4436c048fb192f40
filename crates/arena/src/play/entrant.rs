//! The agents of a match: how they are made and started, and the set-ups that they choose.

use std::time::Duration;

use wurfel_agents::{
    Catalogued, Factory, Spec, SpecError, build, check_own_options, introduced, own_setups,
    retry_of,
};
use wurfel_core::{Budget, BySide, Failure, Random, Side};
use wurfel_engines::course;
use wurfel_games::Playable;

use crate::play::chosen::{ChosenSetUps, choose_setups};
use crate::play::streams::Stream;

/// One of the two agents of a match.
///
/// An agent of one's own enters a match by [`Entrant::custom`], any other by its spec:
///
/// ```
/// use std::sync::Arc;
///
/// use wurfel_arena::{Entrant, Match};
/// use wurfel_core::Random;
/// use wurfel_games::einstein::Einstein;
/// use wurfel_search::RandomPlayer;
///
/// let rules = Einstein::default();
/// let own = Entrant::custom(&rules, "own", Arc::new(|| Box::new(RandomPlayer::new(Random::new(0)))));
/// let entrants = [own, Entrant::new(&rules, "greedy".parse()?)?];
/// let tally = Match::between(entrants, 50, 1).run(1, None, &mut |_| {})?;
/// assert!(tally.score.summary().interval.high < 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Entrant<G> {
    /// The rules by which it plays.
    pub(super) rules: G,
    /// The spec that names the agent.
    pub spec: Spec,
    /// Its name: the one given in the spec, or else the spec itself.
    pub(super) name: String,
    pub(super) factory: Factory<G>,
    /// The first pause before a program that did not start is started again; `None` for other agents,
    /// which lose a game that they cannot begin.
    pub(super) retry: Option<Duration>,
}

impl<G: Clone> Clone for Entrant<G> {
    fn clone(&self) -> Self {
        let Self { rules, spec, name, factory, retry } = self;
        let (spec, name, factory) = (spec.clone(), name.clone(), Factory::clone(factory));
        Self { rules: rules.clone(), spec, name, factory, retry: *retry }
    }
}

/// The error when agents are to choose set-ups in a game that has nothing to arrange.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "set-ups cannot be chosen: expected a game in which the sides arrange their pieces, which {0} is not"
)]
pub struct NothingToArrange(&'static str);

/// The error when an agent is a program that does not start.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("agent '{agent}' did not start: {reason}")]
pub struct NotStarted {
    agent: String,
    reason: String,
}

/// Why an agent cannot choose its set-ups.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// The game has nothing to arrange.
    #[error(transparent)]
    Nothing(#[from] NothingToArrange),
    /// A program gave no usable answer to the question for its set-ups.
    #[error("agent '{agent}' has no set-up: {problem}")]
    Program {
        /// The agent's spec.
        agent: String,
        /// The program's answer, or what it did instead.
        problem: String,
    },
}

impl<G: Playable> Entrant<G> {
    pub(super) fn not_started(&self, Failure { reason, .. }: Failure) -> NotStarted {
        NotStarted { agent: self.name.clone(), reason }
    }

    /// The set-ups that the agent chooses in a match or tournament with this seed and budget. A
    /// program of the course protocol names those that it brings.
    ///
    /// # Errors
    /// When the sides do not arrange their pieces in this game, or a program has no set-up.
    pub fn choose(
        &self,
        seed: u64,
        budget: Budget<'_>,
        jobs: usize,
    ) -> Result<ChosenSetUps<G>, ChoiceError> {
        if G::setups().len() < 2 {
            return Err(NothingToArrange(self.rules.name()).into());
        }
        let wrong = |problem| ChoiceError::Program { agent: self.spec.to_string(), problem };
        if let Some(squares) = own_setups(&self.spec).map_err(|error| wrong(error.to_string()))? {
            let [first, second] =
                Side::BOTH.map(|side| setup_on(&self.rules, side, &squares[side]).map_err(wrong));
            return Ok(BySide::new(Some(first?), Some(second?)));
        }
        let seed = Random::seed_for(seed, &[Stream::Choices as u64]);
        Ok(choose_setups(&self.rules, &self.factory, budget, seed, jobs))
    }

    /// An entrant called `name` whose agents come from the caller's own factory and play by these rules.
    pub fn custom(rules: &G, name: &str, factory: Factory<G>) -> Self {
        let spec = Spec { name: name.to_owned(), options: vec![] };
        Self { rules: rules.clone(), factory, name: name.to_owned(), spec, retry: None }
    }
}

/// The set-up in which the side's cubes stand on these squares of the course protocol.
fn setup_on<G: Playable>(
    rules: &G,
    side: Side,
    squares: &[Option<String>; course::CUBES],
) -> Result<G::Setup, String> {
    let on = |&&setup: &&G::Setup| {
        let start = rules.start(BySide::new(setup, setup)).to_string();
        course::cubes(&start, side) == *squares
    };
    G::setups().iter().find(on).copied().ok_or_else(|| {
        let squares: Vec<&str> = squares.iter().flatten().map(String::as_str).collect();
        format!("'{}': expected the six squares of its own corner, each once", squares.join(" "))
    })
}

impl<G: Catalogued> Entrant<G> {
    /// An entrant whose agents are described by a spec and play by these rules. A program whose spec sets
    /// options of its own is started once, to learn whether it offers them.
    ///
    /// # Errors
    /// When the spec does not describe an agent of this game.
    pub fn new(rules: &G, spec: Spec) -> Result<Self, SpecError> {
        let factory = build(rules, &spec)?;
        check_own_options(&spec)?;
        let (name, retry) = (spec.label(), retry_of(&spec)?);
        Ok(Self { rules: rules.clone(), factory, name, retry, spec })
    }

    /// Starts the agent once, so that a program that is missing or silent is noticed before any
    /// game; a program that does not start later is [started again](crate::Match::run). Returns the name
    /// that the program gives itself, with its version; `None` for other agents.
    ///
    /// # Errors
    /// When the agent is a program that does not start.
    pub fn try_start(&self) -> Result<Option<String>, NotStarted> {
        if self.retry.is_none() {
            return Ok(None);
        }
        introduced(&self.rules, &self.spec).map_err(|failure| self.not_started(failure))
    }
}
