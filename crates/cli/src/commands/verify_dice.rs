//! `wurfel verify-dice`: checks that the dice of a game were fair.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use wurfel_core::in_one_line;
use wurfel_site::{DiceKind, RoomRecord};

use crate::Done;

/// The size of the largest file that can hold a game.
const MAX_BYTES: u64 = 1 << 20;

/// Checks the dice of a game that was played on the site
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel verify-dice wurfel-5f0c1d2e3a4b5c6d.json\n\n\
    Before a game the site shows the hash of a secret seed. All rolls follow from the seed and\n\
    from a salt that each player's browser adds. The file of a finished game has both: this\n\
    command checks the hash and repeats every roll, including void rolls and those that were\n\
    taken back. Only with --commitment and --salt, as the page showed them before the game, does\n\
    it prove that the file was not made up afterwards.")]
pub struct VerifyDice {
    /// The file of the game, downloaded from the site
    game: PathBuf,
    /// The hash that the page showed before the game
    #[arg(long)]
    commitment: Option<String>,
    /// The salt that your browser added
    #[arg(long)]
    salt: Option<String>,
}

impl VerifyDice {
    /// Checks the game's dice and writes their commitment, seed and salt to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let name = self.game.display();
        let bytes = std::fs::metadata(&self.game).with_context(|| name.to_string())?.len();
        if bytes > MAX_BYTES {
            bail!("{name}: expected the file of one game, found {bytes} bytes");
        }
        let text = std::fs::read(&self.game).with_context(|| name.to_string())?;
        let record: RoomRecord = serde_json::from_slice(&text).map_err(|error| {
            anyhow!("{name}: expected the file of a game: {}", in_one_line(error))
        })?;
        let rolls = record.verify().with_context(|| name.to_string())?;
        record
            .is_as_shown(self.commitment.as_deref(), self.salt.as_deref())
            .with_context(|| name.to_string())?;
        if let DiceKind::Fair(dice) = record.dice {
            writeln!(
                out,
                "commitment  {}\nseed        {}\nsalt        {}",
                dice.commitment, dice.seed, dice.salt
            )?;
        }
        writeln!(out, "{rolls} rolls, all as the seed and the salt determine them")?;
        if !record.taken_back.is_empty() {
            writeln!(out, "with take-backs: {}", record.taken_back.len())?;
        }
        if self.commitment.is_none() {
            writeln!(
                out,
                "compare the commitment with what the page showed before the game, or give --commitment"
            )?;
        }
        Ok(Done::All)
    }
}
