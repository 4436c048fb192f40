//! The site as a process, asked over HTTP and WebSocket by players and by attackers.

use std::io::{Read, Write};

use crate::program::site::{Site, Socket, against, agent, id, person, request, text};
use crate::program::wurfel;
use serde_json::{Value, json};
use tungstenite::Message;

/// Plays the first legal move each time until the game is over; returns the last view.
fn play_on(socket: &mut Socket, token: &str) -> Value {
    loop {
        let room = socket.hear().expect("a view");
        assert_eq!(room["error"], Value::Null, "{room}");
        if room["end"] != Value::Null {
            return room;
        }
        let side = room["scene"]["side"].as_u64().expect("a side") as usize;
        let moves = room["scene"]["moves"].as_array().expect("moves");
        if room["players"][side]["kind"] == "person" && !moves.is_empty() {
            let (version, mv) = (&room["version"], &moves[0]["text"]);
            socket.send(&json!({ "token": token, "version": version, "do": "move", "move": mv }));
        }
    }
}

#[test]
fn a_whole_game_against_an_agent_and_its_dice_can_be_checked() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let (room, token) = site.open(&against("greedy"));
    let path = format!("/api/rooms/{}", id(&room));
    assert_eq!(room["dice"]["seed"], Value::Null);
    let mut socket = site.socket(&format!("{path}/live"), None).unwrap();
    let last = play_on(&mut socket, &token);
    assert!(["1-0", "0-1"].contains(&text(&last["end"]["result"])), "{last}");
    assert_eq!(last["end"]["reason"], "rules");

    let file = folder.path().join("game.json");
    let record = site.get(&format!("{path}/record"));
    std::fs::write(&file, &record.body).unwrap();
    let file = file.to_str().unwrap();
    let run = wurfel(&["verify-dice", file]);
    assert_eq!(run.code, 0, "{}", run.err);
    let rolls = last["steps"].as_array().unwrap().len();
    assert!(run.out.contains(&format!("{rolls} rolls, all as the seed")), "{}", run.out);

    let steered = record.body.replace("\"salt\":\"pepper\"", "\"salt\":\"sugar\"");
    std::fs::write(file, steered).unwrap();
    wurfel(&["verify-dice", file]).refused("was played, but the dice showed");
    std::fs::write(file, "{}").unwrap();
    wurfel(&["verify-dice", file]).refused("expected the file of a game");
    wurfel(&["verify-dice", "no such file"]).refused_by_system("no such file");
}

#[test]
fn a_message_that_is_repeated_does_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let (room, token) = site.open(&request(&person(), &person()));
    let (id, live) = (id(&room), format!("/api/rooms/{}/live", id(&room)));
    let mut room = room;
    for _ in 0..6 {
        let mv = room["scene"]["moves"][0]["text"].clone();
        room = site.act(&id, &token, &json!({ "do": "move", "move": mv })).json();
    }
    let undo = json!({ "token": token, "version": room["version"], "do": "undo" });
    let mut socket = site.socket(&live, None).unwrap();
    socket.hear().unwrap();
    // Over a socket the answer is the state of the game and no error.
    for _ in 0..3 {
        socket.send(&undo);
        let after = socket.hear().unwrap();
        assert_eq!(after["steps"].as_array().map(Vec::len), Some(5), "{after}");
    }
    let refused = site.post(&format!("/api/rooms/{id}"), &undo).refused(409);
    assert!(refused.starts_with("the message was made for version 7, but"), "{refused}");
    // Nor does it after a restart, and an action for the last version is still accepted.
    let version = site.get(&format!("/api/rooms/{id}")).json()["version"].clone();
    site.kill();
    let site = Site::serve(folder.path(), &[]);
    assert_eq!(site.act(&id, &token, &undo).status, 409);
    let resign = json!({ "version": version, "do": "resign" });
    assert_eq!(site.act(&id, &token, &resign).status, 200);
}

