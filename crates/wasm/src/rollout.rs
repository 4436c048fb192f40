//! Rollouts of the best moves of a turn, in slices, between which a worker of a page can be told to
//! stop.

use std::time::Duration;

use serde::Deserialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wurfel::{Agents, Position, RolloutSettings};
use wurfel_agents::{DEFAULT_AGENT, Spec};
use wurfel_arena::{ComparisonResult, DEFAULT_ERROR_RATE, StoppingRule};
use wurfel_core::{Budget, Instant};

use crate::bounds::{Bounds, seconds};
use crate::files::{luck_is_ready, spec_fault};
use crate::position;
use crate::report::{Fault, fault, options, report};

/// The options of a rollout.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "options, such as {moves: 3, games: 1000}")]
struct Options {
    /// The number of compared moves, the best ones according to the agent.
    moves: usize,
    /// The number of games from each of them.
    games: u64,
    /// After how many turns a game ends with the agent's value of the position.
    truncate: Option<u32>,
    seed: u32,
    /// The budget of the agent for a move (default: one turn ahead).
    bounds: Bounds,
}

impl Default for Options {
    fn default() -> Self {
        Self { moves: 3, games: 1000, truncate: None, seed: 1, bounds: Bounds::default() }
    }
}

/// A rollout in progress.
#[wasm_bindgen]
pub struct Rollout {
    position: Position,
    spec: Spec,
    agents: Agents,
    settings: RolloutSettings<'static>,
    enough: StoppingRule,
    command: String,
    /// The moves or whole turns that are compared.
    moves: Vec<String>,
    results: ComparisonResult,
    spent: Duration,
    is_done: bool,
}

#[wasm_bindgen]
impl Rollout {
    /// A rollout of the best moves of a position with a roll, in which the agent of a spec, or the default
    /// one, plays both sides. The options are `moves`, `games`, `truncate`, `seed` and `bounds`.
    ///
    /// # Errors
    /// When an option is wrong, there is no choice in the position, or the agent cannot play it out.
    #[wasm_bindgen(constructor)]
    pub fn new(
        of: &position::Position,
        spec: Option<String>,
        given: JsValue,
    ) -> Result<Self, Fault> {
        let spec: Spec = spec.as_deref().unwrap_or(DEFAULT_AGENT).parse().map_err(fault)?;
        let Options { moves, games, truncate: turns, seed, bounds } = options(&given)?;
        for (name, number, most) in [
            ("moves", moves as u64, 1000),
            ("games", games, 1 << 40),
            ("truncate", turns.map_or(1, u64::from), 1000),
        ] {
            if !(1..=most).contains(&number) {
                return Err(fault(format!("{name}={number}: expected a number from 1 to {most}")));
            }
        }
        let one_turn = Budget { depth: Some(1), ..Budget::default() };
        let budget = bounds.budget()?.or(one_turn);
        let settings = RolloutSettings { budget, luck: true, turns, seed: u64::from(seed) };
        let (game, position) = of.known()?;
        let agents = game.agents_of(&spec).map_err(spec_fault)?;
        luck_is_ready(game)?;
        let rollout = agents.rollout(position, settings).map_err(fault)?;
        if !rollout.can_end() {
            let expected = "expected an agent that does";
            return Err(fault(format!("truncate: '{spec}' gives no values: {expected}")));
        }
        let best = rollout.best_moves(moves, DEFAULT_ERROR_RATE).map_err(fault)?;
        let command = rollout.terms(&spec).command(moves, games);
        let (moves, results) = (best.names(), best.empty_result());
        drop(best);
        drop(rollout);
        let enough = StoppingRule { games: Some(games), error: None };
        let (position, spent) = (position.clone(), Duration::ZERO);
        let is_done = false;
        Ok(Self {
            position,
            spec,
            agents,
            settings,
            enough,
            command,
            moves,
            results,
            spent,
            is_done,
        })
    }

    /// The command that gives the same result in a terminal.
    #[wasm_bindgen(getter)]
    pub fn command(&self) -> String {
        self.command.clone()
    }

    /// Whether all games are played or one move is left.
    #[wasm_bindgen(getter, js_name = isDone)]
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Plays games for about `time` seconds, if that is given, and reports all results so far. Each
    /// time at least one more game of each move is played.
    ///
    /// # Errors
    /// When the time is none.
    pub fn next(&mut self, time: Option<f64>) -> Result<JsValue, Fault> {
        let time = time.map(seconds).transpose()?;
        let began = Instant::now();
        let rollout = self.agents.rollout(&self.position, self.settings).map_err(fault)?;
        let moves = rollout.moves(&self.moves, DEFAULT_ERROR_RATE);
        let moves = moves.ok_or_else(|| fault(self.position.refused("one with these moves")))?;
        let goes_on = &mut |_: &ComparisonResult| time.is_none_or(|time| began.elapsed() < time);
        self.results = moves.resume(self.results.clone(), 1, self.enough, goes_on);
        self.is_done = moves.is_over(&self.results, self.enough);
        self.spent += began.elapsed();
        report(&moves.report(&self.results, &self.spec, self.is_done, self.spent))
    }
}
