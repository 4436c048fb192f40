//! The site with many guests in parallel, for a long time, and under attack.
//!
//! The long measurements run only when they are asked for; `docs/site.md` has their commands and
//! results.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::program::site::{Site, Socket, Visitor, against, id};
use crate::program::wurfel;
use serde_json::{Value, json};
use tungstenite::Message;
use wurfel_core::Random;

/// The quick level of the first game.
const QUICK: &str = "expecti:depth=1";

fn tell(line: &str) {
    let mut err = std::io::stderr();
    writeln!(err, "{line}").unwrap();
}

/// Waits for a random time of at most this many milliseconds.
fn pause(random: &mut Random, most: u32) {
    std::thread::sleep(Duration::from_millis(u64::from(random.below(most))));
}

/// A guest in a room.
struct Guest {
    socket: Socket,
    id: String,
    token: String,
}

impl Guest {
    fn arrive(site: &Visitor, spec: &str) -> Self {
        let (room, token) = site.open(&against(spec));
        let id = id(&room);
        let socket = site.socket(&format!("/api/rooms/{id}/live"), None).unwrap();
        Self { socket, id, token }
    }

    /// Plays random legal moves to the end of the game. `wait` is called before each move, and
    /// `see` with the move and the time until the agent's answer to it.
    fn play(
        &mut self,
        random: &mut Random,
        wait: impl Fn(&mut Random),
        mut see: impl FnMut(&str, Duration),
    ) -> Value {
        let mut sent: Option<(String, Instant)> = None;
        loop {
            let room = self.socket.hear().expect("a view");
            assert_eq!(room["error"], Value::Null, "{room}");
            let over = room["end"] != Value::Null;
            if over || room["scene"]["side"] == 0 {
                if let Some((mv, at)) = sent.take() {
                    see(&mv, at.elapsed());
                }
                if over {
                    return room;
                }
                wait(random);
                let moves = room["scene"]["moves"].as_array().unwrap();
                let mv = random.pick(moves)["text"].as_str().unwrap().to_owned();
                sent = Some((mv.clone(), Instant::now()));
                let (token, version) = (&self.token, &room["version"]);
                self.socket
                    .send(&json!({ "token": token, "version": version, "do": "move", "move": mv }));
            }
        }
    }
}

/// Plays a thousand games in parallel against the quick level, and measures the server's memory
/// and the time of each move from its message to the view with the agent's answer.
#[test]
#[ignore = "takes minutes and tells times"]
fn a_thousand_games_at_once() {
    const GAMES: u64 = 1000;
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &["--rate", "100000", "--connections", "4000"]);
    let think = |random: &mut Random| {
        std::thread::sleep(Duration::from_secs(2));
        pause(random, 4000);
    };
    let mut opened = Duration::ZERO;
    let mut times: Vec<Duration> = std::thread::scope(|scope| {
        let guests = (0..GAMES).map(|number| {
            let mut guest = Guest::arrive(&site, QUICK);
            let play = move || {
                let mut times = vec![];
                guest.play(&mut Random::new(number), think, |_, time| times.push(time));
                times
            };
            std::thread::Builder::new().stack_size(256 << 10).spawn_scoped(scope, play).unwrap()
        });
        let guests: Vec<_> = guests.collect();
        opened = site.worked();
        guests.into_iter().flat_map(|guest| guest.join().unwrap()).collect()
    });
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 1000];
    tell(&format!(
        "{GAMES} games, {} moves: median {:.1?}, 99th percentile {:.1?}, longest {:.1?}; \
         the server had {} MB at most and worked {:.1?} before and {:.1?} after all had come",
        times.len(),
        at(500),
        at(990),
        at(1000),
        site.status("VmHWM") / 1024,
        opened,
        site.worked().saturating_sub(opened)
    ));
}