#[test]
fn a_server_that_is_killed_has_lost_no_move() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let (room, token) = site.open(&request(&person(), &person()));
    let path = format!("/api/rooms/{}", id(&room));
    let mut before = room;
    for _ in 0..5 {
        let mv = before["scene"]["moves"][0]["text"].clone();
        let done = site.act(&id(&before), &token, &json!({ "do": "move", "move": mv }));
        assert_eq!(done.status, 200, "{done:?}");
        before = done.json();
    }
    site.kill();
    let site = Site::serve(folder.path(), &[]);
    let after = site.get(&path).json();
    for part in ["steps", "scene", "players", "dice", "end", "begun"] {
        assert_eq!(after[part], before[part], "{part}");
    }
    // Its token still opens it.
    let mv = after["scene"]["moves"][0]["text"].clone();
    assert_eq!(site.act(&id(&after), &token, &json!({ "do": "move", "move": mv })).status, 200);
    let listed = site.get("/api/rooms").json();
    assert_eq!(id(&listed[0]), id(&after));
    assert_eq!((&listed[0]["players"], &listed[0]["result"]), (&after["players"], &json!("")));
    let over = site.act(&id(&after), &token, &json!({ "do": "resign" })).json();
    let listed = site.get("/api/rooms").json();
    assert_eq!(listed[0]["result"], over["end"]["result"]);
}

/// The next message that has this field.
fn hear_of(socket: &mut Socket, field: &str) -> Value {
    loop {
        let message = socket.hear().expect("a message");
        assert_eq!(message["error"], Value::Null, "{message}");
        if message[field] != Value::Null {
            return message;
        }
    }
}

