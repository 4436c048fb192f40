//! Games named on the command line: in files, on standard input, or typed as move lists.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, bail};
use clap::Args;
use wurfel::{Game, Games, default_game, game};
use wurfel_arena::{GameStream, MatchHeader, ResultsError};

use crate::bounds::whole;

/// The arguments of a command that reads games.
#[derive(Args, Debug)]
pub struct Sources {
    /// Files of games (JSON lines, games saved by the site, move lists, or the game's own record
    /// format), - for standard input, or a move list such as '@4 a5b4 @1 e1e2'
    #[arg(required = true)]
    games: Vec<OsString>,
    /// The game, where the files do not name it (see `wurfel games`)
    #[arg(long)]
    game: Option<String>,
    /// Take only this game, counted from 1 in the order of the files
    #[arg(long, value_parser = whole::<usize>(1..=u64::MAX))]
    number: Option<usize>,
}

/// The contents of [`Sources`], with only their beginnings read.
pub struct Texts {
    /// The game.
    pub game: Game,
    number: Option<usize>,
    /// Each text, with the name that errors give it.
    named: Vec<(String, GameStream<Box<dyn Read>>)>,
}

impl Sources {
    /// Opens all files, and finds out which game they belong to.
    pub fn read(&self) -> anyhow::Result<Texts> {
        let mut named = vec![];
        let mut named_game = self.game.clone();
        for source in &self.games {
            let (name, input) = open_source(source)?;
            let stream = GameStream::open(input).with_context(|| name.clone())?;
            named_game = named_game.or_else(|| stream.game().map(str::to_owned));
            named.push((name, stream));
        }
        let game = named_game.map_or_else(|| Ok(default_game()), |name| game(&name))?;
        Ok(Texts { game, number: self.number, named })
    }
}

impl Texts {
    /// Passes each game in all texts to `see`, alone, or only the one that `--number` asks for, until it
    /// wants no more. What had to be assumed of a game is written to standard error.
    pub fn each_until(
        self,
        mut see: impl FnMut(Games) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<()> {
        let (number, mut count) = (self.number, 0);
        for (name, stream) in self.named {
            let mut taken = |read: Result<Games, ResultsError>| {
                let games = read.with_context(|| name.clone())?;
                count += 1;
                if number.is_some_and(|number| number != count) {
                    return Ok(false);
                }
                for assumed in games.assumed(0) {
                    writeln!(io::stderr(), "{name}: {assumed}")?;
                }
                let goes_on = see(games)?.is_continue();
                anyhow::Ok(number.is_some() || !goes_on)
            };
            let mut ended = Ok(false);
            self.game.each_game(stream, &mut |read| {
                ended = taken(read);
                match ended {
                    Ok(false) => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                }
            });
            if ended? {
                return Ok(());
            }
        }
        match number {
            Some(number) => bail!("--number {number}: expected a number from 1 to {count}"),
            None => Ok(()),
        }
    }

    /// Passes each game in all texts to `see`, alone, or only the one that `--number` asks for.
    pub fn each(self, mut see: impl FnMut(Games) -> anyhow::Result<()>) -> anyhow::Result<()> {
        self.each_until(|games| see(games).map(ControlFlow::Continue))
    }

    /// All games, or only the one that `--number` asks for.
    pub fn games(self) -> anyhow::Result<Games> {
        let mut games = self.game.no_games();
        self.each(|game| {
            games.append(game);
            Ok(())
        })?;
        Ok(games)
    }

    /// The header of the games, if they come from a single file of JSON lines.
    pub fn header(&self) -> Option<&MatchHeader> {
        match self.named.as_slice() {
            [(_, stream)] => stream.header(),
            _ => None,
        }
    }
}

/// The name that errors give a file, `-` for standard input, and what it holds.
pub fn open(file: &OsStr) -> anyhow::Result<(String, Box<dyn Read>)> {
    if file == "-" {
        return Ok(("standard input".to_owned(), Box::new(io::stdin())));
    }
    let name = format!("'{}'", Path::new(file).display());
    let file = File::open(file).with_context(|| name.clone())?;
    Ok((name, Box::new(file)))
}

/// Like [`open()`], but a source may also be a move list.
fn open_source(source: &OsStr) -> anyhow::Result<(String, Box<dyn Read>)> {
    let is_file = source == "-" || Path::new(source).exists();
    match source.to_str().filter(|text| text.contains('@') && !is_file) {
        Some(list) => {
            let list = io::Cursor::new(list.to_owned().into_bytes());
            Ok(("the move list".to_owned(), Box::new(list)))
        }
        None => open(source),
    }
}
