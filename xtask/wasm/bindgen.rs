//! Makes a module for pages of what cargo has compiled: a file of WebAssembly, its functions in JavaScript, and their types.

use std::env;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = env::args_os().skip(1);
    let mut next = || arguments.next().context("usage: bindgen COMPILED FOLDER NAME");
    let (compiled, folder, name) = (next()?, next()?, next()?);
    let mut bindgen = Bindgen::new();
    bindgen.input_path(compiled).web(true)?.typescript(true).out_name(&name.to_string_lossy());
    // A page that names no module gets the one beside the functions.
    bindgen.omit_default_module_path(false);
    // A page has no use for the names of functions, which are a tenth of the module.
    bindgen.remove_name_section(true).generate(folder)
}
