//! The agents that guests of the site may use, and the cache of agents between their moves.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use wurfel::{Agent, Game, NoAnswer, Spec, SpecError};
use wurfel_agents::{agents, searches};

use crate::engines::Engines;

/// Options that are for operators alone: they name files, commands or other agents, or take cores,
/// memory and time that the site itself divides.
const RESERVED: [&str; 12] = [
    "command",
    "hash",
    "net",
    "opponent",
    "replies-file",
    "tables",
    "threads",
    "time",
    "total",
    "trees",
    "values",
    "weights",
];
/// Options on which the cost of a decision depends, each with the largest value that guests may set. No
/// other option makes a search much more expensive, and every search ends with the time that the site gives it.
const COUNTED: [(&str, u64); 7] = [
    ("nodes", 20_000_000),
    ("playouts", 200_000),
    ("simulations", 10_000),
    ("episodes", 5000),
    ("length", 20),
    ("candidates", 100),
    ("replies", 50),
];

/// Reads a spec that a guest has sent. Whether the game has such an agent is checked only when the
/// agent is built. Fails when the text is not a spec, or has an option that guests may not set.
pub(crate) fn read(text: &str) -> Result<Spec, SpecError> {
    let spec: Spec = text.parse()?;
    for (option, value) in &spec.options {
        let most = COUNTED.iter().find(|(name, _)| name == option).map(|&(_, most)| most);
        let reserved = spec.name == COMMAND_AGENT || RESERVED.contains(&option.as_str());
        let expected = match most {
            _ if reserved => "another option: guests may not set this one".to_owned(),
            Some(most) if value.parse().is_ok_and(|value: u64| value > most) => {
                format!("at most {most} here")
            }
            _ => continue,
        };
        let (option, value) = (option.clone(), value.clone());
        return Err(SpecError::Value { spec: text.to_owned(), option, value, expected });
    }
    Ok(spec)
}

/// The agent that runs a command, which no guest may name.
const COMMAND_AGENT: &str = "cmd";

/// An agent that guests may choose by its name alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Offered {
    name: &'static str,
    /// Its description in one line.
    about: &'static str,
    /// Whether it evaluates moves, so that positions can be analysed with it. Agents that do not
    /// search only choose.
    values: bool,
}

/// The agents that guests may choose.
pub(crate) fn offered() -> impl Iterator<Item = Offered> {
    agents().filter(|agent| agent.name != COMMAND_AGENT).map(|agent| Offered {
        name: agent.name,
        about: agent.about,
        values: agent.name.parse().is_ok_and(|spec| searches(&spec)),
    })
}

/// A flag that turns true when work must end with the result it has.
pub(crate) type Stop<'a> = &'a AtomicBool;

/// Maximum number of agents in each worker's cache; each takes some megabytes.
const MAX_CACHED: usize = 6;

/// The agents in a worker's cache, the most recently used first.
#[derive(Default)]
pub(crate) struct AgentCache {
    agents: Vec<(&'static str, String, Box<dyn Agent>)>,
    /// The programs that the site offers, which all workers share.
    engines: Arc<Engines>,
}

impl AgentCache {
    pub fn new(engines: Arc<Engines>) -> Self {
        Self { agents: vec![], engines }
    }

    /// Refuses a spec that names neither an offered program nor an agent that can be built.
    ///
    /// # Errors
    /// When it is neither the name of an offered program nor the spec of an agent.
    pub fn check(&mut self, game: Game, spec: &Spec) -> Result<(), SpecError> {
        if self.engines.find(game, spec).is_some() { Ok(()) } else { self.with(game, spec, |_| ()) }
    }

    /// Lets `work` use a player: the agent of a spec, or the offered program with this name.
    ///
    /// # Errors
    /// States in one line why there is no such player, or why it has failed.
    pub fn player<T>(
        &mut self,
        game: Game,
        spec: &Spec,
        work: impl FnOnce(&mut dyn Agent) -> Result<T, NoAnswer>,
    ) -> Result<T, String> {
        let engines = Arc::clone(&self.engines);
        if let Some(engine) = engines.find(game, spec) {
            return engines.with(game, engine, work);
        }
        let done = self.with(game, spec, work).map_err(|error| error.to_string())?;
        done.map_err(|failure| failure.to_string())
    }

