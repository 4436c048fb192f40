//! `wurfel tables`: builds, checks and reads the tablebase, which holds the exact values of all
//! positions with few pieces.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{anyhow, bail};
use clap::{Args, Subcommand};
use indicatif::{HumanBytes, HumanCount};
use serde::Serialize;
use wurfel::{Game, Position, Tables, TablesWanted, game, tables_folder};
use wurfel_tablebase::{Build, BuildProgress, Table, TableError};

use crate::batch::{Answer, PositionArgs, answer_each};
use crate::bounds::whole;
use crate::json::write_json;
use crate::options::Jobs;
use crate::progress::{OpenBar, bar};
use crate::{Done, stop};

/// Builds and reads tables with the exact values of all positions with few pieces
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel tables build --pieces 4\n  \
    wurfel tables probe '5/5/2C2/5/2cba r'")]
pub struct TablesCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    Build(BuildCommand),
    Verify(Verify),
    Info(Info),
    Probe(Probe),
}

/// The option for the folder of the tablebase.
#[derive(Args, Debug)]
pub struct TablesFolder {
    /// The folder of the tables [default: the environment variable `WURFEL_TABLES`, else wurfel's
    /// folder among your application data]
    #[arg(long = "dir", value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl TablesFolder {
    /// The folder that was given, or the default one.
    pub fn path(&self) -> Result<PathBuf, TableError> {
        tables_folder(self.named())
    }

    /// The folder that was given.
    fn named(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// All tables of a game in the folder. Small ones that are missing are built.
    pub fn tables(&self, game: Game) -> Result<Tables, TableError> {
        game.tables(self.named(), TablesWanted::WithSmall)
    }

    /// The tables for a search to the end of the game. If the system refuses the default folder, the
    /// search goes on without tables, after a line on standard error; a folder that the user named must
    /// have them.
    pub fn tables_for_search(&self, game: Game) -> anyhow::Result<Tables> {
        let (tables, refused) = game.tables_for_search(self.named())?;
        if let Some(error) = refused {
            writeln!(io::stderr(), "searching without tables: {error}")?;
        }
        Ok(tables)
    }
}

/// Builds the tables for up to a given number of pieces
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel tables build --pieces 5\n\n\
    Ctrl-C stops the work, and the same command resumes it. For EinStein, tables for up to 4\n\
    pieces take 20 MB, up to 5 pieces 870 MB, up to 6 pieces 22 GB.")]
struct BuildCommand {
    /// The largest number of pieces on the board
    #[arg(long, value_parser = whole::<u32>(2..=16))]
    pieces: u32,
    /// The game, which also names the rules (see `wurfel games`)
    #[arg(long, visible_alias = "rules", default_value = "einstein")]
    game: String,
    /// Memory for building in megabytes (2²⁰ bytes)
    #[arg(long, default_value_t = 4096, value_parser = whole::<u64>(1..=1 << 30))]
    memory: u64,
    #[command(flatten)]
    folder: TablesFolder,
    #[command(flatten)]
    jobs: Jobs,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// The game whose tables are meant, and the form of the answer.
#[derive(Args, Debug)]
struct ListArgs {
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    /// Answer in JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Checks every byte of the tables
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel tables verify")]
struct Verify {
    #[command(flatten)]
    form: ListArgs,
    #[command(flatten)]
    folder: TablesFolder,
    #[command(flatten)]
    jobs: Jobs,
}

/// Lists the tables in the folder
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel tables info")]
struct Info {
    #[command(flatten)]
    form: ListArgs,
    #[command(flatten)]
    folder: TablesFolder,
}

/// Looks up the exact win probability of the side to move, before its roll
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel tables probe '5/5/2C2/5/2cba r'\n\n\
    Tables for up to 4 pieces are built when they are missing.")]
struct Probe {
    #[command(flatten)]
    query: PositionArgs,
    #[command(flatten)]
    folder: TablesFolder,
}

impl TablesCommand {
    /// Runs the subcommand and writes the answer to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        match self.action {
            Action::Build(command) => command.run(out),
            Action::Verify(command) => command.run(out),
            Action::Info(command) => command.run(out),
            Action::Probe(command) => command.run(out),
        }
    }
}

impl BuildCommand {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let (game, folder) = (game(&self.game)?, self.folder.path()?);
        let settings =
            Build { pieces: self.pieces, threads: self.jobs.count(), memory: self.memory << 20 };
        let bar = OpenBar::new("positions", self.json);
        let started = Instant::now();
        let mut last = 0;
        let finished = stop::working(|| {
            game.build_tables(&folder, settings, &mut |BuildProgress { pieces, done, all }| {
                bar.show(done, all);
                bar.show_message(format!("{pieces} pieces"));
                last = done;
                !stop::is_wanted()
            })
        })?;
        drop(bar);
        if !finished {
            writeln!(
                io::stderr(),
                "stopped after {} positions; the same command resumes it",
                HumanCount(last)
            )?;
            return Ok(Done::Stopped);
        }
        let tables = game.tables(Some(&folder), TablesWanted::Existing)?;
        let built = tables.tables().iter().filter(|table| table.pieces() <= self.pieces);
        list(game, built, self.json, out)?;
        if !self.json {
            writeln!(out, "{:.1} s", started.elapsed().as_secs_f64())?;
        }
        Ok(Done::All)
    }
}

