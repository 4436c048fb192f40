//! The contents of files, either read into memory or mapped. This is the only place with `unsafe`.

#![allow(unsafe_code, reason = "mapping a file; see `map`")]

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;

use memmap2::{Mmap, MmapOptions};

/// The largest size, in bytes, of files that are read when they are opened, which takes some
/// milliseconds; larger files are mapped.
pub const READ_AT_ONCE: u64 = 1 << 26;

/// The bytes of a file.
#[derive(Debug)]
pub enum Bytes {
    /// A copy in memory, which does not change with the file.
    Read(Vec<u8>),
    /// A mapped file; the system reads a part when it is accessed.
    Mapped(Mmap),
}

impl Bytes {
    /// The first `length` bytes of a file. The file must be at least that long and positioned at
    /// its beginning.
    pub fn open(file: &File, length: u64) -> io::Result<Self> {
        if length > READ_AT_ONCE {
            return map(file, length).map(Self::Mapped);
        }
        let mut bytes = vec![0; length as usize];
        let mut file = file;
        file.read_exact(&mut bytes)?;
        Ok(Self::Read(bytes))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        match self {
            Self::Read(bytes) => bytes,
            Self::Mapped(bytes) => bytes,
        }
    }
}

/// Maps the first `length` bytes of a file that is at least that long.
fn map(file: &File, length: u64) -> io::Result<Mmap> {
    // SAFETY: the mapped bytes may change only if somebody writes into the file. This program never
    // does: a table gets its name once it is complete and is only read from then on, and building
    // it again creates another file and renames that, which leaves the mapped one untouched. Other
    // programs could write, but any bytes are valid here: they are read as plain numbers, every
    // position in the file is checked against its length when it is mapped, and pages are checked
    // against their checksums. A program that truncates a mapped file ends this process with a
    // signal, but does no other harm.
    let mapped = unsafe { MmapOptions::new().len(length as usize).map(file)? };
    #[cfg(unix)]
    let _ = mapped.advise(memmap2::Advice::Random);
    Ok(mapped)
}
