//! The tally of a match: sums over its games, and the data that they need from each game.
//!
//! Tallies can be saved and added together, so that a long match can be played in parts, each with
//! a seed of its own.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use wurfel_core::{Failure, Outcome, Side};

use crate::control::Control;
use crate::played_games::PlayedGames;
use crate::score::{MAX_COUNT, Score};
use crate::searches::Searches;
use crate::wins::Wins;

/// The time that an agent used for its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Timing {
    /// The number of its decisions.
    pub moves: u64,
    /// The time for all decisions.
    pub total: Duration,
    /// The time for the slowest decision.
    pub longest: Duration,
}

impl Timing {
    /// Adds other decisions.
    pub fn merge(&mut self, other: &Self) {
        self.moves += other.moves;
        self.total += other.total;
        self.longest = self.longest.max(other.longest);
    }

    /// Adds a decision.
    pub fn add(&mut self, time: Duration) {
        self.merge(&Self { moves: 1, total: time, longest: time });
    }

    /// The mean time for a decision.
    pub fn mean(&self) -> Duration {
        Duration::from_nanos((self.total.as_nanos() / u128::from(self.moves.max(1))) as u64)
    }
}

/// Maximum number of reasons stored for each agent.
const MAX_REASONS: usize = 3;

/// Sums over the games of a match.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MatchTally {
    /// The score of the first agent.
    pub score: Score,
    /// Games that the first side won.
    pub first_side_wins: u64,
    /// Turns in all games.
    pub plies: u64,
    /// For each agent, the games that it won and how long they took.
    pub wins: [Wins; 2],
    /// For each agent, the games lost by a crash, an illegal move, and time.
    pub faults: [[u64; 3]; 2],
    /// For each agent, why it lost the first few of these games.
    #[serde(default)]
    pub reasons: [Vec<String>; 2],
    /// The games that no fault decided; missing in older files.
    #[serde(default)]
    pub played: PlayedGames,
    /// The agents' times. Those of an earlier run come from its table of moves, to the microsecond;
    /// without that table they are not known, and only the moves of this run count.
    pub timing: [Timing; 2],
    /// The statistics of each agent's searches.
    pub searches: [Searches; 2],
    /// The number of pairs that were read from an earlier run.
    pub resumed: u64,
    /// Whether all pairs were played.
    pub complete: bool,
    /// The results of the pairs with their luck, if it was measured.
    pub luck: Option<Control>,
}

/// Sums over the games of one agent, beside its score.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AgentTally {
    /// Its times.
    pub timing: Timing,
    /// The games lost by a crash, an illegal move, and time.
    pub faults: [u64; 3],
    /// Why it lost the first few of these games.
    pub reasons: Vec<String>,
    /// The games that it won and how long they took.
    pub wins: Wins,
    /// The statistics of its searches.
    pub searches: Searches,
}

impl AgentTally {
    /// Adds other games of the same agent.
    pub fn merge(&mut self, other: &Self) {
        self.timing.merge(&other.timing);
        add_faults((&mut self.faults, &mut self.reasons), (&other.faults, &other.reasons));
        self.wins.merge(&other.wins);
        self.searches.merge(&other.searches);
    }
}

/// Adds games that an agent lost by faults, and why, to others.
fn add_faults(
    (counts, reasons): (&mut [u64; 3], &mut Vec<String>),
    (more, why): (&[u64; 3], &[String]),
) {
    for (count, more) in counts.iter_mut().zip(more) {
        *count += more;
    }
    reasons.extend_from_slice(why);
    reasons.truncate(MAX_REASONS);
}

impl MatchTally {
    /// The part of the first agent (0) or the second (1).
    pub fn agent(&self, number: usize) -> AgentTally {
        AgentTally {
            timing: self.timing[number],
            faults: self.faults[number],
            reasons: self.reasons[number].clone(),
            wins: self.wins[number],
            searches: self.searches[number].clone(),
        }
    }

    /// Whether this can be the tally of a match, so that it can be merged with others. Checked
    /// where a tally is read from a file, whose content may be anything.
    pub fn is_possible(&self) -> bool {
        let bounded = |count: u64| count <= MAX_COUNT;
        let timing = |time: &Timing| {
            bounded(time.moves) && bounded(time.total.as_secs()) && time.longest <= time.total
        };
        self.score.is_possible()
            && self.score.allows(&self.faults)
            && self.first_side_wins <= self.score.games()
            && (self.played == PlayedGames::default()
                || self.played.fits(self.score.games(), self.lost_by_fault()))
            && self.wins_are_those_of_the_score()
            && bounded(self.plies)
            && bounded(self.resumed)
            && self.timing.iter().all(timing)
            && self.luck.as_ref().is_none_or(|luck| {
                luck.is_sound()
                    && luck.has_same_strata(&Control::default())
                    && bounded(luck.count())
            })
    }

    /// A tally of the score alone has no wins.
    fn wins_are_those_of_the_score(&self) -> bool {
        let won = self.wins.each_ref().map(|wins| wins.games);
        won == [0, 0] || won == [self.score.wins, self.score.losses]
    }

    /// The games that an agent lost by a fault.
    pub fn lost_by_fault(&self) -> u64 {
        self.faults.iter().flatten().sum()
    }

