//! The agents that guests of the site may use, and the cache of agents between their moves.

use std::any::Any;
use std::sync::Arc;

use serde::Serialize;
use wurfel_agents::{Catalogued, Factory, Spec, SpecError, agents, build, informed, searches};
use wurfel_core::{Agent, Failure};

use crate::engines::Engines;

/// Options that guests may set freely: their work is bounded by depth or nodes, and they touch
/// neither files nor other cores.
const FREE: [&str; 13] = [
    "depth", "eval", "c", "playout", "cut", "bias", "tree", "solver", "window", "decay", "k",
    "lambda", "prune",
];
/// Options that limit positions, and with them memory, each with the largest value that guests may
/// set.
const COUNTED: [(&str, u64); 2] = [("nodes", 20_000_000), ("playouts", 200_000)];

/// Reads a spec that a guest has sent. Whether the game has such an agent is checked only when the
/// agent is built.
///
/// # Errors
/// When the text is not a spec, or has an option that guests may not set.
pub(crate) fn read(text: &str) -> Result<Spec, SpecError> {
    let spec: Spec = text.parse()?;
    for (option, value) in &spec.options {
        let most = COUNTED.iter().find(|(name, _)| name == option).map(|&(_, most)| most);
        let expected = match most {
            Some(most) if value.parse().is_ok_and(|value: u64| value <= most) => continue,
            Some(most) => format!("at most {most} here"),
            None if FREE.contains(&option.as_str()) => continue,
            None => "another option: this one is not for guests of a site".to_owned(),
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
pub(crate) struct Offered {
    name: &'static str,
    /// What it does, in one line.
    about: &'static str,
    /// Whether it gives moves values, so that positions can be analysed with it. Agents that do not
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

/// How many agents each worker keeps for later; each takes some megabytes.
const KEPT: usize = 6;

/// The agents that a worker keeps for their next turn, the most recently used first.
#[derive(Default)]
pub(crate) struct AgentCache {
    agents: Vec<(&'static str, String, Box<dyn Any + Send>)>,
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
    pub fn check<G: Catalogued>(&mut self, spec: &Spec) -> Result<(), SpecError> {
        if self.engines.find(G::NAME, spec).is_some() {
            Ok(())
        } else {
            self.with::<G, _>(spec, |_| ())
        }
    }

    /// Lets `work` use a player: the agent of a spec, or the offered program with this name.
    ///
    /// # Errors
    /// Says in one line why there is no such player, or why it has failed.
    pub fn player<G: Catalogued, T>(
        &mut self,
        spec: &Spec,
        work: impl FnOnce(&mut dyn Agent<G>) -> Result<T, Failure>,
    ) -> Result<T, String> {
        let engines = Arc::clone(&self.engines);
        if let Some(engine) = engines.find(G::NAME, spec) {
            return engines.with(engine, work);
        }
        let done = self.with(spec, work).map_err(|error| error.to_string())?;
        done.map_err(|failure| failure.to_string())
    }

    /// Lets `work` use the agent of a spec.
    ///
    /// # Errors
    /// When it cannot be built.
    pub fn with<G: Catalogued, T>(
        &mut self,
        spec: &Spec,
        work: impl FnOnce(&mut dyn Agent<G>) -> T,
    ) -> Result<T, SpecError> {
        self.keep(spec.to_string(), || build::<G>(spec), work)
    }

    /// Lets `work` use the agent of a spec as an analyser, whose values are exact where exact
    /// values are quick to find.
    ///
    /// # Errors
    /// When it cannot be built.
    pub fn informed<G: Catalogued, T>(
        &mut self,
        spec: &Spec,
        work: impl FnOnce(&mut dyn Agent<G>) -> T,
    ) -> Result<T, SpecError> {
        self.keep(format!("{spec}, informed"), || build::<G>(spec).map(informed), work)
    }

    fn keep<G: Catalogued, T>(
        &mut self,
        name: String,
        make: impl FnOnce() -> Result<Factory<G>, SpecError>,
        work: impl FnOnce(&mut dyn Agent<G>) -> T,
    ) -> Result<T, SpecError> {
        let place =
            self.agents.iter().position(|(game, kept, _)| *game == G::NAME && *kept == name);
        let waiting = place.map(|place| self.agents.remove(place).2);
        let waiting = waiting.and_then(|agent| agent.downcast::<Box<dyn Agent<G>>>().ok());
        let mut agent = match waiting {
            Some(agent) => agent,
            None => Box::new(make()?()),
        };
        // An agent that panics during the work is dropped and not used again.
        let done = work(&mut **agent);
        self.agents.insert(0, (G::NAME, name, agent));
        self.agents.truncate(KEPT);
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_agents::{UseGame, games, with_game};
    use wurfel_games::einstein::Einstein;

    /// Checks whether guests may use an existing agent.
    fn usable<G: Catalogued>(text: &str) -> Result<Spec, SpecError> {
        let spec = read(text)?;
        AgentCache::default().with::<G, _>(&spec, |_| ())?;
        Ok(spec)
    }

    #[test]
    fn guests_get_no_files_no_cores_and_bounded_memory() {
        for spec in ["champion", "champion:depth=3", "uct:playouts=1000,c=0.5", "random"] {
            assert_eq!(usable::<Einstein>(spec).unwrap().to_string(), spec);
        }
        for spec in [
            "champion:weights=/etc/passwd",
            "champion:threads=8",
            "champion:hash=4096",
            "champion:time=60m",
            "uct:playouts=4000000000",
            "uct:trees=64",
            "cmd:\"sh -c id\"",
            "cmd:\"sh -c id\",protocol=ugi,ponder=yes",
            "nobody",
        ] {
            let error = usable::<Einstein>(spec).unwrap_err().to_string();
            assert!(error.starts_with("agent '") && !error.contains('\n'), "{error}");
        }
    }

    /// `cmd` was in the lists of the page, and every game with it was refused.
    #[test]
    fn every_offered_agent_can_be_used_by_its_name() {
        for agent in offered() {
            assert!(usable::<Einstein>(agent.name).is_ok(), "{}", agent.name);
        }
        let silent: Vec<_> =
            offered().filter(|agent| !agent.values).map(|agent| agent.name).collect();
        assert_eq!(silent, ["greedy", "basic", "random"]);
    }

    #[test]
    fn guests_may_use_every_level_and_levels_rise() {
        struct Levels;

        impl UseGame for Levels {
            type Output = ();

            fn with<G: Catalogued>(self) {
                for level in G::LEVELS {
                    assert!(usable::<G>(level.spec).is_ok(), "{}: {}", G::NAME, level.spec);
                }
                assert!(G::LEVELS.is_sorted_by(|one, other| one.elo < other.elo), "{}", G::NAME);
            }
        }
        for game in games() {
            with_game(game.name, Levels).unwrap();
        }
    }
}
