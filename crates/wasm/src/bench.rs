//! Whether searches give the same results here as everywhere, and how fast.

use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wurfel_agents::Spec;
use wurfel_arena::{BenchResult, Signatures};
use wurfel_core::Budget;

use crate::files::{agents_are_ready, spec_fault};
use crate::report::{Fault, fault, report};

/// A search, with the names that `wurfel bench --json` has.
#[derive(Serialize)]
struct Measured {
    game: &'static str,
    agent: &'static str,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    signature: String,
}

/// The searches of a game in its sample positions, each once: an array with `game`, `agent`,
/// `nodes`, `seconds`, `nodes_per_second` and `signature`.
///
/// # Errors
/// When there is no such game.
#[wasm_bindgen]
pub fn bench(game: &str) -> Result<JsValue, Fault> {
    let game = wurfel::game(game).map_err(fault)?;
    let measure = |agent: &'static str| {
        let spec: Spec = agent.parse().map_err(fault)?;
        let mut searches = game.agents_of(&spec).map_err(spec_fault)?.make();
        let searched = searches.search_samples(Budget::default()).map_err(fault)?;
        let BenchResult { nodes, signature, time } = searched;
        let (seconds, signature) = (time.as_secs_f64(), format!("{signature:016x}"));
        let nodes_per_second = nodes as f64 / seconds;
        Ok(Measured { game: game.name(), agent, nodes, seconds, nodes_per_second, signature })
    };
    let all: Result<Vec<_>, Fault> =
        game.facts().benches.iter().map(|agent| measure(agent)).collect();
    report(&all?)
}

/// The signatures of the searches of all games within a bound on their nodes: the text that the project has in
/// `crates/lab/signature.txt`.
///
/// # Errors
/// When a file is missing.
#[wasm_bindgen]
pub fn signatures() -> Result<String, Fault> {
    agents_are_ready()?;
    Ok(Signatures::of_this_program(None).map_err(fault)?.text)
}
