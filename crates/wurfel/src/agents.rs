//! The agents of a player, and what they do outside matches.

use std::any::Any;
use std::ops::Deref;
use std::sync::Arc;

use wurfel_agents::{Catalogued, Factory, informed};
use wurfel_arena::{AnalysisError, BenchResult, PositionReport};
#[cfg(feature = "workbench")]
use wurfel_arena::{ErrorRate, NoErrorRate, RankedSetUp, Regret, rank_setups};
#[cfg(feature = "workbench")]
use wurfel_core::BySide;
use wurfel_core::{
    AssessedTurn, Assessment, Budget, Decision, Failure, NotationError, Random, Turn,
};

use crate::position::Position;
use crate::rollout::{Rollout, RolloutSettings, TypedRollout};

/// Makes agents that all play alike, such as those of a spec.
///
/// ```
/// use wurfel::Budget;
///
/// let einstein = wurfel::game("einstein")?;
/// let agents = einstein.agents_of(&"expecti:depth=2".parse()?)?;
/// let position = einstein.start().rolled("4")?;
/// let [one, other] = [(); 2].map(|()| agents.make().decide(&position, Budget::default()));
/// assert_eq!(one?, other?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Agents(Arc<dyn AnyAgents>);

/// Agents of a game whose type is erased; [`Agents`] points to one.
pub trait AnyAgents: Any + Send + Sync {
    /// An agent.
    fn make(&self) -> Box<dyn Agent>;

    /// The same agents, with exact values where few pieces are left.
    ///
    /// ```no_run
    /// use wurfel::Budget;
    ///
    /// let einstein = wurfel::game("einstein")?;
    /// // Two pieces: solved, although `random` has no opinion. Small tables are built where they are missing.
    /// let position = einstein.read("5/5/5/3A1/f4 r 1 1", false)?;
    /// let mut agent = einstein.agents_of(&"random".parse()?)?.informed().make();
    /// let best = agent.analyse_turn(&position, Budget::default())?.moves.remove(0);
    /// assert_eq!((best.mv.as_str(), best.value, best.exact), ("d2e1", Some(1.0), true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    fn informed(&self) -> Agents;

    #[cfg(feature = "workbench")]
    /// Ranks the set-ups of both sides against each other, highest mean first. Each pair is evaluated
    /// before the first roll, within `budget`. `progress` gets the number of finished pairs and the
    /// total; if it returns false, the work ends with `None`.
    fn rank_setups(
        &self,
        budget: Budget<'_>,
        jobs: usize,
        progress: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Option<BySide<Vec<RankedSetUp<String>>>>;

    #[cfg(feature = "workbench")]
    /// The win probability that the turns of these agents lose in whole games, by the values of an
    /// analyser; see [`ErrorRate::measure`].
    ///
    /// # Errors
    /// When the agent or the analyser fails, or the analyser has no value for a position.
    ///
    /// # Panics
    /// When the player or the analyser belongs to another game.
    fn error_rate(
        &self,
        settings: &ErrorRateSettings<'_>,
        jobs: usize,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Regret, NoErrorRate>;

    /// A rollout of a position in which such an agent plays both sides.
    ///
    /// # Errors
    /// When the position belongs to another game, or the game is over.
    fn rollout<'a>(
        &self,
        position: &Position,
        settings: RolloutSettings<'a>,
    ) -> Result<Box<dyn Rollout + 'a>, NotationError>;
}

#[cfg(feature = "workbench")]
/// The conditions under which an error rate is measured; see [`ErrorRate`].
pub struct ErrorRateSettings<'a> {
    /// Play the games from which turns are taken.
    pub player: &'a Agents,
    /// Evaluate the positions to which turns lead.
    pub analyser: &'a Agents,
    /// How many turns are decided, not counting turns with a single legal move.
    pub decisions: u64,
    /// The seed of games and agents.
    pub seed: u64,
    /// What the agent may spend on a decision, unless its spec has bounds.
    pub budget: Budget<'a>,
}

struct Typed<G: Catalogued> {
    rules: G,
    factory: Factory<G>,
}

