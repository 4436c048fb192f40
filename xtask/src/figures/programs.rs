//! Builds the project's own programs and runs the lines of the measures.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail};

use crate::compiled;

/// The programs, benches and examples that the measures need, built by a single command. Built one
/// by one, some would be compiled twice, with other features of their common dependencies.
pub struct Programs {
    root: PathBuf,
    python: String,
    /// By the option and name of their target, such as `--bench search`.
    executables: BTreeMap<String, PathBuf>,
}

impl Programs {
    /// Builds them with every optimisation.
    pub fn build(root: &Path, python: &str, lines: &[&str]) -> Result<Self> {
        let executables = compiled::programs(root, compiled::OPTIMISED, &targets(lines))?;
        Ok(Self { root: root.to_owned(), python: python.to_owned(), executables })
    }

    /// The output of each run of the line. There is none if the line belongs to a peer and fails,
    /// which is reported.
    pub fn run(&self, line: &str) -> Result<Vec<String>> {
        let ours = ["cargo ", "wurfel "].iter().any(|first| line.starts_with(first));
        let outputs: Result<Vec<String>> = (0..times(line)).map(|_| self.output(line)).collect();
        match outputs {
            Ok(outputs) => Ok(outputs),
            Err(error) if ours => Err(error.context(format!("`{line}`"))),
            Err(error) => {
                eprintln!("  not at hand: {error:#}");
                Ok(vec![])
            }
        }
    }

    fn output(&self, line: &str) -> Result<String> {
        // Matches refuse or continue the files of an earlier run, so these are removed.
        let folder = self.root.join("target/figures");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let (program, arguments) = self.command(line)?;
        let mut command = Command::new(&program);
        command.args(arguments).current_dir(&self.root).env("PATH", self.path()?);
        let output = command.stdin(Stdio::null()).output();
        let output = output.with_context(|| format!("{} cannot be started", program.display()))?;
        said(&output)
    }

    /// The program of a line with its arguments.
    fn command(&self, line: &str) -> Result<(PathBuf, Vec<String>)> {
        let words = shlex::split(line).with_context(|| format!("not a line of a shell: {line}"))?;
        let python = |word: String| if word == "PYTHON" { self.python.clone() } else { word };
        let mut words: Vec<String> = words.into_iter().map(python).collect();
        if words[0] != "cargo" {
            let program = words.remove(0);
            return Ok((program.into(), words));
        }
        let target = target(line).with_context(|| format!("which program does it run? {line}"))?;
        let executable = self.executables.get(&target);
        let executable = executable.with_context(|| format!("cargo has not built '{target}'"))?;
        let behind = words.iter().position(|word| word == "--").map_or(words.len(), |at| at + 1);
        let mut arguments = words.split_off(behind);
        if target.starts_with("--bench ") {
            arguments.push("--bench".into());
        }
        Ok((executable.clone(), arguments))
    }

    /// The search path for programs, in which `wurfel` is the one that was built.
    fn path(&self) -> Result<OsString> {
        let folder =
            self.executables.get(WURFEL).and_then(|path| path.parent()).map(Path::to_owned);
        let others = env::var_os("PATH").unwrap_or_default();
        Ok(env::join_paths(folder.into_iter().chain(env::split_paths(&others)))?)
    }
}

/// How often a line is run. The other lines repeat their measurements themselves.
fn times(line: &str) -> usize {
    if line.contains("wurfel ") && !line.starts_with("cargo ") { 3 } else { 1 }
}

