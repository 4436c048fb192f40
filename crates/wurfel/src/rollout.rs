//! Rollouts of positions without a type parameter.

use std::time::Duration;

use wurfel_agents::{Catalogued, Factory, Spec};
use wurfel_arena::{
    Candidates, ComparisonReport, ComparisonResult, LuckMeter, NoCandidates, RolloutResult,
    RolloutTerms, StoppingRule,
};
use wurfel_core::{Budget, NotationError, Situation};

/// How a position is played out.
///
/// ```
/// use wurfel::{Budget, RolloutSettings};
///
/// let settings = RolloutSettings { budget: Budget::default(), luck: true, turns: None, seed: 1 };
/// let einstein = wurfel::game("einstein")?;
/// let agents = einstein.agents_of(&"greedy".parse()?)?;
/// assert!(agents.rollout(&einstein.start(), settings)?.can_end());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RolloutSettings<'a> {
    /// What the agent may spend on a move, unless its spec sets a bound.
    pub budget: Budget<'a>,
    /// Whether the luck of the rolls is measured and taken off.
    pub luck: bool,
    /// After this many turns a game ends with the value that the agent gives the position; `None` plays
    /// every game to its end.
    pub turns: Option<u32>,
    /// The seed of dice and players.
    pub seed: u64,
}

/// A rollout to be played; see [`AnyAgents::rollout`](crate::AnyAgents::rollout).
pub trait Rollout {
    /// Whether the games can end as the settings say: games that are cut short need an agent that gives
    /// estimates.
    fn can_end(&self) -> bool;

    /// Everything that the games depend on, for an agent of this spec.
    fn terms(&self, spec: &Spec) -> RolloutTerms;

    /// The state of the rollout before the first game.
    fn empty_result(&self) -> RolloutResult;

    /// Whether these can be the results of whole blocks of this rollout.
    fn fits(&self, results: &RolloutResult) -> bool;

    /// Plays games on `jobs` threads until there are enough; see [`wurfel_arena::Rollout::run`].
    fn run(
        &self,
        jobs: usize,
        enough: StoppingRule,
        progress: &mut dyn FnMut(&RolloutResult) -> bool,
    ) -> RolloutResult;

    /// Continues from what an earlier run has found, which must fit; see
    /// [`wurfel_arena::Rollout::resume`].
    fn resume(
        &self,
        results: RolloutResult,
        jobs: usize,
        enough: StoppingRule,
        progress: &mut dyn FnMut(&RolloutResult) -> bool,
    ) -> RolloutResult;

    /// Rollouts of the moves that are best by the agent, at most `count` of them. `error_rate` is the
    /// largest probability with which the best may be dropped.
    ///
    /// # Errors
    /// When there is no choice in the position, or the agent fails.
    fn best_moves<'b>(
        &'b self,
        count: usize,
        error_rate: f64,
    ) -> Result<Box<dyn MoveRollouts + 'b>, NoCandidates>;

    /// Rollouts of the moves with these texts; `None` when they are not legal or do not lead to
    /// different positions.
    fn moves<'b>(&'b self, names: &[String], error_rate: f64)
    -> Option<Box<dyn MoveRollouts + 'b>>;
}

/// Moves or whole turns to be played out on the same dice.
pub trait MoveRollouts {
    /// The moves or whole turns.
    fn names(&self) -> Vec<String>;

    /// The state of the comparison before the first game.
    fn empty_result(&self) -> ComparisonResult;

    /// Whether these can be results of this comparison.
    fn fits(&self, results: &ComparisonResult) -> bool;

    /// Whether one move is left or there are enough games.
    fn is_over(&self, results: &ComparisonResult, enough: StoppingRule) -> bool;

    /// Plays games on `jobs` threads until one move is left or there are enough; see
    /// [`wurfel_arena::Candidates::run`].
    fn resume(
        &self,
        results: ComparisonResult,
        jobs: usize,
        enough: StoppingRule,
        progress: &mut dyn FnMut(&ComparisonResult) -> bool,
    ) -> ComparisonResult;

    /// The report of a comparison that took this long.
    fn report(
        &self,
        results: &ComparisonResult,
        spec: &Spec,
        complete: bool,
        time: Duration,
    ) -> ComparisonReport;
}

