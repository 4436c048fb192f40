//! Error rates: how much win probability an agent's turns lose in whole games, by the values of an
//! analyser. They can be measured even where nobody knows perfect play.
//!
//! The analyser plays the turn as well. Where the two turns lead to different positions, the
//! analyser evaluates both before the next roll, which is one turn deeper than the search for
//! its own decision. The difference may be negative, when the agent's turn is the better one. A loss that
//! could not be negative would grow with the noise of the values, and an analyser would find fault
//! with an agent that is stronger than itself.

use wurfel_agents::Factory;
use wurfel_core::{Agent, Budget, Failure, Random, Turn, before_roll, draw};
use wurfel_games::Playable;

use crate::play::ordered::run_in_order;
use crate::study::regret::{Loss, Regret};

/// In the games from which positions are taken, one move in this many is random.
const CARELESS: u32 = 5;

/// The conditions under which an error rate is measured.
pub struct ErrorRate<'a, G: Playable> {
    /// The rules of the games.
    pub rules: G,
    /// Plays the games against itself, one move in five at random. One turn is taken from each
    /// game, so that all agents decide in the same turns and the turns are independent of each
    /// other.
    pub player: Factory<G>,
    /// Evaluates the positions to which turns lead.
    pub analyser: Factory<G>,
    /// How many turns are decided, not counting turns with a single legal move.
    pub decisions: u64,
    /// The seed of games and agents.
    pub seed: u64,
    /// The budget of the agent for a decision, unless its spec has bounds; its stop flag ends the
    /// work.
    pub budget: Budget<'a>,
}

/// Why there is no error rate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoErrorRate {
    /// The agent has failed, so its decision was not its own.
    #[error("the agent failed: {0}")]
    Agent(Failure),
    /// The analyser has failed.
    #[error("the analyser failed: {0}")]
    Analyser(Failure),
    /// The analyser has no value for a position.
    #[error(
        "position '{0}': the analyser gives no value, expected an agent that evaluates positions"
    )]
    Silent(String),
}

/// The agents that work on a turn.
struct Team<G: Playable> {
    player: Box<dyn Agent<G>>,
    agent: Box<dyn Agent<G>>,
    analyser: Box<dyn Agent<G>>,
}

impl<G: Playable> ErrorRate<'_, G> {
    /// Measures `agent` on `jobs` threads. The result depends on the seed alone unless one of the
    /// agents is bounded by time. `progress` is called with the number of turns decided; if it
    /// returns false, the work ends.
    ///
    /// # Errors
    /// When the agent or the analyser fails, or the analyser has no value for a position.
    pub fn measure(
        &self,
        agent: &Factory<G>,
        jobs: usize,
        mut progress: impl FnMut(u64) -> bool,
    ) -> Result<Regret, NoErrorRate> {
        let mut regret = Regret::default();
        let mut failed = None;
        let team = || Team { player: (self.player)(), agent: agent(), analyser: (self.analyser)() };
        run_in_order(
            0..self.decisions,
            jobs,
            team,
            |team, number| {
                let loss = self.decision(team, number);
                (!self.budget.stopped()).then_some(loss)
            },
            |number, loss| match loss {
                Ok(loss) => {
                    regret.add(loss);
                    progress(number + 1)
                }
                Err(error) => {
                    failed = Some(error);
                    false
                }
            },
        );
        failed.map_or(Ok(regret), Err)
    }

    /// How much the agent loses in turn `number`.
    fn decision(&self, team: &mut Team<G>, number: u64) -> Result<Loss, NoErrorRate> {
        let Team { player, agent, analyser } = team;
        let open = Budget { stop: self.budget.stop, ..Budget::default() };
        let mut random = Random::new(Random::seed_for(self.seed, &[number]));
        let (position, roll) = drawn_turn(&self.rules, &mut **player, open, &mut random);
        let turn = Turn { position: &position, roll };
        let own = Random::new(random.bits());
        let made =
            PlayedTurn::by(&mut **agent, own, turn, self.budget).map_err(NoErrorRate::Agent)?;
        let best = PlayedTurn::by(&mut **analyser, Random::new(0), turn, open)
            .map_err(NoErrorRate::Analyser)?;
        let lost = if made.leaves == best.leaves {
            0.0
        } else {
            let mut value =
                |played: &PlayedTurn<G>| self.value(&mut **analyser, &played.leaves, turn);
            value(&best)? - value(&made)?
        };
        let situation = turn.situation().to_string();
        Ok(Loss { situation, made: made.moves, best: best.moves, lost })
    }

    /// The value of a position that `turn` leads to, for the side that decides in `turn`.
    fn value(
        &self,
        analyser: &mut dyn Agent<G>,
        position: &G,
        turn: Turn<'_, G>,
    ) -> Result<f64, NoErrorRate> {
        if let Some(outcome) = position.outcome() {
            return Ok(f64::from(outcome.value_for(turn.side())));
        }
        let open = Budget { stop: self.budget.stop, ..Budget::default() };
        let value = before_roll(analyser, position, open);
        match (analyser.failure(), value) {
            (Some(failure), _) => Err(NoErrorRate::Analyser(failure)),
            (None, Some(value)) => Ok(1.0 - f64::from(value)),
            (None, None) => Err(NoErrorRate::Silent(position.to_string())),
        }
    }
}

/// A turn as it was played.
struct PlayedTurn<G> {
    /// The moves, with spaces between them.
    moves: String,
    /// The position after the turn.
    leaves: G,
}

