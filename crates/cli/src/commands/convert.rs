//! `wurfel convert`: converts games from one file format to another.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use wurfel_agents::Catalogued;
use wurfel_arena::{
    FiledGame, LostDetails, MixedPlayers, NotGbk, encode_gbk, move_list_of, read_games,
    rewrite_records, write_records,
};
use wurfel_games::{RecordForm, UnknownName};

use crate::Done;
use crate::game_command::GameCommand;
use crate::games::{Sources, Texts, write_new};

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
        let games = texts.games::<G>()?;
        let text = match command.to.as_str() {
            JSON_LINES => match (json_lines(&texts, &games)?, &command.out) {
                (Err(_), Some(folder)) if folder.extension().is_none() => {
                    write_meetings(games, folder, command.encoding)?;
                    return Ok(Done::All);
                }
                (text, _) => text?,
            },
            MOVE_LISTS => {
                let lists: Vec<String> =
                    games.iter().map(|filed| move_list_of(&filed.game) + "\n").collect();
                lists.join("\n")
            }
            name => {
                let form = form::<G>(name)?;
                match (&command.out, games.as_slice()) {
                    (Some(folder), games) => {
                        write_each(form, games, folder, command.encoding)?;
                        return Ok(Done::All);
                    }
                    (None, [filed]) => (form.write)(&filed.game)?,
                    (None, games) => bail!(
                        "{} games: {name} has a file for each, expected --out with a folder",
                        games.len()
                    ),
                }
            }
        };
        let bytes = command.encoding.bytes(&text)?;
        match &command.out {
            Some(path) => write_new(path, &bytes)?,
            None => out.write_all(&bytes)?,
        }
        tell_losses(&command.to, &games, &read_games(&text)?)?;
        Ok(Done::All)
    }
}

/// Games as JSON lines. Those of a single file of JSON lines keep its header.
fn json_lines<G: Catalogued>(
    texts: &Texts,
    games: &[FiledGame<G>],
) -> anyhow::Result<Result<String, MixedPlayers>> {
    Ok(match texts.header()? {
        Some(header) => rewrite_records(games, &header),
        None => write_records(games),
    })
}

/// Says on standard error which details of these games the format cannot hold.
fn tell_losses<G: Catalogued>(
    form: &str,
    games: &[FiledGame<G>],
    again: &[FiledGame<G>],
) -> io::Result<()> {
    let losses = LostDetails::between(games, again);
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
    games: &[FiledGame<G>],
    folder: &Path,
    encoding: Encoding,
) -> anyhow::Result<()> {
    let mut folder = Folder::new(folder);
    let mut again = vec![];
    for (number, filed) in (1..).zip(games) {
        let text = (form.write)(&filed.game).with_context(|| format!("game {number}"))?;
        let bytes = encoding.bytes(&text).with_context(|| format!("game {number}"))?;
        again.extend(read_games::<G>(&text)?);
        folder.add(&(form.file_name)(&filed.game), bytes);
    }
    folder.write()?;
    Ok(tell_losses(form.name, games, &again)?)
}

/// Writes the games of each pair of players into a JSON lines file of their own.
fn write_meetings<G: Catalogued>(
    games: Vec<FiledGame<G>>,
    folder: &Path,
    encoding: Encoding,
) -> anyhow::Result<()> {
    let mut meetings: Vec<([String; 2], Vec<FiledGame<G>>)> = vec![];
    for filed in games {
        let mut players = filed.entry().players;
        players.sort();
        match meetings.iter_mut().find(|(known, _)| *known == players) {
            Some((_, games)) => games.push(filed),
            None => meetings.push((players, vec![filed])),
        }
    }
    let mut folder = Folder::new(folder);
    let mut again = vec![];
    for ([one, other], games) in &meetings {
        let text = write_records(games)?;
        again.extend(read_games::<G>(&text)?);
        folder.add(&format!("{one} - {other}.{JSON_LINES}"), encoding.bytes(&text)?);
    }
    folder.write()?;
    let games: Vec<FiledGame<G>> = meetings.into_iter().flat_map(|(_, games)| games).collect();
    Ok(tell_losses(JSON_LINES, &games, &again)?)
}

/// How many bytes of a file name come before its extension: systems allow 255 in all, and a number
/// may be added.
const MAX_STEM: usize = 230;

/// Files that are written into a folder together: either all of them or none.
struct Folder<'a> {
    path: &'a Path,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl<'a> Folder<'a> {
    const fn new(path: &'a Path) -> Self {
        Self { path, files: BTreeMap::new() }
    }

    /// Adds a file under its usual name, with `_` for characters that file names may not contain, cut
    /// off where it is too long. Files that would have the same name are numbered.
    fn add(&mut self, name: &str, bytes: Vec<u8>) {
        let safe =
            |sign: char| if "/\\:*?\"<>|".contains(sign) || sign.is_control() { '_' } else { sign };
        let name: String = name.chars().map(safe).collect();
        let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, ""));
        let stem = &stem[..stem.floor_char_boundary(MAX_STEM)];
        let copy = |copy: u32| format!("{stem} ({copy}).{extension}");
        let usual = [format!("{stem}.{extension}")];
        let names = usual.into_iter().chain((2..).map(copy));
        let mut names = names.map(|name| self.path.join(name));
        if let Some(name) = names.find(|name| !self.files.contains_key(name)) {
            self.files.insert(name, bytes);
        }
    }

    fn write(self) -> anyhow::Result<()> {
        let Self { path, files } = self;
        if let Some(there) = files.keys().find(|name| name.exists()) {
            bail!("'{}' already exists: choose another folder or remove it", there.display());
        }
        std::fs::create_dir_all(path).with_context(|| format!("'{}'", path.display()))?;
        files.iter().try_for_each(|(name, bytes)| write_new(name, bytes))
    }
}
