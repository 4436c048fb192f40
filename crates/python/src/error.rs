//! Errors as Python sees them: what was wrong with an argument is a `ValueError`, and what failed is a
//! `RuntimeError`, both with the one line that the program prints, too.

use std::fmt::Display;
use std::io;
use std::path::Path;

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

/// The system refuses a file: the `OSError` of its kind, with the file's name.
pub fn refused(path: &Path) -> impl Fn(io::Error) -> PyErr + '_ {
    move |error| io::Error::new(error.kind(), format!("'{}': {error}", path.display())).into()
}
