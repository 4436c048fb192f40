//! Ratings with the luck of the dice taken off.
//!
//! For every two players, luck is taken off the points of their mirrored pairs as in a match
//! ([`Control`]), and the ratings are those that explain the adjusted points. Where luck was not
//! measured, or there are too few pairs to fit how much of it to take off, the points count as they
//! were won.
//!
//! How certain the ratings are follows from how the clusters of games that share their dice differ from
//! what the ratings expect of them: with the inverse information A and the gradient *g* of each cluster
//! the covariance of the ratings is A (Σ *g g*ᵀ) A, the *sandwich estimator* (P. Huber, *The behavior of
//! maximum likelihood estimates under nonstandard conditions*, 1967; for clusters K.-Y. Liang, S.
//! Zeger, *Longitudinal data analysis using generalized linear models*, 1986). Unlike resampling it
//! passes over the games only once, which matters because no two results with their luck are alike.

use crate::bradley_terry::{ELO, Ratings};
use crate::clusters::{ClusterBuilder, Clusters, Contribution, NamedResult};
use crate::control::{Control, FOLDS};
use crate::encounters::{Encounter, Points};
use crate::score::{Interval, student_quantile};

/// Ratings of players whose luck was taken off.
#[derive(Clone, PartialEq, Debug)]
pub struct LuckAdjusted {
    ratings: Ratings,
    /// The covariances of the strengths.
    covariance: Vec<f64>,
    clusters: Clusters,
}

impl LuckAdjusted {
    /// The ratings of `players` players from these results; `None` where no luck can be taken off.
    pub fn of(players: usize, encounters: &[Encounter], results: &ClusterBuilder) -> Option<Self> {
        let mut named = results.named();
        let taken_off = take_luck_off(&mut named, encounters.len())?;
        let mut points = Points::of(players, encounters.iter().copied());
        for (encounter, luck) in encounters.iter().zip(taken_off) {
            points.shift(encounter.players, -luck);
        }
        let ratings = Ratings::of_points(points);
        let mut spread =
            Spread { encounters, ratings: &ratings, squares: vec![0.0; players * players] };
        for cluster in named.chunk_by(NamedResult::shares) {
            spread.add(cluster.iter().map(|of| (of.added, of.luck.unwrap_or(0.0))), 1);
        }
        for (added, count) in results.alone() {
            spread.add([(added, 0.0)], count);
        }
        let inverse: Vec<f64> = (0..players * players)
            .map(|at| ratings.covariance(at / players, at % players) / (ELO * ELO))
            .collect();
        let product = |left: &[f64], right: &[f64]| -> Vec<f64> {
            let cell = |at: usize| {
                let (row, column) = (at / players, at % players);
                (0..players).map(|n| left[row * players + n] * right[n * players + column]).sum()
            };
            (0..players * players).map(cell).collect()
        };
        let covariance = product(&product(&inverse, &spread.squares), &inverse);
        Some(Self { ratings, covariance, clusters: results.clusters(encounters) })
    }

    /// The rating of a player above that of `anchor`, or above the mean of its group, in Elo.
    pub fn above(&self, player: usize, anchor: Option<usize>) -> f64 {
        self.ratings.above(player, anchor).0
    }

    /// The 95 % interval of such a rating. With virtual draws, or where too little varies, it is no
    /// narrower than that for independent games.
    pub fn interval(&self, player: usize, anchor: Option<usize>) -> Interval {
        let elo = self.above(player, anchor);
        if anchor == Some(player) {
            return Interval { low: elo, high: elo };
        }
        let at = |one: usize, other: usize| self.covariance[one * self.ratings.players() + other];
        let variance = match anchor {
            Some(anchor) => at(player, player) + at(anchor, anchor) - 2.0 * at(player, anchor),
            None => at(player, player),
        };
        let clusters = self.clusters.about(&[player, anchor.unwrap_or(player)]) as f64;
        let independent = self.ratings.interval(player, anchor);
        if clusters < 2.0 || variance < 1e-12 {
            return independent;
        }
        let error = ELO * (variance * clusters / (clusters - 1.0)).sqrt();
        let half = student_quantile(clusters - 1.0) * error;
        let (low, high) = (elo - half, elo + half);
        if self.ratings.virtual_draws() == 0 {
            return Interval { low, high };
        }
        Interval { low: low.min(independent.low), high: high.max(independent.high) }
    }
}

/// Replaces the luck of each result by the points of the first player that it explains, and returns
/// their sum for each encounter; `None` where luck explains nothing.
fn take_luck_off(named: &mut [NamedResult], encounters: usize) -> Option<Vec<f64>> {
    let mut controls = vec![Control::default(); encounters];
    for NamedResult { added, luck, .. } in named.iter() {
        if let Some(luck) = luck.filter(|_| added.is_pair()) {
            let (games, points) = added.points();
            controls[added.encounter()].add(0, points / games, luck);
        }
    }
    let slopes: Vec<Option<[f64; FOLDS]>> =
        controls.iter().map(|control| control.adjusted().and_then(|_| control.slopes())).collect();
    let (mut dealt, mut sums) = (vec![0; encounters], vec![0.0; encounters]);
    for NamedResult { added, luck, .. } in named {
        let Some(measured) = luck.filter(|_| added.is_pair()) else { continue };
        let encounter = added.encounter();
        let (games, _) = added.points();
        let slope = slopes[encounter].map_or(0.0, |slopes| slopes[dealt[encounter] % FOLDS]);
        dealt[encounter] += 1;
        let explained = games * slope * measured;
        *luck = Some(explained);
        sums[encounter] += explained;
    }
    slopes.iter().any(Option::is_some).then_some(sums)
}

