//! Counts the instructions of fixed work with valgrind and compares them with the stored counts.
//!
//! Timings are useless on a busy machine, while a count of instructions does not change. So CI
//! fails when a kernel of `counts/` takes over two per cent more instructions than
//! `counts/counts.txt` says. `--keep` rewrites the file, for when an increase is intended or a
//! decrease was achieved. Counts are valid for one compiler and one kind of CPU; elsewhere they are
//! only shown. They say nothing about waiting for memory, nor about instructions that take longer
//! than others.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::baseline::Figures;
use crate::compiled;

/// The program with the kernels, as options of cargo.
const KERNELS: &str = "--bin wurfel-counts";

const KEPT: &str = "counts/counts.txt";

/// By how much a count may differ from the stored one, in per cent. The counts of the same build
/// differ by a hundred-thousandth at most.
const TOLERANCE: u64 = 2;

/// The function of the kernels that is counted.
const COUNTED: &str = "*counted_kernel*";

/// Settings with which the C library copies and fills memory in the one way that every CPU
/// supports. Otherwise it chooses the way by the CPU, which made a difference of up to 17 %.
const PLAIN_C: &str =
    "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-AVX2_Usable,-AVX_Fast_Unaligned_Load,-ERMS,-SSSE3";

/// The first line of the file, and the form of its figures.
const ABOUT: &str =
    "Instructions of the kernels in this folder; `cargo xtask counts --keep` writes this file.";
const FORM: &str = "KERNEL COUNT";

/// Counts all kernels and compares the counts with the stored ones, or stores them if `keep`.
pub fn run(root: &Path, keep: bool) -> Result<()> {
    let counted = count(root)?;
    let path = root.join(KEPT);
    if keep {
        fs::write(&path, counted.text(ABOUT)).context(KEPT)?;
        println!("{} kernels stored in {KEPT}", counted.numbers.len());
        return Ok(());
    }
    let baseline = Figures::read(KEPT, FORM, &fs::read_to_string(&path).context(KEPT)?)?;
    let (lines, problems) = compare(&baseline, &counted);
    for line in lines {
        println!("{line}");
    }
    if !baseline.hold_for(&counted) {
        return Ok(());
    }
    ensure!(
        problems.is_empty(),
        "counts\n  {}\n`cargo xtask counts --keep` stores what is intended",
        problems.join("\n  ")
    );
    Ok(())
}

fn count(root: &Path) -> Result<Figures> {
    let program = build(root)?;
    let list = Command::new(&program).output().with_context(|| program.display().to_string())?;
    ensure!(list.status.success(), "{}: {}", program.display(), list.status);
    let mut instructions = BTreeMap::new();
    for name in String::from_utf8(list.stdout)?.lines() {
        instructions
            .insert(name.to_owned(), instructions_of(&program, name).context(name.to_owned())?);
    }
    Figures::new(root, instructions)
}

/// Builds the kernels, and returns the path of the program.
fn build(root: &Path) -> Result<PathBuf> {
    let mut programs =
        compiled::programs(root, compiled::OPTIMISED, &["--package=wurfel-counts".into()])?;
    programs.remove(KERNELS).with_context(|| format!("cargo has built no program '{KERNELS}'"))
}

fn instructions_of(program: &Path, kernel: &str) -> Result<u64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no"]);
    command.arg(format!("--toggle-collect={COUNTED}")).arg(program).arg(kernel);
    let output = command
        .env("GLIBC_TUNABLES", PLAIN_C)
        .output()
        .context("valgrind cannot be started (Debian: apt-get install valgrind)")?;
    let report = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "valgrind: {}: {}", output.status, report.trim());
    collected(&report)
}

/// The count in the last lines of callgrind's output: `==123== Collected : 123456`.
fn collected(report: &str) -> Result<u64> {
    let numbers = report.lines().find_map(|line| line.split_once("Collected :"));
    let (_, number) = numbers.context("callgrind has not said what it collected")?;
    let count = number.trim().parse().with_context(|| format!("'{number}' is no count"))?;
    ensure!(count > 0, "nothing was collected: no function is called {COUNTED}");
    Ok(count)
}

