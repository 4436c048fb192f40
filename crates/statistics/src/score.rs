//! The score of a match, and its conclusions about the strength of the two agents.
//!
//! The two games of a mirrored pair share their dice, so games are not independent, but pairs are.
//! All intervals are therefore calculated from the variance between pairs.

use serde::{Deserialize, Serialize};

use crate::normal::normal;

/// The two-sided 95 % quantile of the normal distribution.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// The largest count that is accepted from a file: more than a match can reach, and so few that
/// sums of counts do not overflow.
pub const MAX_COUNT: u64 = 1 << 40;

/// The games of a match, seen from its first agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by the points won in them: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
}

/// A 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// Its two ends.
    pub const fn ends(self) -> [f64; 2] {
        [self.low, self.high]
    }
}

/// The statistics of a [`Score`]. All rates are the first agent's, from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// Points won per game.
    pub win_rate: f64,
    /// The 95 % interval of the win rate.
    pub interval: Interval,
    /// The Elo difference that the win rate stands for; `None` if one agent won all games.
    pub elo: Option<f64>,
    /// The Elo difference at the lower end of the interval; `None` as for `elo`.
    pub elo_low: Option<f64>,
    /// The Elo difference at the upper end of the interval; `None` as for `elo`.
    pub elo_high: Option<f64>,
    /// Likelihood of superiority: the probability that the first agent is the stronger one, given
    /// these games.
    pub los: f64,
    /// How many times as many independent games would be needed for the same interval; `None` when
    /// pairs do not vary.
    pub gain_of_pairing: Option<f64>,
    /// The number of games after which the interval would be the win rate ± 1 %; `None` when pairs
    /// do not vary.
    pub games_for_one_percent: Option<u64>,
}

impl Score {
    /// Adds a pair, given the first agent's points in its two games, in halves.
    pub fn add(&mut self, halves: [u8; 2]) {
        for game in halves {
            match game {
                0 => self.losses += 1,
                1 => self.draws += 1,
                _ => self.wins += 1,
            }
        }
        self.pairs[usize::from(halves[0] + halves[1])] += 1;
    }

    /// Adds other games of the same agents.
    pub fn merge(&mut self, other: &Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for (count, more) in self.pairs.iter_mut().zip(other.pairs) {
            *count += more;
        }
    }

    /// Whether these can be the games of a match: the pairs have as many games and points as the
    /// counts say, and sums cannot overflow. Checked where a score is read from a file, whose
    /// content may be anything.
    pub fn is_possible(&self) -> bool {
        let mut counts = [self.wins, self.draws, self.losses].into_iter().chain(self.pairs);
        let halves =
            || self.pairs.iter().zip(0..).map(|(count, halves)| count * halves).sum::<u64>();
        counts.all(|count| count <= MAX_COUNT)
            && self.games() == 2 * self.pairs.iter().sum::<u64>()
            && 2 * self.wins + self.draws == halves()
    }

    /// Whether each agent, in a match with this score, can have lost this number of games by
    /// its own faults.
    pub fn allows(&self, faults: &[[u64; 3]; 2]) -> bool {
        [self.losses, self.wins].into_iter().zip(faults).all(|(lost, faults)| {
            let lost_by_faults =
                faults.iter().try_fold(0, |sum: u64, &count| sum.checked_add(count));
            lost_by_faults.is_some_and(|count| count <= lost)
        })
    }

    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The statistics of the score. Without games the intervals span everything.
    pub fn summary(&self) -> Summary {
        let pairs = self.games() as f64 / 2.0;
        if pairs == 0.0 {
            return Summary {
                win_rate: 0.5,
                interval: Interval { low: 0.0, high: 1.0 },
                elo: None,
                elo_low: None,
                elo_high: None,
                los: 0.5,
                gain_of_pairing: None,
                games_for_one_percent: None,
            };
        }
        let mean = (self.wins as f64 + self.draws as f64 / 2.0) / self.games() as f64;
        let spread = self.variance_of_pairs(mean);
        let interval = interval(mean, spread, pairs);
        let varies = spread > 0.0;
        Summary {
            win_rate: mean,
            interval,
            elo: elo(mean),
            elo_low: elo(interval.low),
            elo_high: elo(interval.high),
            los: superiority(mean, spread, pairs),
            gain_of_pairing: varies.then(|| self.variance_of_games(mean) / 2.0 / spread),
            games_for_one_percent: varies
                .then(|| (2.0 * spread * (Z / 0.01).powi(2)).ceil() as u64),
        }
    }

