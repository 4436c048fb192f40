//! The saved games: an embedded database with a thread of its own.
//!
//! A save is acknowledged only when it is on the disk. Saves that arrive while earlier ones are
//! being written go to the disk together, so that many games take hardly more time than one. A game
//! is saved only over the version on which the change was based: if the disk refused a change,
//! later changes based on it are not saved, either.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use tokio::sync::oneshot;

use crate::warning::Warning;
use wurfel_arena::RoomPlayer;

/// The maximum number of requests that wait for the database.
const MAX_WAITING: usize = 16_384;
/// The maximum number of saves in one transaction.
const MAX_TOGETHER: usize = 512;
/// After this many saves, old games are removed.
const FORGET_EVERY: usize = 1000;
/// The version of the database's format; a later version is refused.
const VERSION: i64 = 2;
const DAY: i64 = 24 * 60 * 60;
/// The time in seconds for which a game without moves is stored after its last change.
const EMPTY_LIFETIME: i64 = DAY;
/// The time in seconds for which a finished game is stored.
const ENDED_LIFETIME: i64 = 90 * DAY;
/// The time in seconds for which a finished game is stored while there are too many games.
const MIN_ENDED_LIFETIME: i64 = 7 * DAY;
/// The time in seconds for which an unfinished game is stored.
const OPEN_LIFETIME: i64 = 365 * DAY;

/// Why the store refused a request.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database could not be used.
    #[error("games: {0}")]
    Database(#[from] rusqlite::Error),
    /// The database belongs to another program or a later version.
    #[error("games: expected a database of this program in version {VERSION}, found {0}")]
    Version(i64),
    /// Too many requests wait.
    #[error("the server is busy, try again in a moment")]
    Busy,
    /// The disk did not accept a change.
    #[error("the change could not be saved ({0}): the game is as it was before, try again later")]
    NotKept(String),
    /// The change was made to an older version of the game.
    #[error("the game has changed meanwhile, try again")]
    Overtaken,
    /// The thread of the database has ended.
    #[error("games: the database is closed")]
    Closed,
}

impl StoreError {
    /// Whether the system refused, because the disk is full or may not be written to.
    pub fn is_of_the_system(&self) -> bool {
        use rusqlite::ErrorCode::{
            CannotOpen, DiskFull, PermissionDenied, ReadOnly, SystemIoFailure,
        };
        let Self::Database(error) = self else { return false };
        let of_system = [CannotOpen, DiskFull, PermissionDenied, ReadOnly, SystemIoFailure];
        error.sqlite_error_code().is_some_and(|code| of_system.contains(&code))
    }
}

/// A saved game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StoredRoom {
    pub id: String,
    /// The hash of the token that its players hold.
    pub token: String,
    pub game: String,
    pub over: bool,
    /// Whether it has no moves.
    pub empty: bool,
    /// The version, which grows with every change.
    pub version: u64,
    /// When the running clock will run out; `None` when no clock runs.
    pub due: Option<SystemTime>,
    /// The record in JSON.
    pub record: String,
}

