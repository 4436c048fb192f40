//! Makes labelled positions: positions from games of players of all strengths, each with the value
//! that a search finds.

use wurfel_agents::{Catalogued, Factory, Spec, SpecError, agents, best_search, build};
use wurfel_arena::run_in_order;
use wurfel_core::{Agent, Assessment, Budget, Decision, Random, Turn, Weighted, before_roll, draw};
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
    /// In games with many rolls, a sample gives many more labels in the same time. With
    /// `without_wins` a value is the mean over this many rolls that do not win at once, at least 1.
    pub rolls: u32,
    /// With `without_wins`, whether a value is the mean over all rolls instead of a sample. Such a
    /// value has no luck in it.
    pub all_rolls: bool,
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
    /// With `without_wins`, how many more positions are labelled for each turn of a game: ends of
    /// the turn that look good, but are not those that the game goes on from. They teach the
    /// differences that a search has to see.
    pub alternatives: u32,
}

impl Labels {
    /// Labels that come from a search of `depth` turns alone, over all rolls.
    pub const fn new(depth: u32, seed: u64) -> Self {
        Self {
            depth,
            seed,
            rolls: 0,
            all_rolls: false,
            lambda: 0.0,
            without_wins: false,
            alternatives: 0,
        }
    }
}

/// The shares of moves, in per cent, that players make at random; each game has one of these
/// shares.
const CARELESS: [u32; 4] = [10, 25, 50, 100];
/// The shares of random moves when `lambda` is used, because random moves then interrupt the
/// labels.
pub(crate) const CAREFUL: [u32; 4] = [3, 10, 20, 50];
/// Alternatives are drawn from the moves that look at most this much worse than the best one, in
/// win probability.
const GOOD: f32 = 0.08;
/// One position in this many is kept, because positions from the same game resemble each other.
const KEPT: u32 = 4;

/// The memory of each search's transposition table, in megabytes.
const MEGABYTES: &str = "4";

/// The search that labels positions: the game's best one, with an evaluation given as the name and
/// the value of an option.
///
/// # Errors
/// When the game has no such evaluation, or its file cannot be read.
pub fn searcher<G: Catalogued>(
    rules: &G,
    evaluation: (&str, &str),
) -> Result<Factory<G>, SpecError> {
    let name = best_search::<G>();
    let mut options = vec![evaluation];
    let known = agents().find(|agent| agent.name == name).map_or(&[][..], |agent| agent.options);
    if known.iter().any(|option| option.name == "hash") {
        options.push(("hash", MEGABYTES));
    }
    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let options = options.into_iter().map(owned).collect();
    build(rules, &Spec { name: name.to_owned(), options })
}

/// Makes the labelled positions of `games` by these rules, which are numbers under the seed, on `jobs` threads,
/// and passes them to `see` game by game; if it returns false, the work ends. `searcher` evaluates
/// the positions and must have no bounds of its own. The result depends on the seed alone.
pub fn label<G: Learnable>(
    rules: &G,
    games: std::ops::Range<u64>,
    labels: Labels,
    searcher: &Factory<G>,
    jobs: usize,
    see: impl FnMut(u64, Vec<Labelled<G>>) -> bool,
) {
    let work = |agent: &mut Box<dyn Agent<G>>, game| {
        let mut random = Random::new(Random::seed_for(labels.seed, &[game]));
        agent.begin(Random::new(0));
        let mut labeller = Labeller { rules, labels, agent: &mut **agent };
        Some(if labels.without_wins {
            labeller.without_wins(&mut random)
        } else if labels.lambda > 0.0 {
            labeller.along(&mut random)
        } else {
            labeller.one_by_one(&mut random)
        })
    };
    run_in_order(games, jobs, || searcher(), work, see);
}

/// Plays the games and labels their positions.
struct Labeller<'a, G> {
    rules: &'a G,
    labels: Labels,
    agent: &'a mut dyn Agent<G>,
}

