//! Rollouts on the site: the result is that of the command, and no message makes the server do more than it
//! allows.

use std::time::Duration;

use serde_json::{Value, json};

use crate::program::site::{Site, Socket, Visitor};
use crate::program::wurfel;

const TURN: &str = "5/1A3/2B2/2c1a/5 b 4 1";
const START: &str = "ABC2/DE3/F3f/3ed/2cba r 4 1";

fn rollouts(guest: &Visitor) -> Socket {
    guest.socket("/api/rollout", None).unwrap()
}

/// As much as a guest may ask for: it takes far longer than a server gives it.
fn huge() -> Value {
    json!({ "game": "einstein", "position": START, "agent": "uct:playouts=4000", "moves": 10, "games": 10_000 })
}

/// All reports of a rollout.
fn reports(socket: &mut Socket, request: &Value) -> Vec<Value> {
    socket.send(request);
    let mut all = vec![];
    loop {
        let report = socket.hear().expect("a report");
        assert_eq!(report["error"], Value::Null, "{report}");
        let last = report["last"] == true;
        all.push(report);
        if last {
            return all;
        }
    }
}

/// What the command of a report prints.
fn as_command(report: &Value) -> Value {
    let command = report["command"].as_str().unwrap();
    // What stands in quotes is one word.
    let parts = command.split('\'').enumerate();
    let words = parts.flat_map(|(n, part)| match n % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    let args: Vec<&str> = words.skip(1).chain(["--json"]).collect();
    let run = wurfel(&args);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{command}");
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn a_rollout_grows_and_its_result_is_that_of_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let mut socket = rollouts(&site);
    let long = json!({
        "game": "einstein", "position": START, "agent": "uct:playouts=500", "moves": 3, "games": 120, "seed": 5, "tag": 7
    });
    let all = reports(&mut socket, &long);
    // It takes more than a slice of half a second: all three moves are played out until the first look.
    assert!(all.len() > 1, "{all:?}");
    assert!(all.iter().all(|report| report["tag"] == 7 && report["moves"][0]["games"] != 0));
    let games = |report: &Value| report["games"].as_u64().unwrap();
    assert!(all.is_sorted_by(|one, next| games(one) < games(next)), "{all:?}");
    assert_eq!(all[0]["complete"], false);
    let cut =
        json!({ "game": "einstein", "position": TURN, "moves": 3, "games": 1000, "truncate": 2 });
    let chess = json!({
        "game": "dicechess", "position": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 P", "agent": "greedy",
        "moves": 2, "games": 200
    });
    let mut last = vec![all.last().unwrap().clone()];
    for request in [cut, chess] {
        last.push(reports(&mut socket, &request).pop().unwrap());
    }
    for report in last {
        assert_eq!(report["complete"], true, "{report}");
        let command = as_command(&report);
        for field in
            ["position", "agent", "error_rate", "moves", "games", "faults", "complete", "seed"]
        {
            assert_eq!(report[field], command[field], "{field} of {}", report["command"]);
        }
    }
}

#[test]
fn what_is_not_a_rollout_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let mut socket = rollouts(&site);
    let valid = json!({ "game": "einstein", "position": TURN, "moves": 2, "games": 120 });
    for (field, value, message) in [
        ("game", json!("go"), "unknown game 'go'"),
        ("position", json!("nonsense"), "position 'nonsense'"),
        ("position", json!("5/1A3/2B2/2c1a/5 b - 1"), "expected one with a roll"),
        ("position", json!("5/5/5/5/4A b - 1"), "the game is over"),
        ("agent", json!("champion:weights=/etc/passwd"), "guests may not set this one"),
        ("agent", json!("champion:time=60s"), "guests may not set this one"),
        ("agent", json!("nobody"), "nobody"),
        ("moves", json!(11), "moves '11': expected a number from 2 to 10"),
        ("moves", json!(u64::MAX), "expected a number from 2 to 10"),
        ("games", json!(10_001), "games '10001': expected a number from 1 to 10000"),
        ("games", json!(-1), "malformed request"),
        ("games", json!(1e300), "malformed request"),
        ("games", Value::Null, "malformed request"),
        ("truncate", json!(0), "truncate '0': expected a number from 1 to 1000"),
        ("seed", json!("x\ny"), "malformed request"),
        ("jobs", json!(64), "malformed request"),
    ] {
        let mut request = valid.clone();
        request[field] = value;
        socket.send(&request);
        let event = socket.hear().unwrap();
        let error = event["error"].as_str().unwrap_or_else(|| panic!("{request}: {event}"));
        assert!(error.contains(message) && !error.contains('\n'), "{request}: {error}");
    }
    let mut cut = valid.clone();
    (cut["agent"], cut["truncate"]) = (json!("random"), json!(3));
    socket.send(&cut);
    let error = socket.hear().unwrap()["error"].to_string();
    assert!(error.contains("agent 'random' gives no values for truncated games"), "{error}");
    // Whatever bounds the agent has, those of the site hold.
    let mut deep = valid.clone();
    (deep["agent"], deep["position"]) = (json!("expecti:depth=60"), json!(START));
    socket.send(&deep);
    let error = socket.hear().unwrap()["error"].to_string();
    assert!(error.contains("one game of each move takes too long here"), "{error}");
    // The line goes on.
    assert_eq!(reports(&mut socket, &valid).pop().unwrap()["complete"], true);
}

#[test]
fn a_rollout_ends_with_the_next_request_and_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let mut socket = rollouts(&site);
    socket.send(&huge());
    assert_eq!(socket.hear().unwrap()["last"], false);
    let next = json!({ "game": "einstein", "position": TURN, "moves": 2, "games": 120, "tag": 2 });
    socket.send(&next);
    let answer = loop {
        let event = socket.hear().unwrap();
        assert_eq!(event["error"], Value::Null, "{event}");
        if event["tag"] == 2 && event["last"] == true {
            break event;
        }
    };
    assert_eq!(answer["complete"], true);
    socket.send(&huge());
    assert_eq!(socket.hear().unwrap()["last"], false);
    drop(socket);
    // The server is idle long before the rollout would have ended.
    let mut before = site.worked();
    let idle = loop {
        std::thread::sleep(Duration::from_millis(500));
        let now = site.worked();
        if now.saturating_sub(before) < Duration::from_millis(50) {
            break now;
        }
        before = now;
    };
    assert!(idle < Duration::from_secs(30), "{idle:?}");
}

/// With one rollout after the other, the second guest would wait for two minutes.
#[test]
fn a_guest_does_not_wait_for_the_rollouts_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let (busy, honest) = (site.visitor(1), site.visitor(2));
    let mut sockets = [rollouts(&busy), rollouts(&busy)];
    for socket in &mut sockets {
        socket.send(&huge());
    }
    assert_eq!(sockets[0].hear().unwrap()["last"], false);
    let request = json!({ "game": "einstein", "position": TURN, "moves": 3, "games": 240 });
    assert_eq!(reports(&mut rollouts(&honest), &request).pop().unwrap()["complete"], true);
    let mut analysis = honest.socket("/api/analyse", None).unwrap();
    analysis.send(&json!({ "game": "einstein", "position": TURN }));
    assert_eq!(analysis.hear().unwrap()["error"], Value::Null);
    assert_eq!(sockets[0].hear().unwrap()["last"], false);
}
