//! The uncertainty of ratings, found by resampling the results.
//!
//! Games with the same dice depend on each other, which the errors of [`Ratings`] do not take into
//! account. Here [clusters](Clusters) of such games are drawn with repetition, as many as were played,
//! and the ratings are calculated again, many times. The interval is the rating ±
//! Student's quantile times the standard deviation of these ratings. The middle 95 % of the
//! resamples would be too narrow after a few clusters, because most resamples lack some of them: for
//! two equal players it covered the truth in 69 % of cases after five pairs.
//!
//! Only counts are drawn, so that a million games of two players take no longer than a thousand.
//!
//! Sources: B. Efron, *Bootstrap methods: another look at the jackknife*, 1979; T. Hesterberg, *What
//! teachers should know about the bootstrap*, The American Statistician 69, 2015 (√(n / (n − 1)) and
//! Student's quantile for small samples).

use wurfel_core::Random;

use crate::bradley_terry::{ELO, Ratings, strengths};
use crate::clusters::Clusters;
use crate::encounters::Points;
use crate::normal::{draw, normal};
use crate::score::{Interval, student_quantile};

/// The default number of resamples: fewer for many players, because each resample takes time
/// proportional to the cube of their number.
pub fn default_resamples(players: usize) -> u32 {
    (250_000 / (players * players).max(1)).clamp(200, 1000) as u32
}

/// The ratings of many resamples of the results.
#[derive(Clone, PartialEq, Debug)]
pub struct Bootstrap {
    /// For each player the strengths in all resamples, in the order of the resamples.
    strengths: Vec<Vec<f64>>,
    clusters: Clusters,
}

/// With fewer clusters, resamples are too much alike to say how certain an order is.
const FEW: u64 = 30;

impl Bootstrap {
    /// Resamples the results behind `ratings`, `resamples` times.
    pub fn of(ratings: &Ratings, clusters: Clusters, resamples: u32, seed: u64) -> Self {
        let players = ratings.players();
        let mut random = Random::new(seed);
        let mut all = vec![Vec::with_capacity(resamples as usize); players];
        for _ in 0..resamples {
            let counts = resample(clusters.counts(), &mut random);
            let mut points = Points::of(players, clusters.encounters(&counts));
            points.connect(ratings.grouped());
            let resample = strengths(&points, ratings.grouped(), ratings.strengths());
            for (own, strength) in all.iter_mut().zip(resample) {
                own.push(strength);
            }
        }
        Self { strengths: all, clusters }
    }

    /// The number of clusters in which a player or the anchor played.
    fn about(&self, player: usize, other: Option<usize>) -> u64 {
        let both = [player, other.unwrap_or(player)];
        self.clusters.about(&both)
    }

    /// The 95 % interval of a player's rating above that of `anchor`, or above the mean of all
    /// players, in Elo. `None` where there are fewer than two clusters, or all of them are equal, so
    /// that resamples cannot differ.
    pub fn interval(
        &self,
        ratings: &Ratings,
        player: usize,
        anchor: Option<usize>,
    ) -> Option<Interval> {
        let (elo, _) = ratings.above(player, anchor);
        if anchor == Some(player) {
            return Some(Interval { low: elo, high: elo });
        }
        let own = self.strengths[player].iter().enumerate();
        let strength =
            |(n, own): (usize, &f64)| own - anchor.map_or(0.0, |anchor| self.strengths[anchor][n]);
        let strengths: Vec<f64> = own.map(strength).collect();
        let count = strengths.len() as f64;
        let mean = strengths.iter().sum::<f64>() / count;
        let squares: f64 = strengths.iter().map(|strength| (strength - mean).powi(2)).sum();
        let clusters = self.about(player, anchor) as f64;
        if clusters < 2.0 {
            return None;
        }
        let error = ELO * (squares / (count - 1.0) * clusters / (clusters - 1.0)).sqrt();
        let half = student_quantile(clusters - 1.0) * error;
        (half > 1e-6).then_some(Interval { low: elo - half, high: elo + half })
    }

