//! One position from the command line, or many from standard input.

use std::io::{self, BufRead, Write};

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;
use wurfel::{Game, Position, game};
use wurfel_core::decoded;

use crate::json::write_json;
use crate::stop::Stopped;

/// The arguments of a command that answers about positions.
#[derive(Args, Debug)]
pub struct PositionArgs {
    /// The position, or - to read positions from standard input, one a line
    pub position: String,
    #[command(flatten)]
    pub form: AnswerArgs,
}

/// The game, how its positions are read, and the form of the answers.
#[derive(Args, Debug)]
pub struct AnswerArgs {
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    pub game: String,
    /// Drop castling rights that the board rules out (Dice Chess); without this option such a position is
    /// refused
    #[arg(long)]
    pub drop_castling: bool,
    /// Answer in JSON, one object per line
    #[arg(long)]
    pub json: bool,
}

impl AnswerArgs {
    /// The game with this name.
    pub fn game(&self) -> anyhow::Result<Game> {
        Ok(game(&self.game)?)
    }
}

/// An answer about one position.
pub trait Answer: Serialize {
    /// Writes the answer as text for people to read.
    fn text(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// With `--json`, the entry for a line that cannot be answered.
#[derive(Serialize)]
struct Refusal<'a> {
    position: &'a str,
    error: String,
}

/// Answers about the position of a game, or about each line of standard input in order.
///
/// A line that cannot be answered gets an error in place of its answer. The other lines are
/// answered nevertheless, and the command fails at the end. [`Stopped`] ends it immediately.
pub fn answer_each<A: Answer>(
    game: Game,
    position: &str,
    form: &AnswerArgs,
    out: &mut dyn Write,
    mut answer: impl FnMut(&Position) -> anyhow::Result<A>,
) -> anyhow::Result<()> {
    each(position, form.json, out, &mut |text, out| {
        let answer = answer(&game.read(text, form.drop_castling)?)?;
        if form.json {
            write_json(&answer, out)?;
        } else {
            answer.text(out)?;
        }
        Ok(())
    })
}

/// The part of [`answer_each`] that does not depend on the type of the answer, so that it is compiled once.
fn each(
    position: &str,
    json: bool,
    out: &mut dyn Write,
    answer: &mut dyn FnMut(&str, &mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    if position != "-" {
        return answer(position, out);
    }
    let mut input = decoded(io::stdin().lock());
    let (mut lines, mut refused) = (0, 0);
    let mut bytes = vec![];
    loop {
        // A program that waits for this answer before it asks again must get the answer now.
        if input.buffer().is_empty() {
            out.flush()?;
        }
        bytes.clear();
        if input.read_until(b'\n', &mut bytes).context("standard input")? == 0 {
            break;
        }
        lines += 1;
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let Err(error) = answer(line, out) else { continue };
        if error.is::<io::Error>() || error.is::<Stopped>() {
            return Err(error);
        }
        refused += 1;
        if json {
            write_json(&Refusal { position: line, error: format!("{error:#}") }, out)?;
        } else {
            out.flush()?;
            writeln!(io::stderr(), "line {lines}: {error:#}")?;
        }
    }
    if refused > 0 {
        bail!("{refused} of {lines} lines could not be answered");
    }
    Ok(())
}
