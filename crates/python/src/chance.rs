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

/// Detects when a generator without a given seed must draw a new one: in a child of the process in
/// which it was made. A fork copies the generator, and parent and child would play the same games.
pub struct Fork {
    /// The process in which the generator was made; `None` with a seed, which asks for the same
    /// games.
    process: Option<u32>,
}

impl Fork {
    /// For a generator that is made now, with or without a seed.
    pub fn since(seed: Option<u64>) -> Self {
        Self { process: seed.is_none().then(std::process::id) }
    }

    /// The generator with which a child process goes on; `None` where there was no fork.
    pub fn anew(&mut self) -> PyResult<Option<Random>> {
        let now = std::process::id();
        match &mut self.process {
            Some(process) if *process != now => {
                let random = generator(None)?;
                *process = now;
                Ok(Some(random))
            }
            _ => Ok(None),
        }
    }
}
