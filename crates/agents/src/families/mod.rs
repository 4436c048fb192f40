//! All agents: their names, their options, and how they are built.
//!
//! Each family of agents has a file with its part of the list and the code that builds them.

mod exact;
pub(crate) mod foreign;
mod guided;
mod known;
mod learners;
mod monte_carlo;
mod networks;
mod searchers;
mod selective;
mod simple;
mod traditional;

pub use learners::read_values;

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use wurfel_core::{Agent, Budget, Endgame, Evaluator, UnknownName};
use wurfel_games::learned::{Learned, Weights};
use wurfel_games::{Fitted, HeuristicWeights, Learnable, Playable, UseEvaluation, with_evaluation};
use wurfel_search::TimeManager;

use crate::{Catalogued, LimitError, Spec, SpecError};
pub(crate) use exact::compile_solver;
pub use exact::{informed, solver, solver_with};
pub use known::{exact_values, read_tables};
pub use networks::{Networks, network_player};
pub use selective::best_search;

/// The entry of an agent in the list of agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgentInfo {
    /// The name in specs.
    pub name: &'static str,
    /// What the agent does, in one line.
    pub about: &'static str,
    /// What may follow the colon of its spec.
    pub options: &'static [OptionInfo],
}

/// An option of an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionInfo {
    /// The name in specs.
    pub name: &'static str,
    /// What the option means, with unit, range and default.
    pub about: &'static str,
}

/// The agent that plays when none is named.
pub const DEFAULT_AGENT: &str = "champion";

const TIME: OptionInfo =
    OptionInfo { name: "time", about: "time for each move, such as 100ms or 2s" };
const TOTAL: OptionInfo =
    OptionInfo { name: "total", about: "time for all moves of a game together, such as 60s" };
const EVAL: OptionInfo =
    OptionInfo { name: "eval", about: "evaluation at the leaves, one of the game's own" };

const WEIGHTS: OptionInfo =
    OptionInfo { name: "weights", about: "file with the parameters of eval=learned or eval=mlp" };

const VALUES: OptionInfo =
    OptionInfo { name: "values", about: "file that `wurfel train values` has written" };

const REUSE: OptionInfo =
    OptionInfo { name: "reuse", about: "yes: keep the tree from move to move; default: no" };

const TREE: OptionInfo = OptionInfo {
    name: "tree",
    about: "closed: a node for each roll; open: one node for all rolls; default: closed",
};

/// Whether a spec asks for an open tree.
fn is_open(spec: &Spec) -> Result<bool, SpecError> {
    let forms = ["closed", "open"];
    match spec.option(TREE.name).unwrap_or(forms[0]) {
        "closed" => Ok(false),
        "open" => Ok(true),
        other => Err(spec.unknown(UnknownName::new(TREE.name, other, &forms))),
    }
}

/// All agents, family by family.
///
/// ```
/// let named: Vec<_> = wurfel_agents::agents().map(|agent| agent.name).collect();
/// // Expectiminimax and its kin, and minimax, which ignores the dice.
/// assert_eq!(named[..5], ["champion", "star2", "star1", "expecti", "selective"]);
/// assert_eq!(named[5..9], ["minimax", "alphabeta", "dfs", "bfs"]);
/// // Monte Carlo tree search, and a search with a network.
/// assert_eq!(named[9..14], ["uct", "mcts", "dynamic", "hpmcts", "flat"]);
/// assert_eq!(named[14..16], ["alphazero", "policy"]);
/// // Those that learn before they play, those that hardly think, and programs.
/// assert_eq!(named[16..], ["qlearning", "hybrid", "greedy", "basic", "random", "cmd"]);
/// // `champion` is the strongest agent of each game.
/// assert_eq!(named[0], wurfel_agents::DEFAULT_AGENT);
/// ```
pub fn agents() -> impl Iterator<Item = &'static AgentInfo> {
    [
        searchers::AGENTS,
        selective::AGENTS,
        traditional::AGENTS,
        monte_carlo::AGENTS,
        networks::AGENTS,
        learners::AGENTS,
        simple::AGENTS,
        foreign::AGENTS,
    ]
    .into_iter()
    .flatten()
}

/// Whether the agent of a spec searches. Such games take so long that measuring their luck adds
/// little to the time.
///
/// ```
/// use wurfel_agents::searches;
///
/// assert!(searches(&"champion".parse()?) && !searches(&"greedy".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn searches(spec: &Spec) -> bool {
    !simple::AGENTS.iter().any(|agent| agent.name == spec.name)
}

/// Makes agents of one kind: one for each worker. The agents share the data that they only read.
pub type Factory<G> = Arc<dyn Fn() -> Box<dyn Agent<G>> + Send + Sync>;

/// Makes the factory that builds the agents described by a spec, which play by the rules of a position.
///
/// ```
/// use wurfel_agents::{Spec, build};
/// use wurfel_games::einstein::Einstein;
///
/// let rules = Einstein::default();
/// assert!(build(&rules, &"uct:playouts=100".parse()?).is_ok());
/// let error = build(&rules, &"gredy".parse::<Spec>()?).err().expect("no such agent");
/// assert!(error.to_string().contains("did you mean 'greedy'?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Names the agent, option or value that is not known, and what is expected.
pub fn build<G: Catalogued>(rules: &G, spec: &Spec) -> Result<Factory<G>, SpecError> {
    rules.agents(spec)
}

