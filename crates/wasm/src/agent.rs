//! Agents that are built from a spec.

use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wurfel_agents::Spec;
use wurfel_core::{Decision, Random};

use crate::bounds::Bounds;
use crate::files::spec_fault;
use crate::position::Position;
use crate::report::{Fault, fault, options, report, seed};

/// An agent that a spec such as `champion:depth=3` describes.
#[wasm_bindgen]
pub struct Agent {
    spec: Spec,
    agent: Box<dyn wurfel::Agent>,
}

/// A move that an agent has chosen.
#[derive(Serialize)]
struct Chosen {
    r#move: String,
    /// The expected result for the side that decides, 0 to 1.
    value: Option<f32>,
    exact: bool,
    nodes: u64,
    depth: u32,
}

#[wasm_bindgen]
impl Agent {
    /// The agent of a spec. With the same seed it makes the same decisions.
    ///
    /// # Errors
    /// When the spec, the name of the game or the seed is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(spec: &str, game: &str, with: f64) -> Result<Self, Fault> {
        let spec: Spec = spec.parse().map_err(fault)?;
        let game = wurfel::game(game).map_err(fault)?;
        let mut agent = game.agents_of(&spec).map_err(spec_fault)?.make();
        agent.begin(Random::new(seed(with)?));
        Ok(Self { spec, agent })
    }

    /// The spec that describes the agent.
    #[wasm_bindgen(getter)]
    pub fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// Begins a new game: the agent forgets the previous one.
    ///
    /// # Errors
    /// When the seed is none.
    pub fn begin(&mut self, with: f64) -> Result<(), Fault> {
        self.agent.begin(Random::new(seed(with)?));
        Ok(())
    }

    /// Evaluates every move of a position or, before the roll, every move of every roll, as a report.
    ///
    /// # Errors
    /// When the game is over, a bound is wrong, or the agent fails.
    pub fn analyse(&mut self, position: &Position, bounds: JsValue) -> Result<JsValue, Fault> {
        let budget = options::<Bounds>(&bounds)?.budget()?;
        let analysis = self.agent.analyse(&self.spec.to_string(), position.known()?.1, budget);
        report(&analysis.map_err(fault)?)
    }

    /// Chooses a move for a position that has a roll: an object with `move`, `value`, `exact`, `nodes` and
    /// `depth`. `bounds` may have `depth` in turns, `nodes` in positions and `time` in seconds.
    ///
    /// # Errors
    /// When there is nothing to decide, a bound is wrong, or the agent fails.
    pub fn decide(&mut self, position: &Position, bounds: JsValue) -> Result<JsValue, Fault> {
        let budget = options::<Bounds>(&bounds)?.budget()?;
        let decided = self.agent.decide(position.known()?.1, budget).map_err(fault)?;
        let Decision { mv, value, exact, nodes, depth } = decided;
        report(&Chosen { r#move: mv, value, exact, nodes, depth })
    }
}
