//! External programs on the site: guests name them, and can neither start another program nor change how one is
//! run.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::program::site::{Site, Socket, Visitor, agent, id};
use crate::program::wurfel;

/// An offer of the program itself, which plays as `greedy` does.
fn greedy() -> String {
    format!("theirs=\"{} engine greedy\",start=100s,margin=100s", env!("CARGO_BIN_EXE_wurfel"))
}

/// An offer of a program that is ready and does something else when it is asked for a move.
fn script(name: &str, folder: &Path, go: &str) -> String {
    let file = folder.join(name);
    let words = format!("ugi) echo ugiok;;\nisready) echo readyok;;\ngo) {go};;");
    fs::write(&file, format!("while read word rest; do case $word in\n{words}\nesac; done\n"))
        .unwrap();
    format!("{name}=\"sh {}\",start=100s,game=einstein", file.display())
}

/// A game of two agents that somebody looks at.
fn game(guest: &Visitor, game: &str, agents: [&str; 2]) -> Socket {
    let (room, _) = guest.open(&json!({ "game": game, "players": agents.map(agent) }));
    guest.socket(&format!("/api/rooms/{}/live", id(&room)), None).unwrap()
}

/// The last view of a game.
fn last(socket: &mut Socket) -> Value {
    loop {
        let room = socket.hear().expect("a view");
        if room["end"] != Value::Null {
            return room;
        }
    }
}

#[test]
fn guests_play_programs_that_the_operator_offers_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(
        folder.path(),
        &["--engine", &greedy(), "--engine", &script("deaf", folder.path(), ":")],
    );
    let games = site.get("/api/games").json()["games"].clone();
    for shown in games.as_array().unwrap() {
        let both = shown["name"] == "einstein";
        assert_eq!(
            shown["engines"],
            if both { json!(["theirs", "deaf"]) } else { json!(["theirs"]) }
        );
    }
    for name in ["einstein", "dicechess"] {
        let room = last(&mut game(&site, name, ["theirs", "random"]));
        assert_eq!(room["players"][0], agent("theirs"));
        assert_eq!(room["end"]["reason"], "rules", "{room}");
        assert!(room["end"].get("fault").is_none(), "{room}");
    }
    // A name is all that a guest may say, and only where a game is played.
    let open = |spec: &str| {
        site.post(
            "/api/rooms",
            &json!({ "game": "dicechess", "players": [agent(spec), agent("random")] }),
        )
    };
    for spec in ["theirs:time=1s", "theirs:command=id", "cmd", "cmd:\"id\"", "deaf", "other"] {
        open(spec).refused(400);
    }
    let mut socket = site.socket("/api/analyse", None).unwrap();
    let position = "5/1a3/5/3A1/5 r 1 1";
    socket.send(&json!({ "game": "einstein", "position": position, "agent": "theirs" }));
    let refused = socket.hear().expect("an answer");
    assert!(refused["error"].as_str().unwrap().contains("'theirs'"), "{refused}");
}

#[test]
fn a_program_that_fails_loses_its_game_and_guests_read_why() {
    let folder = tempfile::tempdir().unwrap();
    let offers = [
        script("crashes", folder.path(), "echo a secret >&2; exit 3"),
        script("cheats", folder.path(), "echo bestmove a1a1"),
        "missing=\"/no/such/engine --key\",game=einstein".to_owned(),
    ];
    let options: Vec<&str> = offers.iter().flat_map(|offer| ["--engine", offer.as_str()]).collect();
    let site = Site::serve(folder.path(), &options);
    for (name, message) in [
        ("crashes", "it ended with exit code 3"),
        ("cheats", "'a1a1' is not legal in "),
        ("missing", "'missing' cannot be started: No such file"),
    ] {
        // After it has failed it is started anew.
        for _ in 0..2 {
            let room = last(&mut game(&site, "einstein", ["greedy", name]));
            assert_eq!(
                (&room["end"]["reason"], &room["end"]["result"]),
                (&json!("fault"), &json!("1-0"))
            );
            let fault = room["end"]["fault"].as_str().unwrap();
            assert!(fault.starts_with(message) && !fault.contains('\n'), "{fault}");
            assert!(!fault.contains("secret") && !fault.contains("/no/such"), "{fault}");
        }
    }
}

/// Many guests at once share as many programs as there are threads.
#[test]
fn programs_are_bounded_in_number() {
    let folder = tempfile::tempdir().unwrap();
    let offers = [greedy(), greedy().replacen("theirs", "again", 1)];
    let site = Site::serve(folder.path(), &["--engine", &offers[0], "--engine", &offers[1]]);
    let children = || -> usize {
        let tasks = fs::read_dir(format!("/proc/{}/task", site.process())).unwrap().flatten();
        let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
        lists.map(|list| list.split_whitespace().count()).sum()
    };
    let guests: Vec<Visitor> = (1..=6).map(|number| site.visitor(number)).collect();
    let mut sockets: Vec<Socket> =
        guests.iter().map(|guest| game(guest, "einstein", ["theirs", "again"])).collect();
    let mut most = 0;
    for socket in &mut sockets {
        while socket.hear().expect("a view")["end"] == Value::Null {
            most = most.max(children());
        }
    }
    // Two jobs, and as many threads again for guests who need little, and the shell that ends them with the site.
    assert!((2..=5).contains(&most), "{most} programs");
}

#[test]
fn an_offer_that_is_none_is_refused_in_one_line() {
    for (offers, message) in [
        (&["theirs"][..], "expected a name and a command"),
        (&["greedy=\"x\""], "expected one that is not an agent's"),
        (&["theirs=\"x\",protocol=xboard"], "expected ugi or course"),
        (&["theirs=\"x\"", "theirs=\"y\""], "name 'theirs': expected each name once"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().to_str().unwrap();
        let offers = offers.iter().flat_map(|offer| ["--engine", offer]);
        let args: Vec<&str> =
            ["serve", "--port", "0", "--data", data].into_iter().chain(offers).collect();
        wurfel(&args).refused(message);
    }
}
