//! `wurfel games` and `wurfel agents`: the names that other commands accept.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use wurfel::{Facts, Game, all_games, game};
use wurfel_agents::{AgentInfo, Level, OptionInfo, agents};
use wurfel_core::UnknownName;
use wurfel_games::Choice;

use crate::Done;
use crate::json::write_sorted;
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
            let games = all_games().map(|game| game.facts());
            let listed = |Facts { name, title, about, .. }| ListedGame { name, title, about };
            let list: Vec<ListedGame> = games.map(listed).collect();
            write_sorted(&list, out)?;
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
        let Facts { name, evaluations, levels, .. } = game.facts();
        let agents = chosen.into_iter().map(|agent| ListedAgent::new(game, agent)).collect();
        let list = AgentList { game: name, agents, evaluations, levels };
        if self.json {
            write_sorted(&list, out)?;
        } else {
            list.text(self.name.is_none(), out)?;
        }
        Ok(Done::All)
    }
}

#[derive(Serialize)]
struct ListedGame {
    name: &'static str,
    title: &'static str,
    about: &'static str,
}

/// The agents that were asked for, and what the game offers to them.
#[derive(Serialize)]
struct AgentList {
    game: &'static str,
    agents: Vec<ListedAgent>,
    evaluations: &'static [Choice],
    levels: &'static [Level],
}

#[derive(Serialize)]
struct ListedAgent {
    name: &'static str,
    about: &'static str,
    options: Vec<ListedOption>,
    /// The evaluation that it uses in this game if none is named.
    default_evaluation: Option<&'static str>,
}

#[derive(Serialize)]
struct ListedOption {
    name: &'static str,
    about: String,
}

impl ListedAgent {
    fn new(game: Game, agent: &AgentInfo) -> Self {
        let AgentInfo { name, about, options } = *agent;
        let default_evaluation = game.default_evaluation(agent);
        let option = |&OptionInfo { name, about }: &OptionInfo| {
            let mut about = about.to_owned();
            // Some texts name the default themselves, as it is the same in every game.
            if name == "eval" && !about.contains("default") {
                about.extend(default_evaluation.map(|known| format!("; default: {known}")));
            }
            ListedOption { name, about }
        };
        Self { name, about, options: options.iter().map(option).collect(), default_evaluation }
    }
}

impl AgentList {
    /// Writes the list, with the levels of the game if `levels` is set.
    fn text(&self, levels: bool, out: &mut dyn Write) -> io::Result<()> {
        let (width, game) = (width(), self.game);
        for ListedAgent { name, about, options, .. } in &self.agents {
            writeln!(out, "{name}\n{}", wrapped(4, about, 4, width))?;
            for ListedOption { name, about } in options {
                writeln!(out, "{}", wrapped(4, &format!("{name}=  {about}"), 8, width))?;
            }
        }
        if self.agents.iter().any(|agent| agent.default_evaluation.is_some()) {
            writeln!(out, "\nevaluations of {game}")?;
            for Choice { name, about } in self.evaluations {
                writeln!(out, "{}", wrapped(4, &format!("{name}  {about}"), 8, width))?;
            }
        }
        if levels && !self.levels.is_empty() {
            let head = format!("levels of {game}, for `wurfel play --level`");
            writeln!(out, "\n{}", wrapped(0, &head, 4, width))?;
            for Level { name, spec, elo, within } in self.levels {
                let line = format!("{name}  {elo} Elo, ± {within}: {spec}");
                writeln!(out, "{}", wrapped(4, &line, 8, width))?;
            }
        }
        Ok(())
    }
}
