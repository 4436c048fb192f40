//! A server that is killed again and again while moves are made loses none that it acknowledged.

use std::sync::mpsc::{Sender, channel};

use crate::program::site::{Site, Socket, id, person};
use serde_json::{Value, json};
use tungstenite::Message;
use wurfel_core::Random;

/// Games that are played in parallel.
const GAMES: usize = 6;

/// A game as its players last saw it.
struct PlayedGame {
    token: String,
    view: Value,
}

fn open(site: &Site) -> PlayedGame {
    let (view, token) = site.open(&json!({ "game": "dicechess", "players": [person(), person()] }));
    PlayedGame { token, view }
}

/// Plays until the connection or the game ends, and keeps what was acknowledged.
fn play(mut socket: Socket, seen: &mut PlayedGame, seed: u64, acknowledged: &Sender<()>) {
    let mut random = Random::new(seed);
    while let Some(view) = socket.hear() {
        assert_eq!(view["error"], Value::Null, "{view}");
        if view["version"].as_u64() > seen.view["version"].as_u64() {
            let _ = acknowledged.send(());
        }
        seen.view = view;
        if seen.view["end"] != Value::Null {
            return;
        }
        let mv = &random.pick(seen.view["scene"]["moves"].as_array().unwrap())["text"];
        let version = &seen.view["version"];
        let action = json!({ "token": seen.token, "version": version, "do": "move", "move": mv });
        if socket.line.send(Message::text(action.to_string())).is_err() {
            return;
        }
    }
}

/// Asserts that all acknowledged moves are there, and at most one more that was under way.
fn check(site: &Site, seen: &PlayedGame) {
    let now = site.get(&format!("/api/rooms/{}", id(&seen.view))).json();
    let version = |view: &Value| view["version"].as_u64().unwrap();
    assert!((version(&seen.view)..=version(&seen.view) + 1).contains(&version(&now)), "{now}");
    let steps = |view: &Value| view["steps"].as_array().unwrap().clone();
    assert!(steps(&now).starts_with(&steps(&seen.view)), "{now}\n{}", seen.view);
    for part in ["players", "begun"] {
        assert_eq!(now[part], seen.view[part], "{part}");
    }
}

/// Kills the server eight times, or as often as `KILLS` says.
#[test]
fn no_acknowledged_move_is_lost() {
    let kills = std::env::var("KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(8);
    let folder = tempfile::tempdir().unwrap();
    let mut games: Vec<PlayedGame> = vec![];
    let mut moves = 0;
    for kill in 0..kills {
        let site = Site::serve(folder.path(), &["--rate", "100000"]);
        for seen in &games {
            check(&site, seen);
        }
        games.retain(|seen| seen.view["end"] == Value::Null);
        while games.len() < GAMES {
            games.push(open(&site));
        }
        let (acknowledged, signals) = channel();
        std::thread::scope(|scope| {
            for (number, seen) in games.iter_mut().enumerate() {
                let path = format!("/api/rooms/{}/live", id(&seen.view));
                let socket = site.socket(&path, None).unwrap();
                let acknowledged = acknowledged.clone();
                let seed = Random::seed_for(kill, &[number as u64]);
                scope.spawn(move || play(socket, seen, seed, &acknowledged));
            }
            drop(acknowledged);
            // The kill comes during a move, however fast the machine is.
            moves += signals.iter().take(1 + Random::new(kill).below(60) as usize).count();
            site.kill();
        });
    }
    let site = Site::serve(folder.path(), &[]);
    for seen in &games {
        check(&site, seen);
    }
    assert!(moves as u64 >= kills, "{moves} moves");
}
