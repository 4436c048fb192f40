//! Random numbers: from a seed, or from the system.

use pyo3::PyResult;
use wurfel_core::Random;

use crate::error::failed;

/// A seed from the system, which nobody can predict.
pub fn fresh_seed() -> PyResult<u64> {
    getrandom::u64().map_err(|error| failed(format!("no random numbers: {error}")))
}

/// The stream of `seed`, or, without a seed, one that nobody can predict.
pub fn generator(seed: Option<u64>) -> PyResult<Random> {
    Ok(Random::new(seed.map_or_else(fresh_seed, Ok)?))
}
