//! `wurfel games` and `wurfel agents`: the names that other commands accept.

use std::io::Write;

use clap::Args;
use serde_json::{Value, json};
use wurfel_agents::{AgentInfo, GameInfo, agents, games};
use wurfel_games::{Choice, UnknownName};

use crate::Done;
use crate::json::write_json;

/// Lists the games
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel games")]
pub struct Games {
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// Lists the agents with their options, and the evaluations of a game
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel agents --game einstein\n  wurfel agents star2")]
pub struct Agents {
    /// One agent only
    name: Option<String>,
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl Games {
    /// Writes the list of games to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        if self.json {
            let list: Vec<Value> = games()
                .iter()
                .map(|game| json!({"name": game.name, "title": game.title, "about": game.about}))
                .collect();
            write_json(&list, out)?;
        } else {
            for GameInfo { name, title, about, .. } in games() {
                writeln!(out, "{name}\n    {title}: {about}")?;
            }
        }
        Ok(Done::All)
    }
}

impl Agents {
    /// Writes the lists of agents and of evaluations to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let game = games().iter().find(|game| game.name == self.game).ok_or_else(|| {
            let names: Vec<&str> = games().iter().map(|game| game.name).collect();
            UnknownName::new("game", &self.game, &names)
        })?;
        let chosen: Vec<&AgentInfo> = match &self.name {
            None => agents().collect(),
            Some(name) => vec![agents().find(|agent| agent.name == name).ok_or_else(|| {
                let names: Vec<&str> = agents().map(|agent| agent.name).collect();
                UnknownName::new("agent", name, &names)
            })?],
        };
        if self.json {
            write_json(&as_json(game, &chosen), out)?;
        } else {
            for AgentInfo { name, about, options } in chosen {
                writeln!(out, "{name}\n    {about}")?;
                for option in *options {
                    writeln!(out, "    {}=  {}", option.name, option.about)?;
                }
            }
            writeln!(out, "\nevaluations of {}, the first by default", game.name)?;
            for Choice { name, about } in game.evaluations {
                writeln!(out, "    {name}  {about}")?;
            }
        }
        Ok(Done::All)
    }
}

fn as_json(game: &GameInfo, agents: &[&AgentInfo]) -> Value {
    let agent = |agent: &&AgentInfo| {
        let option = |name: &str, about: &str| json!({"name": name, "about": about});
        let options: Vec<Value> =
            agent.options.iter().map(|known| option(known.name, known.about)).collect();
        json!({"name": agent.name, "about": agent.about, "options": options})
    };
    let evaluation = |known: &Choice| json!({"name": known.name, "about": known.about});
    json!({
        "game": game.name,
        "agents": agents.iter().map(agent).collect::<Vec<_>>(),
        "evaluations": game.evaluations.iter().map(evaluation).collect::<Vec<_>>(),
    })
}
