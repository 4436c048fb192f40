//! `wurfel moves`: the legal moves of a position, and the position after some moves.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use wurfel::Position;
use wurfel_core::{NotationError, Weighted};

use crate::Done;
use crate::batch::{Answer, PositionArgs, answer_each};

/// Lists the legal moves of a rolled position, or of every roll, or plays moves
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel moves 'ABC2/DE3/F3f/3ed/2cba r 4 1'\n  \
    wurfel moves 'ABC2/DE3/F3f/3ed/2cba r 4 1' --play 'a4b4 @2'\n\n\
    --play prints the position that is reached; in JSON, with its legal moves.")]
pub struct ListMoves {
    #[command(flatten)]
    query: PositionArgs,
    /// Play these rolls, each after an @, and moves, as in '@4 a4b4', and print the position
    #[arg(long, value_name = "WORDS")]
    play: Option<String>,
}

/// The legal moves of a position: `moves` after a roll, `rolls` before one.
#[derive(Serialize)]
struct Listing {
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    roll: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rolls: Option<Vec<RollMoves>>,
    /// `1-0`, `0-1` or `1/2-1/2`, when the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    /// Whether the position itself was requested, by `--play`.
    #[serde(skip)]
    played: bool,
}

#[derive(Serialize)]
struct RollMoves {
    roll: String,
    weight: u32,
    moves: Vec<String>,
}

impl Listing {
    fn new(position: &Position) -> Result<Self, NotationError> {
        let (roll, outcome) = (position.roll(), position.outcome());
        let described = |Weighted { item: roll, weight }: Weighted<String>| {
            let moves = position.rolled(&roll)?.moves();
            Ok::<_, NotationError>(RollMoves { roll, weight, moves })
        };
        let rolls = || position.rolls().into_iter().map(described).collect::<Result<_, _>>();
        Ok(Self {
            position: position.to_string(),
            moves: roll.as_ref().map(|_| position.moves()),
            rolls: roll.is_none().then(rolls).transpose()?,
            roll,
            outcome: outcome.map(|outcome| outcome.to_string()),
            played: false,
        })
    }
}

impl Answer for Listing {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.played {
            return writeln!(out, "{}", self.position);
        }
        if let Some(outcome) = &self.outcome {
            writeln!(out, "the game is over: {outcome}")?;
        }
        if let Some(moves) = &self.moves {
            writeln!(out, "{}", moves.join(" "))?;
        }
        for roll in self.rolls.iter().flatten() {
            writeln!(out, "{} (weight {}): {}", roll.roll, roll.weight, roll.moves.join(" "))?;
        }
        Ok(())
    }
}

impl ListMoves {
    /// Lists the moves of the positions, or plays the words, and writes the answers to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let PositionArgs { position, form } = self.query;
        answer_each(form.game()?, &position, &form, out, |position| match &self.play {
            None => Ok(Listing::new(position)?),
            Some(words) => {
                let reached = position.after(words)?;
                Ok(Listing { played: true, ..Listing::new(&reached)? })
            }
        })?;
        Ok(Done::All)
    }
}
