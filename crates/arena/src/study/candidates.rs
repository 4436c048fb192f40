//! Rollouts of several moves of one turn, to find the one that does best in play. Where a turn can
//! take several moves and the player compares whole turns, whole turns are rolled out.
//!
//! All moves are played out on the same dice, so that their differences are less random than their
//! values, and moves that are behind are dropped at a stated error rate ([`CandidateSelection`]).
//!
//! The first look at the moves comes after a number of games that depends on the moves alone, and
//! the next ones whenever that number has doubled. There is no look when a comparison ends, because
//! it would take a share of the error rate every time that somebody ends a comparison and continues
//! it. So a comparison that ends between two looks drops nothing there, and continues as if it had
//! not ended.

use std::fmt;

use serde::{Deserialize, Serialize};
use wurfel_core::{Agent, Failure, Game, Random, Situation, Turn};
use wurfel_games::Playable;
use wurfel_statistics::{CandidateSelection, MAX_COUNT, MeasuredGame};

use crate::play::ordered::run_in_order;
use crate::study::rollout::{GameResult, Rollout, StoppingRule, strata};
use wurfel_agents::Factory;

/// A move that is to be played out, or the moves of a whole turn, in their order. Displays as its
/// moves with spaces between them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate<M>(pub Vec<M>);

impl<M: fmt::Display> fmt::Display for Candidate<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, mv) in self.0.iter().enumerate() {
            let gap = if place == 0 { "" } else { " " };
            write!(f, "{gap}{mv}")?;
        }
        Ok(())
    }
}

/// Moves or whole turns that are to be played out.
pub struct Candidates<'a, G: Game> {
    /// How games are played. Its situation has the roll of the turn.
    pub rollout: Rollout<'a, G>,
    /// The moves or whole turns that are compared. They are legal with the roll of the turn, and lead
    /// to different positions.
    pub moves: Vec<Candidate<G::Move>>,
    /// The largest probability with which the best of the moves may be dropped.
    pub error_rate: f64,
}

/// The results of a comparison of candidates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ComparisonResult {
    /// The comparison of the moves, by their index. Values are those of the side that moves.
    pub selection: CandidateSelection,
    /// The games after all of the moves together.
    pub games: u64,
    /// Games that were lost by a crash, an illegal move or time.
    pub faults: u64,
    /// Turns in all games.
    pub plies: u64,
}

/// Why there are no moves to be played out.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoCandidates {
    /// The game is over.
    #[error("position '{0}': nothing to play out, the game is over")]
    Over(String),
    /// There is no roll, which would decide which moves there are.
    #[error("position '{0}': expected one with a roll")]
    NoRoll(String),
    /// The player that chooses the moves has failed.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// The default of the largest probability with which the best move may be dropped.
pub const DEFAULT_ERROR_RATE: f64 = 0.05;

/// The largest number of first rolls for which each roll gets the same number of games. If there
/// are more, first rolls are drawn.
const MAX_STRATA: u64 = 36;
/// The number of games for each move before the first look.
const FIRST_LOOK: u64 = 120;
/// The number of games for each first roll before the first look.
const MIN_PER_ROLL: u64 = 4;

/// The continuation after a move.
enum After<'a, G: Game> {
    /// The game is over, with this value for the side that moved.
    Over(f64),
    /// The game goes on.
    On(Follow<'a, G>),
}

impl<G: Playable> After<'_, G> {
    /// Plays game `number`; `None` when it was stopped.
    fn play(&self, number: u64, players: &mut [Box<dyn Agent<G>>; 2]) -> Option<GameResult> {
        match self {
            Self::Over(value) => {
                Some(GameResult { result: *value, luck: 0.0, fault: false, plies: 0 })
            }
            Self::On(follow) => follow.game(number, players),
        }
    }
}

/// The games that follow a move.
struct Follow<'a, G: Game> {
    rollout: Rollout<'a, G>,
    /// The first rolls, each repeated according to its weight.
    rolls: Vec<G::Roll>,
    /// Whether the other side is to move.
    turned: bool,
}

impl<G: Playable> Follow<'_, G> {
    /// Plays game `number` and returns its result for the side that chooses.
    fn game(&self, number: u64, players: &mut [Box<dyn Agent<G>>; 2]) -> Option<GameResult> {
        let count = self.rolls.len() as u64;
        let place = if count <= MAX_STRATA {
            number % count
        } else {
            let mut random = Random::new(Random::seed_for(self.rollout.seed, &[number, 3]));
            u64::from(random.below(count as u32))
        };
        let played = self.rollout.game(number, self.rolls[place as usize], players)?;
        Some(if self.turned {
            GameResult { result: 1.0 - played.result, luck: -played.luck, ..played }
        } else {
            played
        })
    }
}

