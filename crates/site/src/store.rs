//! Where games outlive the server: an embedded database with a thread of its own.
//!
//! Whoever saves waits until the disk has it. Saves that come while the last ones are
//! written go to the disk together, so many games cost little more than one.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use tokio::sync::oneshot;

/// Requests that may wait.
const MOST_WAITING: usize = 16_384;
/// Requests that are done together.
const TOGETHER: usize = 512;
/// The format of the database; another one is refused.
const VERSION: i64 = 1;

/// Why the store did not do something.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database could not be used.
    #[error("games: {0}")]
    Database(#[from] rusqlite::Error),
    /// It is that of another program or of a later version.
    #[error("games: expected a database of this program in version {VERSION}, found {0}")]
    Version(i64),
    /// Too many requests wait.
    #[error("the server is busy, try again in a moment")]
    Busy,
    /// The thread of the database has ended.
    #[error("games: the database is closed")]
    Closed,
}

impl StoreError {
    /// Whether it was the system that refused: the disk is full, or nobody may write there.
    pub fn is_of_the_system(&self) -> bool {
        use rusqlite::ErrorCode::{
            CannotOpen, DiskFull, PermissionDenied, ReadOnly, SystemIoFailure,
        };
        let Self::Database(error) = self else { return false };
        let of_system = [CannotOpen, DiskFull, PermissionDenied, ReadOnly, SystemIoFailure];
        error.sqlite_error_code().is_some_and(|code| of_system.contains(&code))
    }
}

/// A game as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub id: String,
    /// The hashes of the tokens that its players hold.
    pub token: String,
    pub game: String,
    pub over: bool,
    /// The record in JSON.
    pub record: String,
}

/// A game in a list of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Listed {
    /// The name of its room.
    pub id: String,
    /// The game, which is the rule set.
    pub game: String,
    /// Whether it has ended.
    pub over: bool,
    /// Whether moves were taken back.
    pub taken_back: bool,
    /// When something last happened in it, in seconds since 1970.
    pub changed: i64,
}

/// What was done, told once the disk has it.
type Done = Box<dyn FnOnce(bool)>;
type Request = Box<dyn FnOnce(&Connection) -> Done + Send>;

/// The games that are kept.
pub(crate) struct Store {
    requests: SyncSender<Request>,
}

impl Store {
    /// Opens the database in a file, which is made when it is not there, and keeps at
    /// most so many games, the last changed.
    pub fn open(path: &Path, most: usize) -> Result<Self, StoreError> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        let version = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version != 0 && version != VERSION {
            return Err(StoreError::Version(version));
        }
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS games (
                 id TEXT PRIMARY KEY, token TEXT NOT NULL, game TEXT NOT NULL,
                 over INTEGER NOT NULL, changed INTEGER NOT NULL, record TEXT NOT NULL
             ) STRICT;
             CREATE INDEX IF NOT EXISTS games_by_change ON games (changed);",
        )?;
        connection.pragma_update(None, "user_version", VERSION)?;
        let (requests, waiting) = sync_channel(MOST_WAITING);
        std::thread::spawn(move || serve(&connection, &waiting, most));
        Ok(Self { requests })
    }

    async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (tell, told) = oneshot::channel();
        let request: Request = Box::new(move |connection| {
            let result = work(connection).map_err(StoreError::from);
            Box::new(move |kept| {
                let _ = tell.send(if kept { result } else { Err(StoreError::Closed) });
            })
        });
        self.requests.try_send(request).map_err(|error| match error {
            TrySendError::Full(_) => StoreError::Busy,
            TrySendError::Disconnected(_) => StoreError::Closed,
        })?;
        told.await.map_err(|_| StoreError::Closed)?
    }

    /// Keeps a game. Requests are done in the order in which this is called, not in
    /// that in which the futures are awaited.
    pub fn save(&self, row: Row) -> impl Future<Output = Result<(), StoreError>> + use<> {
        let (tell, told) = oneshot::channel();
        let request: Request = Box::new(move |connection| {
            let saved = save(connection, &row).map_err(StoreError::from);
            Box::new(move |kept| {
                let _ = tell.send(if kept { saved } else { Err(StoreError::Closed) });
            })
        });
        let sent = self.requests.try_send(request);
        async move {
            sent.map_err(|_| StoreError::Busy)?;
            told.await.map_err(|_| StoreError::Closed)?
        }
    }

    /// The game of a room.
    pub async fn load(&self, id: String) -> Result<Option<Row>, StoreError> {
        self.ask(move |connection| {
            let mut query = connection
                .prepare_cached("SELECT id, token, game, over, record FROM games WHERE id = ?1")?;
            let row = |row: &rusqlite::Row<'_>| {
                Ok(Row {
                    id: row.get(0)?,
                    token: row.get(1)?,
                    game: row.get(2)?,
                    over: row.get(3)?,
                    record: row.get(4)?,
                })
            };
            query.query_row([id], row).optional()
        })
        .await
    }

    /// The games that changed last, the last first.
    pub async fn last(&self, count: u32) -> Result<Vec<Listed>, StoreError> {
        self.ask(move |connection| {
            let mut query = connection.prepare_cached(
                r#"SELECT id, game, over, changed, instr(record, '"taken_back":') > 0
                 FROM games ORDER BY changed DESC, rowid DESC LIMIT ?1"#,
            )?;
            let listed = |row: &rusqlite::Row<'_>| {
                Ok(Listed {
                    id: row.get(0)?,
                    game: row.get(1)?,
                    over: row.get(2)?,
                    changed: row.get(3)?,
                    taken_back: row.get(4)?,
                })
            };
            query.query_map([count], listed)?.collect()
        })
        .await
    }
}

