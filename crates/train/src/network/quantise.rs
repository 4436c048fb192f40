//! Measures the scales that a network needs for inference in eight bits, on games that its policy
//! plays against itself, and compares inference in eight bits with floating point on further games.

use wurfel_core::{Agent, Budget, Network, Predictions, Random, Situation, Turn, draw};
use wurfel_games::Learnable;
use wurfel_net::{EncodedNetwork, Model, NetError};
use wurfel_search::puct::Policy;

/// On how many positions the scales are measured. Other numbers were not tried.
const POSITIONS: usize = 500;
/// On how many positions both kinds of inference are compared: enough to estimate the difference
/// that 99 % of the values stay within.
const COMPARED: usize = 2_000;

/// Labels of the streams of random numbers under the seed.
const MEASURED: u64 = 0;
const FURTHER: u64 = 1;

/// The differences between inference in eight bits and in floating point, on positions of a
/// network's own games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Agreement {
    /// The number of positions.
    pub positions: usize,
    /// The mean difference of values, as a share of a win.
    pub mean: f32,
    /// The difference that 99 % of the values stay within.
    pub most: f32,
    /// The share of turns in which the same move has the largest prior.
    pub same_move: f32,
}

/// Measures the scales of a network on its own games by these rules, which depend on the seed alone.
///
/// # Errors
/// When the network does not belong to this game.
pub fn quantise<G: Learnable>(rules: &G, model: &mut Model, seed: u64) -> Result<(), NetError> {
    let situations = own_positions(rules, model, Random::seed_for(seed, &[MEASURED]), POSITIONS)?;
    let encode = G::ENCODINGS.iter().find(|encode| encode.name() == model.encoding());
    let encode = encode.ok_or_else(|| NetError::Unsupported(model.encoding().to_owned()))?;
    let size = encode.planes() * encode.board() * encode.board();
    let mut planes = vec![0.0; situations.len() * size];
    for (situation, planes) in situations.iter().zip(planes.chunks_exact_mut(size)) {
        encode.write(situation, planes);
    }
    model.quantise(&planes);
    Ok(())
}

/// Compares both kinds of inference on games other than those on which the scales were measured.
///
/// # Errors
/// When the network does not belong to this game, or has no scales.
pub fn agreement<G: Learnable>(rules: &G, model: &Model, seed: u64) -> Result<Agreement, NetError> {
    let situations = own_positions(rules, model, Random::seed_for(seed, &[FURTHER]), COMPARED)?;
    let mut networks = [
        EncodedNetwork::<G>::new(model, G::ENCODINGS)?,
        EncodedNetwork::in_int8(model, G::ENCODINGS)?,
    ];
    let [exact, quantised] = [0, 1].map(|number| {
        let network: &mut EncodedNetwork<G> = &mut networks[number];
        let mut predictions = Predictions::default();
        network.infer(&situations, &mut predictions);
        predictions
    });
    let (mut apart, mut turns, mut same) = (vec![], 0, 0);
    for (exact, quantised) in exact.iter().zip(quantised.iter()) {
        apart.push((exact.value - quantised.value).abs());
        if !exact.prior.is_empty() {
            turns += 1;
            same += u32::from(largest(exact.prior) == largest(quantised.prior));
        }
    }
    apart.sort_by(f32::total_cmp);
    Ok(Agreement {
        positions: apart.len(),
        mean: apart.iter().sum::<f32>() / apart.len() as f32,
        most: apart[apart.len() * 99 / 100],
        same_move: same as f32 / turns.max(1) as f32,
    })
}

fn largest(prior: &[f32]) -> Option<usize> {
    (0..prior.len()).max_by(|&a, &b| prior[a].total_cmp(&prior[b]))
}

/// Turns of games in which both sides draw their moves from the network's policy, and, if the
/// network evaluates them, the positions between these turns; at least `count` in all.
fn own_positions<G: Learnable>(
    rules: &G,
    model: &Model,
    seed: u64,
    count: usize,
) -> Result<Vec<Situation<G>>, NetError> {
    let network: EncodedNetwork<G> = EncodedNetwork::new(model, G::ENCODINGS)?;
    let evaluates_at_rest = network.evaluates_at_rest();
    let mut player = Policy::new(network, 1.0);
    let mut random = Random::new(seed);
    Agent::<G>::begin(&mut player, Random::new(random.bits()));
    let mut situations = vec![];
    while situations.len() < count {
        let mut position = rules.setup(&mut random);
        let mut rest = None;
        while position.outcome().is_none() && situations.len() < count {
            let roll = rest.unwrap_or_else(|| draw(position.rolls().as_ref(), &mut random));
            let turn = Turn { position: &position, roll };
            let mv = player.decide(turn, Budget::default()).mv;
            situations.push(turn.situation());
            rest = position.play(roll, mv);
            if evaluates_at_rest && rest.is_none() && position.outcome().is_none() {
                situations.push(Situation { position: position.clone(), roll: None });
            }
        }
    }
    // The last turn may have added two.
    situations.truncate(count);
    Ok(situations)
}
