//! Errors as Python sees them: what was wrong with an argument is a `ValueError`, and what failed is a
//! `RuntimeError`, both with the one line that the program prints, too.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::exceptions::{PyRuntimeError, PyValueError};

/// What was given is wrong.
pub fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// What was given is right, and yet it failed.
pub fn failed(error: impl Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}
