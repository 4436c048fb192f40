//! The program of a game from outside as its users meet it: its commands, its engine in a match, and its
//! site. (docs/extending.md does not show this file.)

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_sprint");

/// The program with these arguments, which reads no tables of the user.
fn program(args: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.env("WURFEL_TABLES", concat!(env!("CARGO_TARGET_TMPDIR"), "/tables"));
    command.args(args).stdin(Stdio::null());
    command
}

/// What a run prints, which must end with this code.
fn run(args: &[&str], code: i32) -> String {
    let output = program(args).output().expect("the program runs");
    let [out, err] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert_eq!(output.status.code(), Some(code), "{args:?}: {out}{err}");
    out + &err
}

#[test]
fn every_command_knows_the_game_or_says_what_it_lacks() {
    assert!(run(&["games"], 0).contains("sprint\n"));
    // Six faces with one move each, and then six again.
    let perft = run(&["perft", "0 0 0 0 1 1", "2", "--game", "sprint"], 0);
    assert!(perft.contains("36"), "{perft}");
    assert!(run(&["agents", "--game", "sprint"], 0).contains("distance"));
    let best = run(&["analyse", "13 13 12 13 2 9 1", "--game", "sprint", "--depth", "1"], 2);
    assert!(best.contains("position"), "{best}");
    let best = run(&["analyse", "0 12 0 12 1 9 1", "--game", "sprint", "--depth", "1"], 0);
    assert!(best.contains("12"), "{best}");
    let near = run(&["perft", "1", "--game", "sprnt"], 2);
    assert!(near.contains("'sprint'"), "{near}");
    for lacking in [
        &["tables", "build", "--game", "sprint", "--pieces", "2"][..],
        &["check-engine", "true", "--protocol", "course", "--game", "sprint"],
    ] {
        let refused = run(lacking, 2);
        assert!(refused.starts_with("error: ") && refused.lines().count() == 1, "{refused}");
    }
}

#[test]
fn it_plays_a_match_with_another_program_by_the_protocol_and_reviews_it() {
    let folder = std::env::temp_dir().join(format!("sprint-{}", std::process::id()));
    let games = folder.join("games.jsonl");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = games.to_str().expect("a name");
    let engine = format!("cmd:\"{PROGRAM} engine expecti:depth=1 --game sprint\"");
    let match_of = ["match", &engine, "random", "--game", "sprint", "--pairs", "3", "--out", file];
    let report = run(&match_of, 0);
    assert!(!report.contains("crashes"), "{report}");
    let review = run(&["review", file, "--depth", "1"], 0);
    assert!(review.contains("6 games"), "{review}");
    std::fs::remove_dir_all(&folder).expect("it is removed");
}

/// A running site, which ends with this value.
struct Site(Child, String);

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Site {
    fn serve(data: &Path) -> Self {
        let data = data.to_str().expect("a name");
        let mut command = program(&["serve", "--port", "0", "--jobs", "1", "--data", data]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program runs");
        let mut line = String::new();
        let out = child.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let address = line.split(' ').find_map(|word| word.strip_prefix("http://"));
        let host = address.expect("an address").trim_end_matches('/').to_owned();
        Self(child, host)
    }

    /// The body of an answer, which must have this status.
    fn ask(&self, method: &str, path: &str, body: &str, status: &str) -> String {
        let mut stream = TcpStream::connect(&self.1).expect("it listens");
        let (host, length) = (&self.1, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        assert!(answer.split(' ').nth(1) == Some(status), "{path}: {answer}");
        answer.split_once("\r\n\r\n").expect("a body").1.to_owned()
    }
}

#[test]
fn its_site_offers_the_game_and_plays_it() {
    let folder = std::env::temp_dir().join(format!("sprint-site-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let site = Site::serve(&folder);
    assert!(site.ask("GET", "/api/games", "", "200").contains("\"name\":\"sprint\""));
    let scene =
        site.ask("GET", "/api/scene?game=sprint&position=0%200%200%200%201%201%204", "", "200");
    assert!(scene.contains("\"text\":\"0\""), "{scene}");
    let request = r#"{"game":"sprint","typed_dice":true,
        "players":[{"kind":"person"},{"kind":"agent","spec":"expecti:depth=1"}]}"#;
    let room = site.ask("POST", "/api/rooms", request, "201");
    let field = |name: &str| {
        let (_, rest) = room.split_once(&format!("\"{name}\":\"")).expect("a field");
        rest.split_once('"').expect("its end").0.to_owned()
    };
    let (path, token) = (format!("/api/rooms/{}", field("id")), field("token"));
    let mut version = 0;
    for action in [r#""do":"begin""#, r#""do":"roll","roll":"4""#, r#""do":"move","move":"0""#] {
        let body = format!("{{\"token\":\"{token}\",\"version\":{version},{action}}}");
        let view = site.ask("POST", &path, &body, "200");
        version += 1;
        assert!(view.contains(&format!("\"version\":{version}")), "{view}");
    }
    assert!(site.ask("GET", &path, "", "200").contains("\"move\":\"0\""));
    let game = r#"{"game":"sprint","text":"@4 0 @3 0 @6 4"}"#;
    let review = site.ask("POST", "/api/review", game, "200");
    assert!(review.contains("\"luck_mark\""), "{review}");
    drop(site);
    std::fs::remove_dir_all(&folder).expect("it is removed");
}
