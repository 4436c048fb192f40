//! Joining games by code and from the list of open games, by people and by attackers.

use serde_json::{Value, json};

use crate::program::site::{Site, Socket, Visitor, id, person, request, text};

/// A request for a game that anybody may join, of somebody with this name.
fn listed(name: &str) -> Value {
    let mut request = request(&json!({ "kind": "person", "name": name }), &person());
    (request["guest"], request["listed"]) = (json!(1), json!(true));
    request
}

/// Opens a game and waits in it; the room is in the list while the socket is open.
fn wait(host: &Visitor, request: &Value) -> (Value, Socket) {
    let opened = host.post("/api/rooms", request);
    assert_eq!(opened.status, 201, "{opened:?}");
    let room = opened.json();
    let mut socket = host.socket(&format!("/api/rooms/{}/live", id(&room)), None).unwrap();
    socket.hear().unwrap();
    socket.send(&json!({ "do": "enter", "token": room["token"] }));
    while socket.hear().unwrap()["you"] == Value::Null {}
    (room, socket)
}

fn lobby(guest: &Visitor) -> Vec<Value> {
    guest.get("/api/lobby").json().as_array().unwrap().clone()
}

fn join(guest: &Visitor, code: &str, token: &str, name: &str) -> crate::program::site::Answer {
    guest.post("/api/join", &json!({ "code": code, "token": token, "name": name }))
}

#[test]
fn a_game_in_the_list_is_taken_once_and_is_then_gone() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let (room, _socket) = wait(&site, &listed("Ada"));
    let open = lobby(&site);
    assert_eq!(open.len(), 1);
    assert_eq!((text(&open[0]["id"]), text(&open[0]["name"])), (text(&room["id"]), "Ada"));
    assert_eq!((&open[0]["side"], &open[0]["code"]), (&json!(1), &room["code"]));
    // Those who look at the room or its record do not learn its code.
    let path = format!("/api/rooms/{}", id(&room));
    for seen in [site.get(&path), site.get(&format!("{path}/record"))] {
        assert!(!seen.body.contains(text(&room["code"])), "{seen:?}");
    }
    let token = "ab".repeat(16);
    let code = text(&room["code"]).to_ascii_lowercase();
    join(&site, &code, "short", "").refused(400);
    let joined = join(&site, &code, &token, " Grace\u{202e} <b>Hopper</b> ").json();
    assert_eq!(joined["players"][0]["name"], "Ada");
    assert_eq!(joined["players"][1]["name"], "Grace <b>Hopper</b>");
    assert!(lobby(&site).is_empty());
    // Whoever has joined may ask again, because the answer may be lost. Nobody else joins.
    assert_eq!(join(&site, &code, &token, "").status, 200);
    join(&site, &code, &"cd".repeat(16), "").refused(404);
    let record = site.get(&format!("{path}/record")).json();
    assert_eq!(record["players"][1]["name"], "Grace <b>Hopper</b>");
}

#[test]
fn a_game_is_listed_only_while_its_player_is_there_and_a_code_outlives_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let (room, socket) = wait(&site, &listed(""));
    drop(socket);
    while !lobby(&site).is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    site.kill();
    let site = Site::serve(folder.path(), &[]);
    assert!(lobby(&site).is_empty());
    let joined = join(&site, text(&room["code"]), &"ab".repeat(16), "Eve").json();
    assert_eq!((id(&joined), &joined["players"][1]["name"]), (id(&room), &json!("Eve")));
}

