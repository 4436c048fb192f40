//! Agents: who plays. An agent is given a turn and a budget and decides on a move.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::{BySide, Game, Random, Turn, Weighted};

/// The limits on a decision. The agent stops at the first limit that it reaches; without any limit
/// it spends what it was built to spend.
///
/// Some work is always done so that there is an answer: a search looks at least one turn ahead, and
/// it may finish the few positions that it has already begun.
///
/// The lifetime is that of the `stop` flag: the length of the request for a budget that an agent is
/// given, and `'static` for the limits that it is built with, which have no flag.
///
/// ```
/// use std::time::Duration;
///
/// use wurfel_core::Budget;
///
/// let budget = Budget { nodes: Some(1000), time: Some(Duration::from_secs(1)), ..Budget::default() };
/// assert_eq!(budget.split(4).nodes, Some(250));
/// // An agent's own limits come first.
/// let own = Budget { depth: Some(3), ..Budget::default() };
/// assert_eq!(own.or(budget).depth, Some(3));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget<'a> {
    /// Turns to look ahead.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// The hard limit, where it is later than `time`: all that is left on the clock, while `time`
    /// is a share of it. For agents that cannot be sure to keep to `time`.
    pub deadline: Option<Duration>,
    /// The clocks of the game, where there are any, for agents that manage their own time.
    pub clocks: Option<&'a Clocks>,
    /// When this flag turns true, the agent answers immediately with what it has found so far.
    pub stop: Option<&'a AtomicBool>,
}

/// The clocks of a game when a side is to decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    /// The time that each side has left for the rest of the game.
    pub left: BySide<Duration>,
    /// The time that each side is given for each of its turns.
    pub increment: BySide<Duration>,
    /// A limit on this decision alone, if there is one.
    pub decision: Option<Duration>,
}

impl Budget<'_> {
    /// `self`, or `other` when `self` sets no limit on the work. The `stop` flag, the deadline and
    /// the clocks are taken from whichever of the two has them.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let bounds = if self.is_open() { other } else { self };
        Self {
            stop: self.stop.or(other.stop),
            deadline: self.deadline.or(other.deadline),
            clocks: self.clocks.or(other.clocks),
            ..bounds
        }
    }

    /// Whether neither depth, nodes nor time is limited.
    pub const fn is_open(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none() && self.time.is_none()
    }

    /// Whether the `stop` flag has been raised.
    pub fn stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Whether a search that took this long may have been cut short by its time. A search may end when half of
    /// that is gone, because it could not finish a deeper turn; one that ended much earlier had nothing more to do.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use wurfel_core::Budget;
    ///
    /// let budget = Budget { time: Some(Duration::from_secs(1)), ..Budget::default() };
    /// assert!(budget.may_have_cut(Duration::from_millis(450)));
    /// assert!(!budget.may_have_cut(Duration::from_millis(150)));
    /// assert!(!Budget::default().may_have_cut(Duration::from_secs(1)));
    /// ```
    pub fn may_have_cut(&self, took: Duration) -> bool {
        self.time.is_some_and(|time| took >= time / 4)
    }

    /// The budget of one of `parts` decisions that share nodes and time evenly; the depth stays the
    /// same.
    #[must_use]
    pub fn split(self, parts: u32) -> Self {
        Self {
            nodes: self.nodes.map(|nodes| (nodes / u64::from(parts)).max(1)),
            time: self.time.map(|time| time / parts),
            ..self
        }
    }
}

/// The move that an agent has chosen, and what it knows about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decision<M> {
    /// A legal move of the turn.
    pub mv: M,
    /// The expected result of this move for the side that **decides**, 0 to 1; `None` when the
    /// agent does not estimate.
    pub value: Option<f32>,
    /// Whether the value is the true one under best play, not an estimate.
    pub exact: bool,
    /// Positions visited, or what [`Agent::counts`] names instead.
    pub nodes: u64,
    /// Turns looked ahead.
    pub depth: u32,
}

