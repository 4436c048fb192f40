//! Rollouts: estimate the value of a position by playing it out many times with one agent on both
//! sides.
//!
//! Two things make a rollout more precise than the same number of plain games. The first rolls are
//! stratified: in every block of games, each roll occurs as often as its weight says. And the luck
//! of all later rolls, whose mean is 0, is taken off as far as it explains the results
//! ([`Control`]).

use serde::{Deserialize, Serialize};
use wurfel_core::{
    Agent, Budget, BySide, FairDice, Game, Outcome, Random, RandomGames, Side, Situation, Weighted,
    before_roll,
};
use wurfel_games::Playable;
use wurfel_statistics::{Control, Estimate, MAX_COUNT};

use crate::play::ordered::run_in_order;
use crate::play::referee::{Terms, play_on};
use crate::study::luck::{LuckMeter, MeteredDice};
use wurfel_agents::Factory;

/// A rollout to be played.
///
/// ```
/// use wurfel_agents::build;
/// use wurfel_arena::{LuckMeter, Rollout, StoppingRule};
/// use wurfel_core::Budget;
/// use wurfel_games::einstein::Einstein;
///
/// let rollout = Rollout {
///     situation: "ABC2/DE3/F3f/3ed/2cba r - 1".parse()?,
///     player: build(&Einstein::default(), &"greedy".parse()?)?,
///     budget: Budget::default(),
///     luck: Some(LuckMeter::default_for_game()),
///     turns: None,
///     seed: 1,
/// };
/// let games = StoppingRule { games: Some(600), error: None };
/// let value = rollout.run(1, games, |_| true).best();
/// assert!((0.4..0.7).contains(&value.mean) && value.error < 0.03);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Rollout<'a, G: Game> {
    /// The position, before the roll or with a given roll.
    pub situation: Situation<G>,
    /// The player of both sides.
    pub player: Factory<G>,
    /// The budget of the player for a move, unless it has bounds of its own.
    pub budget: Budget<'a>,
    /// The meter of luck; `None` leaves the luck in.
    pub luck: Option<LuckMeter<G>>,
    /// After this many turns a game ends with the value that the player gives the position; `None`
    /// plays every game to its end. The player must be one that gives estimates.
    pub turns: Option<u32>,
    /// The seed of dice and players.
    pub seed: u64,
}

/// When a rollout ends: after the block in which one of the bounds is reached. Random games are
/// played many blocks at a time, some thousands of games, so the standard error may turn out
/// smaller than required.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct StoppingRule {
    /// The maximum number of games.
    pub games: Option<u64>,
    /// The required standard error of the mean, luck-adjusted where luck was measured.
    pub error: Option<f64>,
}

/// The result of a rollout, for the **side to move**.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RolloutResult {
    /// The results with their luck, by first roll.
    pub control: Control,
    /// Games that were lost by a crash, an illegal move or time; each of them distorts the mean.
    pub faults: u64,
    /// Turns in all games.
    pub plies: u64,
}

/// The number of blocks of random games that are played together: a millisecond of work or less.
const BLOCKS_TOGETHER: u64 = 1024;
/// The number of blocks before the standard error is trusted to end a rollout.
pub(crate) const MIN_BLOCKS: u64 = 20;

/// The result of one game for the side that was to move.
pub(crate) struct GameResult {
    pub result: f64,
    pub luck: f64,
    pub fault: bool,
    pub plies: u32,
}

