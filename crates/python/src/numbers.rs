//! Whole numbers as arguments. Python's whole numbers have no bounds, so a number that is negative
//! or too large is reported as a wrong value and not as an overflow.

use std::fmt::Display;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::error::wrong;

/// A whole number that is not negative, or `None`.
pub trait Whole: Sized {
    /// Reads an argument; `name` is the name that errors give it.
    fn read(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Self>;
}

macro_rules! whole {
    ($($number:ty)*) => { $(
        impl Whole for $number {
            fn read(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
                let read: PyResult<Self> = given.extract();
                read.map_err(|error| named(error, given, name, Self::MAX))
            }
        }
    )* };
}

whole! { u32 u64 usize }

impl<T: Whole> Whole for Option<T> {
    fn read(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        if given.is_none() { Ok(None) } else { T::read(given, name).map(Some) }
    }
}

fn named(error: PyErr, given: &Bound<'_, PyAny>, name: &str, most: impl Display) -> PyErr {
    if error.is_instance_of::<PyOverflowError>(given.py()) {
        wrong(format!("{name}={given}: expected a whole number from 0 to {most}"))
    } else {
        error
    }
}

macro_rules! arguments {
    ($($name:ident)*) => { $(
        /// Reads the argument with this name.
        pub fn $name<T: Whole>(given: &Bound<'_, PyAny>) -> PyResult<T> {
            T::read(given, stringify!($name))
        }
    )* };
}

arguments! { decisions depth lane memory nodes pairs pieces seed side size threads unit }