/// One legal move of an analysed turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Assessment<M> {
    /// A legal move of the turn.
    pub mv: M,
    /// The expected result of this move for the side that **decides**, 0 to 1; `None` where the
    /// agent did not estimate it.
    pub value: Option<f32>,
    /// Whether the value is the true one under best play, not an estimate.
    pub exact: bool,
}

/// A whole turn of an analysed position, in a game in which a turn can take several moves.
#[derive(Clone, PartialEq, Debug)]
pub struct AssessedTurn<M> {
    /// Its moves, in one of the orders in which they can be made. Other orders that lead to the same
    /// position are the same turn.
    pub moves: Vec<M>,
    /// The expected result of this turn for the side that **decides**, 0 to 1.
    pub value: f32,
    /// Whether the value is the true one under best play, not an estimate.
    pub exact: bool,
    /// How many turns the search looked ahead for the value, this one included. A search that was
    /// cut short may have seen only some rolls of the last of them.
    pub depth: u32,
}

/// Everything that an agent can say about a turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis<G: Game> {
    /// Every legal move, the best first, moves without a value last.
    pub moves: Vec<Assessment<G::Move>>,
    /// Whole turns, each once, where a turn can take several moves and the agent compares whole
    /// turns; otherwise empty. Those that the search preferred to look further into come first, the
    /// best of them at the top, so that a turn with a smaller `depth` may have a larger value than
    /// one before it.
    pub turns: Vec<AssessedTurn<G::Move>>,
    /// The principal variation, as pairs of a roll and the best move for it. It begins with the
    /// roll of the turn; every later roll is the one whose value is nearest to the mean over all
    /// rolls, so that neither side is lucky in it.
    pub line: Vec<(G::Roll, G::Move)>,
    /// Positions visited, or what [`Agent::counts`] names instead.
    pub nodes: u64,
    /// Turns looked ahead.
    pub depth: u32,
}

/// A figure that an agent reports about its own work, such as a count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Statistic {
    /// What was counted, with its unit.
    pub name: &'static str,
    /// The count, in the unit that `name` states.
    pub value: f64,
}

/// The ways in which an agent can lose a game immediately.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Fault {
    /// It panicked, or the program behind it ended.
    Crash,
    /// It played a move that is not legal.
    IllegalMove,
    /// It answered after its time was up, or not at all.
    Time,
}

/// Why an agent did not choose its move itself.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct Failure {
    /// What went wrong, as a match counts it.
    pub fault: Fault,
    /// What happened, in one line for people.
    pub reason: String,
}

impl Failure {
    /// A failure with this reason.
    pub fn new(fault: Fault, reason: impl Into<String>) -> Self {
        Self { fault, reason: reason.into() }
    }
}

/// A player of `G`.
///
/// ```
/// use wurfel_core::{Agent, Budget, Decision, Game, Literal, Random, Turn};
///
/// /// Plays the first move.
/// struct First;
///
/// impl<G: Game> Agent<G> for First {
///     fn begin(&mut self, _: Random) {}
///
///     fn decide(&mut self, turn: Turn<'_, G>, _: Budget<'_>) -> Decision<G::Move> {
///         let mv = turn.moves().as_ref()[0];
///         Decision { mv, value: None, exact: false, nodes: 1, depth: 0 }
///     }
/// }
///
/// let position: Literal = "{[+-]}".parse()?;
/// let turn = Turn { position: &position, roll: position.rolls()[0].item };
/// assert_eq!(First.decide(turn, Budget::default()).mv.to_string(), "1");
/// # Ok::<(), wurfel_core::NotationError>(())
/// ```
pub trait Agent<G: Game>: Send {
    /// Begins a new game: the agent forgets the last one and draws all its random numbers from
    /// `random` from now on.
    fn begin(&mut self, random: Random);

