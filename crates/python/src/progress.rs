//! Python functions that are called with the progress of long work.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

/// A function that is called with the amount of work done and the total. An exception from it stops
/// the work.
pub struct Progress {
    function: Option<Py<PyAny>>,
    raised: Option<PyErr>,
}

impl Progress {
    pub const fn new(function: Option<Py<PyAny>>) -> Self {
        Self { function, raised: None }
    }

    /// Calls the function, and raises the flag that stops the work if it raises an exception.
    pub fn report(&mut self, done: u64, all: u64, stop: &AtomicBool) {
        let Some(function) = self.function.as_ref().filter(|_| self.raised.is_none()) else {
            return;
        };
        if let Err(error) = Python::attach(|py| function.call1(py, (done, all))) {
            self.raised = Some(error);
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// The result of the work, unless the function has raised an exception.
    pub fn result<T>(self, result: PyResult<T>) -> PyResult<T> {
        self.raised.map_or(result, Err)
    }
}
