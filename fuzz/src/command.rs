//! The command line of the runner.

use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::time::{Duration, Instant};
use std::{env, fs};

use crate::runner::{Settings, fuzz, last_execution, note_execution};
use crate::{TARGETS, Target, run};

const USAGE: &str = "\
usage: wurfel-fuzz TARGET|all [--seconds N] [--executions N] [--seed N] [--from N] [--jobs N]
       wurfel-fuzz TARGET FILE...

Runs a target over its corpus and random mutations of it, a minute if nothing is said, or over
files. `all` runs every target, --jobs of them in parallel. The same seed gives the same inputs;
--from N begins with execution N, where a run of N executions ended.";

/// The parsed command line.
struct Arguments {
    targets: Vec<&'static Target>,
    files: Vec<String>,
    settings: Settings,
    jobs: usize,
    /// The file for the number of the running execution, in a process that another one watches.
    note: Option<String>,
}

/// Runs the command line: the exit code is 0 when no target broke, 1 when one did, 2 when the
/// command line is wrong.
pub fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let Some(arguments) = read(&words) else {
        eprintln!("{USAGE}\n\ntargets:");
        for target in &TARGETS {
            eprintln!("  {:12} {}", target.name, target.about);
        }
        return ExitCode::from(2);
    };
    match arguments.run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn read(words: &[String]) -> Option<Arguments> {
    let (name, mut rest) = words.split_first()?;
    let targets: Vec<&'static Target> =
        TARGETS.iter().filter(|target| name == "all" || name == target.name).collect();
    let settings = Settings { executions: None, time: None, from: 0, seed: 1 };
    let mut arguments = Arguments { targets, files: vec![], settings, jobs: 1, note: None };
    while let Some((word, others)) = rest.split_first() {
        rest = others;
        if !word.starts_with("--") {
            arguments.files.push(word.clone());
            continue;
        }
        let (value, others) = rest.split_first()?;
        rest = others;
        let number = || value.parse::<u64>().ok();
        match word.as_str() {
            "--seconds" => arguments.settings.time = Some(Duration::from_secs(number()?)),
            "--executions" => arguments.settings.executions = Some(number()?),
            "--seed" => arguments.settings.seed = number()?,
            "--from" => arguments.settings.from = number()?,
            "--jobs" => arguments.jobs = number()?.clamp(1, 64) as usize,
            "--note" => arguments.note = Some(value.clone()),
            _ => return None,
        }
    }
    let Settings { executions, time, .. } = &mut arguments.settings;
    if executions.is_none() && time.is_none() {
        *time = Some(Duration::from_mins(1));
    }
    (!arguments.targets.is_empty()).then_some(arguments)
}

impl Arguments {
    /// False when a target broke.
    fn run(&self) -> io::Result<bool> {
        if let (Some(note), &[target]) = (&self.note, self.targets.as_slice()) {
            let start = Instant::now();
            let done = fuzz(target, self.settings, Path::new(note))?;
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{:12} {done:>12} executions from {} with seed {}, {:.0} a second",
                target.name,
                self.settings.from,
                self.settings.seed,
                done as f64 / seconds.max(1e-3)
            );
            return Ok(true);
        }
        if !self.files.is_empty() {
            for file in &self.files {
                let input = fs::read(file)?;
                self.targets.iter().for_each(|target| run(target, &input));
                println!("{file}: passed");
            }
            return Ok(true);
        }
        self.run_watched()
    }

    /// Runs each target in a process of its own, which it may take down.
    fn run_watched(&self) -> io::Result<bool> {
        let notes = tempfile::tempdir()?;
        let mut whole = true;
        let mut running: Vec<(&'static Target, Child)> = vec![];
        let mut waiting = self.targets.iter();
        loop {
            while running.len() < self.jobs
                && let Some(&target) = waiting.next()
            {
                running.push((target, self.start(target, &notes.path().join(target.name))?));
            }
            if running.is_empty() {
                return Ok(whole);
            }
            std::thread::sleep(Duration::from_millis(20));
            let mut ended: Vec<(&Target, ExitStatus)> = vec![];
            for (target, child) in &mut running {
                ended.extend(child.try_wait()?.map(|status| (*target, status)));
            }
            running.retain(|(target, _)| ended.iter().all(|(other, _)| other.name != target.name));
            for (target, status) in ended {
                whole &= status.success();
                let number = last_execution(&notes.path().join(target.name));
                if status.code().is_none()
                    && let Some(number) = number
                {
                    let how = format!("ended the process with {status}");
                    note_execution(target, number, self.settings.seed, &how)?;
                }
            }
        }
    }

    fn start(&self, target: &Target, note: &Path) -> io::Result<Child> {
        let Settings { executions, time, from, seed } = self.settings;
        let mut command = Command::new(env::current_exe()?);
        command.arg(target.name).arg("--note").arg(note);
        command.args(["--from", &from.to_string(), "--seed", &seed.to_string()]);
        if let Some(executions) = executions {
            command.args(["--executions", &executions.to_string()]);
        }
        if let Some(time) = time {
            command.args(["--seconds", &time.as_secs().to_string()]);
        }
        command.spawn()
    }
}
