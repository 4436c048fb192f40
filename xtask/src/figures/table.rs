//! Reads the tables in the document, one for each machine, to know the earlier figures, and writes
//! them.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use super::measure::Unit;
use super::reading::Amount;

/// The page with the table, relative to the root.
pub const PAGE: &str = "docs/methods/speed.md";

const BEGIN: &str = "<!-- Figures: `cargo xtask figures` writes what stands from here -->";
const END: &str = "<!-- Figures: to here -->";
const COLUMNS: &str = "| work | peer | here before | here after | ratio | limit |";

/// The figures of one machine.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    pub machine: String,
    /// When, from which sources and how all of it was measured.
    pub measured: String,
    /// A line for each later run that repeated only some measures.
    pub anew: Vec<String>,
    /// The rows, by the name of the measure.
    pub rows: BTreeMap<String, Row>,
}

/// A row without its name.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub work: String,
    pub peer: String,
    pub before: String,
    pub after: String,
    pub ratio: String,
    pub limit: String,
}

const MACHINE: &str = "* Machine: ";
const MEASURED: &str = "* Measured: ";
const ANEW: &str = "* Measured again: ";

/// The tables of a page, between the two comments.
pub fn read(page: &str) -> Result<Vec<Table>> {
    let (from, to) = place(page)?;
    let mut tables: Vec<Table> = vec![];
    for line in page[from..to].lines() {
        if let Some(machine) = line.strip_prefix(MACHINE) {
            tables.push(Table { machine: machine.to_owned(), ..Table::default() });
            continue;
        }
        let Some(table) = tables.last_mut() else {
            ensure!(line.is_empty(), "{PAGE}: expected '{MACHINE}…' before '{line}'");
            continue;
        };
        if let Some(measured) = line.strip_prefix(MEASURED) {
            measured.clone_into(&mut table.measured);
        } else if let Some(anew) = line.strip_prefix(ANEW) {
            table.anew.push(anew.to_owned());
        } else if line.starts_with("| `") {
            let (name, row) = Row::of(line).with_context(|| {
                format!("{PAGE}: expected '| `NAME` WORK | … |' with six columns, not '{line}'")
            })?;
            table.rows.insert(name, row);
        }
    }
    Ok(tables)
}

/// The page with these tables, their rows in the order of `names`.
pub fn write(page: &str, tables: &[Table], names: &[&str]) -> Result<String> {
    let (from, to) = place(page)?;
    let mut text = page[..from].to_owned();
    for Table { machine, measured, anew, rows } in tables {
        let head = [format!("\n\n{MACHINE}{machine}"), format!("{MEASURED}{measured}")];
        let anew = anew.iter().map(|anew| format!("{ANEW}{anew}"));
        let columns = format!("\n{COLUMNS}\n|---|---|---:|---:|---|---|");
        let lines = names.iter().filter_map(|name| Some(rows.get(*name)?.line(name)));
        let lines = head.into_iter().chain(anew).chain([columns]).chain(lines);
        text += &lines.collect::<Vec<_>>().join("\n");
        let missing: Vec<&str> =
            names.iter().copied().filter(|name| !rows.contains_key(*name)).collect();
        if !missing.is_empty() {
            text += &not_measured(&missing);
        }
    }
    Ok(format!("{text}\n\n{}", &page[to..]))
}

/// The lines below a table on the measures that it lacks.
fn not_measured(missing: &[&str]) -> String {
    let mut lines = vec!["\n\nNot measured on this machine:".to_owned()];
    for (place, name) in (1..).zip(missing) {
        let word = format!("`{name}`{}", if place == missing.len() { "." } else { "," });
        match lines.last_mut().filter(|line| line.len() + word.len() < 119) {
            Some(line) => line.extend([" ", &word]),
            None => lines.push(word),
        }
    }
    lines.join("\n")
}

/// The place of the tables in the page: after the first comment, up to the second.
fn place(page: &str) -> Result<(usize, usize)> {
    let after = |text: &str| page.find(text).map(|at| at + text.len());
    let (from, to) = (after(BEGIN), page.find(END));
    let (from, to) =
        from.zip(to).with_context(|| format!("{PAGE} has no '{BEGIN}' and '{END}'"))?;
    ensure!(from <= to, "{PAGE}: '{END}' stands before '{BEGIN}'");
    Ok((from, to))
}

impl Row {
    fn of(line: &str) -> Option<(String, Self)> {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [work, peer, before, after, ratio, limit] = cells[..] else { return None };
        let (name, work) = work.strip_prefix('`')?.split_once("` ")?;
        let [work, peer, before, after, ratio, limit] =
            [work, peer, before, after, ratio, limit].map(str::to_owned);
        Some((name.to_owned(), Self { work, peer, before, after, ratio, limit }))
    }

    fn line(&self, name: &str) -> String {
        let Self { work, peer, before, after, ratio, limit } = self;
        format!("| `{name}` {work} | {peer} | {before} | {after} | {ratio} | {limit} |")
    }
}

impl Unit {
    /// An amount in this unit, with three significant digits.
    pub fn show(self, amount: Amount) -> String {
        let number = match amount {
            Amount::Rate(rate) if self.is_time => 1.0 / rate,
            Amount::Time(time) if !self.is_time => 1.0 / time,
            Amount::Rate(number) | Amount::Time(number) => number,
        } / self.one;
        let decimals = (2 - number.log10().floor() as i32).clamp(0, 6) as usize;
        let rounded = if number < 1000.0 {
            format!("{number:.decimals$}")
        } else {
            grouped((number / 10.0).round() as u64 * 10)
        };
        format!("{rounded} {}", self.name)
    }

