//! The stored verdicts, decided once more by a program that shares no code with ours.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// What `verdicts.py` says of the experiments in a folder; `None` where there is no Python that reads
/// TOML (3.11).
fn decided(folder: &Path) -> Option<Output> {
    let python = std::env::var("WURFEL_PYTHON").unwrap_or_else(|_| "python3".into());
    let reads = Command::new(&python).args(["-c", "import tomllib"]).output();
    if !reads.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: {python} has no tomllib");
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verdicts.py");
    Some(Command::new(python).arg(script).arg(folder).output().unwrap())
}

#[test]
fn another_program_decides_every_stored_claim_alike() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let Some(output) = decided(&stored) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn it_finds_a_verdict_and_a_figure_that_were_changed() {
    let stored =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/dice-chess-agents/figure-6");
    let copy = tempfile::tempdir().unwrap();
    let folder = copy.path().join("p/t");
    fs::create_dir_all(&folder).unwrap();
    let text = |name: &str| fs::read_to_string(stored.join(name)).unwrap();
    for name in ["experiment.toml", "paper.csv", "result.csv", "run.json"] {
        fs::write(folder.join(name), text(name)).unwrap();
    }
    let [record, table] = ["run.json", "result.csv"].map(text);
    // The figures of a summary are at the end of the table.
    let row = table.lines().find(|line| line.contains("all depths\",win rate,")).unwrap();
    for (name, changed, expected) in [
        ("run.json", record.replacen("\"holds\"", "\"fails\"", 1), "holds, not"),
        ("result.csv", table.replace(row, &row.replace("win rate,0.", "win rate,0.1")), "is (0."),
    ] {
        fs::write(folder.join(name), changed).unwrap();
        let Some(output) = decided(copy.path()) else { return };
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(!output.status.success() && stdout.contains(expected), "{name}: {stdout}");
        fs::write(folder.join(name), text(name)).unwrap();
    }
}
