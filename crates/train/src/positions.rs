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
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Labels {
    /// Turns that the search looks ahead.
    pub depth: u32,
    /// The memory of its table in megabytes.
    pub megabytes: usize,
    /// The seed of all chance.
    pub seed: u64,
    /// So many throws are drawn for a value along a game, 0 for the mean over all: where
    /// there are many throws, that much more can be learned from.
    pub throws: u32,
    /// How much of what later turns of the game find goes into a value, 0 to 1. With 0
    /// a value is what the search finds there. Else every position of a game is judged,
    /// and what the next one is worth by its own value, less what the throw had promised,
    /// is added to it times `lambda`: TD(λ) with the luck of the dice taken off (R. S. Sutton,
    /// "Learning to predict by the methods of temporal differences", 1988). A move at
    /// random says nothing about the position before it.
    pub lambda: f32,
}

/// How often, in per cent, the players of a game move at random: every fourth
/// game they always do.
const CARELESS: [u32; 4] = [10, 25, 50, 100];
/// The same where values look along the game.
const CAREFUL: [u32; 4] = [3, 10, 20, 50];
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
        let star = |depth| {
            let budget = Budget { depth: Some(depth), ..Budget::default() };
            Star::new(Arc::clone(evaluator), Cutoffs::Star2, Arc::clone(&table), budget)
        };
        Judges { labels, quick: star(1), judge: star(labels.depth) }
    };
    let work = |judges: &mut Judges<Arc<E>>, game| {
        let mut random = Random::new(Random::seed_for(labels.seed, &[game]));
        <Star<Arc<E>> as Agent<G>>::begin(&mut judges.judge, Random::new(0));
        Some(if labels.lambda > 0.0 {
            judges.along(&mut random)
        } else {
            judges.one_by_one(&mut random)
        })
    };
    ordered(games, jobs, start, work, see);
}

/// Who plays and judges, with a table in common.
struct Judges<E> {
    labels: Labels,
    /// Looks one turn ahead.
    quick: Star<E>,
    judge: Star<E>,
}

impl<E> Judges<E> {
    /// Some positions of a game, each judged by itself.
    fn one_by_one<G: Playable>(&mut self, random: &mut Random) -> Vec<Labelled<G>>
    where
        E: Evaluator<G>,
    {
        let careless = *random.pick(&CARELESS);
        let mut labelled = vec![];
        let mut position = G::setup(random);
        while position.outcome().is_none() {
            if random.below(KEPT) == 0 {
                let value = self.judge.value(&position, self.labels.depth);
                labelled.push(Labelled { position: position.clone(), value });
            }
            let mut rest = Some(draw(position.rolls().as_ref(), random));
            while let Some(roll) = rest {
                let turn = Turn { position: &position, roll };
                let mv = if random.below(100) < careless {
                    *random.pick(turn.moves().as_ref())
                } else {
                    self.quick.decide(turn, Budget::default()).mv
                };
                rest = position.play(roll, mv);
            }
        }
        labelled
    }

    /// What a position is worth before its throw.
    fn before<G: Playable>(&mut self, position: &G, random: &mut Random) -> f32
    where
        E: Evaluator<G>,
    {
        let Labels { depth, throws, .. } = self.labels;
        if throws == 0 {
            return self.judge.value(position, depth);
        }
        let drawn = (0..throws).map(|_| {
            let turn = Turn { position, roll: draw(position.rolls().as_ref(), random) };
            self.judge.decide(turn, Budget::default()).value.unwrap_or(0.5)
        });
        drawn.sum::<f32>() / throws as f32
    }

    /// All positions of a game, judged along it.
    fn along<G: Playable>(&mut self, random: &mut Random) -> Vec<Labelled<G>>
    where
        E: Evaluator<G>,
    {
        let careless = *random.pick(&CAREFUL);
        let mut labelled: Vec<Labelled<G>> = vec![];
        // What each throw promised; nothing where a move was made at random.
        let mut promises = vec![];
        let mut position = G::setup(random);
        while position.outcome().is_none() {
            let value = self.before(&position, random);
            labelled.push(Labelled { position: position.clone(), value });
            let (mut promise, mut at_random) = (None, false);
            let mut rest = Some(draw(position.rolls().as_ref(), random));
            while let Some(roll) = rest {
                let turn = Turn { position: &position, roll };
                let mv = if random.below(100) < careless {
                    at_random = true;
                    *random.pick(turn.moves().as_ref())
                } else {
                    let decision = self.judge.decide(turn, Budget::default());
                    promise = promise.or(decision.value);
                    decision.mv
                };
                rest = position.play(roll, mv);
            }
            promises.push(promise.filter(|_| !at_random));
        }
        let mut next = position.outcome().map_or(0.5, |end| end.value_for(position.side()));
        for (labelled, promise) in labelled.iter_mut().zip(promises).rev() {
            let found = promise.map_or(0.0, |promise| 1.0 - next - promise);
            next = labelled.value + self.labels.lambda * found;
            // One turn may promise more than certainty.
            labelled.value = next.clamp(0.0, 1.0);
        }
        labelled
    }
}
