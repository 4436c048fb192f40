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
        about: "captures what it can, a king first, else goes to the best square",
        options: &[],
    },
    AgentInfo {
        name: "basic",
        about: "greedy as in its paper, without preference for capturing a king",
        options: &[],
    },
    AgentInfo { name: "random", about: "every legal move equally likely", options: &[] },
];

pub(super) fn build<G: Learnable + Endgame>(spec: &Spec) -> Factory<G> {
    // The generator is only a placeholder; each game replaces it when it begins.
    let random = || Random::new(0);
    match spec.name.as_str() {
        "greedy" => Arc::new(move || Box::new(Greedy::new(G::Basic::default(), random()))),
        "basic" => Arc::new(move || Box::new(Greedy::new(G::published_basic(), random()))),
        _ => Arc::new(move || Box::new(RandomPlayer::new(random()))),
    }
}
