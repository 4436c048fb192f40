//! `wurfel moves`: the legal moves of a position, and the position after some moves.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use wurfel_agents::Catalogued;
use wurfel_core::{Game, NotationError, Situation, Weighted};
use wurfel_games::MoveReader;

use crate::Done;
use crate::batch::{Answer, PositionArgs, answer_each};
use crate::game_command::GameCommand;

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

fn moves<G: Game>(position: &G, roll: G::Roll) -> Vec<String> {
    position.moves(roll).as_ref().iter().map(ToString::to_string).collect()
}

impl Listing {
    fn new<G: Game>(situation: Situation<G>) -> Self {
        let text = situation.to_string();
        let Situation { position, roll } = situation;
        let outcome = position.outcome();
        let over = outcome.is_some();
        let described = |&Weighted { item, weight }: &Weighted<G::Roll>| RollMoves {
            roll: item.to_string(),
            weight,
            moves: moves(&position, item),
        };
        let rolls = || {
            if over { vec![] } else { position.rolls().as_ref().iter().map(described).collect() }
        };
        Self {
            position: text,
            roll: roll.map(|roll| roll.to_string()),
            moves: roll.map(|roll| moves(&position, roll)),
            rolls: roll.is_none().then(rolls),
            outcome: outcome.map(|outcome| outcome.to_string()),
            played: false,
        }
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

/// The situation after these rolls and moves have been played.
fn played<G: Game>(start: Situation<G>, words: &str) -> Result<Situation<G>, NotationError> {
    let mut reader = MoveReader::new(start);
    for word in words.split_whitespace() {
        reader.read(word)?;
    }
    Ok(Situation { position: reader.game().now().clone(), roll: reader.roll() })
}

impl GameCommand for ListMoves {
    fn game(&self) -> &str {
        &self.query.form.game
    }

    fn run_for<G: Catalogued>(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let PositionArgs { position, form } = self.query;
        answer_each::<G, _>(&position, &form, out, |situation| match &self.play {
            None => Ok(Listing::new(situation)),
            Some(words) => {
                let reached = played(situation, words)?;
                Ok(Listing { played: true, ..Listing::new(reached) })
            }
        })?;
        Ok(Done::All)
    }
}
