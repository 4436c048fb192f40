//! The report of a match, and what it needs to know of each game.

use std::time::Duration;

use wurfel_core::{Outcome, Side};

use crate::play::referee::Fault;
use crate::records::record::GameRecord;
use crate::statistics::control::Control;
use crate::statistics::score::Score;

/// The time that an agent used for its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Timing {
    /// The number of its decisions.
    pub moves: u64,
    /// The time for all decisions.
    pub total: Duration,
    /// The time for the slowest decision.
    pub longest: Duration,
}

impl Timing {
    pub(crate) fn add(&mut self, other: Self) {
        self.moves += other.moves;
        self.total += other.total;
        self.longest = self.longest.max(other.longest);
    }

    /// The mean time for a decision.
    pub fn mean(&self) -> Duration {
        Duration::from_nanos((self.total.as_nanos() / u128::from(self.moves.max(1))) as u64)
    }
}

/// The results of a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MatchReport {
    /// The score of the first agent.
    pub score: Score,
    /// Games that the first side won.
    pub first_side_wins: u64,
    /// Turns in all games.
    pub plies: u64,
    /// For each agent, the games lost by a crash, an illegal move, and time.
    pub faults: [[u64; 3]; 2],
    /// The agents' times in this run; games of an earlier run are not in it.
    pub timing: [Timing; 2],
    /// The number of pairs that were read from an earlier run.
    pub resumed: u64,
    /// Whether all pairs were played.
    pub complete: bool,
    /// The results of the pairs with their luck, if it was measured.
    pub luck: Option<Control>,
}

impl MatchReport {
    /// Adds a pair.
    pub(crate) fn add(&mut self, games: &[Finished; 2]) {
        let halves = games.each_ref().map(Finished::halves);
        self.score.add(halves);
        if let [Some(one), Some(other)] = games.each_ref().map(|game| game.luck) {
            let points = f64::from(halves[0] + halves[1]) / 4.0;
            self.luck.get_or_insert_default().add(0, points, f64::midpoint(one, other));
        }
        for game in games {
            self.first_side_wins += u64::from(game.outcome == Outcome::Win(Side::First));
            self.plies += u64::from(game.plies);
            if let Some((agent, fault)) = game.fault {
                self.faults[agent][fault as usize] += 1;
            }
            for (timing, more) in self.timing.iter_mut().zip(game.timing) {
                timing.add(more);
            }
        }
    }
}

/// What the report of a match needs to know of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finished {
    pub sides: Sides,
    pub outcome: Outcome,
    /// The agent that lost by a fault.
    pub fault: Option<(usize, Fault)>,
    pub plies: u32,
    /// The time that each agent used.
    pub timing: [Timing; 2],
    /// The luck of **agent 0**, if it was measured.
    pub luck: Option<f64>,
}

impl Finished {
    /// The points of agent 0, in halves.
    fn halves(&self) -> u8 {
        match self.outcome.winner() {
            None => 1,
            Some(side) => 2 * u8::from(self.sides.agent(side) == 0),
        }
    }

    /// The game of a record, without its times.
    pub(crate) fn of_record(record: &GameRecord) -> Option<Self> {
        Some(Self {
            sides: Sides { first: usize::from(record.first & 1) },
            outcome: record.outcome()?,
            fault: record.fault.map(|(agent, fault)| (usize::from(agent & 1), fault)),
            plies: record.plies,
            timing: [Timing::default(); 2],
            luck: None,
        })
    }
}

/// Which of the two agents plays which side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sides {
    /// The agent that plays the first side, 0 or 1.
    pub first: usize,
}

impl Sides {
    /// The agent that plays a side.
    pub fn agent(self, side: Side) -> usize {
        (self.first + side.index()) % 2
    }

    /// Turns the luck of the **first side** into that of **agent 0**.
    pub fn for_agent(self, luck: f64) -> f64 {
        if self.first == 0 { luck } else { -luck }
    }

    /// The side that an agent plays.
    pub fn side(self, agent: usize) -> Side {
        if agent == self.first { Side::First } else { Side::Second }
    }
}