    /// The 95 % interval that is shown for a rating. Where virtual draws were needed, some player
    /// has won or lost every game, and all resamples have that same result. In this case the
    /// interval is no narrower than that for independent games.
    pub fn display_interval(
        &self,
        ratings: &Ratings,
        player: usize,
        anchor: Option<usize>,
    ) -> Interval {
        let independent = ratings.interval(player, anchor);
        match self.interval(ratings, player, anchor) {
            None => independent,
            Some(interval) if ratings.virtual_draws() == 0 => interval,
            Some(Interval { low, high }) => {
                Interval { low: low.min(independent.low), high: high.max(independent.high) }
            }
        }
    }

    /// The probability that player `one` is stronger than player `other`: the share of the
    /// resamples in which it has the higher rating. After a few clusters, or where all resamples
    /// agree, they cannot show every other outcome; the probability is then no closer to certainty
    /// than for independent games.
    pub fn superiority(&self, ratings: &Ratings, one: usize, other: usize) -> f64 {
        let share = self.share_above(one, other);
        let varied = share > 0.0 && share < 1.0;
        if one == other || (varied && self.about(one, Some(other)) >= FEW) {
            return share;
        }
        let difference = ratings.elo(one) - ratings.elo(other);
        let independent = normal(difference / ratings.error_of_difference(one, other));
        if share > 0.5 { share.min(independent.max(0.5)) } else { share.max(independent.min(0.5)) }
    }

    /// The share of the resamples in which one player is rated above the other.
    fn share_above(&self, one: usize, other: usize) -> f64 {
        let pairs = self.strengths[one].iter().zip(&self.strengths[other]);
        let above = pairs.map(|(one, other)| match one - other {
            difference if difference > 1e-9 => 1.0,
            difference if difference < -1e-9 => 0.0,
            _ => 0.5,
        });
        above.sum::<f64>() / self.strengths[one].len().max(1) as f64
    }
}

/// As many clusters as there are, each drawn at random from these counts.
fn resample(counts: impl Iterator<Item = u64> + Clone, random: &mut Random) -> Vec<u64> {
    let mut draws: u64 = counts.clone().sum();
    let mut left = draws;
    let draw = |count: u64| {
        // The number of remaining draws that are of this kind, given its share among the remaining
        // kinds.
        let number =
            if count == left { draws } else { binomial(draws, count as f64 / left as f64, random) };
        draws -= number;
        left -= count;
        number
    };
    counts.map(draw).collect()
}