impl<G: Playable> Rollout<'_, G> {
    /// The first rolls with their chances.
    pub(crate) fn rolls(&self) -> Vec<Weighted<G::Roll>> {
        match self.situation.roll {
            Some(roll) => vec![Weighted { item: roll, weight: 1 }],
            None => self.situation.position.rolls().as_ref().to_vec(),
        }
    }

    /// The number of games in a block: the sum of the weights of the first rolls.
    pub fn block(&self) -> u64 {
        self.rolls().iter().map(|roll| u64::from(roll.weight)).sum()
    }

    /// Whether the games can end as the settings say: truncated games need a player that gives
    /// estimates.
    pub fn can_end(&self) -> bool {
        let position = &self.situation.position;
        let value = || before_roll(&mut *(self.player)(), position, self.budget);
        self.turns.is_none() || value().is_some()
    }

    /// Plays games on `jobs` threads until a bound in `enough` is reached. The result depends on
    /// the seed alone and not on `jobs`, unless the player is bounded by time. `progress` is called
    /// after every block; the rollout ends if it returns false or if `budget.stop` turns true. The
    /// game must not be over.
    pub fn run(
        &self,
        jobs: usize,
        enough: StoppingRule,
        progress: impl FnMut(&RolloutResult) -> bool,
    ) -> RolloutResult {
        if self.is_random() {
            return self.run_at_random(jobs, enough, progress);
        }
        self.resume(self.empty_result(), jobs, enough, progress)
    }

    /// The state of the rollout before the first game.
    pub fn empty_result(&self) -> RolloutResult {
        RolloutResult::new(&self.rolls())
    }

    /// Whether these can be the results of whole blocks of this rollout, and so few that sums cannot
    /// overflow when it is continued.
    pub fn fits(&self, results: &RolloutResult) -> bool {
        let control = &results.control;
        control.is_sound()
            && control.has_same_strata(&self.empty_result().control)
            && control.count() <= MAX_COUNT
            && control.count().is_multiple_of(self.block())
            && results.faults <= control.count()
            && results.plies <= MAX_COUNT
    }

    /// Continues a rollout with the same settings from its results so far, until there are enough
    /// games in all. The result is that of one rollout with this many games, except for random
    /// games, which are played one by one here. Otherwise the same as [`Rollout::run`].
    ///
    /// # Panics
    /// When the results so far do not [fit](Self::fits).
    pub fn resume(
        &self,
        mut results: RolloutResult,
        jobs: usize,
        enough: StoppingRule,
        mut progress: impl FnMut(&RolloutResult) -> bool,
    ) -> RolloutResult {
        assert!(self.fits(&results), "only a rollout of the same position can be continued");
        let (rolls, block) = (self.rolls(), self.block());
        let strata = strata(&rolls);
        let blocks = enough.games.map_or(u64::MAX / block, |games| games.div_ceil(block));
        if results.is_sure(enough, block) || results.control.count() >= blocks * block {
            return results;
        }
        let mut games: Vec<GameResult> = vec![];
        run_in_order(
            results.control.count()..blocks * block,
            jobs,
            || [(self.player)(), (self.player)()],
            |players, number| {
                let first = rolls[strata[(number % block) as usize]].item;
                self.game(number, first, players)
            },
            |_, played| {
                games.push(played);
                if (games.len() as u64) < block {
                    return true;
                }
                for (&stratum, game) in strata.iter().zip(games.drain(..)) {
                    results.control.add(stratum, game.result, game.luck);
                    results.faults += u64::from(game.fault);
                    results.plies += u64::from(game.plies);
                }
                progress(&results) && !results.is_sure(enough, block)
            },
        );
        results
    }

    /// Whether all games are random, with only their results counting, and the game plays such
    /// games faster together.
    fn is_random(&self) -> bool {
        let plain = self.luck.is_none() && self.turns.is_none();
        plain && G::GAMES_TOGETHER > 1 && (self.player)().is_uniform()
    }

    /// [`Rollout::run`] for random games, in units of many blocks.
    fn run_at_random(
        &self,
        jobs: usize,
        enough: StoppingRule,
        mut progress: impl FnMut(&RolloutResult) -> bool,
    ) -> RolloutResult {
        let (rolls, block) = (self.rolls(), self.block());
        let mut results = RolloutResult::new(&rolls);
        let blocks = enough.games.map_or(u64::MAX / block, |games| games.div_ceil(block));
        let position = &self.situation.position;
        let work = |(): &mut (), unit: u64| {
            let blocks = BLOCKS_TOGETHER.min(blocks - unit * BLOCKS_TOGETHER) as u32;
            let mut random = Random::new(Random::seed_for(self.seed, &[unit]));
            let mut play = |first: &Weighted<G::Roll>| {
                position.random_games(Some(first.item), first.weight * blocks, &mut random)
            };
            Some(rolls.iter().map(&mut play).collect::<Vec<RandomGames>>())
        };
        run_in_order(
            0..blocks.div_ceil(BLOCKS_TOGETHER),
            jobs,
            || (),
            work,
            |_, played| {
                for (stratum, games) in played.iter().enumerate() {
                    results.add_games(stratum, games, position.side());
                }
                progress(&results) && !results.is_sure(enough, block)
            },
        );
        results
    }

    /// Plays game `number`, whose first roll is given.
    pub(crate) fn game(
        &self,
        number: u64,
        first: G::Roll,
        players: &mut [Box<dyn Agent<G>>; 2],
    ) -> Option<GameResult> {
        let seed = |stream: u64| Random::seed_for(self.seed, &[number, stream]);
        let mut dice = MeteredDice::new(FairDice::new(seed(0)), self.luck.as_ref(), Some(first));
        for (player, stream) in players.iter_mut().zip(1..) {
            player.begin(Random::new(seed(stream)));
        }
        let [one, other] = &mut *players;
        let agents: BySide<&mut dyn Agent<G>> = BySide::new(&mut **one, &mut **other);
        let start = &self.situation.position;
        let mut cut = None;
        let last = self.turns.map(|turns| start.ply() + turns);
        let mut adjudicate = |position: &G| {
            let is_last = last.is_some_and(|last| position.ply() >= last);
            is_last.then(|| {
                cut = Some(position.clone());
                Outcome::Draw
            })
        };
        let terms = Terms { budget: self.budget, clock: None, adjudicate: &mut adjudicate };
        let ending = play_on(terms, start.clone(), agents, &mut dice, &mut ()).ok()?;
        let side = start.side();
        let result = match cut {
            Some(position) => self.estimate(&position, side, &mut *players[0])?,
            None => f64::from(ending.outcome.value_for(side)),
        };
        Some(GameResult {
            result,
            luck: if side == Side::First { dice.luck() } else { -dice.luck() },
            fault: ending.failure.is_some(),
            plies: ending.plies,
        })
    }

    /// The value of a position for a side by the estimate of a player; `None` when the player was
    /// stopped or gives no estimate.
    fn estimate(&self, position: &G, side: Side, player: &mut dyn Agent<G>) -> Option<f64> {
        let value = f64::from(before_roll(player, position, self.budget)?);
        let value = if position.side() == side { value } else { 1.0 - value };
        (!self.budget.stopped()).then_some(value)
    }
}