    /// Lets `work` use the agent of a spec.
    ///
    /// # Errors
    /// When it cannot be built.
    pub fn with<T>(
        &mut self,
        game: Game,
        spec: &Spec,
        work: impl FnOnce(&mut dyn Agent) -> T,
    ) -> Result<T, SpecError> {
        self.of(game, spec, false, work)
    }

    /// Lets `work` use the agent of a spec, which, if `informed`, gives exact values where exact values
    /// are quick to find. Fails when it cannot be built.
    pub fn of<T>(
        &mut self,
        game: Game,
        spec: &Spec,
        informed: bool,
        work: impl FnOnce(&mut dyn Agent) -> T,
    ) -> Result<T, SpecError> {
        let name = format!("{spec}{}", if informed { ", informed" } else { "" });
        let same = |(of, own, _): &(&str, String, _)| *of == game.name() && *own == name;
        let mut agent = match self.agents.iter().position(same) {
            Some(place) => self.agents.remove(place).2,
            None => {
                let agents = game.agents_of(spec)?;
                if informed { agents.informed() } else { agents }.make()
            }
        };
        // An agent that panics during the work is dropped and not used again.
        let done = work(&mut *agent);
        self.agents.insert(0, (game.name(), name, agent));
        self.agents.truncate(MAX_CACHED);
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel::{all_games, default_game};

    /// Checks whether guests may use an existing agent.
    fn usable(game: Game, text: &str) -> Result<Spec, SpecError> {
        let spec = read(text)?;
        AgentCache::default().with(game, &spec, |_| ())?;
        Ok(spec)
    }

    #[test]
    fn guests_get_no_files_no_cores_and_bounded_memory() {
        for spec in [
            "champion",
            "champion:depth=3",
            "uct:playouts=1000,c=0.5",
            "random",
            // Each of these is cheaper than the agent without options.
            "uct:play=mean",
            "selective:candidates=5",
            "alphazero:simulations=50",
            "qlearning:episodes=20",
        ] {
            assert_eq!(usable(default_game(), spec).unwrap().to_string(), spec);
        }
        for spec in [
            "champion:weights=/etc/passwd",
            "champion:threads=8",
            "champion:hash=4096",
            "champion:time=60m",
            "uct:playouts=4000000000",
            "uct:playouts=many",
            "alphazero:simulations=1000000",
            "alphazero:net=/etc/passwd",
            "selective:candidates=10000",
            "qlearning:episodes=1000000",
            "qlearning:opponent=uct:playouts=1000000",
            "uct:trees=64",
            "cmd:\"sh -c id\"",
            "cmd:\"sh -c id\",protocol=ugi,ponder=yes",
            "nobody",
        ] {
            let error = usable(default_game(), spec).unwrap_err().to_string();
            assert!(error.starts_with("agent '") && !error.contains('\n'), "{error}");
        }
    }

    /// `cmd` was in the lists of the page, and every game with it was refused.
    #[test]
    fn every_offered_agent_can_be_used_by_its_name() {
        for agent in offered() {
            assert!(usable(default_game(), agent.name).is_ok(), "{}", agent.name);
        }
        let silent: Vec<_> =
            offered().filter(|agent| !agent.values).map(|agent| agent.name).collect();
        assert_eq!(silent, ["greedy", "basic", "random"]);
    }

    #[test]
    fn guests_may_use_every_level_and_levels_rise() {
        for game in all_games() {
            let (name, levels) = (game.name(), game.facts().levels);
            for level in levels {
                assert!(usable(game, level.spec).is_ok(), "{name}: {}", level.spec);
            }
            assert!(levels.is_sorted_by(|one, other| one.elo < other.elo), "{name}");
        }
    }
}
