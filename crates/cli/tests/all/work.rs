//! `wurfel work`: units in processes of their own, killed and run twice.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::{Run, command, wait_until, wurfel};
#[cfg(unix)]
use crate::program::{ended, hears, send};

const JOB: &str = "kind = 'match'\nagents = ['expecti:depth=2', 'greedy']\npairs = 120\nunits = 40\nluck = false\n";

/// Runs `wurfel work` with these words.
fn work(words: &[&str]) -> Run {
    wurfel(&[&["work"], words].concat())
}

/// A folder with a job and its plan.
struct Plan {
    folder: tempfile::TempDir,
}

impl Plan {
    fn new(job: &str) -> Self {
        let plan = Self { folder: tempfile::tempdir().unwrap() };
        fs::write(plan.folder.path().join("job.toml"), job).unwrap();
        let run = work(&["plan", &plan.text("job.toml"), "--out", &plan.text("plan")]);
        assert_eq!(run.code, 0, "{}", run.err);
        plan
    }

    fn text(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn units(&self) -> PathBuf {
        self.folder.path().join("plan/units")
    }

    /// How many units are done.
    fn done(&self) -> usize {
        let names = fs::read_dir(self.units()).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().ends_with(".json")).count()
    }

    /// The files of the result.
    fn merged(&self) -> BTreeMap<String, Vec<u8>> {
        let run = work(&["merge", &self.text("plan"), "--json"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let output: Value = serde_json::from_str(&run.out).unwrap();
        let files = output["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap());
        files
            .map(|file| {
                let name = Path::new(file).file_name().unwrap().to_str().unwrap().to_owned();
                (name, fs::read(file).unwrap())
            })
            .collect()
    }
}

#[test]
fn workers_that_are_killed_and_do_units_twice_give_the_games_of_one_match() {
    let plan = Plan::new(JOB);
    let folder = plan.text("plan");
    for _ in 0..4 {
        let there = plan.done();
        // Two that do the same units at the same time.
        let mut workers = [1, 2].map(|_| {
            command(&["work", "run", &folder, "--missing", "--jobs", "1"]).spawn().unwrap()
        });
        wait_until(|| {
            plan.done() > there
                || workers.iter_mut().all(|child| child.try_wait().unwrap().is_some())
        });
        for worker in &mut workers {
            worker.kill().unwrap();
            worker.wait().unwrap();
        }
    }
    assert!(plan.done() < 40, "they were killed too late");
    let refused = work(&["merge", &folder]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("of 40 units are missing, the first of them "), "{}", refused.err);
    assert_eq!(work(&["run", &folder, "--missing"]).code, 0);
    let status = work(&["status", &folder]);
    assert_eq!(status.out, "40 of 40 units are done\n");

    let games = plan.text("games.jsonl");
    let whole = ["expecti:depth=2", "greedy", "--pairs", "120", "--out", &games];
    assert_eq!(wurfel(&[&["match"], &whole[..]].concat()).code, 0);
    let merged = plan.merged();
    assert!(merged["games.jsonl"] == fs::read(&games).unwrap());
    assert_eq!(plan.merged(), merged);
}

#[test]
fn units_are_told_and_what_cannot_be_done_is_refused_in_one_line() {
    let plan = Plan::new(&JOB.replace("120", "12").replace("40", "4"));
    let folder = plan.text("plan");
    let run = work(&["run", &folder, "--unit", "3", "--unit", "0", "--json", "--jobs", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let output: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!([&output[0]["unit"], &output[1]["unit"]], [3, 0]);
    let status: Value = serde_json::from_str(&work(&["status", &folder, "--json"]).out).unwrap();
    assert_eq!(status["missing"], serde_json::json!([1, 2]));
    let nowhere = plan.text("nowhere");
    for (words, code, expected) in [
        (&["run", &folder, "--unit", "4"][..], 2, "unit 4: expected one from 0 to 3"),
        (&["run", &nowhere, "--missing"], 1, "nowhere/plan.json': No such file"),
        (&["plan", &nowhere, "--out", &folder], 1, "nowhere': No such file"),
        (&["run", &folder], 2, "missing --unit <UNIT>"),
    ] {
        let run = work(words);
        assert_eq!((run.code, run.err.lines().count()), (code, 1), "{words:?}: {}", run.err);
        assert!(run.err.contains(expected), "{words:?}: {}", run.err);
    }
    fs::write(plan.folder.path().join("job.toml"), "kind = 'match'\nagents = 3").unwrap();
    let run = work(&["plan", &plan.text("job.toml"), "--out", &plan.text("other")]);
    assert_eq!((run.code, run.err.lines().count()), (2, 1), "{}", run.err);
    assert!(run.err.contains("job.toml': line "), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn ctrl_c_gives_up_the_unit_in_hand_and_says_how_to_go_on() {
    let plan = Plan::new(
        "kind = 'match'\nagents = ['expecti:depth=6', 'expecti:depth=6']\npairs = 4000\nunits = 1",
    );
    let folder = plan.text("plan");
    let worker = command(&["work", "run", &folder, "--missing", "--jobs", "1"]).spawn().unwrap();
    hears(&worker);
    // The program listens from the start; until it works, the signal ends it at once.
    send(&worker, "INT");
    let run = ended(worker.wait_with_output().unwrap());
    assert_eq!((run.code, plan.done()), (130, 0), "{}", run.err);
}
