//! One guest of the site cannot harm another. Each guest here has an address of its own.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::program::site::{Site, Socket, Visitor, agent, id, person, request};
use serde_json::{Value, json};
use tungstenite::Message;
use wurfel_core::Random;

fn live(guest: &Visitor, request: &Value) -> (Socket, String) {
    let (room, token) = guest.open(request);
    (guest.socket(&format!("/api/rooms/{}/live", id(&room)), None).unwrap(), token)
}

/// Plays the first legal move each time until the game is over, and calls `moving` before each;
/// returns how many were played.
fn play(socket: &mut Socket, token: &str, mut moving: impl FnMut()) -> usize {
    let mut moves = 0;
    loop {
        let room = socket.hear().expect("a view");
        assert_eq!(room["error"], Value::Null, "{room}");
        if room["end"] != Value::Null {
            return moves;
        }
        let side = room["scene"]["side"].as_u64().unwrap() as usize;
        let legal = room["scene"]["moves"].as_array().unwrap();
        if room["players"][side]["kind"] == "person" && !legal.is_empty() {
            moving();
            let (version, mv) = (&room["version"], &legal[0]["text"]);
            socket.send(&json!({ "token": token, "version": version, "do": "move", "move": mv }));
            moves += 1;
        }
    }
}

fn steps(guest: &Visitor, room: &str) -> usize {
    guest.get(&format!("/api/rooms/{room}")).json()["steps"].as_array().unwrap().len()
}

#[test]
fn deep_searches_of_one_guest_keep_nobody_elses_agents_silent() {
    const ROOMS: usize = 8;
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &["--rate", "1000"]);
    let hostile = site.visitor(1);
    // Each of these searches takes long beside a move of a light agent; those of the first room end at the site's bound.
    let [deep, bounded] = ["expecti:depth=60", "expecti:depth=60,nodes=1000000"].map(agent);
    let mut open_rooms: Vec<(String, Socket)> = (0..ROOMS)
        .map(|number| {
            let deep = if number == 0 { &deep } else { &bounded };
            let room = id(&hostile.open(&request(deep, deep)).0);
            let socket = hostile.socket(&format!("/api/rooms/{room}/live"), None).unwrap();
            (room, socket)
        })
        .collect();
    // Two long analyses, too.
    let question = json!({
        "game": "einstein", "position": "ABC2/DE3/F3f/3ed/2cba r 4 1", "agent": "expecti:depth=60"
    });
    let mut analyses = [0, 1].map(|_| hostile.socket("/api/analyse", None).unwrap());
    for socket in &mut analyses {
        socket.send(&question);
    }

    // How many deep searches have ended before each move of somebody else against a light agent.
    let mut ended = vec![];
    let (mut socket, token) = live(&site.visitor(2), &request(&person(), &agent("greedy")));
    play(&mut socket, &token, || {
        ended.push(open_rooms.iter().map(|(room, _)| steps(&site, room)).sum::<usize>());
    });
    // In one queue for all, every reply would come after the searches that waited before it: one for
    // each room, less the two that run. One reply that does not is enough here, however slow the machine.
    let fewest = ended.windows(2).map(|pair| pair[1] - pair[0]).min();
    assert!(fewest.is_some_and(|fewest| fewest < ROOMS - 2), "{ended:?}");
    let mut analysis = site.visitor(2).socket("/api/analyse", None).unwrap();
    analysis.send(&json!({ "game": "einstein", "position": "5/1a3/5/3A1/5 r 1 1" }));
    assert_eq!(analysis.hear().expect("a report")["error"], Value::Null);
    // The deep ones are answered all the same: a bound in a spec cannot exceed the site's own.
    while open_rooms[0].1.hear().expect("a view")["steps"].as_array().unwrap().is_empty() {}
    for socket in &mut analyses {
        assert_eq!(socket.hear().expect("a report")["error"], Value::Null);
    }
}

#[test]
fn new_games_are_counted_for_each_guest_and_games_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &["--new-per-minute", "3"]);
    let (one, other) = (site.visitor(1), site.visitor(2));
    let game = request(&person(), &agent("greedy"));
    let (mut socket, token) = live(&one, &game);
    one.open(&game);
    one.open(&game);
    let answer = one.post("/api/rooms", &game);
    // The first of three games a minute comes back after 20 seconds.
    let wait = answer.head.lines().find_map(|line| line.strip_prefix("retry-after: "));
    let wait: u64 = wait.and_then(|text| text.trim().parse().ok()).expect("a time to wait");
    assert!((2..=20).contains(&wait), "{wait} s");
    let refused = answer.refused(429);
    assert!(refused.starts_with("at most 3 new games a minute"), "{refused}");
    other.open(&game);
    assert!(play(&mut socket, &token, || ()) > 0);
}

#[test]
fn sockets_of_a_guest_share_what_it_may_ask_for() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &["--rate", "2"]);
    let (flood, friend) = (site.visitor(1), site.visitor(2));
    let game = request(&person(), &agent("greedy"));
    let (room, token) = friend.open(&game);
    let path = format!("/api/rooms/{}/live", id(&room));
    let mut sockets: Vec<Socket> = (0..8).map(|_| flood.socket(&path, None).unwrap()).collect();
    // If each address were counted alone, each could send twenty requests in a burst.
    let mut answers = 0;
    for socket in &mut sockets {
        socket.hear();
        for _ in 0..15 {
            let _ = socket.line.send(Message::text("{}"));
        }
    }
    for socket in &mut sockets {
        while socket.hear().is_some_and(|event| event["error"].is_string()) {
            answers += 1;
        }
    }
    assert!(answers < 60, "{answers} of 120 messages were answered");
    let mut socket = friend.socket(&path, None).unwrap();
    assert!(play(&mut socket, &token, || ()) > 0);
}

fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Attacks from one address until it is told to stop: rooms with deep agents, analyses, reviews,
/// messages, and connections that read nothing or send half a request.
fn do_worst(guest: &Visitor, over: &AtomicBool) -> u64 {
    let deep = agent("expecti:depth=60");
    let (mut open_rooms, mut mute, mut rounds) = (vec![], vec![], 0);
    while !over.load(Ordering::Relaxed) {
        rounds += 1;
        let opened = guest.try_post("/api/rooms", &request(&deep, &deep));
        if let Some(opened) = opened.filter(|answer| answer.status == 201) {
            let opened = opened.json();
            let (room, token) = (id(&opened), opened["token"].clone());
            guest
                .try_post(&format!("/api/rooms/{room}"), &json!({ "token": token, "do": "begin" }));
            open_rooms.extend(guest.socket(&format!("/api/rooms/{room}/live"), None));
        }
        if let Ok(mut socket) = guest.socket("/api/analyse", None) {
            let position = "ABC2/DE3/F3f/3ed/2cba r - 1";
            let spec = "expecti:depth=60";
            let question = json!({ "game": "einstein", "position": position, "agent": spec });
            let _ = socket.line.send(Message::text(question.to_string()));
            open_rooms.push(socket);
        }
        for socket in &mut open_rooms {
            for _ in 0..20 {
                let _ = socket.line.send(Message::text("{}"));
            }
        }
        let mut stream = guest.connect();
        let head = if rounds % 2 == 0 { "GET / HTTP/1.1\r\nhost: " } else { "" };
        let request = format!("GET /api/games HTTP/1.1\r\nhost: {}\r\n\r\n", guest.host);
        let text = if head.is_empty() { request.repeat(50) } else { head.to_owned() };
        let _ = stream.write_all(text.as_bytes());
        mute.push(stream);
        let game = "5/1a3/5/3A1/5 r - 1 @1 d2d1 @1 b4a5 0-1";
        guest.try_post("/api/review", &json!({ "game": "einstein", "text": game }));
        // As many connections as a guest may have, always new ones.
        if open_rooms.len() + mute.len() > 56 {
            open_rooms.drain(..open_rooms.len().min(4));
            mute.drain(..mute.len().min(4));
        }
    }
    rounds
}

/// How long a light agent's replies take in 200 games, without and with an attacking guest beside
/// them. Takes `BENCH_SECONDS`, a minute if that is not set.
#[test]
#[ignore = "takes minutes and tells times"]
fn two_hundred_games_beside_a_hostile_guest() {
    let seconds = std::env::var("BENCH_SECONDS").ok().and_then(|text| text.parse().ok());
    let length = Duration::from_secs(seconds.unwrap_or(60));
    for hostile in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let options = ["--new-per-minute", "8", "--new-per-day", "300"];
        let site = Site::serve(folder.path(), &options);
        let (begun, over) = (Instant::now(), AtomicBool::new(false));
        let (mut times, rounds) = std::thread::scope(|scope| {
            let (site, over) = (&site, &over);
            let worst = hostile.then(|| scope.spawn(move || do_worst(&site.visitor(1), over)));
            let guests: Vec<_> = (0..200)
                .map(|number| {
                    let guest = site.visitor(256 + number);
                    scope.spawn(move || replies(&guest, u64::from(number), begun + length))
                })
                .collect();
            let times: Vec<Duration> =
                guests.into_iter().flat_map(|guest| guest.join().unwrap()).collect();
            over.store(true, Ordering::Relaxed);
            (times, worst.map_or(0, |worst| worst.join().unwrap()))
        });
        times.sort_unstable();
        let at = |share: usize| times[(times.len() - 1) * share / 1000];
        tell(&format!(
            "200 games, {} replies, {rounds} rounds of the hostile guest: median {:.1?}, 99th \
             percentile {:.1?}, longest {:.1?}; {} MB",
            times.len(),
            at(500),
            at(990),
            at(1000),
            site.status("VmHWM") / 1024,
        ));
    }
}

/// Plays games until a time, and returns how long each reply of the agent took.
fn replies(guest: &Visitor, seed: u64, until: Instant) -> Vec<Duration> {
    let mut random = Random::new(seed);
    let mut times = vec![];
    while Instant::now() < until {
        let (mut socket, token) = live(guest, &request(&person(), &agent("expecti:depth=1")));
        let mut sent: Option<Instant> = None;
        loop {
            let room = socket.hear().expect("a view");
            assert_eq!(room["error"], Value::Null, "{room}");
            let over = room["end"] != Value::Null;
            if !over && room["scene"]["side"] != 0 {
                continue;
            }
            times.extend(sent.take().map(|sent| sent.elapsed()));
            if over || Instant::now() > until {
                break;
            }
            std::thread::sleep(Duration::from_millis(u64::from(1000 + random.below(3000))));
            let legal = room["scene"]["moves"].as_array().unwrap();
            let mv = &random.pick(legal)["text"];
            let version = &room["version"];
            socket.send(&json!({ "token": token, "version": version, "do": "move", "move": mv }));
            sent = Some(Instant::now());
        }
    }
    times
}
