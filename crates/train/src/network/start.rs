//! The network with which a run begins, if it comes from a file: checks that it is the one that the
//! configuration describes.

use std::path::Path;

use serde_json::Value;
use wurfel_net::{Architecture, Model};

use super::error::RunError;
use super::files::{failed, read_model};

/// The network in a file, without its scales, which learning makes invalid.
pub fn read_start(
    path: &Path,
    architecture: &Architecture,
    encoding: &str,
) -> Result<Model, RunError> {
    let model = read_model(path)?;
    check(path, &model, architecture, encoding)?;
    Ok(model.without_int8_scales())
}

/// Names the first difference between the network and the configuration.
fn check(
    path: &Path,
    model: &Model,
    architecture: &Architecture,
    encoding: &str,
) -> Result<(), RunError> {
    if model.encoding() != encoding {
        let is = model.encoding();
        return Err(failed(path, &format!("its encoding is {is}, not {encoding}")));
    }
    let [is, wanted] = [model.architecture(), architecture].map(serde_json::to_value);
    let (Ok(Value::Object(is)), Ok(Value::Object(wanted))) = (is, wanted) else { return Ok(()) };
    let name = is.keys().chain(wanted.keys()).find(|name| is.get(*name) != wanted.get(*name));
    let Some(name) = name else { return Ok(()) };
    // A switch that is off is left out of the file.
    let shown = |entry: Option<&Value>| entry.map_or("false".to_owned(), ToString::to_string);
    let [is, wanted] = [is.get(name), wanted.get(name)].map(shown);
    Err(failed(path, &format!("its {name} is {is}, not {wanted} as the configuration says")))
}
