//! Tablebases for searches to the end of the game.

use std::ffi::CString;

use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use wurfel_agents::Catalogued;
use wurfel_tablebase::Tables;

use crate::error::failed;

/// The tables in the default folder. Where the system refuses it, the search goes on without any,
/// which takes longer and is a `RuntimeWarning`.
pub fn known_tables<G: Catalogued>() -> PyResult<Tables<G>> {
    match Tables::usual(G::NAME, u32::MAX) {
        Err(error) if error.is_refusal() => {
            let told = CString::new(format!("searching without tables: {error}"));
            let told = told.map_err(failed)?;
            Python::attach(|py| PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &told, 1))?;
            Ok(Tables::default())
        }
        found => found.map_err(failed),
    }
}
