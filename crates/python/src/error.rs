//! Errors as Python sees them: a wrong argument is a `ValueError`, and a failure is a
//! `RuntimeError`. Both have the same one-line message that the program prints.

use std::fmt::Display;
use std::io;
use std::path::Path;

use pyo3::PyErr;
use pyo3::exceptions::{PyRuntimeError, PyValueError};

/// The error for a wrong argument.
pub fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The error for a failure that no argument caused.
pub fn failed(error: impl Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// The error for a file that the system refuses: the `OSError` of its kind, with the file's name.
pub fn refused(path: &Path) -> impl Fn(io::Error) -> PyErr + '_ {
    move |error| io::Error::new(error.kind(), format!("'{}': {error}", path.display())).into()
}