/// A draw from the binomial distribution: how often an event with this `probability`, below 1,
/// happens in `trials` trials. Exact where the variance is at most [`EXACT`], by skipping from one
/// event to the next; otherwise a rounded normal number, which is close.
fn binomial(trials: u64, probability: f64, random: &mut Random) -> u64 {
    const EXACT: f64 = 100.0;
    if probability > 0.5 {
        return trials - binomial(trials, 1.0 - probability, random);
    }
    if probability <= 0.0 {
        return 0;
    }
    let mean = trials as f64 * probability;
    let variance = mean * (1.0 - probability);
    if variance > EXACT {
        let number = (mean + variance.sqrt() * draw(random)).round();
        return (number.max(0.0) as u64).min(trials);
    }
    let (mut happened, mut at) = (0, 0.0);
    loop {
        at += 1.0 + ((1.0 - random.unit()).ln() / (-probability).ln_1p()).floor();
        if at > trials as f64 {
            return happened;
        }
        happened += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clusters::ClusterBuilder;
    use crate::encounters::Encounter;

    #[test]
    fn binomial_numbers_have_their_mean_and_variance() {
        let mut random = Random::new(1);
        for (trials, probability) in [(10, 0.3), (7, 0.9), (1000, 0.002), (5000, 0.5), (40, 0.5)] {
            let samples = 20_000;
            let numbers: Vec<f64> =
                (0..samples).map(|_| binomial(trials, probability, &mut random) as f64).collect();
            let mean = numbers.iter().sum::<f64>() / f64::from(samples);
            let spread =
                numbers.iter().map(|n| (n - mean).powi(2)).sum::<f64>() / f64::from(samples);
            let expected = trials as f64 * probability;
            let variance = expected * (1.0 - probability);
            // Five standard errors of each.
            let error = 5.0 * (variance / f64::from(samples)).sqrt();
            assert!((mean - expected).abs() < error, "{trials} {probability}: {mean}");
            assert!((spread / variance - 1.0).abs() < 0.06, "{trials} {probability}: {spread}");
        }
        assert_eq!(binomial(5, 0.0, &mut random), 0);
    }

    #[test]
    fn resamples_keep_the_number_of_results_and_invent_no_kind() {
        let mut random = Random::new(2);
        for _ in 0..100 {
            let counts = resample([3, 0, 500_000, 0, 7].into_iter(), &mut random);
            assert_eq!(counts.iter().sum::<u64>(), 500_010);
            assert_eq!((counts[1], counts[3]), (0, 0));
        }
        assert_eq!(resample([0, 4, 0].into_iter(), &mut random), [0, 4, 0]);
        assert_eq!(resample([0; 5].into_iter(), &mut random), [0; 5]);
    }

    /// The interval of a pairing is close to that from the variance between its pairs, not between
    /// games.
    #[test]
    fn intervals_know_that_games_come_in_pairs() {
        let split = Encounter { players: [0, 1], pairs: [20, 0, 150, 0, 30], singles: [0; 3] };
        let spread = Encounter { players: [0, 1], pairs: [95, 0, 0, 0, 105], singles: [0; 3] };
        let width = |encounter: Encounter| {
            let ratings = Ratings::of(2, &[encounter]);
            let bootstrap = Bootstrap::of(&ratings, Clusters::of(&[encounter]), 1000, 1);
            let Interval { low, high } = bootstrap.interval(&ratings, 0, Some(1)).unwrap();
            let elo = ratings.elo(0) - ratings.elo(1);
            assert!(low < elo && elo < high);
            high - low
        };
        // Half the width of 3.92 errors of the score times 695 Elo for a point, at one half.
        for encounter in [split, spread] {
            let score = encounter.points()[0] / 400.0;
            let variance: f64 = (encounter.pairs.iter().zip(0..))
                .map(|(&count, n)| count as f64 / 200.0 * (f64::from(n) / 4.0 - score).powi(2))
                .sum();
            let expected = 3.92 * (variance / 200.0).sqrt() * 4.0 * ELO;
            let actual = width(encounter);
            assert!((actual / expected - 1.0).abs() < 0.12, "{actual} {expected}");
        }
    }

    #[test]
    fn equal_pairs_leave_nothing_to_draw() {
        let encounter = Encounter { players: [0, 1], pairs: [0, 0, 50, 0, 0], singles: [0; 3] };
        let ratings = Ratings::of(2, &[encounter]);
        let bootstrap = Bootstrap::of(&ratings, Clusters::of(&[encounter]), 50, 1);
        assert_eq!(bootstrap.interval(&ratings, 0, None), None);
        assert!((bootstrap.superiority(&ratings, 0, 1) - 0.5).abs() < 1e-12);
        assert_eq!(
            bootstrap.interval(&ratings, 1, Some(1)),
            Some(Interval { low: 0.0, high: 0.0 })
        );
    }

    /// Three pairs of a win and a draw each give 4½ of 6 points, which is 190.8 Elo with an error
    /// of 163.8 if games were independent, so that one player is stronger with a probability of
    /// 0.878. Resamples of equal pairs are all alike and would call it certain.
    #[test]
    fn a_few_equal_pairs_make_nothing_certain() {
        let encounter = Encounter { players: [0, 1], pairs: [0, 0, 0, 3, 0], singles: [0; 3] };
        let ratings = Ratings::of(2, &[encounter]);
        let bootstrap = Bootstrap::of(&ratings, Clusters::of(&[encounter]), 200, 1);
        let likely = bootstrap.superiority(&ratings, 0, 1);
        assert!((likely - 0.878).abs() < 5e-4, "{likely}");
        let unlikely = bootstrap.superiority(&ratings, 1, 0);
        assert!((likely + unlikely - 1.0).abs() < 1e-12, "{unlikely}");
        assert_eq!(bootstrap.superiority(&ratings, 0, 0).to_bits(), 0.5f64.to_bits());
    }

    /// How often the interval of the first of equal players, above the others' mean, covers the truth,
    /// in 400 tournaments of `pairs` pairs against each of the others. `shared` is how likely it
    /// is that the pairs of one number end alike, as with the same dice. If `knows`, the clusters
    /// take that into account; otherwise they treat all pairs as independent.
    fn coverage(players: usize, pairs: u64, shared: f64, knows: bool) -> f64 {
        let mut random = Random::new(pairs);
        let tournaments = 400;
        let mut covered = 0;
        for _ in 0..tournaments {
            let mut encounters: Vec<_> =
                (1..players).map(|other| Encounter::new([0, other])).collect();
            let mut builder = ClusterBuilder::default();
            for pair in 0..pairs {
                let outcome = |random: &mut Random| [0, 2, 2, 2, 4][random.below(5) as usize];
                let alike = (random.unit() < shared).then(|| outcome(&mut random));
                for (place, encounter) in encounters.iter_mut().enumerate() {
                    let halves = alike.unwrap_or_else(|| outcome(&mut random));
                    encounter.pairs[halves] += 1;
                    builder.add_pair(knows.then_some((1, pair)), place, halves, None);
                }
            }
            let ratings = Ratings::of(players, &encounters);
            let bootstrap = Bootstrap::of(&ratings, builder.clusters(&encounters), 200, 1);
            let Interval { low, high } = bootstrap.display_interval(&ratings, 0, None);
            covered += u32::from(low <= 0.0 && 0.0 <= high);
        }
        f64::from(covered) / f64::from(tournaments)
    }

    /// Two standard errors of a share of 0.95 in 400 tournaments are 0.022. The middle 95 % of the
    /// resamples covered the truth in 0.69 of cases after five pairs.
    #[test]
    fn intervals_cover_the_truth_after_few_pairs_and_after_many() {
        for pairs in [2, 3, 5, 10, 40] {
            let share = coverage(2, pairs, 0.0, true);
            assert!(share > 0.92, "{pairs} pairs: {share}");
        }
        let share = coverage(4, 40, 0.0, true);
        assert!((0.92..0.985).contains(&share), "{share}");
    }

    #[test]
    fn intervals_know_which_pairs_share_their_dice() {
        let (knows, ignores) = (coverage(4, 40, 0.8, true), coverage(4, 40, 0.8, false));
        assert!(knows > 0.92 && ignores < 0.87, "{knows} {ignores}");
    }

    #[test]
    fn more_players_are_drawn_fewer_times() {
        assert_eq!([2, 15, 20, 128].map(default_resamples), [1000, 1000, 625, 200]);
    }

    #[test]
    fn superiority_is_sure_where_one_is_much_stronger() {
        let encounter = Encounter { players: [1, 0], pairs: [5, 0, 60, 0, 135], singles: [0; 3] };
        let ratings = Ratings::of(2, &[encounter]);
        let bootstrap = Bootstrap::of(&ratings, Clusters::of(&[encounter]), 200, 1);
        let [above, below] =
            [(1, 0), (0, 1)].map(|(one, other)| bootstrap.superiority(&ratings, one, other));
        assert!(above > 0.999 && below < 0.001, "{above} {below}");
        assert_eq!(
            Bootstrap::of(&ratings, Clusters::of(&[encounter]), 20, 5),
            Bootstrap::of(&ratings, Clusters::of(&[encounter]), 20, 5)
        );
    }
}
