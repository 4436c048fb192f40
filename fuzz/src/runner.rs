//! Runs one target over many inputs in this process, and saves the input that breaks it.
//!
//! A panic is caught. An execution that takes too long is seen by a watchdog. What kills the whole
//! process (a stack overflow, lack of memory) is found by the process that started this one: a file
//! has the number of the running execution, from which the input is made again.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use wurfel_core::checksum_text;

use crate::mutate::Mutator;
use crate::{Target, run};

/// An execution that takes longer is a defect.
const MAX_TIME: Duration = Duration::from_secs(20);

/// How long a target runs, and with what.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Maximum number of executions; `None` for no limit.
    pub executions: Option<u64>,
    /// Maximum time; `None` for no limit.
    pub time: Option<Duration>,
    /// The number of the first execution.
    pub from: u64,
    /// The seed of all mutations.
    pub seed: u64,
}

/// The folder of this package, where the corpora are and what breaks a target is put.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The corpus of a target, in the order of its file names.
///
/// # Errors
/// When the folder cannot be read.
pub fn corpus(target: &Target) -> io::Result<Vec<Vec<u8>>> {
    let folder = folder().join("corpus").join(target.name);
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    paths.iter().map(fs::read).collect()
}

/// Saves an input that broke a target, and returns its path.
///
/// # Errors
/// When it cannot be written.
pub fn keep(target: &Target, input: &[u8]) -> io::Result<PathBuf> {
    let folder = folder().join("artifacts").join(target.name);
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("crash-{}", checksum_text(input)));
    fs::write(&path, input)?;
    Ok(path)
}

/// The number of the execution that was running when a process ended.
pub fn last_execution(note: &Path) -> Option<u64> {
    Some(u64::from_le_bytes(fs::read(note).ok()?.try_into().ok()?))
}

/// Runs a target, and returns how many executions there were; `note` gets the number of each
/// before it begins. Ends the process at the first input that breaks the target.
///
/// # Errors
/// When a file cannot be read or written.
pub fn fuzz(target: &'static Target, settings: Settings, note: &Path) -> io::Result<u64> {
    let Settings { executions, time, from, seed } = settings;
    let mutator = Arc::new(Mutator::new(corpus(target)?, seed));
    let note = OpenOptions::new().write(true).create(true).truncate(true).open(note)?;
    let running = Arc::new(AtomicU64::new(from));
    watch(target, &mutator, &running);
    let start = Instant::now();
    let mut done = 0;
    while executions.is_none_or(|most| done < most)
        && time.is_none_or(|most| start.elapsed() < most)
    {
        execute(target, &mutator, from + done, &running, &note)?;
        done += 1;
    }
    Ok(done)
}

fn execute(
    target: &Target,
    mutator: &Mutator,
    number: u64,
    running: &AtomicU64,
    mut note: &File,
) -> io::Result<()> {
    note.rewind()?;
    note.write_all(&number.to_le_bytes())?;
    running.store(number, Ordering::Relaxed);
    let input = mutator.input(number);
    if catch_unwind(AssertUnwindSafe(|| run(target, &input))).is_err() {
        broken(target, number, &input, "panicked");
    }
    Ok(())
}

/// Ends the process when the same execution runs for too long.
fn watch(target: &'static Target, mutator: &Arc<Mutator>, running: &Arc<AtomicU64>) {
    let (mutator, running) = (Arc::clone(mutator), Arc::clone(running));
    thread::spawn(move || {
        loop {
            let before = running.load(Ordering::Relaxed);
            thread::sleep(MAX_TIME);
            if running.load(Ordering::Relaxed) == before {
                broken(target, before, &mutator.input(before), "took too long");
            }
        }
    });
}

/// Saves and reports the input of an execution, and ends the process.
fn broken(target: &Target, number: u64, input: &[u8], how: &str) -> ! {
    report(target, number, input, how);
    exit(1)
}

fn report(target: &Target, number: u64, input: &[u8], how: &str) {
    let name = target.name;
    match keep(target, input) {
        Ok(path) => {
            let path = path.display();
            eprintln!("{name}: execution {number} {how}; its input is {path}");
            eprintln!("run it again: cargo run -p wurfel-fuzz -- {name} {path}");
        }
        Err(error) => eprintln!("{name}: execution {number} {how}; not saved: {error}"),
    }
}

/// Saves the input of an execution that ended another process.
///
/// # Errors
/// When the corpus cannot be read.
pub fn note_execution(target: &Target, number: u64, seed: u64, how: &str) -> io::Result<()> {
    report(target, number, &Mutator::new(corpus(target)?, seed).input(number), how);
    Ok(())
}
