//! The project's own checks: `cargo xtask check` runs everything that a change must pass, and the
//! other commands run one part of it.
//!
//! This file only selects the command; each check has a file of its own.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool reports by printing"
)]

mod baseline;
mod book;
mod compiled;
mod counts;
mod dist;
mod figures;
mod files;
mod floors;
mod fuzz;
mod licences;
mod links;
mod map;
mod markdown;
mod package;
mod schemas;
mod steps;
mod systems;
mod tutorial;
mod wasm;
mod web;
mod weight;
mod words;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use cargo_metadata::MetadataCommand;

const USAGE: &str = "\
usage: cargo xtask <command>

  check      everything a change must pass, in order
  book       the book of docs/, in target/book, with its links checked; needs mdbook
  counts [--keep]
             the instructions of fixed work are those of counts/counts.txt, or are stored there; needs valgrind
  dist       a release for this machine: the program, its manual and completions, checksums
  figures [--list] [--python PYTHON] [NAME...]
             measures the speeds of docs/methods/speed.md, all or some, and writes its table;
             needs Python 3.11
  floors     dependencies between the workspace's crates only point down
  fuzz [N]   every fuzz target for N seconds, 20 by default
  lint       what `check` does, but for the tests
  licences   every package used has an accepted licence and comes from crates.io
  links      every link in every page of Markdown leads somewhere
  map [--keep]
             docs/architecture.md names every crate, folder and file of code by its first sentence,
             or is written so
  package    every crate can be published: cargo packages it with all that it includes
  schemas [--keep]
             the tables of fields, openapi.json and the page's types are what follows from the types
             that are serialised, or are written so
  systems    the program compiles for Windows, its system calls for macOS; needs their targets
  tutorial   the package that docs/extending.md builds, written out, tested and run
  wasm [quick]
             the engine for web pages, in target/engine: calls nothing that panics there, and does what the
             program does; quickly compiled it is slow; needs the target wasm32-unknown-unknown and Node.js
  web        the page's types, and games in a browser; needs npm and Chromium
  weight [--keep]
             the code of the program that the tests have built is as small as xtask/weight.txt says,
             or its figures are stored there; needs nm
  words      no word stands anywhere that must not come back";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["figures", options @ ..] = &words[..] {
        let code = workspace_root().and_then(|root| figures::run(&root, options));
        return code.unwrap_or_else(|error| finish(Err(error)));
    }
    let run: fn() -> Result<()> = match words[..] {
        ["check"] => || steps::check(&workspace_root()?),
        ["book"] => || book::build(&workspace_root()?),
        ["counts"] => || counts::run(&workspace_root()?, false),
        ["counts", "--keep"] => || counts::run(&workspace_root()?, true),
        ["dist"] => || dist::build(&workspace_root()?),
        ["floors"] => || floors::check(&workspace_root()?),
        ["fuzz"] => || fuzz::run(&workspace_root()?, "20"),
        ["fuzz", _] => || fuzz::run(&workspace_root()?, &env::args().nth(2).unwrap_or_default()),
        ["lint"] => || steps::lint(&workspace_root()?),
        ["licences"] => || licences::check(&workspace_root()?),
        ["links"] => || links::check(&workspace_root()?),
        ["map"] => || map::check(&workspace_root()?),
        ["map", "--keep"] => || map::run(&workspace_root()?, true),
        ["package"] => || package::check(&workspace_root()?),
        ["schemas"] => || schemas::run(&workspace_root()?, false),
        ["schemas", "--keep"] => || schemas::run(&workspace_root()?, true),
        ["systems"] => || systems::check(&workspace_root()?),
        ["tutorial"] => || tutorial::check(&workspace_root()?),
        ["wasm"] => || wasm::build(&workspace_root()?, false),
        ["wasm", "quick"] => || wasm::build(&workspace_root()?, true),
        ["web"] => || web::check(&workspace_root()?),
        ["weight"] => || weight::run(&workspace_root()?, false),
        ["weight", "--keep"] => || weight::run(&workspace_root()?, true),
        ["words"] => || words::check(&workspace_root()?),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    finish(run())
}

fn finish(result: Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace's `Cargo.toml`, found from any folder inside it.
fn workspace_root() -> Result<PathBuf> {
    let metadata = MetadataCommand::new().no_deps().exec()?;
    Ok(metadata.workspace_root.into())
}
