//! `wurfel convert`: converts games from one file format to another.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use wurfel_agents::Catalogued;
use wurfel_arena::{
    Draft, FiledGame, LostDetails, MixedPlayers, RecordWriter, move_list_of, read_games,
    unfinished, write_records,
};
use wurfel_core::{NotGbk, encode_gbk};
use wurfel_games::{RecordForm, UnknownName};

use crate::Done;
use crate::game_command::GameCommand;
use crate::games::{Sources, Texts};
use crate::new_file::new_file;
use crate::new_folder::NewFolder;

/// Converts games between JSON lines, move lists and the game's own record format
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel convert games.jsonl --to wtn --out records\n  \
    wurfel convert record.txt --to jsonl --out games.jsonl\n  \
    wurfel convert '@4 a4b4 @1 e1e2' --to wtn --encoding gbk\n\n\
    Without --out the games go to standard output. --out names a file. Where a format needs a\n\
    file for each game, as wtn does, it names a folder, in which the files get their usual names.\n\
    The same holds for jsonl with more than two players: each pair of players gets a file.\n\
    Existing files are not overwritten. Information that the format cannot hold is listed on\n\
    standard error.")]
pub struct Convert {
    #[command(flatten)]
    sources: Sources,
    /// The format: jsonl, moves, or one of the game's own (wtn)
    #[arg(long)]
    to: String,
    /// The file or folder to write (standard output if left out)
    #[arg(long)]
    out: Option<PathBuf>,
    /// The encoding of what is written
    #[arg(long, value_enum, default_value_t = Encoding::Utf8)]
    encoding: Encoding,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Encoding {
    /// What nearly all programs read
    #[value(name = "utf-8")]
    Utf8,
    /// What many Chinese programs read
    Gbk,
}

impl Encoding {
    fn bytes(self, text: &str) -> Result<Vec<u8>, NotGbk> {
        match self {
            Self::Utf8 => Ok(text.as_bytes().to_vec()),
            Self::Gbk => encode_gbk(text),
        }
    }
}

impl Convert {
    /// Reads the games and writes them in the requested format.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let texts = self.sources.read()?;
        Conversion { command: self, texts }.run(out)
    }
}

struct Conversion {
    command: Convert,
    texts: Texts,
}

const JSON_LINES: &str = "jsonl";
const MOVE_LISTS: &str = "moves";

impl GameCommand for Conversion {
    fn game(&self) -> &str {
        &self.texts.game
    }

    fn run_for<G: Catalogued>(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Self { command, texts } = self;
        let encoding = command.encoding;
        match (command.to.as_str(), command.out) {
            (JSON_LINES, path) => match texts.header() {
                Some(header) => {
                    let writer = RecordWriter::again::<G>(header);
                    Output::open(path, encoding, out)?
                        .stream(|output| rewrite::<G>(writer, texts, output))?;
                }
                None => json_lines(&texts.games::<G>()?, path, encoding, out)?,
            },
            (MOVE_LISTS, path) => {
                Output::open(path, encoding, out)?
                    .stream(|output| move_lists::<G>(texts, output))?;
            }
            (name, Some(folder)) => write_each(form::<G>(name)?, texts, &folder, encoding)?,
            (name, None) => {
                let form = form::<G>(name)?;
                let games = texts.games::<G>()?;
                let [filed] = games.as_slice() else {
                    bail!(
                        "{} games: {name} has a file for each, expected --out with a folder",
                        games.len()
                    );
                };
                let text = (form.write)(&filed.game)?;
                out.write_all(&encoding.bytes(&text)?)?;
                let mut losses = LostDetails::default();
                losses.add(filed, &read_one(&text)?);
                tell(name, losses)?;
            }
        }
        Ok(Done::All)
    }
}

/// Where a text goes that is written piece by piece.
enum Output<'a> {
    Standard(&'a mut dyn Write, Encoding),
    File(Draft, PathBuf, Encoding),
}

impl<'a> Output<'a> {
    fn open(
        path: Option<PathBuf>,
        encoding: Encoding,
        out: &'a mut dyn Write,
    ) -> anyhow::Result<Self> {
        Ok(match path {
            None => Self::Standard(out, encoding),
            Some(path) => Self::File(new_file(path.clone())?, path, encoding),
        })
    }

    fn write(&mut self, text: &str) -> anyhow::Result<()> {
        match self {
            Self::Standard(out, encoding) => out.write_all(&encoding.bytes(text)?)?,
            Self::File(draft, _, encoding) => draft.write(&encoding.bytes(text)?)?,
        }
        Ok(())
    }

    /// Writes what `write` writes: a file gets its name when that has worked, and is removed otherwise.
    fn stream(mut self, write: impl FnOnce(&mut Self) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let written = write(&mut self);
        match self {
            Self::File(draft, ..) if written.is_ok() => draft.finish()?,
            // It would only take up space.
            Self::File(_, path, _) => _ = std::fs::remove_file(unfinished(&path)),
            Self::Standard(..) => {}
        }
        written
    }
}

