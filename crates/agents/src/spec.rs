//! Agent specs: `name` or `name:option=value,option=value`.
//!
//! A value that begins with a quotation mark ends with the next one and may contain commas; `\"`
//! and `\\` in it mean `"` and `\`. One value in quotes may be given without the name of its
//! option, like the command in `cmd:"./engine --flag",protocol=ugi`.
//!
//! A spec is first parsed without knowledge of the agents; [`build`](crate::build) then checks its
//! names and makes agents of it.

use std::fmt;
use std::str::FromStr;

use wurfel_core::{UnknownName, excerpt};
use wurfel_games::ShippedFile;

use crate::LimitError;
use crate::limits::{parse_decimal, parse_number};

/// The option with the command of a program. It is written without its name: `cmd:"./engine --flag"`.
pub(crate) const COMMAND: &str = "command";

/// The text that names an agent and its options, parsed but not checked.
///
/// ```
/// use wurfel_agents::Spec;
///
/// let spec: Spec = "star2:depth=4,eval=zweistein".parse()?;
/// assert_eq!((spec.name.as_str(), spec.option("depth")), ("star2", Some("4")));
/// assert_eq!(spec.to_string(), "star2:depth=4,eval=zweistein");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Spec {
    /// The agent's name.
    pub name: String,
    /// Its options in the order they were given, each once.
    pub options: Vec<(String, String)>,
}

/// Why a spec does not describe an agent. Displays as one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// The text is not a spec.
    #[error("agent '{}': {}", excerpt(spec), excerpt(problem))]
    Malformed {
        /// The beginning of the text, at most 80 characters.
        spec: String,
        /// What is wrong with it.
        problem: String,
    },
    /// There is no such agent, option or evaluation.
    #[error("agent '{}': {error}", excerpt(spec))]
    Unknown {
        /// The whole spec, as it was typed.
        spec: String,
        /// The name that is not known.
        error: UnknownName,
    },
    /// The agent needs a file that is embedded in programs and that a web page has to load.
    #[error("agent '{}': the file {} has not been loaded", excerpt(spec), file.name)]
    Missing {
        /// The whole spec, as it was typed.
        spec: String,
        /// The file.
        file: &'static ShippedFile,
    },
    /// An option has a wrong value.
    #[error(
        "agent '{}': {}={}: expected {expected}",
        excerpt(spec),
        excerpt(option),
        excerpt(value)
    )]
    Value {
        /// The whole spec, as it was typed.
        spec: String,
        /// The name of the option.
        option: String,
        /// The text after `=`, which cannot be used.
        value: String,
        /// What was expected instead.
        expected: String,
    },
}

impl Spec {
    /// The value of an option, as it was typed.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The agent's name in reports: the name that the spec gives to a program, or else the whole
    /// spec.
    pub fn label(&self) -> String {
        let named = self.option("name").filter(|_| self.option(COMMAND).is_some());
        named.map_or_else(|| self.to_string(), str::to_owned)
    }

    pub(crate) fn unknown(&self, error: UnknownName) -> SpecError {
        SpecError::Unknown { spec: self.to_string(), error }
    }

