//! A program that somebody else wrote, run as a process and spoken to line by line.
//!
//! Whatever the program does (crash, hang, flood both of its outputs, leave children behind), this
//! side survives: nothing here waits longer than its deadline, and nothing is kept without a bound.
//! One thread waits for all three pipes at once, so that no line costs a switch between threads.
//! This requires Unix.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process, kill_process_group, waitid,
};
use wurfel_protocol::MAX_LINE;

use crate::error::EngineError;
use crate::error_output::ErrorOutput;
use crate::memory;
use crate::reaper::{self, Mark};
use crate::settings::MEMORY;
use crate::threads::tree_of;
use crate::watch::Watch;

/// How often to check whether a silent program has ended, because its children may keep its pipes
/// open.
const LOOK: Duration = Duration::from_millis(100);
/// How long this side waits for a program to end after it has closed a pipe.
const LAST_BREATH: Duration = Duration::from_millis(100);
/// After how long a wait the memory of a program is sampled. Shorter waits cost nothing.
const LONG: Duration = Duration::from_millis(10);
/// How many bytes of a program's output are kept while the program does not read its input.
const MAX_UNREAD: usize = 1 << 20;

/// A running program. When this value is dropped, the program is killed with all of its process
/// group, and on Linux with the processes that it has started and that have left the group. The same
/// happens when this program ends without dropping the value.
#[derive(Debug)]
pub struct EngineProcess {
    child: Child,
    pid: Pid,
    /// `None` once the input has been closed.
    input: Option<ChildStdin>,
    output: ChildStdout,
    errors: ChildStderr,
    output_ended: bool,
    errors_ended: bool,
    /// Output that has been read and not yet passed on.
    read: VecDeque<u8>,
    /// Whether the line being read is too long and is left out.
    too_long: bool,
    /// What was written to the standard error.
    error_output: ErrorOutput,
    /// The deadline after which the output was checked once more.
    overdue: Option<Instant>,
    /// The request that is waiting for an answer.
    watch: Option<Watch>,
    /// The CPUs that the program may use.
    cpus: u32,
    mark: Mark,
    /// How many bytes of memory each of its processes may have, if that is limited.
    memory: Option<u64>,
    /// Maximum memory of one of them, as sampled.
    used: u64,
}

struct Ready {
    input: bool,
    output: bool,
    errors: bool,
}

impl EngineProcess {
    /// Starts a program with the default memory limit. The words of `command` are separated by
    /// spaces; quotes keep a word together as in a shell, and no other character has a special
    /// meaning.
    ///
    /// # Errors
    /// When the command has no word or an open quote, or the program cannot be started.
    pub fn start(command: &str) -> Result<Self, EngineError> {
        Self::start_within(command, MEMORY)
    }

