//! The site when something goes wrong: disks, kills, clients that do not read.

use std::fs::File;
use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::program::site::{Site, id, person};
use crate::program::wurfel;
use serde_json::{Value, json};

/// A time after which everything expected must have happened, however busy the machine is.
const PATIENCE: Duration = Duration::from_mins(10);

fn together(clock: &Value) -> Value {
    json!({ "game": "einstein", "players": [person(), person()], "clock": clock })
}

fn until(what: &str, mut happened: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !happened() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn steps(room: &Value) -> usize {
    room["steps"].as_array().expect("moves").len()
}

/// Plays a move; returns the status.
fn step(site: &Site, id: &str, token: &str) -> u16 {
    let room = site.get(&format!("/api/rooms/{id}")).json();
    let mv = room["scene"]["moves"][0]["text"].clone();
    site.act(id, token, &json!({ "do": "move", "move": mv })).status
}

/// Starts a site as if the disk were nearly full: files may have at most this many kilobytes, and a
/// write beyond that fails instead of ending the program.
#[cfg(target_os = "linux")]
fn limited(kilobytes: u32, errors: File) -> Command {
    let mut command = Command::new("bash");
    let script = format!("trap '' XFSZ; ulimit -S -f {kilobytes}; exec \"$@\"");
    command.args(["-c", &script, "bash", env!("CARGO_BIN_EXE_wurfel")]).stderr(errors);
    command
}

#[cfg(target_os = "linux")]
#[test]
fn after_a_full_disk_every_game_goes_on_where_the_disk_says_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let errors = folder.path().join("errors");
    let data = folder.path().join("data");
    let site =
        Site::start(limited(400, File::create(&errors).unwrap()), &data, &["--rate", "1000"]);
    let mut games: Vec<(String, String, usize)> = (0..12)
        .map(|_| {
            let (room, token) = site.open(&together(&Value::Null));
            (id(&room), token, 0)
        })
        .collect();
    // A spectator keeps each room in memory.
    let looking: Vec<_> = games
        .iter()
        .map(|(id, ..)| site.socket(&format!("/api/rooms/{id}/live"), None).unwrap())
        .collect();
    let mut refused = 0;
    'full: for _ in 0..1000 {
        for (id, token, played) in &mut games {
            match step(&site, id, token) {
                200 => *played += 1,
                503 => refused += 1,
                other => panic!("{other}"),
            }
            if refused == 24 {
                break 'full;
            }
        }
    }
    assert_eq!(refused, 24, "the disk is never full");
    for (id, _, played) in &games {
        let path = format!("/api/rooms/{id}");
        until("a refused move stays in memory", || steps(&site.get(&path).json()) == *played);
        assert_eq!(steps(&site.get(&format!("{path}/record")).json()), *played);
    }
    let message = std::fs::read_to_string(&errors).unwrap();
    assert!(message.starts_with("wurfel: games are not saved, "), "{message}");
    assert!(message.lines().count() < 12, "{message}");
    let process = site.process().to_string();
    let raised = Command::new("prlimit").args(["--pid", &process, "--fsize=unlimited"]).status();
    assert!(raised.unwrap().success());
    for (id, token, played) in &mut games {
        until("a game does not go on", || step(&site, id, token) == 200);
        *played += 1;
    }
    drop(looking);
    site.kill();
    let site = Site::serve(&data, &[]);
    for (id, _, played) in &games {
        assert_eq!(steps(&site.get(&format!("/api/rooms/{id}")).json()), *played);
    }
}

#[test]
fn a_second_server_on_the_same_games_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let refused = wurfel(&["serve", "--data", data]);
    refused.refused(&format!("is used by another server, which listens at http://{}/", site.host));
    site.kill();
    // The lock of a server that was killed stops nobody.
    Site::serve(folder.path(), &[]);
}

#[test]
fn a_clock_goes_on_after_a_kill_with_what_it_had_and_ends_while_nobody_looks() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let (room, _) = site.open(&together(&json!({ "seconds": 6 })));
    let path = format!("/api/rooms/{}", id(&room));
    let left = |site: &Site| site.get(&path).json()["clock"]["left_ms"][0].as_u64().unwrap();
    until("the clock stands still", || left(&site) < 4000);
    site.kill();
    let site = Site::serve(folder.path(), &[]);
    assert!(left(&site) < 5000, "{} ms", left(&site));
    // Listing the games does not load the room.
    until("nobody minds the clock", || site.get("/api/rooms").json()[0]["over"] == true);
    assert_eq!(site.get(&path).json()["end"]["reason"], "time");
}

#[test]
fn a_client_that_reads_nothing_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &["--rate", "10000"]);
    let mut stream = site.connect();
    let request = format!("GET /api/games HTTP/1.1\r\nhost: {}\r\n\r\n", site.host);
    // More than the system's buffers hold for a client that does not read.
    stream.set_nonblocking(true).unwrap();
    until("it is still connected", || {
        let written = (0..100).try_for_each(|_| stream.write_all(request.as_bytes()));
        written.is_err_and(|error| error.kind() != std::io::ErrorKind::WouldBlock)
    });
}

#[cfg(target_os = "linux")]
#[test]
fn many_readers_of_a_large_run_share_a_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    std::fs::create_dir(&runs).unwrap();
    let mut file = File::create(runs.join("large.jsonl.part")).unwrap();
    let header = r#"{"format":"wurfel-games","version":1,"program":"0","game":"einstein","agents":["a","b"],"pairs":9999,"seed":1}"#;
    let moves = " @1 a5b4".repeat(60);
    let games = (0..50_000).map(|number| {
        let (pair, game) = (number / 2, number % 2);
        let result = r#""result":"1-0","plies":60"#;
        format!(
            "{{\"pair\":{pair},\"game\":{game},\"first\":{game},\"start\":\"\",\"moves\":\"{moves}\",{result}}}\n"
        )
    });
    let text: String = std::iter::once(format!("{header}\n")).chain(games).collect();
    assert!(text.len() > 25_000_000);
    file.write_all(text.as_bytes()).unwrap();
    drop(text);
    let site = Site::serve(folder.path(), &["--runs", runs.to_str().unwrap()]);
    assert_eq!(site.get("/api/runs").json(), json!(["large.jsonl"]));
    let before = site.status("VmHWM");
    std::thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|| {
                let run = site.get("/api/runs/large.jsonl").json();
                assert_eq!((&run["played"], &run["wanted"]), (&json!(50_000), &json!(19_998)));
                assert_eq!(run["games"].as_array().unwrap().len(), 200);
            });
        }
    });
    let grown = (site.status("VmHWM") - before) / 1024;
    assert!(grown < 50, "{grown} MB for a file of 25 MB");
}