#[derive(Serialize)]
struct ListedTable {
    bytes: u64,
    file: String,
    game: &'static str,
    pieces: u32,
    positions: u64,
}

/// Lists the tables, one per line.
fn list<'a>(
    game: Game,
    tables: impl IntoIterator<Item = &'a Table>,
    as_json: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    for table in tables {
        let (pieces, count, length) = (table.pieces(), table.count(), table.length());
        let path = table.path().display();
        if as_json {
            let (game, file) = (game.name(), path.to_string());
            let row = ListedTable { bytes: length, file, game, pieces, positions: count };
            write_json(&row, out)?;
        } else {
            let (count, length) = (HumanCount(count).to_string(), HumanBytes(length).to_string());
            writeln!(out, "{pieces} pieces  {count:>14} positions  {length:>10}  {path}")?;
        }
    }
    Ok(())
}

impl Info {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let (game, folder) = (game(&self.form.game)?, self.folder.path()?);
        let tables = game.tables(Some(&folder), TablesWanted::Existing)?;
        list(game, tables.tables(), self.form.json, out)?;
        if tables.tables().is_empty() && !self.form.json {
            writeln!(out, "no tables of {} in '{}'", game.name(), folder.display())?;
        }
        Ok(Done::All)
    }
}

impl Verify {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let (game, folder) = (game(&self.form.game)?, self.folder.path()?);
        let tables = game.tables(Some(&folder), TablesWanted::Existing)?;
        if tables.tables().is_empty() {
            bail!("no tables of {} in '{}'", game.name(), folder.display());
        }
        let all = tables.tables().iter().map(Table::length).sum();
        let bar = bar(all, "bytes", self.form.json);
        let mut before = 0;
        for table in tables.tables() {
            let checked = stop::working(|| {
                table.verify(self.jobs.count(), |bytes| {
                    bar.set_position(before + bytes);
                    !stop::is_wanted()
                })
            });
            before += table.length();
            checked?;
            if stop::is_wanted() {
                writeln!(io::stderr(), "stopped before every table was checked")?;
                return Ok(Done::Stopped);
            }
        }
        drop(bar);
        list(game, tables.tables(), self.form.json, out)?;
        if !self.form.json {
            writeln!(out, "no errors found")?;
        }
        Ok(Done::All)
    }
}

/// The exact value of a position before the roll, for the side to move.
#[derive(Serialize)]
struct Value {
    position: String,
    value: f32,
}

impl Answer for Value {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{:.3} %  {}", 100.0 * self.value, self.position)
    }
}

impl Probe {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let PositionArgs { position, form } = &self.query;
        let game = form.game()?;
        let tables = self.folder.tables(game)?;
        answer_each(game, position, form, out, |position| value(&tables, position))?;
        Ok(Done::All)
    }
}

fn value(tables: &Tables, position: &Position) -> anyhow::Result<Value> {
    if position.outcome().is_some() {
        bail!("position '{position}': nothing to look up, the game is over");
    }
    let value = tables.probe(position)?.ok_or_else(|| {
        match tables.tables().iter().find(|table| table.is_damaged()) {
            Some(table) => {
                anyhow!("'{}' is damaged: remove it and build it again", table.path().display())
            }
            None => {
                let most = tables.max_pieces();
                anyhow!("position '{position}': expected at most {most} pieces")
            }
        }
    })?;
    Ok(Value { position: position.to_string(), value })
}
