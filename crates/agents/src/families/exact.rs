//! Analysers that give exact values where these are quick to find.
//!
//! An evaluation is weakest near the end of a game, where people notice its errors first and where
//! exact values cost next to nothing. Everything that tells people how good a move is (reviews,
//! analyses, hints) therefore tries a search to the end of the game before it asks its analyser.
//! The search is bounded by positions and not by time, so that the same question always gets the
//! same answer.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use wurfel_core::{
    Agent, Analysis, Budget, Decision, Endgame, Even, Failure, Random, Side, Statistic, Turn,
};
use wurfel_games::Playable;
use wurfel_search::{Cutoffs, Star, TranspositionTable};
use wurfel_tablebase::{TablebaseEvaluator, Tables};

use super::Factory;
use crate::Catalogued;

/// How many positions are visited before a turn is left to the analyser: some 20 ms.
const MAX_NODES: u64 = 300_000;
/// The bound for positions with one piece more than the tables hold, where nearly every turn can be
/// solved: some 0.3 s. With [`MAX_NODES`], 4 of 10,787 marks with up to five cubes were wrong.
const MAX_NODES_NEAR: u64 = 4_000_000;
/// The memory of the search, in megabytes.
const MEGABYTES: usize = 32;

/// Tables that are opened only when they are first needed.
type Lazy<G> = Arc<OnceLock<Arc<Tables<G>>>>;

/// Makes agents whose values are exact where a search to the end of the game is quick, with the
/// tables in the default folder. Small tables are built when they are first needed. If the folder
/// cannot be used, the search goes on without tables.
pub fn informed<G: Catalogued>(analyser: Factory<G>) -> Factory<G> {
    G::informed(analyser)
}

/// [`informed`], compiled for a game where this is called.
pub(crate) fn compile_informed<G: Playable + Endgame>(analyser: Factory<G>) -> Factory<G> {
    with_lazy(analyser, Arc::default())
}

/// Makes agents as [`informed`] does, but with the given tables.
pub fn informed_by<G: Playable + Endgame>(
    analyser: Factory<G>,
    tables: Arc<Tables<G>>,
) -> Factory<G> {
    with_lazy(analyser, Arc::new(OnceLock::from(tables)))
}

fn with_lazy<G: Playable + Endgame>(analyser: Factory<G>, tables: Lazy<G>) -> Factory<G> {
    // The condition is constant, so that no such search is compiled for games that cannot be
    // solved.
    if const { G::MAX_SOLVED == 0 } {
        return analyser;
    }
    Arc::new(move || {
        Box::new(Informant {
            analyser: analyser(),
            tables: Arc::clone(&tables),
            star: None,
            solved: false,
        })
    })
}

/// An analyser that first tries a search to the end of the game.
struct Informant<G: Playable + Endgame> {
    analyser: Box<dyn Agent<G>>,
    tables: Lazy<G>,
    /// The search, created when a position first needs it.
    star: Option<Star<TablebaseEvaluator<G, Even>>>,
    /// Whether the last answer was exact.
    solved: bool,
}

impl<G: Playable + Endgame> Informant<G> {
    /// Every move of a turn with its exact value, for the side to move; `None` where the search
    /// reaches its bound.
    fn solve(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Option<Analysis<G>> {
        let pieces: u32 = Side::BOTH.map(|side| turn.position.pieces(side).count).iter().sum();
        self.solved = false;
        if pieces > G::MAX_SOLVED {
            return None;
        }
        let star = self.star.get_or_insert_with(|| {
            let open = || Arc::new(Tables::usual(G::NAME, u32::MAX).unwrap_or_default());
            let tables = self.tables.get_or_init(open);
            let evaluator = TablebaseEvaluator::new(Even, Arc::clone(tables));
            let table = Arc::new(TranspositionTable::new(MEGABYTES));
            Star::new(evaluator, Cutoffs::Star2, table, Budget::default())
        });
        let near = self.tables.get().is_some_and(|tables| pieces <= tables.max_pieces() + 1);
        let nodes = Some(if near { MAX_NODES_NEAR } else { MAX_NODES });
        let time = budget.time.map(|time| time / 2);
        let found =
            star.solve_turn(turn, Budget { nodes, time, stop: budget.stop, ..Budget::default() });
        self.solved = found.is_some();
        found
    }
}

impl<G: Playable + Endgame> Agent<G> for Informant<G> {
    fn begin(&mut self, random: Random) {
        self.analyser.begin(random);
        if let Some(star) = &mut self.star {
            // The search draws no random numbers, so any seed will do.
            Agent::<G>::begin(star, Random::new(0));
        }
    }

    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        self.analyser.bounds(budget)
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move> {
        let Some(Analysis { moves, nodes, depth, .. }) = self.solve(turn, budget) else {
            return self.analyser.decide(turn, budget);
        };
        Decision { mv: moves[0].mv, value: moves[0].value, exact: true, nodes, depth }
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Analysis<G> {
        let solved = self.solve(turn, budget);
        solved.unwrap_or_else(|| self.analyser.analyse(turn, budget))
    }

    fn end(&mut self) {
        self.analyser.end();
    }

    fn failure(&mut self) -> Option<Failure> {
        self.analyser.failure()
    }

    fn waited(&self) -> Option<Duration> {
        if self.solved { None } else { self.analyser.waited() }
    }

    fn counts(&self) -> Option<&'static str> {
        if self.solved { None } else { self.analyser.counts() }
    }

    fn statistics(&self) -> Vec<Statistic> {
        if self.solved { vec![] } else { self.analyser.statistics() }
    }
}