fn save(connection: &Connection, row: &Row) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO games (id, token, game, over, changed, record)
             VALUES (?1, ?2, ?3, ?4, unixepoch(), ?5)
             ON CONFLICT (id) DO UPDATE SET token = ?2, over = ?4, changed = unixepoch(), record = ?5",
        )?
        .execute(params![row.id, row.token, row.game, row.over, row.record])?;
    Ok(())
}

/// Does requests until nobody can ask any more.
fn serve(connection: &Connection, waiting: &Receiver<Request>, most: usize) {
    let mut since_forgetting = 0;
    while let Ok(first) = waiting.recv() {
        let begun = connection.execute_batch("BEGIN IMMEDIATE").is_ok();
        let mut done: Vec<Done> = vec![first(connection)];
        done.extend(waiting.try_iter().take(TOGETHER).map(|request| request(connection)));
        since_forgetting += done.len();
        let mut kept = begun;
        if since_forgetting > most / 10 {
            kept &= forget(connection, most).is_ok();
            since_forgetting = 0;
        }
        let kept = kept && connection.execute_batch("COMMIT").is_ok();
        if !kept {
            let _ = connection.execute_batch("ROLLBACK");
        }
        for tell in done {
            tell(kept);
        }
    }
}

/// Forgets the oldest games when there are too many.
fn forget(connection: &Connection, most: usize) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "DELETE FROM games WHERE rowid IN
             (SELECT rowid FROM games ORDER BY changed DESC LIMIT -1 OFFSET ?1)",
        )?
        .execute([most as i64])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, record: &str) -> Row {
        Row {
            id: id.into(),
            token: "hash".into(),
            game: "einstein".into(),
            over: false,
            record: record.into(),
        }
    }

    #[tokio::test]
    async fn games_are_there_when_the_store_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        let store = Store::open(&path, 100).unwrap();
        // Many at once: they are written together, each as it was last asked for.
        let saves: Vec<_> =
            (0..50).map(|n| store.save(row(&format!("g{}", n % 10), &n.to_string()))).collect();
        for save in saves {
            save.await.unwrap();
        }
        drop(store);
        let store = Store::open(&path, 100).unwrap();
        assert_eq!(store.load("g7".into()).await.unwrap(), Some(row("g7", "47")));
        assert_eq!(store.load("none".into()).await.unwrap(), None);
        assert_eq!(store.last(3).await.unwrap().len(), 3);
    }

    #[tokio::test]
    async fn the_oldest_games_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("games.db"), 4).unwrap();
        for n in 0..9 {
            store.save(row(&n.to_string(), "")).await.unwrap();
        }
        assert_eq!(store.last(100).await.unwrap().len(), 4);
    }

    #[test]
    fn what_is_no_database_or_a_later_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        std::fs::write(&path, "not a database, and long enough to be read as the head of one")
            .unwrap();
        assert!(matches!(Store::open(&path, 4), Err(StoreError::Database(_))));
        let later = folder.path().join("later.db");
        drop(Store::open(&later, 4).unwrap());
        let connection = Connection::open(&later).unwrap();
        connection.pragma_update(None, "user_version", 7).unwrap();
        assert!(matches!(Store::open(&later, 4), Err(StoreError::Version(7))));
    }
}
