//! Access for fuzz targets to internals of the site (feature `testkit`): to everything that reads
//! messages of guests, the contents of the database, and the files of runs.
//!
//! Nothing here is part of the library: it may change with any version.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, HeaderValue, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use wurfel::game;
use wurfel_arena::{PersonName, RoomPlayer};
use wurfel_core::BySide;

use crate::agents::{self, AgentCache};
use crate::analysis::Question;
use crate::http::body::read;
use crate::http::proxy::Proxies;
use crate::keys::Keys;
use crate::record::RoomRecord;
use crate::registry::PlayerAction;
use crate::review;
use crate::rollouts;
use crate::room::{Actor, GameRequest, Room};
use crate::runs;

/// Agents that are built and play within microseconds and touch no file.
const QUICK: [&str; 2] = ["random", "greedy"];

/// The sender of an action, and how long the other side has been away.
#[derive(Deserialize)]
struct By {
    sides: [bool; 2],
    #[serde(default)]
    away_seconds: u32,
}

/// Reads the record of a room, opens the room again, and carries out the lines after the record: a
/// line that names the sender, `{"sides":[true,false]}`, and then the actions of this sender.
/// Instead of a record, the text may begin with a request for a room, which is opened as for a
/// guest.
///
/// # Panics
/// When a room and its record do not agree after an action.
pub fn play_room(text: &str) {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let opened = match serde_json::from_str::<RoomRecord>(first) {
        Ok(record) => {
            let _ = record.verify();
            let _ = record.is_as_shown(Some("x"), Some("y"));
            let _ = serde_json::to_string(&record.clone().shown());
            Room::reopen(record)
        }
        Err(_) => match read::<GameRequest>(first.as_bytes()) {
            Ok(request) => {
                Room::open("room".to_owned(), people(request), &mut AgentCache::default())
            }
            Err(_) => return,
        },
    };
    let Ok(mut room) = opened else { return };
    let start = Instant::now();
    let mut by = Actor { sides: BySide::from_fn(|_| true), away: BySide::default(), now: start };
    for line in lines.take(64) {
        if let Ok(next) = serde_json::from_str::<By>(line) {
            by.sides = BySide::new(next.sides[0], next.sides[1]);
            by.away = BySide::from_fn(|_| Duration::from_secs(next.away_seconds.into()));
            by.now += Duration::from_secs(1);
            continue;
        }
        let Ok(sent) = read::<PlayerAction>(line.as_bytes()) else { continue };
        let _ = sent.is_made_for(&room);
        match room.act(&sent.action, &by) {
            Ok(()) => same_again(&room, by.now),
            Err(refusal) => one_line(&refusal.to_string()),
        }
        let _ = room.can_play_again(&by);
        let _ = room.flag();
        if let Some(thought) = room.thought() {
            let _ = room.answer(thought.version, Err("it failed".to_owned()), by.now);
        }
    }
    let _ = room.drop_flag(by.now);
    same_again(&room, by.now);
}

/// Replaces all agents but the quick ones.
fn people(mut request: GameRequest) -> GameRequest {
    for player in &mut request.players {
        if let RoomPlayer::Agent { spec } = player {
            let _ = agents::read(spec);
            if !QUICK.contains(&spec.as_str()) {
                *player = RoomPlayer::Person { name: PersonName::default() };
            }
        }
    }
    request
}

/// Checks that a room made again from its stored state is the same room.
fn same_again(room: &Room, now: Instant) {
    let text = serde_json::to_string(room.record()).expect("a record can be written");
    let again: RoomRecord = serde_json::from_str(&text).expect("what was written can be read");
    assert_eq!(&again, room.record(), "a record changes when it is saved");
    let again = Room::reopen(again).unwrap_or_else(|why| panic!("a room is lost: {why}\n{text}"));
    let [view, shown] = [again.view(now), room.view(now)].map(|mut view| {
        // A running clock is started again with the room.
        view.clock = None;
        serde_json::to_value(view).expect("a view can be written")
    });
    assert_eq!(view, shown, "a room changes when it is opened again");
}

/// Reads a message or a body as every kind of message, as far as this is possible without a search.
///
/// # Panics
/// When a refusal is not a single line.
pub fn read_message(bytes: &[u8]) {
    refused(read::<PlayerAction>(bytes));
    refused(read::<GameRequest>(bytes));
    if let Ok(question) = read::<Question>(bytes) {
        show(&question.game, &question.position);
        if let Some(Err(error)) = question.agent.as_deref().map(agents::read) {
            one_line(&error.to_string());
        }
    }
    if let Ok(request) = read::<rollouts::RolloutRequest>(bytes) {
        show(&request.game, &request.position);
        if let Err(problem) = request.check() {
            one_line(&problem.message);
        }
    }
    if let Ok(request) = read::<review::Request>(bytes) {
        match request.game() {
            Ok(name) => list(&name, &request.text),
            Err(why) => one_line(&why),
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Keys::read(text);
    }
}

fn show(name: &str, text: &str) {
    let Ok(game) = game(name) else { return };
    if let Ok(position) = game.read(text, false) {
        serde_json::to_string(&position.scene()).expect("a scene can be written");
    }
}

/// A stop flag that is never raised.
static NEVER: AtomicBool = AtomicBool::new(false);

fn list(name: &str, text: &str) {
    let Ok(game) = game(name) else { return };
    if let Err(why) = review::list(game, text, NonZeroUsize::MIN, &NEVER) {
        one_line(&why);
    }
}

fn refused<T: DeserializeOwned>(read: Result<T, crate::http::answers::Problem>) {
    if let Err(problem) = read {
        one_line(&problem.message);
    }
}

/// Reads the headers of a proxy: one line each for `X-Forwarded-For`, `Forwarded` and
/// `X-Forwarded-Proto`.
pub fn read_headers(bytes: &[u8]) {
    let names = ["x-forwarded-for", header::FORWARDED.as_str(), "x-forwarded-proto"];
    let mut headers = HeaderMap::new();
    for (name, line) in names.into_iter().cycle().zip(bytes.split(|&byte| byte == b'\n').take(9)) {
        if let Ok(value) = HeaderValue::from_bytes(line) {
            headers.append(name, value);
        }
    }
    let networks = ["127.0.0.0/8", "10.0.0.0/8", "::1/128"].map(str::parse);
    let proxies = Proxies::new(networks.into_iter().flatten().collect());
    for peer in ["127.0.0.1", "::1", "192.0.2.1"] {
        if let Ok(peer) = peer.parse() {
            let _ = proxies.origin(peer, &headers);
        }
    }
}

/// Reads every run in a folder.
///
/// # Panics
/// When a run that was read cannot be written as JSON.
pub fn read_runs(folder: &Path) {
    for name in runs::list(Some(folder)).unwrap_or_default() {
        match runs::read(Some(folder), &name) {
            Ok(run) => drop(serde_json::to_string(&run).expect("a run can be written")),
            Err(error) => one_line(&error.to_string()),
        }
    }
}

fn one_line(message: &str) {
    assert!(!message.is_empty() && !message.contains(['\n', '\r']), "not a line: {message:?}");
}
