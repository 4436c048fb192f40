//! Time management: a total time for a game, shared out among its moves.

use std::time::Duration;

use wurfel_core::{
    Agent, Analysis, Budget, Decision, Failure, Game, Instant, Random, Statistic, Turn,
};

/// The number of moves among which the time is shared at the start of a game (paper `zweistein`,
/// equation 6). EWN lasts 22 plies when both sides move at random.
const MOVES: u32 = 15;
/// The smallest number of moves for which time is kept back, from the same equation.
const LEAST: u32 = 3;

/// The part of the time left that the next move may use: *time left* / max(*typical* − *moves made*,
/// 3), where `typical` is the number of moves among which the time is divided at the start of a game
/// (paper `zweistein`, equation 6, with 15).
///
/// ```
/// use std::time::Duration;
///
/// use wurfel_search::share;
///
/// let minute = Duration::from_secs(60);
/// // A fifteenth at the start, but a third at most.
/// assert_eq!(share(minute, 0, 15), Duration::from_secs(4));
/// assert_eq!(share(minute, 100, 15), Duration::from_secs(20));
/// # Ok::<(), wurfel_core::NotationError>(())
/// ```
pub fn share(left: Duration, made: u32, typical: u32) -> Duration {
    left / typical.saturating_sub(made).max(LEAST)
}

/// The time that is left for the rest of a game. Each move may take *time left* / max(15 − *moves
/// made*, 3) (paper `zweistein`, equation 6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allotment {
    left: Duration,
    made: u32,
}

impl Allotment {
    /// The time for a whole game.
    pub const fn new(total: Duration) -> Self {
        Self { left: total, made: 0 }
    }

    /// The time for the next move.
    pub fn next(&self) -> Duration {
        share(self.left, self.made, MOVES)
    }

    /// Takes the time that a move has used from what is left.
    pub fn spend(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time);
        self.made += 1;
    }
}

/// An agent that shares a total time out among the moves of a game. Its other limits are those of
/// `bounds` or, when that has none, those of each decision; of two times, the shorter one counts.
pub struct TimeManager<G> {
    agent: Box<dyn Agent<G>>,
    total: Duration,
    bounds: Budget<'static>,
    allotment: Allotment,
}

impl<G: Game> TimeManager<G> {
    /// Paces `agent` over `total` time for a game. `agent` must not have limits of its own, because
    /// it would use them instead of the time.
    pub fn new(agent: Box<dyn Agent<G>>, total: Duration, bounds: Budget<'static>) -> Self {
        Self { agent, total, bounds, allotment: Allotment::new(total) }
    }
}

impl<G: Game> Agent<G> for TimeManager<G> {
    fn begin(&mut self, random: Random) {
        self.allotment = Allotment::new(self.total);
        self.agent.begin(random);
    }

    /// The budget of the next decision, which must be asked for before that decision is made.
    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        let bounds = self.bounds.or(budget);
        let next = self.allotment.next();
        Budget { time: Some(bounds.time.map_or(next, |time| time.min(next))), ..bounds }
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move> {
        let started = Instant::now();
        let decision = self.agent.decide(turn, self.bounds(budget));
        self.allotment.spend(started.elapsed());
        decision
    }

    /// An analysis may take as long as the next move, and takes nothing from the total time.
    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Analysis<G> {
        self.agent.analyse(turn, self.bounds(budget))
    }

    fn observe(&mut self, turn: Turn<'_, G>, mv: G::Move) {
        self.agent.observe(turn, mv);
    }

    fn end(&mut self) {
        self.agent.end();
    }

    fn failure(&mut self) -> Option<Failure> {
        self.agent.failure()
    }

    fn waited(&self) -> Option<Duration> {
        self.agent.waited()
    }

    fn counts(&self) -> Option<&'static str> {
        self.agent.counts()
    }

    fn statistics(&self) -> Vec<Statistic> {
        self.agent.statistics()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifteenth_at_first_and_a_third_at_last() {
        let seconds = Duration::from_secs;
        let mut allotment = Allotment::new(seconds(60));
        for move_made in 0..12 {
            // Each move takes its share, and the shares stay the same up to the twelfth move...
            assert_eq!(allotment.next(), seconds(4), "move {move_made}");
            allotment.spend(seconds(4));
        }
        // ... when 12 seconds are left; from then on, each share is a third of the rest.
        for share in [4.0, 8.0 / 3.0, 16.0 / 9.0] {
            let next = allotment.next();
            assert!((next.as_secs_f64() - share).abs() < 1e-6, "{next:?} {share}");
            allotment.spend(next);
        }
        allotment.spend(seconds(100));
        assert_eq!(allotment.next(), Duration::ZERO);
    }

    #[test]
    fn what_a_move_saves_the_others_may_take() {
        let mut allotment = Allotment::new(Duration::from_secs(30));
        allotment.spend(Duration::ZERO);
        assert_eq!(allotment.next(), Duration::from_secs(30) / 14);
    }
}
