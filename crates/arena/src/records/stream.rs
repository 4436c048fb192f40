//! Games of a file of any size, read one after the other.
//!
//! JSON lines, which may hold millions of games, are read line by line, in the memory of one game.
//! The other forms can be recognised and split only as a whole, so their text stays in memory, but
//! not their games.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;

use wurfel_core::{Decoded, TextError, TextPosition, decode, decoded};
use wurfel_games::Playable;

use crate::records::archive::{LineOrigin, find_games};
use crate::records::form::Form;
use crate::records::record::MatchHeader;
use crate::records::recorded_game::RecordedGame;
use crate::records::results::ResultsError;

/// A file of games whose beginning was read.
#[derive(Debug)]
pub struct GameStream<R> {
    game: Option<String>,
    header: Option<MatchHeader>,
    source: Source<R>,
}

#[derive(Debug)]
enum Source<R> {
    /// JSON lines; the next line to be read has this number.
    Lines(BufReader<Decoded<R>>, LineOrigin, usize),
    Text(String),
}

impl<R: Read> GameStream<R> {
    /// Reads enough of a file to recognise its form.
    ///
    /// # Errors
    /// When the file cannot be read, is no text, or has a wrong header.
    pub fn open(input: R) -> Result<Self, ResultsError> {
        let mut input = decoded(input);
        let mut bytes = vec![];
        input.read_until(b'\n', &mut bytes)?;
        if let Some((origin, header)) = json_lines(&bytes) {
            let mut next = 2;
            if header.is_none() {
                // The set-ups of a tournament.
                input.skip_until(b'\n')?;
                next += 1;
            }
            let game = Some(origin.game.clone());
            return Ok(Self { game, header, source: Source::Lines(input, origin, next) });
        }
        input.read_to_end(&mut bytes)?;
        let text = decode(&bytes)?;
        let form = Form::of(&text)?;
        Ok(Self { header: form.header().cloned(), game: form.game(), source: Source::Text(text) })
    }

    /// The name of the game that the file belongs to; `None` when it does not say.
    pub fn game(&self) -> Option<&str> {
        self.game.as_deref()
    }

    /// The header of a file of JSON lines; `None` for games in any other form.
    pub const fn header(&self) -> Option<&MatchHeader> {
        self.header.as_ref()
    }

    /// Passes each game, played by these rules, to `see`, or the error in the file, until `see` breaks.
    /// There is at least one game or an error.
    ///
    /// # Errors
    /// Those of `see`.
    pub fn each<G: Playable, E>(
        self,
        rules: &G,
        mut see: impl FnMut(Result<RecordedGame<G>, ResultsError>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        match self.source {
            Source::Text(text) => match find_games(rules, &text) {
                Err(error) => see(Err(error.into())).map(|_| ()),
                Ok(games) => {
                    for game in games {
                        if see(game.read().map_err(Into::into))?.is_break() {
                            break;
                        }
                    }
                    Ok(())
                }
            },
            Source::Lines(mut input, origin, first) => {
                if let Err(error) = origin.expect(rules) {
                    return see(Err(error.into())).map(|_| ());
                }
                let (mut bytes, mut has_more) = (vec![], false);
                for number in first.. {
                    bytes.clear();
                    match input.read_until(b'\n', &mut bytes) {
                        Err(error) => return see(Err(error.into())).map(|_| ()),
                        Ok(0) => break,
                        Ok(_) if bytes.trim_ascii().is_empty() => continue,
                        Ok(_) => has_more = true,
                    }
                    let read =
                        line(&bytes, number).and_then(|line| origin.read(rules, &line, number));
                    if see(read.map_err(Into::into))?.is_break() {
                        // Whoever reads on from standard input must not find games there.
                        let _ = io::copy(&mut input, &mut io::sink());
                        return Ok(());
                    }
                }
                if has_more {
                    return Ok(());
                }
                see(Err(TextPosition::line(1).wrong("expected a game, found none").into()))
                    .map(|_| ())
            }
        }
    }
}

/// A line of a file, which an editor may have written in another encoding.
fn line(bytes: &[u8], number: usize) -> Result<Cow<'_, str>, TextError> {
    match std::str::from_utf8(bytes) {
        Ok(line) => Ok(line.into()),
        Err(_) => decode(bytes)
            .map(Cow::from)
            .map_err(|_| TextPosition::line(number).wrong("expected text in UTF-8 or GBK")),
    }
}

/// What the first line of a file says about the others, if these are JSON lines.
fn json_lines(first: &[u8]) -> Option<(LineOrigin, Option<MatchHeader>)> {
    let first = std::str::from_utf8(first).ok().filter(|line| line.starts_with('{'))?;
    let form = Form::of(first).ok()?;
    let header = form.header().cloned();
    Some((LineOrigin::of(&form)?, header))
}
