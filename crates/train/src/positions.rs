//! Makes labelled positions: positions from games of players of all strengths, each with the value
//! that a search finds.

use wurfel_agents::Factory;
use wurfel_arena::ordered;
use wurfel_core::{Agent, Budget, Decision, Random, Turn, Weighted, before_roll, draw};
use wurfel_games::Learnable;

/// A position with its label, the value that it is taken to have.
#[derive(Clone, PartialEq, Debug)]
pub struct Labelled<G> {
    /// The position at rest.
    pub position: G,
    /// The win probability of the side to move, before its roll.
    pub value: f32,
}

/// The settings by which positions are made and labelled.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Labels {
    /// Turns that the search looks ahead.
    pub depth: u32,
    /// The seed of all chance.
    pub seed: u64,
    /// With `lambda`, how many rolls are sampled for each value; 0 takes the mean over all rolls.
    /// In games with many rolls, a sample gives many more labels in the same time.
    pub rolls: u32,
    /// The λ of TD(λ), 0 to 1: the weight of later turns of the game in a value (R. S. Sutton,
    /// "Learning to predict by the methods of temporal differences", 1988). With 0 a value comes
    /// from the search alone. Otherwise every position of a game is labelled, and its value is
    /// corrected by `lambda` times the difference between the next position's own label and the
    /// value that the search expected after the roll. The luck of the dice cancels out in that
    /// difference. A random move says nothing about the position before it and causes no
    /// correction.
    pub lambda: f32,
    /// Whether only rolls that do not win at once are rolled, while every position is labelled with
    /// the exact chance of the rolls that do (`Learnable::quiet_rolls`). Where a lucky roll ends
    /// the game, labels are mostly luck without this.
    pub without_wins: bool,
}

/// The shares of moves, in per cent, that players make at random; each game has one of these
/// shares.
const CARELESS: [u32; 4] = [10, 25, 50, 100];
/// The shares of random moves when `lambda` is used, because random moves then interrupt the
/// labels.
const CAREFUL: [u32; 4] = [3, 10, 20, 50];
/// One position in this many is kept, because positions from the same game resemble each other.
const KEPT: u32 = 4;

/// Makes the labelled positions of `games`, which are numbers under the seed, on `jobs` threads,
/// and passes them to `see` game by game; if it returns false, the work ends. `searcher` evaluates
/// the positions and must have no bounds of its own. The result depends on the seed alone.
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
        Some(if labels.without_wins {
            labeller.without_wins(&mut random)
        } else if labels.lambda > 0.0 {
            labeller.along(&mut random)
        } else {
            labeller.one_by_one(&mut random)
        })
    };
    ordered(games, jobs, || searcher(), work, see);
}

/// Plays the games and labels their positions.
struct Labeller<'a, G> {
    labels: Labels,
    agent: &'a mut dyn Agent<G>,
}

/// A budget of `depth` turns.
fn turns(depth: u32) -> Budget<'static> {
    Budget { depth: Some(depth), ..Budget::default() }
}

impl<G: Learnable> Labeller<'_, G> {
    /// Some positions of a game, each labelled by a search of its own.
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

    /// The value that the search finds, for the side to move before its roll.
    fn value(&mut self, position: &G) -> f32 {
        before_roll(self.agent, position, turns(self.labels.depth)).unwrap_or(0.5)
    }

    fn decide(&mut self, turn: Turn<'_, G>) -> Decision<G::Move> {
        self.agent.decide(turn, turns(self.labels.depth))
    }

    /// The value of a position for the side to move, as the mean over all rolls or over a sample.
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

    /// All positions of a game, labelled by TD(λ).
    fn along(&mut self, random: &mut Random) -> Vec<Labelled<G>> {
        let careless = *random.pick(&CAREFUL);
        let mut labelled: Vec<Labelled<G>> = vec![];
        // The value that the search expected after each roll; `None` where the move was random.
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
            // The sum of estimates may lie outside 0 to 1.
            labelled.value = next.clamp(0.0, 1.0);
        }
        labelled
    }

    /// All positions of a game in which nobody rolls a roll that wins at once. The value of a
    /// position combines the chance of such a roll with the search's expectation after the roll
    /// that was made, corrected by λ times the difference that the next position makes. After each
    /// turn the game ends as often as a winning roll would have ended it, so that its positions are
    /// distributed as in games with all rolls.
    fn without_wins(&mut self, random: &mut Random) -> Vec<Labelled<G>> {
        let careless = *random.pick(&CAREFUL);
        let mut turns = vec![];
        let mut position = G::setup(random);
        let end = loop {
            if let Some(outcome) = position.outcome() {
                break outcome.value_for(position.side());
            }
            let quiet = position.quiet_rolls();
            let weigh = |rolls: &[Weighted<G::Roll>]| rolls.iter().map(|roll| roll.weight).sum();
            let [others, all]: [u32; 2] = [weigh(&quiet), weigh(position.rolls().as_ref())];
            let won = 1.0 - others as f32 / all as f32;
            if quiet.is_empty() {
                turns.push((position, won, 1.0, true));
                break 0.0;
            }
            let ends = random.below(all) >= others;
            let start = position.clone();
            let mut rest = Some(draw(&quiet, random));
            let (mut promise, mut at_random) = (None, false);
            while let Some(roll) = rest {
                let turn = Turn { position: &position, roll };
                let decision = self.decide(turn);
                promise = promise.or(decision.value);
                let strays = random.below(100) < careless;
                at_random |= strays;
                let mv = if strays { *random.pick(turn.moves().as_ref()) } else { decision.mv };
                rest = position.play(roll, mv);
            }
            // About the turns after the last one, nothing is known.
            turns.push((start, won, promise.unwrap_or(0.5), at_random || ends));
            if ends {
                break 0.0;
            }
        };
        let mut next = end;
        let mut labelled = vec![];
        for (position, won, promise, at_random) in turns.into_iter().rev() {
            let found = if at_random { 0.0 } else { 1.0 - next - promise };
            let later = promise + self.labels.lambda * found;
            next = (won + (1.0 - won) * later).clamp(0.0, 1.0);
            labelled.push(Labelled { position, value: next });
        }
        labelled.reverse();
        labelled
    }
}
