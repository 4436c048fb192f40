//! The game loop that all commands share.
//!
//! The referee rolls the dice, asks the side to move, checks the answer and keeps the time.
//! Whatever an agent does, the game ends with a result: an agent that panics, plays an illegal move
//! or oversteps its time loses. Its time is a bound on each decision, a clock for the whole game
//! ([`TimeControl`]), or both.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use wurfel_core::{
    Agent, Budget, BySide, Clocks, Decision, Dice, DiceError, Failure, Fault, Game, Outcome, Side,
    Turn,
};

use crate::play::clock::{GameClock, TimeControl};
use crate::play::stopwatch::Stopwatch;

/// The grace time for a late answer: the time that a busy machine may take to wake a
/// thread. The value was not measured.
const GRACE: Duration = Duration::from_millis(200);

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who has won, or that the game is drawn.
    pub outcome: Outcome,
    /// The side that failed, and how, if this decided the game; `None` when the rules did.
    pub failure: Option<(Side, Failure)>,
    /// The number of turns played.
    pub plies: u32,
}

/// Why a game has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Interruption {
    /// The budget's stop flag was set.
    #[error("the game was stopped")]
    Stopped,
    /// The dice gave no roll.
    #[error(transparent)]
    Dice(#[from] DiceError),
}

/// A decision that has been checked and is about to be played.
#[derive(Debug)]
pub struct PlayedMove<'a, G: Game> {
    /// The position before the roll.
    pub position: &'a G,
    /// The roll, or the dice that are left of it.
    pub roll: G::Roll,
    /// The move, with what the agent knows about it.
    pub decision: Decision<G::Move>,
    /// How long the decision took.
    pub time: Duration,
}

/// Watches games. The default methods do nothing.
///
/// ```
/// use wurfel_arena::{PlayedMove, Recorder};
/// use wurfel_core::Game;
///
/// /// Counts the moves of each game.
/// #[derive(Default)]
/// struct Lengths(Vec<u32>);
///
/// impl<G: Game> Recorder<G> for Lengths {
///     fn begin(&mut self, _start: &G) {
///         self.0.push(0);
///     }
///
///     fn record_move(&mut self, _played: &PlayedMove<'_, G>) {
///         *self.0.last_mut().expect("a game has begun") += 1;
///     }
/// }
/// ```
pub trait Recorder<G: Game> {
    /// A game begins.
    fn begin(&mut self, _start: &G) {}