/// Guests come, play quickly and leave, and one asks for analyses, for ten minutes or
/// `SOAK_SECONDS`. After that the server has no more memory, open files or threads than before.
#[test]
#[ignore = "takes ten minutes"]
fn nothing_grows_while_guests_come_and_go() {
    /// More rooms than the server has in memory, so that it is as full as it can be.
    const FILL: u64 = 2300;
    const GUESTS: u64 = 48;
    let seconds = std::env::var("SOAK_SECONDS").ok().and_then(|text| text.parse().ok());
    let seconds: u64 = seconds.unwrap_or(600);
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &["--rate", "100000", "--connections", "4000"]);
    let (games, over) = (AtomicU64::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for number in 0..GUESTS {
            let (site, games, over) = (&site, &games, &over);
            scope.spawn(move || {
                let mut random = Random::new(number);
                while !over.load(Ordering::Relaxed) {
                    let mut guest = Guest::arrive(site, QUICK);
                    games.fetch_add(1, Ordering::Relaxed);
                    // Some leave in the middle of the game.
                    if random.below(4) > 0 {
                        guest.play(&mut random, |random| pause(random, 200), |_, _| ());
                    }
                }
            });
        }
        let (site, over) = (&site, &over);
        scope.spawn(move || {
            let mut random = Random::new(GUESTS);
            while !over.load(Ordering::Relaxed) {
                let mut socket = site.socket("/api/analyse", None).unwrap();
                let position = "1B3/A1C2/1D1cf/2b2/3ed r - 9";
                socket.send(&json!({ "game": "einstein", "position": position }));
                socket.hear().expect("a report");
                pause(&mut random, 200);
            }
        });
        while games.load(Ordering::Relaxed) < FILL {
            std::thread::sleep(Duration::from_secs(1));
        }
        let begun = Instant::now();
        let mut samples = vec![];
        while begun.elapsed() < Duration::from_secs(seconds) {
            std::thread::sleep(Duration::from_secs(seconds.div_ceil(60)));
            samples.push([site.status("VmRSS"), site.handles(), site.status("Threads")]);
        }
        over.store(true, Ordering::Relaxed);
        let third = samples.len() / 3;
        let mean = |samples: &[[u64; 3]]| {
            [0, 1, 2].map(|n| samples.iter().map(|sample| sample[n]).sum::<u64>() / third as u64)
        };
        let [early, late] = [mean(&samples[..third]), mean(&samples[samples.len() - third..])];
        tell(&format!(
            "{} games; in the first third of {seconds} s {} MB, {} files, {} threads; \
             in the last {} MB, {} files, {} threads",
            games.load(Ordering::Relaxed),
            early[0] / 1024,
            early[1],
            early[2],
            late[0] / 1024,
            late[1],
            late[2]
        ));
        assert!(late[0] < early[0] + early[0] / 10 + 4096, "the memory grows");
        assert!(late[1] < early[1] + GUESTS, "the open files grow");
        assert!(late[2] <= early[2] + 2, "the threads grow");
    });
}

/// A small part of [`a_hundred_thousand_requests_do_no_harm`].
#[test]
fn requests_of_ill_will_do_no_harm() {
    attack(600);
}

/// Sends broken, oversized, forged, foreign and slow requests while somebody plays. Each is refused
/// with the right status, and the games beside them are not disturbed.
#[test]
#[ignore = "takes minutes"]
fn a_hundred_thousand_requests_do_no_harm() {
    attack(100_000);
}

fn attack(count: u64) {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &["--rate", "1000000", "--connections", "2000"]);
    let mut enemy = Enemy::new(&site);
    let before = site.get(&format!("/api/rooms/{}", enemy.id)).json();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let friend = scope.spawn(|| beside(&site, folder.path(), &over));
        let begun = Instant::now();
        for _ in 0..count {
            enemy.strike();
        }
        let took = begun.elapsed();
        over.store(true, Ordering::Relaxed);
        let (games, moves, longest) = friend.join().unwrap();
        tell(&format!(
            "{count} requests in {took:.0?}; beside them {games} games with {moves} moves, of \
             which none took longer than {longest:.0?}"
        ));
    });
    let mut after = site.get(&format!("/api/rooms/{}", enemy.id)).json();
    after["clock"] = before["clock"].clone();
    assert_eq!(after, before, "the game that was attacked");
}