#[test]
fn two_people_have_a_side_each_and_all_others_watch() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let mut request = request(&person(), &person());
    (request["guest"], request["arrange"]) = (json!(1), json!(true));
    let room = site.post("/api/rooms", &request).json();
    let (id, host, invitation) = (id(&room), text(&room["token"]), text(&room["invitation"]));
    let path = format!("/api/rooms/{id}");
    let [guest, late] = ["ab", "cd"].map(|pair| pair.repeat(16));
    let join = |token: &str, invitation: &str| {
        site.act(&id, token, &json!({ "do": "join", "invitation": invitation }))
    };
    join(&guest, &"0".repeat(32)).refused(403);
    join("short", invitation).refused(400);
    // Of many guests who come at the same time one gets the open side.
    let joining = json!({ "do": "join", "invitation": invitation, "version": room["version"] });
    let came: Vec<_> = std::thread::scope(|scope| {
        let comers: Vec<_> = (0..8)
            .map(|n| {
                let token = if n == 0 { guest.clone() } else { format!("{n}").repeat(32) };
                let (site, id, joining) = (&site, &id, &joining);
                scope.spawn(move || (token.clone(), site.act(id, &token, joining).status))
            })
            .collect();
        comers.into_iter().map(|comer| comer.join().unwrap()).collect()
    });
    let joined: Vec<_> = came.iter().filter(|(_, status)| *status == 200).collect();
    assert_eq!(joined.len(), 1, "{came:?}");
    let guest = &joined[0].0;
    // The guest who has the side is not refused, and nobody else gets it.
    assert_eq!(join(guest, invitation).status, 200);
    assert_eq!(join(&late, invitation).refused(403), "this side is taken: you are watching");
    site.act(&id, &late, &json!({ "do": "resign" })).refused(403);

    let mut sockets = [host, guest, &late].map(|token| {
        let mut socket = site.socket(&format!("{path}/live"), None).unwrap();
        socket.hear().unwrap();
        socket.send(&json!({ "do": "enter", "token": token }));
        (hear_of(&mut socket, "you")["you"].clone(), socket)
    });
    let you: Vec<_> = sockets.iter().map(|(you, _)| you.clone()).collect();
    assert_eq!(you, [json!([true, false]), json!([false, true]), json!([false, false])]);
    let here = |socket: &mut Socket| hear_of(socket, "here")["here"].clone();
    let full = loop {
        let here = here(&mut sockets[0].1);
        if here["watching"] == 1 {
            break here;
        }
    };
    assert_eq!(full["sides"], json!([1, 1]));

    // A player's set-up stays hidden until the other has arranged the pieces, too.
    for (token, salt) in [(host, "one"), (guest, "two")] {
        site.act(&id, token, &json!({ "do": "begin", "salt": salt }));
    }
    let set = json!({ "do": "arrange", "setup": "S652143" });
    let seen = site.act(&id, host, &set).body
        + &site.get(&path).body
        + &site.get(&format!("{path}/record")).body;
    assert!(!seen.contains("S652143") && seen.contains(r#""arranged":[true,false]"#), "{seen}");
    // A server that is restarted still knows who plays which side.
    drop(sockets);
    site.kill();
    let site = Site::serve(folder.path(), &[]);
    let set = json!({ "do": "arrange", "setup": "S164235" });
    site.act(&id, &late, &set).refused(403);
    let begun = site.act(&id, guest, &set).json();
    assert_eq!((&begun["begun"], &begun["dice"]["salt"]), (&json!(true), &json!("one-two")));
    assert!(text(&begun["scene"]["at_rest"]).starts_with("FEB2/AD3/C"), "{begun}");

    // In a rematch the same tokens play the other sides.
    site.act(&id, guest, &json!({ "do": "resign" }));
    site.act(&id, guest, &json!({ "do": "offer", "what": "rematch" }));
    let led = site.act(&id, host, &json!({ "do": "accept" })).json();
    let next = text(&led["apart"]["next"]);
    site.act(next, &late, &json!({ "do": "begin" })).refused(403);
    let ready = site.act(next, guest, &json!({ "do": "begin" })).json();
    assert_eq!(ready["apart"]["ready"], json!([true, false]));
}

#[test]
fn an_agent_waits_for_somebody_who_looks() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let (room, token) = site.open(&request(&agent("greedy"), &agent("random")));
    let path = format!("/api/rooms/{}", id(&room));
    assert_eq!(site.get(&path).json()["steps"], json!([]));
    let mut socket = site.socket(&format!("{path}/live"), None).unwrap();
    let last = play_on(&mut socket, &token);
    // A cube that is three steps from its goal may be rolled three times in a row.
    assert!(last["steps"].as_array().unwrap().len() >= 5);
}

#[test]
fn an_analysis_grows_and_ends_with_the_next_question() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let mut socket = site.socket("/api/analyse", None).unwrap();
    let start = "ABC2/DE3/F3f/3ed/2cba r 4 1";
    socket.send(&json!({ "game": "einstein", "position": start, "tag": 1 }));
    let first = socket.hear().unwrap();
    assert_eq!((first["tag"].as_u64(), first["moves"].as_array().unwrap().len()), (Some(1), 3));
    // Analysed before the roll, a position in which one roll wins and the others lose.
    socket.send(&json!({ "game": "einstein", "position": "5/b4/5/3A1/5 r - 1", "tag": 2 }));
    let report = loop {
        let report = socket.hear().unwrap();
        assert_eq!(report["error"], Value::Null, "{report}");
        if report["tag"] == 2 {
            break report;
        }
    };
    assert_eq!(report["rolls"].as_array().unwrap().len(), 1);
    assert!(report["value"].as_f64().unwrap() > 0.99, "{report}");
    for (question, message) in [
        (json!({ "game": "einstein", "position": "nonsense" }), "position 'nonsense'"),
        (json!({ "game": "go", "position": start }), "unknown game 'go'"),
        (json!({ "game": "einstein" }), "malformed request"),
        (json!({ "game": "einstein", "position": "5/5/5/5/4A r" }), "the game is over"),
        (
            json!({ "game": "einstein", "position": start, "agent": "champion:weights=/etc/passwd" }),
            "guests may not set this one",
        ),
    ] {
        socket.send(&question);
        let error = loop {
            let event = socket.hear().unwrap();
            if event["error"] != Value::Null {
                break event;
            }
        };
        assert!(text(&error["error"]).contains(message), "{error}");
    }
}

