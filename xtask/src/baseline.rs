//! A baseline: named figures in a file beside the code, and the compiler for which they hold. Each
//! check with a baseline defines by how much its figures may change.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};

use crate::compiled;

const COMPILER: &str = "# Compiler: ";

/// Numbers by their names, and the compiler with which they were taken.
#[derive(Debug, PartialEq)]
pub struct Figures {
    pub compiler: String,
    pub numbers: BTreeMap<String, u64>,
}

impl Figures {
    /// Numbers measured on programs built by the compiler of this machine. The kind of CPU matters
    /// as well.
    pub fn new(root: &Path, numbers: BTreeMap<String, u64>) -> Result<Self> {
        let compiler = format!("Rust {} on {}", compiled::compiler(root)?, env::consts::ARCH);
        Ok(Self { compiler, numbers })
    }

    /// The text of the file, whose first line is about it.
    pub fn text(&self, about: &str) -> String {
        let mut text = format!("# {about}\n");
        // Writing into memory cannot fail.
        let _ = writeln!(text, "{COMPILER}{}", self.compiler);
        for (name, number) in &self.numbers {
            let _ = writeln!(text, "{name} {number}");
        }
        text
    }

    /// Reads the text of a file, whose lines have this form.
    pub fn read(file: &str, form: &str, text: &str) -> Result<Self> {
        let (mut compiler, mut numbers) = (None, BTreeMap::new());
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(name) = line.strip_prefix(COMPILER) {
                compiler = Some(name.to_owned());
            } else if !line.starts_with('#') {
                let entry = line.split_once(' ').and_then(|(name, count)| {
                    Some((name.to_owned(), count.parse().ok().filter(|&count: &u64| count > 0)?))
                });
                let wrong = || format!("{file}, line {number}: expected '{form}', not '{line}'");
                numbers.extend([entry.with_context(wrong)?]);
            }
        }
        let compiler = compiler.with_context(|| format!("{file} has no line '{COMPILER}…'"))?;
        Ok(Self { compiler, numbers })
    }

    /// Whether new figures can be compared with these, which needs the same compiler; prints a note if
    /// not.
    pub fn hold_for(&self, measured: &Self) -> bool {
        let same = self.compiler == measured.compiler;
        if !same {
            println!(
                "stored with {}, measured with {}: not compared",
                self.compiler, measured.compiler
            );
        }
        same
    }
}
