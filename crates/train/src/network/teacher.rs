//! Games that another agent plays and judges: what a network can begin with.

use wurfel_game::{Agent, Budget, Game, Random, Turn, draw};
use wurfel_games::Playable;

use super::config::Teacher;
use super::games::Sample;

/// What an agent finds of a turn.
struct Judged<G: Game> {
    sample: Sample<G>,
    /// Whether the agent estimates at all, and whether it is certain.
    estimated: bool,
    exact: bool,
    best: G::Move,
}

impl<G: Playable> Judged<G> {
    fn new(agent: &mut dyn Agent<G>, position: G, roll: G::Roll, softness: f32) -> Self {
        let turn = Turn { position: &position, roll };
        let analysis = agent.analyse(turn, Budget::default());
        let best = analysis.moves[0];
        let weight = |mv: &G::Move| {
            let value = analysis.moves.iter().find(|judged| judged.mv == *mv)?.value?;
            Some(((value - best.value?) / softness).exp())
        };
        let alone = |mv: &G::Move| f32::from(u8::from(*mv == best.mv));
        let moves = turn.moves();
        let weights: Vec<f32> =
            moves.as_ref().iter().map(|mv| weight(mv).unwrap_or(alone(mv))).collect();
        let sum: f32 = weights.iter().sum();
        let policy = weights.into_iter().map(|weight| weight / sum).collect();
        let value = best.value.unwrap_or(0.5);
        Self {
            sample: Sample { position, roll, policy, value },
            estimated: best.value.is_some(),
            exact: best.exact,
            best: best.mv,
        }
    }
}

/// The samples of a game that the agent plays against itself. It makes some moves at random,
/// each game another share of them, so that both sides see bad positions, too.
pub fn taught_game<G: Playable>(
    agent: &mut dyn Agent<G>,
    rules: &Teacher,
    seed: u64,
    number: u64,
) -> Vec<Sample<G>> {
    let mut random = Random::new(Random::seed_for(seed, &[number]));
    agent.begin(Random::new(random.bits()));
    let careless = f64::from(rules.careless) * random.unit();
    let mut position = G::setup(&mut random);
    let (mut rest, mut all) = (None, vec![]);
    while position.outcome().is_none() {
        let roll = rest.unwrap_or_else(|| draw(position.rolls().as_ref(), &mut random));
        let judged = Judged::new(agent, position.clone(), roll, rules.softness);
        let moves = position.moves(roll);
        let mv = if random.unit() < careless { *random.pick(moves.as_ref()) } else { judged.best };
        rest = position.play(roll, mv);
        all.push(judged);
    }
    let mix = |Judged { mut sample, estimated, exact, .. }: Judged<G>| {
        if let Some(outcome) = position.outcome().filter(|_| !exact) {
            let share = if estimated { rules.outcome_share } else { 1.0 };
            sample.value += share * (outcome.value_for(sample.position.side()) - sample.value);
        }
        sample
    };
    all.into_iter().map(mix).collect()
}

/// A turn with up to `scattered_men` men, scattered at random; `None` when this draw gave none.
pub fn taught_turn<G: Playable>(
    agent: &mut dyn Agent<G>,
    rules: &Teacher,
    seed: u64,
    number: u64,
) -> Option<Sample<G>> {
    let mut random = Random::new(Random::seed_for(seed, &[number]));
    let men = 2 + random.below(rules.scattered_men.saturating_sub(1));
    let position = G::scattered(men, &mut random)?;
    let roll = draw(position.rolls().as_ref(), &mut random);
    agent.begin(Random::new(random.bits()));
    Some(Judged::new(agent, position, roll, rules.softness).sample)
}