    /// The bytes of a file that ships.
    pub(crate) fn shipped(&self, file: &'static ShippedFile) -> Result<&'static [u8], SpecError> {
        file.bytes().ok_or_else(|| SpecError::Missing { spec: self.to_string(), file })
    }

    /// The value of an option, read by `read`.
    pub(crate) fn read<T>(
        &self,
        option: &str,
        read: impl Fn(&str) -> Result<T, LimitError>,
    ) -> Result<Option<T>, SpecError> {
        let Some(value) = self.option(option) else { return Ok(None) };
        read(value).map(Some).map_err(|error| self.wrong(option, value, error))
    }

    /// The number of an option from 0 to `most`, or the `default`.
    pub(crate) fn decimal(&self, option: &str, most: f64, default: f32) -> Result<f32, SpecError> {
        let read = self.read(option, |text| parse_decimal(text, 0.0, most))?;
        Ok(read.map_or(default, |number| number as f32))
    }

    /// The whole number of an option from 1 to `most`, or the `default`.
    pub(crate) fn number(&self, option: &str, most: u32, default: u32) -> Result<u32, SpecError> {
        let read = self.read(option, |text| parse_number(text, 1, u64::from(most)))?;
        Ok(read.map_or(default, |number| number as u32))
    }

    /// The error of an option whose value cannot be read.
    pub(crate) fn wrong(
        &self,
        option: &str,
        value: &str,
        LimitError(expected): LimitError,
    ) -> SpecError {
        SpecError::Value {
            spec: self.to_string(),
            option: option.to_owned(),
            value: value.to_owned(),
            expected,
        }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let malformed = |problem: String| SpecError::Malformed {
            spec: text.chars().take(80).collect(),
            problem,
        };
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        if name.is_empty() {
            return Err(malformed("expected a name, as in expecti:depth=3".into()));
        }
        if text.contains(':') && rest.is_empty() {
            return Err(malformed("expected option=value after ':'".into()));
        }
        let mut options: Vec<(String, String)> = vec![];
        let mut rest = Some(rest).filter(|rest| !rest.is_empty());
        while let Some(text) = rest {
            let ((key, value), left) = option(text).map_err(malformed)?;
            if options.iter().any(|(known, _)| *known == key) {
                return Err(malformed(format!("option '{key}' is given twice")));
            }
            options.push((key, value));
            rest = left;
        }
        Ok(Self { name: name.to_owned(), options })
    }
}

/// The first option of a text with its value, and the text after the following comma.
fn option(text: &str) -> Result<((String, String), Option<&str>), String> {
    let end = text.find(['=', ',', '"']).unwrap_or(text.len());
    let (key, after) = text.split_at(end);
    let (key, quoted) = match after.strip_prefix('=') {
        Some(value) => (key, value.strip_prefix('"')),
        None if key.is_empty() => (COMMAND, after.strip_prefix('"')),
        None => (key, None),
    };
    if let Some(quoted) = quoted.filter(|_| !key.is_empty()) {
        let (value, left) = unquoted(quoted)?;
        return match left.strip_prefix(',') {
            _ if value.is_empty() => Err(format!("expected a value for '{key}' in its quotes")),
            None if left.is_empty() => Ok(((key.to_owned(), value), None)),
            left @ Some(_) => Ok(((key.to_owned(), value), left)),
            None => Err(format!("expected ',' after a value in quotes, found '{left}'")),
        };
    }
    let (part, left) = match text.split_once(',') {
        Some((part, left)) => (part, Some(left)),
        None => (text, None),
    };
    let (key, value) = part
        .split_once('=')
        .filter(|(key, value)| !key.is_empty() && !key.contains('"') && !value.is_empty())
        .ok_or_else(|| format!("expected option=value, found '{part}'"))?;
    Ok(((key.to_owned(), value.to_owned()), left))
}

/// The value whose opening quote has been read, and the text after its closing quote.
fn unquoted(text: &str) -> Result<(String, &str), String> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((place, character)) = characters.next() {
        match character {
            '"' => return Ok((value, &text[place + 1..])),
            '\\' => value.extend(characters.next().map(|(_, character)| character)),
            character => value.push(character),
        }
    }
    Err(format!("expected a closing quote after '{text}'"))
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (n, (key, value)) in self.options.iter().enumerate() {
            f.write_str(if n == 0 { ":" } else { "," })?;
            if key != COMMAND {
                write!(f, "{key}=")?;
            }
            if key == COMMAND || value.starts_with('"') || value.contains(',') {
                write!(f, "\"{}\"", value.replace('\\', r"\\").replace('"', r#"\""#))?;
            } else {
                f.write_str(value)?;
            }
        }
        Ok(())
    }
}
