//! An agent's report on a position, for programs and people: the value of every move or, before the
//! roll, of every roll.

use std::collections::BTreeMap;

use serde::Serialize;
use wurfel_core::{
    Agent, Analysis, AssessedTurn, Assessment, Budget, Failure, Game, Instant, Situation, Turn,
    Weighted,
};
use wurfel_games::Playable;

/// An agent's report on a position. All values are win probabilities of the side to **move**.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PositionReport {
    /// The position, as it was given.
    pub position: String,
    /// The agent's spec.
    pub agent: String,
    /// The value of the position.
    pub value: Option<f64>,
    /// The moves of a rolled position, the best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<ScoredMove>>,
    /// Whole turns of a rolled position, where a turn can take several moves and the agent compares
    /// whole turns: those that it searched deeper come first, the best of them at the top.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<Vec<ScoredTurn>>,
    /// The principal variation of a rolled position: rolls with moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<String>>,
    /// The rolls of a position before the roll.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolls: Option<Vec<ScoredRoll>>,
    /// Positions visited, or whatever `counted` names.
    pub nodes: u64,
    /// What `nodes` counts, such as `simulations`; `None` for positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<&'static str>,
    /// The search depth in turns that every roll reached.
    pub depth: u32,
    /// How long it took.
    pub seconds: f64,
    /// The agent's own statistics of the search of a rolled position.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub statistics: BTreeMap<&'static str, f64>,
}

impl PositionReport {
    /// Whether all values are exact, so that a longer search would report nothing new.
    pub fn is_final(&self) -> bool {
        let mut rolls = self.rolls.iter().flatten().flat_map(|roll| &roll.moves);
        let mut moves = self.moves.iter().flatten();
        rolls.all(|scored| scored.exact) && moves.all(|scored| scored.exact)
    }
}

/// A move and its value.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Scored"))]
pub struct ScoredMove {
    /// The move in the notation of the game.
    #[serde(rename = "move")]
    pub mv: String,
    /// The value of the move; `None` where the agent did not estimate it.
    pub value: Option<f64>,
    /// Whether the value is exact, that is, the one under best play.
    pub exact: bool,
}

/// A whole turn and its value.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoredTurn {
    /// The moves, in an order in which they can be made.
    pub moves: Vec<String>,
    /// The value of the turn.
    pub value: f64,
    /// Whether the value is exact, that is, the one under best play.
    pub exact: bool,
    /// The search depth of the value in turns, this one included.
    pub depth: u32,
}

/// A roll and its value.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoredRoll {
    /// The roll as the dice show it.
    pub roll: String,
    /// The number of equally likely outcomes of the dice that lead to it.
    pub weight: u32,
    /// The value of its best move.
    pub value: Option<f64>,
    /// Its moves, the best first.
    pub moves: Vec<ScoredMove>,
    /// The moves of the best whole turn, where the agent compares whole turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<Vec<String>>,
}

/// Why there is no report.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The game is over.
    #[error("position '{position}': nothing to analyse, the game is over: {end}")]
    Over {
        /// The position's text.
        position: String,
        /// The outcome in words.
        end: String,
    },
    /// The agent has failed.
    #[error("{agent} failed: {failure}")]
    Failed {
        /// The name of the agent.
        agent: String,
        /// The fault, with its description for people.
        failure: Failure,
    },
    /// The work was stopped before every roll was evaluated.
    #[error("stopped")]
    Stopped,
}

