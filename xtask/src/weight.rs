//! Weighs the program: the bytes of its code, and how often each function of ours was compiled.
//!
//! Generic code is compiled once for each type that it is used with, and a function that is used with every
//! game, every agent and every closure becomes most of the program and of the time to build it, unnoticed.
//! So CI fails when the code is over a tenth larger than `xtask/weight.txt` says, or a function has half as
//! many copies again: which copies are left is decided by the optimiser, and two builds of nearly the same
//! code differed by a sixth. `--keep` rewrites the file, for when an increase is intended or a decrease was
//! achieved. What is weighed is the program that the tests have built, without incremental compilation;
//! figures are held to those of the same compiler only.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::MetadataCommand;

use crate::compiled;

const KEPT: &str = "xtask/weight.txt";

/// By how much the bytes may exceed the stored ones, in per cent.
const MORE_BYTES: u64 = 10;

/// By how much the copies of a function may exceed the stored ones, in per cent.
const MORE_COPIES: u64 = 50;

/// From how many copies on a function is listed.
const MANY: u64 = 24;

/// The figures of a program, and the compiler that built it.
#[derive(Debug, PartialEq)]
struct Weight {
    compiler: String,
    bytes: u64,
    /// The functions of which there are [`MANY`] copies.
    copies: BTreeMap<String, u64>,
}

/// Weighs the program and compares it with the stored figures, or stores its own if `keep`.
pub fn run(root: &Path, keep: bool) -> Result<()> {
    let metadata = MetadataCommand::new().current_dir(root).no_deps().exec()?;
    let program = metadata.target_directory.as_std_path().join("debug/wurfel");
    ensure!(
        program.exists(),
        "{} is not there: `cargo test --workspace --no-run` builds it",
        program.display()
    );
    let compiler = format!("Rust {} on {}", compiled::compiler(root)?, env::consts::ARCH);
    let found = Weight { compiler, ..weigh(&symbols(&program)?) };
    let path = root.join(KEPT);
    println!(
        "{} bytes of code, {} functions with {MANY} copies or more",
        found.bytes,
        found.copies.len()
    );
    if keep {
        return fs::write(&path, found.text()).context(KEPT);
    }
    let kept = Weight::read(&fs::read_to_string(&path).context(KEPT)?)?;
    if kept.compiler != found.compiler {
        println!("kept with {}, built with {}: not held", kept.compiler, found.compiler);
        return Ok(());
    }
    let heavier = kept.exceeded_by(&found);
    if !heavier.is_empty() {
        bail!("heavier than {KEPT} says\n  {}", heavier.join("\n  "));
    }
    Ok(())
}

