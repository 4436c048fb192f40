//! `cargo xtask figures`: measures every speed that the documents quote, and writes them into `docs/methods/speed.md`,
//! which has a table for each kind of machine.
//!
//! All figures of a table come from one machine and, unless the table says otherwise, from one run,
//! because figures from different days cannot be compared. Nothing is written before everything has
//! been measured, so the run can be stopped at any time.

mod divan;
mod machine;
mod measure;
mod measures;
mod programs;
mod reading;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use measure::{Measure, Source};
use measures::MEASURES;
use programs::Programs;
use reading::Amount;
use table::{PAGE, Row, Table, read, write};

/// The options of the command.
#[derive(Debug, PartialEq)]
pub struct Options {
    list: bool,
    /// The Python that may have `OpenSpiel`, onnxruntime and `PyTorch` installed.
    python: String,
    /// The names of the measures to take; all if empty.
    names: Vec<String>,
}

impl Options {
    /// Reads `[--list] [--python PYTHON] [NAME...]`.
    pub fn parse(words: &[&str]) -> Result<Self> {
        let mut options = Self { list: false, python: "python3".into(), names: vec![] };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match word {
                "--list" => options.list = true,
                "--python" => {
                    let python = words.next().context("--python: expected a program behind it")?;
                    (*python).clone_into(&mut options.python);
                }
                option if option.starts_with('-') => {
                    bail!(
                        "unknown option '{option}': expected --list, --python or names of measures"
                    )
                }
                name if MEASURES.iter().any(|measure| measure.name == name) => {
                    options.names.push(name.to_owned());
                }
                name => {
                    bail!("unknown measure '{name}': `cargo xtask figures --list` has them all")
                }
            }
        }
        Ok(options)
    }

    fn wants(&self, measure: &Measure) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| name == measure.name)
    }
}

/// Takes the measures and rewrites the table.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let wanted: Vec<&Measure> = MEASURES.iter().filter(|measure| options.wants(measure)).collect();
    if options.list {
        list(&wanted);
        return Ok(());
    }
    let page = fs::read_to_string(root.join(PAGE)).context(PAGE)?;
    let mut tables = read(&page)?;
    let machine = machine::name();
    let old = tables.iter().position(|table| table.machine == machine).map(|n| tables.remove(n));
    let partial = !options.names.is_empty();
    if partial && old.is_none() {
        bail!("{PAGE} has no table of '{machine}': measure everything with `cargo xtask figures`");
    }
    let lines = lines(&wanted);
    let programs = Programs::build(root, &options.python, &lines)?;
    let before = machine::load();
    let outputs = outputs(&programs, &lines)?;
    let when = format!("{}, load {before} before and {} after", machine::today(), machine::load());
    let old = old.unwrap_or_default();
    let mut table = if partial { old.clone() } else { Table { machine, ..Table::default() } };
    if partial {
        table.anew.push(format!("{when}: `{}`", options.names.join("`, `")));
    } else {
        table.measured = format!("{when}, {}, by `cargo xtask figures`", machine::versions(root));
    }
    for measure in wanted {
        let row =
            row(measure, &outputs, old.rows.get(measure.name)).with_context(|| measure.name)?;
        println!("{}: {} ({})", measure.name, row.after, row.ratio);
        table.rows.insert(measure.name.to_owned(), row);
    }
    tables.insert(0, table);
    for table in &mut tables {
        for measure in MEASURES {
            if let Some(row) = table.rows.get_mut(measure.name) {
                measure.work.clone_into(&mut row.work);
                measure.limit.clone_into(&mut row.limit);
            }
        }
    }
    let names: Vec<&str> = MEASURES.iter().map(|measure| measure.name).collect();
    replace(&root.join(PAGE), &write(&page, &tables, &names)?)
}

fn list(wanted: &[&Measure]) {
    for measure in wanted {
        println!("{}: {}\n    {}", measure.name, measure.work, measure.source.line);
        match &measure.peer {
            Some(peer) if peer.source.line == measure.source.line => {
                println!("    beside {}, in the same run", peer.name);
            }
            Some(peer) => println!("    beside {}: {}", peer.name, peer.source.line),
            None => {}
        }
    }
}

/// The outputs of each command, one for each time it was run; none for a peer that is not
/// installed.
type Outputs = BTreeMap<&'static str, Vec<String>>;

/// The commands of those measures that this CPU can take, each once.
fn lines(wanted: &[&Measure]) -> Vec<&'static str> {
    let mut lines: Vec<&'static str> = vec![];
    for source in wanted.iter().filter(|measure| possible(measure)).flat_map(|m| m.sources()) {
        if !lines.contains(&source.line) {
            lines.push(source.line);
        }
    }
    lines
}

