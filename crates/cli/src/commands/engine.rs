//! `wurfel engine`: an agent for other programs to drive.

use clap::{Args, ValueEnum};
use wurfel_arena::DEFAULT_AGENT;

use crate::Done;
use crate::engine::{Options, drive_course, drive_ugi};

/// Serves an agent to another program, line by line on standard input and output
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel engine star2 --game dicechess\n\n\
    docs/protocol.md describes the protocols.")]
pub struct Engine {
    /// The agent (see `wurfel agents`)
    #[arg(default_value = DEFAULT_AGENT)]
    agent: String,
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    /// The protocol
    #[arg(long, value_enum, default_value_t = Protocol::Ugi)]
    protocol: Protocol,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Protocol {
    /// The Universal Game Interface with rolls
    Ugi,
    /// That of course cups for EinStein
    Course,
}

impl Engine {
    /// Serves the driver until it quits.
    pub fn run(self) -> anyhow::Result<Done> {
        let options = Options::new(&self.game, &self.agent);
        match self.protocol {
            Protocol::Ugi => drive_ugi(options)?,
            Protocol::Course => drive_course(options)?,
        }
        Ok(Done::All)
    }
}
