//! Reviews of games that were played: what each move lost, and how lucky each roll was.

use js_sys::{Array, Function};
use serde::Deserialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wurfel::{ReviewSettings, default_game};
use wurfel_agents::{DEFAULT_AGENT, Spec};
use wurfel_arena::game_of;
use wurfel_core::Budget;

use crate::bounds::Bounds;
use crate::files::{luck_is_ready, spec_fault};
use crate::report::{Fault, fault, options, report};

/// How games are reviewed.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "options, such as {agent: 'champion'}")]
struct Options {
    /// The name of the game (default: the one in the text).
    game: Option<String>,
    /// The spec of the analyser.
    agent: Option<String>,
    /// The budget of the analyser for a position.
    bounds: Bounds,
    /// Whether all values are the analyser's, also those of endings that can be solved.
    inexact: bool,
}

/// Reviews the games of a text, in any form that the program reads: an array with a report for each. The
/// options are `game`, `agent`, `bounds` and `inexact`. `see` gets each report, and ends the work if it returns
/// `false`.
///
/// # Errors
/// When an option is wrong, the text has no games, the analyser fails, or `see` throws.
#[wasm_bindgen]
pub fn review(text: &str, given: JsValue, see: Option<Function>) -> Result<Array, Fault> {
    let Options { game, agent, bounds, inexact } = options(&given)?;
    let named = game_of(text).map_err(fault)?.or(game);
    let game =
        named.map_or_else(|| Ok(default_game()), |name| wurfel::game(&name)).map_err(fault)?;
    let spec: Spec = agent.as_deref().unwrap_or(DEFAULT_AGENT).parse().map_err(fault)?;
    let default = Budget { depth: Some(game.review_depth()), ..Budget::default() };
    let budget = bounds.budget()?.or(default);
    let games = game.read_games(text).map_err(fault)?;
    let agents = game.agents_of(&spec).map_err(spec_fault)?;
    luck_is_ready(game)?;
    let settings = ReviewSettings { analyser: &agents, exact: !inexact, budget, again: None };
    let (reports, mut failed) = (Array::new(), None);
    let reviewed = games.review(settings, 1, &mut |_| {}, &mut |review| {
        let seen = report(&review).and_then(|review| {
            reports.push(&review);
            see.as_ref().map_or(Ok(JsValue::TRUE), |see| see.call1(&JsValue::NULL, &review))
        });
        seen.map_or_else(|error| failed.replace(error).is_some(), |seen| seen != JsValue::FALSE)
    });
    match failed {
        Some(error) => Err(error),
        None => reviewed.map(|()| reports).map_err(fault),
    }
}
