//! The random streams of a match: what its seed decides of each pair.

use wurfel_core::{BySide, FairDice, Random};
use wurfel_games::Playable;
use wurfel_statistics::Sides;

use crate::play::chosen::ChosenSetUps;

/// The purposes of the random streams under a match's seed.
#[derive(Clone, Copy)]
pub(super) enum Stream {
    SetUps = 1,
    Dice = 2,
    Agents = 3,
    Choices = 4,
    Lots = 5,
}

/// The seed of one of a pair's random streams.
pub(super) fn stream_of(seed: u64, stream: Stream, pair: u64) -> u64 {
    Random::seed_for(seed, &[stream as u64, pair])
}

/// The position in which the games of a pair begin, in a match by these rules with this seed. An agent
/// without a chosen set-up gets the one that would be drawn if all were drawn.
pub(crate) fn start_of<G: Playable>(
    rules: &G,
    seed: u64,
    pair: u64,
    sides: Sides,
    chosen: Option<&[ChosenSetUps<G>; 2]>,
) -> G {
    let random = &mut Random::new(stream_of(seed, Stream::SetUps, pair));
    let Some(chosen) = chosen else { return rules.setup(random) };
    let random_setups = BySide::from_fn(|_| *random.pick(G::setups()));
    rules.start(BySide::from_fn(|side| {
        chosen[sides.agent(side)][side].unwrap_or(random_setups[side])
    }))
}

/// The dice of both games of a pair, in a match with this seed.
pub(crate) fn dice_of(seed: u64, pair: u64) -> FairDice {
    FairDice::new(stream_of(seed, Stream::Dice, pair))
}

/// The seed of the random numbers by which tables may end a game.
pub(crate) fn lots_of(seed: u64, pair: u64, game: u8) -> u64 {
    Random::seed_for(stream_of(seed, Stream::Lots, pair), &[u64::from(game)])
}