/// The standard output of a program, if it succeeded.
fn said(output: &Output) -> Result<String> {
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let last = errors.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no word");
        bail!("{}: {}", output.status, last.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

const WURFEL: &str = "--bin wurfel";

/// The packages and targets of the lines, as options of cargo.
fn targets(lines: &[&str]) -> Vec<String> {
    let mut options = BTreeSet::new();
    for line in lines {
        if line.starts_with("cargo ") {
            options.extend(option(line, "-p"));
            options.extend(target(line));
        } else if line.contains("wurfel ") {
            options.extend(["-p wurfel".to_owned(), WURFEL.to_owned()]);
        }
    }
    options.iter().flat_map(|option| option.split(' ')).map(str::to_owned).collect()
}

/// The target of a line of cargo.
fn target(line: &str) -> Option<String> {
    option(line, "--bench").or_else(|| option(line, "--example"))
}

/// The value of an option, if the option comes before those of the program.
fn option(line: &str, name: &str) -> Option<String> {
    let words: Vec<&str> = line.split(' ').take_while(|&word| word != "--").collect();
    let pair = words.windows(2).find(|pair| pair[0] == name)?;
    Some(pair.join(" "))
}

#[cfg(test)]
mod tests {
    use super::super::measure::Measure;
    use super::super::measures::MEASURES;
    use super::*;

    fn programs() -> Programs {
        let executables = [
            ("--bench search", "/t/search-1"),
            ("--example compare", "/t/compare"),
            (WURFEL, "/t/wurfel"),
        ];
        let executables = executables.map(|(target, path)| (target.to_owned(), path.into())).into();
        Programs { root: "/".into(), python: "/venv/bin/python".into(), executables }
    }

    fn command(line: &str) -> Result<String> {
        let (program, arguments) = programs().command(line)?;
        Ok(format!("{} {}", program.display(), arguments.join(" ")))
    }

    #[test]
    fn a_line_becomes_the_program_that_was_built() -> Result<()> {
        let bench = "cargo bench -p wurfel-arena --bench search -- '^search::random_games$'";
        assert_eq!(command(bench)?, "/t/search-1 ^search::random_games$ --bench");
        let compare = "cargo run -p wurfel-net --example compare -- PYTHON paper";
        assert_eq!(command(compare)?, "/t/compare /venv/bin/python paper");
        assert_eq!(command("wurfel bench --json")?, "wurfel bench --json");
        assert_eq!(command("PYTHON a.py")?, "/venv/bin/python a.py");
        Ok(())
    }

    #[test]
    fn what_was_not_built_is_named() {
        let complaint = |line| command(line).unwrap_or_else(|error| error.to_string());
        assert_eq!(complaint("cargo bench --bench net"), "cargo has not built '--bench net'");
        assert_eq!(complaint("cargo bench"), "which program does it run? cargo bench");
    }

    #[test]
    fn what_is_built_is_what_the_lines_need() {
        let lines = [
            "cargo bench -p wurfel-arena --bench search -- '^search::uct'",
            "cargo run --release -p wurfel-net --example compare -- PYTHON paper",
            "cargo bench -p wurfel-arena --bench search -- '^search::random_games'",
            "PYTHON xtask/src/figures/openspiel.py",
        ];
        let benches = "--bench search --example compare -p wurfel-arena -p wurfel-net";
        assert_eq!(targets(&lines).join(" "), benches);
        assert_eq!(targets(&["taskset -c 0 wurfel bench"]).join(" "), "--bin wurfel -p wurfel");
    }

    #[test]
    fn all_lines_of_cargo_name_a_package_and_a_target() {
        for source in MEASURES.iter().flat_map(Measure::sources) {
            let line = source.line;
            assert!(!line.starts_with("cargo ") || target(line).and(option(line, "-p")).is_some());
        }
    }

    #[test]
    fn a_peer_that_is_not_installed_is_no_error_and_our_own_failure_is() {
        let programs = programs();
        assert!(programs.run("no-such-program-here --version").is_ok_and(|all| all.is_empty()));
        assert!(programs.run("false now").is_ok_and(|all| all.is_empty()));
        let ours =
            programs.run("cargo bench --bench search -- x").map_err(|error| format!("{error:#}"));
        let told = "`cargo bench --bench search -- x`: /t/search-1 cannot be started: ";
        assert!(ours.as_ref().is_err_and(|error| error.starts_with(told)), "{ours:?}");
    }
}
