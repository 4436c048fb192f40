//! The true value of every move of one turn, by a search to the end of the game.

use wurfel_core::{Analysis, Assessment, Budget, Evaluator, Game, Turn};

use super::{Star, TO_THE_END, Tree};
use crate::clock::Clock;
use crate::deepening::{FixedDepth, MAX_DEPTH, Wanted, line, sort, unscored};

/// A search that always goes to the end of the game, whatever depth is asked for.
struct ExactSearch<'a, G: Game, E>(Tree<'a, G, E>);

impl<'a, G: Game, E: Evaluator<G>> FixedDepth<'a, G> for ExactSearch<'a, G, E> {
    fn score(
        &mut self,
        turn: Turn<'_, G>,
        _: u32,
        wanted: Wanted,
        moves: &mut [Assessment<G::Move>],
    ) -> usize {
        self.0.score(turn, TO_THE_END, wanted, moves)
    }

    fn clock(&mut self) -> &mut Clock<'a> {
        self.0.clock()
    }

    fn nodes(&self) -> u64 {
        self.0.nodes()
    }
}

impl<E> Star<E> {
    /// The true value of every move of a turn for the side that **decides**, and the principal
    /// variation as far as the budget allows. `None` when the budget was spent before every move
    /// was solved; a depth does not limit the search.
    pub fn solve_turn<G: Game>(&self, turn: Turn<'_, G>, budget: Budget<'_>) -> Option<Analysis<G>>
    where
        E: Evaluator<G>,
    {
        let mut search = ExactSearch(self.tree());
        search.0.clock = Clock::start(budget);
        let mut moves = unscored(turn);
        if search.score(turn, MAX_DEPTH, Wanted::All, &mut moves) < moves.len() {
            return None;
        }
        sort(&mut moves);
        let line = line(&mut search, turn, moves[0].mv, MAX_DEPTH);
        Some(Analysis {
            depth: line.len() as u32,
            moves,
            turns: vec![],
            line,
            nodes: search.nodes(),
        })
    }
}
