//! `wurfel replay`: a recorded game, step by step in the terminal.

use std::io::Write;

use anyhow::bail;
use clap::Args;
use wurfel::{Games, Record, RecordStep};
use wurfel_core::Outcome;

use crate::Done;
use crate::bounds::whole;
use crate::games::Sources;
use crate::terminal;
use crate::typing::Typist;

/// Steps through a recorded game, with a picture of each position
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel replay games.jsonl --number 2\n  \
    wurfel replay '@4 a4b4 @1 e1e2' --ply 2\n  \
    wurfel replay record.txt --all\n\n\
    Type n or Enter for the next position, b for the one before, a number for that ply, first, last\n\
    or quit.")]
pub struct Replay {
    #[command(flatten)]
    sources: Sources,
    /// Show only the position of this ply
    #[arg(long, conflicts_with = "all", value_parser = whole::<u32>(0..=u32::MAX.into()))]
    ply: Option<u32>,
    /// Show all positions, one after the other
    #[arg(long)]
    all: bool,
}

impl Replay {
    /// Reads the game and shows it.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let games = self.sources.read()?.games()?;
        if games.len() != 1 {
            bail!("{} games: expected --number with one from 1 to {0}", games.len());
        }
        let pictures = pictures(&games);
        if let Some(ply) = self.ply {
            let Some(at) = at_ply(&pictures, ply) else {
                bail!("--ply {ply}: expected {}", plies(&pictures));
            };
            write!(out, "{}", pictures[at].text)?;
        } else if self.all {
            writeln!(out, "{}", title(&games.record(0)))?;
            pictures.iter().try_for_each(|picture| write!(out, "\n{}", picture.text))?;
        } else {
            writeln!(out, "{}", title(&games.record(0)))?;
            walk(&pictures, out)?;
        }
        Ok(Done::All)
    }
}

/// A position of the game as it is shown.
struct Picture {
    /// The number of its turn.
    ply: u32,
    /// The board, and the move that was made on it.
    text: String,
}

/// The players, how the game ended, and when and where it was played.
fn title(record: &Record) -> String {
    let Record { entry, event_info, .. } = record;
    let [first, second] = &entry.players;
    let words = [&event_info.event, &event_info.place, &event_info.time];
    let words: Vec<&str> =
        words.iter().map(|word| word.as_str()).filter(|w| !w.is_empty()).collect();
    let occasion = if words.is_empty() { String::new() } else { format!("\n{}", words.join(", ")) };
    let plural = if entry.plies == 1 { "" } else { "s" };
    format!("{first} against {second}: {}, {} turn{plural}{occasion}", entry.result, entry.plies)
}

/// All positions of a single game, the last one after the last move.
fn pictures(games: &Games) -> Vec<Picture> {
    let colour = terminal::colours();
    let mut pictures = vec![];
    games.replay(0, &mut |RecordStep { position, mv, .. }| {
        let side = position.sides()[position.side().index()];
        let text = format!("{}{side} plays {mv}\n", position.diagram().text(colour));
        pictures.push(Picture { ply: position.ply(), text });
    });
    let last = games.last(0);
    let mut text = last.diagram().text(colour);
    // If the rules ended the game, the board already says how.
    if last.outcome().is_none() {
        let end = match games.record(0).outcome {
            Some(Outcome::Win(side)) => format!("{} has won\n", last.sides()[side.index()]),
            Some(Outcome::Draw) => "it is a draw\n".to_owned(),
            None => "the record ends here\n".to_owned(),
        };
        text.push_str(&end);
    }
    pictures.push(Picture { ply: last.ply(), text });
    pictures
}

/// The index of the first position of a ply.
fn at_ply(pictures: &[Picture], ply: u32) -> Option<usize> {
    pictures.iter().position(|picture| picture.ply == ply)
}

/// The range of the plies of the game, in words.
fn plies(pictures: &[Picture]) -> String {
    let [first, last] = [pictures.first(), pictures.last()].map(|p| p.map_or(0, |p| p.ply));
    format!("a ply from {first} to {last}")
}

/// Shows one position after the other, as requested, until the end of the input.
fn walk(pictures: &[Picture], out: &mut dyn Write) -> anyhow::Result<()> {
    const HELP: &str = "n or Enter: next, b: back, a number: that ply, first, last, quit";
    let last = pictures.len() - 1;
    let mut typist = Typist::new();
    let mut at = 0;
    write!(out, "\n{}", pictures[at].text)?;
    loop {
        out.flush()?;
        let words = ["next", "back", "first", "last", "help", "quit"].map(str::to_owned);
        let Some(line) = typist.line("> ", words.to_vec()) else {
            writeln!(out)?;
            return Ok(());
        };
        let to = match line.as_str() {
            "quit" | "q" | "exit" => return Ok(()),
            "" | "n" | "next" => Some(at + 1).filter(|&next| next <= last),
            "b" | "back" => at.checked_sub(1),
            "first" => Some(0),
            "last" => Some(last),
            "help" | "?" => {
                writeln!(out, "{HELP}")?;
                continue;
            }
            word => match word.parse() {
                Ok(ply) => at_ply(pictures, ply),
                Err(_) => {
                    writeln!(out, "'{word}': expected {HELP}")?;
                    continue;
                }
            },
        };
        match to {
            Some(to) => {
                at = to;
                write!(out, "\n{}", pictures[at].text)?;
            }
            None => writeln!(out, "there is nothing more: expected {}", plies(pictures))?,
        }
    }
}