impl<'a, G: Playable> Candidates<'a, G> {
    /// Candidates that are the best moves by the rollout's own player, for the roll of its
    /// situation: at most a given number, or as many as there are. They are whole turns where the
    /// player compares these.
    ///
    /// # Errors
    /// When there is no choice in the situation, or the player fails.
    pub fn best(
        rollout: Rollout<'a, G>,
        count: usize,
        error_rate: f64,
    ) -> Result<Self, NoCandidates> {
        let situation = &rollout.situation;
        if situation.position.outcome().is_some() {
            return Err(NoCandidates::Over(situation.to_string()));
        }
        let turn = situation.turn().ok_or_else(|| NoCandidates::NoRoll(situation.to_string()))?;
        let mut player = (rollout.player)();
        player.begin(Random::new(rollout.seed));
        let analysis = player.analyse(turn, rollout.budget);
        if let Some(failure) = player.failure() {
            return Err(failure.into());
        }
        let moves = if analysis.turns.is_empty() {
            let moves = analysis.moves.iter().take(count);
            moves.map(|scored| Candidate(vec![scored.mv])).collect()
        } else {
            let turns = analysis.turns.into_iter().take(count);
            turns.map(|ranked| Candidate(ranked.moves)).collect()
        };
        Ok(Self { rollout, moves, error_rate })
    }

    /// Candidates with these texts; `None` when they are not legal in the situation or do not lead
    /// to different positions.
    pub fn from_names(rollout: Rollout<'a, G>, names: &[String], error_rate: f64) -> Option<Self> {
        let turn = rollout.situation.turn()?;
        let (mut moves, mut after) = (vec![], vec![]);
        for name in names {
            let (candidate, leads_to) = read(turn, name)?;
            if after.contains(&leads_to) {
                return None;
            }
            moves.push(candidate);
            after.push(leads_to);
        }
        (!moves.is_empty()).then_some(Self { rollout, moves, error_rate })
    }

    /// Plays games on `jobs` threads until one move is left, or until a bound in `enough` is
    /// reached: a number of games for each move, or a standard error of the leader's value. The
    /// result depends on the seed alone and not on `jobs`, unless the player is bounded by time.
    /// `progress` is called each time that all remaining moves have had one more game; the work
    /// ends if it returns false or if the budget is stopped.
    ///
    /// # Panics
    /// When the situation has no roll, or a move is not legal in it.
    pub fn run(
        &self,
        jobs: usize,
        enough: StoppingRule,
        progress: impl FnMut(&ComparisonResult) -> bool,
    ) -> ComparisonResult {
        self.resume(self.empty_result(), jobs, enough, progress)
    }

    /// The state of the comparison before the first game. Panics like [`Candidates::run`].
    pub fn empty_result(&self) -> ComparisonResult {
        let block = block(&self.all_after());
        let likely = vec![1.0 / block as f64; block as usize];
        let selection = CandidateSelection::new(self.moves.len(), &likely, self.error_rate);
        ComparisonResult { selection, games: 0, faults: 0, plies: 0 }
    }

    /// Continues an interrupted comparison of the same moves under the same settings from its
    /// results so far. The result is that of an uninterrupted one. Otherwise the same as
    /// [`Candidates::run`].
    ///
    /// # Panics
    /// As [`Candidates::run`], and also when `results` is for a different number of moves.
    pub fn resume(
        &self,
        mut results: ComparisonResult,
        jobs: usize,
        enough: StoppingRule,
        mut progress: impl FnMut(&ComparisonResult) -> bool,
    ) -> ComparisonResult {
        assert_eq!(
            results.selection.len(),
            self.moves.len(),
            "only a comparison of the same moves can be continued"
        );
        let after = self.all_after();
        let course = Course { block: block(&after), enough };
        while !course.is_over(&results) {
            let is_in: Vec<bool> = (0..after.len()).map(|at| results.selection.is_in(at)).collect();
            let (from, look) = (results.each(), course.look(results.selection.looks()));
            let until = look.min(course.end()).max(from);
            let (mut seen, mut wants_more) = (from, true);
            run_in_order(
                from..until,
                jobs,
                || [(self.rollout.player)(), (self.rollout.player)()],
                |players, number| {
                    let all = after.iter().zip(&is_in);
                    all.map(
                        |(after, &is_in)| {
                            if is_in { after.play(number, players).map(Some) } else { Some(None) }
                        },
                    )
                    .collect()
                },
                |number, played: Vec<Option<GameResult>>| {
                    seen += 1;
                    results.add((number % course.block) as usize, &played);
                    wants_more = progress(&results);
                    wants_more
                },
            );
            if seen == look {
                results.selection.look();
            }
            if seen < until || !wants_more {
                return results;
            }
        }
        results
    }

    /// Whether the comparison has ended: one move is left, or a bound in `enough` is reached.
    /// Panics like [`Candidates::run`].
    pub fn is_over(&self, results: &ComparisonResult, enough: StoppingRule) -> bool {
        Course { block: block(&self.all_after()), enough }.is_over(results)
    }

