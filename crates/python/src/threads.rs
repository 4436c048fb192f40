//! The number of threads.

use std::num::NonZero;
use std::thread::available_parallelism;

use pyo3::PyResult;

use crate::error::wrong;

const MAX_THREADS: usize = 1024;

/// The requested number of threads, or the number of CPUs if none was requested.
pub fn count(wanted: Option<usize>) -> PyResult<usize> {
    match wanted {
        None => Ok(available_parallelism().map_or(1, NonZero::get)),
        Some(number) if (1..=MAX_THREADS).contains(&number) => Ok(number),
        Some(number) => {
            Err(wrong(format!("threads={number}: expected a number from 1 to {MAX_THREADS}")))
        }
    }
}
