//! `wurfel games` and `wurfel agents`: the names that other commands accept.

use std::io::Write;

use clap::Args;
use serde_json::{Value, json};
use wurfel::{Facts, Game, all_games, game};
use wurfel_agents::{AgentInfo, Level, OptionInfo, agents};
use wurfel_core::UnknownName;
use wurfel_games::Choice;

use crate::Done;
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
            let list: Vec<Value> = all_games()
                .map(|game| game.facts())
                .map(|game| json!({"name": game.name, "title": game.title, "about": game.about}))
                .collect();
            write_json(&list, out)?;
        } else {
            for Facts { name, title, about, .. } in all_games().map(|game| game.facts()) {
                writeln!(out, "{name}\n{}", wrapped(4, &format!("{title}: {about}"), 4, width()))?;
            }
        }
        Ok(Done::All)
    }
}

impl Agents {
    /// Writes the list of agents to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let game = game(&self.game)?;
        let chosen: Vec<&AgentInfo> = match &self.name {
            None => agents().collect(),
            Some(name) => vec![agents().find(|agent| agent.name == name).ok_or_else(|| {
                let names: Vec<&str> = agents().map(|agent| agent.name).collect();
                UnknownName::new("agent", name, &names)
            })?],
        };
        if self.json {
            write_json(&as_json(game, &chosen), out)?;
            return Ok(Done::All);
        }
        let (width, Facts { name, evaluations, levels, .. }) = (width(), game.facts());
        for agent in &chosen {
            let AgentInfo { name, about, options } = agent;
            writeln!(out, "{name}\n{}", wrapped(4, about, 4, width))?;
            for option in *options {
                let about = about_option(game, agent, option);
                writeln!(out, "{}", wrapped(4, &format!("{}=  {about}", option.name), 8, width))?;
            }
        }
        if chosen.iter().any(|agent| game.default_evaluation(agent).is_some()) {
            writeln!(out, "\nevaluations of {name}")?;
            for Choice { name, about } in evaluations {
                writeln!(out, "{}", wrapped(4, &format!("{name}  {about}"), 8, width))?;
            }
        }
        if self.name.is_none() && !levels.is_empty() {
            let head = format!("levels of {name}, for `wurfel play --level`");
            writeln!(out, "\n{}", wrapped(0, &head, 4, width))?;
            for Level { name, spec, elo, within } in levels {
                let line = format!("{name}  {elo} Elo, ± {within}: {spec}");
                writeln!(out, "{}", wrapped(4, &line, 8, width))?;
            }
        }
        Ok(Done::All)
    }
}

/// The meaning of an agent's option, with the evaluation that the agent uses in the game where the
/// option names one and says of no other that it is used.
fn about_option(game: Game, agent: &AgentInfo, option: &OptionInfo) -> String {
    let default = game.default_evaluation(agent);
    match default.filter(|_| option.name == "eval" && !option.about.contains("default")) {
        Some(default) => format!("{}; default: {default}", option.about),
        None => option.about.to_owned(),
    }
}

fn as_json(game: Game, agents: &[&AgentInfo]) -> Value {
    let agent = |agent: &&AgentInfo| {
        let option = |known: &OptionInfo| json!({"name": known.name, "about": about_option(game, agent, known)});
        let options: Vec<Value> = agent.options.iter().map(option).collect();
        json!({
            "name": agent.name,
            "about": agent.about,
            "options": options,
            "default_evaluation": game.default_evaluation(agent),
        })
    };
    let Facts { name, evaluations, levels, .. } = game.facts();
    let evaluation = |known: &Choice| json!({"name": known.name, "about": known.about});
    json!({
        "game": name,
        "agents": agents.iter().map(agent).collect::<Vec<_>>(),
        "evaluations": evaluations.iter().map(evaluation).collect::<Vec<_>>(),
        "levels": levels,
    })
}
