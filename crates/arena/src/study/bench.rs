//! The nodes and moves of searches in fixed positions, summed up as signatures, which change when,
//! and only when, a search changes its behaviour.

use std::fmt::Write;
use std::time::Duration;

use wurfel_core::{
    Agent, Budget, Instant, NotationError, Random, Situation, Turn, UnknownName, checksum,
};

use wurfel_agents::{Catalogued, Spec, SpecError, UseGame, build, games, with_game};

/// Why the searches of the catalogue cannot be run, which is a mistake in the catalogue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// An agent cannot be built.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A sample is not a position with a roll.
    #[error(transparent)]
    Sample(#[from] NotationError),
    /// There is no game of that name.
    #[error(transparent)]
    Game(#[from] UnknownName),
}

/// The work of an agent in the sample positions of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// The nodes that it visited.
    pub nodes: u64,
    /// The checksum of its moves with the nodes and depth of each.
    pub signature: u64,
    /// How long the searches took.
    pub time: Duration,
}

impl BenchResult {
    /// Runs an agent in all sample positions of a game by these rules, within this budget each time.
    ///
    /// # Errors
    /// When a sample is not a position with a roll.
    pub fn samples<G: Catalogued>(
        rules: &G,
        agent: &mut dyn Agent<G>,
        budget: Budget<'_>,
    ) -> Result<Self, NotationError> {
        agent.begin(Random::new(0));
        let (mut chosen, mut nodes) = (String::new(), 0);
        let started = Instant::now();
        for sample in G::SAMPLES {
            let Situation { position, roll } = rules.read_alike(sample)?;
            let roll = roll.ok_or_else(|| NotationError::whole("sample", sample, "a roll"))?;
            let decision = agent.decide(Turn { position: &position, roll }, budget);
            nodes += decision.nodes;
            // Writing into memory cannot fail.
            let _ = writeln!(chosen, "{} {} {}", decision.mv, decision.nodes, decision.depth);
        }
        Ok(Self { nodes, signature: checksum(chosen.as_bytes()), time: started.elapsed() })
    }
}

/// The bound on the nodes of each decision for [`Signatures`], high enough to measure the speed of
/// a machine. A worker waits for these searches before its first unit; with this bound they take
/// half as long as in full.
const NODES: u64 = 500_000;

/// The results of all searches that `wurfel bench` measures, within a bound on their nodes, and the
/// speed of this machine.
#[derive(Clone, PartialEq, Debug)]
pub struct Signatures {
    /// A line for each: game, agent and signature.
    pub text: String,
    /// Nodes a second, over all searches together.
    pub speed: f64,
}

impl Signatures {
    /// Runs the searches of a game, or of all games, once and on this thread.
    ///
    /// # Errors
    /// When the catalogue names an agent or a sample that is wrong.
    pub fn of_this_program(name: Option<&str>) -> Result<Self, BenchError> {
        let (mut text, mut nodes, mut time) = (String::new(), 0, Duration::ZERO);
        for game in games().iter().filter(|game| name.is_none_or(|name| name == game.name)) {
            for &agent in game.benches {
                let searched = with_game(game.name, Search { agent })??;
                let _ = writeln!(text, "{} {agent} {:016x}", game.name, searched.signature);
                nodes += searched.nodes;
                time += searched.time;
            }
        }
        Ok(Self { text, speed: nodes as f64 / time.as_secs_f64() })
    }
}

struct Search {
    agent: &'static str,
}

impl UseGame for Search {
    type Output = Result<BenchResult, BenchError>;

    fn with<G: Catalogued>(self, rules: &G) -> Self::Output {
        let spec: Spec = self.agent.parse()?;
        let mut agent = build(rules, &spec)?();
        let budget = Budget { nodes: Some(NODES), ..Budget::default() };
        Ok(BenchResult::samples(rules, &mut *agent, budget)?)
    }
}
