//! Arrays as arguments. Anything but an array of the right type is a wrong value, which the error
//! names.

use numpy::{
    PyArrayDescrMethods, PyReadonlyArray1, PyReadonlyArray4, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::prelude::*;

use crate::error::wrong;

/// Reads `planes`: `float32`, four dimensions.
pub fn planes<'py>(given: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray4<'py, f32>> {
    given.extract().map_err(|_| {
        wrong(format!(
            "planes: expected a NumPy array of float32 with four dimensions, not {}",
            described(given)
        ))
    })
}

/// Reads `actions`: whole numbers of any type, one dimension.
pub fn actions(given: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let copied = |array: PyReadonlyArray1<'_, i64>| array.as_array().iter().copied().collect();
    if let Ok(array) = given.extract() {
        return Ok(copied(array));
    }
    let whole = || -> PyResult<PyReadonlyArray1<'_, i64>> {
        let array = given.py().import("numpy")?.call_method1("asarray", (given,))?;
        // A fraction is not rounded, and true or false is not meant as a number.
        let kind = array.cast::<PyUntypedArray>()?.dtype().kind();
        if !matches!(kind, b'i' | b'u') {
            return Err(wrong("another type"));
        }
        array.call_method1("astype", ("int64",))?.extract()
    };
    whole().map(copied).map_err(|_| {
        wrong(format!("actions: expected whole numbers in one dimension, not {}", described(given)))
    })
}

/// What was given instead.
fn described(given: &Bound<'_, PyAny>) -> String {
    match given.cast::<PyUntypedArray>() {
        Ok(array) => format!("an array of {} and shape {:?}", array.dtype(), array.shape()),
        Err(_) => given
            .get_type()
            .name()
            .map_or_else(|_| "another object".to_owned(), |name| format!("a {name}")),
    }
}
