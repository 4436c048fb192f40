//! Reads the output of divan: a tree of benchmarks with times, and below each time its items per
//! second.
//!
//! The figure of a benchmark is that of its fastest sample. Other work of the machine only adds
//! time, so on a machine that is not idle the fastest sample is the most reliable.

use anyhow::{Context, Result, bail, ensure};

/// A benchmark of the tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Benchmark {
    /// The names on the path to it, joined by `/`, without the name of the program.
    pub path: String,
    /// Seconds per iteration.
    pub seconds: f64,
    /// Items per second, if it counts items.
    pub items: Option<f64>,
}

/// The benchmark at `path` of the tree.
pub fn benchmark(output: &str, path: &str) -> Result<Benchmark> {
    let mut all = benchmarks(output)?;
    let position = all.iter().position(|benchmark| benchmark.path == path);
    let position = position.with_context(|| format!("no benchmark '{path}' in the output"))?;
    Ok(all.swap_remove(position))
}

/// All benchmarks of the tree that have a time.
fn benchmarks(output: &str) -> Result<Vec<Benchmark>> {
    let mut lines = output.lines().skip_while(|line| !line.contains("fastest "));
    let heading = lines.next().context("no table of divan: expected a column 'fastest'")?;
    ensure!(
        heading.split_whitespace().nth(1) == Some("fastest"),
        "expected 'fastest' as the first column of divan, not '{heading}'"
    );
    let (mut way, mut found) = (Vec::<&str>::new(), Vec::<Benchmark>::new());
    for line in lines {
        let branch = line.find(['├', '╰']);
        let name_and_time = branch.map(|at| (line[..at].chars().count() / 3, &line[at..]));
        if let Some((depth, rest)) = name_and_time {
            let cell = first_cell(rest.trim_start_matches(['├', '╰', '─', ' ']));
            let (name, time) = cell.rsplit_once("  ").unwrap_or((cell, ""));
            way.truncate(depth);
            way.push(name.trim_end());
            if !time.is_empty() {
                let seconds = quantity(time, &TIMES)?;
                found.push(Benchmark { path: way.join("/"), seconds, items: None });
            }
            continue;
        }
        let cell = first_cell(line.trim_start_matches(['│', ' ']));
        if let (Some(last), false) = (found.last_mut(), cell.is_empty()) {
            last.items = Some(quantity(cell, &ITEMS)?);
        }
    }
    Ok(found)
}

/// The text of a row before the first line between columns.
fn first_cell(row: &str) -> &str {
    row.split('│').next().unwrap_or_default().trim_end()
}