    /// Reports a move of the current game, by either side, and the turn in which it is made. Not
    /// every caller reports moves, so no decision may depend on it.
    fn observe(&mut self, _turn: Turn<'_, G>, _mv: G::Move) {}

    /// What the agent will spend on a decision when it is given `budget`: that budget, unless the
    /// agent was built with limits of its own.
    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        budget
    }

    /// Chooses a move. Called only before the end of the game; always returns a legal move, however
    /// small the budget.
    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move>;

    /// The expected result for the **side to move** before its roll, 0 to 1, from an agent that can
    /// find it without deciding roll by roll. With `None`, [`before_roll`] asks for a decision on
    /// every roll.
    fn at_rest(&mut self, _position: &G, _budget: Budget<'_>) -> Option<f32> {
        None
    }

    /// Evaluates every legal move. An agent that can only decide leaves all moves but its choice
    /// without a value.
    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Analysis<G> {
        let Decision { mv: best, value, exact, nodes, depth } = self.decide(turn, budget);
        let others = turn.moves().as_ref().iter().copied().filter(|&mv| mv != best).collect();
        let mut moves = vec![Assessment { mv: best, value, exact }];
        let unscored = |mv| Assessment { mv, value: None, exact: false };
        moves.extend(Vec::into_iter(others).map(unscored));
        Analysis { moves, turns: vec![], line: vec![(turn.roll, best)], nodes, depth }
    }

    /// Whether every decision is drawn at random from the legal moves, each equally likely. Games between
    /// such agents are [random games](crate::Game::random_games), which a game may play faster than a
    /// loop over turns does.
    fn is_uniform(&self) -> bool {
        false
    }

    /// The game is over. An agent that thinks on its opponent's time stops.
    fn end(&mut self) {}

    /// Takes the reason why the last decision or analysis was not the agent's own. Only agents that
    /// depend on something outside, such as another program, can fail. They then decide on any
    /// legal move, so a caller that needs the agent's own choice must check here. After
    /// [`Agent::begin`] it is the reason why the agent will not be able to decide, which stays.
    fn failure(&mut self) -> Option<Failure> {
        None
    }

    /// How long the agent waited for a busy machine during the last decision; this time is not
    /// charged to it. `None` from an agent that decides on the calling thread, where the caller can
    /// measure the wait.
    fn waited(&self) -> Option<Duration> {
        None
    }

    /// The unit in which decisions and analyses count their nodes, in the plural and for people:
    /// `playouts`, `simulations` or `episodes`; `None` where nodes are positions.
    fn counts(&self) -> Option<&'static str> {
        None
    }

    /// Further figures about the last decision or analysis, for tuning the agent.
    fn statistics(&self) -> Vec<Statistic> {
        vec![]
    }
}

/// The result that an agent expects for the **side to move** before its roll, 0 to 1; `None` when
/// the agent does not estimate. To be called only before the end of the game.
pub fn before_roll<G: Game>(
    agent: &mut dyn Agent<G>,
    position: &G,
    budget: Budget<'_>,
) -> Option<f32> {
    if let Some(value) = agent.at_rest(position, budget) {
        return Some(value);
    }
    let rolls = position.rolls();
    let each = budget.split(rolls.as_ref().len() as u32);
    let (mut sum, mut chances) = (0.0, 0);
    for &Weighted { item: roll, weight } in rolls.as_ref() {
        sum += weight as f32 * agent.decide(Turn { position, roll }, each).value?;
        chances += weight;
    }
    Some(sum / chances as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_agent_was_built_for_goes_before_what_all_are_given() {
        let own = Budget { depth: Some(3), ..Budget::default() };
        let all = Budget { nodes: Some(60), ..Budget::default() };
        let both = own.or(all);
        assert_eq!((both.depth, both.nodes), (Some(3), None));
        let open = Budget::default().or(all);
        assert_eq!((open.depth, open.nodes), (None, Some(60)));
        assert_eq!(all.split(6).nodes, Some(10));
    }
}
