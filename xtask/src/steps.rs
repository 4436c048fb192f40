//! All steps that a change must pass, in order; the first failure ends the run.
//!
//! The quick steps come first: lints, of code and of everything beside it. The last step is the test command
//! that the README tells everyone to run, and a lint checks that the README does so.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};

use crate::{floors, licences, links, map, package, schemas, words};

/// The README's test command.
const TEST: &str = "cargo test --workspace";

enum Step {
    /// A line that could be typed as it is: environment variables, then `cargo` and its arguments,
    /// none with a space inside.
    Cargo(&'static str),
    /// A check of our own, by its name.
    Own(&'static str, fn(&Path) -> Result<()>),
}

/// All steps but the tests. They do not use all features, because those for GPUs compile a framework that takes
/// longer than everything else.
const LINTS: [Step; 12] = [
    Step::Cargo("cargo fmt --all --check"),
    // Of a workspace of its own: compiled and tested later, but its layout is known at once.
    Step::Cargo("cargo fmt --manifest-path crates/python/Cargo.toml --check"),
    Step::Cargo(
        "cargo clippy --workspace --all-targets --features wurfel-core/testkit -- -D warnings",
    ),
    Step::Cargo(
        "RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps --features wurfel-core/testkit",
    ),
    Step::Own("floors", floors::check),
    Step::Own("licences", licences::check),
    Step::Own("links", links::check),
    Step::Own("map", map::check),
    Step::Own("packages", package::check),
    Step::Own("schemas", schemas::check),
    Step::Own("words", words::check),
    Step::Own("the README's test command", readme),
];

/// Runs every step, then prints how long each took.
pub fn check(root: &Path) -> Result<()> {
    run_all(LINTS.iter().chain(&[Step::Cargo(TEST)]), root)
}

/// Runs every step but the tests, then prints how long each took.
pub fn lint(root: &Path) -> Result<()> {
    run_all(LINTS.iter(), root)
}

fn run_all<'a>(steps: impl Iterator<Item = &'a Step>, root: &Path) -> Result<()> {
    let mut times = Vec::new();
    for (number, step) in (1..).zip(steps) {
        let name = step.name();
        println!("\n== {number} {name}");
        let start = Instant::now();
        step.run(root).with_context(|| format!("check failed at step {number}, {name}"))?;
        times.push((start.elapsed(), name));
    }

    println!("\n== all passed");
    for (time, name) in &times {
        println!("{:8.1} s  {name}", time.as_secs_f64());
    }
    let total: Duration = times.iter().map(|(time, _)| time).sum();
    println!("{:8.1} s  in all", total.as_secs_f64());
    Ok(())
}

impl Step {
    fn name(&self) -> &'static str {
        match self {
            Step::Cargo(name) | Step::Own(name, _) => name,
        }
    }

    fn run(&self, root: &Path) -> Result<()> {
        match self {
            Step::Cargo(line) => succeed(command(line).current_dir(root)),
            Step::Own(_, run) => run(root),
        }
    }
}

/// The cargo that has started this.
pub fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}

/// Runs a program, which must succeed.
pub fn succeed(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("`{name}`: is it installed?"))?;
    ensure!(status.success(), "`{name}`: {status}");
    Ok(())
}

/// Runs a line in the root of the project.
pub fn run(root: &Path, line: &str) -> Result<()> {
    succeed(command(line).current_dir(root)).context(line.to_owned())
}

/// The command of a line, run by the cargo that runs this program.
pub fn command(line: &str) -> Command {
    let mut command = cargo();
    let mut words = line.split_whitespace();
    for word in words.by_ref().take_while(|&word| word != "cargo") {
        let (variable, value) = word.split_once('=').unwrap_or((word, ""));
        command.env(variable, value);
    }
    command.args(words);
    command
}

/// Checks that the README shows the test command in a code block.
fn readme(root: &Path) -> Result<()> {
    let readme = fs::read_to_string(root.join("README.md")).context("README.md")?;
    if !shows(&readme, TEST) {
        bail!("README.md has no code block with the line `{TEST}`");
    }
    Ok(())
}

/// Whether a fenced code block of the page has exactly this line.
fn shows(page: &str, wanted: &str) -> bool {
    let mut inside = false;
    for line in page.lines().map(str::trim) {
        if line.starts_with("```") {
            inside = !inside;
        } else if inside && line == wanted {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_becomes_a_command() {
        let command = command("FLAGS=-Dwarnings cargo doc --no-deps");
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["doc", "--no-deps"]);
        let variables: Vec<_> = command.get_envs().collect();
        assert_eq!(variables, [("FLAGS".as_ref(), Some("-Dwarnings".as_ref()))]);
    }

    #[test]
    fn every_cargo_step_says_cargo() {
        for step in &LINTS {
            if let Step::Cargo(line) = step {
                assert!(line.split_whitespace().any(|word| word == "cargo"));
            }
        }
    }

    #[test]
    fn only_a_line_in_a_code_block_counts() {
        assert!(shows("# Tests\n```sh\ncargo build\ncargo test --workspace\n```\n", TEST));
        assert!(!shows("cargo test --workspace\n", TEST));
        assert!(!shows("```\ncargo run\n```\ncargo test --workspace\n", TEST));
        assert!(!shows("```\ncargo test --workspace --release\n```\n", TEST));
    }
}