    /// The games that no fault decided; `None` where there was no fault, and for a tally of an earlier
    /// version, which did not store these games.
    pub fn played_games(&self) -> Option<&PlayedGames> {
        let lost = self.lost_by_fault();
        (lost > 0 && self.played.fits(self.score.games(), lost)).then_some(&self.played)
    }

    /// Turns in a game, of both sides together, on average.
    pub fn mean_plies(&self) -> f64 {
        self.plies as f64 / self.score.games().max(1) as f64
    }

    /// Adds the tally of another match of the same agents, in the same order. The result has luck
    /// only if both have. An empty tally changes nothing.
    pub fn merge(&mut self, other: &Self) {
        let [empty, nothing] = [self.score, other.score].map(|score| score.games() == 0);
        self.complete = other.complete && (self.complete || empty);
        self.luck = match (self.luck.take(), &other.luck) {
            (Some(mut luck), Some(more)) => {
                luck.merge(more);
                Some(luck)
            }
            (None, luck) if empty => luck.clone(),
            (luck, None) if nothing => luck,
            _ => None,
        };
        self.score.merge(&other.score);
        self.played.merge(&other.played);
        self.first_side_wins += other.first_side_wins;
        self.plies += other.plies;
        self.resumed += other.resumed;
        for agent in 0..2 {
            self.wins[agent].merge(&other.wins[agent]);
            self.timing[agent].merge(&other.timing[agent]);
            self.searches[agent].merge(&other.searches[agent]);
            add_faults(
                (&mut self.faults[agent], &mut self.reasons[agent]),
                (&other.faults[agent], &other.reasons[agent]),
            );
        }
    }

    /// Adds a pair from its result alone: the first agent's half points in its two games, and the mean
    /// of its luck in them, if that was measured.
    pub fn add_pair(&mut self, halves: [u8; 2], luck: Option<f64>) {
        self.score.add(halves);
        if let Some(luck) = luck {
            let points = f64::from(halves[0] + halves[1]) / 4.0;
            self.luck.get_or_insert_default().add(0, points, luck);
        }
    }

    /// The result of a pair: the first agent's points in its two games, in halves, and the mean of its
    /// luck in them, if that was measured.
    pub fn result_of(games: &[FinishedGame; 2]) -> ([u8; 2], Option<f64>) {
        let luck = games[0].luck.zip(games[1].luck).map(|(one, other)| f64::midpoint(one, other));
        (games.each_ref().map(FinishedGame::halves), luck)
    }

    /// Adds a pair.
    pub fn add(&mut self, games: &[FinishedGame; 2]) {
        let (halves, luck) = Self::result_of(games);
        self.add_pair(halves, luck);
        let by_rules = |game: &FinishedGame| game.failure.is_none().then(|| game.halves());
        self.played.add(games.each_ref().map(by_rules));
        for game in games {
            self.first_side_wins += u64::from(game.outcome == Outcome::Win(Side::First));
            self.plies += u64::from(game.plies);
            if let Some((agent, Failure { fault, reason })) = &game.failure {
                self.faults[*agent][*fault as usize] += 1;
                if self.reasons[*agent].len() < MAX_REASONS {
                    self.reasons[*agent].push(reason.clone());
                }
            }
            if let Some(side) = game.outcome.winner() {
                self.wins[game.sides.agent(side)].add(game.turns(side), game.plies);
            }
            for agent in 0..2 {
                self.timing[agent].merge(&game.timing[agent]);
                self.searches[agent].merge(&game.searches[agent]);
            }
        }
    }
}

/// The data that the tally of a match needs from a game.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// Who played which side.
    pub sides: Sides,
    /// How the game ended.
    pub outcome: Outcome,
    /// The agent that lost by a failure, and the failure; `None` when the rules decided the game.
    pub failure: Option<(usize, Failure)>,
    /// The number of turns of both sides together.
    pub plies: u32,
    /// The time that each agent used.
    pub timing: [Timing; 2],
    /// The statistics of each agent's searches.
    pub searches: [Searches; 2],
    /// The luck of **agent 0**, if it was measured.
    pub luck: Option<f64>,
}

impl FinishedGame {
    /// The points of agent 0, in halves.
    pub fn halves(&self) -> u8 {
        self.sides.halves(self.outcome)
    }

    /// The number of turns of one side. Turns alternate, and every match begins with the first
    /// side.
    fn turns(&self, side: Side) -> u32 {
        match side {
            Side::First => self.plies.div_ceil(2),
            Side::Second => self.plies / 2,
        }
    }
}

/// Which of the two agents plays which side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sides {
    /// The agent that plays the first side, 0 or 1.
    pub first: usize,
}

impl Sides {
    /// The agent that plays a side.
    pub fn agent(self, side: Side) -> usize {
        (self.first + side.index()) % 2
    }

    /// The points of agent 0, in halves.
    pub fn halves(self, outcome: Outcome) -> u8 {
        match outcome.winner() {
            None => 1,
            Some(side) => 2 * u8::from(self.agent(side) == 0),
        }
    }

    /// Converts the luck of the **first side** into that of **agent 0**.
    pub fn for_agent(self, luck: f64) -> f64 {
        if self.first == 0 { luck } else { -luck }
    }

    /// The side that an agent plays.
    pub fn side(self, agent: usize) -> Side {
        if agent == self.first { Side::First } else { Side::Second }
    }
}
