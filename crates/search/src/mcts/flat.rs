//! Flat Monte Carlo: playouts after each legal move, without a tree.

use wurfel_core::{Agent, Analysis, Assessment, Budget, Decision, Game, Random, Side, Turn};

use super::PLAYOUTS;
use super::playout::Playout;
use crate::clock::Clock;
use crate::deepening::{sort, worth};

/// The largest number of playouts that a move gets before the next move's turn, where playouts are
/// faster together: some 10 µs of random games in lanes, so that the clock is read soon enough.
const MAX_TOGETHER: u64 = 512;

/// The results of the playouts after a move, for the side that makes it.
#[derive(Clone, Copy, Debug, Default)]
struct Tried {
    sum: f64,
    playouts: u64,
}

/// A player that gives every legal move the same number of playouts and makes the one with the best
/// mean: the baseline for Monte Carlo methods.
///
/// A *node* of its budget is a playout. Each move gets at least one.
#[derive(Clone, Debug)]
pub struct Flat<P> {
    playout: P,
    budget: Budget<'static>,
    random: Random,
}

impl<P> Flat<P> {
    /// A player that spends `budget`, or the budget of each decision when `budget` has no limits.
    /// Without limits in either it makes 10,000 playouts. It draws random numbers from `random`
    /// until a game begins.
    pub const fn new(playout: P, budget: Budget<'static>, random: Random) -> Self {
        Self { playout, budget, random }
    }

    /// The mean results of all moves, the best first, and the number of playouts.
    fn score<G: Game>(
        &mut self,
        turn: Turn<'_, G>,
        given: Budget<'_>,
    ) -> (Vec<Assessment<G::Move>>, u64)
    where
        P: Playout<G>,
    {
        let budget = self.budget.or(given);
        let open = budget.nodes.is_none() && budget.time.is_none();
        let nodes = budget.nodes.or(open.then_some(PLAYOUTS));
        let mut clock = Clock::start(Budget { nodes, ..budget });
        let moves = turn.moves();
        let moves = moves.as_ref();
        let mut tried = vec![Tried::default(); moves.len()];
        let mut made = 0;
        while made == 0 || !clock.is_over(made) {
            let left = nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(made));
            let some = self.together::<G>(left / moves.len() as u64);
            for (&mv, tried) in moves.iter().zip(&mut tried) {
                if tried.playouts > 0 && clock.is_over(made) {
                    break;
                }
                tried.sum += self.try_out(turn, mv, some);
                tried.playouts += u64::from(some);
                made += u64::from(some);
            }
        }
        let scored = moves.iter().zip(&tried).map(|(&mv, tried)| {
            let mean = tried.sum / tried.playouts as f64;
            Assessment { mv, value: Some(mean as f32), exact: false }
        });
        let mut scored: Vec<_> = scored.collect();
        sort(&mut scored);
        (scored, made)
    }

    /// How many playouts a move gets before it is the next move's turn, when `left` playouts remain
    /// for each move.
    fn together<G: Game>(&self, left: u64) -> u32
    where
        P: Playout<G>,
    {
        let fewest = self.playout.together();
        let some = left.min(MAX_TOGETHER) as u32;
        if fewest > 1 && some >= fewest { some } else { 1 }
    }

    /// The sum of the results of some playouts after a move, for the side that makes the move.
    fn try_out<G: Game>(&mut self, turn: Turn<'_, G>, mv: G::Move, playouts: u32) -> f64
    where
        P: Playout<G>,
    {
        let mut position = turn.position.clone();
        let rest = position.play(turn.roll, mv);
        let random = &mut self.random;
        let first = match (position.outcome(), playouts) {
            (Some(outcome), _) => f64::from(outcome.value_for(Side::First)) * f64::from(playouts),
            (None, 1) => f64::from(self.playout.result(position, rest, random)),
            (None, _) => self.playout.sum(&position, rest, playouts, random),
        };
        if turn.side() == Side::First { first } else { f64::from(playouts) - first }
    }
}

impl<G: Game, P: Playout<G>> Agent<G> for Flat<P> {
    fn begin(&mut self, random: Random) {
        self.random = random;
    }

    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        self.budget.or(budget)
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move> {
        let (scored, nodes) = self.score(turn, budget);
        Decision { mv: scored[0].mv, value: Some(worth(&scored[0])), exact: false, nodes, depth: 1 }
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Analysis<G> {
        let (moves, nodes) = self.score(turn, budget);
        Analysis { line: vec![(turn.roll, moves[0].mv)], moves, turns: vec![], nodes, depth: 1 }
    }

    fn counts(&self) -> Option<&'static str> {
        Some("playouts")
    }
}
