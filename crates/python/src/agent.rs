//! Agents that are built from a spec, as Python objects that decide.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use wurfel::NoAnswer;
use wurfel_agents::{Spec, agents, searches};

use crate::budget::{bounds, stopped_by};
use crate::chance::{Fork, generator};
use crate::error::{failed, wrong};
use crate::interrupt::{at_once, working};
use crate::numbers;
use crate::position::Position;

/// A move that an agent has chosen, and what the agent found out while choosing it.
///
/// An agent written in Python may return a `Decision` instead of the move's text.
#[pyclass(frozen, get_all, module = "wurfel")]
#[derive(Clone)]
pub struct Decision {
    /// The move.
    pub r#move: String,
    /// The expected result of this move for the side that decides, 0 to 1; `None` if the agent
    /// gives no estimate.
    pub value: Option<f32>,
    /// Whether the value is the true one under best play.
    pub exact: bool,
    /// Positions visited.
    pub nodes: u64,
    /// Turns looked ahead.
    pub depth: u32,
}

#[pymethods]
impl Decision {
    #[new]
    #[pyo3(signature = (r#move, value=None, *, exact=false, nodes=0, depth=0))]
    fn new(
        r#move: String,
        value: Option<f32>,
        exact: bool,
        #[pyo3(from_py_with = numbers::nodes)] nodes: u64,
        #[pyo3(from_py_with = numbers::depth)] depth: u32,
    ) -> PyResult<Self> {
        if let Some(value) = value.filter(|value| !(0.0..=1.0).contains(value)) {
            return Err(wrong(format!("value={value}: expected a number from 0 to 1")));
        }
        Ok(Self { r#move, value, exact, nodes, depth })
    }

    fn __repr__(&self) -> String {
        let Self { r#move, value, exact, nodes, depth } = self;
        let value = value.map_or("None".into(), |value| value.to_string());
        let exact = if *exact { "True" } else { "False" };
        format!("Decision('{move}', {value}, exact={exact}, nodes={nodes}, depth={depth})")
    }
}

impl From<wurfel_core::Decision<String>> for Decision {
    fn from(decided: wurfel_core::Decision<String>) -> Self {
        let wurfel_core::Decision { mv, value, exact, nodes, depth } = decided;
        Self { r#move: mv, value, exact, nodes, depth }
    }
}

/// An agent that a spec describes. `wurfel.agent(spec)` makes one.
///
/// A copy, also one that was pickled, is a new agent of the same spec with random numbers of its own.
#[pyclass(frozen, module = "wurfel")]
pub struct Agent {
    spec: String,
    game: String,
    /// Whether a decision may take long.
    searches: bool,
    inner: Mutex<Inner>,
}

/// The agent itself, and whether its random numbers must be drawn again.
struct Inner {
    agent: Box<dyn wurfel::Agent>,
    fork: Fork,
}

impl Agent {
    /// The agent, with random numbers of this process's own.
    fn inner(&self) -> PyResult<MutexGuard<'_, Inner>> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(random) = inner.fork.anew()? {
            inner.agent.begin(random);
        }
        Ok(inner)
    }
}

#[pymethods]
impl Agent {
    /// The spec that describes the agent.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// The name of the game that the agent plays.
    #[getter]
    fn game(&self) -> &str {
        &self.game
    }

    /// Begins a new game: the agent forgets the previous one. It draws its random numbers from
    /// `seed`, or from the system if there is no seed.
    #[pyo3(signature = (seed=None))]
    fn begin(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = numbers::seed)] seed: Option<u64>,
    ) -> PyResult<()> {
        let random = generator(seed)?;
        working(py, |_| {
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            inner.agent.begin(random);
            inner.fork = Fork::since(seed);
        })
    }

    /// Chooses a move for a position that has a roll, or for a position before its roll and the
    /// `roll` that is given.
    ///
    /// `depth` in turns, `nodes` in positions and `time` in seconds bound an agent whose spec sets
    /// no bound. Raises `ValueError` when there is nothing to decide, and `RuntimeError` when the
    /// agent fails, as another program may. After a signal such as Ctrl-C, the search stops, and
    /// the signal's exception is raised.
    #[pyo3(signature = (position, roll=None, *, depth=None, nodes=None, time=None))]
    fn decide(
        &self,
        py: Python<'_>,
        position: &Position,
        roll: Option<&str>,
        #[pyo3(from_py_with = numbers::depth)] depth: Option<u32>,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
        time: Option<f64>,
    ) -> PyResult<Decision> {
        let budget = bounds(depth, nodes, time)?;
        let rolled = roll.map(|roll| position.0.rolled(roll)).transpose().map_err(wrong)?;
        let position = rolled.as_ref().unwrap_or(&position.0);
        let decide = |budget: wurfel_core::Budget<'_>| {
            let decided = self.inner()?.agent.decide(position, budget);
            decided.map(Decision::from).map_err(|error| match error {
                NoAnswer::Position(error) => wrong(error),
                error => failed(error),
            })
        };
        if self.searches {
            working(py, |stop| decide(stopped_by(budget, stop)))?
        } else {
            at_once(py, || decide(budget))?
        }
    }

    fn __repr__(&self) -> String {
        format!("wurfel.agent('{}', '{}')", self.spec, self.game)
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (&str, &str))> {
        Ok((py.import("wurfel")?.getattr("agent")?.unbind(), (&self.spec, &self.game)))
    }
}

/// The agent that a spec such as `"champion:depth=3"` describes.
///
/// With the same `seed`, an agent that draws random numbers makes the same decisions; without a
/// seed, its random numbers come from the system. Raises a `ValueError` that names the wrong option
/// or name.
#[pyfunction]
#[pyo3(signature = (spec="champion", game="einstein", *, seed=None))]
pub fn agent(
    py: Python<'_>,
    spec: &str,
    game: &str,
    #[pyo3(from_py_with = numbers::seed)] seed: Option<u64>,
) -> PyResult<Agent> {
    let parsed: Spec = spec.parse().map_err(wrong)?;
    let name = parsed.to_string();
    let random = generator(seed)?;
    let searches = searches(&parsed);
    // Some agents read or build tables when they are created.
    let agent = working(py, |_| {
        let agents = wurfel::game(game).map_err(wrong)?.agents_of(&parsed).map_err(wrong)?;
        let mut agent = agents.make();
        agent.begin(random);
        PyResult::Ok(agent)
    })??;
    let inner = Mutex::new(Inner { agent, fork: Fork::since(seed) });
    Ok(Agent { spec: name, game: game.to_owned(), searches, inner })
}

/// The names of all agents, each with one line that says what the agent does.
#[pyfunction(name = "agents")]
pub fn all_agents() -> Vec<(&'static str, &'static str)> {
    agents().map(|info| (info.name, info.about)).collect()
}
