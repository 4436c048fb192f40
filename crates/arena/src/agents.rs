//! The agents there are: their names, their options, and how they are built.

use std::sync::Arc;

use wurfel_game::{Agent, Budget, Evaluator, Random};
use wurfel_games::{Playable, UnknownName, UseEvaluation};
use wurfel_search::mcts::{
    EvaluateAtOnce, Flat, Mcts, Playout, PreferredPlayout, Ucb, UniformPlayout,
};
use wurfel_search::{Cutoffs, Expecti, Greedy, RandomPlayer, Star, Table};

use crate::limits::{parse_decimal, parse_number, parse_time};
use crate::{Spec, SpecError};

/// An agent as the list of agents shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgentInfo {
    /// The name in specs.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Its options.
    pub options: &'static [OptionInfo],
}

/// An option of an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionInfo {
    /// The name in specs.
    pub name: &'static str,
    /// What it means, with unit and range.
    pub about: &'static str,
}

const BOUNDS: [OptionInfo; 3] = [
    OptionInfo { name: "depth", about: "turns to look ahead, 1-64" },
    OptionInfo { name: "nodes", about: "positions to visit for each move, at least 1" },
    OptionInfo { name: "time", about: "time for each move, such as 100ms or 2s" },
];

const TABLE: OptionInfo = OptionInfo {
    name: "table",
    about: "memory for positions in megabytes, 1-4096; 16 if left out",
};
const EVAL: OptionInfo =
    OptionInfo { name: "eval", about: "evaluation at the leaves; the game lists them" };

const UCT: [OptionInfo; 3] = [
    OptionInfo { name: "playouts", about: "playouts for each move, at least 1; 10000 if left out" },
    OptionInfo { name: "c", about: "weight of exploration, 0-10; 1 if left out" },
    OptionInfo {
        name: "playout",
        about: "random, greedy, or eval for the evaluation at once; random if left out",
    },
];

/// All agents, the one that plays when none is named first.
pub const fn agents() -> &'static [AgentInfo] {
    &[
        AgentInfo {
            name: "star2",
            about: "expectiminimax with Star2 cut-offs and a transposition table",
            options: &[BOUNDS[0], BOUNDS[1], BOUNDS[2], EVAL, TABLE],
        },
        AgentInfo {
            name: "star1",
            about: "the same with Star1 cut-offs",
            options: &[BOUNDS[0], BOUNDS[1], BOUNDS[2], EVAL, TABLE],
        },
        AgentInfo {
            name: "expecti",
            about: "plain expectiminimax over merged throws",
            options: &[BOUNDS[0], BOUNDS[1], BOUNDS[2], EVAL],
        },
        AgentInfo {
            name: "uct",
            about: "Monte Carlo tree search with upper confidence bounds and chance nodes",
            options: &[UCT[0], BOUNDS[2], UCT[1], UCT[2], EVAL],
        },
        AgentInfo {
            name: "flat",
            about: "flat Monte Carlo: the same number of playouts after every move, no tree",
            options: &[UCT[0], BOUNDS[2], UCT[2], EVAL],
        },
        AgentInfo {
            name: "greedy",
            about: "takes what it can, else goes to the best square: the basic agent",
            options: &[],
        },
        AgentInfo { name: "random", about: "every legal move equally likely", options: &[] },
    ]
}

/// Makes agents of one kind: one for each worker, sharing what they only read.
pub type Factory<G> = Arc<dyn Fn() -> Box<dyn Agent<G>> + Send + Sync>;

/// What builds the agents of a spec.
///
/// # Errors
/// Names the agent, option or value that is not known, and what is expected.
pub fn build<G: Playable>(spec: &Spec) -> Result<Factory<G>, SpecError> {
    let known = agents().iter().find(|agent| agent.name == spec.name).ok_or_else(|| {
        let names: Vec<&str> = agents().iter().map(|agent| agent.name).collect();
        spec.unknown(UnknownName::new("agent", &spec.name, &names))
    })?;
    for (option, _) in &spec.options {
        let names: Vec<&str> = known.options.iter().map(|option| option.name).collect();
        if !names.contains(&option.as_str()) {
            return Err(spec.unknown(UnknownName::new("option", option, &names)));
        }
    }
    // Until a game begins and brings its own stream.
    let random = || Random::new(0);
    match known.name {
        "random" => Ok(Arc::new(move || Box::new(RandomPlayer::new(random())))),
        "greedy" => Ok(Arc::new(move || Box::new(Greedy::new(G::Basic::default(), random())))),
        "uct" | "flat" => monte_carlo::<G>(spec),
        _ => searcher::<G>(spec),
    }
}

fn monte_carlo<G: Playable>(spec: &Spec) -> Result<Factory<G>, SpecError> {
    let c = spec.read("c", |text| parse_decimal(text, 0.0, 10.0))?.unwrap_or(1.0);
    let player = MonteCarlo {
        select: (spec.name == "uct").then_some(Ucb { c: c as f32 }),
        budget: Budget {
            nodes: spec.read("playouts", |text| parse_number(text, 1, u64::from(u32::MAX)))?,
            time: spec.read("time", parse_time)?,
            ..Budget::default()
        },
    };
    let kinds = ["random", "greedy", "eval"];
    match spec.option("playout").unwrap_or(kinds[0]) {
        "random" => Ok(player.with_playout(UniformPlayout)),
        "greedy" => Ok(player.with_playout(PreferredPlayout(G::Basic::default()))),
        "eval" => evaluation(spec, player),
        other => Err(spec.unknown(UnknownName::new("playout", other, &kinds))),
    }
}