#[test]
fn requests_that_are_not_what_they_should_be_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &["--rate", "1000"]);
    let (room, token) = site.open(&against("greedy"));
    let path = format!("/api/rooms/{}", id(&room));
    let json_type = "content-type: application/json\r\n";
    let send = |body: &str| site.request("POST", &path, json_type, body);

    for body in
        ["", "{", "null", "[]", "{\"token\":1}", "\u{0}", "{\"token\":\"x\",\"do\":\"fly\"}"]
    {
        send(body).refused(400);
    }
    send(&"[".repeat(10_000)).refused(400);
    send(&format!("{{\"token\":\"{}\"", "x".repeat(100_000))).refused(413);
    // What says that it is too long is refused before anything of it has come.
    let announced = format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{json_type}content-length: 999999999\r\n\r\n",
        site.host
    );
    site.raw(announced.as_bytes()).unwrap().refused(413);
    // What is wrong is said in words that mean something to a client.
    for (path, expected) in [
        ("/api/rooms", "a game to open, as an object"),
        (&*path, "an action, as an object"),
        ("/api/review", "games to review, as an object"),
        ("/api/qr", "a text to draw, as an object"),
    ] {
        for body in ["[]", "7"] {
            let message = site.request("POST", path, json_type, body).refused(400);
            assert!(message.contains(expected), "{path}, {body}: {message}");
        }
    }
    site.request("POST", &path, "", "{}").refused(415);
    site.request("POST", &path, "content-type: text/plain\r\n", "{}").refused(415);
    site.request("PUT", &path, json_type, "{}").refused(405);
    let elsewhere = "content-type: application/json\r\norigin: http://evil.example\r\n";
    site.request("POST", &path, elsewhere, "{}").refused(403);
    // No proxy is named, so nothing came over https.
    let secure = format!("content-type: application/json\r\norigin: https://{}\r\n", site.host);
    let reason = site.request("POST", &path, &secure, "{}").refused(403);
    assert!(reason.starts_with("the page came over https and the request over http"), "{reason}");
    let own = secure.replace("https:", "http:");
    site.request("POST", &path, &own, "{}").refused(400);
    let stranger = b"GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n";
    site.raw(stranger).unwrap().refused(421);

    // Tokens.
    let first = room["scene"]["moves"][0]["text"].clone();
    let action = json!({ "do": "move", "move": first });
    let forged = format!("{}0", &token[..31]);
    for wrong in ["", "x", &forged, &token.to_uppercase(), &format!("{token} ")] {
        if *wrong != *token {
            site.act(&id(&room), wrong, &action).refused(403);
        }
    }
    let illegal = site.act(&id(&room), &token, &json!({ "do": "move", "move": "a1a9" }));
    assert!(illegal.refused(400).starts_with("move 'a1a9': expected one of "));

    // Names.
    for wrong in ["nothing", "0000000000000000", "..%2f..%2fetc%2fpasswd", "%00", "%ff"] {
        let answer = site.get(&format!("/api/rooms/{wrong}"));
        assert!([400, 404].contains(&answer.status), "{wrong}: {answer:?}");
    }
    site.get("/api/nothing").refused(404);
    site.get("/../Cargo.toml").refused(404);
    site.get("/api/scene?game=einstein").refused(400);
    site.get("/api/scene?game=einstein&position=x").refused(400);
    // Castling rights that the board rules out are dropped on request only.
    let stale = "/api/scene?game=dicechess&position=r3k3/8/8/8/8/8/8/R4K1R+w+KQkq+-+0+1";
    site.get(stale).refused(400);
    let scene = site.get(&format!("{stale}&drop_castling=true")).json();
    assert_eq!(scene["position"], "r3k3/8/8/8/8/8/8/R4K1R w q - 0 1");
    site.get("/api/puzzles/einstein/x").refused(400);
    site.get("/api/puzzles/go/1").refused(404);

    // None of this has changed the game.
    let after = site.get(&path).json();
    assert_eq!(after["steps"], json!([]));
    assert_eq!(site.act(&id(&room), &token, &action).status, 200);
}

