//! Tests of the registry of rooms.

use super::*;
use crate::limits::Limits;

fn registry(folder: &std::path::Path) -> Arc<Registry> {
    let store = Store::open(&folder.join("games.db"), 100, Duration::ZERO).unwrap();
    let limits = Limits { new_per_minute: None, ..Limits::default() };
    Arc::new(Registry::new(
        store,
        Arc::new(Pool::new(2, 1, vec![]).unwrap()),
        Arc::new(Gate::new(limits)),
        3,
        Lobby::new(true, 1, vec![]),
    ))
}

fn request(clock: &str) -> GameRequest {
    let players = r#"[{"kind":"person"},{"kind":"person"}]"#;
    let request = format!(r#"{{"game":"einstein","players":{players},"clock":{clock}}}"#);
    serde_json::from_str(&request).unwrap()
}

fn action(live: &LiveRoom, token: &str, action: Action) -> PlayerAction {
    let version = Some(lock(&live.room).room.version());
    PlayerAction { token: token.to_owned(), version, action }
}

async fn begin(registry: &Arc<Registry>, room: &Opened) {
    let begin = action(&room.live, &room.token, Action::Begin { salt: String::new() });
    registry.act(&room.live, &begin, CLIENT).await.unwrap();
}

const CLIENT: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

#[tokio::test]
async fn rooms_that_nobody_holds_are_on_the_disk_and_can_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let registry = registry(folder.path());
    let mut opened = vec![];
    for _ in 0..10 {
        let room = registry.open(request(r#"{"seconds":86400}"#), CLIENT).await.unwrap();
        begin(&registry, &room).await;
        opened.push(room.live.id.clone());
    }
    // Tasks that ended with the last change release the room a little later.
    while registry.count.load(Ordering::Relaxed) > 0 {
        tokio::task::yield_now().await;
    }
    let mut rooms = vec![];
    for id in &opened {
        rooms.push(registry.find(id).await.unwrap());
    }
    let refused = registry.open(request("null"), CLIENT).await;
    assert!(matches!(refused, Err(RegistryError::Full)));
    drop(rooms);
    registry.open(request("null"), CLIENT).await.unwrap();
}

#[tokio::test]
async fn a_clock_ends_while_nobody_watches_and_continues_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let registry = registry(folder.path());
    let room = registry.open(request(r#"{"seconds":3600}"#), CLIENT).await.unwrap();
    begin(&registry, &room).await;
    let (id, token) = (room.live.id.clone(), room.token);
    drop(room.live);
    while registry.count.load(Ordering::Relaxed) > 0 {
        tokio::task::yield_now().await;
    }
    // Simulates that most of an hour passed while the room was only on the disk.
    let mut row = registry.load(&id).await.unwrap();
    let version = row.version;
    row.due = Some(SystemTime::now() + Duration::from_secs(1));
    registry.store.save(StoredRoom { version: version + 1, ..row }, Some(version)).await.unwrap();
    let live = registry.find(&id).await.unwrap();
    let view: serde_json::Value = serde_json::from_str(&live.view()).unwrap();
    assert!(view["clock"]["left_ms"][0].as_u64().unwrap() <= 1000, "{view}");
    drop(live);
    let minding = tokio::spawn(Arc::clone(&registry).mind_clocks());
    while !registry.load(&id).await.unwrap().over {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    minding.abort();
    let live = registry.find(&id).await.unwrap();
    // The disk has the change a moment before the watchers are told.
    while !live.view().contains(r#""reason":"time""#) {
        tokio::task::yield_now().await;
    }
    let late = registry.act(&live, &action(&live, &token, Action::Resign), CLIENT).await;
    assert!(matches!(late, Err(RegistryError::Refused(_))));
}
