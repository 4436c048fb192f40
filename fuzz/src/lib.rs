//! Fuzz targets for every parser and file reader, and for pairs of implementations that must agree.
//!
//! A target is a plain function of bytes that panics when something is wrong. It runs under
//! cargo-fuzz (`fuzz_targets/`), under the runner of this crate, and over its corpus in
//! `cargo test`. `docs/fuzzing.md` has the list, the commands and the figures.

pub mod command;
mod mutate;
mod runner;
mod targets;

pub use targets::{TARGETS, Target, run, run_named};

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::mutate::Mutator;
    use crate::runner::{corpus, folder};

    /// Enough to see that a target runs; `cargo xtask fuzz` runs it for longer.
    const EXECUTIONS: u64 = 40;

    #[test]
    fn every_target_holds_for_its_corpus_and_some_mutations() {
        for target in &TARGETS {
            let files = corpus(target).unwrap();
            assert!(!files.is_empty(), "{} has no corpus", target.name);
            let size: usize = files.iter().map(Vec::len).sum();
            assert!(size < 64 << 10, "{} bytes in the corpus of {}", size, target.name);
            let count = files.len() as u64;
            let mutator = Mutator::new(files, 1);
            (0..count + EXECUTIONS).for_each(|number| run(target, &mutator.input(number)));
        }
    }

    #[test]
    fn cargo_fuzz_knows_every_target_and_no_other() {
        let manifest = fs::read_to_string(folder().join("Cargo.toml")).unwrap();
        assert_eq!(manifest.matches("[[bin]]").count(), TARGETS.len());
        for Target { name, .. } in &TARGETS {
            let path = format!("fuzz_targets/{name}.rs");
            assert!(manifest.contains(&format!("name = \"{name}\"\npath = \"{path}\"")), "{name}");
            let entry = fs::read_to_string(folder().join(path)).unwrap();
            assert!(entry.contains(&format!("run_named(\"{name}\", data)")), "{name}");
        }
    }
}