    /// Reads an amount that `show` wrote in this unit.
    pub fn read(self, text: &str) -> Option<Amount> {
        let number: f64 = text.strip_suffix(self.name)?.trim().replace(',', "").parse().ok()?;
        let number = number * self.one;
        Some(if self.is_time { Amount::Time(number) } else { Amount::Rate(number) })
    }
}

impl Amount {
    /// How many times as fast this amount is as the other.
    pub fn over(self, other: Self) -> f64 {
        let rate = |amount| match amount {
            Amount::Rate(rate) => rate,
            Amount::Time(time) => 1.0 / time,
        };
        rate(self) / rate(other)
    }
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NS: Unit = Unit { name: "ns", one: 1e-9, is_time: true };
    const MILLIONS: Unit = Unit { name: "M games/s", one: 1e6, is_time: false };
    const POSITIONS: Unit = Unit { name: "positions/s", one: 1.0, is_time: false };

    #[test]
    fn three_digits_count() {
        assert_eq!(MILLIONS.show(Amount::Rate(3_721_400.0)), "3.72 M games/s");
        assert_eq!(MILLIONS.show(Amount::Rate(34_060_000.0)), "34.1 M games/s");
        assert_eq!(MILLIONS.show(Amount::Rate(231_900.0)), "0.232 M games/s");
        assert_eq!(POSITIONS.show(Amount::Rate(16_909.4)), "16,910 positions/s");
        assert_eq!(POSITIONS.show(Amount::Rate(1_234_567.0)), "1,234,570 positions/s");
        assert_eq!(NS.show(Amount::Rate(960_000_000.0)), "1.04 ns");
        assert_eq!(NS.show(Amount::Time(12.5e-9)), "12.5 ns");
    }

    #[test]
    fn what_was_written_is_read_in_its_unit_only() {
        assert_eq!(POSITIONS.read("16,910 positions/s"), Some(Amount::Rate(16_910.0)));
        assert_eq!(MILLIONS.read("3.72 M games/s"), Some(Amount::Rate(3_720_000.0)));
        assert_eq!(NS.read("3.72 M games/s"), None);
        assert_eq!(NS.read("–"), None);
    }

    #[test]
    fn faster_is_more_than_one_for_rates_and_times() {
        assert!((Amount::Rate(3.0).over(Amount::Rate(2.0)) - 1.5).abs() < 1e-9);
        assert!((Amount::Time(2.0).over(Amount::Time(3.0)) - 1.5).abs() < 1e-9);
    }

    #[test]
    fn a_page_keeps_what_stands_around_its_table() -> Result<()> {
        let page = format!("# Speed\n\n{BEGIN}\n{END}\n\n## More\n");
        let row = |after: &str| Row {
            work: "random games".into(),
            peer: "a twin: 0.230 M games/s".into(),
            before: "–".into(),
            after: after.into(),
            ratio: "16.2 × the peer".into(),
            limit: "each move waits for the one before".into(),
        };
        let rows = [("random", row("3.72 M games/s")), ("apart", row("3.10 M games/s"))];
        let table = Table {
            machine: "AMD EPYC, 2 CPUs, AVX-512".into(),
            measured: "2026-11-23, load 0.1".into(),
            anew: vec!["2026-11-24, load 0.2: `random`".into()],
            rows: rows.map(|(name, row)| (name.to_owned(), row)).into(),
        };
        let tables = [table.clone(), Table { machine: "another".into(), anew: vec![], ..table }];
        let names = ["random", "gone", "apart"];
        let written = write(&page, &tables, &names)?;
        assert!(written.starts_with(&format!("# Speed\n\n{BEGIN}\n\n* Machine: AMD EPYC, 2 CPUs")));
        let missing = "Not measured on this machine: `gone`.";
        assert!(written.ends_with(&format!(" |\n\n{missing}\n\n{END}\n\n## More\n")), "{written}");
        assert!(written.contains(&format!(" |\n\n{missing}\n\n* Machine: another\n")), "{written}");
        assert!(written.contains("| `random` random games | a twin: 0.230 M games/s | – | 3.72 M"));
        assert!(written.find("`apart`") > written.find("| `random`"), "in the order of the list");
        assert_eq!(read(&written)?, tables);
        assert_eq!(write(&written, &tables, &names)?, written);
        assert_eq!(read(&page)?, []);
        Ok(())
    }

    #[test]
    fn a_page_without_its_comments_or_with_a_broken_row_is_refused() {
        let complaint =
            |page: &str| read(page).map_or_else(|error| error.to_string(), |_| "fine".into());
        assert_eq!(complaint("# Speed\n"), format!("{PAGE} has no '{BEGIN}' and '{END}'"));
        assert_eq!(
            complaint(&format!("{END}\n{BEGIN}\n")),
            format!("{PAGE}: '{END}' stands before '{BEGIN}'")
        );
        let row = "| `random` games | 3 |";
        let nowhere = complaint(&format!("{BEGIN}\n{row}\n{END}\n"));
        assert_eq!(nowhere, format!("{PAGE}: expected '* Machine: …' before '{row}'"));
        let broken = format!("{BEGIN}\n* Machine: mine\n{row}\n{END}\n");
        assert!(complaint(&broken).contains("with six columns, not '| `random` games | 3 |'"));
    }
}