/// Plays games until the attack is over, and checks that each is saved as it was played and that
/// its dice can be verified. Returns the number of games and moves, and the longest wait.
fn beside(site: &Site, folder: &std::path::Path, over: &AtomicBool) -> (u64, u64, Duration) {
    let (mut games, mut moves, mut longest) = (0, 0, Duration::ZERO);
    let mut random = Random::new(1);
    while games == 0 || !over.load(Ordering::Relaxed) {
        let mut guest = Guest::arrive(site, QUICK);
        let mut played = vec![];
        let last = guest.play(
            &mut random,
            |_| (),
            |mv, time| {
                played.push(mv.to_owned());
                longest = longest.max(time);
            },
        );
        assert_eq!(last["end"]["reason"], "rules", "{last}");
        let record = site.get(&format!("/api/rooms/{}/record", guest.id));
        let steps = record.json()["steps"].as_array().unwrap().clone();
        let recorded: Vec<_> = steps.iter().step_by(2).map(|step| step["move"].clone()).collect();
        assert_eq!(recorded, played);
        let file = folder.join("game.json");
        std::fs::write(&file, &record.body).unwrap();
        assert_eq!(wurfel(&["verify-dice", file.to_str().unwrap()]).code, 0);
        games += 1;
        moves += played.len() as u64;
    }
    (games, moves, longest)
}

/// Words for bodies and addresses, besides those that the attacker knows.
const WORDS: &[&str] = &[
    "{",
    "}",
    "\"",
    ":",
    ",",
    "[",
    "]",
    "token",
    "version",
    "do",
    "move",
    "begin",
    "salt",
    "game",
    "null",
    "einstein",
    "players",
    "kind",
    "person",
    "agent",
    "spec",
    "champion",
    "depth=64",
    "-1",
    "1e999",
    "\\u0000",
    "\u{fffd}",
    "ä",
    "999999999999999999999",
    "a5b4",
];

/// An attacker who knows the interface and the room of somebody else, but not its token.
struct Enemy<'a> {
    site: &'a Site,
    random: Random,
    id: String,
    token: String,
    /// A legal move of that room.
    mv: String,
    /// Connections whose request is never finished.
    slow: Vec<TcpStream>,
}

impl<'a> Enemy<'a> {
    fn new(site: &'a Site) -> Self {
        let (room, token) = site.open(&against(QUICK));
        let mv = room["scene"]["moves"][0]["text"].as_str().unwrap().to_owned();
        Self { site, random: Random::new(7), id: id(&room), token, mv, slow: vec![] }
    }

    /// Sends one request.
    fn strike(&mut self) {
        match self.random.below(16) {
            0 => self.oversized_body(),
            1 => self.foreign_page(),
            2 | 3 => self.forged_token(),
            4 => self.socket(),
            5 => self.slow(),
            _ => self.words(),
        }
    }

    fn action(&self, token: &str) -> String {
        json!({ "token": token, "version": 1, "do": "move", "move": self.mv }).to_string()
    }

    fn room(&self) -> String {
        format!("/api/rooms/{}", self.id)
    }

    fn post(&self, headers: &str, body: &str) -> u16 {
        let headers = format!("content-type: application/json\r\n{headers}");
        self.site.request("POST", &self.room(), &headers, body).status
    }

    fn oversized_body(&mut self) {
        let length = (16 << 10) + 1 + self.random.below(1 << 16) as usize;
        let body = format!("{}{}", self.action(&self.token), " ".repeat(length));
        // The server may refuse early and hang up before it has read everything.
        let request = format!(
            "POST {} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.room(),
            self.site.host,
            body.len()
        );
        if let Some(answer) = self.site.raw(request.as_bytes()) {
            assert_eq!(answer.status, 413, "{answer:?}");
        }
    }