    /// Starts a program as [`start`](Self::start) does, each of whose processes may have this many
    /// bytes of memory.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_within(command: &str, memory: Option<u64>) -> Result<Self, EngineError> {
        Self::spawn(command, memory)
            .map_err(|error| EngineError::NotStarted { command: command.to_owned(), error })
    }

    fn spawn(command: &str, memory: Option<u64>) -> io::Result<Self> {
        let wrong = |expected: &str| io::Error::new(io::ErrorKind::InvalidInput, expected);
        let words = shlex::split(command).ok_or_else(|| wrong("expected closed quotes"))?;
        let (program, arguments) =
            words.split_first().ok_or_else(|| wrong("expected the name of a program"))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let mark = Mark::put_on(&mut command);
        let mut child = command.spawn()?;
        reaper::began(child.id());
        if let Some(bytes) = memory {
            memory::limit(child.id(), bytes);
        }
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(wrong("expected pipes to the program"));
        };
        for pipe in [input.as_fd(), output.as_fd(), errors.as_fd()] {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok(Self {
            pid: Pid::from_child(&child),
            child,
            input: Some(input),
            output,
            errors,
            output_ended: false,
            errors_ended: false,
            read: VecDeque::new(),
            too_long: false,
            error_output: ErrorOutput::default(),
            overdue: None,
            watch: None,
            cpus: std::thread::available_parallelism().map_or(1, |cpus| cpus.get() as u32),
            mark,
            memory,
            used: 0,
        })
    }

    /// Writes a line, to which the line break is added.
    ///
    /// # Errors
    /// When the program is gone, or has not read that much by `deadline`.
    pub fn send(&mut self, line: &str, deadline: Instant) -> Result<(), EngineError> {
        self.send_bytes(format!("{line}\n").as_bytes(), deadline)
    }

    /// Writes bytes as they are.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub fn send_bytes(&mut self, mut bytes: &[u8], deadline: Instant) -> Result<(), EngineError> {
        while !bytes.is_empty() {
            let Some(input) = &mut self.input else {
                return Err(EngineError::Failed("its standard input was closed".into()));
            };
            match input.write(bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(error) if is_passing(&error) => self.wait(true, deadline)?,
                Err(_) => return Err(self.gone("it closed its standard input")),
            }
        }
        Ok(())
    }

    /// Closes the program's standard input, because nothing more will be sent.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Begins to measure how long the program takes to answer the question that is now asked.
    pub(crate) fn watch(&mut self) {
        self.watch = Some(Watch::new(self.child.id(), self.cpus));
    }

    /// How long the program took from [`watch`](Self::watch) to its last output; this call ends the
    /// measurement. Time that the program waited for a CPU does not count, nor does a delay in
    /// reading on this side.
    pub(crate) fn taken(&mut self) -> Duration {
        self.watch.take().map_or(Duration::ZERO, |watch| watch.taken())
    }

    /// The moment until which an answer can still come in time although `deadline` is over; `None`
    /// when it cannot. Only a program that is being watched is given more time.
    pub(crate) fn extended(&mut self, deadline: Instant) -> Option<Instant> {
        self.watch.as_mut()?.extended(deadline)
    }

    /// The next line, as [`line`](Self::line) finds it, with a deadline that is extended if
    /// necessary.
    ///
    /// # Errors
    /// As [`line`](Self::line).
    pub(crate) fn answer(&mut self, deadline: Instant) -> Result<String, EngineError> {
        let mut latest = deadline;
        loop {
            match self.line(latest) {
                Err(EngineError::Timeout) => {
                    latest = self.extended(deadline).ok_or(EngineError::Timeout)?;
                }
                line => return line,
            }
        }
    }

    /// The next line without its line break. Bytes that are not UTF-8 are replaced by `�`, and lines
    /// of more than [`MAX_LINE`] bytes are left out.
    ///
    /// # Errors
    /// When there is none by `deadline`, or none will come.
    pub fn line(&mut self, deadline: Instant) -> Result<String, EngineError> {
        loop {
            if let Some(line) = self.whole_line() {
                return Ok(line);
            }
            if self.output_ended {
                return Err(self.gone("it closed its standard output"));
            }
            // A line that arrived in time counts, however late this thread was woken. But one more
            // read is enough for that, or a program that never ends a line would be read for ever.
            if Instant::now() >= deadline && self.overdue.replace(deadline) == Some(deadline) {
                return Err(EngineError::Timeout);
            }
            self.wait(false, deadline)?;
        }
    }

    /// Waits until the program has ended; returns its exit code, `None` when a signal ended it.
    ///
    /// # Errors
    /// When it has not ended by `deadline`.
    pub fn ended(&mut self, deadline: Instant) -> Result<Option<i32>, EngineError> {
        loop {
            if let Some(status) = self.status() {
                return Ok(status.exit_status());
            }
            // Output that the program still has to write must not keep it from ending.
            match self.wait(false, deadline.min(Instant::now() + Duration::from_millis(5))) {
                Err(_) if Instant::now() >= deadline => return Err(EngineError::Timeout),
                Err(_) if self.output_ended => std::thread::sleep(Duration::from_millis(1)),
                _ => self.read.clear(),
            }
        }
    }

    /// Takes a whole line from what was read.
    fn whole_line(&mut self) -> Option<String> {
        while let Some(end) = self.read.iter().position(|&byte| byte == b'\n') {
            let mut line: Vec<u8> = self.read.drain(..=end).collect();
            line.pop();
            if std::mem::take(&mut self.too_long) || line.len() > MAX_LINE {
                continue;
            }
            let text = line.strip_suffix(b"\r").unwrap_or(&line);
            return Some(String::from_utf8_lossy(text).into_owned());
        }
        if self.read.len() > MAX_LINE {
            self.read.clear();
            self.too_long = true;
        }
        None
    }

    /// Waits until the program has written something or, with `writes`, can be written to, and reads
    /// what it has written.
    fn wait(&mut self, writes: bool, deadline: Instant) -> Result<(), EngineError> {
        loop {
            let now = Instant::now();
            let next_look = deadline.min(now + LOOK);
            let due = self.watch.as_ref().map_or(next_look, |watch| watch.due(deadline));
            let time = due.saturating_duration_since(now);
            let ready = self.poll(writes, time).map_err(|error| broken(&error))?;
            if let Some(watch) = &mut self.watch {
                watch.looked(due, ready.output);
            }
            if ready.errors {
                self.errors_ended = read(&mut self.errors, |part| self.error_output.add(part))
                    .map_err(|error| broken(&error))?;
            }
            if ready.output {
                self.output_ended = read(&mut self.output, |part| self.read.extend(part))
                    .map_err(|error| broken(&error))?;
                if self.output_ended && self.read.back().is_some_and(|&byte| byte != b'\n') {
                    self.read.push_back(b'\n');
                }
            }
            if ready.output || ready.input {
                return Ok(());
            }
            if !ready.errors && self.status().is_some() {
                // What it wrote between the look at its pipes and its end is still to be read.
                let last = self.poll(false, Duration::ZERO).map_err(|error| broken(&error))?;
                if last.output || last.errors {
                    continue;
                }
                return Err(self.gone(""));
            }
            if self.memory.is_some() && time >= LONG {
                self.used = self.used.max(memory::used(self.child.id()));
            }
            if now >= deadline {
                return Err(EngineError::Timeout);
            }
        }
    }

    /// Which of the pipes are ready within `time`. A pipe that has ended is left out, because it
    /// would always be ready.
    fn poll(&self, writes: bool, time: Duration) -> io::Result<Ready> {
        let pipe = |fd, flags, wanted: bool| wanted.then(|| PollFd::from_borrowed_fd(fd, flags));
        let room = !self.output_ended && self.read.len() < MAX_UNREAD;
        let input = self.input.as_ref().filter(|_| writes);
        let pipes = [
            input.map(|input| PollFd::new(input, PollFlags::OUT)),
            pipe(self.output.as_fd(), PollFlags::IN, room),
            pipe(self.errors.as_fd(), PollFlags::IN, !self.errors_ended),
        ];
        let present = pipes.each_ref().map(Option::is_some);
        let mut polled: Vec<PollFd<'_>> = pipes.into_iter().flatten().collect();
        let time = Timespec::try_from(time).map_err(io::Error::other)?;
        match poll(&mut polled, Some(&time)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut answers = polled.iter().map(|pipe| !pipe.revents().is_empty());
        let [input, output, errors] =
            present.map(|present| present && answers.next().unwrap_or_default());
        Ok(Ready { input, output, errors })
    }

    /// How the program ended. It stays in the system's list of processes, so that its group keeps
    /// its number.
    fn status(&self) -> Option<WaitIdStatus> {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(self.pid), look).ok().flatten()
    }

    /// The error for a program that is gone: how it ended, or else `what` it did, and its last error
    /// output.
    fn gone(&mut self, what: &str) -> EngineError {
        let deadline = Instant::now() + LAST_BREATH;
        while self.status().is_none() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        let mut text = match self.status() {
            Some(status) => match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => format!("it ended with exit code {code}"),
                (None, Some(signal)) => format!("signal {signal} ended it"),
                (None, None) => "it ended".to_owned(),
            },
            None => what.to_owned(),
        };
        // The program is gone; whether there is more to read makes no difference.
        let _ = read(&mut self.errors, |part| self.error_output.add(part));
        if let Some(words) = self.error_output.words() {
            text = format!("{text}; its last words: {words}");
        }
        if let Some(limit) = self.memory {
            text += &memory::usage(limit, self.used, &self.error_output.text());
        }
        EngineError::Failed(text)
    }

    /// The last line with any text that the program wrote to its standard error.
    pub fn last_error_line(&self) -> Option<String> {
        self.error_output.last_line()
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        // Once a process has been killed, nobody knows any longer what it has started.
        for process in tree_of(self.child.id()) {
            if let Some(process) = i32::try_from(process).ok().and_then(Pid::from_raw) {
                let _ = kill_process(process, Signal::KILL);
            }
        }
        let _ = kill_process_group(self.pid, Signal::KILL);
        self.mark.kill_all();
        // As long as nobody has waited for the program, no other process gets its id.
        reaper::ended(self.child.id());
        let _ = self.child.wait();
    }
}

