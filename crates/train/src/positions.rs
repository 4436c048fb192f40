//! Positions to learn from: from games of players of all strengths, each with
//! the value that a search finds.

use wurfel_arena::{Factory, ordered};
use wurfel_game::{Agent, Budget, Random, Turn, before_throw, draw};
use wurfel_games::Playable;

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
/// the work. The searches are those of `searcher`, an agent without bounds of its own. The
/// result depends on the seed alone.
pub fn label<G: Playable>(
    games: std::ops::Range<u64>,
    labels: Labels,
    searcher: &Factory<G>,
    jobs: usize,
    see: impl FnMut(u64, Vec<Labelled<G>>) -> bool,
) {
    let turns = |depth| Budget { depth: Some(depth), ..Budget::default() };
    let work = |agent: &mut Box<dyn Agent<G>>, game| {
        let mut random = Random::new(Random::seed_for(labels.seed, &[game]));
        agent.begin(Random::new(0));
        let careless = *random.pick(&CARELESS);
        let mut labelled = vec![];
        let mut position = G::setup(&mut random);
        while position.outcome().is_none() {
            if random.below(KEPT) == 0 {
                let value = before_throw(&mut **agent, &position, turns(labels.depth));
                let value = value.unwrap_or(0.5);
                labelled.push(Labelled { position: position.clone(), value });
            }
            let mut rest = Some(draw(position.rolls().as_ref(), &mut random));
            while let Some(roll) = rest {
                let turn = Turn { position: &position, roll };
                let mv = if random.below(100) < careless {
                    *random.pick(turn.moves().as_ref())
                } else {
                    agent.decide(turn, turns(1)).mv
                };
                rest = position.play(roll, mv);
            }
        }
        Some(labelled)
    };
    ordered(games, jobs, || searcher(), work, see);
}
