//! The games of a match that the rules decided, apart from those that an agent lost by a fault.
//!
//! A game that is forfeited says something about a program's health, and little about its strength. The
//! win rate of a match counts it, as a tournament would; this is the win rate without it. Where a fault
//! took one game of a mirrored pair, the other stays as a game without a partner, so the interval comes
//! from units of one or two games (the ratio estimator of cluster sampling: W. G. Cochran, *Sampling
//! Techniques*, 1977).

use serde::{Deserialize, Serialize};

use crate::score::{Interval, interval};

/// The share of games lost by faults above which a win rate is not to be taken for strength. It was
/// not measured.
const MAX_FAULTS: f64 = 0.03;

/// A warning about win rates when many games were lost by faults; `None` when they are few.
pub fn fault_warning(lost_by_fault: u64, games: u64) -> Option<String> {
    let share = lost_by_fault as f64 / games.max(1) as f64;
    (share > MAX_FAULTS).then(|| {
        format!(
            "{lost_by_fault} of {games} games ({:.1} %) were lost by faults: win rates say little about \
             strength",
            100.0 * share
        )
    })
}

/// The win rate in games that no fault decided.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PlayedRate {
    /// The number of these games.
    pub games: u64,
    /// Points per game.
    pub rate: f64,
    /// The 95 % interval of the rate.
    pub interval: Interval,
}

/// The games of a match that no fault decided, seen from its first agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PlayedGames {
    /// Pairs in which neither game was lost by a fault, by the points won in them: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// Games whose partner was lost by a fault: those lost, drawn and won.
    pub singles: [u64; 3],
}

impl PlayedGames {
    /// Adds the games of a pair, given the points that the first agent won in them, in halves; `None`
    /// stands for a game that a fault decided.
    pub fn add(&mut self, games: [Option<u8>; 2]) {
        match games {
            [Some(one), Some(other)] => self.pairs[usize::from(one + other)] += 1,
            [Some(halves), None] | [None, Some(halves)] => self.singles[usize::from(halves)] += 1,
            [None, None] => {}
        }
    }

    /// Adds other games of the same agents.
    pub fn merge(&mut self, other: &Self) {
        let more = other.counts();
        for (count, more) in self.pairs.iter_mut().chain(&mut self.singles).zip(more) {
            *count += more;
        }
    }

    fn counts(&self) -> impl Iterator<Item = u64> {
        self.pairs.into_iter().chain(self.singles)
    }

    /// Whether these can be the games of a match of `games` games with `lost_by_fault` lost by faults.
    pub fn fits(&self, games: u64, lost_by_fault: u64) -> bool {
        self.counts().all(|count| count <= games)
            && self.games().checked_add(lost_by_fault) == Some(games)
    }

    /// The number of these games.
    pub fn games(&self) -> u64 {
        2 * self.pairs.iter().sum::<u64>() + self.singles.iter().sum::<u64>()
    }

    /// The win rate of the **first agent** in these games; `None` without games.
    pub fn rate(&self) -> Option<PlayedRate> {
        let games = self.games() as f64;
        // Units of one or two games: their size, the points won, and how many there are.
        let units = |counts: &[u64], size: f64| {
            let points = counts
                .iter()
                .zip(0..)
                .map(move |(&count, halves)| (size, f64::from(halves) / 2.0, count as f64));
            points.collect::<Vec<_>>()
        };
        let units = [units(&self.pairs, 2.0), units(&self.singles, 1.0)].concat();
        let number: f64 = units.iter().map(|(.., count)| count).sum();
        let rate = units.iter().map(|(_, points, count)| points * count).sum::<f64>() / games;
        let squares: f64 =
            units.iter().map(|(size, points, count)| count * (points - rate * size).powi(2)).sum();
        // Estimating the rate uses up one degree of freedom.
        let spread = if number < 2.0 { 0.0 } else { squares * number / (number - 1.0) };
        (games > 0.0).then(|| PlayedRate {
            games: self.games(),
            rate,
            interval: interval(rate, spread * number / games.powi(2), number),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Score;
    use wurfel_core::Random;

    /// Without faults it is the win rate of the match, with the same interval.
    #[test]
    fn without_faults_nothing_differs() {
        let (mut played, mut score) = (PlayedGames::default(), Score::default());
        for (pair, count) in [([2, 0], 6), ([2, 2], 3), ([1, 0], 1), ([0, 0], 1)] {
            for _ in 0..count {
                played.add(pair.map(Some));
                score.add(pair);
            }
        }
        let PlayedRate { rate, interval: actual, .. } = played.rate().unwrap();
        let summary = score.summary();
        assert!((rate - summary.win_rate).abs() < 1e-12);
        for (one, other) in
            [(actual.low, summary.interval.low), (actual.high, summary.interval.high)]
        {
            assert!((one - other).abs() < 1e-12, "{actual:?} {:?}", summary.interval);
        }
        assert!(played.fits(22, 0) && !played.fits(22, 1));
    }

    #[test]
    fn games_lost_by_faults_are_left_out() {
        let mut played = PlayedGames::default();
        assert_eq!(played.rate(), None);
        played.add([Some(2), None]);
        played.add([None, Some(0)]);
        played.add([Some(2), Some(2)]);
        played.add([None, None]);
        assert_eq!((played.games(), played.rate().unwrap().rate), (4, 0.75));
        assert!(played.fits(8, 4));
    }

    /// The agent wins each game with probability 0.6, its opponent's game of a pair being dependent on
    /// its own, and a third of the games are lost by faults.
    #[test]
    fn intervals_cover_the_truth_in_95_per_cent() {
        let mut random = Random::new(3);
        let trials = 2000;
        let covered = (0..trials).filter(|_| {
            let mut played = PlayedGames::default();
            for _ in 0..60 {
                let pair = match random.below(10) {
                    0..4 => [2, 2],
                    4..6 => [0, 0],
                    _ => {
                        if random.below(2) == 0 {
                            [2, 0]
                        } else {
                            [0, 2]
                        }
                    }
                };
                played.add(pair.map(|halves| (random.below(3) > 0).then_some(halves)));
            }
            let Interval { low, high } = played.rate().unwrap().interval;
            low <= 0.6 && 0.6 <= high
        });
        let share = covered.count() as f64 / f64::from(trials);
        assert!((0.935..=0.97).contains(&share), "{share}");
    }

    #[test]
    fn a_few_per_cent_are_many() {
        assert_eq!((fault_warning(0, 0), fault_warning(6, 200)), (None, None));
        let warning = fault_warning(94, 200).unwrap();
        let expected =
            "94 of 200 games (47.0 %) were lost by faults: win rates say little about strength";
        assert_eq!(warning, expected);
    }
}