#[test]
fn sockets_that_misbehave_are_closed_and_nobody_else_notices() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let (room, token) = site.open(&against("greedy"));
    let live = format!("/api/rooms/{}/live", id(&room));
    assert!(site.socket(&live, Some("http://evil.example")).is_err());
    assert!(site.socket(&live, Some("null")).is_err());
    assert!(site.socket("/api/rooms/0000000000000000/live", None).is_err());
    let own = format!("http://{}", site.host);
    let mut friend = site.socket(&live, Some(&own)).unwrap();
    assert_eq!(friend.hear().unwrap()["version"], room["version"]);

    let mut oversized = site.socket(&live, None).unwrap();
    oversized.hear().unwrap();
    let _ = oversized.line.send(Message::text("x".repeat(1 << 20)));
    assert_eq!(oversized.hear(), None);

    let mut malformed = site.socket(&live, None).unwrap();
    malformed.hear().unwrap();
    for message in [Message::text("{"), Message::text("[[[["), Message::binary(vec![0; 9])] {
        malformed.line.send(message).unwrap();
        assert!(malformed.hear().unwrap()["error"].is_string());
    }
    malformed.send(&json!({ "token": "forged", "version": 1, "do": "resign" }));
    let error = malformed.hear().unwrap();
    assert_eq!(error["error"], "the token does not belong to this game");

    let mut flood = site.visitor(1).socket(&live, None).unwrap();
    flood.hear().unwrap();
    for _ in 0..2000 {
        if flood.line.send(Message::text("{}")).is_err() {
            break;
        }
    }
    while flood.hear().is_some() {}

    // Not a frame at all.
    let mut raw = site.connect();
    let hello = format!(
        "GET {live} HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        site.host
    );
    raw.write_all(hello.as_bytes()).unwrap();
    raw.write_all(&[0xff; 64]).unwrap();
    let mut rest = vec![];
    let _ = raw.read_to_end(&mut rest);

    let first = room["scene"]["moves"][0]["text"].clone();
    friend.send(&json!({ "token": token, "version": 1, "do": "move", "move": first }));
    assert_eq!(friend.hear().unwrap()["steps"].as_array().unwrap().len(), 1);
}

#[test]
fn whoever_asks_too_often_waits_and_a_slow_one_holds_nobody_up() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &["--rate", "1", "--connections", "8"]);
    let slow: Vec<_> = (0..4)
        .map(|_| {
            let mut stream = site.connect();
            stream.write_all(b"GET / HTTP/1.1\r\nhost: ").unwrap();
            stream
        })
        .collect();
    let statuses: Vec<u16> = (0..30).map(|_| site.get("/api/rooms").status).collect();
    assert_eq!(statuses[0], 200);
    assert!(statuses.contains(&429), "{statuses:?}");
    // Eight connections are let in, no more. Those from above may not have been closed yet, and
    // then one of these is refused.
    let one_too_many = || {
        let connections: Vec<_> = (0..8).map(|_| site.connect()).collect();
        let refused = site.raw(b"GET / HTTP/1.1\r\n\r\n").is_none();
        drop(connections);
        refused
    };
    assert!((0..100).any(|_| one_too_many()));
    drop(slow);
}

