//! Positions to learn from: from games of players of all strengths, each with
//! the value that a search finds.

use std::sync::Arc;

use wurfel_arena::ordered;
use wurfel_game::{Agent, Budget, Evaluator, Random, Turn, draw};
use wurfel_games::Playable;
use wurfel_search::{Cutoffs, Star, Table};

/// A position with what is taken for its true value.
#[derive(Clone, PartialEq, Debug)]
pub struct Labelled<G> {
    /// The position at rest.
    pub position: G,
    /// The result for the side to move before its throw, 0 to 1.
    pub value: f32,
}

/// How positions are made and judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Labels {
    /// Turns that the search looks ahead.
    pub depth: u32,
    /// The memory of its table in megabytes.
    pub megabytes: usize,
    /// The seed of all chance.
    pub seed: u64,
}

/// How often, in per cent, the players of a game move at random: every fourth
/// game they always do.
const CARELESS: [u32; 4] = [10, 25, 50, 100];
/// Of how many positions one is kept: those of one game resemble each other.
const KEPT: u32 = 4;

/// Makes labelled positions of the games `games` (numbers under the seed) on
/// `jobs` threads, and hands them to `see` game after game; a false from it ends
/// the work. The result depends on the seed alone.
pub fn label<G: Playable, E: Evaluator<G> + 'static>(
    games: std::ops::Range<u64>,
    labels: Labels,
    evaluator: &Arc<E>,
    jobs: usize,
    see: impl FnMut(u64, Vec<Labelled<G>>) -> bool,
) {
    let start = || {
        let table = Arc::new(Table::new(labels.megabytes));
        let star =
            |budget| Star::new(Arc::clone(evaluator), Cutoffs::Star2, Arc::clone(&table), budget);
        let player = star(Budget { depth: Some(1), ..Budget::default() });
        (player, star(Budget::default()))
    };
    let work = |(player, judge): &mut (Star<Arc<E>>, Star<Arc<E>>), game| {
        let mut random = Random::new(Random::seed_for(labels.seed, &[game]));
        <Star<Arc<E>> as Agent<G>>::begin(judge, Random::new(0));
        let careless = *random.pick(&CARELESS);
        let mut labelled = vec![];
        let mut position = G::setup(&mut random);
        while position.outcome().is_none() {
            if random.below(KEPT) == 0 {
                let value = judge.value(&position, labels.depth);
                labelled.push(Labelled { position: position.clone(), value });
            }
            let mut rest = Some(draw(position.rolls().as_ref(), &mut random));
            while let Some(roll) = rest {
                let turn = Turn { position: &position, roll };
                let mv = if random.below(100) < careless {
                    *random.pick(turn.moves().as_ref())
                } else {
                    player.decide(turn, Budget::default()).mv
                };
                rest = position.play(roll, mv);
            }
        }
        Some(labelled)
    };
    ordered(games, jobs, start, work, see);
}
