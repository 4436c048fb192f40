//! Analyses that search one turn deeper with each report.
//!
//! A worker of a page gets no messages while a function of the module runs. So an [`Analysis`] is made report
//! by report, and between two of them the worker can be told to stop; the time of each is bounded.
//! [`analyse`] does all of it in one call.

use std::time::Duration;

use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wurfel::{Agent, Position};
use wurfel_agents::{DEFAULT_AGENT, Spec};
use wurfel_arena::PositionReport;
use wurfel_core::{Budget, Instant, Random};

use crate::bounds::{Bounds, MAX_DEPTH, seconds};
use crate::files::spec_fault;
use crate::position;
use crate::report::{Fault, fault, options, report};

/// The time of an analysis for which neither that nor a depth is given: about that which a site takes.
const TIME: Duration = Duration::from_secs(4);

/// An analysis in progress.
#[wasm_bindgen]
pub struct Analysis {
    name: String,
    agent: Box<dyn Agent>,
    position: Position,
    /// The bounds of the whole analysis; the nodes are those of each report.
    budget: Budget<'static>,
    /// How long all reports have taken.
    spent: Duration,
    /// The search depth of the last report.
    depth: u32,
    is_done: bool,
}

#[wasm_bindgen]
impl Analysis {
    /// An analysis of a position with the agent of a spec, or the default one. `bounds` may have `depth` in
    /// turns, `nodes` in positions for each report, and `time` in seconds for all reports.
    ///
    /// # Errors
    /// When the spec or a bound is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(
        of: &position::Position,
        spec: Option<String>,
        bounds: JsValue,
    ) -> Result<Self, Fault> {
        let spec: Spec = spec.as_deref().unwrap_or(DEFAULT_AGENT).parse().map_err(fault)?;
        let given = options::<Bounds>(&bounds)?.budget()?;
        let time = given.time.or_else(|| given.depth.is_none().then_some(TIME));
        let (game, position) = of.known()?;
        let agents = game.agents_of(&spec).map_err(spec_fault)?;
        let name = spec.to_string();
        // As on a site: whoever names another agent wants that agent's own values.
        let agents = if name == DEFAULT_AGENT { agents.informed() } else { agents };
        let mut agent = agents.make();
        agent.begin(Random::new(0));
        Ok(Self {
            name,
            agent,
            position: position.clone(),
            budget: Budget { time, ..given },
            spent: Duration::ZERO,
            depth: 0,
            is_done: false,
        })
    }

    /// Whether a further report would add nothing, or the bounds are reached.
    #[wasm_bindgen(getter, js_name = isDone)]
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// The seconds that all reports have taken.
    #[wasm_bindgen(getter)]
    pub fn seconds(&self) -> f64 {
        self.spent.as_secs_f64()
    }

    /// The next report, one turn further than the last one. It takes at most `time` seconds, if that is
    /// given; where this is not enough to search deeper, the report is about as good as the last one, and
    /// the next one continues from there.
    ///
    /// # Errors
    /// When the game is over or the agent fails.
    pub fn next(&mut self, time: Option<f64>) -> Result<JsValue, Fault> {
        let latest = self.look(time.map(seconds).transpose()?)?;
        report(&latest)
    }
}

impl Analysis {
    fn look(&mut self, time: Option<Duration>) -> Result<PositionReport, Fault> {
        let left = self.budget.time.map(|all| all.saturating_sub(self.spent));
        let time = time.into_iter().chain(left).min();
        let depth = self.depth + 1;
        let budget = Budget { depth: Some(depth), time, ..self.budget };
        let began = Instant::now();
        let latest = self.agent.analyse(&self.name, &self.position, budget).map_err(fault)?;
        let took = began.elapsed();
        self.spent += took;
        let was_cut = latest.depth < depth && budget.may_have_cut(took);
        self.depth = self.depth.max(latest.depth);
        let most = self.budget.depth.unwrap_or(MAX_DEPTH);
        let is_late = self
            .budget
            .time
            .is_some_and(|all| self.spent >= all / 2 && was_cut || self.spent >= all);
        let ends = latest.depth < depth && !was_cut;
        self.is_done = ends || is_late || self.depth >= most || latest.is_final();
        Ok(latest)
    }
}

/// Analyses a position and passes each report to `see`, until it returns `false`; returns the last one.
/// The other arguments are those of an `Analysis`.
///
/// # Errors
/// As for an `Analysis`, and what `see` throws.
#[wasm_bindgen]
pub fn analyse(
    of: &position::Position,
    spec: Option<String>,
    bounds: JsValue,
    see: Option<Function>,
) -> Result<JsValue, Fault> {
    let mut analysis = Analysis::new(of, spec, bounds)?;
    loop {
        let latest = analysis.next(None)?;
        let goes_on = match &see {
            Some(see) => see.call1(&JsValue::NULL, &latest)? != JsValue::FALSE,
            None => true,
        };
        if analysis.is_done || !goes_on {
            return Ok(latest);
        }
    }
}
