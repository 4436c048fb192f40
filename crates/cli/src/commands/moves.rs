//! `wurfel moves`: the legal moves of a position.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use wurfel_arena::Catalogued;
use wurfel_core::{Game, Situation, Weighted};

use crate::Done;
use crate::batch::{Answer, Query, answer_each};
use crate::game_command::GameCommand;

/// Lists the legal moves of a rolled position, or of every roll
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel moves 'ABC2/DE3/F3f/3ed/2cba r 4 1'")]
pub struct Moves {
    #[command(flatten)]
    query: Query,
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
        let over = position.outcome().is_some();
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
        }
    }
}

impl Answer for Listing {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(moves) = &self.moves {
            writeln!(out, "{}", moves.join(" "))?;
        }
        for roll in self.rolls.iter().flatten() {
            writeln!(out, "{} (weight {}): {}", roll.roll, roll.weight, roll.moves.join(" "))?;
        }
        Ok(())
    }
}

impl GameCommand for Moves {
    fn game(&self) -> &str {
        &self.query.form.game
    }

    fn run_for<G: Catalogued>(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Query { position, form } = self.query;
        answer_each::<G, _>(&position, form.json, out, |situation| Ok(Listing::new(situation)))?;
        Ok(Done::All)
    }
}