/// A Monte Carlo player that still needs its playouts.
#[derive(Clone, Copy)]
struct MonteCarlo {
    /// How a tree selects, if there is one.
    select: Option<Ucb>,
    budget: Budget,
}

impl MonteCarlo {
    fn with_playout<G: Playable>(
        self,
        playout: impl Playout<G> + Clone + Sync + 'static,
    ) -> Factory<G> {
        Arc::new(move || {
            let (playout, random) = (playout.clone(), Random::new(0));
            match self.select {
                Some(select) => Box::new(Mcts::new(select, playout, self.budget, random)),
                None => Box::new(Flat::new(playout, self.budget, random)),
            }
        })
    }
}

impl<G: Playable> UseEvaluation<G> for MonteCarlo {
    type Output = Factory<G>;

    fn with<E: Evaluator<G> + 'static>(self, evaluator: E) -> Factory<G> {
        self.with_playout(EvaluateAtOnce(Arc::new(evaluator)))
    }
}

/// Hands the evaluation that a spec names to `user`.
fn evaluation<G: Playable>(
    spec: &Spec,
    user: impl UseEvaluation<G, Output = Factory<G>>,
) -> Result<Factory<G>, SpecError> {
    let name = spec.option("eval").unwrap_or(G::EVALUATIONS[0].name);
    G::evaluation(name, user).ok_or_else(|| {
        let names: Vec<&str> = G::EVALUATIONS.iter().map(|known| known.name).collect();
        spec.unknown(UnknownName::new("evaluation", name, &names))
    })
}

fn searcher<G: Playable>(spec: &Spec) -> Result<Factory<G>, SpecError> {
    let budget = Budget {
        depth: spec.read("depth", |text| parse_number(text, 1, 64))?.map(|depth| depth as u32),
        nodes: spec.read("nodes", |text| parse_number(text, 1, u64::MAX))?,
        time: spec.read("time", parse_time)?,
        stop: None,
    };
    let megabytes = spec.read("table", |text| parse_number(text, 1, 4096))?.unwrap_or(16);
    let cutoffs = match spec.name.as_str() {
        "star1" => Some(Cutoffs::Star1),
        "star2" => Some(Cutoffs::Star2),
        _ => None,
    };
    let searcher = Searcher { budget, cutoffs, megabytes: megabytes as usize };
    evaluation(spec, searcher)
}

/// An expectiminimax search that still needs its evaluation.
struct Searcher {
    budget: Budget,
    /// Which cut-offs, if any.
    cutoffs: Option<Cutoffs>,
    /// The memory of its table.
    megabytes: usize,
}

impl<G: Playable> UseEvaluation<G> for Searcher {
    type Output = Factory<G>;

    fn with<E: Evaluator<G> + 'static>(self, evaluator: E) -> Factory<G> {
        let evaluator = Arc::new(evaluator);
        Arc::new(move || {
            let evaluator = Arc::clone(&evaluator);
            match self.cutoffs {
                None => Box::new(Expecti::new(evaluator, self.budget)),
                Some(cutoffs) => {
                    // A table of its own: what an agent finds then depends on
                    // nothing but its own game.
                    let table = Arc::new(Table::new(self.megabytes));
                    Box::new(Star::new(evaluator, cutoffs, table, self.budget))
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_games::einstein::Einstein;

    fn error(spec: &str) -> String {
        let spec: Spec = spec.parse().unwrap();
        build::<Einstein>(&spec).err().map_or_else(|| "built".into(), |error| error.to_string())
    }

    #[test]
    fn every_agent_is_built_from_its_name() {
        for agent in agents() {
            assert_eq!(error(agent.name), "built");
        }
        assert_eq!(error("expecti:depth=3,nodes=9,time=1s,eval=zweistein"), "built");
    }

    #[test]
    fn mistakes_are_named_with_the_nearest_name() {
        for (spec, message) in [
            ("expecty", "agent 'expecty': unknown agent 'expecty': did you mean 'expecti'?"),
            (
                "expecti:detph=3",
                "agent 'expecti:detph=3': unknown option 'detph': did you mean 'depth'?",
            ),
            (
                "random:depth=3",
                "agent 'random:depth=3': unknown option 'depth': there are none here",
            ),
            (
                "expecti:depth=0",
                "agent 'expecti:depth=0': depth=0: expected a whole number from 1 to 64",
            ),
            (
                "expecti:time=fast",
                "agent 'expecti:time=fast': time=fast: expected a time such as 100ms, 2s or 1.5s",
            ),
            (
                "expecti:eval=zweisten",
                "agent 'expecti:eval=zweisten': unknown evaluation 'zweisten': did you mean 'zweistein'?",
            ),
        ] {
            assert_eq!(error(spec), message);
        }
    }
}