impl Deref for Agents {
    type Target = dyn AnyAgents;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Agents {
    pub(crate) fn new<G: Catalogued>(rules: &G, factory: Factory<G>) -> Self {
        Self(Arc::new(Typed { rules: rules.clone(), factory }))
    }

    /// The agents with their type.
    ///
    /// # Panics
    /// When they belong to another game.
    pub(crate) fn of<G: Catalogued>(&self, rules: &G) -> &Factory<G> {
        let typed: Option<&Typed<G>> = (&*self.0 as &dyn Any).downcast_ref();
        let typed = typed.filter(|typed| typed.rules.name() == rules.name());
        &typed.expect("agents are asked about positions of their own game").factory
    }
}

impl<G: Catalogued> AnyAgents for Typed<G> {
    fn make(&self) -> Box<dyn Agent> {
        Box::new(TypedAgent { rules: self.rules.clone(), agent: (self.factory)() })
    }

    fn informed(&self) -> Agents {
        Agents::new(&self.rules, informed(Factory::clone(&self.factory)))
    }

    #[cfg(feature = "workbench")]
    fn rank_setups(
        &self,
        budget: Budget<'_>,
        jobs: usize,
        progress: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Option<BySide<Vec<RankedSetUp<String>>>> {
        let ranked = rank_setups(&self.rules, G::setups(), &self.factory, budget, jobs, progress)?;
        let text = |of: &RankedSetUp<G::Setup>| RankedSetUp {
            setup: of.setup.to_string(),
            mean: of.mean,
            least: of.least,
            answer: of.answer.to_string(),
        };
        Some(BySide::from_fn(|side| ranked[side].iter().map(text).collect()))
    }

    #[cfg(feature = "workbench")]
    fn error_rate(
        &self,
        settings: &ErrorRateSettings<'_>,
        jobs: usize,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Regret, NoErrorRate> {
        let &ErrorRateSettings { player, analyser, decisions, seed, budget } = settings;
        let rules = self.rules.clone();
        let [player, analyser] = [player, analyser].map(|agents| Factory::clone(agents.of(&rules)));
        let rate = ErrorRate { rules, player, analyser, decisions, seed, budget };
        rate.measure(&self.factory, jobs, progress)
    }

    fn rollout<'a>(
        &self,
        position: &Position,
        settings: RolloutSettings<'a>,
    ) -> Result<Box<dyn Rollout + 'a>, NotationError> {
        Ok(Box::new(TypedRollout::new(position.of(&self.rules)?, &self.factory, settings)?))
    }
}

/// Why an agent has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoAnswer {
    /// The agent cannot be asked about the position.
    #[error(transparent)]
    Position(#[from] NotationError),
    /// The agent has failed.
    #[error(transparent)]
    Failed(Failure),
    /// There is no analysis.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}

/// An agent's evaluation of the moves of a turn. Values are those of the side that **moves**.
#[derive(Clone, PartialEq, Debug)]
pub struct TurnAnalysis {
    /// The moves, the best first.
    pub moves: Vec<Assessment<String>>,
    /// Whole turns, where the agent compares whole turns of several moves; otherwise empty. See
    /// [`wurfel_core::Analysis::turns`] for their order.
    pub turns: Vec<AssessedTurn<String>>,
    /// The principal variation: rolls with moves.
    pub line: Vec<(String, String)>,
    /// Positions visited.
    pub nodes: u64,
    /// Turns looked ahead.
    pub depth: u32,
}

/// An agent that decides and analyses.
///
/// ```
/// use wurfel::{Budget, Random};
///
/// let einstein = wurfel::game("einstein")?;
/// let mut agent = einstein.agents_of(&"random".parse()?)?.make();
/// let position = einstein.start().rolled("4")?;
/// // All random numbers come from a seed.
/// let mut choose = |seed| {
///     agent.begin(Random::new(seed));
///     agent.decide(&position, Budget::default()).map(|decision| decision.mv)
/// };
/// assert_eq!(choose(7)?, choose(7)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Agent: Send {
    /// What the agent may spend under a budget: its own bounds, or else the budget's.
    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a>;

    /// Evaluates every move of a position with a roll.
    ///
    /// # Errors
    /// When there is nothing to decide in the position, or the agent fails.
    fn analyse_turn(
        &mut self,
        position: &Position,
        budget: Budget<'_>,
    ) -> Result<TurnAnalysis, NoAnswer>;

    /// Begins a new game: the agent forgets the previous one.
    fn begin(&mut self, random: Random);

    /// Tells the agent which move was made in a position with a roll.
    ///
    /// # Errors
    /// When the move is not legal there.
    fn observe(&mut self, position: &Position, mv: &str) -> Result<(), NotationError>;

    /// Chooses a move for a position with a roll. The value is the expected result for the side that
    /// **decides**.
    ///
    /// # Errors
    /// When there is nothing to decide in the position, or the agent fails.
    fn decide(
        &mut self,
        position: &Position,
        budget: Budget<'_>,
    ) -> Result<Decision<String>, NoAnswer>;

    /// Evaluates every move of a position or, before the roll, every move of every roll; see
    /// [`PositionReport`]. `name` is what the report calls the agent.
    ///
    /// # Errors
    /// When the game is over, the agent fails, or the work was stopped before all rolls were evaluated.
    fn analyse(
        &mut self,
        name: &str,
        position: &Position,
        budget: Budget<'_>,
    ) -> Result<PositionReport, NoAnswer>;

    /// Searches the sample positions of the game; see [`BenchResult::samples`].
    ///
    /// # Errors
    /// When a sample is not a position with a roll.
    fn search_samples(&mut self, budget: Budget<'_>) -> Result<BenchResult, NotationError>;
}

/// The turn of a position in which there is something to decide.
fn decision<'a, G: Catalogued>(
    rules: &G,
    position: &'a Position,
) -> Result<Turn<'a, G>, NotationError> {
    let is_open = |turn: &Turn<'_, G>| turn.position.outcome().is_none();
    let turn = position.of(rules)?.turn().filter(is_open);
    let turn = turn.filter(|turn| !turn.moves().as_ref().is_empty());
    turn.ok_or_else(|| position.refused("one with a roll and moves"))
}