/// The symbols of a program as `nm` lists them: address, size, kind and name.
fn symbols(program: &Path) -> Result<String> {
    let output = Command::new("nm").args(["-S", "-C"]).arg(program).output().context("nm")?;
    ensure!(output.status.success(), "nm: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn weigh(symbols: &str) -> Weight {
    let (mut bytes, mut copies) = (0, BTreeMap::new());
    for line in symbols.lines() {
        let mut fields = line.splitn(4, ' ');
        let (Some(_), Some(size), Some("t" | "T" | "w" | "W"), Some(name)) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        bytes += u64::from_str_radix(size, 16).unwrap_or(0);
        let name = plain(name);
        if name.starts_with("wurfel") {
            *copies.entry(name).or_default() += 1;
        }
    }
    copies.retain(|_, count| *count >= MANY);
    Weight { compiler: String::new(), bytes, copies }
}

/// The path of a function without what it is generic over and without the hash of its instance.
fn plain(name: &str) -> String {
    let (mut path, mut depth) = (String::new(), 0);
    let mut before = ' ';
    for sign in name.chars() {
        match sign {
            '<' => depth += 1,
            // Not the end of the arrow before what a function returns.
            '>' if before != '-' => depth -= 1,
            _ if depth == 0 => path.push(sign),
            _ => {}
        }
        before = sign;
    }
    let hash = path
        .rsplit_once("::h")
        .filter(|(_, hash)| hash.len() == 16 && hash.bytes().all(|sign| sign.is_ascii_hexdigit()));
    hash.map_or(path.as_str(), |(path, _)| path).replace("::::", "::")
}

impl Weight {
    fn text(&self) -> String {
        let mut text = format!("{}\n{} bytes\n", self.compiler, self.bytes);
        for (name, count) in &self.copies {
            let _ = writeln!(text, "{count} {name}");
        }
        text
    }

    fn read(text: &str) -> Result<Self> {
        let (compiler, rest) = text.split_once('\n').context("no compiler in the first line")?;
        let mut weight = Self { compiler: compiler.to_owned(), bytes: 0, copies: BTreeMap::new() };
        for line in rest.lines() {
            let figure = line.split_once(' ').and_then(|(n, of)| Some((n.parse().ok()?, of)));
            match figure.with_context(|| format!("'{line}': expected a number and its name"))? {
                (bytes, "bytes") => weight.bytes = bytes,
                (count, name) => drop(weight.copies.insert(name.to_owned(), count)),
            }
        }
        Ok(weight)
    }

    /// A line for each figure of `found` that is too large.
    fn exceeded_by(&self, found: &Self) -> Vec<String> {
        let copies = found.copies.iter().map(|(name, &count)| {
            // A function that is not listed had fewer copies than the least that is listed.
            let kept = self.copies.get(name).copied().unwrap_or(MANY - 1);
            (kept, count, MORE_COPIES, format!("copies of {name}"))
        });
        let bytes = (self.bytes, found.bytes, MORE_BYTES, "bytes of code".to_owned());
        let all = [bytes].into_iter().chain(copies);
        all.filter(|(kept, found, more, _)| 100 * found > (100 + more) * kept)
            .map(|(kept, found, _, of)| format!("{found} {of}, {kept} before"))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTED: &str = "\
0000000000001000 0000000000000010 t wurfel_arena::play::ordered::Queue<T>::watch::h0123456789abcdef
0000000000002000 00000000000000f0 T <wurfel_search::star::Star<E> as wurfel_core::agent::Agent<G>>::decide
0000000000003000 0000000000000100 t core::ptr::drop_in_place<fn() -> wurfel_core::Side>
0000000000004000 0000000000000008 r wurfel_games::TABLE
                 U malloc
";

    #[test]
    fn code_is_added_up_and_copies_are_counted_by_their_path() {
        let weight = weigh(LISTED);
        assert_eq!((weight.bytes, weight.copies.len()), (0x200, 0));
        let many: String =
            (0..30).map(|_| LISTED.lines().next().unwrap().to_owned() + "\n").collect();
        let copies = weigh(&many).copies;
        assert_eq!(
            copies.into_iter().collect::<Vec<_>>(),
            [("wurfel_arena::play::ordered::Queue::watch".to_owned(), 30)]
        );
        assert_eq!(
            plain("core::ops::function::impls::<impl Fn(A) -> B for &F>::call"),
            "core::ops::function::impls::call"
        );
    }

    #[test]
    fn what_is_much_heavier_is_refused() {
        let weight = |bytes, count: u64| Weight {
            compiler: "rustc 1".to_owned(),
            bytes,
            copies: [("wurfel::f".to_owned(), count)].into(),
        };
        let kept = weight(1000, 40);
        assert_eq!(Weight::read(&kept.text()).unwrap(), kept);
        assert!(kept.exceeded_by(&weight(1100, 60)).is_empty());
        assert_eq!(kept.exceeded_by(&weight(1101, 40)), ["1101 bytes of code, 1000 before"]);
        assert_eq!(kept.exceeded_by(&weight(900, 61)), ["61 copies of wurfel::f, 40 before"]);
        let other = Weight { copies: [("wurfel::g".to_owned(), 35)].into(), ..weight(900, 0) };
        assert_eq!(kept.exceeded_by(&other), ["35 copies of wurfel::g, 23 before"]);
        assert!(Weight::read("rustc 1\nmany bytes\n").is_err());
    }
}
