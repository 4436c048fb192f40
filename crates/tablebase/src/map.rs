//! Files in memory: read, or mapped, for which this is the one place with `unsafe`.

#![allow(unsafe_code, reason = "mapping a file; see `map`")]

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;

use memmap2::{Mmap, MmapOptions};

/// Up to how many bytes a file is read when it is opened, which takes some milliseconds;
/// a larger one is mapped.
pub const READ_AT_ONCE: u64 = 1 << 26;

/// The bytes of a file.
#[derive(Debug)]
pub enum Bytes {
    /// A copy, whatever becomes of the file.
    Read(Vec<u8>),
    /// What the system reads when it is asked for.
    Mapped(Mmap),
}

impl Bytes {
    /// The first `length` bytes of a file, which is at its beginning and has so many.
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

/// The first `length` bytes of a file that has so many.
fn map(file: &File, length: u64) -> io::Result<Mmap> {
    // SAFETY: the bytes may change only if somebody writes into the file while it is
    // mapped. We never do: a table gets its name when it is complete, and is then only
    // read; building it anew makes another file and renames that, which leaves the
    // mapped one as it is. Against others nothing helps but that any bytes are valid
    // here: they are read as plain numbers, every position in the file is checked
    // against its length when it is mapped, and pages against their checksums. Who cuts
    // a mapped file short ends the program with a signal, but nothing else.
    let mapped = unsafe { MmapOptions::new().len(length as usize).map(file)? };
    #[cfg(unix)]
    let _ = mapped.advise(memmap2::Advice::Random);
    Ok(mapped)
}