/// The number of each game's first roll within a block.
pub(crate) fn strata<R>(rolls: &[Weighted<R>]) -> Vec<usize> {
    (0..rolls.len())
        .flat_map(|place| std::iter::repeat_n(place, rolls[place].weight as usize))
        .collect()
}

impl RolloutResult {
    /// The results before the first game.
    fn new<R>(rolls: &[Weighted<R>]) -> Self {
        let block: u32 = rolls.iter().map(|roll| roll.weight).sum();
        let likely = rolls.iter().map(|roll| f64::from(roll.weight) / f64::from(block));
        Self { control: Control::stratified(likely), faults: 0, plies: 0 }
    }

    /// Adds games that began with the roll of a stratum; `side` was to move.
    fn add_games(&mut self, stratum: usize, games: &RandomGames, side: Side) {
        let results = [(1.0, games.wins[side]), (0.5, games.draws), (0.0, games.wins[!side])];
        for (result, count) in results {
            (0..count).for_each(|_| self.control.add(stratum, result, 0.0));
        }
        self.plies += games.plies;
    }

    /// Whether the standard error is as small as required, in blocks of this size.
    fn is_sure(&self, enough: StoppingRule, block: u64) -> bool {
        let sure = enough.error.is_some_and(|error| self.error() <= error);
        sure && self.control.count() >= MIN_BLOCKS * block
    }

    /// The best estimate of the mean: luck-adjusted where that is possible.
    pub fn best(&self) -> Estimate {
        let adjusted = self.control.adjusted();
        adjusted.map_or_else(|| self.control.raw(), |adjusted| adjusted.estimate)
    }

    /// The standard error of [`RolloutResult::best`], as far as it is known.
    fn error(&self) -> f64 {
        self.best().error_after(self.control.count())
    }
}
