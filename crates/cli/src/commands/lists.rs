//! `wurfel games` and `wurfel agents`: the names that other commands accept.

use std::io::Write;

use clap::Args;
use serde_json::{Value, json};
use wurfel_agents::{
    AgentInfo, Catalogued, GameInfo, Level, OptionInfo, agents, default_evaluation, games,
};
use wurfel_games::{Choice, UnknownName};

use crate::Done;
use crate::game_command::GameCommand;
use crate::json::write_json;
use crate::terminal::{width, wrapped};

/// Lists the games
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel games")]
pub struct Games {
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// Lists the agents with their options, and the evaluations and levels of a game
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel agents --game einstein\n  wurfel agents star2")]
pub struct Agents {
    /// Show only this agent
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
                writeln!(out, "{name}\n{}", wrapped(4, &format!("{title}: {about}"), 4, width()))?;
            }
        }
        Ok(Done::All)
    }
}

impl GameCommand for Agents {
    fn game(&self) -> &str {
        &self.game
    }

    fn run_for<G: Catalogued>(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let chosen: Vec<&AgentInfo> = match &self.name {
            None => agents().collect(),
            Some(name) => vec![agents().find(|agent| agent.name == name).ok_or_else(|| {
                let names: Vec<&str> = agents().map(|agent| agent.name).collect();
                UnknownName::new("agent", name, &names)
            })?],
        };
        if self.json {
            write_json(&as_json::<G>(&chosen), out)?;
            return Ok(Done::All);
        }
        let width = width();
        for agent in &chosen {
            let AgentInfo { name, about, options } = agent;
            writeln!(out, "{name}\n{}", wrapped(4, about, 4, width))?;
            for option in *options {
                let about = about_option::<G>(agent, option);
                writeln!(out, "{}", wrapped(4, &format!("{}=  {about}", option.name), 8, width))?;
            }
        }
        if chosen.iter().any(|agent| default_evaluation::<G>(agent).is_some()) {
            writeln!(out, "\nevaluations of {}", G::NAME)?;
            for Choice { name, about } in G::EVALUATIONS {
                writeln!(out, "{}", wrapped(4, &format!("{name}  {about}"), 8, width))?;
            }
        }
        if self.name.is_none() && !G::LEVELS.is_empty() {
            let head = format!("levels of {}, for `wurfel play --level`", G::NAME);
            writeln!(out, "\n{}", wrapped(0, &head, 4, width))?;
            for Level { name, spec, elo, within } in G::LEVELS {
                let line = format!("{name}  {elo} Elo, ± {within}: {spec}");
                writeln!(out, "{}", wrapped(4, &line, 8, width))?;
            }
        }
        Ok(Done::All)
    }
}

/// The meaning of an agent's option, with the evaluation that the agent uses in game `G` where the
/// option names one and says of no other that it is used.
fn about_option<G: Catalogued>(agent: &AgentInfo, option: &OptionInfo) -> String {
    let usual = default_evaluation::<G>(agent);
    match usual.filter(|_| option.name == "eval" && !option.about.contains("left out")) {
        Some(usual) => format!("{}; {usual} if left out", option.about),
        None => option.about.to_owned(),
    }
}

fn as_json<G: Catalogued>(agents: &[&AgentInfo]) -> Value {
    let agent = |agent: &&AgentInfo| {
        let option = |known: &OptionInfo| json!({"name": known.name, "about": about_option::<G>(agent, known)});
        let options: Vec<Value> = agent.options.iter().map(option).collect();
        json!({
            "name": agent.name,
            "about": agent.about,
            "options": options,
            "default_evaluation": default_evaluation::<G>(agent),
        })
    };
    let evaluation = |known: &Choice| json!({"name": known.name, "about": known.about});
    json!({
        "game": G::NAME,
        "agents": agents.iter().map(agent).collect::<Vec<_>>(),
        "evaluations": G::EVALUATIONS.iter().map(evaluation).collect::<Vec<_>>(),
        "levels": G::LEVELS,
    })
}
