//! Positions to learn from: from games of players of all strengths, each with
//! the value that a search finds.

use wurfel_arena::{Factory, ordered};
use wurfel_core::{Agent, Budget, Decision, Random, Turn, before_roll, draw};
use wurfel_games::Learnable;

/// A position with what is taken for its true value.
#[derive(Clone, PartialEq, Debug)]
pub struct Labelled<G> {
    /// The position at rest.
    pub position: G,
    /// The result for the side to move before its roll, 0 to 1.
    pub value: f32,
}

/// How positions are made and evaluated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Labels {
    /// Turns that the search looks ahead.
    pub depth: u32,
    /// The seed of all chance.
    pub seed: u64,
    /// So many rolls are drawn for a value along a game, 0 for the mean over all: where
    /// there are many rolls, that much more can be learned from.
    pub rolls: u32,
    /// How much of what later turns of the game find goes into a value, 0 to 1. With 0
    /// a value is what the search finds there. Else every position of a game is evaluated,
    /// and what the next one is worth by its own value, less what the roll had promised,
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
/// the work. The searches are those of `searcher`, an agent without bounds of its own. The
/// result depends on the seed alone.
pub fn label<G: Learnable>(
    games: std::ops::Range<u64>,
    labels: Labels,
    searcher: &Factory<G>,
    jobs: usize,
    see: impl FnMut(u64, Vec<Labelled<G>>) -> bool,
) {
    let work = |agent: &mut Box<dyn Agent<G>>, game| {
        let mut random = Random::new(Random::seed_for(labels.seed, &[game]));
        agent.begin(Random::new(0));
        let mut labeller = Labeller { labels, agent: &mut **agent };
        Some(if labels.lambda > 0.0 {
            labeller.along(&mut random)
        } else {
            labeller.one_by_one(&mut random)
        })
    };
    ordered(games, jobs, || searcher(), work, see);
}

/// Who plays and evaluates.
struct Labeller<'a, G> {
    labels: Labels,
    agent: &'a mut dyn Agent<G>,
}

/// Looking so many turns ahead.
fn turns(depth: u32) -> Budget {
    Budget { depth: Some(depth), ..Budget::default() }
}

impl<G: Learnable> Labeller<'_, G> {
    /// Some positions of a game, each evaluated by itself.
    fn one_by_one(&mut self, random: &mut Random) -> Vec<Labelled<G>> {
        let careless = *random.pick(&CARELESS);
        let mut labelled = vec![];
        let mut position = G::setup(random);
        while position.outcome().is_none() {
            if random.below(KEPT) == 0 {
                let value = self.value(&position);
                labelled.push(Labelled { position: position.clone(), value });
            }
            let mut rest = Some(draw(position.rolls().as_ref(), random));
            while let Some(roll) = rest {
                let turn = Turn { position: &position, roll };
                let mv = if random.below(100) < careless {
                    *random.pick(turn.moves().as_ref())
                } else {
                    self.agent.decide(turn, turns(1)).mv
                };
                rest = position.play(roll, mv);
            }
        }
        labelled
    }

    /// What the search finds of a position.
    fn value(&mut self, position: &G) -> f32 {
        before_roll(self.agent, position, turns(self.labels.depth)).unwrap_or(0.5)
    }

    fn decide(&mut self, turn: Turn<'_, G>) -> Decision<G::Move> {
        self.agent.decide(turn, turns(self.labels.depth))
    }

    /// What a position is taken to be worth before its roll.
    fn before(&mut self, position: &G, random: &mut Random) -> f32 {
        let rolls = self.labels.rolls;
        if rolls == 0 {
            return self.value(position);
        }
        let drawn = (0..rolls).map(|_| {
            let turn = Turn { position, roll: draw(position.rolls().as_ref(), random) };
            self.decide(turn).value.unwrap_or(0.5)
        });
        drawn.sum::<f32>() / rolls as f32
    }

    /// All positions of a game, evaluated along it.
    fn along(&mut self, random: &mut Random) -> Vec<Labelled<G>> {
        let careless = *random.pick(&CAREFUL);
        let mut labelled: Vec<Labelled<G>> = vec![];
        // What each roll promised; nothing where a move was made at random.
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
                    let decision = self.decide(turn);
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