    /// The interval of the win rate that reaches this many standard errors to each side; 1.96 of
    /// them are those of [`summary`](Self::summary).
    pub fn interval_reaching(&self, errors: f64) -> Interval {
        let pairs = self.games() as f64 / 2.0;
        if pairs == 0.0 {
            return Interval { low: 0.0, high: 1.0 };
        }
        let mean = (self.wins as f64 + self.draws as f64 / 2.0) / self.games() as f64;
        reaching(mean, self.variance_of_pairs(mean), pairs, errors)
    }

    /// The variance of a pair's mean score.
    fn variance_of_pairs(&self, mean: f64) -> f64 {
        let pairs: u64 = self.pairs.iter().sum();
        let squares: f64 = (self.pairs.iter().zip(0..))
            .map(|(&count, quarters)| count as f64 * (f64::from(quarters) / 4.0 - mean).powi(2))
            .sum();
        // Estimating the mean uses up one degree of freedom.
        if pairs < 2 { 0.0 } else { squares / (pairs - 1) as f64 }
    }

    /// The variance of a single game's score.
    fn variance_of_games(&self, mean: f64) -> f64 {
        let squares = self.wins as f64 * (1.0 - mean).powi(2)
            + self.draws as f64 * (0.5 - mean).powi(2)
            + self.losses as f64 * mean.powi(2);
        squares / self.games() as f64
    }
}

/// The 95 % interval of a mean over `pairs` pairs with this variance.
pub(crate) fn interval(mean: f64, variance: f64, pairs: f64) -> Interval {
    reaching(mean, variance, pairs, Z)
}

/// The interval of a mean over `pairs` pairs with this variance, `errors` standard errors wide to
/// each side.
///
/// It is Wilson's score interval for the number of independent games that would give the observed
/// variance, with Student's quantile for few pairs. Unlike mean ± z·se it keeps its coverage near 0
/// and 1. When all pairs were equal, the variance says nothing; the interval is then that of
/// Clopper and Pearson.
fn reaching(mean: f64, variance: f64, pairs: f64, errors: f64) -> Interval {
    if variance == 0.0 {
        let unseen = never_seen(normal(-errors), pairs);
        return Interval { low: mean - unseen * mean, high: mean + unseen * (1.0 - mean) };
    }
    let errors = errors / Z * student_quantile(pairs - 1.0);
    wilson_interval(mean, errors, mean * (1.0 - mean) * pairs / variance)
}

/// The score interval of a share of `cases` independent cases that reaches `z` standard deviations
/// to either side (E. B. Wilson, 1927).
pub fn wilson_interval(share: f64, z: f64, cases: f64) -> Interval {
    let z2 = z.powi(2) / cases;
    let centre = (share + z2 / 2.0) / (1.0 + z2);
    let half = (z2 * (share * (1.0 - share) + z2 / 4.0)).sqrt() / (1.0 + z2);
    Interval { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
}

/// The upper end of the 95 % interval of the share of an event that none of `cases` cases showed
/// (C. J. Clopper and E. S. Pearson, 1934).
pub fn unseen_upper_bound(cases: f64) -> f64 {
    never_seen(0.025, cases)
}

/// The share of an event that stays unseen in `cases` cases with this probability.
fn never_seen(probability: f64, cases: f64) -> f64 {
    1.0 - probability.powf(1.0 / cases)
}

/// The two-sided 95 % quantile of Student's distribution: exact for 1 and 2 degrees of freedom, and
/// by Cornish and Fisher's expansion beyond (error below 0.006 for 3, below 0.0001 from 8 on).
pub fn student_quantile(freedom: f64) -> f64 {
    if freedom < 1.5 {
        return 12.706_205;
    }
    if freedom < 2.5 {
        return 4.302_653;
    }
    let z = Z;
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5)
            - 1920.0 * z.powi(3)
            - 945.0 * z)
            / 92_160.0,
    ];
    z + terms.iter().zip(1..).map(|(term, power)| term / freedom.powi(power)).sum::<f64>()
}

