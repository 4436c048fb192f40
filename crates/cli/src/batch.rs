//! One position from the command line, or many from standard input.

use std::io::{self, BufRead, Write};

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;
use wurfel_game::Situation;
use wurfel_games::Playable;

/// Which position, of which game, and how to answer.
#[derive(Args, Debug)]
pub struct Query {
    /// The position, or - to read many from standard input, one a line
    #[arg(allow_hyphen_values = true)]
    pub position: String,
    #[command(flatten)]
    pub form: Form,
}

/// Which game, and how to answer.
#[derive(Args, Debug)]
pub struct Form {
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    pub game: String,
    /// Answer in JSON, one object a line
    #[arg(long)]
    pub json: bool,
}

/// An answer about one position.
pub trait Answer: Serialize {
    /// Writes it for people.
    fn text(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// What stands in the place of an answer in JSON when a line cannot be answered.
#[derive(Serialize)]
struct Refusal<'a> {
    position: &'a str,
    error: String,
}

/// Answers about the position, or about each line of standard input in order.
///
/// A line that cannot be answered gets an error in its place; the others are
/// answered all the same, and in the end the whole is an error.
pub fn answer_each<G: Playable, A: Answer>(
    position: &str,
    json: bool,
    out: &mut dyn Write,
    mut answer: impl FnMut(Situation<G>) -> anyhow::Result<A>,
) -> anyhow::Result<()> {
    let mut answer = |text: &str, out: &mut dyn Write| -> anyhow::Result<()> {
        let answer = answer(text.trim().parse()?)?;
        if json {
            serde_json::to_writer(&mut *out, &answer).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            answer.text(out)?;
        }
        Ok(())
    };
    if position != "-" {
        return answer(position, out);
    }
    let (mut lines, mut refused) = (0, 0);
    for line in io::stdin().lock().lines() {
        let line = line.context("standard input")?;
        lines += 1;
        if line.trim().is_empty() {
            continue;
        }
        let Err(error) = answer(&line, out) else { continue };
        if error.is::<io::Error>() {
            return Err(error);
        }
        refused += 1;
        if json {
            let refusal = Refusal { position: line.trim(), error: format!("{error:#}") };
            serde_json::to_writer(&mut *out, &refusal).map_err(io::Error::from)?;
            writeln!(out)?;
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