pub(crate) struct TypedRollout<'a, G: Catalogued>(wurfel_arena::Rollout<'a, G>);

impl<'a, G: Catalogued> TypedRollout<'a, G> {
    pub fn new(
        situation: &Situation<G>,
        player: &Factory<G>,
        settings: RolloutSettings<'a>,
    ) -> Result<Self, NotationError> {
        if situation.position.outcome().is_some() {
            let expected = "one to be played out, but the game is over";
            return Err(NotationError::whole("position", &situation.to_string(), expected));
        }
        let RolloutSettings { budget, luck, turns, seed } = settings;
        let (situation, player) = (situation.clone(), Factory::clone(player));
        let luck = luck.then(LuckMeter::default_for_game);
        Ok(Self(wurfel_arena::Rollout { situation, player, budget, luck, turns, seed }))
    }

    fn again(&self) -> wurfel_arena::Rollout<'_, G> {
        let wurfel_arena::Rollout { situation, player, budget, luck, turns, seed } = &self.0;
        let (situation, player, luck) = (situation.clone(), Factory::clone(player), luck.clone());
        wurfel_arena::Rollout {
            situation,
            player,
            budget: *budget,
            luck,
            turns: *turns,
            seed: *seed,
        }
    }
}

impl<G: Catalogued> Rollout for TypedRollout<'_, G> {
    fn can_end(&self) -> bool {
        self.0.can_end()
    }

    fn terms(&self, spec: &Spec) -> RolloutTerms {
        let rollout = &self.0;
        let terms = RolloutTerms {
            game: rollout.situation.position.name().to_owned(),
            position: rollout.situation.to_string(),
            agent: spec.to_string(),
            turns: rollout.turns,
            luck: rollout.luck.is_some(),
            seed: rollout.seed,
            ..RolloutTerms::default()
        };
        terms.with_budget(rollout.budget)
    }

    fn empty_result(&self) -> RolloutResult {
        self.0.empty_result()
    }

    fn fits(&self, results: &RolloutResult) -> bool {
        self.0.fits(results)
    }

    fn run(
        &self,
        jobs: usize,
        enough: StoppingRule,
        progress: &mut dyn FnMut(&RolloutResult) -> bool,
    ) -> RolloutResult {
        self.0.run(jobs, enough, progress)
    }

    fn resume(
        &self,
        results: RolloutResult,
        jobs: usize,
        enough: StoppingRule,
        progress: &mut dyn FnMut(&RolloutResult) -> bool,
    ) -> RolloutResult {
        self.0.resume(results, jobs, enough, progress)
    }

    fn best_moves<'b>(
        &'b self,
        count: usize,
        error_rate: f64,
    ) -> Result<Box<dyn MoveRollouts + 'b>, NoCandidates> {
        Ok(Box::new(Candidates::best(self.again(), count, error_rate)?))
    }

    fn moves<'b>(
        &'b self,
        names: &[String],
        error_rate: f64,
    ) -> Option<Box<dyn MoveRollouts + 'b>> {
        Some(Box::new(Candidates::from_names(self.again(), names, error_rate)?))
    }
}

impl<G: Catalogued> MoveRollouts for Candidates<'_, G> {
    fn names(&self) -> Vec<String> {
        self.moves.iter().map(ToString::to_string).collect()
    }

    fn empty_result(&self) -> ComparisonResult {
        self.empty_result()
    }

    fn fits(&self, results: &ComparisonResult) -> bool {
        self.fits(results)
    }

    fn is_over(&self, results: &ComparisonResult, enough: StoppingRule) -> bool {
        self.is_over(results, enough)
    }

    fn resume(
        &self,
        results: ComparisonResult,
        jobs: usize,
        enough: StoppingRule,
        progress: &mut dyn FnMut(&ComparisonResult) -> bool,
    ) -> ComparisonResult {
        self.resume(results, jobs, enough, progress)
    }

    fn report(
        &self,
        results: &ComparisonResult,
        spec: &Spec,
        complete: bool,
        time: Duration,
    ) -> ComparisonReport {
        ComparisonReport::new(self, results, spec, complete, time)
    }
}