    /// The requests that a page of another site can make a browser send that has the token.
    fn foreign_page(&mut self) {
        let origins = ["http://evil.example", "null", "https://127.0.0.1", "file://", "http://"];
        let origin = *self.random.pick(&origins);
        let status = self.post(&format!("origin: {origin}\r\n"), &self.action(&self.token));
        assert_eq!(status, 403, "{origin}");
    }

    fn forged_token(&mut self) {
        let mut forged = self.token.clone().into_bytes();
        let place = self.random.below(forged.len() as u32) as usize;
        match self.random.below(3) {
            0 => forged.truncate(place),
            1 => forged.push(b'0'),
            _ => forged[place] = if forged[place] == b'0' { b'1' } else { b'0' },
        }
        let forged = String::from_utf8(forged).unwrap();
        assert_eq!(self.post("", &self.action(&forged)), 403, "{forged}");
    }

    fn socket(&mut self) {
        let live = format!("{}/live", self.room());
        if self.random.below(4) == 0 {
            assert!(self.site.socket(&live, Some("http://evil.example")).is_err());
            return;
        }
        let mut socket = self.site.socket(&live, None).unwrap();
        socket.hear().expect("a view");
        let message = match self.random.below(4) {
            0 => {
                // The server may hang up before everything is sent.
                let _ = socket.line.send(Message::text("x".repeat(1 << 15)));
                assert_eq!(socket.hear(), None);
                return;
            }
            1 => Message::binary(vec![0; self.random.below(99) as usize]),
            2 => Message::text(self.action("0123456789abcdef0123456789abcdef")),
            _ => Message::text(self.text()),
        };
        socket.line.send(message).unwrap();
        assert!(socket.hear().expect("an answer")["error"].is_string());
    }

    fn slow(&mut self) {
        let mut stream = self.site.connect();
        let request = format!("POST {} HTTP/1.1\r\nhost: {}\r\n", self.room(), self.site.host);
        let part = self.random.below(request.len() as u32) as usize;
        stream.write_all(&request.as_bytes()[..part]).unwrap();
        if self.slow.len() >= 200 {
            self.slow.remove(0);
        }
        self.slow.push(stream);
    }

    fn text(&mut self) -> String {
        let length = self.random.below(24);
        (0..length)
            .map(|_| match self.random.below(32) {
                0 => &self.token,
                1 => &self.id,
                _ => *self.random.pick(WORDS),
            })
            .collect()
    }

    /// Sends random words to a random address, sometimes with a wrong byte.
    fn words(&mut self) {
        let body = self.text();
        let path = match self.random.below(6) {
            0 => "/api/rooms".to_owned(),
            1 => self.room(),
            2 => format!("/api/rooms/{}", self.random.bits()),
            3 => format!("/api/scene?game=einstein&position={}", body.replace(' ', "%20")),
            // Making a puzzle takes long, so they are only asked for with a wrong number.
            4 => format!("/api/puzzles/einstein/x{}", self.random.bits()),
            _ => format!("/{body}"),
        };
        let path: String = path.chars().filter(char::is_ascii_graphic).collect();
        let method = *self.random.pick(&["GET", "POST", "FLY"]);
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.site.host,
            body.len()
        )
        .into_bytes();
        if self.random.below(8) == 0 {
            let place = self.random.below(request.len() as u32) as usize;
            request[place] = self.random.bits() as u8;
        }
        // After a broken head the server might wait for more, so the connection is closed.
        let mut stream = self.site.connect();
        let _ = stream.write_all(&request);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = vec![];
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer);
        let request = String::from_utf8_lossy(&request);
        assert!(!answer.starts_with("HTTP/1.1 5"), "{request}\n{answer}");
    }
}
