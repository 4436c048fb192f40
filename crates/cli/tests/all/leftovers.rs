//! Whatever ends the program, nothing that it has started goes on running.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Child, Command};

use serde_json::json;

use crate::program::site::{Site, agent, id};
use crate::program::{command, send, wait_until};

/// Every signal that ends a program and can be sent to any. A program that is told to ignore `HUP` (`nohup`) tells it
/// those that it starts, which then do not end by it: so the tests may have been started.
fn signals() -> &'static [&'static str] {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap().trim();
    let ignores_hup = u64::from_str_radix(mask, 16).unwrap() & 1 == 1;
    &["HUP", "INT", "TERM", "KILL"][usize::from(ignores_hup)..]
}

/// The command of a program that reacts neither to the end of its input nor to signals. It has started
/// another one like it, which has a session of its own and whose parent has ended.
fn stubborn(folder: &Path) -> String {
    let folder = folder.display();
    // What it runs has the folder in its command line.
    let deaf = format!("trap '' HUP INT TERM; touch {folder}/there; exec tail -f {folder}/there");
    std::fs::write(format!("{folder}/child"), &deaf).unwrap();
    let engine = format!("(setsid sh {folder}/child &)\n{deaf}");
    std::fs::write(format!("{folder}/engine"), engine).unwrap();
    format!("sh {folder}/engine")
}

/// How many processes run in a folder.
fn running(folder: &Path) -> usize {
    let folder = folder.display().to_string();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    let is_there = |line: &Vec<u8>| {
        line.starts_with(b"tail\0") && String::from_utf8_lossy(line).contains(&folder)
    };
    lines.filter(is_there).count()
}

/// Sends a signal to the program once the other one is there with its child, waits for its end, and then for theirs.
fn nothing_is_left(mut child: Child, folder: &Path, signal: &str) {
    wait_until(|| running(folder) == 2);
    send(&child, signal);
    child.wait().unwrap();
    wait_until(|| running(folder) == 0);
}

#[test]
fn commands_that_start_programs_leave_none_behind() {
    for &signal in signals() {
        let folder = tempfile::tempdir().unwrap();
        let program = stubborn(folder.path());
        let engine = format!("cmd:\"{program}\",start=1000s");
        for args in [
            &["match", &engine, "greedy", "--pairs", "1"][..],
            &["check-engine", &program, "--patience", "1000s"],
            &["analyse", "ABC2/DE3/F3f/3ed/2cba r 4 1", "--agent", &engine],
            &["engine", &engine],
        ] {
            let input =
                if args[0] == "engine" { "position startpos moves @4\ngo depth 1\n" } else { "" };
            let mut child = command(args).stdin(std::process::Stdio::piped()).spawn().unwrap();
            let mut stdin = child.stdin.take().unwrap();
            std::io::Write::write_all(&mut stdin, input.as_bytes()).unwrap();
            nothing_is_left(child, folder.path(), signal);
        }
    }
}

#[test]
fn the_site_leaves_no_programs_behind() {
    for &signal in signals() {
        let folder = tempfile::tempdir().unwrap();
        let offer = format!("deaf=\"{}\",start=1000s,game=einstein", stubborn(folder.path()));
        let site = Site::serve(&folder.path().join("data"), &["--engine", &offer]);
        let players = [agent("deaf"), agent("greedy")];
        let (room, _) = site.open(&json!({ "game": "einstein", "players": players }));
        let socket = site.socket(&format!("/api/rooms/{}/live", id(&room)), None).unwrap();
        wait_until(|| running(folder.path()) == 2);
        let process = site.process().to_string();
        assert!(Command::new("kill").args(["-s", signal, &process]).status().unwrap().success());
        drop(socket);
        wait_until(|| running(folder.path()) == 0);
    }
}
