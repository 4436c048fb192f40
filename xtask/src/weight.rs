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
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::MetadataCommand;

use crate::baseline::Figures;

const KEPT: &str = "xtask/weight.txt";

/// By how much the bytes may exceed the stored ones, in per cent.
const MORE_BYTES: u64 = 10;

/// By how much the copies of a function may exceed the stored ones, in per cent.
const MORE_COPIES: u64 = 50;

/// From how many copies on a function is listed.
const MANY: u64 = 24;

/// The name of the bytes of all functions; the other figures are copies of functions.
const BYTES: &str = "bytes";

/// The first line of the file, and the form of its figures.
const ABOUT: &str =
    "Bytes of code, and copies of functions; `cargo xtask weight --keep` writes this file.";
const FORM: &str = "NAME COUNT";

/// Weighs the program and compares it with the stored figures, or stores its own if `keep`.
pub fn run(root: &Path, keep: bool) -> Result<()> {
    let metadata = MetadataCommand::new().current_dir(root).no_deps().exec()?;
    let program = metadata.target_directory.as_std_path().join("debug/wurfel");
    ensure!(
        program.exists(),
        "{} is not there: `cargo test --workspace --no-run` builds it",
        program.display()
    );
    let measured = Figures::new(root, weigh(&symbols(&program)?))?;
    let path = root.join(KEPT);
    println!(
        "{} bytes of code, {} functions with {MANY} copies or more",
        measured.numbers[BYTES],
        measured.numbers.len() - 1
    );
    if keep {
        return fs::write(&path, measured.text(ABOUT)).context(KEPT);
    }
    let baseline = Figures::read(KEPT, FORM, &fs::read_to_string(&path).context(KEPT)?)?;
    if !baseline.hold_for(&measured) {
        return Ok(());
    }
    let heavier = exceeded(&baseline.numbers, &measured.numbers);
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

/// The bytes of all functions, and the copies of those of ours that have [`MANY`].
fn weigh(symbols: &str) -> BTreeMap<String, u64> {
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
    copies.insert(BYTES.to_owned(), bytes);
    copies
}

/// The path of a function without what it is generic over and without the hash of its instance.
fn plain(name: &str) -> String {
    let (mut path, mut depth) = (String::new(), 0);
    let mut before = ' ';
    for character in name.chars() {
        match character {
            '<' => depth += 1,
            // Not the end of the arrow before what a function returns.
            '>' if before != '-' => depth -= 1,
            _ if depth == 0 => path.push(character),
            _ => {}
        }
        before = character;
    }
    let hash = path.rsplit_once("::h").filter(|(_, hash)| {
        hash.len() == 16 && hash.bytes().all(|character| character.is_ascii_hexdigit())
    });
    hash.map_or(path.as_str(), |(path, _)| path).replace("::::", "::")
}

/// A line for each figure of `measured` that is too large.
fn exceeded(baseline: &BTreeMap<String, u64>, measured: &BTreeMap<String, u64>) -> Vec<String> {
    let heavier = |(name, &count): (&String, &u64)| {
        let (more, what) = match name.as_str() {
            BYTES => (MORE_BYTES, "bytes of code".to_owned()),
            _ => (MORE_COPIES, format!("copies of {name}")),
        };
        // A function that is not listed had fewer copies than the least that is listed.
        let before = baseline.get(name).copied().unwrap_or(MANY - 1);
        (100 * count > (100 + more) * before).then(|| format!("{count} {what}, {before} before"))
    };
    measured.iter().filter_map(heavier).collect()
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
        assert_eq!(weight.into_iter().collect::<Vec<_>>(), [("bytes".to_owned(), 0x200)]);
        let many: String =
            (0..30).map(|_| LISTED.lines().next().unwrap().to_owned() + "\n").collect();
        let name = "wurfel_arena::play::ordered::Queue::watch".to_owned();
        assert_eq!(
            weigh(&many).into_iter().collect::<Vec<_>>(),
            [("bytes".to_owned(), 30 * 0x10), (name, 30)]
        );
        assert_eq!(
            plain("core::ops::function::impls::<impl Fn(A) -> B for &F>::call"),
            "core::ops::function::impls::call"
        );
    }

    #[test]
    fn what_is_much_heavier_is_refused() {
        let of = |name: &str, bytes: u64, count: u64| {
            BTreeMap::from([("bytes".to_owned(), bytes), (name.to_owned(), count)])
        };
        let weight = |bytes, count| of("wurfel::f", bytes, count);
        let baseline = weight(1000, 40);
        assert!(exceeded(&baseline, &weight(1100, 60)).is_empty());
        assert_eq!(exceeded(&baseline, &weight(1101, 40)), ["1101 bytes of code, 1000 before"]);
        assert_eq!(exceeded(&baseline, &weight(900, 61)), ["61 copies of wurfel::f, 40 before"]);
        let other = of("wurfel::g", 900, 35);
        assert_eq!(exceeded(&baseline, &other), ["35 copies of wurfel::g, 23 before"]);
        let baseline = Figures { compiler: "Rust 1".to_owned(), numbers: baseline };
        assert_eq!(Figures::read(KEPT, FORM, &baseline.text(ABOUT)).unwrap(), baseline);
        assert!(Figures::read(KEPT, FORM, "# Compiler: Rust 1\nbytes many\n").is_err());
    }
}