/// The squares of the gradients of clusters.
struct Spread<'a> {
    encounters: &'a [Encounter],
    ratings: &'a Ratings,
    squares: Vec<f64>,
}

impl Spread<'_> {
    /// Adds `count` clusters of these results, each with the points that luck explains.
    fn add(&mut self, cluster: impl IntoIterator<Item = (Contribution, f64)>, count: u64) {
        let strengths = self.ratings.strengths();
        let mut gradient: Vec<(usize, f64)> = vec![];
        for (added, luck) in cluster {
            let [one, other] = self.encounters[added.encounter()].players;
            let (games, points) = added.points();
            let likely = 1.0 / (1.0 + (strengths[other] - strengths[one]).exp());
            let surplus = points - luck - games * likely;
            gradient.extend([(one, surplus), (other, -surplus)]);
        }
        for &(one, by) in &gradient {
            for &(other, with) in &gradient {
                self.squares[one * self.ratings.players() + other] += count as f64 * by * with;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bootstrap::Bootstrap;
    use crate::pentanomial::elo_of;
    use wurfel_core::Random;

    /// Pairs of every two of three players of these chances to win, the first against the second, the
    /// first against the third and the second against the third. A part of each result is luck, which
    /// is measured, and pairs of one number share it.
    fn played(chances: [f64; 3], pairs: u64, seed: u64) -> ([Encounter; 3], ClusterBuilder) {
        let mut random = Random::new(seed);
        let mut encounters = [[0, 1], [0, 2], [1, 2]].map(Encounter::new);
        let mut results = ClusterBuilder::default();
        for pair in 0..pairs {
            let luck = random.unit() - 0.5;
            for (place, encounter) in encounters.iter_mut().enumerate() {
                let mut won = || usize::from(random.unit() < chances[place] + 0.9 * luck);
                let halves = 2 * (won() + won());
                encounter.pairs[halves] += 1;
                results.add_pair(Some((1, pair)), place, halves, Some(luck));
            }
        }
        (encounters, results)
    }

    /// Without luck there is nothing to take off; with it, two players are as far apart as the
    /// luck-adjusted win rate of their match says.
    #[test]
    fn two_players_have_the_elo_of_their_luck_adjusted_win_rate() {
        let mut random = Random::new(3);
        let mut encounter = Encounter::new([0, 1]);
        let (mut results, mut control) = (ClusterBuilder::default(), Control::default());
        assert_eq!(LuckAdjusted::of(2, &[encounter], &results), None);
        for pair in 0..200 {
            let luck = random.unit() - 0.5;
            let halves = 4 * usize::from(random.unit() < 0.6 + 0.6 * luck);
            encounter.pairs[halves] += 1;
            results.add_pair(Some((1, pair)), 0, halves, Some(luck));
            control.add(0, halves as f64 / 4.0, luck);
        }
        let adjusted_ratings = LuckAdjusted::of(2, &[encounter], &results).unwrap();
        let adjusted = control.adjusted().unwrap().estimate;
        assert!((adjusted_ratings.above(0, Some(1)) - elo_of(adjusted.mean)).abs() < 1e-6);
        // The interval is that of the win rate, at its slope.
        let Interval { low, high } = adjusted_ratings.interval(0, Some(1));
        let slope = ELO / (adjusted.mean * (1.0 - adjusted.mean));
        let expected = slope * (adjusted.interval.high - adjusted.interval.low);
        assert!(((high - low) / expected - 1.0).abs() < 0.02, "{low} {high} {expected}");
    }

    #[test]
    fn intervals_cover_the_truth_and_are_narrower_than_with_luck() {
        let (truth, trials) = (elo_of(0.5), 300);
        let (mut covered, mut gain) = (0, 0.0);
        for seed in 0..trials {
            let (encounters, results) = played([0.5; 3], 60, seed);
            let adjusted_ratings = LuckAdjusted::of(3, &encounters, &results).unwrap();
            let Interval { low, high } = adjusted_ratings.interval(0, Some(2));
            covered += u32::from(low <= truth && truth <= high);
            let ratings = Ratings::of(3, &encounters);
            let bootstrap = Bootstrap::of(&ratings, results.clusters(&encounters), 100, 1);
            let with_luck = bootstrap.display_interval(&ratings, 0, Some(2));
            gain += (with_luck.high - with_luck.low) / (high - low) / f64::from(trials as u32);
        }
        let share = f64::from(covered) / trials as f64;
        assert!((0.92..0.98).contains(&share) && gain > 1.15, "{share} {gain}");
    }

    #[test]
    fn results_whose_luck_is_not_known_count_as_they_were_won() {
        let (mut encounters, mut results) = played([0.7, 0.8, 0.6], 50, 1);
        let before = LuckAdjusted::of(3, &encounters, &results).unwrap();
        encounters[1].singles[2] += 30;
        for pair in 0..30 {
            results.add_single(Some((2, pair)), 1, 2);
        }
        let after = LuckAdjusted::of(3, &encounters, &results).unwrap();
        assert!(after.above(0, Some(2)) > before.above(0, Some(2)) + 20.0);
    }
}
