//! Games named on the command line: in files, on standard input, or typed as move lists.

use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, bail};
use clap::Args;
use wurfel_agents::{Catalogued, games};
use wurfel_arena::{FiledGame, MatchHeader, decode, game_of, header_of, read_games, write_whole};

use crate::bounds::whole;

/// The arguments of a command that reads games.
#[derive(Args, Debug)]
pub struct Sources {
    /// Files of games (JSON lines, games saved by the site, move lists, or the game's own record
    /// format), - for standard input, or a move list such as '@4 a5b4 @1 e1e2'
    #[arg(required = true)]
    games: Vec<String>,
    /// The game, where the files do not name it (see `wurfel games`)
    #[arg(long)]
    game: Option<String>,
    /// Take only this game, counted from 1 in the order of the files
    #[arg(long, value_parser = whole::<usize>(1..=u64::MAX))]
    number: Option<usize>,
}

/// The contents of [`Sources`], read but not yet parsed.
pub struct Texts {
    /// The name of the game.
    pub game: String,
    number: Option<usize>,
    /// Each text, with the name that errors give it.
    named: Vec<(String, String)>,
}

impl Sources {
    /// Reads all files, and finds out which game they belong to.
    pub fn read(&self) -> anyhow::Result<Texts> {
        let texts: Vec<(String, String)> =
            self.games.iter().map(|source| text(source)).collect::<anyhow::Result<_>>()?;
        let mut game = self.game.clone();
        for (name, text) in &texts {
            let said = game_of(text).with_context(|| name.clone())?;
            game = game.or(said);
        }
        let game = game.unwrap_or_else(|| games()[0].name.to_owned());
        Ok(Texts { game, number: self.number, named: texts })
    }
}

impl Texts {
    /// The games in all texts, or only the one that `--number` asks for.
    pub fn games<G: Catalogued>(&self) -> anyhow::Result<Vec<FiledGame<G>>> {
        let mut games = vec![];
        for (name, text) in &self.named {
            games.extend(read_games::<G>(text).with_context(|| name.clone())?);
        }
        let Some(number) = self.number else { return Ok(games) };
        let count = games.len();
        if number > count {
            bail!("--number {number}: expected a number from 1 to {count}");
        }
        Ok(games.drain(number - 1..number).collect())
    }

    /// The header of the games, if they come from a single file of JSON lines.
    pub fn header(&self) -> anyhow::Result<Option<MatchHeader>> {
        let [(name, text)] = self.named.as_slice() else { return Ok(None) };
        header_of(text).with_context(|| name.clone())
    }
}

/// The name that errors give a source, and its text.
fn text(source: &str) -> anyhow::Result<(String, String)> {
    let mut bytes = vec![];
    let name = if source == "-" {
        io::stdin().lock().read_to_end(&mut bytes).context("standard input")?;
        "standard input".to_owned()
    } else if source.contains('@') && !Path::new(source).exists() {
        bytes.extend(source.bytes());
        "the move list".to_owned()
    } else {
        bytes = std::fs::read(source).with_context(|| format!("'{source}'"))?;
        format!("'{source}'")
    };
    let text = decode(&bytes).with_context(|| name.clone())?;
    Ok((name, text))
}

/// Writes a file as [`write_whole`] does, but refuses to replace one.
pub fn write_new(path: &Path, text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    if path.exists() {
        bail!("'{}' already exists: choose another name or remove it", path.display());
    }
    write_whole(path, text).with_context(|| format!("'{}'", path.display()))
}
