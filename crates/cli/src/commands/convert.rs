//! `wurfel convert`: converts games from one file format to another.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use wurfel::{FormedGame, Game, Games, JSON_LINES, MOVE_LISTS};
use wurfel_arena::{Draft, LostDetails, MixedPlayers, RecordWriter};
use wurfel_core::files::unfinished;
use wurfel_core::{NotGbk, UnknownName, encode_gbk};

use crate::Done;
use crate::games::{Sources, Texts};
use crate::new_file::new_file;
use crate::new_folder::NewFolder;

/// Converts games between JSON lines, move lists and the game's own record format
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel convert games.jsonl --to wtn --out records\n  \
    wurfel convert record.txt --to jsonl --out games.jsonl\n  \
    wurfel convert '@4 a4b4 @1 e1e2' --to wtn --encoding gbk\n\n\
    Without --out the games go to standard output. --out names a file. Where a format needs a\n\
    file for each game, as wtn does, it names a folder, in which the files get their default names.\n\
    The same holds for jsonl with more than two players: each pair of players gets a file.\n\
    Existing files are not overwritten. Information that the format cannot hold is listed on\n\
    standard error.")]
pub struct Convert {
    #[command(flatten)]
    sources: Sources,
    /// The format: jsonl, moves, or one of the game's own (wtn)
    #[arg(long)]
    to: String,
    /// The file or folder to write [default: standard output]
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
        let (game, encoding, form) = (texts.game, self.encoding, self.to.as_str());
        match (form, self.out) {
            (JSON_LINES, path) => match texts.header() {
                Some(header) => {
                    let writer = game.writer_again(header);
                    Output::open(path, encoding, out)?
                        .stream(|output| rewrite(writer, texts, output))?;
                }
                None => json_lines(game, &texts.games()?, path, encoding, out)?,
            },
            (MOVE_LISTS, path) => {
                Output::open(path, encoding, out)?.stream(|output| move_lists(texts, output))?;
            }
            (_, Some(folder)) => {
                known(game, form)?;
                write_each(form, texts, &folder, encoding)?;
            }
            (_, None) => {
                known(game, form)?;
                let games = texts.games()?;
                if games.len() != 1 {
                    bail!(
                        "{} games: {form} has a file for each, expected --out with a folder",
                        games.len()
                    );
                }
                let text = formed(game, &games, form)?.text;
                out.write_all(&encoding.bytes(&text)?)?;
                let mut losses = LostDetails::default();
                games.compare(0, &game.read_games(&text)?, &mut losses);
                warn_of_losses(form, losses)?;
            }
        }
        Ok(Done::All)
    }
}

/// Refuses a form that the game does not have.
fn known(game: Game, form: &str) -> Result<(), UnknownName> {
    let forms = game.forms();
    if forms.contains(&form) { Ok(()) } else { Err(UnknownName::new("form", form, &forms)) }
}

/// A single game in a form of its own.
fn formed(game: Game, games: &Games, form: &str) -> anyhow::Result<FormedGame> {
    let formed = games.form(0, form);
    Ok(formed.ok_or_else(|| UnknownName::new("form", form, &game.forms()))??)
}

/// The destination of a text that is written piece by piece.
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

    /// Runs `write`. A file gets its name if that succeeds, and is removed otherwise.
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
fn rewrite(mut writer: RecordWriter, texts: Texts, output: &mut Output<'_>) -> anyhow::Result<()> {
    output.write(&writer.header())?;
    let (game, mut losses) = (texts.game, LostDetails::default());
    texts.each(|one| {
        let line = one.line(0, &mut writer)?;
        one.compare(0, &game.read_line(&writer, &line)?, &mut losses);
        output.write(&line)
    })?;
    Ok(warn_of_losses(JSON_LINES, losses)?)
}

/// Writes games of any form as JSON lines. The first line has the number of all pairs, so all games are
/// read before it is written.
fn json_lines(
    game: Game,
    games: &Games,
    path: Option<PathBuf>,
    encoding: Encoding,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut losses = LostDetails::default();
    match (written(game, games, &mut losses)?, path) {
        (Ok(text), path) => {
            Output::open(path, encoding, out)?.stream(|output| output.write(&text))?;
        }
        (Err(_), Some(folder)) if folder.extension().is_none() => {
            losses = write_meetings(game, games, &folder, encoding)?;
        }
        (Err(error), _) => return Err(error.into()),
    }
    Ok(warn_of_losses(JSON_LINES, losses)?)
}

/// Games as JSON lines, unless they are of more than two players.
fn written(
    game: Game,
    games: &Games,
    losses: &mut LostDetails,
) -> anyhow::Result<Result<String, MixedPlayers>> {
    let text = match games.json_lines() {
        Ok(text) => text,
        Err(mixed) => return Ok(Err(mixed)),
    };
    let again = game.read_games(&text)?;
    for number in 0..games.len() {
        games.compare(number, &again.some(&[number]), losses);
    }
    Ok(Ok(text))
}

/// Writes games as move lists with an empty line between them.
fn move_lists(texts: Texts, output: &mut Output<'_>) -> anyhow::Result<()> {
    let (game, mut losses) = (texts.game, LostDetails::default());
    let mut gap = "";
    texts.each(|one| {
        let list = one.move_list(0);
        one.compare(0, &game.read_games(&list)?, &mut losses);
        let list = format!("{gap}{list}\n");
        gap = "\n";
        output.write(&list)
    })?;
    Ok(warn_of_losses(MOVE_LISTS, losses)?)
}

/// Says on standard error which details of games a form cannot hold.
fn warn_of_losses(form: &str, losses: LostDetails) -> io::Result<()> {
    if losses.is_none() { Ok(()) } else { writeln!(io::stderr(), "{form} does not hold {losses}") }
}

/// Writes each game into a file of its own.
fn write_each(form: &str, texts: Texts, folder: &Path, encoding: Encoding) -> anyhow::Result<()> {
    let mut folder = NewFolder::new(folder)?;
    let (game, mut losses) = (texts.game, LostDetails::default());
    let mut number = 0;
    texts.each(|one| {
        number += 1;
        let named = || format!("game {number}");
        let FormedGame { file_name, text } = formed(game, &one, form).with_context(named)?;
        let bytes = encoding.bytes(&text).with_context(named)?;
        one.compare(0, &game.read_games(&text)?, &mut losses);
        folder.add(&file_name, &bytes)
    })?;
    folder.finish()?;
    Ok(warn_of_losses(form, losses)?)
}

/// Writes the games of each pair of players into a JSON lines file of their own.
fn write_meetings(
    game: Game,
    games: &Games,
    folder: &Path,
    encoding: Encoding,
) -> anyhow::Result<LostDetails> {
    let mut meetings: BTreeMap<[String; 2], Vec<usize>> = BTreeMap::new();
    for number in 0..games.len() {
        let mut players = games.record(number).entry.players;
        players.sort();
        meetings.entry(players).or_default().push(number);
    }
    let mut folder = NewFolder::new(folder)?;
    let mut losses = LostDetails::default();
    for ([one, other], numbers) in &meetings {
        let text = written(game, &games.some(numbers), &mut losses)??;
        folder.add(&format!("{one} - {other}.{JSON_LINES}"), &encoding.bytes(&text)?)?;
    }
    folder.finish()?;
    Ok(losses)
}