/// Runs the commands.
fn outputs(programs: &Programs, lines: &[&'static str]) -> Result<Outputs> {
    let mut outputs = BTreeMap::new();
    for (number, &line) in (1..).zip(lines) {
        eprintln!("{number}/{} {line}", lines.len());
        outputs.insert(line, programs.run(line)?);
    }
    Ok(outputs)
}

/// Whether the CPU has the instructions that the measure requires.
fn possible(measure: &Measure) -> bool {
    measure.needs.is_none_or(machine::has)
}

/// The row of a measure, compared with the row of the earlier table.
fn row(measure: &Measure, outputs: &Outputs, earlier: Option<&Row>) -> Result<Row> {
    // The figure of the fastest run.
    let amount = |source: &Source| -> Result<Option<Amount>> {
        let outputs = outputs.get(source.line).into_iter().flatten();
        let amounts: Result<Vec<_>> = outputs.map(|output| source.reading.read(output)).collect();
        Ok(amounts?.into_iter().flatten().reduce(|a, b| if b.over(a) > 1.0 { b } else { a }))
    };
    let unit = measure.unit;
    let show = |amount: Option<Amount>, otherwise: &str| {
        amount.map_or_else(|| otherwise.into(), |amount| unit.show(amount))
    };
    let here = amount(&measure.source)?;
    let absent = if possible(measure) { "not at hand" } else { "not on this CPU" };
    let before = earlier.and_then(|row| unit.read(&row.after));
    let (mut peer, mut ratios) = ("–".to_owned(), vec![]);
    if let Some(other) = &measure.peer {
        let theirs = amount(&other.source)?;
        peer = format!("{}: {}", other.name, show(theirs, "not at hand"));
        ratios.extend(here.zip(theirs).map(|(here, theirs)| (here.over(theirs), "the peer")));
    }
    ratios.extend(here.zip(before).map(|(here, before)| (here.over(before), "before")));
    let ratios: Vec<String> =
        ratios.iter().map(|(ratio, what)| format!("{} × {what}", times(*ratio))).collect();
    Ok(Row {
        work: measure.work.into(),
        peer,
        before: show(before, "–"),
        after: show(here, absent),
        ratio: if ratios.is_empty() { "–".into() } else { ratios.join(", ") },
        limit: measure.limit.into(),
    })
}

/// A ratio with as many digits as are meaningful.
fn times(ratio: f64) -> String {
    match ratio {
        100.0.. => format!("{ratio:.0}"),
        10.0.. => format!("{ratio:.1}"),
        _ => format!("{ratio:.2}"),
    }
}

/// Replaces a file as a whole, so that it is never half written.
fn replace(path: &Path, text: &str) -> Result<()> {
    let draft = path.with_extension("md.tmp");
    fs::write(&draft, text)?;
    fs::File::open(&draft)?.sync_all()?;
    fs::rename(&draft, path).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_names_and_a_python() -> Result<()> {
        let options = Options::parse(&["uct", "--python", "/venv/bin/python", "zweistein"])?;
        assert_eq!((options.list, &*options.python), (false, "/venv/bin/python"));
        assert_eq!(options.names, ["uct", "zweistein"]);
        assert!(Options::parse(&["--list"])?.list);
        Ok(())
    }

    #[test]
    fn unknown_words_are_refused() {
        let complaint = |words: &[&str]| {
            Options::parse(words).map_or_else(|error| error.to_string(), |_| "fine".into())
        };
        assert_eq!(complaint(&["--python"]), "--python: expected a program behind it");
        assert_eq!(
            complaint(&["utc"]),
            "unknown measure 'utc': `cargo xtask figures --list` has them all"
        );
        assert!(complaint(&["--lsit"]).starts_with("unknown option '--lsit'"));
    }

    fn uct() -> &'static Measure {
        MEASURES.iter().find(|measure| measure.name == "uct").unwrap_or(&MEASURES[0])
    }

    const TREE: &str = "\
search                fastest       │ slowest       │ median        │ mean          │ samples │ iters
╰─ monte_carlo_tree                 │               │               │               │         │
   ╰─ Closed          48.1 ms       │ 73.2 ms       │ 50.04 ms      │ 52.72 ms      │ 20      │ 20
                      2.079 Mitem/s │ 1.366 Mitem/s │ 1.998 Mitem/s │ 1.897 Mitem/s │         │
";

    fn outputs(peer: &[&str]) -> Outputs {
        let sources: Vec<&Source> = uct().sources().collect();
        let slower = TREE.replace("2.079 Mitem/s", "1.979 Mitem/s");
        let peer = peer.iter().map(|&output| output.to_owned()).collect();
        [(sources[0].line, vec![TREE.into(), slower]), (sources[1].line, peer)].into()
    }

    #[test]
    fn a_row_has_the_fastest_run_the_peer_and_what_was_before() -> Result<()> {
        let first = row(uct(), &outputs(&["random-games 164000\nuct 128323.3\n"]), None)?;
        assert_eq!(first.peer, "OpenSpiel's C++: 0.128 M playouts/s");
        assert_eq!((&*first.before, &*first.after), ("–", "2.08 M playouts/s"));
        assert_eq!(first.ratio, "16.2 × the peer");
        let earlier = Row { after: "1.60 M playouts/s".into(), ..first };
        let second = row(uct(), &outputs(&[]), Some(&earlier))?;
        assert_eq!(second.peer, "OpenSpiel's C++: not at hand");
        assert_eq!((&*second.before, &*second.ratio), ("1.60 M playouts/s", "1.30 × before"));
        Ok(())
    }

    #[test]
    fn output_without_the_figure_is_an_error() {
        let mut outputs = outputs(&[]);
        outputs.insert(uct().source.line, vec!["error: out of memory\n".into()]);
        let error =
            row(uct(), &outputs, None).map_or_else(|error| error.to_string(), |row| row.after);
        assert_eq!(error, "no table of divan: expected a column 'fastest'");
    }

    #[test]
    fn the_tables_of_the_page_have_measures_of_the_list_only() -> Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let tables = read(&fs::read_to_string(root.join(PAGE))?)?;
        assert!(!tables.is_empty());
        for table in tables {
            assert!(!table.machine.is_empty() && !table.measured.is_empty());
            for (name, row) in &table.rows {
                let measure = MEASURES.iter().find(|measure| measure.name == name);
                assert!(measure.is_some_and(|measure| measure.work == row.work), "{name}");
            }
        }
        Ok(())
    }

    #[test]
    fn ratios_have_three_digits() {
        assert_eq!([1.014, 9.96, 34.21, 250.4].map(times), ["1.01", "9.96", "34.2", "250"]);
    }
}