const TIMES: [(&str, f64); 6] =
    [("ps", 1e-12), ("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0), ("m", 60.0)];

const ITEMS: [(&str, f64); 5] =
    [("item/s", 1.0), ("Kitem/s", 1e3), ("Mitem/s", 1e6), ("Gitem/s", 1e9), ("Titem/s", 1e12)];

/// A number, multiplied by its unit.
fn quantity(text: &str, units: &[(&str, f64)]) -> Result<f64> {
    let Some((number, unit)) = text.trim().split_once(' ') else {
        bail!("expected a number with a unit, not '{text}'");
    };
    let Some((_, scale)) = units.iter().find(|(known, _)| *known == unit.trim()) else {
        let known: Vec<&str> = units.iter().map(|(known, _)| *known).collect();
        bail!("unknown unit in '{text}': expected {}", known.join(", "));
    };
    let number: f64 = number.parse().with_context(|| format!("'{number}' is no number"))?;
    ensure!(number.is_finite() && number > 0.0, "expected more than nothing, not '{text}'");
    Ok(number * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output of `cargo bench -p wurfel-net`.
    const NET: &str = "\
net                     fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ positions                          │               │               │               │         │
│  ╰─ 1                               │               │               │               │         │
│     ├─ 2x64 avx2      19.08 µs      │ 56.89 µs      │ 19.15 µs      │ 20.54 µs      │ 100     │ 100
│     │                 52.38 Kitem/s │ 17.57 Kitem/s │ 52.21 Kitem/s │ 48.68 Kitem/s │         │
│     ╰─ 2x64 portable  79.85 µs      │ 48.16 ms      │ 79.99 µs      │ 723.1 µs      │ 100     │ 100
│                       12.52 Kitem/s │ 20.76 item/s  │ 12.5 Kitem/s  │ 1.382 Kitem/s │         │
╰─ positions_direct                   │               │               │               │         │
   ╰─ 64                              │               │               │               │         │
      ╰─ paper avx512   14.79 ms      │ 173.2 ms      │ 47.04 ms      │ 48.72 ms      │ 100     │ 100
                        4.325 Kitem/s │ 369.3 item/s  │ 1.36 Kitem/s  │ 1.313 Kitem/s │         │
";

    fn close(a: f64, b: f64) -> bool {
        (a / b - 1.0).abs() < 1e-9
    }

    #[test]
    fn the_fastest_of_a_benchmark_and_its_items() -> Result<()> {
        let avx2 = benchmark(NET, "positions/1/2x64 avx2")?;
        assert!(close(avx2.seconds, 19.08e-6), "{avx2:?}");
        assert!(close(avx2.items.unwrap_or_default(), 52_380.0), "{avx2:?}");
        let portable = benchmark(NET, "positions/1/2x64 portable")?;
        assert!(close(portable.items.unwrap_or_default(), 12_520.0), "{portable:?}");
        let paper = benchmark(NET, "positions_direct/64/paper avx512")?;
        assert!(close(paper.seconds, 14.79e-3), "{paper:?}");
        assert!(close(paper.items.unwrap_or_default(), 4325.0), "{paper:?}");
        Ok(())
    }

    #[test]
    fn a_benchmark_may_count_nothing() -> Result<()> {
        let table = "\
probe         fastest       │ slowest       │ median        │ mean          │ samples │ iters
╰─ build_all                │               │               │               │         │
   ╰─ 3       12.38 ms      │ 14.2 ms       │ 13.09 ms      │ 13.11 ms      │ 5       │ 5
";
        let build = benchmark(table, "build_all/3")?;
        assert!(close(build.seconds, 0.01238), "{build:?}");
        assert_eq!(build.items, None);
        Ok(())
    }

    fn complaint(output: &str, path: &str) -> String {
        benchmark(output, path).map_or_else(|error| format!("{error:#}"), |b| format!("{b:?}"))
    }

    #[test]
    fn what_is_not_there_is_missed() {
        assert_eq!(complaint(NET, "positions/1"), "no benchmark 'positions/1' in the output");
        assert_eq!(complaint(NET, "positions/8/x"), "no benchmark 'positions/8/x' in the output");
        assert_eq!(
            complaint("error: unexpected argument", "positions/1"),
            "no table of divan: expected a column 'fastest'"
        );
    }

    #[test]
    fn an_unknown_unit_and_a_figure_of_nothing_are_refused() {
        let table = |cell: &str| NET.replace("19.08 µs     ", cell);
        assert_eq!(
            complaint(&table("19.08 parsecs"), "positions/1/2x64 avx2"),
            "unknown unit in '19.08 parsecs': expected ps, ns, µs, ms, s, m"
        );
        assert_eq!(
            complaint(&table("0 ns         "), "positions/1/2x64 avx2"),
            "expected more than nothing, not '0 ns'"
        );
        assert_eq!(
            complaint(&table("(ignored)    "), "positions/1/2x64 avx2"),
            "expected a number with a unit, not '(ignored)'"
        );
        let items = NET.replace("52.38 Kitem/s", "52.38 KB/s   ");
        assert!(
            complaint(&items, "positions/1/2x64 avx2").starts_with("unknown unit in '52.38 KB/s'")
        );
    }
}
