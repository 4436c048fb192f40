//! A file that is written under a temporary name and renamed when it is complete. A file with the
//! final name is therefore always whole, and work that was stopped can be resumed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::time::Duration;

use wurfel_core::Instant;
use wurfel_core::files::{self, FileError, unfinished};

/// How long written data may stay in memory. A killed program loses no more work than this.
const FLUSH_INTERVAL: Duration = Duration::from_secs(1);

/// Why a file cannot be written. Displays as one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The file exists and would be lost.
    #[error("'{0}' already exists: choose another name or remove it")]
    Exists(PathBuf),
    /// There is an unfinished file of other work.
    #[error("'{0}' is an unfinished file of other work: remove it or choose another name")]
    OtherWork(PathBuf),
    /// The unfinished match has tables, which this run would not continue.
    #[error("'{0}' is an unfinished table: run with tables again, or remove it")]
    Tabled(PathBuf),
    /// The unfinished match has no tables, which cannot be added later.
    #[error("'{0}' was begun without tables: run without them, remove it or choose another name")]
    Untabled(PathBuf),
    /// A line of an unfinished file cannot be used, although it is whole.
    #[error("'{path}', line {line}: {problem} (fix the line, or choose another name)")]
    Damaged {
        /// The unfinished file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it and what was expected.
        problem: String,
    },
    /// Another program is writing the file, or the system refused.
    #[error(transparent)]
    File(#[from] FileError),
}

/// A file that has its final name only when it is complete.
#[derive(Debug)]
pub struct Draft {
    name: PathBuf,
    /// The name until the file is complete.
    temporary: PathBuf,
    file: BufWriter<File>,
    /// When data was last handed to the system.
    flushed: Instant,
}

impl Draft {
    /// Opens a file whose first line is `header`, to write it or to resume what an interrupted run
    /// has left of it. The line itself is not written to an empty file.
    ///
    /// # Errors
    /// When the file exists, there is an unfinished file of other work, another program is
    /// writing it, or the system refuses.
    pub fn begin(name: PathBuf, header: &str) -> Result<Self, OutputError> {
        if name.exists() {
            return Err(OutputError::Exists(name));
        }
        let mut draft = Self::open(name)?;
        // A first line that was cut off must be the beginning of this header.
        if !header.starts_with(&draft.first_line()?) {
            return Err(OutputError::OtherWork(draft.temporary));
        }
        Ok(draft)
    }

    /// Refuses a file without a whole line that cannot have begun with this text, and that
    /// [`Draft::retain_lines`] would empty.
    pub(crate) fn expect_start(&mut self, start: &str) -> Result<(), OutputError> {
        let first = self.first_line()?;
        if first.ends_with('\n') || first.starts_with(start) || start.starts_with(&first) {
            return Ok(());
        }
        Err(OutputError::OtherWork(self.temporary.clone()))
    }

    /// Opens a file for writing, after the lines that an interrupted run has left. At the end it
    /// replaces any file with the final name; [`Draft::begin`] refuses that.
    ///
    /// # Errors
    /// When the system refuses, or another program is writing the file.
    pub fn open(name: PathBuf) -> Result<Self, OutputError> {
        let temporary = unfinished(&name);
        let file = BufWriter::with_capacity(1 << 20, files::lock(&temporary)?);
        Ok(Self { name, temporary, file, flushed: Instant::now() })
    }

    fn failed(&self, error: io::Error) -> OutputError {
        FileError::at(&self.temporary)(error).into()
    }