fn broken(error: &io::Error) -> EngineError {
    EngineError::Failed(format!("its pipes are broken: {error}"))
}

/// Whether the operation may succeed when it is tried again.
fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

/// Reads what is available and passes it to `keep`. Returns whether the pipe has ended.
fn read(pipe: &mut impl Read, keep: impl FnOnce(&[u8])) -> io::Result<bool> {
    let mut part = [0; 16 * 1024];
    match pipe.read(&mut part) {
        Ok(0) => Ok(true),
        Ok(count) => {
            keep(&part[..count]);
            Ok(false)
        }
        Err(error) if is_passing(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    fn shell(script: &str) -> EngineProcess {
        EngineProcess::start(&format!("sh -c '{script}'")).unwrap()
    }

    #[test]
    fn lines_go_to_and_fro() {
        let mut cat = EngineProcess::start("cat").unwrap();
        for line in ["one", "", "two words", "ü"] {
            cat.send(line, soon()).unwrap();
            assert_eq!(cat.line(soon()).unwrap(), line);
        }
        cat.send_bytes(b"\xff\r\nlast", soon()).unwrap();
        cat.close_input();
        assert_eq!(cat.line(soon()).unwrap(), "\u{fffd}");
        assert_eq!(cat.line(soon()).unwrap(), "last");
        assert!(matches!(cat.line(soon()), Err(EngineError::Failed(_))));
        assert_eq!(cat.ended(soon()).unwrap(), Some(0));
    }

    #[test]
    fn a_line_that_is_too_long_is_left_out_and_nothing_else() {
        let mut cat = EngineProcess::start("cat").unwrap();
        let longest = "x".repeat(MAX_LINE);
        for line in [&longest, &format!("{longest}y"), "next"] {
            cat.send(line, soon()).unwrap();
        }
        assert_eq!(cat.line(soon()).unwrap().len(), MAX_LINE);
        assert_eq!(cat.line(soon()).unwrap(), "next");
    }

    #[test]
    fn the_error_says_how_a_program_ended() {
        for (script, why) in [
            ("exit 3", "it ended with exit code 3"),
            ("kill -9 $$", "signal 9 ended it"),
            ("echo oh no >&2; exit 1", "it ended with exit code 1; its last words: oh no"),
            // The words are the program's own: its quotes are not escaped.
            (
                r#"echo "cannot open \"x\"" >&2; exit 2"#,
                r#"it ended with exit code 2; its last words: cannot open "x""#,
            ),
            ("exec >&-; sleep 60", "it closed its standard output"),
            // Its child keeps the pipes open.
            ("sleep 60 & exit 4", "it ended with exit code 4"),
        ] {
            assert_eq!(shell(script).line(soon()).unwrap_err().to_string(), why, "{script}");
        }
        let mut deaf = shell("exec <&-; sleep 60");
        let long = "x".repeat(1 << 20);
        assert!(deaf.send(&long, soon()).unwrap_err().to_string().contains("standard input"));
    }

    #[test]
    fn nobody_is_waited_for_longer_than_the_deadline() {
        let mut silent = shell("sleep 60");
        let deadline = Instant::now() + Duration::from_millis(30);
        assert!(matches!(silent.line(deadline), Err(EngineError::Timeout)));
        assert!(matches!(silent.ended(deadline), Err(EngineError::Timeout)));
        let long = "x".repeat(1 << 20);
        assert!(matches!(silent.send(&long, deadline), Err(EngineError::Timeout)));
        // Endless error output is neither kept nor taken for an answer.
        let mut loud = shell("yes no >&2");
        assert!(matches!(loud.line(deadline), Err(EngineError::Timeout)));
        assert!(loud.error_output.len() < 10_000);
        // Nor are lines without end.
        let mut endless = shell("yes | tr -d \"\\n\"");
        assert!(matches!(endless.line(deadline), Err(EngineError::Timeout)));
        assert!(endless.read.len() <= MAX_UNREAD);
    }

    #[cfg(target_os = "linux")]
    fn is_killed_with_its_parent(script: &str) {
        let mut parent = shell(script);
        let child: i32 = parent.line(soon()).unwrap().parse().unwrap();
        let child = Pid::from_raw(child).unwrap();
        drop(parent);
        // A killed orphan stays in the list of processes until some process collects its status.
        let gone = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.as_raw_nonzero()));
            stat.map_or(true, |stat| stat.contains(") Z "))
        };
        let deadline = soon();
        while !gone() {
            assert!(Instant::now() < deadline, "{script}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn children_are_killed_with_their_parent() {
        is_killed_with_its_parent("sleep 60 & echo $!; wait");
    }

    /// A child that was started in a session of its own survived its parent.
    #[cfg(target_os = "linux")]
    #[test]
    fn children_that_left_the_group_are_killed_with_their_parent() {
        is_killed_with_its_parent("setsid sh -c \"echo \\$\\$; exec sleep 60\" & wait");
    }

    /// A child whose own parent had ended was not found.
    #[cfg(target_os = "linux")]
    #[test]
    fn orphans_that_left_the_group_are_killed_with_the_program() {
        is_killed_with_its_parent("(setsid sh -c \"echo \\$\\$; exec sleep 60\" &); exec sleep 60");
        is_killed_with_its_parent("setsid sh -c \"echo \\$\\$; exec sleep 60\" & exit 0");
    }

    /// A program once took all the memory of the machine.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_that_takes_too_much_memory_ends_and_it_is_said_why() {
        let limited = |script: &str| {
            EngineProcess::start_within(&format!("sh -c '{script}'"), Some(100_000_000)).unwrap()
        };
        let mut large = limited("dd bs=400M count=1 </dev/zero >/dev/null; exit 3");
        let message = large.line(soon()).unwrap_err().to_string();
        assert!(
            message.contains("exit code 3") && message.ends_with("; is memory=100MB too little?")
        );
        // What never ends its line is kept in memory.
        let grows = "(head -c 60000000 /dev/zero; sleep 60) | tail -n 1 >/dev/null &";
        let mut grown = limited(&format!("{grows} read go; exit 3"));
        while grown.used < 50_000_000 {
            assert!(matches!(grown.line(Instant::now() + LOOK), Err(EngineError::Timeout)));
        }
        grown.send("go", soon()).unwrap();
        let message = grown.line(soon()).unwrap_err().to_string();
        assert!(message.starts_with("it ended with exit code 3; it had used "), "{message}");
        assert!(message.ends_with("MB of memory=100MB"), "{message}");
    }

    #[test]
    fn what_cannot_be_started_is_named() {
        for (command, why) in [
            ("", "expected the name of a program"),
            ("cat \"", "expected closed quotes"),
            ("/no/such/engine", "No such file"),
        ] {
            let error = EngineProcess::start(command).unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{command}'")) && error.contains(why), "{error}");
        }
    }
}
