//! `wurfel engine`: an agent for other programs to drive.

use std::io::Write;

use clap::{Args, ValueEnum};
use wurfel_agents::DEFAULT_AGENT;

use crate::Done;
use crate::bounds::whole;
use crate::engine::{Options, drive_course, drive_json, drive_ugi};
use crate::options::Jobs;

/// Serves an agent to another program, line by line on standard input and output
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel engine star2 --game dicechess\n  \
    wurfel engine --protocol json --threads 4\n\n\
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
    /// With --protocol json, how many positions are analysed at the same time (all CPUs by default);
    /// otherwise the number of threads of a search, for agents with such an option
    #[arg(long, value_parser = whole::<u16>(1..=256))]
    threads: Option<u16>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Protocol {
    /// The Universal Game Interface with rolls
    Ugi,
    /// The protocol of university course tournaments, for EinStein würfelt nicht!
    Course,
    /// JSON objects, for programs that analyse many positions at once
    Json,
}

impl Engine {
    /// Serves the driver until it quits.
    pub fn run(self, _: &mut dyn Write) -> anyhow::Result<Done> {
        let options = Options::new(&self.game, &self.agent);
        let searching = Options { threads: self.threads.map(u32::from), ..options.clone() };
        match self.protocol {
            Protocol::Ugi => drive_ugi(searching)?,
            Protocol::Course => drive_course(searching)?,
            Protocol::Json => {
                let threads = self.threads.map_or_else(|| Jobs::default().count(), usize::from);
                drive_json(options, threads)?;
            }
        }
        Ok(Done::All)
    }
}
