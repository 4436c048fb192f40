//! Agents as arguments: a spec, or a callable that makes agents written in Python.
//!
//! An agent in Python is an object with `decide(turn, budget)`. Here it is wrapped in an [`OwnAgent`].
//! The wrapper attaches to the interpreter for each decision. Anything that goes
//! wrong in Python becomes a [`Failure`] with its reason, so that the agent loses the game and the
//! match goes on.

use std::sync::Arc;

use pyo3::prelude::*;
use wurfel::{OwnAgent, OwnPlayer, Player};
use wurfel_core::{Budget, Decision, Failure, Fault, Random};

use crate::agent::Decision as PyDecision;
use crate::budget::Budget as PyBudget;
use crate::error::wrong;
use crate::interrupt::Stop;
use crate::position::Position;

/// Reads an argument that names an agent: a text, or a callable whose agents can decide. `stop` is the
/// flag of the work that the agents take part in.
pub fn player(argument: &Bound<'_, PyAny>, stop: &Stop) -> PyResult<Player> {
    if let Ok(text) = argument.extract::<String>() {
        return Ok(Player::Spec(text.parse().map_err(wrong)?));
    }
    if !argument.is_callable() {
        let kind = argument.get_type().name()?;
        return Err(wrong(format!(
            "agent: expected a spec, or a class or function that makes agents, found an object of {kind}"
        )));
    }
    // The first agent shows whether agents can be made at all, and what they are called.
    let sample = argument.call0()?;
    if !sample.hasattr("decide")? {
        let kind = sample.get_type().name()?;
        return Err(wrong(format!(
            "agent: expected objects with a method decide(turn, budget), which {kind} has not"
        )));
    }
    let name = match sample.getattr_opt("name")? {
        Some(name) => name.extract()?,
        None => sample.get_type().name()?.to_string(),
    };
    let (make, stop) = (argument.clone().unbind(), Arc::clone(stop));
    Ok(Player::Own(OwnPlayer { name, make: Arc::new(move || Box::new(Made::new(&make, &stop))) }))
}

/// An agent that is an object of Python.
struct Made {
    /// The object, or the reason why there is none.
    object: Result<Py<PyAny>, Failure>,
    stop: Stop,
}

impl Made {
    fn new(make: &Py<PyAny>, stop: &Stop) -> Self {
        let object = Python::attach(|py| make.call0(py).map_err(|error| raised(py, &error)));
        Self { object, stop: Arc::clone(stop) }
    }
}

/// An exception as a failure: its type, its text and its line of code, in a single line.
fn raised(py: Python<'_>, error: &PyErr) -> Failure {
    const MAX_SHOWN: usize = 200;
    let place = || -> PyResult<String> {
        let Some(mut frame) = error.traceback(py).map(Bound::into_any) else {
            return Ok(String::new());
        };
        while let Some(next) = frame.getattr_opt("tb_next")?.filter(|next| !next.is_none()) {
            frame = next;
        }
        let file: String =
            frame.getattr("tb_frame")?.getattr("f_code")?.getattr("co_filename")?.extract()?;
        let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
        Ok(format!(" at {name}:{}", frame.getattr("tb_lineno")?))
    };
    let place = place().unwrap_or_default();
    let text: String =
        error.to_string().chars().take(MAX_SHOWN).flat_map(char::escape_debug).collect();
    Failure::new(Fault::Crash, format!("it raised {text}{place}"))
}

impl OwnAgent for Made {
    /// Passes a seed of the agent's own to `begin`, if the object has this method. The seed is
    /// drawn from a stream that has nothing to do with the dice.
    fn begin(&mut self, mut random: Random) -> Result<(), Failure> {
        let Ok(object) = &self.object else { return Ok(()) };
        Python::attach(|py| match object.bind(py).getattr_opt("begin") {
            Ok(Some(begin)) => {
                begin.call1((random.bits(),)).map(drop).map_err(|error| raised(py, &error))
            }
            Ok(None) => Ok(()),
            Err(error) => Err(raised(py, &error)),
        })
    }

    fn decide(
        &mut self,
        position: &wurfel::Position,
        budget: Budget<'_>,
    ) -> Result<Decision<String>, Failure> {
        let object = self.object.as_ref().map_err(Clone::clone)?;
        Python::attach(|py| {
            let raised = |error: PyErr| raised(py, &error);
            let arguments = (Position(position.clone()), PyBudget::new(budget, &self.stop));
            let answer = object.bind(py).call_method1("decide", arguments).map_err(raised)?;
            if let Ok(mv) = answer.extract::<String>() {
                return Ok(Decision { mv, value: None, exact: false, nodes: 0, depth: 0 });
            }
            let Ok(decision) = answer.cast::<PyDecision>() else {
                let kind = answer.get_type().name().map_err(raised)?;
                let reason =
                    format!("it decided on {kind}: expected the text of a move or a Decision");
                return Err(Failure::new(Fault::Crash, reason));
            };
            let PyDecision { r#move: mv, value, exact, nodes, depth } = decision.get().clone();
            Ok(Decision { mv, value, exact, nodes, depth })
        })
    }
}