    /// The first line, or the part of it that was written.
    pub(crate) fn first_line(&mut self) -> Result<String, OutputError> {
        let mut line = vec![];
        let file = self.file.get_mut();
        let read = file
            .seek(SeekFrom::Start(0))
            .and_then(|_| BufReader::new(&*file).read_until(b'\n', &mut line));
        match read {
            Ok(_) => Ok(String::from_utf8_lossy(&line).into_owned()),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Appends to the file. The data is handed to the system, so that others can read it, by the
    /// first write that comes at least a second after the last handover.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.file.write_all(bytes).map_err(|error| self.failed(error))?;
        if self.flushed.elapsed() >= FLUSH_INTERVAL { self.flush() } else { Ok(()) }
    }

    /// Retains whole lines from the beginning as long as `keep` returns true, and truncates the
    /// file after them; an incomplete last line is always removed. Returns the number of lines that remain.
    ///
    /// # Errors
    /// When `keep` refuses a line with a reason, in which case the file is unchanged, or when the
    /// system refuses.
    pub fn retain_lines(
        &mut self,
        mut keep: impl FnMut(usize, &str) -> Result<bool, String>,
    ) -> Result<usize, OutputError> {
        let (mut bytes, mut lines, mut refused) = (0, 0, None);
        let seen = self.whole_lines(|text, length| {
            match keep(lines, text) {
                Ok(true) => {
                    bytes += length as u64;
                    lines += 1;
                    return true;
                }
                Ok(false) => {}
                Err(problem) => refused = Some(problem),
            }
            false
        });
        seen.map_err(|error| self.failed(error))?;
        if let Some(problem) = refused {
            let path = self.temporary.clone();
            return Err(OutputError::Damaged { path, line: lines + 1, problem });
        }
        self.cut(bytes)?;
        Ok(lines)
    }

    /// Reads whole lines from the beginning as long as `see` returns true; `see` gets each line and
    /// its length in bytes. A line that is not UTF-8 is seen as an empty one.
    fn whole_lines(&mut self, mut see: impl FnMut(&str, usize) -> bool) -> io::Result<()> {
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(0))?;
        let mut reader = BufReader::new(&*file);
        let mut line = vec![];
        while reader.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
            let text = std::str::from_utf8(&line).unwrap_or_default().trim_end();
            if !see(text, line.len()) {
                break;
            }
            line.clear();
        }
        Ok(())
    }

    /// Truncates the file to this number of bytes and continues there.
    fn cut(&mut self, bytes: u64) -> Result<(), OutputError> {
        let file = self.file.get_mut();
        let cut = file.set_len(bytes).and_then(|()| file.seek(SeekFrom::Start(bytes)));
        cut.map(|_| ()).map_err(|error| self.failed(error))
    }

    /// Hands everything written to the system. Fails when the system refuses.
    pub(crate) fn flush(&mut self) -> Result<(), OutputError> {
        let flushed = self.file.flush();
        self.flushed = Instant::now();
        flushed.map_err(|error| self.failed(error))
    }

    /// Makes sure that everything written is on the disk.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn sync(&mut self) -> Result<(), OutputError> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.map_err(|error| self.failed(error))
    }

    /// Gives the file its final name.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn finish(mut self) -> Result<(), OutputError> {
        self.flush()?;
        let finished = files::finish(self.file.get_ref(), &self.temporary, &self.name);
        finished.map_err(|error| self.failed(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_data_is_soon_handed_to_the_system() {
        let folder = tempfile::tempdir().unwrap();
        let mut draft = Draft::open(folder.path().join("games")).unwrap();
        let there = |draft: &Draft| std::fs::read_to_string(&draft.temporary).unwrap();
        draft.flushed = Instant::now() + 3600 * FLUSH_INTERVAL;
        draft.write(b"one\n").unwrap();
        assert_eq!(there(&draft), "");
        draft.flushed = Instant::now().checked_sub(2 * FLUSH_INTERVAL).unwrap();
        draft.write(b"two\n").unwrap();
        assert_eq!(there(&draft), "one\ntwo\n");
    }

    #[test]
    fn an_unfinished_file_loses_incomplete_and_unwanted_lines_but_not_damaged_ones() {
        let folder = tempfile::tempdir().unwrap();
        let part = folder.path().join("games.part");
        std::fs::write(&part, "one\ntwo\nthree\nfo").unwrap();
        let mut draft = Draft::open(folder.path().join("games")).unwrap();
        let there = || std::fs::read_to_string(&part).unwrap();
        let refused = draft.retain_lines(|_, line| match line {
            "two" => Err("expected 2".to_owned()),
            _ => Ok(true),
        });
        let name = part.display();
        let expected =
            format!("'{name}', line 2: expected 2 (fix the line, or choose another name)");
        assert_eq!(refused.unwrap_err().to_string(), expected);
        assert_eq!(there(), "one\ntwo\nthree\nfo");
        assert_eq!(draft.retain_lines(|_, _| Ok(true)).unwrap(), 3);
        assert_eq!(there(), "one\ntwo\nthree\n");
        assert_eq!(draft.retain_lines(|number, _| Ok(number < 1)).unwrap(), 1);
        assert_eq!(there(), "one\n");
    }
}