/// A line for each counted kernel, and the problems.
fn compare(baseline: &Figures, counted: &Figures) -> (Vec<String>, Vec<String>) {
    let (mut lines, mut problems) = (vec![], vec![]);
    for (name, &now) in &counted.numbers {
        let Some(&before) = baseline.numbers.get(name) else {
            problems.push(format!("{name} has no stored count"));
            continue;
        };
        let change = (now as f64 / before as f64 - 1.0) * 100.0;
        let line = format!("{name}: {now} instructions, {change:+.2} % of {before}");
        if now * 100 > before * (100 + TOLERANCE) {
            problems.push(line.clone());
        }
        let less = if now * 100 < before * (100 - TOLERANCE) { "; store it" } else { "" };
        lines.push(format!("{line}{less}"));
    }
    let gone = baseline.numbers.keys().filter(|name| !counted.numbers.contains_key(*name));
    problems
        .extend(gone.map(|name| format!("{name} has a stored count, but is no kernel any more")));
    (lines, problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "\
==4242== Callgrind, a call-graph generating cache profiler
==4242== For interactive control, run 'callgrind_control -h'.
==4242== 
==4242== Events    : Ir
==4242== Collected : 29617423
==4242== 
==4242== I   refs:      29,617,423
";

    #[test]
    fn the_count_is_what_callgrind_collected() {
        assert!(collected(SAID).is_ok_and(|count| count == 29_617_423));
        let wrong = |report: &str| {
            collected(report).map_or_else(|error| error.to_string(), |n| n.to_string())
        };
        assert_eq!(wrong("==1== done\n"), "callgrind has not said what it collected");
        assert_eq!(
            wrong("==1== Collected : 0\n"),
            "nothing was collected: no function is called *counted_kernel*"
        );
        assert_eq!(wrong("==1== Collected : 3 4\n"), "' 3 4' is no count");
    }

    fn counts(instructions: &[(&str, u64)]) -> Figures {
        let own = |&(name, count): &(&str, u64)| (name.to_owned(), count);
        Figures {
            compiler: "Rust 1.95.0 on x86_64".into(),
            numbers: instructions.iter().map(own).collect(),
        }
    }

    #[test]
    fn a_file_is_read_as_it_was_written() -> Result<()> {
        let baseline = counts(&[("star2", 3_000_000), ("uct", 10)]);
        assert_eq!(Figures::read(KEPT, FORM, &baseline.text(ABOUT))?, baseline);
        let complaint = |text: &str| {
            Figures::read(KEPT, FORM, text)
                .map_or_else(|error| error.to_string(), |_| String::new())
        };
        assert_eq!(complaint("uct 10\n"), "counts/counts.txt has no line '# Compiler: …'");
        let broken = baseline.text(ABOUT).replace("uct 10", "uct 0");
        assert_eq!(
            complaint(&broken),
            "counts/counts.txt, line 4: expected 'KERNEL COUNT', not 'uct 0'"
        );
        Ok(())
    }

    #[test]
    fn more_than_two_per_cent_more_is_a_problem_and_less_is_not() {
        let baseline = counts(&[("a", 1000), ("b", 1000), ("c", 1000), ("gone", 1)]);
        let counted = counts(&[("a", 1020), ("b", 1021), ("c", 900), ("new", 5)]);
        let (lines, problems) = compare(&baseline, &counted);
        assert_eq!(
            lines,
            [
                "a: 1020 instructions, +2.00 % of 1000",
                "b: 1021 instructions, +2.10 % of 1000",
                "c: 900 instructions, -10.00 % of 1000; store it",
            ]
        );
        assert_eq!(
            problems,
            [
                "b: 1021 instructions, +2.10 % of 1000",
                "new has no stored count",
                "gone has a stored count, but is no kernel any more",
            ]
        );
    }
}
