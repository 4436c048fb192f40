//! Agents as arguments: a spec, or a callable that makes agents written in Python.
//!
//! An agent in Python is an object with `decide(turn, budget)`. Here it is wrapped in an [`Agent`]
//! like any other. The wrapper attaches to the interpreter for each decision. Anything that goes
//! wrong in Python becomes a [`Failure`] with its reason, so that the agent loses the game and the
//! match goes on.

use std::marker::PhantomData;
use std::sync::Arc;

use pyo3::prelude::*;
use wurfel_agents::{Catalogued, Spec};
use wurfel_arena::Entrant;
use wurfel_core::{Agent, Budget, Decision, Failure, Fault, Game, Random, Turn};

use crate::agent::Decision as PyDecision;
use crate::budget::Budget as PyBudget;
use crate::error::wrong;
use crate::interrupt::Stop;
use crate::position::Position;

/// The argument that names an agent of a match.
pub enum Named {
    /// A spec.
    Spec(Spec),
    /// A class, or a function without arguments, that makes agents.
    Made(String, Py<PyAny>),
}

impl Named {
    /// Reads an argument: a text, or a callable whose agents can decide.
    pub fn read(argument: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = argument.extract::<String>() {
            return Ok(Self::Spec(text.parse().map_err(wrong)?));
        }
        if !argument.is_callable() {
            let found = argument.get_type().name()?;
            return Err(wrong(format!(
                "agent: expected a spec, or a class or function that makes agents, found an object of {found}"
            )));
        }
        // The first agent shows whether agents can be made at all, and what they are called.
        let sample = argument.call0()?;
        if !sample.hasattr("decide")? {
            let found = sample.get_type().name()?;
            return Err(wrong(format!(
                "agent: expected objects with a method decide(turn, budget), which {found} has not"
            )));
        }
        let name = match sample.getattr_opt("name")? {
            Some(name) => name.extract()?,
            None => sample.get_type().name()?.to_string(),
        };
        Ok(Self::Made(name, argument.clone().unbind()))
    }

    /// The name in results.
    pub fn name(&self) -> String {
        match self {
            Self::Spec(spec) => spec.to_string(),
            Self::Made(name, _) => name.clone(),
        }
    }

    /// Whether luck is worth measuring in games of this agent.
    pub fn searches(&self) -> bool {
        match self {
            Self::Spec(spec) => wurfel_agents::searches(spec),
            Self::Made(..) => true,
        }
    }

    /// The agent as an entrant of a match.
    pub fn entrant<G: Catalogued>(&self, stop: &Stop) -> PyResult<Entrant<G>> {
        match self {
            Self::Spec(spec) => Entrant::new(spec.clone()).map_err(wrong),
            Self::Made(name, _) => Ok(Entrant::custom(name, self.factory(stop)?)),
        }
    }

    /// Makes the agents, one for each thread.
    pub fn factory<G: Catalogued>(&self, stop: &Stop) -> PyResult<wurfel_agents::Factory<G>> {
        match self {
            Self::Spec(spec) => wurfel_agents::build(spec).map_err(wrong),
            Self::Made(_, make) => {
                let make = Python::attach(|py| make.clone_ref(py));
                let stop = Arc::clone(stop);
                Ok(Arc::new(move || Box::new(Made::<G>::new(&make, &stop))))
            }
        }
    }
}

/// An agent that is an object of Python.
struct Made<G> {
    /// The object, or the reason why there is none.
    object: Result<Py<PyAny>, Failure>,
    /// Why the last decision, or the beginning of the game, was not the agent's own.
    failure: Option<Failure>,
    /// The flag of the work that the agent takes part in.
    stop: Stop,
    game: PhantomData<fn() -> G>,
}

impl<G: Catalogued> Made<G> {
    fn new(make: &Py<PyAny>, stop: &Stop) -> Self {
        let object = Python::attach(|py| make.call0(py).map_err(|error| raised(py, &error)));
        Self { object, failure: None, stop: Arc::clone(stop), game: PhantomData }
    }

    /// Asks the object for its decision.
    fn ask(&self, turn: Turn<'_, G>, budget: Budget<'_>) -> Result<Decision<G::Move>, Failure> {
        let object = self.object.as_ref().map_err(Clone::clone)?;
        Python::attach(|py| {
            let raised = |error: PyErr| raised(py, &error);
            let asked = (Position(Arc::new(turn.situation())), PyBudget::new(budget, &self.stop));
            let answer = object.bind(py).call_method1("decide", asked).map_err(raised)?;
            if let Ok(text) = answer.extract::<String>() {
                return Ok(Decision {
                    mv: legal(turn, &text)?,
                    value: None,
                    exact: false,
                    nodes: 0,
                    depth: 0,
                });
            }
            let Ok(decision) = answer.cast::<PyDecision>() else {
                let found = answer.get_type().name().map_err(raised)?;
                let reason =
                    format!("it decided on {found}: expected the text of a move or a Decision");
                return Err(Failure::new(Fault::Crash, reason));
            };
            let PyDecision { r#move, value, exact, nodes, depth } = decision.get().clone();
            Ok(Decision { mv: legal(turn, &r#move)?, value, exact, nodes, depth })
        })
    }
}

/// The legal move with this text.
fn legal<G: Game>(turn: Turn<'_, G>, text: &str) -> Result<G::Move, Failure> {
    let illegal =
        |error| Failure::new(Fault::IllegalMove, format!("in {}: {error}", turn.situation()));
    turn.position.find_move(turn.roll, text).map_err(illegal)
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

impl<G: Catalogued> Agent<G> for Made<G> {
    /// Passes a seed of the agent's own to `begin`, if the object has this method. The seed is
    /// drawn from a stream that has nothing to do with the dice.
    fn begin(&mut self, mut random: Random) {
        self.failure = None;
        let Ok(object) = &self.object else { return };
        let begun = Python::attach(|py| match object.bind(py).getattr_opt("begin") {
            Ok(Some(begin)) => {
                begin.call1((random.bits(),)).map(drop).map_err(|error| raised(py, &error))
            }
            Ok(None) => Ok(()),
            Err(error) => Err(raised(py, &error)),
        });
        self.failure = begun.err();
    }

    /// After a failure, which [`Agent::failure`] reports, decides on any legal move.
    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move> {
        if self.failure.is_none() {
            match self.ask(turn, budget) {
                Ok(decision) => return decision,
                Err(failure) => self.failure = Some(failure),
            }
        }
        let mv = turn.moves().as_ref()[0];
        Decision { mv, value: None, exact: false, nodes: 0, depth: 0 }
    }

    fn failure(&mut self) -> Option<Failure> {
        self.failure.take()
    }
}
