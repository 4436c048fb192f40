//! Ends all programs that this one has started when this one ends, however it ends.
//!
//! A program that is killed cannot clean up after itself. So the first program that is started gets
//! a watchdog: a small shell in a process group of its own, the reaper, which waits for the end of
//! its input. The kernel closes that pipe as soon as this program is gone, be it by a signal, by an
//! exit in the middle of its work or by `kill -9`, and the reaper then kills what is left and ends,
//! too. The alternative, a signal that the kernel sends to children of a dead parent, has to be
//! asked for in the child before it becomes the other program, which Rust allows in unsafe code
//! only; it does not reach the children of children.
//!
//! What is left is found by its process group, and on Linux also by a mark in its environment, which
//! every process inherits, even one with a session of its own whose parents have ended. Nobody finds
//! a process that has left its group, lost its parents and emptied its environment, nor may anybody
//! kill one that belongs to another user. Where there is no shell, there is no reaper.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use rustix::process::{Pid, Signal, kill_process};

/// The variable with the marks of a process: its own, and before it those of the programs that have
/// started this one.
const MARKS: &str = "WURFEL_ENGINE";
/// How often marked processes are looked for: those that are killed may have started others
/// meanwhile.
const MAX_LOOKS: usize = 10;
/// What the reaper does. Its name is the beginning of the marks that it looks for.
const SCRIPT: &str = r#"
trap "" HUP INT QUIT TERM
left=" "
while read -r what group; do
    case $what in
        began) left="$left$group " ;;
        ended) left="${left%% $group *} ${left#* $group }" ;;
    esac
done
for group in $left; do kill -s KILL -- "-$group"; done
for look in 1 2 3 4 5 6 7 8 9 10; do
    found=$(grep -lsF -e "$0" /proc/[0-9]*/environ)
    [ -n "$found" ] || break
    for process in $found; do
        process=${process#/proc/}
        kill -s KILL "${process%/environ}"
    done
done
"#;

/// The reaper of this program, which is started with the first program that it is to look after.
static REAPER: LazyLock<Reaper> = LazyLock::new(Reaper::start);
/// How many programs have been started.
static STARTED: AtomicU64 = AtomicU64::new(0);

struct Reaper {
    /// How the marks of all programs that this one starts begin.
    marks: String,
    /// Its input, which nobody but the kernel closes.
    line: Option<ChildStdin>,
}

impl Reaper {
    fn start() -> Self {
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
        let marks = format!("/{}-{now}.", std::process::id());
        let reaper = Command::new("sh")
            .args(["-c", SCRIPT, &marks])
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        let line = reaper.ok().and_then(|mut reaper| reaper.stdin.take());
        // A reaper that hangs must not keep anybody waiting.
        let line = line.filter(|line| rustix::io::ioctl_fionbio(line, true).is_ok());
        Self { marks, line }
    }

    fn tell(&self, what: &str, group: u32) {
        if let Some(mut line) = self.line.as_ref() {
            // A reaper that was killed is not missed before this program is killed as well.
            let _ = line.write_all(format!("{what} {group}\n").as_bytes());
        }
    }
}

/// The mark of a program and of all processes that descend from it.
#[derive(Debug)]
pub(crate) struct Mark(String);

impl Mark {
    /// Marks the program that a command starts.
    pub fn put_on(command: &mut Command) -> Self {
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        // A process that was forked from this one has the same reaper and the same count.
        let mark = format!("{}{}.{number}/", REAPER.marks, std::process::id());
        let mut marks = std::env::var_os(MARKS).unwrap_or_default();
        marks.push(&mark);
        command.env(MARKS, marks);
        Self(mark)
    }

    /// Kills all processes with this mark that Linux lists.
    pub fn kill_all(&self) {
        for _ in 0..MAX_LOOKS {
            let children = self.processes();
            if children.is_empty() {
                return;
            }
            for process in children {
                let _ = kill_process(process, Signal::KILL);
            }
        }
    }

    /// The processes that have this mark and have not ended.
    fn processes(&self) -> Vec<Pid> {
        let number = |entry: std::fs::DirEntry| entry.file_name().to_str()?.parse().ok();
        let listed = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let is_marked = |process: &i32| {
            let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
            environment.windows(self.0.len()).any(|part| part == self.0.as_bytes())
        };
        listed.filter_map(number).filter(is_marked).filter_map(Pid::from_raw).collect()
    }
}

/// Tells the reaper of a process group that must not outlive this program.
pub(crate) fn began(group: u32) {
    REAPER.tell("began", group);
}

/// Tells the reaper that nothing of a process group is left.
pub(crate) fn ended(group: u32) {
    REAPER.tell("ended", group);
}