impl<G: Playable> PlayedTurn<G> {
    fn by(
        agent: &mut dyn Agent<G>,
        random: Random,
        turn: Turn<'_, G>,
        budget: Budget<'_>,
    ) -> Result<Self, Failure> {
        agent.begin(random);
        let mut moves = vec![];
        let mut leaves = turn.position.clone();
        let mut rest = Some(turn.roll);
        while let Some(roll) = rest {
            let mv = agent.decide(Turn { position: &leaves, roll }, budget).mv;
            if let Some(failure) = agent.failure() {
                return Err(failure);
            }
            moves.push(mv.to_string());
            rest = leaves.play(roll, mv);
        }
        // The game ends here for the agent, so that it does not think on in the time of an opponent
        // who never answers.
        agent.end();
        Ok(Self { moves: moves.join(" "), leaves })
    }
}

/// A turn of a game in which there is a choice, each such turn equally likely.
fn drawn_turn<G: Playable>(
    rules: &G,
    player: &mut dyn Agent<G>,
    budget: Budget<'_>,
    random: &mut Random,
) -> (G, G::Roll) {
    loop {
        player.begin(Random::new(random.bits()));
        let mut position = rules.setup(random);
        let (mut seen, mut choice) = (0, None);
        while position.outcome().is_none() {
            let mut rest = Some(draw(position.rolls().as_ref(), random));
            if let Some(roll) = rest.filter(|&roll| position.moves(roll).as_ref().len() > 1) {
                seen += 1;
                if random.below(seen) == 0 {
                    choice = Some((position.clone(), roll));
                }
            }
            while let Some(roll) = rest {
                let turn = Turn { position: &position, roll };
                let mv = if random.below(CARELESS) == 0 {
                    *random.pick(turn.moves().as_ref())
                } else {
                    player.decide(turn, budget).mv
                };
                rest = position.play(roll, mv);
            }
        }
        if let Some(choice) = choice {
            return choice;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_agents::{Catalogued, build};
    use wurfel_core::{Game, Situation};
    use wurfel_games::dicechess::DiceChess3;
    use wurfel_games::einstein::Einstein;

    fn factory<G: Catalogued>(spec: &str) -> Factory<G> {
        build(&G::default(), &spec.parse().unwrap()).unwrap()
    }

    fn measured<G: Catalogued>(agent: &str, analyser: &str, decisions: u64, jobs: usize) -> Regret {
        let settings = ErrorRate {
            rules: G::default(),
            player: factory("greedy"),
            analyser: factory(analyser),
            decisions,
            seed: 1,
            budget: Budget::default(),
        };
        settings.measure(&factory(agent), jobs, |_| true).unwrap()
    }

    #[test]
    fn a_deeper_search_loses_less_and_the_analyser_nothing() {
        let [own, shallow, random] = ["champion:depth=3", "expecti:depth=1", "random"]
            .map(|agent| measured::<Einstein>(agent, "champion:depth=3", 200, 2));
        assert_eq!((own.decisions, own.optimal, own.worst.len()), (200, 200, 0));
        assert!(own.mean().abs() < 1e-9);
        assert!(shallow.mean() > 0.005, "{}", shallow.mean());
        assert!(random.mean() > 1.5 * shallow.mean(), "{}", random.mean());
    }

    #[test]
    fn an_agent_stronger_than_the_analyser_loses_nothing() {
        let regret = measured::<Einstein>("champion:depth=5", "expecti:depth=1", 300, 2);
        assert!(regret.optimal < 300, "they decide alike everywhere");
        assert!(regret.signed_interval().low < 0.0, "{}", regret.mean());
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let [one, two] =
            [1, 2].map(|jobs| measured::<DiceChess3>("greedy", "champion:depth=1", 12, jobs));
        assert_eq!(one, two);
    }

    #[test]
    fn a_loss_is_the_difference_of_the_values_of_the_positions_that_turns_leave() {
        const ANALYSER: &str = "star2:depth=1,eval=linear";
        let regret = measured::<DiceChess3>("random", ANALYSER, 30, 2);
        assert_eq!(regret.worst.len(), 5);
        let mut analyser = factory::<DiceChess3>(ANALYSER)();
        let mut several = 0;
        for loss in &regret.worst {
            let start: Situation<DiceChess3> = loss.situation.parse().unwrap();
            let mut value = |moves: &str| {
                let (mut position, mut rest) = (start.position, start.roll);
                for text in moves.split(' ') {
                    let roll = rest.unwrap();
                    let legal = position.moves(roll);
                    let mv = *legal.as_ref().iter().find(|mv| mv.to_string() == text).unwrap();
                    rest = position.play(roll, mv);
                }
                assert!(rest.is_none() || position.outcome().is_some(), "the turn goes on");
                position.outcome().map_or_else(
                    || {
                        let values = position.rolls().iter().map(|roll| {
                            let turn = Turn { position: &position, roll: roll.item };
                            let value = analyser.decide(turn, Budget::default()).value.unwrap();
                            f64::from(roll.weight) * f64::from(value)
                        });
                        1.0 - values.sum::<f64>() / 216.0
                    },
                    |outcome| f64::from(outcome.value_for(start.position.side())),
                )
            };
            let lost = value(&loss.best) - value(&loss.made);
            assert!((lost - loss.lost).abs() < 1e-5, "{loss:?}: {lost}");
            several += usize::from(loss.made.contains(' '));
        }
        assert!(several > 0, "no turn of several moves");
    }

    #[test]
    fn an_analyser_without_values_is_refused() {
        let settings = ErrorRate {
            rules: Einstein::default(),
            player: factory("greedy"),
            analyser: factory("greedy"),
            decisions: 50,
            seed: 1,
            budget: Budget::default(),
        };
        let error = settings.measure(&factory("random"), 2, |_| true).unwrap_err();
        assert!(error.to_string().contains("gives no value"), "{error}");
    }
}