/// The Elo difference that a win rate stands for.
fn elo(rate: f64) -> Option<f64> {
    (0.0 < rate && rate < 1.0).then(|| 400.0 * (rate / (1.0 - rate)).log10())
}

/// The probability that the true mean is above ½.
fn superiority(mean: f64, variance: f64, pairs: f64) -> f64 {
    if variance > 0.0 {
        return normal((mean - 0.5) / (variance / pairs).sqrt());
    }
    // All pairs were equal: this is the probability that the same number of fair pairs would all be equal.
    let chance = 0.5f64.powf(pairs + 1.0);
    match mean {
        low if low < 0.5 => chance,
        high if high > 0.5 => 1.0 - chance,
        _ => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_core::Random;

    fn near(left: f64, right: f64, error: f64) {
        assert!((left - right).abs() <= error, "{left} is not {right}");
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, quantile) in [
            (1.0, 12.706),
            (2.0, 4.303),
            (3.0, 3.182),
            (4.0, 2.776),
            (10.0, 2.228),
            (30.0, 2.042),
            (120.0, 1.980),
        ] {
            near(student_quantile(freedom), quantile, 0.006);
        }
    }

    #[test]
    fn elo_is_the_logistic_scale() {
        near(elo(0.75).unwrap(), 190.848_5, 1e-3);
        near(elo(0.64).unwrap(), 99.95, 0.1);
        assert_eq!(elo(1.0), None);
    }

    #[test]
    fn independent_games_give_wilsons_interval() {
        // Wilson (1927) for 81 of 263: 0.2553 to 0.3662 (Newcombe 1998, table I). The pairs here
        // vary as independent games would.
        let mean: f64 = 81.0 / 263.0;
        let wilson_interval = interval(mean, mean * (1.0 - mean) / 2.0, 131.5);
        near(wilson_interval.low, 0.2553, 2e-3);
        near(wilson_interval.high, 0.3662, 2e-3);
    }

    #[test]
    fn pairs_that_split_evenly_say_more_than_their_games() {
        let mut score = Score::default();
        (0..60).for_each(|_| score.add([2, 0]));
        (0..30).for_each(|_| score.add([2, 2]));
        (0..10).for_each(|_| score.add([0, 0]));
        let summary = score.summary();
        near(summary.win_rate, 0.6, 1e-12);
        // The variance between pairs is (60·0.1² + 30·0.4² + 10·0.6²) / 99, that of games 0.24.
        near(summary.gain_of_pairing.unwrap(), 0.12 / (9.0 / 99.0), 1e-9);
        near(summary.games_for_one_percent.unwrap() as f64, 6985.0, 1.0);
        assert!(summary.interval.low > 0.53 && summary.interval.high < 0.67);
        assert!(summary.los > 0.999);
    }

    #[test]
    fn a_clean_sweep_proves_only_so_much() {
        let mut score = Score::default();
        (0..10).for_each(|_| score.add([2, 2]));
        let summary = score.summary();
        // Clopper and Pearson for 10 of 10: 0.6915 to 1.
        near(summary.interval.low, 0.6915, 1e-4);
        near(summary.interval.high, 1.0, 1e-12);
        assert_eq!(summary.elo, None);
        assert!(summary.los < 1.0);
    }

    #[test]
    fn intervals_cover_the_truth_in_95_per_cent() {
        // Pairs of games with shared luck: the stronger side wins both games with probability 0.3,
        // the weaker one with probability 0.2, and otherwise each wins one.
        let mut random = Random::new(11);
        for pairs in [4, 20, 200] {
            let trials = 4000;
            let covered = (0..trials)
                .filter(|_| {
                    let mut score = Score::default();
                    for _ in 0..pairs {
                        score.add(match random.below(10) {
                            0..3 => [2, 2],
                            3..5 => [0, 0],
                            _ => [2, 0],
                        });
                    }
                    let Interval { low, high } = score.summary().interval;
                    low <= 0.55 && 0.55 <= high
                })
                .count();
            let share = covered as f64 / f64::from(trials);
            assert!(share >= 0.935 && (pairs < 20 || share <= 0.97), "{pairs} pairs: {share}");
        }
    }
}
