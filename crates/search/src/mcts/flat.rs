//! Flat Monte Carlo: playouts after each legal move, without a tree.

use wurfel_core::{Agent, Analysis, Assessment, Budget, Decision, Game, Random, Side, Turn};

use super::playout::Playout;
use super::{PLAYOUTS, PLAYOUTS_PER_LOOK};
use crate::clock::Clock;
use crate::deepening::{sort, worth};

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
    /// A player that spends `budget`, or, when that has no limits, the budget of each decision;
    /// without limits in either it makes 10,000 playouts. It draws random numbers from `random`
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
        let mut clock = Clock::start(Budget { nodes, ..budget }, PLAYOUTS_PER_LOOK);
        let moves = turn.moves();
        let moves = moves.as_ref();
        let mut totals = vec![0.0; moves.len()];
        let mut made = 0;
        while made < moves.len() as u64 || !clock.is_over(made) {
            let place = (made % moves.len() as u64) as usize;
            totals[place] += f64::from(self.try_once(turn, moves[place]));
            made += 1;
        }
        let scored = moves.iter().zip(&totals).enumerate().map(|(place, (&mv, total))| {
            let tries = (made + moves.len() as u64 - 1 - place as u64) / moves.len() as u64;
            Assessment { mv, value: Some((total / tries as f64) as f32), exact: false }
        });
        let mut scored: Vec<_> = scored.collect();
        sort(&mut scored);
        (scored, made)
    }

    /// The result of one playout after a move, for the side that makes the move.
    fn try_once<G: Game>(&mut self, turn: Turn<'_, G>, mv: G::Move) -> f32
    where
        P: Playout<G>,
    {
        let mut position = turn.position.clone();
        let rest = position.play(turn.roll, mv);
        let first = match position.outcome() {
            Some(outcome) => outcome.value_for(Side::First),
            None => self.playout.result(position, rest, &mut self.random),
        };
        if turn.side() == Side::First { first } else { 1.0 - first }
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
        Analysis { line: vec![(turn.roll, moves[0].mv)], moves, nodes, depth: 1 }
    }
}
