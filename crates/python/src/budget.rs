//! The budget of a decision.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pyo3::prelude::*;

use crate::error::wrong;
use crate::interrupt::Stop;
use crate::numbers;

/// What an agent may spend on a decision. The agent stops at the first limit that it reaches;
/// without any limit it spends what it was built to spend.
#[pyclass(frozen, module = "wurfel")]
#[derive(Clone)]
pub struct Budget {
    limits: wurfel_core::Budget<'static>,
    stop: Stop,
}

impl Budget {
    /// The budget as an agent written in Python sees it, with the stop flag of the work that it
    /// belongs to.
    pub fn new(budget: wurfel_core::Budget<'_>, stop: &Stop) -> Self {
        let wurfel_core::Budget { depth, nodes, time, .. } = budget;
        let limits = wurfel_core::Budget { depth, nodes, time, ..wurfel_core::Budget::default() };
        Self { limits, stop: Arc::clone(stop) }
    }
}

#[pymethods]
impl Budget {
    #[new]
    #[pyo3(signature = (*, depth=None, nodes=None, time=None))]
    fn of(
        #[pyo3(from_py_with = numbers::depth)] depth: Option<u32>,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
        time: Option<f64>,
    ) -> PyResult<Self> {
        Ok(Self { limits: bounds(depth, nodes, time)?, stop: Stop::default() })
    }

    /// Maximum search depth in turns; `None` without this limit.
    #[getter]
    fn depth(&self) -> Option<u32> {
        self.limits.depth
    }

    /// Maximum number of positions to visit; `None` without this limit.
    #[getter]
    fn nodes(&self) -> Option<u64> {
        self.limits.nodes
    }

    /// Maximum wall-clock time in seconds; `None` without this limit.
    #[getter]
    fn time(&self) -> Option<f64> {
        self.limits.time.map(|time| time.as_secs_f64())
    }

    /// Whether the work that this decision belongs to was stopped, so that any move will do.
    #[getter]
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn __repr__(&self) -> String {
        let text = |value: Option<String>| value.unwrap_or_else(|| "None".into());
        format!(
            "Budget(depth={}, nodes={}, time={})",
            text(self.depth().map(|depth| depth.to_string())),
            text(self.nodes().map(|nodes| nodes.to_string())),
            text(self.time().map(|time| time.to_string()))
        )
    }
}

/// The longest time in seconds: a day.
const MAX_SECONDS: f64 = 86_400.0;
const MAX_DEPTH: u32 = 64;

/// Checks the bounds that were given; `time` is in seconds.
pub fn bounds(
    depth: Option<u32>,
    nodes: Option<u64>,
    time: Option<f64>,
) -> PyResult<wurfel_core::Budget<'static>> {
    if let Some(depth) = depth.filter(|depth| !(1..=MAX_DEPTH).contains(depth)) {
        return Err(wrong(format!("depth={depth}: expected a whole number from 1 to {MAX_DEPTH}")));
    }
    if nodes == Some(0) {
        return Err(wrong("nodes=0: expected at least 1"));
    }
    if let Some(time) = time.filter(|time| !(1e-6..=MAX_SECONDS).contains(time)) {
        return Err(wrong(format!("time={time}: expected seconds from 0.000001 to {MAX_SECONDS}")));
    }
    let time = time.map(Duration::from_secs_f64);
    Ok(wurfel_core::Budget { depth, nodes, time, ..wurfel_core::Budget::default() })
}

/// The same budget, for work that this flag stops.
pub fn stopped_by<'a>(budget: wurfel_core::Budget<'a>, stop: &'a Stop) -> wurfel_core::Budget<'a> {
    wurfel_core::Budget { stop: Some(&**stop), ..budget }
}