impl PositionReport {
    /// Lets an agent evaluate a position. Before the roll, each roll gets an equal part of the
    /// budget.
    ///
    /// # Errors
    /// When the game is over, the agent fails, or the work is stopped before all rolls are evaluated to the same
    /// depth, without which their mean has no meaning.
    pub fn new<G: Playable>(
        situation: &Situation<G>,
        agent: (&str, &mut dyn Agent<G>),
        budget: Budget<'_>,
    ) -> Result<Self, AnalysisError> {
        let Situation { position, roll } = situation;
        if let Some(outcome) = position.outcome() {
            let won = |side| format!("{} has won", G::SIDES[side]);
            let end = outcome.winner().map_or("it is a draw".to_owned(), won);
            return Err(AnalysisError::Over { position: situation.to_string(), end });
        }
        let started = Instant::now();
        let (spec, agent) = agent;
        let mut report =
            Self { position: situation.to_string(), agent: spec.to_owned(), ..Self::default() };
        match *roll {
            Some(roll) => {
                let analysis = agent.analyse(Turn { position, roll }, budget);
                has_not_failed(spec, agent)?;
                report.rolled(&analysis);
                let statistics = agent.statistics().into_iter();
                report.statistics = statistics.map(|figure| (figure.name, figure.value)).collect();
            }
            None => report.all_rolls(position, agent, budget)?,
        }
        report.counted = agent.counts();
        report.seconds = started.elapsed().as_secs_f64();
        Ok(report)
    }

    fn rolled<G: Game>(&mut self, analysis: &Analysis<G>) {
        self.value = analysis.moves[0].value.map(number);
        self.moves = Some(scored(&analysis.moves));
        let turns: Vec<_> = analysis.turns.iter().map(ScoredTurn::of).collect();
        self.turns = (!turns.is_empty()).then_some(turns);
        let line = analysis.line.iter().map(|(roll, mv)| format!("@{roll} {mv}"));
        self.line = Some(line.collect());
        self.nodes = analysis.nodes;
        self.depth = analysis.depth;
    }

    fn all_rolls<G: Game>(
        &mut self,
        position: &G,
        agent: &mut dyn Agent<G>,
        budget: Budget<'_>,
    ) -> Result<(), AnalysisError> {
        let rolls = position.rolls();
        let rolls = rolls.as_ref();
        let budget = budget.split(rolls.len() as u32);
        let mut figure = vec![];
        let (mut sum, mut chances) = (Some(0.0), 0.0);
        self.depth = u32::MAX;
        for &Weighted { item: roll, weight } in rolls {
            let analysis = agent.analyse(Turn { position, roll }, budget);
            has_not_failed(&self.agent, agent)?;
            if budget.stopped() {
                return Err(AnalysisError::Stopped);
            }
            let value = analysis.moves[0].value.map(number);
            sum = sum.zip(value).map(|(sum, value)| sum + f64::from(weight) * value);
            chances += f64::from(weight);
            self.nodes += analysis.nodes;
            self.depth = self.depth.min(analysis.depth);
            let moves = scored(&analysis.moves);
            let turn = analysis.turns.first().map(|best| ScoredTurn::of(best).moves);
            figure.push(ScoredRoll { roll: roll.to_string(), weight, value, moves, turn });
        }
        self.value = sum.map(|sum| sum / chances);
        self.rolls = Some(figure);
        Ok(())
    }
}

impl ScoredTurn {
    fn of<M: ToString>(turn: &AssessedTurn<M>) -> Self {
        let AssessedTurn { moves, value, exact, depth } = turn;
        let moves = moves.iter().map(M::to_string).collect();
        Self { moves, value: number(*value), exact: *exact, depth: *depth }
    }
}

fn has_not_failed<G: Game>(name: &str, agent: &mut dyn Agent<G>) -> Result<(), AnalysisError> {
    match agent.failure() {
        Some(failure) => Err(AnalysisError::Failed { agent: name.to_owned(), failure }),
        None => Ok(()),
    }
}

/// The value as the shortest decimal that represents it.
fn number(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_else(|_| f64::from(value))
}

fn scored<M: ToString + Copy>(moves: &[Assessment<M>]) -> Vec<ScoredMove> {
    let scored = |&Assessment { mv, value, exact }: &Assessment<M>| ScoredMove {
        mv: mv.to_string(),
        value: value.map(number),
        exact,
    };
    moves.iter().map(scored).collect()
}
