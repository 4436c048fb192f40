//! `wurfel standings`: the standings of a tournament, in any of several formats.

use std::fs::File;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use wurfel_arena::{CupReader, Standings};
use wurfel_core::decoded;
use wurfel_core::files::unfinished;

use crate::Done;
use crate::json::write_json;

/// Shows the standings and the crosstable of a tournament, even while it is being played
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel standings cup.jsonl --format latex\n\n\
    FILE is what `wurfel tournament NAME.toml` writes. With NAME.toml in its place, NAME.jsonl\n\
    beside it is read. As long as the tournament is not over, its file ends in .part.")]
pub struct StandingsCommand {
    /// The file with the games of a tournament
    file: PathBuf,
    /// The format
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
}

/// The form of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Form {
    /// Aligned columns
    Text,
    /// All numbers, in one line of JSON
    Json,
    /// All numbers, a line for each participant
    Csv,
    /// A table in Markdown
    Markdown,
    /// A LaTeX tabular
    Latex,
}

impl StandingsCommand {
    /// Reads the games and writes the table.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let path = games_file(&self.file);
        let name = || format!("'{}'", path.display());
        let file = File::open(&path).with_context(name)?;
        let standings = read(decoded(file)).with_context(name)?;
        match self.format {
            Form::Text => write!(out, "{}", standings.text())?,
            Form::Json => write_json(&standings, out)?,
            Form::Csv => write!(out, "{}", standings.csv())?,
            Form::Markdown => write!(out, "{}", standings.markdown())?,
            Form::Latex => write!(out, "{}", standings.latex())?,
        }
        Ok(Done::All)
    }
}

/// The file with the games of the tournament `named`, which may be its description or the file itself,
/// finished or not.
fn games_file(named: &Path) -> PathBuf {
    let is_description = named.extension().is_some_and(|end| end == "toml");
    let path = if is_description { named.with_extension("jsonl") } else { named.to_owned() };
    let part = unfinished(&path);
    if !path.exists() && part.exists() { part } else { path }
}

/// Reads the games. The last line may be half written.
fn read(mut file: impl BufRead) -> anyhow::Result<Standings> {
    let mut line = String::new();
    file.read_line(&mut line)?;
    let Some(mut reader) = CupReader::begin(&line) else {
        bail!(
            "line 1: expected the games of a tournament, as `wurfel tournament FILE.toml` writes them"
        );
    };
    for number in 2.. {
        line.clear();
        if file.read_line(&mut line)? == 0 || !line.ends_with('\n') {
            break;
        }
        reader.add(&line).map_err(|problem| anyhow!("line {number}: {problem}"))?;
    }
    let Some((definition, meetings, complete)) = reader.meetings() else {
        bail!("expected only games that follow from the tournament, found others");
    };
    Ok(Standings::new(&definition, &meetings, complete).with_ratings(&definition, &meetings))
}