/// A game in a list of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Listed {
    /// The name of its room.
    pub id: String,
    /// The game, which is the rule set.
    pub game: String,
    /// Who plays the first side and the second.
    pub players: Vec<RoomPlayer>,
    /// Whether it has ended.
    pub over: bool,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` when the game does not count; empty while it goes on.
    pub result: String,
    /// Whether moves were taken back.
    pub taken_back: bool,
    /// When something last happened in it, in seconds since 1970.
    pub changed: i64,
}

struct Save {
    row: StoredRoom,
    /// The version over which it is saved; `None` for a new game.
    before: Option<u64>,
    reply: oneshot::Sender<Result<(), StoreError>>,
}

type Read = Box<dyn FnOnce(&Connection) + Send>;

enum Request {
    Save(Save),
    Read(Read),
}

/// The saved games.
pub(crate) struct Store {
    requests: SyncSender<Request>,
}

/// Milliseconds since 1970.
fn milliseconds(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as i64
}

/// The columns of a [`StoredRoom`].
const COLUMNS: &str = "id, token, game, over, empty, version, due, record";

fn row(row: &rusqlite::Row<'_>) -> rusqlite::Result<StoredRoom> {
    let due: Option<i64> = row.get(6)?;
    Ok(StoredRoom {
        id: row.get(0)?,
        token: row.get(1)?,
        game: row.get(2)?,
        over: row.get(3)?,
        empty: row.get(4)?,
        version: row.get::<_, i64>(5)? as u64,
        due: due.map(|due| UNIX_EPOCH + Duration::from_millis(due.max(0) as u64)),
        record: row.get(7)?,
    })
}

impl Store {
    /// Opens the database in a file, which is created if it is missing. Finished games are stored
    /// for a shorter time while there are more than `most` games. Clocks are taken to have stood still
    /// for `down`, the time in which no server ran.
    pub fn open(path: &Path, most: usize, down: Duration) -> Result<Self, StoreError> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        // A new database has the version 0.
        if ![0, VERSION].contains(&version) {
            return Err(StoreError::Version(version));
        }
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS games (
                 id TEXT PRIMARY KEY, token TEXT NOT NULL, game TEXT NOT NULL,
                 over INTEGER NOT NULL, changed INTEGER NOT NULL, record TEXT NOT NULL,
                 version INTEGER NOT NULL DEFAULT 0, empty INTEGER NOT NULL DEFAULT 0, due INTEGER
             ) STRICT;
             CREATE INDEX IF NOT EXISTS games_by_change ON games (changed);
             CREATE INDEX IF NOT EXISTS games_by_due ON games (due) WHERE due IS NOT NULL;",
        )?;
        connection.pragma_update(None, "user_version", VERSION)?;
        let down = down.as_millis() as i64;
        connection.execute("UPDATE games SET due = due + ?1 WHERE due IS NOT NULL", [down])?;
        forget(&connection, most)?;
        let (requests, waiting) = sync_channel(MAX_WAITING);
        std::thread::spawn(move || serve(&connection, &waiting, most));
        Ok(Self { requests })
    }

    fn send(&self, request: Request) -> Result<(), StoreError> {
        self.requests.try_send(request).map_err(|error| match error {
            TrySendError::Full(_) => StoreError::Busy,
            TrySendError::Disconnected(_) => StoreError::Closed,
        })
    }

    async fn ask<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, receiver) = oneshot::channel();
        self.send(Request::Read(Box::new(move |connection| {
            let _ = reply.send(read(connection));
        })))?;
        Ok(receiver.await.map_err(|_| StoreError::Closed)??)
    }

    /// Saves a game over the version `before`, or a new game. Requests are carried out in the order
    /// of the calls, not in the order in which the futures are awaited.
    pub fn save(
        &self,
        row: StoredRoom,
        before: Option<u64>,
    ) -> impl Future<Output = Result<(), StoreError>> + use<> {
        let (reply, receiver) = oneshot::channel();
        let sent = self.send(Request::Save(Save { row, before, reply }));
        async move {
            sent?;
            receiver.await.map_err(|_| StoreError::Closed)?
        }
    }

    /// The game of a room.
    pub async fn load(&self, id: String) -> Result<Option<StoredRoom>, StoreError> {
        self.ask(move |connection| {
            let query = format!("SELECT {COLUMNS} FROM games WHERE id = ?1");
            connection.prepare_cached(&query)?.query_row([id], row).optional()
        })
        .await
    }

    /// The games whose clock runs out by a time, the earliest first.
    pub async fn due(&self, at: SystemTime, count: u32) -> Result<Vec<String>, StoreError> {
        self.ask(move |connection| {
            let mut query = connection.prepare_cached(
                "SELECT id FROM games WHERE due IS NOT NULL AND due <= ?1 ORDER BY due LIMIT ?2",
            )?;
            query.query_map(params![milliseconds(at), count], |row| row.get(0))?.collect()
        })
        .await
    }

    /// The codes of the last games that wait for a guest, each with its room, the oldest first.
    pub async fn invitations(&self, count: u32) -> Result<Vec<(String, String)>, StoreError> {
        self.ask(move |connection| {
            let mut query = connection.prepare_cached(
                "SELECT code, id FROM (
                     SELECT iif(json_valid(record), record ->> '$.apart.code', NULL) AS code, id, rowid AS age
                     FROM games WHERE empty AND NOT over
                 ) WHERE code IS NOT NULL ORDER BY age DESC LIMIT ?1",
            )?;
            let codes = query.query_map([count], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let mut codes = codes.collect::<Result<Vec<_>, _>>()?;
            codes.reverse();
            Ok(codes)
        })
        .await
    }

    /// The games that changed most recently, the latest first. A game that has not begun or has no
    /// moves yet is left out: there is nothing to watch, and most of them are never played.
    pub async fn last(&self, count: u32) -> Result<Vec<Listed>, StoreError> {
        self.ask(move |connection| {
            let mut query = connection.prepare_cached(
                r#"SELECT id, game, over, changed, instr(record, '"taken_back":') > 0,
                     iif(json_valid(record), coalesce(record ->> '$.end.result', ''), ''),
                     iif(json_valid(record), coalesce(record -> '$.players', ''), '')
                 FROM games WHERE over OR NOT empty
                 ORDER BY changed DESC, rowid DESC LIMIT ?1"#,
            )?;
            let listed = |row: &rusqlite::Row<'_>| {
                Ok(Listed {
                    id: row.get(0)?,
                    game: row.get(1)?,
                    over: row.get(2)?,
                    changed: row.get(3)?,
                    taken_back: row.get(4)?,
                    result: row.get(5)?,
                    players: serde_json::from_str(&row.get::<_, String>(6)?).unwrap_or_default(),
                })
            };
            query.query_map([count], listed)?.collect()
        })
        .await
    }
}

/// Writes a game; false when the stored version is not the one over which it is to be saved.
fn save(connection: &Connection, Save { row, before, .. }: &Save) -> rusqlite::Result<bool> {
    let due = row.due.map(milliseconds);
    let version = row.version as i64;
    let changed = match before {
        None => connection
            .prepare_cached(
                "INSERT OR IGNORE INTO games
                 (id, token, game, over, empty, version, due, record, changed)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, unixepoch())",
            )?
            .execute(params![
                row.id, row.token, row.game, row.over, row.empty, version, due, row.record
            ])?,
        Some(before) => connection
            .prepare_cached(
                "UPDATE games SET token = ?2, over = ?3, empty = ?4, version = ?5, due = ?6,
                 record = ?7, changed = unixepoch() WHERE id = ?1 AND version = ?8",
            )?
            .execute(params![
                row.id,
                row.token,
                row.over,
                row.empty,
                version,
                due,
                row.record,
                *before as i64
            ])?,
    };
    Ok(changed == 1)
}

/// Carries out requests until nobody can send further ones.
fn serve(connection: &Connection, waiting: &Receiver<Request>, most: usize) {
    let mut since_forgetting = 0;
    let mut warning = Warning::default();
    while let Ok(first) = waiting.recv() {
        let mut saves = vec![];
        for request in std::iter::once(first).chain(waiting.try_iter().take(MAX_TOGETHER)) {
            match request {
                Request::Save(save) => saves.push(save),
                // A read sees everything that was requested before it, and nothing that is not on
                // the disk.
                Request::Read(read) => {
                    since_forgetting += saves.len();
                    save_all(connection, std::mem::take(&mut saves), &mut warning);
                    read(connection);
                }
            }
        }
        since_forgetting += saves.len();
        save_all(connection, saves, &mut warning);
        if since_forgetting > FORGET_EVERY {
            // A full disk is reported by the saves.
            let _ = forget(connection, most);
            since_forgetting = 0;
        }
    }
}

/// Saves all or nothing, and informs everybody who waits.
fn save_all(connection: &Connection, saves: Vec<Save>, warning: &mut Warning) {
    if saves.is_empty() {
        return;
    }
    let written = write(connection, &saves);
    match &written {
        Ok(_) => warning.passed("games are saved again"),
        Err(error) => {
            let count = saves.len();
            warning.raise(count, |count| {
                format!("games are not saved, {count} changes were refused: {error}")
            });
        }
    }
    match written {
        Ok(fit) => {
            for (save, fit) in saves.into_iter().zip(fit) {
                let _ = save.reply.send(if fit { Ok(()) } else { Err(StoreError::Overtaken) });
            }
        }
        Err(error) => {
            for save in saves {
                let _ = save.reply.send(Err(StoreError::NotKept(error.to_string())));
            }
        }
    }
}

/// Saves games in one transaction. Returns for each game whether the stored version was the expected
/// one.
fn write(connection: &Connection, saves: &[Save]) -> rusqlite::Result<Vec<bool>> {
    // If dropped before it is committed, the transaction is rolled back.
    let transaction = connection.unchecked_transaction()?;
    let fit = saves.iter().map(|one| save(&transaction, one)).collect::<Result<_, _>>()?;
    transaction.commit()?;
    Ok(fit)
}

/// Removes games by their age: first those without moves, then finished ones, and unfinished ones
/// only after a long time.
fn forget(connection: &Connection, most: usize) -> rusqlite::Result<()> {
    let aged = "DELETE FROM games WHERE changed < unixepoch() - ?1 AND";
    connection.execute(&format!("{aged} empty"), [EMPTY_LIFETIME])?;
    connection.execute(&format!("{aged} over AND NOT empty"), [ENDED_LIFETIME])?;
    connection.execute(&format!("{aged} NOT over AND NOT empty"), [OPEN_LIFETIME])?;
    let count: i64 = connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0))?;
    let surplus = count - most as i64;
    if surplus > 0 {
        connection.execute(
            "DELETE FROM games WHERE rowid IN (
                 SELECT rowid FROM games WHERE empty OR over AND changed < unixepoch() - ?1
                 ORDER BY empty DESC, changed LIMIT ?2
             )",
            [MIN_ENDED_LIFETIME, surplus],
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
