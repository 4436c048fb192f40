//! Runs as they are shown. A run that was read for one client is cached for the next ones.

use std::collections::VecDeque;
use std::fs::Metadata;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;

use super::{METRICS, RunError, list, place, read};
use crate::agents::AgentCache;
use crate::pool::{Class, Pool, Stop};

/// The number of runs in the cache, in the form in which they were last shown.
const CACHED: usize = 8;
/// How many runs may be read at the same time. Runs are assigned to this many places, and those
/// with the same place are read one after the other.
const PLACES: usize = 8;
/// The time limit for reading a run, which is more than reading takes.
const MAX_TIME: Duration = Duration::from_mins(1);

/// A run in the form that clients receive, and the stamp of the files that it was read from.
struct CachedRun {
    name: String,
    stamp: u64,
    text: Bytes,
}

/// The folder of runs.
pub(crate) struct Runs {
    folder: Option<PathBuf>,
    cache: Mutex<VecDeque<CachedRun>>,
    reading: [tokio::sync::Mutex<()>; PLACES],
}

impl Runs {
    pub fn new(folder: Option<PathBuf>) -> Self {
        let reading = std::array::from_fn(|_| tokio::sync::Mutex::default());
        Self { folder, cache: Mutex::default(), reading }
    }

    /// The names of the runs.
    pub fn list(&self) -> Result<Vec<String>, RunError> {
        list(self.folder.as_deref())
    }

    /// A run in JSON; it is read again for a client if it has changed since it was last read.
    pub async fn show(
        self: Arc<Self>,
        name: String,
        client: IpAddr,
        pool: &Pool,
    ) -> Result<Bytes, RunError> {
        let mut hash = DefaultHasher::new();
        name.hash(&mut hash);
        let _turn = self.reading[hash.finish() as usize % PLACES].lock().await;
        let runs = Arc::clone(&self);
        let own = name.clone();
        let looked = tokio::task::spawn_blocking(move || runs.look(&own)).await;
        let (stamp, known) = looked.map_err(std::io::Error::other)??;
        if let Some(text) = known {
            return Ok(text);
        }
        let runs = Arc::clone(&self);
        let work = move |_: &mut AgentCache, _: Stop<'_>| runs.read(name, stamp);
        pool.run(Class::Long(client), MAX_TIME, work).await?
    }

    /// The current stamp of a run's files, and the run's JSON if it was read with the same stamp.
    fn look(&self, name: &str) -> Result<(u64, Option<Bytes>), RunError> {
        let known = self.list()?.iter().any(|known| known == name);
        let folder = self.folder.as_deref().filter(|_| known).ok_or(RunError::Unknown)?;
        let stamp = stamp(folder, name)?;
        let cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let run = cache.iter().find(|run| run.name == name && run.stamp == stamp);
        Ok((stamp, run.map(|run| run.text.clone())))
    }

    fn read(&self, name: String, stamp: u64) -> Result<Bytes, RunError> {
        let run = read(self.folder.as_deref(), &name)?;
        let text = Bytes::from(serde_json::to_vec(&run).map_err(std::io::Error::other)?);
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.retain(|run| run.name != name);
        cache.push_back(CachedRun { name, stamp, text: text.clone() });
        if cache.len() > CACHED {
            cache.pop_front();
        }
        Ok(text)
    }
}

/// A stamp that differs when the files of a run have changed.
fn stamp(folder: &Path, name: &str) -> std::io::Result<u64> {
    let mut hash = DefaultHasher::new();
    let mut note = |name: &std::ffi::OsStr, data: &Metadata| {
        (name, data.len(), data.modified().ok()).hash(&mut hash);
    };
    let path = place(folder, name);
    let directory = if name == METRICS { folder } else { &path };
    if directory.is_dir() {
        let mut entries: Vec<_> = std::fs::read_dir(directory)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            note(&entry.file_name(), &entry.metadata()?);
        }
    } else {
        note(path.as_os_str(), &std::fs::metadata(&path)?);
    }
    Ok(hash.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[tokio::test]
    async fn many_readers_share_what_one_has_read_until_it_changes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("net.jsonl.part");
        let header = r#"{"format":"wurfel-games","version":1,"program":"0","game":"einstein","agents":["a","b"],"pairs":9,"seed":1}"#;
        std::fs::write(&file, header).unwrap();
        let runs = Arc::new(Runs::new(Some(folder.path().to_owned())));
        let pool = Pool::new(2, 1, vec![]).unwrap();
        let show = || {
            let client = Ipv4Addr::LOCALHOST.into();
            Arc::clone(&runs).show("net.jsonl".into(), client, &pool)
        };
        let (one, other) = tokio::join!(show(), show());
        let (one, other) = (one.unwrap(), other.unwrap());
        assert_eq!(one.as_ptr(), other.as_ptr());
        std::fs::write(&file, format!("{header}\n")).unwrap();
        assert_ne!(show().await.unwrap().as_ptr(), one.as_ptr());
        let unknown = Arc::clone(&runs).show("../net".into(), Ipv4Addr::LOCALHOST.into(), &pool);
        assert!(matches!(unknown.await, Err(RunError::Unknown)));
    }
}
