//! The values that go in and out beside texts: options and reports as plain objects, with the names
//! that they have in JSON everywhere else, and errors with the line that the program prints.

use std::fmt::Display;

use js_sys::JSON;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wasm_bindgen::{JsError, JsValue};

/// Why a function of the module has no answer: an `Error` of the page.
pub type Fault = JsValue;

/// The error with this message.
pub fn fault(error: impl Display) -> Fault {
    JsError::new(&error.to_string()).into()
}

/// A report as a plain object.
pub fn report(of: &impl Serialize) -> Result<JsValue, Fault> {
    JSON::parse(&serde_json::to_string(of).map_err(fault)?)
}

/// Options from a plain object; the default ones if there is none.
pub fn options<T: DeserializeOwned + Default>(given: &JsValue) -> Result<T, Fault> {
    if given.is_undefined() || given.is_null() {
        return Ok(T::default());
    }
    let wrong = |error: &dyn Display| fault(format!("options: {error}"));
    let not_plain = || wrong(&"expected a plain object");
    let text = JSON::stringify(given).map_err(|_| not_plain())?;
    let text = text.as_string().ok_or_else(not_plain)?;
    let value: Value = serde_json::from_str(&text).map_err(|error| wrong(&error))?;
    serde_json::from_value(value).map_err(|error| wrong(&error))
}

/// A seed from a number of the page.
pub fn seed(given: f64) -> Result<u64, Fault> {
    const MAX: f64 = js_sys::Number::MAX_SAFE_INTEGER;
    if (0.0..=MAX).contains(&given) && given.fract() == 0.0 {
        return Ok(given as u64);
    }
    Err(fault(format!("seed={given}: expected a whole number from 0 to {MAX}")))
}