#[test]
fn a_rematch_gives_each_name_to_the_other_side() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let (room, _socket) = wait(&site, &listed("Ada"));
    let (id, host, guest) = (id(&room), text(&room["token"]), "ab".repeat(16));
    join(&site, text(&room["code"]), &guest, "Grace");
    for (token, salt) in [(host, "one"), (&guest, "two")] {
        assert_eq!(site.act(&id, token, &json!({ "do": "begin", "salt": salt })).status, 200);
    }
    site.act(&id, host, &json!({ "do": "resign" }));
    site.act(&id, host, &json!({ "do": "offer", "what": "rematch" }));
    let led = site.act(&id, &guest, &json!({ "do": "accept" })).json();
    let again = site.get(&format!("/api/rooms/{}", text(&led["apart"]["next"]))).json();
    assert_eq!(
        (&again["players"][0]["name"], &again["players"][1]["name"]),
        (&json!("Grace"), &json!("Ada"))
    );
    assert_eq!(again["apart"]["open"], Value::Null);
}

#[test]
fn one_client_cannot_fill_the_list_and_others_stay_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &["--rate", "1000"]);
    let (friend, flood) = (site.visitor(1), site.visitor(2));
    let (room, _there) = wait(&friend, &listed("Ada"));
    let _crowd: Vec<_> = (0..40).map(|_| wait(&flood, &listed("Mallory"))).collect();
    let open = lobby(&site);
    assert_eq!(open.iter().filter(|game| game["name"] == "Mallory").count(), 5);
    assert!(open.iter().any(|game| id(game) == id(&room)));
}

#[test]
fn ten_thousand_games_of_one_client_are_refused_but_for_a_few() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--rate", "100000", "--new-per-minute", "8", "--new-per-day", "300"];
    let site = Site::serve(folder.path(), &options);
    let (friend, flood) = (site.visitor(1), site.visitor(2));
    let statuses: Vec<u16> =
        (0..10_000).map(|_| flood.post("/api/rooms", &listed("Mallory")).status).collect();
    let opened = statuses.iter().filter(|&&status| status == 201).count();
    assert!((8..40).contains(&opened), "{opened} games");
    assert!(statuses.iter().all(|status| [201, 429].contains(status)));
    // Nobody waits in any of them.
    assert!(lobby(&friend).is_empty());
    let (room, _socket) = wait(&friend, &listed("Ada"));
    assert_eq!(lobby(&site).iter().map(id).collect::<Vec<_>>(), [id(&room)]);
}

#[test]
fn whoever_guesses_codes_soon_has_to_wait_and_others_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &["--rate", "1000"]);
    let (friend, guesser) = (site.visitor(1), site.visitor(2));
    let (room, _socket) = wait(&friend, &listed("Ada"));
    let token = "ab".repeat(16);
    let guesses: Vec<u16> = (0..200).map(|_| join(&guesser, "ZZZZZ", &token, "").status).collect();
    let tried = guesses.iter().filter(|&&status| status == 404).count();
    assert!((10..20).contains(&tried), "{tried} codes");
    let answer = join(&guesser, text(&room["code"]), &token, "");
    assert!(answer.head.contains("retry-after: "), "{answer:?}");
    assert_eq!(answer.refused(429), "too many wrong codes, try again later");
    assert_eq!(join(&friend, text(&room["code"]), &token, "").status, 200);
}

#[test]
fn names_are_checked_and_a_server_may_have_no_list() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &["--no-lobby"]);
    assert_eq!(site.get("/api/games").json()["lobby"], false);
    assert_eq!(site.get("/api/lobby").refused(404), "this server has no list of open games");
    site.post("/api/rooms", &listed("Ada")).refused(404);
    let named = |name: &str| request(&json!({ "kind": "person", "name": name }), &person());
    let refused = site.post("/api/rooms", &named(&"x".repeat(25))).refused(400);
    assert!(refused.contains("a name of 25 characters: expected at most 24"), "{refused}");
    let room = site.post("/api/rooms", &named("\u{202e}\t<i>Ada</i>\u{0}\n\u{feff}")).json();
    assert_eq!(room["players"], json!([{ "kind": "person", "name": "<i>Ada</i>" }, person()]));
    // A code is given out all the same, to pass on.
    let mut request = named("Ada");
    request["guest"] = json!(1);
    let room = site.post("/api/rooms", &request).json();
    assert_eq!(join(&site, text(&room["code"]), &"ab".repeat(16), "").status, 200);
}
