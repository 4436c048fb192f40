//! Ctrl-C and SIGTERM, with which service managers end a program, do the same.

#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::program::{Run, command, ended, has_worked, hears, send};

const START: &str = "ABC2/DE3/F3f/3ed/2cba r 4 1";

fn run_of(child: Child) -> Run {
    ended(child.wait_with_output().unwrap())
}

#[test]
fn work_that_is_told_to_stop_shows_what_it_has() {
    for signal in ["INT", "TERM"] {
        let child = command(&["analyse", START, "--depth", "40", "--json"]).spawn().unwrap();
        has_worked(&child, Duration::from_secs(1));
        send(&child, signal);
        let run = run_of(child);
        assert_eq!((run.code, run.json().len()), (130, 1), "{signal}: {}", run.err);
    }
}

#[test]
fn a_second_signal_ends_what_does_not_stop() {
    let folder = tempfile::tempdir().unwrap();
    for signals in [["INT", "INT"], ["TERM", "TERM"], ["INT", "TERM"]] {
        let path = folder.path().join(signals.concat());
        // Labelling stops only between two games, and at this depth no game ever ends.
        let path = path.to_str().unwrap();
        let args = ["train", "positions", path, "--games", "2", "--depth", "60"];
        let mut child = command(&args).spawn().unwrap();
        has_worked(&child, Duration::from_millis(300));
        send(&child, signals[0]);
        has_worked(&child, Duration::from_secs(1));
        assert!(child.try_wait().unwrap().is_none(), "it has stopped");
        send(&child, signals[1]);
        let run = run_of(child);
        assert_eq!((run.code, run.err.as_str()), (130, ""), "{signals:?}");
    }
}

#[test]
fn what_waits_for_input_ends_at_once() {
    for args in [&["play", "--dice", "typed"][..], &["moves", "-"]] {
        for signal in ["INT", "TERM"] {
            let mut child = command(args).stdin(Stdio::piped()).spawn().unwrap();
            let stdin = child.stdin.take();
            hears(&child);
            send(&child, signal);
            assert_eq!(run_of(child).code, 130, "{args:?} {signal}");
            drop(stdin);
        }
    }
}

/// A run that reacted to SIGHUP would not survive the end of its terminal under `nohup`.
#[test]
fn what_outlives_its_terminal_goes_on() {
    let line = "trap '' HUP; exec \"$0\" moves -";
    let mut child = std::process::Command::new("sh")
        .args(["-c", line, env!("CARGO_BIN_EXE_wurfel")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    hears(&child);
    send(&child, "HUP");
    drop(child.stdin.take());
    assert_eq!(run_of(child).code, 0);
}

#[test]
fn the_site_ends_with_a_signal() {
    for signal in ["INT", "TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().to_str().unwrap();
        let mut child = command(&["serve", "--port", "0", "--data", data]).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("http://"), "{line}");
        send(&child, signal);
        let run = run_of(child);
        assert_eq!((run.code, run.err.as_str()), (130, ""), "{signal}");
    }
}
