//! The files of parameters and of puzzles, which are loaded when they are needed.

use js_sys::{JsString, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wurfel::{Game, ShippedFile, SpecError, all_games};

use crate::report::{Fault, fault};

/// The names of all files of parameters and of puzzles. An error names the missing one in its property `file`; `provide` takes
/// it.
#[wasm_bindgen]
pub fn files() -> Vec<String> {
    let mut names: Vec<_> =
        all_games().flat_map(|game| game.files()).map(|file| file.name.to_owned()).collect();
    names.sort();
    names.dedup();
    names
}

/// Takes one of these files.
///
/// # Errors
/// When it has another name, or is not the one that belongs to this module.
#[wasm_bindgen]
pub fn provide(name: &str, bytes: Vec<u8>) -> Result<(), Fault> {
    let known = all_games().flat_map(|game| game.files()).find(|file| file.name == name);
    let known = known.ok_or_else(|| fault(format!("file '{name}': expected one of files()")))?;
    let wrong = || fault(format!("file '{name}': expected the one of this module's version"));
    known.provide(bytes).then_some(()).ok_or_else(wrong)
}

/// The error of a call that needs this file.
pub fn missing(file: &ShippedFile) -> Fault {
    let error = fault(format!("the file {} has not been loaded: `provide` takes it", file.name));
    // An error is an object, which takes any property.
    let _ = Reflect::set(&error, &JsString::from("file"), &JsValue::from_str(file.name));
    error
}

/// The error of a spec.
pub fn spec_fault(error: SpecError) -> Fault {
    match error {
        SpecError::Missing { file, .. } => missing(file),
        error => fault(error),
    }
}

/// Checks that no file of an agent is missing.
pub fn agents_are_ready() -> Result<(), Fault> {
    let missing_of = |game: Game| {
        let puzzles = game.puzzles().map(|book| book.file);
        let mut files = game.files().into_iter().filter(|&file| Some(file) != puzzles);
        files.find(|file| file.bytes().is_none())
    };
    all_games().find_map(missing_of).map_or(Ok(()), |file| Err(missing(file)))
}

/// Checks that the luck of a game's rolls can be measured.
pub fn luck_is_ready(game: Game) -> Result<(), Fault> {
    match game.best_file() {
        Some(file) if file.bytes().is_none() => Err(missing(file)),
        _ => Ok(()),
    }
}
