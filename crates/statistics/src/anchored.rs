//! Ratings above an anchor, from differences that were measured with errors of their own, such as
//! the results of matches with luck taken off.
//!
//! The model of Bradley and Terry ([`Ratings`](crate::Ratings)) counts games and cannot use what is
//! known about their luck. Here each match gives a difference in Elo with its standard error, and
//! the ratings are those that agree best with all of them: weighted least squares, which for a
//! single match against the anchor is the difference itself. The price is that a match must be long
//! enough for its error to be normally distributed.

use crate::bradley_terry::ELO;
use crate::cholesky::Cholesky;
use crate::control::Control;
use crate::pentanomial::elo_of;
use crate::score::{Interval, Score, Z};

/// A measured difference between two players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EloDifference {
    /// The players; the difference is that of the first above the second.
    pub players: [usize; 2],
    /// The difference in Elo of the first player above the second.
    pub elo: f64,
    /// Its standard error.
    pub error: f64,
}

impl EloDifference {
    /// The difference between two players that a match shows, with luck taken off if it was
    /// measured. It is always finite, because half a game more is counted as won and as lost.
    pub fn of(players: [usize; 2], score: &Score, luck: Option<&Control>) -> Self {
        let games = score.games() as f64;
        let raw = (score.wins as f64 + score.draws as f64 / 2.0) / games.max(1.0);
        let adjusted = luck.and_then(Control::adjusted).map(|adjusted| adjusted.estimate);
        let (mean, error) = match adjusted {
            Some(estimate) => (estimate.mean, estimate.error),
            None => {
                let interval = score.summary().interval;
                (raw, (interval.high - interval.low) / (2.0 * Z))
            }
        };
        let shrunk = (games * mean.clamp(0.0, 1.0) + 0.5) / (games + 1.0);
        let slope = ELO / (shrunk * (1.0 - shrunk));
        // The error is at least as large as the change that one other result among all games would
        // make.
        let least = (shrunk * (1.0 - shrunk)).sqrt() / (games + 1.0);
        Self { players, elo: elo_of(shrunk), error: slope * error.max(least) }
    }
}

/// A rating above that of the anchor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AnchoredRating {
    /// The rating in Elo; 0 for the anchor.
    pub elo: f64,
    /// The 95 % interval of the rating, in Elo.
    pub interval: Interval,
}

/// The ratings of `players` players above one of them, the anchor. The differences must connect the
/// anchor with all other players.
pub fn anchored_ratings(
    players: usize,
    anchor: usize,
    differences: &[EloDifference],
) -> Vec<AnchoredRating> {
    let mut information = vec![0.0; players * players];
    let mut sums = vec![0.0; players];
    // Fixes the anchor at 0. The precision does not matter, because nothing else determines the
    // common level of all ratings.
    information[anchor * players + anchor] = 1.0;
    for &EloDifference { players: [one, other], elo, error } in differences {
        let weight = 1.0 / (error * error);
        information[one * players + one] += weight;
        information[other * players + other] += weight;
        information[one * players + other] -= weight;
        information[other * players + one] -= weight;
        sums[one] += weight * elo;
        sums[other] -= weight * elo;
    }
    let solver = Cholesky::of(information, players);
    let ratings = solver.solve(sums);
    let column = |player: usize| {
        let mut unit = vec![0.0; players];
        unit[player] = 1.0;
        solver.solve(unit)
    };
    let of_anchor = column(anchor);
    let rating = |player: usize| {
        let own = column(player)[player];
        let variance = own + of_anchor[anchor] - 2.0 * of_anchor[player];
        let half = Z * variance.max(0.0).sqrt();
        let elo = ratings[player] - ratings[anchor];
        AnchoredRating { elo, interval: Interval { low: elo - half, high: elo + half } }
    };
    (0..players).map(rating).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pentanomial::score_of;
    use wurfel_core::Random;

    fn difference(players: [usize; 2], elo: f64, error: f64) -> EloDifference {
        EloDifference { players, elo, error }
    }

    #[test]
    fn one_anchor_gives_the_differences_themselves() {
        let ratings = anchored_ratings(
            3,
            0,
            &[difference([1, 0], 50.0, 10.0), difference([2, 0], -20.0, 5.0)],
        );
        for (rating, elo, half) in
            [(ratings[0], 0.0, 0.0), (ratings[1], 50.0, 19.6), (ratings[2], -20.0, 9.8)]
        {
            assert!((rating.elo - elo).abs() < 1e-6, "{ratings:?}");
            assert!((rating.interval.high - elo - half).abs() < 0.01, "{ratings:?}");
        }
    }

    /// Two paths lead from the anchor to player 1: a direct one, and one through player 2 with
    /// twice the variance. Their weights are two thirds and one third.
    #[test]
    fn all_ways_to_a_player_count_by_how_precise_they_are() {
        let all = [
            difference([1, 0], 30.0, 10.0),
            difference([2, 0], 40.0, 10.0),
            difference([1, 2], 20.0, 10.0),
        ];
        let ratings = anchored_ratings(3, 0, &all);
        assert!((ratings[1].elo - 40.0).abs() < 1e-6, "{ratings:?}");
        let half = Z * (200.0f64 / 3.0).sqrt();
        assert!((ratings[1].interval.high - 40.0 - half).abs() < 1e-6, "{ratings:?}");
    }

    /// The score of a match of independent games.
    fn played(pairs: u64, elo: f64, random: &mut Random) -> Score {
        let mut score = Score::default();
        for _ in 0..pairs {
            score.add([0; 2].map(|_| 2 * u8::from(random.unit() < score_of(elo))));
        }
        score
    }

    /// Three players with known true ratings play two anchors: their intervals contain the truth in
    /// 95 % of the simulations.
    #[test]
    fn intervals_cover_the_truth_as_often_as_they_say() {
        let truth = [0.0, 120.0, -150.0, 60.0, 300.0];
        let mut random = Random::new(3);
        let (mut covered, mut all) = (0, 0);
        for _ in 0..600 {
            let mut differences = vec![];
            for player in 2..5 {
                for anchor in 0..2 {
                    let score = played(100, truth[player] - truth[anchor], &mut random);
                    differences.push(EloDifference::of([player, anchor], &score, None));
                }
            }
            let ratings = anchored_ratings(5, 0, &differences);
            for (rating, truth) in ratings.iter().zip(truth).skip(1) {
                let Interval { low, high } = rating.interval;
                covered += u32::from(low <= truth && truth <= high);
                all += 1;
            }
        }
        let share = f64::from(covered) / f64::from(all);
        assert!((0.935..0.97).contains(&share), "{share}");
    }

    #[test]
    fn a_match_that_was_won_completely_is_finite() {
        let mut score = Score::default();
        (0..50).for_each(|_| score.add([2, 2]));
        let EloDifference { elo, error, .. } = EloDifference::of([0, 1], &score, None);
        assert!((elo - 921.0).abs() < 1.0 && (100.0..1000.0).contains(&error), "{elo} {error}");
    }
}
