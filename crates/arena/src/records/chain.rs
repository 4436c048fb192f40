//! Lines of JSON that end with a checksum over themselves and the line before, so that a file which
//! was changed or damaged is refused instead of being continued. The checksum detects mistakes; it does
//! not prevent anybody from writing another file.

use serde::Serialize;
use wurfel_core::checksum;

/// Writes or reads such lines, from the first one on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineChain {
    /// The checksum of the last line.
    sum: u64,
}

impl LineChain {
    /// The next line, with its line break. The value must be an object that has a field.
    pub fn next_line(&mut self, value: &impl Serialize) -> String {
        let body = serde_json::to_string(value).unwrap_or_default();
        self.sum = self.next(&body);
        let open = body.strip_suffix('}').unwrap_or_default();
        format!("{open},\"sum\":\"{:016x}\"}}\n", self.sum)
    }

    /// Reads the next line and returns its text before the checksum was added.
    ///
    /// # Errors
    /// When the line is not the one that was written there.
    pub fn read(&mut self, line: &str) -> Result<String, String> {
        let read = split(line).filter(|(body, sum)| self.next(body) == *sum);
        let (body, sum) = read.ok_or("expected the line as it was written: it is damaged")?;
        self.sum = sum;
        Ok(body)
    }

    /// The checksum of a line, which depends on all lines before it.
    fn next(&self, body: &str) -> u64 {
        checksum(format!("{:016x}{body}", self.sum).as_bytes())
    }

    /// The text of a line before its checksum was added, unchecked; [`LineChain::read`] checks it.
    pub(crate) fn body(line: &str) -> Option<String> {
        split(line).map(|(body, _)| body)
    }
}

/// A line split into its text before the checksum was added and the checksum.
fn split(line: &str) -> Option<(String, u64)> {
    let (body, sum) = line.trim_end().strip_suffix("\"}")?.rsplit_once(",\"sum\":\"")?;
    Some((format!("{body}}}"), u64::from_str_radix(sum, 16).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_moved_or_missing_line_is_refused() {
        let mut chain = LineChain::default();
        let lines = [1, 2, 3].map(|n| chain.next_line(&serde_json::json!({ "n": n })));
        let read = |lines: &[&str]| {
            let mut chain = LineChain::default();
            lines.iter().map(|line| chain.read(line)).collect::<Result<Vec<_>, _>>()
        };
        let [one, two, three] = lines.each_ref().map(String::as_str);
        assert_eq!(read(&[one, two, three]).unwrap(), [r#"{"n":1}"#, r#"{"n":2}"#, r#"{"n":3}"#]);
        let changed = two.replace("\"n\":2", "\"n\":7");
        for lines in [&[one, &changed][..], &[two], &[one, three], &[one, r#"{"n":2}"#]] {
            assert!(read(lines).is_err(), "{lines:?}");
        }
    }
}
