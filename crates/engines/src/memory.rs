//! Memory limits for programs, so that one that takes too much ends before the machine runs out.
//!
//! Linux refuses a process more memory of its own than its limit (`RLIMIT_DATA`); what it shares with
//! others or maps from files does not count, nor do addresses that it only reserves. Most programs
//! end when they are refused memory. The kernel does not report which process was refused, so this
//! side samples how much a program uses.

use std::fs;

use crate::threads::tree_of;

/// Limits the memory of each process of a program, in bytes. Processes that these start later have
/// the same limit.
pub(crate) fn limit(program: u32, bytes: u64) {
    // The program may be a shell that has started others before it was limited itself.
    set(program, bytes);
    for process in tree_of(program) {
        set(process, bytes);
    }
}

#[cfg(target_os = "linux")]
fn set(process: u32, bytes: u64) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
    // A process that has ended needs no limit, and a lower one may be set from outside.
    if let Some(process) = i32::try_from(process).ok().and_then(Pid::from_raw) {
        let _ = prlimit(Some(process), Resource::Data, limit);
    }
}

#[cfg(not(target_os = "linux"))]
fn set(_process: u32, _bytes: u64) {}

/// How many bytes of memory the largest process of a program uses.
pub(crate) fn used(program: u32) -> u64 {
    tree_of(program).into_iter().filter_map(used_by).max().unwrap_or(0)
}

fn used_by(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let data = status.lines().find_map(|line| line.strip_prefix("VmData:"))?;
    let kilobytes: u64 = data.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Whether a memory limit explains the end of a program, as the end of a sentence: `used` is the
/// maximum memory of one of its processes, and `words` is its error output.
pub(crate) fn usage(limit: u64, used: u64, words: &str) -> String {
    let words = words.to_lowercase();
    // A program that asks for a large block may be refused it long before its limit.
    if used >= limit / 2 {
        format!("; it had used {} of memory={}", shown(used), shown(limit))
    } else if ["memory", "bad_alloc", "heap exhausted"].iter().any(|word| words.contains(word)) {
        format!("; is memory={} too little?", shown(limit))
    } else {
        String::new()
    }
}

/// An amount of memory, as in a spec.
fn shown(bytes: u64) -> String {
    const GIGA: u64 = 1_000_000_000;
    if bytes.is_multiple_of(GIGA) {
        format!("{}GB", bytes / GIGA)
    } else {
        format!("{}MB", bytes / 1_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_how_near_a_program_was_to_its_limit() {
        for (used, words, expected) in [
            (1_900_000_000, "", "; it had used 1900MB of memory=2GB"),
            (1_000_000_000, "cannot allocate memory", "; it had used 1GB of memory=2GB"),
            (500_000_000, "terminate called: std::bad_alloc", "; is memory=2GB too little?"),
            (0, "MemoryError", "; is memory=2GB too little?"),
            (500_000_000, "index out of range", ""),
        ] {
            assert_eq!(usage(2_000_000_000, used, words), expected);
        }
    }
}
