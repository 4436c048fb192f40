//! A program that is driven through its standard input and output, and may misbehave in any way:
//! nothing here waits longer than its deadline.

use std::io::{self, BufReader, Write};
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use wurfel_protocol::{Line, Lines};

/// How many lines may wait to be heard; a program that floods its output is held up then.
const WAITING: usize = 10_000;

/// A running program. When it is dropped, it is killed with all that it has started.
pub struct Program {
    child: Child,
    /// To the thread that writes; `None` when the input is closed.
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<String>,
}

/// Why a program does not answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// The time was over.
    Late,
    /// Its output ended.
    Gone,
}

/// The words of a command, separated by spaces; quotes keep a word together as in a shell.
fn words(command: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = vec![];
    let (mut quote, mut within) = (None, false);
    for sign in command.chars() {
        match (sign, quote) {
            ('\'' | '"', None) => quote = Some(sign),
            (sign, Some(open)) if sign == open => quote = None,
            (sign, None) if sign.is_whitespace() => {
                within = false;
                continue;
            }
            (sign, _) => {
                if !within {
                    words.push(String::new());
                    within = true;
                }
                words.last_mut()?.push(sign);
                continue;
            }
        }
        if !within {
            words.push(String::new());
            within = true;
        }
    }
    (quote.is_none() && !words.is_empty()).then_some(words)
}

impl Program {
    /// Starts a program.
    ///
    /// # Errors
    /// When the command has no word or an open quote, or the program cannot be started.
    pub fn start(command: &str) -> io::Result<Self> {
        let wrong =
            || io::Error::new(io::ErrorKind::InvalidInput, "expected words and closed quotes");
        let words = words(command).ok_or_else(wrong)?;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.stderr(Stdio::null()).spawn()?;
        let (sender, lines) = sync_channel(WAITING);
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || {
                let mut output = Lines::new(BufReader::new(output));
                while let Ok(Some(line)) = output.next_line() {
                    let Line::Text(text) = line else { continue };
                    if sender.send(text).is_err() {
                        break;
                    }
                }
            });
        }
        // Written by a thread of its own: a program that does not read must not hold us up.
        let (input, written) = channel::<Vec<u8>>();
        if let Some(mut pipe) = child.stdin.take() {
            thread::spawn(move || {
                for bytes in written {
                    if pipe.write_all(&bytes).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Self { child, input: Some(input), lines })
    }

    /// Sends bytes as they are. A program that has ended is noticed by the end of its output.
    pub fn send(&self, bytes: &[u8]) {
        if let Some(input) = &self.input {
            let _ = input.send(bytes.to_vec());
        }
    }

    /// Closes its input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The next line.
    ///
    /// # Errors
    /// When there is none by the deadline, or none will come.
    pub fn line(&self, deadline: Instant) -> Result<String, Silence> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => Silence::Late,
            RecvTimeoutError::Disconnected => Silence::Gone,
        })
    }

    /// Waits until the program has ended; returns its exit code, `None` when a signal ended it.
    ///
    /// # Errors
    /// When it has not ended by the deadline.
    pub fn ended(&mut self, deadline: Instant) -> Result<Option<i32>, Silence> {
        const LOOK: Duration = Duration::from_millis(2);
        loop {
            // What it still has to say must not keep it from ending.
            while self.lines.try_recv().is_ok() {}
            if let Ok(Some(status)) = self.child.try_wait() {
                return Ok(status.code());
            }
            if Instant::now() >= deadline {
                return Err(Silence::Late);
            }
            thread::sleep(LOOK);
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Its children, too, while it still holds the number of its group.
        #[cfg(unix)]
        if let Ok(None) = self.child.try_wait() {
            let group = format!("-{}", self.child.id());
            let mut kill = Command::new("kill");
            let _ = kill.args(["-s", "KILL", "--", &group]).stderr(Stdio::null()).status();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_by_a_shell() {
        let split = |text: &str| words(text).map(|words| words.join("|"));
        assert_eq!(split("  python3 ewn.py "), Some("python3|ewn.py".to_owned()));
        assert_eq!(
            split("sh -c 'a \"b\" c' \"\" x'y z'"),
            Some("sh|-c|a \"b\" c||xy z".to_owned())
        );
        assert_eq!((split(""), split("a 'b")), (None, None));
    }
}