    /// A legal move was chosen and is about to be played.
    fn record_move(&mut self, _played: &PlayedMove<'_, G>) {}

    /// The move that was last played was the choice of `agent`, whose statistics are still those of
    /// this decision.
    fn record_search(&mut self, _played: &PlayedMove<'_, G>, _agent: &dyn Agent<G>) {}

    /// The game is over; `last` is the position in which it ended.
    fn end(&mut self, _last: &G, _ending: &Ending) {}
}

/// The recorder that records nothing.
impl<G: Game> Recorder<G> for () {}

/// The conditions under which a game is played, beyond its rules.
pub struct Terms<'a, G> {
    /// The budget of each agent for a decision, unless it has bounds of its own. The agent must
    /// keep the time of whichever of the two counts.
    pub budget: Budget<'a>,
    /// The clock of each side for the whole game, if there are clocks.
    pub clock: Option<TimeControl>,
    /// Called before each roll; decides whether the game ends here, and how.
    pub adjudicate: &'a mut dyn FnMut(&G) -> Option<Outcome>,
}

/// Plays a game from `start` to its end. Each agent gets `budget` for each decision, and must keep
/// the time bound in it or in the agent's own bounds.
///
/// # Errors
/// When the dice run out, or `budget.stop` turned true: the game then has no result.
///
/// # Example
///
/// ```
/// use wurfel_arena::play;
/// use wurfel_core::{BySide, Budget, FairDice, Random};
/// use wurfel_games::einstein::Einstein;
/// use wurfel_search::RandomPlayer;
///
/// let [mut red, mut blue] = [1, 2].map(|seed| RandomPlayer::new(Random::new(seed)));
/// let agents = BySide::new(&mut red as _, &mut blue as _);
/// // `()` is the recorder that records nothing.
/// let ending = play(Einstein::default(), agents, &mut FairDice::new(3), Budget::default(), &mut ())?;
/// assert!(ending.outcome.winner().is_some() && ending.failure.is_none());
/// # Ok::<(), wurfel_arena::Interruption>(())
/// ```
pub fn play<G: Game>(
    start: G,
    agents: BySide<&mut (dyn Agent<G> + '_)>,
    dice: &mut dyn Dice<G>,
    budget: Budget<'_>,
    recorder: &mut dyn Recorder<G>,
) -> Result<Ending, Interruption> {
    let terms = Terms { budget, clock: None, adjudicate: &mut |_| None };
    play_on(terms, start, agents, dice, recorder)
}

/// Plays a game as [`play`] does, with the clocks and the early end that the terms may specify.
///
/// # Errors
/// As [`play`].
pub fn play_on<G: Game>(
    terms: Terms<'_, G>,
    start: G,
    mut agents: BySide<&mut (dyn Agent<G> + '_)>,
    dice: &mut dyn Dice<G>,
    recorder: &mut dyn Recorder<G>,
) -> Result<Ending, Interruption> {
    let Terms { budget, clock, adjudicate } = terms;
    let first_ply = start.ply();
    let mut position = start;
    let mut clocks = BySide::from_fn(|_| clock.map(GameClock::new));
    recorder.begin(&position);
    let (outcome, failure) = loop {
        if let Some(outcome) = position.outcome().or_else(|| adjudicate(&position)) {
            break (outcome, None);
        }
        let side = position.side();
        let roll = dice.roll(&position)?;
        let played = turn(&mut position, roll, &mut agents, budget, &mut clocks, recorder);
        // An agent that was stopped in the middle of its turn has not failed.
        if budget.stopped() {
            return Err(Interruption::Stopped);
        }
        if let Err(failure) = played {
            break (Outcome::Win(!side), Some((side, failure)));
        }
    };
    for side in Side::BOTH {
        // An agent that panics here has already finished its game.
        let _ = catch_unwind(AssertUnwindSafe(|| agents[side].end()));
    }
    let ending = Ending { outcome, failure, plies: position.ply() - first_ply };
    recorder.end(&position, &ending);
    Ok(ending)
}

/// The clocks of both sides, if the game has clocks.
type GameClocks = BySide<Option<GameClock>>;

/// The times on the clocks, for agents that manage their time themselves.
fn agent_clocks(clocks: &GameClocks, budget: Budget<'_>) -> Option<Clocks> {
    let [Some(first), Some(second)] = Side::BOTH.map(|side| clocks[side]) else { return None };
    Some(Clocks {
        left: BySide::new(first.left(), second.left()),
        increment: BySide::new(first.increment(), second.increment()),
        decision: budget.time,
    })
}

/// Plays one side's turn: as many moves as its roll allows.
fn turn<G: Game>(
    position: &mut G,
    roll: G::Roll,
    agents: &mut BySide<&mut (dyn Agent<G> + '_)>,
    budget: Budget<'_>,
    clocks: &mut GameClocks,
    recorder: &mut dyn Recorder<G>,
) -> Result<(), Failure> {
    let side = position.side();
    let mut rest = Some(roll);
    while let Some(roll) = rest {
        let turn = Turn { position: &*position, roll };
        let agent = &mut *agents[side];
        let allowed = agent.bounds(budget).time;
        let agent_clocks = agent_clocks(clocks, budget);
        let limited = clocks[side].as_ref().map_or(budget, |clock| clock.limit(budget));
        let limited = Budget { clocks: agent_clocks.as_ref(), ..limited };
        let stopwatch = Stopwatch::start(allowed.is_some() || clocks[side].is_some());
        let decided = catch_unwind(AssertUnwindSafe(|| agent.decide(turn, limited)));
        let (time, own) = stopwatch.stop(agent.waited());
        let decision = decided.map_err(|_| Failure::new(Fault::Crash, "it panicked"))?;
        if let Some(failure) = agent.failure() {
            return Err(failure);
        }
        if !turn.moves().as_ref().contains(&decision.mv) {
            let reason = format!("{} is not legal in {}", decision.mv, turn.situation());
            return Err(Failure::new(Fault::IllegalMove, reason));
        }
        if let Some(allowed) = allowed.filter(|&allowed| own > allowed + GRACE) {
            let reason = format!("it took {own:.3?}, allowed were {allowed:.3?}");
            return Err(Failure::new(Fault::Time, reason));
        }
        if let Some(clock) = &mut clocks[side]
            && !clock.spend(own)
        {
            let reason = format!("its clock ran out: the last move took {own:.3?}");
            return Err(Failure::new(Fault::Time, reason));
        }
        let played = PlayedMove { position, roll, decision, time };
        recorder.record_move(&played);
        recorder.record_search(&played, agent);
        for side in Side::BOTH {
            agents[side].observe(turn, decision.mv);
        }
        rest = position.play(roll, decision.mv);
    }
    if let Some(clock) = &mut clocks[side] {
        clock.end_turn();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;
    use wurfel_core::{FairDice, Random};
    use wurfel_games::einstein::{Einstein, Move};
    use wurfel_search::RandomPlayer;

    /// An agent that commits a fault on purpose, from its second decision on.
    struct Bad(Fault, u32);

    impl Agent<Einstein> for Bad {
        fn begin(&mut self, _: Random) {}

        /// Only the agent that oversteps its time on purpose has a time bound.
        fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
            let late = self.0 == Fault::Time && self.1 > 0;
            Budget { time: late.then_some(Duration::ZERO), ..budget }
        }

        fn decide(&mut self, turn: Turn<'_, Einstein>, _: Budget<'_>) -> Decision<Move> {
            self.1 += 1;
            let mut mv = turn.moves().as_ref()[0];
            if self.1 > 1 {
                match self.0 {
                    Fault::Crash => panic!("on purpose"),
                    Fault::IllegalMove => mv = Move::default(),
                    Fault::Time => std::thread::sleep(2 * GRACE),
                }
            }
            Decision { mv, value: None, exact: false, nodes: 0, depth: 0 }
        }
    }

    #[test]
    fn whoever_misbehaves_loses() {
        for fault in [Fault::Crash, Fault::IllegalMove, Fault::Time] {
            for side in Side::BOTH {
                let mut bad = Bad(fault, 0);
                let mut good = RandomPlayer::new(Random::new(1));
                let agents: BySide<&mut dyn Agent<Einstein>> = match side {
                    Side::First => BySide::new(&mut bad, &mut good),
                    Side::Second => BySide::new(&mut good, &mut bad),
                };
                let (start, budget) = (Einstein::default(), Budget::default());
                let ending = play(start, agents, &mut FairDice::new(1), budget, &mut ());
                let ending = ending.unwrap();
                let failure = ending.failure.map(|(side, failure)| (side, failure.fault));
                assert_eq!(failure, Some((side, fault)));
                assert_eq!(ending.outcome, Outcome::Win(!side));
                assert_eq!(ending.plies, 2 + side.index() as u32);
            }
        }
    }

    /// An agent with little time left after its first decision.
    struct Hasty(Option<Duration>);

    impl Agent<Einstein> for Hasty {
        fn begin(&mut self, _: Random) {}

        fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
            Budget { time: self.0, ..budget }
        }

        fn decide(&mut self, turn: Turn<'_, Einstein>, _: Budget<'_>) -> Decision<Move> {
            std::thread::sleep(2 * GRACE);
            self.0 = Some(Duration::ZERO);
            Decision { mv: turn.moves().as_ref()[0], value: None, exact: false, nodes: 0, depth: 0 }
        }
    }

    /// A decision must keep the time bound that held before it, not the shorter one that it leaves
    /// for the next decision.
    #[test]
    fn a_decision_has_the_time_it_was_given() {
        let mut hasty = Hasty(Some(Duration::from_mins(1)));
        let mut other = RandomPlayer::new(Random::new(1));
        let agents: BySide<&mut dyn Agent<Einstein>> = BySide::new(&mut hasty, &mut other);
        let start = Einstein::default();
        let ending = play(start, agents, &mut FairDice::new(1), Budget::default(), &mut ());
        let ending = ending.unwrap();
        let (side, failure) = ending.failure.unwrap();
        assert_eq!((side, failure.fault, ending.plies), (Side::First, Fault::Time, 2));
    }

    /// An agent that takes a fixed time for each decision.
    struct Slow(Duration);

    impl Agent<Einstein> for Slow {
        fn begin(&mut self, _: Random) {}

        fn decide(&mut self, turn: Turn<'_, Einstein>, budget: Budget<'_>) -> Decision<Move> {
            assert!(budget.time.is_some(), "a clock bounds each decision");
            std::thread::sleep(self.0);
            Decision { mv: turn.moves().as_ref()[0], value: None, exact: false, nodes: 0, depth: 0 }
        }
    }

    /// A game in which the first side takes 5 ms for each decision, with this control.
    fn timed(control: TimeControl) -> Ending {
        let mut slow = Slow(Duration::from_millis(5));
        let mut other = RandomPlayer::new(Random::new(1));
        let agents: BySide<&mut dyn Agent<Einstein>> = BySide::new(&mut slow, &mut other);
        let terms =
            Terms { budget: Budget::default(), clock: Some(control), adjudicate: &mut |_| None };
        play_on(terms, Einstein::default(), agents, &mut FairDice::new(1), &mut ()).unwrap()
    }

    #[test]
    fn whoever_oversteps_the_clock_loses_and_an_increment_keeps_it_running() {
        let ms = Duration::from_millis;
        let sudden =
            TimeControl { total: ms(12), increment: ms(0), margin: ms(0), typical_turns: 15 };
        let ending = timed(sudden);
        let (side, failure) = ending.failure.unwrap();
        assert_eq!((side, failure.fault), (Side::First, Fault::Time));
        assert!(ending.plies <= 4, "5 ms a turn three times: {} plies", ending.plies);
        // The clock gives back more after each turn than the turn takes, however late the machine
        // wakes the sleeping thread.
        let ending = timed(TimeControl { total: ms(5000), increment: ms(1000), ..sudden });
        assert_eq!(ending.failure, None);
        // With a margin as long as the game, overstepping the clock is forgiven.
        let ending = timed(TimeControl { margin: ms(60_000), ..sudden });
        assert_eq!(ending.failure, None);
    }

    /// An agent that spends all its time waiting for the machine, except for its own part of each
    /// decision.
    struct Waiting {
        own: Duration,
        waited: Duration,
    }

    impl Agent<Einstein> for Waiting {
        fn begin(&mut self, _: Random) {}

        fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
            Budget { time: Some(Duration::ZERO), ..budget }
        }

        fn decide(&mut self, turn: Turn<'_, Einstein>, _: Budget<'_>) -> Decision<Move> {
            let began = Instant::now();
            std::thread::sleep(GRACE + Duration::from_millis(20));
            self.waited = began.elapsed().saturating_sub(self.own);
            Decision { mv: turn.moves().as_ref()[0], value: None, exact: false, nodes: 0, depth: 0 }
        }

        fn waited(&self) -> Option<Duration> {
            Some(self.waited)
        }
    }

    #[test]
    fn what_an_agent_waits_for_the_machine_counts_neither_for_a_bound_nor_on_its_clock() {
        let total = GRACE / 2;
        let control = TimeControl { total, increment: total, margin: GRACE, typical_turns: 15 };
        for (clock, own, in_time) in [
            (None, Duration::ZERO, true),
            (None, 2 * GRACE, false),
            (Some(control), Duration::ZERO, true),
            (Some(TimeControl { margin: Duration::ZERO, ..control }), GRACE, false),
        ] {
            let mut slow = Waiting { own, waited: Duration::ZERO };
            let mut other = RandomPlayer::new(Random::new(1));
            let agents: BySide<&mut dyn Agent<Einstein>> = BySide::new(&mut slow, &mut other);
            let adjudicate = &mut |game: &Einstein| (game.ply() > 3).then_some(Outcome::Draw);
            let terms = Terms { budget: Budget::default(), clock, adjudicate };
            let dice = &mut FairDice::new(1);
            let ending = play_on(terms, Einstein::default(), agents, dice, &mut ()).unwrap();
            assert_eq!(ending.failure.is_none(), in_time, "{clock:?} {own:?} {ending:?}");
        }
    }

    #[test]
    fn an_adjudicated_game_ends_before_the_roll() {
        let [mut red, mut blue] = [1, 2].map(|seed| RandomPlayer::new(Random::new(seed)));
        let agents: BySide<&mut dyn Agent<Einstein>> = BySide::new(&mut red, &mut blue);
        let terms = Terms {
            budget: Budget::default(),
            clock: None,
            adjudicate: &mut |game: &Einstein| {
                (game.ply() > 4).then_some(Outcome::Win(Side::Second))
            },
        };
        let start = Einstein::default();
        let ending = play_on(terms, start, agents, &mut FairDice::new(1), &mut ()).unwrap();
        let plies = 5 - start.ply();
        assert_eq!(ending, Ending { outcome: Outcome::Win(Side::Second), failure: None, plies });
    }

    #[test]
    fn a_stopped_game_has_no_result() {
        static STOP: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(true);
        let [mut red, mut blue] = [1, 2].map(|seed| RandomPlayer::new(Random::new(seed)));
        let agents: BySide<&mut dyn Agent<Einstein>> = BySide::new(&mut red, &mut blue);
        let budget = Budget { stop: Some(&STOP), ..Budget::default() };
        let ending = play(Einstein::default(), agents, &mut FairDice::new(1), budget, &mut ());
        assert_eq!(ending, Err(Interruption::Stopped));
    }
}