#[test]
fn every_answer_tells_the_browser_to_be_careful() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    for path in ["/", "/app.js", "/analyse", "/room/0123456789abcdef", "/api/games", "/nothing.js"]
    {
        let answer = site.get(path);
        assert_eq!(answer.status, if path == "/nothing.js" { 404 } else { 200 }, "{path}");
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval';",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "x-frame-options: deny",
        ] {
            assert!(answer.head.contains(header), "{header} for {path}: {}", answer.head);
        }
    }
    // The board for pages of others is the only page that may be framed.
    let board = site.get("/embed/");
    assert_eq!(board.status, 200);
    assert!(board.head.contains("frame-ancestors *") && !board.head.contains("x-frame-options"));
    for path in ["/embed", "/embed/more", "/embed/index.html", "/embed//"] {
        assert!(site.get(path).head.contains("x-frame-options: deny"), "{path}");
    }
    let page = site.get("/");
    assert!(!page.body.contains("<script>") && page.body.contains("<script type=\"module\" src"));
    let tag = page.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    let again = site.request("GET", "/", &format!("if-none-match: {tag}\r\n"), "");
    assert_eq!((again.status, again.body.as_str()), (304, ""));
}

#[test]
fn puzzles_have_numbers_and_one_good_move() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let [one, again] = [0; 2].map(|_| site.get("/api/puzzles/einstein/7").json());
    assert_eq!(one, again);
    let value = |n: usize| one["moves"][n]["value"].as_f64().unwrap();
    assert!(value(0) - value(1) >= 0.05 && one["moves"][0]["exact"] == true, "{one}");
    assert_eq!(
        (&one["last"], &one["analyser"], &one["right"]),
        (&Value::Null, &Value::Null, &json!(1))
    );
}

#[test]
fn dice_chess_has_puzzles_with_estimates() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    for (game, list) in [("dicechess", "moves"), ("dicechess3", "turns")] {
        let address = format!("/api/puzzles/{game}/2");
        let [one, again] = [0; 2].map(|_| site.get(&address).json());
        assert_eq!(one, again);
        let right = one["right"].as_u64().unwrap() as usize;
        let value = |n: usize| one[list][n]["value"].as_f64().unwrap();
        assert!(value(0) - value(right - 1) <= 0.01, "{one}");
        assert!(value(0) - value(right) >= 0.049, "{one}");
        assert!(text(&one["analyser"]).starts_with("champion:depth="), "{one}");
        let last = one["last"].as_u64().unwrap();
        site.get(&format!("/api/puzzles/{game}/{last}")).json();
        for beyond in [0, last + 1] {
            let message = site.get(&format!("/api/puzzles/{game}/{beyond}")).refused(404);
            assert_eq!(message, format!("the puzzles of this game have the numbers 1 to {last}"));
        }
    }
    site.get("/api/puzzles/dicechess-bare/1").refused(404);
}

/// The moves of a turn are made one by one, and the position after them is that of the answer.
#[test]
fn the_moves_of_a_turn_lead_to_the_end_that_its_puzzle_names() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let puzzle = site.get("/api/puzzles/dicechess3/1").json();
    let turn = &puzzle["turns"][0];
    let mut position = text(&puzzle["scene"]["position"]).to_owned();
    let mut scene = Value::Null;
    for mv in turn["moves"].as_array().unwrap() {
        let joining = position.replace(' ', "%20");
        let address = format!("/api/scene?game=dicechess3&position={joining}&move={}", text(mv));
        scene = site.get(&address).json();
        position = text(&scene["position"]).to_owned();
    }
    assert_eq!((&scene["roll"], &scene["at_rest"]), (&Value::Null, &turn["end"]));
}

#[test]
fn what_cannot_be_served_is_said_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let port = site.host.split(':').nth(1).unwrap();
    wurfel(&["serve", "--port", port, "--data", data])
        .refused_by_system("cannot listen on 127.0.0.1:");
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let run = wurfel(&["serve", "--port", "0", "--data", file.to_str().unwrap()]);
    run.refused_by_system("cannot save games in");
    let strange = folder.path().join("strange");
    std::fs::create_dir(&strange).unwrap();
    std::fs::write(strange.join("games.db"), "x".repeat(5000)).unwrap();
    let run = wurfel(&["serve", "--port", "0", "--data", strange.to_str().unwrap()]);
    run.refused("not a database");
}
