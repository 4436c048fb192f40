//! What may be drawn on a terminal, and how wide it is.

use std::env;
use std::io::{self, IsTerminal, Write};

use terminal_size::{Width, terminal_size};

/// Whether the stream is a terminal on which a line can be drawn over.
pub fn draws(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}

/// Whether standard output takes colours, and the user has not asked for none
/// (<https://no-color.org>).
pub fn colours() -> bool {
    draws(&io::stdout()) && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// How many columns a line of text has room for: those of `COLUMNS` or of the terminal, but at most
/// 100; no bound where nothing is known, because programs read lines whole.
pub fn width() -> usize {
    const MAX: usize = 100;
    let width_from_env = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || {
        let size = io::stdout().is_terminal().then(terminal_size).flatten();
        size.map(|(Width(columns), _)| columns.into())
    };
    width_from_env
        .filter(|&columns| columns > 0)
        .or_else(seen)
        .map_or(usize::MAX, |columns| MAX.min(columns))
}

/// A text in lines of at most `width` columns, as far as its words allow: the first indented by
/// `first` columns, the others by `others`.
pub fn wrapped(first: usize, text: &str, others: usize, width: usize) -> String {
    let mut done = " ".repeat(first);
    let (mut column, mut begun) = (first, false);
    for word in text.split_inclusive(' ') {
        let letters = word.trim_end().chars().count();
        if begun && column + letters > width {
            done.truncate(done.trim_end().len());
            done.push('\n');
            done.push_str(&" ".repeat(others));
            column = others;
        }
        done.push_str(word);
        (column, begun) = (column + word.chars().count(), true);
    }
    done
}

/// A report for people: lines that are longer than the terminal is wide are wrapped between words.
/// JSON, rows of tables and lines with colours stay as they are.
pub struct Report<W> {
    out: W,
    width: usize,
    /// The line that has not ended yet.
    line: Vec<u8>,
}

impl<W: Write> Report<W> {
    /// A report on `out`, with lines of at most `width` columns as far as words allow.
    pub const fn new(out: W, width: usize) -> Self {
        Self { out, width, line: vec![] }
    }

    fn end_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        match str::from_utf8(&line) {
            Ok(text) if is_long_prose(text, self.width) => {
                let text = wrapped(0, text, continuation(text, self.width), self.width);
                self.out.write_all(text.as_bytes())
            }
            _ => self.out.write_all(&line),
        }
    }
}

fn is_long_prose(line: &str, width: usize) -> bool {
    line.trim_end().chars().count() > width
        && !line.starts_with(['{', '[', '|'])
        && !line.contains('\u{1b}')
}

/// The column at which a line goes on: below the text that follows its name, where it has a name and
/// half of the width is left.
fn continuation(line: &str, width: usize) -> usize {
    let margin = spaces(line);
    let name = line[margin..].find("  ").map(|at| margin + at);
    let text = name.map(|end| line[..end].chars().count() + spaces(&line[end..]));
    text.filter(|&column| column <= width / 2).unwrap_or(margin + 2)
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

impl<W: Write> Write for Report<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.end_line()?;
            }
        }
        Ok(bytes.len())
    }

    /// Writes a line that has not ended, such as a question, as it is.
    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&std::mem::take(&mut self.line))?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_wraps_what_people_read_and_nothing_else() {
        let wrapped_report = |text: &str, width| {
            let mut report = Report::new(vec![], width);
            // In two pieces, as the program writes it.
            let (one, other) = text.split_at(text.len() / 2);
            report.write_all(one.as_bytes()).unwrap();
            report.write_all(other.as_bytes()).unwrap();
            report.flush().unwrap();
            String::from_utf8(report.out).unwrap()
        };
        let line = "win rate  54.3 %, interval 51.0 to 57.6\n";
        assert_eq!(wrapped_report(line, 80), line);
        assert_eq!(
            wrapped_report(line, 30),
            "win rate  54.3 %, interval\n          51.0 to 57.6\n"
        );
        // No room is left beside a long name.
        let long = "the name of something  is long\n";
        assert_eq!(wrapped_report(long, 24), "the name of something\n  is long\n");
        for unchanged in
            ["{\"a\": 1, \"b\": 2}\n", "| a | b | c | d |\n", "\u{1b}[1mbold words\u{1b}[0m\n"]
        {
            assert_eq!(wrapped_report(unchanged, 8), unchanged);
        }
        // A question does not end with a line.
        assert_eq!(wrapped_report("Which move do you make? ", 10), "Which move do you make? ");
    }

    #[test]
    fn a_text_is_wrapped_between_words() {
        let text = "c=  exploration constant, 0-10";
        assert_eq!(wrapped(2, text, 4, 80), format!("  {text}"));
        assert_eq!(wrapped(2, text, 4, 20), "  c=  exploration\n    constant, 0-10");
        assert_eq!(wrapped(0, "unbelievably long", 2, 5), "unbelievably\n  long");
        assert_eq!(wrapped(2, text, 4, usize::MAX), format!("  {text}"));
    }
}
