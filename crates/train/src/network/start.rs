//! The network with which a run begins, where it is that of a file.
//!
//! The file is copied into the folder of the run, so that the run is complete by itself and the same
//! configuration gives the same network although the file may change.

use std::fs;
use std::path::Path;

use serde_json::Value;
use wurfel_agents::Catalogued;
use wurfel_net::{Architecture, Model};

use super::error::RunError;
use super::files::{failed, read_model, refused, replace};
use super::folder::Folder;
use super::generator::Generator;

/// The first network of a run in this folder.
pub fn first_network<G: Catalogued>(
    generator: &Generator<G>,
    folder: &Folder,
) -> Result<Model, RunError> {
    let Some(start) = &generator.config().start else { return generator.first() };
    let (start, own) = (Path::new(start), folder.file("start.safetensors"));
    // A copy without a configuration beside it was left by a program that was killed.
    if !own.exists() || !folder.is_noted() {
        generator.first()?;
        replace(&own, &fs::read(start).map_err(refused(start))?)?;
    }
    Ok(read_model(&own)?.without_int8_scales())
}

/// The network in a file, without the scales, which it loses by learning.
pub fn read_start(
    path: &Path,
    architecture: &Architecture,
    encoding: &str,
) -> Result<Model, RunError> {
    let model = read_model(path)?;
    check(path, &model, architecture, encoding)?;
    Ok(model.without_int8_scales())
}

/// Names the first thing in which the network is not the one that the configuration describes.
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
    // A switch that is off is left out.
    let shown = |entry: Option<&Value>| entry.map_or("false".to_owned(), ToString::to_string);
    let [is, wanted] = [is.get(name), wanted.get(name)].map(shown);
    Err(failed(path, &format!("its {name} is {is}, not {wanted} as the configuration says")))
}
