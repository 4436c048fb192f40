//! `wurfel moves`: the legal moves of a position.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use wurfel_arena::{Catalogued, UseGame, with_game};
use wurfel_core::{Game, Situation, Weighted};

use crate::Done;
use crate::batch::{Answer, Query, answer_each};

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

impl Moves {
    /// Lists the moves of each position on `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        with_game(&self.query.form.game, Run { query: &self.query, out })?
    }
}

struct Run<'a> {
    query: &'a Query,
    out: &'a mut dyn Write,
}

impl UseGame for Run<'_> {
    type Output = anyhow::Result<Done>;

    fn with<G: Catalogued>(self) -> Self::Output {
        let Query { position, form } = self.query;
        answer_each::<G, _>(position, form.json, self.out, |situation| {
            Ok(Listing::new(situation))
        })?;
        Ok(Done::All)
    }
}