/// [`build`], compiled in the crate that calls this; see [`Catalogued::agents`].
pub(crate) fn compile<G: Learnable + Endgame>(
    rules: &G,
    spec: &Spec,
) -> Result<Factory<G>, SpecError> {
    let known = known(spec)?;
    if selective::builds::<G>(known.name) {
        selective::build(spec)
    } else if monte_carlo::AGENTS.contains(known) {
        monte_carlo::build(spec)
    } else if learners::AGENTS.contains(known) {
        learners::build(rules, spec)
    } else if networks::AGENTS.contains(known) {
        networks::build(spec)
    } else if simple::AGENTS.contains(known) {
        Ok(simple::build(spec))
    } else if traditional::AGENTS.contains(known) {
        traditional::build(spec)
    } else if foreign::AGENTS.contains(known) {
        foreign::build(rules.name(), spec)
    } else {
        searchers::build(spec)
    }
}

/// The entry of the agent that a spec names, after checking that the agent knows all options of the
/// spec.
fn known(spec: &Spec) -> Result<&'static AgentInfo, SpecError> {
    let known = agents().find(|agent| agent.name == spec.name).ok_or_else(|| {
        let names: Vec<&str> = agents().map(|agent| agent.name).collect();
        spec.unknown(UnknownName::new("agent", &spec.name, &names))
    })?;
    for (option, _) in &spec.options {
        let names: Vec<&str> = known.options.iter().map(|option| option.name).collect();
        let is_own = foreign::AGENTS.contains(known) && foreign::is_own(option);
        if !names.contains(&option.as_str()) && !is_own {
            return Err(spec.unknown(UnknownName::new("option", option, &names)));
        }
    }
    Ok(known)
}

/// Makes agents that spend at most `budget` on each move and, if a total time is given, at most
/// that on all moves of a game.
fn paced<G: Learnable + Endgame>(
    total: Option<Duration>,
    budget: Budget<'static>,
    make: impl Fn(Budget<'static>) -> Box<dyn Agent<G>> + Send + Sync + 'static,
) -> Factory<G> {
    Arc::new(move || match total {
        None => make(budget),
        Some(total) => Box::new(TimeManager::new(make(Budget::default()), total, budget)),
    })
}

/// The evaluation that an agent uses in game `G` if its spec names none; `None` for agents that
/// have no option `eval`.
pub fn default_evaluation<G: Playable>(agent: &AgentInfo) -> Option<&'static str> {
    let takes_one = agent.options.iter().any(|option| option.name == EVAL.name);
    takes_one.then(|| evaluation_by_default::<G>(agent.name))
}

fn evaluation_by_default<G: Playable>(agent: &str) -> &'static str {
    match agent {
        DEFAULT_AGENT | selective::NAME => G::BEST_EVALUATION,
        monte_carlo::HEURISTIC if G::composite(HeuristicWeights::default()).is_some() => {
            guided::COMPOSITE
        }
        _ => G::EVALUATIONS[0].name,
    }
}

/// Passes the evaluation that a spec names, or else the agent's default, to `user`.
fn evaluation<G: Learnable + Endgame>(
    spec: &Spec,
    user: impl UseEvaluation<G, Output = Factory<G>>,
) -> Result<Factory<G>, SpecError> {
    if let (Some(_), Some(eval)) = (spec.option(WEIGHTS.name), spec.option(EVAL.name))
        && eval != "learned"
    {
        let fitted = spec.read(WEIGHTS.name, |path| read_fitted::<G>(eval, path))?.flatten();
        // Any other evaluation would go unused.
        let none = || LimitError("one with parameters, such as learned, beside weights".into());
        let fitted = fitted.ok_or_else(|| spec.wrong(EVAL.name, eval, none()))?;
        refuse(spec, VALUES.name, WEIGHTS.name)?;
        return Ok(user.with(fitted));
    }
    if let Some(weights) = spec.read(WEIGHTS.name, read_weights::<G>)? {
        refuse(spec, VALUES.name, WEIGHTS.name)?;
        return Ok(user.with(Learned::new(G::Base::default(), &weights)));
    }
    if let Some(values) = spec.read(VALUES.name, read_values::<G>)? {
        refuse(spec, EVAL.name, VALUES.name)?;
        return Ok(user.with(Arc::new(values) as Arc<dyn Evaluator<G>>));
    }
    let name = spec.option("eval").unwrap_or_else(|| evaluation_by_default::<G>(&spec.name));
    if let Some(file) = G::file_of(name) {
        spec.shipped(file)?;
    }
    with_evaluation(name, user).map_err(|error| spec.unknown(error))
}

/// Refuses an option that would go unused in the presence of another one.
fn refuse(spec: &Spec, option: &str, beside: &str) -> Result<(), SpecError> {
    spec.read(option, |_| Err::<(), _>(LimitError(format!("nothing beside {beside}")))).map(drop)
}

/// Reads the file that an option names. The error says `what` was expected, and why this is not it.
fn read_file<T, E: Display>(
    path: &str,
    what: &str,
    read: impl FnOnce(&[u8]) -> Result<T, E>,
) -> Result<T, LimitError> {
    let expected = |why: &dyn Display| LimitError(format!("{what} ({why})"));
    let bytes = std::fs::read(path).map_err(|error| expected(&error))?;
    read(&bytes).map_err(|error| expected(&error))
}

/// Reads the parameters of another evaluation than the learned one from a file; `None` when this
/// evaluation has none.
fn read_fitted<G: Learnable>(eval: &str, path: &str) -> Result<Option<Fitted<G>>, LimitError> {
    let what = format!("a file for eval={eval}");
    read_file(path, &what, |bytes| G::fitted(eval, bytes).transpose())
}

/// Reads the parameters of a learned evaluation from a file.
///
/// # Errors
/// When the file cannot be read or does not hold the parameters for this game.
pub fn read_weights<G: Learnable + Endgame>(path: &str) -> Result<Weights, LimitError> {
    read_file(path, "a file that `wurfel train fit` has written", Weights::of_game::<G>)
}
