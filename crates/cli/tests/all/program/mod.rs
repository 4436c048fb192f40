//! Runs the real program.

pub mod site;

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

/// The output and the exit code of a run of the program.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wurfel"));
    // The tests must not read the tables of the user who runs them.
    command.env("WURFEL_TABLES", concat!(env!("CARGO_TARGET_TMPDIR"), "/tables"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub fn ended(output: Output) -> Run {
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
        err: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
    }
}

pub fn wurfel(args: &[&str]) -> Run {
    ended(command(args).output().expect("the program runs"))
}

/// Runs the program with `input` on standard input.
pub fn wurfel_with(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    let mut child = command(args).stdin(Stdio::piped()).spawn().expect("the program runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.as_ref().to_vec();
    // Written from another thread, so that neither side waits for the other.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let run = ended(child.wait_with_output().expect("the program ends"));
    let _ = writer.join();
    run
}

/// The words of a shell for a filter that adds each line to a file before it passes it on. (`tee` passes
/// a line on first, and may be ended before it has written it.)
pub fn noting(log: &Path) -> String {
    let filter = log.with_added_extension("sh");
    let text = "while IFS= read -r line; do printf '%s\n' \"$line\" >> \"$1\"; printf '%s\n' \"$line\"; done\n";
    std::fs::write(&filter, text).unwrap();
    format!("sh {} {}", filter.display(), log.display())
}

/// Sends a process a signal: `INT` is what Ctrl-C sends.
pub fn send(child: &Child, signal: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", signal, &id]).status().expect("a program kill");
    assert!(sent.success());
}

/// Waits until a condition holds, however long that takes.
pub fn wait_until(mut is_so: impl FnMut() -> bool) {
    while !is_so() {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The content of a file about a process under /proc.
fn entry(child: &Child, file: &str) -> Option<String> {
    std::fs::read_to_string(format!("/proc/{}/{file}", child.id())).ok()
}

/// Waits until a process handles SIGINT; for two seconds where the system does not tell.
pub fn hears(child: &Child) {
    const SIGINT: u64 = 1 << 1;
    if entry(child, "status").is_none() {
        std::thread::sleep(Duration::from_secs(2));
    }
    wait_until(|| {
        let Some(status) = entry(child, "status") else { return true };
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        caught.is_none_or(|mask| mask & SIGINT > 0)
    });
}

/// Waits until a process has used this much CPU time, however long that takes on a busy machine, or
/// has ended. Where the system does not tell, it waits for the same time on the clock.
pub fn has_worked(child: &Child, time: Duration) {
    if entry(child, "stat").is_none() {
        std::thread::sleep(time);
    }
    wait_until(|| {
        let Some(stat) = entry(child, "stat") else { return true };
        // The first field after the name in brackets is the state, Z when the process has ended;
        // the 12th and 13th are hundredths of a second.
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
        let ticks = fields.iter().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok());
        fields.first() == Some(&"Z") || Duration::from_millis(10 * ticks.sum::<u64>()) >= time
    });
}

impl Run {
    /// The answers, one JSON value a line.
    pub fn json(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).expect("JSON");
        self.out.lines().map(parse).collect()
    }

    /// Asserts that the system refused something: exit code 1 and one line.
    pub fn refused_by_system(&self, message: &str) {
        assert_eq!((self.code, self.out.as_str()), (1, ""), "{}", self.err);
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        assert!(self.err.contains(message), "'{message}' is not in: {}", self.err);
    }

    /// Asserts that the input was refused: exit code 2, nothing on standard output, and one line
    /// of error that contains `message`.
    pub fn refused(&self, message: &str) {
        assert_eq!((self.code, self.out.as_str()), (2, ""), "{}", self.err);
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        assert!(self.err.contains(message), "'{message}' is not in: {}", self.err);
    }
}
