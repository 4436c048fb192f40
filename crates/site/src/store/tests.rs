//! Tests of the database of games.

use super::*;

fn open(path: &Path, most: usize) -> Store {
    Store::open(path, most, Duration::ZERO).unwrap()
}

fn row(id: &str, version: u64) -> StoredRoom {
    StoredRoom {
        id: id.into(),
        token: "hash".into(),
        game: "einstein".into(),
        over: false,
        empty: false,
        version,
        due: None,
        record: version.to_string(),
    }
}

#[tokio::test]
async fn games_are_there_when_the_store_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let store = open(&path, 100);
    // Many saves at once are written together, each in the state of its latest request.
    let saves: Vec<_> = (0..50u64)
        .map(|n| store.save(row(&format!("g{}", n % 10), n / 10), (n / 10).checked_sub(1)))
        .collect();
    for save in saves {
        save.await.unwrap();
    }
    drop(store);
    let store = open(&path, 100);
    assert_eq!(store.load("g7".into()).await.unwrap(), Some(row("g7", 4)));
    assert_eq!(store.load("none".into()).await.unwrap(), None);
    assert_eq!(store.last(3).await.unwrap().len(), 3);
}

/// Games that were opened and never played stood in the list of games as "going on".
#[tokio::test]
async fn a_game_without_moves_is_listed_when_it_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("games.db"), 100);
    for (id, empty, over) in [("new", true, false), ("played", false, false), ("left", true, true)]
    {
        store.save(StoredRoom { over, empty, ..row(id, 0) }, None).await.unwrap();
    }
    let listed = store.last(9).await.unwrap();
    let ids: Vec<_> = listed.iter().map(|game| game.id.as_str()).collect();
    assert_eq!(ids, ["left", "played"]);
}

#[tokio::test]
async fn changes_based_on_an_unsaved_change_are_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let store = open(&path, 100);
    store.save(row("one", 0), None).await.unwrap();
    store.save(row("other", 0), None).await.unwrap();
    drop(store);
    // Simulates a full disk: the database may not grow by another page.
    let connection = Connection::open(&path).unwrap();
    let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    connection.pragma_update(None, "max_page_count", pages).unwrap();
    let (requests, waiting) = sync_channel(MAX_WAITING);
    let store = Store { requests };
    let large = StoredRoom { record: "x".repeat(100_000), ..row("one", 1) };
    let first = store.save(large, Some(0));
    std::thread::spawn(move || serve(&connection, &waiting, 100));
    assert!(matches!(first.await, Err(StoreError::NotKept(_))));
    let next = store.save(row("one", 2), Some(1)).await;
    assert!(matches!(next, Err(StoreError::Overtaken)));
    assert_eq!(store.load("one".into()).await.unwrap(), Some(row("one", 0)));
    // The store continues to work.
    store.save(row("other", 1), Some(0)).await.unwrap();
    assert_eq!(store.load("other".into()).await.unwrap(), Some(row("other", 1)));
}

#[tokio::test]
async fn clocks_stand_still_while_no_server_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let due = UNIX_EPOCH + Duration::from_secs(1_000_000);
    let store = open(&path, 100);
    store.save(StoredRoom { due: Some(due), ..row("one", 0) }, None).await.unwrap();
    store.save(row("none", 0), None).await.unwrap();
    drop(store);
    let down = Duration::from_secs(50);
    let store = Store::open(&path, 100, down).unwrap();
    assert_eq!(store.load("one".into()).await.unwrap().unwrap().due, Some(due + down));
    assert!(store.due(due, 9).await.unwrap().is_empty());
    assert_eq!(store.due(due + down, 9).await.unwrap(), ["one"]);
}

#[test]
fn games_are_forgotten_by_age_and_those_with_moves_last() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    drop(open(&path, 100));
    let connection = Connection::open(&path).unwrap();
    let add = |id: &str, over: bool, empty: bool, days: i64| {
        let row = StoredRoom { over, empty, ..row(id, 0) };
        let (reply, _) = oneshot::channel();
        save(&connection, &Save { row, before: None, reply }).unwrap();
        let aged = "UPDATE games SET changed = unixepoch() - ?1 - 9 WHERE id = ?2";
        connection.execute(aged, params![days * DAY, id]).unwrap();
    };
    let left = || -> Vec<String> {
        let mut query = connection.prepare("SELECT id FROM games ORDER BY id").unwrap();
        query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    add("empty new", false, true, 0);
    add("empty old", false, true, 1);
    add("ended new", true, false, 89);
    add("ended old", true, false, 90);
    add("open new", false, false, 364);
    add("open old", false, false, 365);
    forget(&connection, 100).unwrap();
    assert_eq!(left(), ["empty new", "ended new", "open new"]);
    add("ended today", true, false, 0);
    forget(&connection, 3).unwrap();
    assert_eq!(left(), ["ended new", "ended today", "open new"]);
    // However many games there are, no game with moves is removed before its time.
    forget(&connection, 0).unwrap();
    assert_eq!(left(), ["ended today", "open new"]);
}

#[test]
fn a_file_that_is_no_database_or_a_later_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    std::fs::write(&path, "not a database, and long enough to be read as the head of one").unwrap();
    let opened = |path: &Path| Store::open(path, 4, Duration::ZERO).map(drop);
    assert!(matches!(opened(&path), Err(StoreError::Database(_))));
    let later = folder.path().join("later.db");
    drop(open(&later, 4));
    let connection = Connection::open(&later).unwrap();
    for version in [1, 7] {
        connection.pragma_update(None, "user_version", version).unwrap();
        assert!(matches!(opened(&later), Err(StoreError::Version(other)) if other == version));
    }
}