fn turns(depth: u32) -> Budget<'static> {
    Budget { depth: Some(depth), ..Budget::default() }
}

/// Plays a turn with a roll: `careless` per cent of its moves at random, and otherwise those that the
/// agent finds one turn deep.
pub(crate) fn play_turn<G: Learnable>(
    agent: &mut dyn Agent<G>,
    position: &mut G,
    roll: G::Roll,
    careless: u32,
    random: &mut Random,
) {
    let mut rest = Some(roll);
    while let Some(roll) = rest {
        let turn = Turn { position, roll };
        let mv = if random.below(100) < careless {
            *random.pick(turn.moves().as_ref())
        } else {
            agent.decide(turn, turns(1)).mv
        };
        rest = position.play(roll, mv);
    }
}

impl<G: Learnable> Labeller<'_, G> {
    /// Some positions of a game, each labelled by a search of its own.
    fn one_by_one(&mut self, random: &mut Random) -> Vec<Labelled<G>> {
        let careless = *random.pick(&CARELESS);
        let mut labelled = vec![];
        let mut position = self.rules.setup(random);
        while position.outcome().is_none() {
            if random.below(KEPT) == 0 {
                let value = self.value(&position);
                labelled.push(Labelled { position: position.clone(), value });
            }
            let roll = draw(position.rolls().as_ref(), random);
            play_turn(self.agent, &mut position, roll, careless, random);
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
        self.promises(position, position.rolls().as_ref(), rolls, random) / rolls as f32
    }

    /// All positions of a game, labelled by TD(λ).
    fn along(&mut self, random: &mut Random) -> Vec<Labelled<G>> {
        let careless = *random.pick(&CAREFUL);
        let mut labelled: Vec<Labelled<G>> = vec![];
        // The value that the search expected after each roll; `None` where the move was random.
        let mut promises = vec![];
        let mut position = self.rules.setup(random);
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
            let correction_now = promise.map_or(0.0, |promise| 1.0 - next - promise);
            next = labelled.value + self.labels.lambda * correction_now;
            // The sum of estimates may lie outside 0 to 1.
            labelled.value = next.clamp(0.0, 1.0);
        }
        labelled
    }

    /// All positions of a game in which nobody rolls a roll that wins at once, then the
    /// alternatives to its turns. The value of a position combines the chance of such a roll with
    /// the search's expectation after the roll that was made (and after others, if several are
    /// sampled), corrected by λ times the difference that the next position makes. After each turn
    /// the game ends as often as a winning roll would have ended it, so that its positions are
    /// distributed as in games with all rolls.
    fn without_wins(&mut self, random: &mut Random) -> Vec<Labelled<G>> {
        let careless = *random.pick(&CAREFUL);
        let mut taken = vec![];
        let mut alternatives = vec![];
        let mut position = self.rules.setup(random);
        let end = loop {
            if let Some(outcome) = position.outcome() {
                break outcome.value_for(position.side());
            }
            let quiet = Quiet::of(&position);
            let won = quiet.won();
            if quiet.rolls.is_empty() {
                taken.push(Taken { position, won, expected: 1.0, correction: None });
                break 0.0;
            }
            let ends = random.below(quiet.all) >= quiet.weight;
            let start = position.clone();
            let first = draw(&quiet.rolls, random);
            let mut rest = Some(first);
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
            let promise = promise.unwrap_or(0.5);
            let turn = Turn { position: &start, roll: first };
            alternatives.extend(self.alternatives(turn, &position, random));
            let expected = self.expected(&start, &quiet, Some(promise), random);
            // Nothing is known about the turns after the last one.
            let correction = (!at_random && !ends).then_some(promise);
            taken.push(Taken { position: start, won, expected, correction });
            if ends {
                break 0.0;
            }
        };
        let mut next = end;
        let mut labelled = vec![];
        for Taken { position, won, expected, correction } in taken.into_iter().rev() {
            let correction_now = correction.map_or(0.0, |promise| 1.0 - next - promise);
            let later = expected + self.labels.lambda * correction_now;
            next = (won + (1.0 - won) * later).clamp(0.0, 1.0);
            labelled.push(Labelled { position, value: next });
        }
        labelled.reverse();
        labelled.append(&mut alternatives);
        labelled
    }

    /// The value that the search expects after the rolls that do not win at once, as a mean over all
    /// of them or over a sample, to which `first` belongs if a roll has been searched already.
    fn expected(
        &mut self,
        position: &G,
        quiet: &Quiet<G>,
        first: Option<f32>,
        random: &mut Random,
    ) -> f32 {
        if self.labels.all_rolls {
            let won = quiet.won();
            return (self.value(position) - won) / (1.0 - won);
        }
        let count = self.labels.rolls.max(1);
        let more = count - u32::from(first.is_some());
        let sum = first.unwrap_or(0.0) + self.promises(position, &quiet.rolls, more, random);
        sum / count as f32
    }

    /// The sum of the values that the search expects after some of these rolls, drawn at random.
    fn promises(
        &mut self,
        position: &G,
        rolls: &[Weighted<G::Roll>],
        count: u32,
        random: &mut Random,
    ) -> f32 {
        let samples = (0..count).map(|_| {
            let turn = Turn { position, roll: draw(rolls, random) };
            self.decide(turn).value.unwrap_or(0.5)
        });
        samples.sum()
    }

    /// Some ends of a turn that look good, other than `chosen`, with their values.
    fn alternatives(
        &mut self,
        turn: Turn<'_, G>,
        chosen: &G,
        random: &mut Random,
    ) -> Vec<Labelled<G>> {
        let wanted = self.labels.alternatives as usize;
        if wanted == 0 {
            return vec![];
        }
        let mut moves = self.agent.analyse(turn, turns(1)).moves;
        let best = moves.first().and_then(|best| best.value).unwrap_or(0.0);
        moves.retain(|other| other.value.is_some_and(|value| value >= best - GOOD));
        random.shuffle(&mut moves);
        let mut labelled: Vec<Labelled<G>> = vec![];
        for Assessment { mv, .. } in moves {
            if labelled.len() == wanted {
                break;
            }
            let mut position = turn.position.clone();
            let mut rest = position.play(turn.roll, mv);
            while let Some(roll) = rest {
                let decision = self.agent.decide(Turn { position: &position, roll }, turns(1));
                rest = position.play(roll, decision.mv);
            }
            let known = labelled.iter().any(|other| other.position == position);
            if position == *chosen || known || position.outcome().is_some() {
                continue;
            }
            let quiet = Quiet::of(&position);
            let won = quiet.won();
            let value = if quiet.rolls.is_empty() {
                1.0
            } else {
                won + (1.0 - won) * self.expected(&position, &quiet, None, random)
            };
            labelled.push(Labelled { position, value });
        }
        labelled
    }
}

/// A turn of a game without rolls that win at once.
struct Taken<G> {
    position: G,
    /// The chance that a roll wins at once.
    won: f32,
    /// The value that the search expects after the other rolls, as far as they were sampled.
    expected: f32,
    /// The value that it expected after the roll that was made; `None` where the next position says
    /// nothing about this one.
    correction: Option<f32>,
}

/// The rolls that do not win at once.
struct Quiet<G: Learnable> {
    rolls: Vec<Weighted<G::Roll>>,
    /// Their weight, and that of all rolls.
    weight: u32,
    all: u32,
}

impl<G: Learnable> Quiet<G> {
    fn of(position: &G) -> Self {
        let rolls = position.quiet_rolls();
        let weigh = |rolls: &[Weighted<G::Roll>]| rolls.iter().map(|roll| roll.weight).sum();
        let [weight, all]: [u32; 2] = [weigh(&rolls), weigh(position.rolls().as_ref())];
        Self { rolls, weight, all }
    }

    /// The chance that a roll wins at once.
    fn won(&self) -> f32 {
        1.0 - self.weight as f32 / self.all as f32
    }
}