/// Writes the games of a file of JSON lines again.
fn rewrite<G: Catalogued>(
    mut writer: RecordWriter,
    texts: Texts,
    output: &mut Output<'_>,
) -> anyhow::Result<()> {
    output.write(&writer.header())?;
    let mut losses = LostDetails::default();
    texts.each::<G>(|filed| {
        let line = writer.line(&filed)?;
        losses.add(&filed, &writer.read(&line)?);
        output.write(&line)
    })?;
    Ok(tell(JSON_LINES, losses)?)
}

/// Writes games of any form as JSON lines. The first line has the number of all pairs, so all games are
/// read before it is written.
fn json_lines<G: Catalogued>(
    games: &[FiledGame<G>],
    path: Option<PathBuf>,
    encoding: Encoding,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut losses = LostDetails::default();
    match (written(games, &mut losses)?, path) {
        (Ok(text), path) => {
            Output::open(path, encoding, out)?.stream(|output| output.write(&text))?;
        }
        (Err(_), Some(folder)) if folder.extension().is_none() => {
            losses = write_meetings(games, &folder, encoding)?;
        }
        (Err(error), _) => return Err(error.into()),
    }
    Ok(tell(JSON_LINES, losses)?)
}

/// Games as JSON lines, unless they are of more than two players.
fn written<G: Catalogued>(
    games: &[FiledGame<G>],
    losses: &mut LostDetails,
) -> anyhow::Result<Result<String, MixedPlayers>> {
    let text = match write_records(games) {
        Ok(text) => text,
        Err(mixed) => return Ok(Err(mixed)),
    };
    games.iter().zip(read_games(&text)?).for_each(|(filed, again)| losses.add(filed, &again));
    Ok(Ok(text))
}

/// Writes games as move lists with an empty line between them.
fn move_lists<G: Catalogued>(texts: Texts, output: &mut Output<'_>) -> anyhow::Result<()> {
    let mut losses = LostDetails::default();
    let mut gap = "";
    texts.each::<G>(|filed| {
        let list = move_list_of(&filed.game);
        losses.add(&filed, &read_one(&list)?);
        let list = format!("{gap}{list}\n");
        gap = "\n";
        output.write(&list)
    })?;
    Ok(tell(MOVE_LISTS, losses)?)
}

/// Reads the only game of a text that was just written.
fn read_one<G: Catalogued>(text: &str) -> anyhow::Result<FiledGame<G>> {
    read_games(text)?.pop().context("a game was written and none is read")
}

/// Says on standard error which details of games a form cannot hold.
fn tell(form: &str, losses: LostDetails) -> io::Result<()> {
    if losses.is_none() { Ok(()) } else { writeln!(io::stderr(), "{form} does not hold {losses}") }
}

/// The game's own record format with this name.
fn form<G: Catalogued>(name: &str) -> Result<&'static RecordForm<G>, UnknownName> {
    G::RECORDS.iter().find(|form| form.name == name).ok_or_else(|| {
        let own = G::RECORDS.iter().map(|form| form.name);
        let names: Vec<&str> = [JSON_LINES, MOVE_LISTS].into_iter().chain(own).collect();
        UnknownName::new("form", name, &names)
    })
}

/// Writes each game into a file of its own.
fn write_each<G: Catalogued>(
    form: &RecordForm<G>,
    texts: Texts,
    folder: &Path,
    encoding: Encoding,
) -> anyhow::Result<()> {
    let mut folder = NewFolder::new(folder)?;
    let mut losses = LostDetails::default();
    let mut number = 0;
    texts.each::<G>(|filed| {
        number += 1;
        let named = || format!("game {number}");
        let text = (form.write)(&filed.game).with_context(named)?;
        let bytes = encoding.bytes(&text).with_context(named)?;
        losses.add(&filed, &read_one(&text)?);
        folder.add(&(form.file_name)(&filed.game), &bytes)
    })?;
    folder.finish()?;
    Ok(tell(form.name, losses)?)
}

/// Writes the games of each pair of players into a JSON lines file of their own.
fn write_meetings<G: Catalogued>(
    games: &[FiledGame<G>],
    folder: &Path,
    encoding: Encoding,
) -> anyhow::Result<LostDetails> {
    let mut meetings: BTreeMap<[String; 2], Vec<FiledGame<G>>> = BTreeMap::new();
    for filed in games {
        let mut players = filed.entry().players;
        players.sort();
        meetings.entry(players).or_default().push(filed.clone());
    }
    let mut folder = NewFolder::new(folder)?;
    let mut losses = LostDetails::default();
    for ([one, other], games) in &meetings {
        let text = written(games, &mut losses)??;
        folder.add(&format!("{one} - {other}.{JSON_LINES}"), &encoding.bytes(&text)?)?;
    }
    folder.finish()?;
    Ok(losses)
}