struct TypedAgent<G> {
    rules: G,
    agent: Box<dyn wurfel_core::Agent<G>>,
}

impl<G: Catalogued> Agent for TypedAgent<G> {
    fn begin(&mut self, random: Random) {
        self.agent.begin(random);
    }

    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        self.agent.bounds(budget)
    }

    fn analyse_turn(
        &mut self,
        position: &Position,
        budget: Budget<'_>,
    ) -> Result<TurnAnalysis, NoAnswer> {
        let analysis = self.agent.analyse(decision(&self.rules, position)?, budget);
        if let Some(failure) = self.agent.failure() {
            return Err(NoAnswer::Failed(failure));
        }
        let scored = |scored: &Assessment<G::Move>| Assessment {
            mv: scored.mv.to_string(),
            value: scored.value,
            exact: scored.exact,
        };
        let whole = |turn: &AssessedTurn<G::Move>| AssessedTurn {
            moves: turn.moves.iter().map(ToString::to_string).collect(),
            value: turn.value,
            exact: turn.exact,
            depth: turn.depth,
        };
        let step = |(roll, mv): &(G::Roll, G::Move)| (roll.to_string(), mv.to_string());
        Ok(TurnAnalysis {
            moves: analysis.moves.iter().map(scored).collect(),
            turns: analysis.turns.iter().map(whole).collect(),
            line: analysis.line.iter().map(step).collect(),
            nodes: analysis.nodes,
            depth: analysis.depth,
        })
    }

    fn observe(&mut self, position: &Position, mv: &str) -> Result<(), NotationError> {
        let turn = position.of(&self.rules)?.turn();
        let turn = turn.ok_or_else(|| position.refused("one with a roll"))?;
        self.agent.observe(turn, turn.position.find_move(turn.roll, mv)?);
        Ok(())
    }

    fn decide(
        &mut self,
        position: &Position,
        budget: Budget<'_>,
    ) -> Result<Decision<String>, NoAnswer> {
        let Decision { mv, value, exact, nodes, depth } =
            self.agent.decide(decision(&self.rules, position)?, budget);
        match self.agent.failure() {
            Some(failure) => Err(NoAnswer::Failed(failure)),
            None => Ok(Decision { mv: mv.to_string(), value, exact, nodes, depth }),
        }
    }

    fn analyse(
        &mut self,
        name: &str,
        position: &Position,
        budget: Budget<'_>,
    ) -> Result<PositionReport, NoAnswer> {
        let situation = position.of(&self.rules)?;
        Ok(PositionReport::new(situation, (name, &mut *self.agent), budget)?)
    }

    fn search_samples(&mut self, budget: Budget<'_>) -> Result<BenchResult, NotationError> {
        BenchResult::samples(&self.rules, &mut *self.agent, budget)
    }
}
