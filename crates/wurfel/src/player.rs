//! The players: agents that a spec describes, and agents that the caller implements.

use std::sync::Arc;

use wurfel_agents::{Catalogued, Factory, Spec, SpecError, build, searches};
#[cfg(feature = "workbench")]
use wurfel_arena::Entrant;
use wurfel_core::{Agent, Budget, Decision, Failure, Fault, Random, Turn};

use crate::agents::Agents;
use crate::position::Position;

/// A player of a match or of a measurement.
///
/// ```
/// use wurfel::Player;
///
/// let player = Player::Spec("star2:depth=3".parse()?);
/// assert_eq!((player.name().as_str(), player.searches()), ("star2:depth=3", true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub enum Player {
    /// An agent that a spec describes.
    Spec(Spec),
    /// Agents that have been built.
    Built {
        /// The name in results.
        name: String,
        /// The agents.
        agents: Agents,
    },
    /// An agent that the caller implements.
    Own(OwnPlayer),
}

/// A player that the caller implements: the function makes an agent for each thread.
#[derive(Clone)]
pub struct OwnPlayer {
    /// The name in results.
    pub name: String,
    /// Makes an agent.
    pub make: Arc<dyn Fn() -> Box<dyn OwnAgent> + Send + Sync>,
}

/// An agent that the caller implements for a game of any type: it is given positions and answers with
/// the texts of moves. One is on the first page of this library. It plays, but it does not review, since
/// it has no values for moves that it would not choose.
///
/// A move that is not legal and a panic also lose the game. Reports count such games by agent, as
/// [`faults`](wurfel_arena::AgentReport::faults), and say why.
pub trait OwnAgent: Send {
    /// Begins a new game, with random numbers of the agent's own.
    ///
    /// # Errors
    /// When the agent fails, for a reason that [`Failure::new`] takes. It then loses the game.
    fn begin(&mut self, random: Random) -> Result<(), Failure>;

    /// Chooses a move for a position with a roll.
    ///
    /// # Errors
    /// As for [`OwnAgent::begin`].
    fn decide(
        &mut self,
        position: &Position,
        budget: Budget<'_>,
    ) -> Result<Decision<String>, Failure>;
}

impl From<Spec> for Player {
    fn from(spec: Spec) -> Self {
        Self::Spec(spec)
    }
}

impl Player {
    /// The name in results.
    pub fn name(&self) -> String {
        match self {
            Self::Spec(spec) => spec.label(),
            Self::Built { name, .. } => name.clone(),
            Self::Own(own) => own.name.clone(),
        }
    }

    /// Whether luck is worth measuring in games of this player.
    pub fn searches(&self) -> bool {
        match self {
            Self::Spec(spec) => searches(spec),
            Self::Built { .. } | Self::Own(_) => true,
        }
    }

    #[cfg(feature = "workbench")]
    pub(crate) fn entrant<G: Catalogued>(&self, rules: &G) -> Result<Entrant<G>, SpecError> {
        match self {
            Self::Spec(spec) => Entrant::new(rules, spec.clone()),
            Self::Built { .. } | Self::Own(_) => {
                Ok(Entrant::custom(rules, &self.name(), self.factory(rules)?))
            }
        }
    }

    pub(crate) fn factory<G: Catalogued>(&self, rules: &G) -> Result<Factory<G>, SpecError> {
        match self {
            Self::Spec(spec) => build(rules, spec),
            Self::Built { agents, .. } => Ok(Factory::clone(agents.of(rules))),
            Self::Own(own) => {
                let make = Arc::clone(&own.make);
                Ok(Arc::new(move || Box::new(Adapted { own: make(), failure: None })))
            }
        }
    }
}

/// An [`OwnAgent`] as an agent of a game with its type.
struct Adapted {
    own: Box<dyn OwnAgent>,
    /// Why the last decision, or the beginning of the game, was not the agent's own.
    failure: Option<Failure>,
}

impl Adapted {
    fn ask<G: Catalogued>(
        &mut self,
        turn: Turn<'_, G>,
        budget: Budget<'_>,
    ) -> Result<Decision<G::Move>, Failure> {
        let situation = turn.situation();
        let decided = self.own.decide(&Position::new(situation), budget)?;
        let Decision { mv, value, exact, nodes, depth } = decided;
        let mv = turn.position.find_move(turn.roll, &mv).map_err(|error| {
            Failure::new(Fault::IllegalMove, format!("in {}: {error}", turn.situation()))
        })?;
        Ok(Decision { mv, value, exact, nodes, depth })
    }
}

impl<G: Catalogued> Agent<G> for Adapted {
    fn begin(&mut self, random: Random) {
        self.failure = self.own.begin(random).err();
    }

    /// After a failure, which [`Agent::failure`] reports, decides on any legal move.
    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move> {
        if self.failure.is_none() {
            match self.ask(turn, budget) {
                Ok(decision) => return decision,
                Err(failure) => self.failure = Some(failure),
            }
        }
        let mv = turn.moves().as_ref()[0];
        Decision { mv, value: None, exact: false, nodes: 0, depth: 0 }
    }

    fn failure(&mut self) -> Option<Failure> {
        self.failure.take()
    }
}
