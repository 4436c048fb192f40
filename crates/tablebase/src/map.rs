//! Files mapped into memory: the one place with `unsafe`.

#![allow(unsafe_code, reason = "mapping a file; see `map`")]

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// A file as bytes in memory, which the system reads when they are asked for.
pub fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the bytes may change only if somebody writes into the file while it is
    // mapped. We never do: a table gets its name when it is complete, and is then only
    // read; building it anew makes another file and renames that, which leaves the
    // mapped one as it is. Against others nothing helps but that any bytes are valid
    // here: they are read as plain numbers, every position in the file is checked
    // against its length when it is mapped, and pages against their checksums. Who cuts
    // a mapped file short ends the program with a signal, but nothing else.
    let mapped = unsafe { Mmap::map(file)? };
    #[cfg(unix)]
    let _ = mapped.advise(memmap2::Advice::Random);
    Ok(mapped)
}