    /// Whether this can be the result of a comparison of these moves. Panics like
    /// [`Candidates::run`].
    pub fn fits(&self, results: &ComparisonResult) -> bool {
        let selection = &results.selection;
        if !selection.follows(&self.empty_result().selection) {
            return false;
        }
        let course = Course { block: block(&self.all_after()), enough: StoppingRule::default() };
        let (each, looks) = (results.each(), selection.looks());
        let looked = |games: u64| (0..looks.min(64)).any(|before| course.look(before) == games);
        let games: u128 = (0..selection.len()).map(|at| u128::from(selection.games(at))).sum();
        u128::from(results.games) == games
            && results.games <= MAX_COUNT
            && results.faults <= results.games
            && results.plies <= MAX_COUNT
            && each <= course.look(looks)
            && (looks == 0 || each >= course.look(looks - 1))
            && (0..selection.len()).all(|at| selection.dropped(at).is_none_or(looked))
    }

    /// The continuation after each move.
    fn all_after(&self) -> Vec<After<'a, G>> {
        self.moves.iter().map(|candidate| self.after(candidate)).collect()
    }

    /// The continuation after a candidate.
    fn after(&self, candidate: &Candidate<G::Move>) -> After<'a, G> {
        let Rollout { situation, player, budget, luck, turns, seed } = &self.rollout;
        assert!(situation.roll.is_some(), "a choice among moves has a roll");
        let Situation { mut position, roll: mut rest } = situation.clone();
        let side = position.side();
        for &mv in &candidate.0 {
            let roll = rest.expect("a candidate ends with its turn");
            rest = position.play(roll, mv);
        }
        if let Some(outcome) = position.outcome() {
            return After::Over(f64::from(outcome.value_for(side)));
        }
        let turned = position.side() != side;
        let rollout = Rollout {
            situation: Situation { position, roll: rest },
            player: Factory::clone(player),
            budget: *budget,
            luck: luck.clone(),
            turns: *turns,
            seed: *seed,
        };
        let rolls = rollout.rolls();
        let rolls = strata(&rolls).into_iter().map(|place| rolls[place].item).collect();
        After::On(Follow { rollout, rolls, turned })
    }
}

impl ComparisonResult {
    /// The number of games of each move that is left.
    fn each(&self) -> u64 {
        self.selection.games(self.selection.leader())
    }

    /// Adds one game for each move that is left.
    fn add(&mut self, stratum: usize, played: &[Option<GameResult>]) {
        let measured = |game: &GameResult| -> MeasuredGame { (game.result, game.luck) };
        let measured: Vec<_> = played.iter().map(|game| game.as_ref().map(measured)).collect();
        self.selection.add(stratum, &measured);
        for game in played.iter().flatten() {
            self.games += 1;
            self.faults += u64::from(game.fault);
            self.plies += u64::from(game.plies);
        }
    }
}

/// When there are looks at a comparison, and when it ends. Both are counted in games of each move
/// that is left.
struct Course {
    /// How many first rolls form a block.
    block: u64,
    enough: StoppingRule,
}

impl Course {
    /// The number of games at which the look comes that follows `looks` others.
    fn look(&self, looks: u32) -> u64 {
        let first = FIRST_LOOK.max(MIN_PER_ROLL * self.block).next_multiple_of(self.block);
        first.saturating_mul(1u64.checked_shl(looks).unwrap_or(u64::MAX))
    }

    /// The number of games after which the comparison ends.
    fn end(&self) -> u64 {
        let whole = |games: u64| games.div_ceil(self.block).saturating_mul(self.block);
        self.enough.games.map_or(u64::MAX, whole)
    }

    fn is_over(&self, results: &ComparisonResult) -> bool {
        let (selection, each) = (&results.selection, results.each());
        let looks = selection.looks();
        if each == self.look(looks) {
            // The comparison has ended before the look that would be due here.
            return false;
        }
        let is_sure = || {
            let error = selection.estimate(selection.leader()).error_after(each);
            self.enough.error.is_some_and(|wanted| error <= wanted)
        };
        let looked = looks > 0 && each == self.look(looks - 1);
        let left = (0..selection.len()).filter(|&at| selection.is_in(at)).count();
        each >= self.end() || looked && (left < 2 || is_sure())
    }
}

/// Reads the moves of a candidate, and plays them.
fn read<G: Playable>(turn: Turn<'_, G>, text: &str) -> Option<(Candidate<G::Move>, Situation<G>)> {
    let (mut position, mut rest) = (turn.position.clone(), Some(turn.roll));
    let mut moves = vec![];
    for word in text.split(' ') {
        let roll = rest?;
        let mv = position.find_move(roll, word).ok()?;
        rest = position.play(roll, mv);
        moves.push(mv);
    }
    Some((Candidate(moves), Situation { position, roll: rest }))
}

/// How many first rolls form a block: their number, if it is the same for all moves and not too
/// large.
fn block<G: Game>(after: &[After<'_, G>]) -> u64 {
    let mut counts = after.iter().filter_map(|after| match after {
        After::Over(_) => None,
        After::On(follow) => Some(follow.rolls.len() as u64),
    });
    let first = counts.next().unwrap_or(1);
    if first <= MAX_STRATA && counts.all(|count| count == first) { first } else { 1 }
}
