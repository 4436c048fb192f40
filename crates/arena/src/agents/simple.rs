//! Agents without search.

use std::sync::Arc;
use wurfel_games::Learnable;

use wurfel_core::{Endgame, Random};
use wurfel_search::{Greedy, RandomPlayer};

use super::{AgentInfo, Factory};
use crate::Spec;

pub(super) const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "greedy",
        about: "takes what it can, a king first, else goes to the best square",
        options: &[],
    },
    AgentInfo {
        name: "basic",
        about: "greedy as its paper has it, which takes a king no sooner than any other piece",
        options: &[],
    },
    AgentInfo { name: "random", about: "every legal move equally likely", options: &[] },
];

/// What builds the agents of a spec whose names are known.
pub(super) fn build<G: Learnable + Endgame>(spec: &Spec) -> Factory<G> {
    // Until a game begins and brings its own stream.
    let random = || Random::new(0);
    match spec.name.as_str() {
        "greedy" => Arc::new(move || Box::new(Greedy::new(G::Basic::default(), random()))),
        "basic" => Arc::new(move || Box::new(Greedy::new(G::published_basic(), random()))),
        _ => Arc::new(move || Box::new(RandomPlayer::new(random()))),
    }
}
