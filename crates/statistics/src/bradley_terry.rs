//! Ratings from all results at once, by the model of Bradley and Terry.
//!
//! Each player has a strength, and the odds of a game depend only on the difference: a difference
//! larger by one unit of the natural logarithm, which is 174 Elo, makes the odds *e* times better.
//! The ratings are the strengths that make the results most likely; a draw counts as half a game
//! won by each. Their sum is 0, in each group of players who have met, directly or through others:
//! ratings of two groups cannot be compared.
//!
//! Strengths are finite only if nobody, and no part of a group, has won everything against the rest.
//! Otherwise virtual draws are added, one for each pair of players on both sides of the gap who have
//! met. These are a prior: somebody who won all of 10 games is rated as if the score had been 10½
//! of 11.
//!
//! Source: R. Bradley, M. Terry, *Rank analysis of incomplete block designs*, Biometrika 39 (1952);
//! L. Ford, *Solution of a ranking problem from binary comparisons*, 1957, for the condition. The
//! tests compare ratings and errors with published examples.

use crate::cholesky::Cholesky;
use crate::encounters::{Encounter, Groups, Points};
use crate::score::{Interval, Z};

/// How many Elo one unit of strength is.
pub(crate) const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The ratings of players, with their uncertainty as if all games were independent of each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// The strength of each player.
    strengths: Vec<f64>,
    /// The covariances of the strengths: the inverse of the Fisher information among strengths whose sum
    /// is 0 in each group.
    covariance: Vec<f64>,
    /// Who can be compared with whom.
    groups: Groups,
    /// How many virtual draws were needed.
    virtual_draws: u64,
}

impl Ratings {
    /// The ratings of `players` players; their mean is 0 in each group.
    pub fn of(players: usize, encounters: &[Encounter]) -> Self {
        Self::of_points(Points::of(players, encounters.iter().copied()))
    }

    /// The ratings that explain these points.
    pub(crate) fn of_points(mut points: Points) -> Self {
        let (players, groups) = (points.players(), points.connected_groups());
        let virtual_draws = points.connect(&groups);
        let strengths = strengths(&points, &groups, &vec![0.0; players]);
        let (_, information) = derivatives(&points, &groups, &strengths);
        let mut covariance = Cholesky::of(information, players).inverse();
        // What was added to the information adds the same to its inverse.
        add_means(&groups, &mut covariance, -1.0);
        Self { strengths, covariance, groups, virtual_draws }
    }

    /// The groups of players who have met, directly or through others. Ratings of players of
    /// different groups cannot be compared.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        self.groups.members()
    }

    pub(crate) const fn grouped(&self) -> &Groups {
        &self.groups
    }

    /// The number of players.
    pub const fn players(&self) -> usize {
        self.strengths.len()
    }

    /// The strengths, as the natural logarithms of odds.
    pub(crate) fn strengths(&self) -> &[f64] {
        &self.strengths
    }

    /// The rating of a player, in Elo.
    pub fn elo(&self, player: usize) -> f64 {
        ELO * self.strengths[player]
    }

    /// The covariance of two ratings, in Elo squared.
    pub fn covariance(&self, one: usize, other: usize) -> f64 {
        ELO * ELO * self.covariance[one * self.players() + other]
    }

    /// The standard error of a rating, in Elo.
    pub fn error(&self, player: usize) -> f64 {
        self.covariance(player, player).max(0.0).sqrt()
    }

    /// The standard error of the difference of two ratings, in Elo.
    pub fn error_of_difference(&self, one: usize, other: usize) -> f64 {
        let variance = self.covariance(one, one) + self.covariance(other, other)
            - 2.0 * self.covariance(one, other);
        variance.max(0.0).sqrt()
    }

    /// The rating of a player above that of `anchor`, or above the mean of all players, with its standard
    /// error, in Elo.
    pub fn above(&self, player: usize, anchor: Option<usize>) -> (f64, f64) {
        match anchor {
            None => (self.elo(player), self.error(player)),
            Some(anchor) => {
                (self.elo(player) - self.elo(anchor), self.error_of_difference(player, anchor))
            }
        }
    }

    /// The 95 % interval of such a rating, as if games were independent.
    pub fn interval(&self, player: usize, anchor: Option<usize>) -> Interval {
        let (elo, error) = self.above(player, anchor);
        Interval { low: elo - Z * error, high: elo + Z * error }
    }

    /// How many virtual draws were added because somebody had won or lost everything.
    pub const fn virtual_draws(&self) -> u64 {
        self.virtual_draws
    }
}

/// The strengths that make the points most likely, which must connect all players of each group. They
/// are found by Newton's method from `begin`, which should be close to them. Their sum is 0 in each
/// group.
pub(crate) fn strengths(points: &Points, groups: &Groups, begin: &[f64]) -> Vec<f64> {
    /// The likelihood has one maximum, and about six steps lead to it.
    const MAX_STEPS: usize = 200;
    let mut strengths = begin.to_vec();
    for _ in 0..MAX_STEPS {
        let (gradient, information) = derivatives(points, groups, &strengths);
        let step = Cholesky::of(information, points.players()).solve(gradient);
        let largest = step.iter().fold(0.0, |most: f64, by| most.max(by.abs()));
        // A longer step could end where the likelihood is flat.
        let scale = (1.0 / largest).min(1.0);
        for (strength, by) in strengths.iter_mut().zip(&step) {
            *strength += scale * by;
        }
        if largest < 1e-10 {
            break;
        }
    }
    for members in groups.members() {
        let mean = members.iter().map(|&player| strengths[player]).sum::<f64>();
        let mean = mean / members.len() as f64;
        for player in members {
            strengths[player] -= mean;
        }
    }
    strengths
}

/// Adds `sign`/n to each element of a matrix that belongs to two players of the same group of n
/// players.
fn add_means(groups: &Groups, matrix: &mut [f64], sign: f64) {
    let members = groups.members();
    let players: usize = members.iter().map(Vec::len).sum();
    for group in &members {
        for &one in group {
            for &other in group {
                matrix[one * players + other] += sign / group.len() as f64;
            }
        }
    }
}

/// The gradient of the log-likelihood, and its Fisher information with the [means](add_means) of the
/// groups. Without them the matrix could not be inverted, because adding a constant to all strengths
/// of a group changes nothing.
fn derivatives(points: &Points, groups: &Groups, strengths: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let players = points.players();
    let mut gradient = vec![0.0; players];
    let mut information = vec![0.0; players * players];
    add_means(groups, &mut information, 1.0);
    for one in 0..players {
        for other in one + 1..players {
            let games = points.games(one, other);
            if games > 0.0 {
                let likely = 1.0 / (1.0 + (strengths[other] - strengths[one]).exp());
                let surplus = points.won(one, other) - games * likely;
                gradient[one] += surplus;
                gradient[other] -= surplus;
                let known = games * likely * (1.0 - likely);
                information[one * players + one] += known;
                information[other * players + other] += known;
                information[one * players + other] -= known;
                information[other * players + one] -= known;
            }
        }
    }
    (gradient, information)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pentanomial::{elo_of, score_of};
    use wurfel_core::Random;

    /// Games that the first player won and lost.
    fn games(players: [usize; 2], won: u64, lost: u64) -> Encounter {
        Encounter { singles: [lost, 0, won], ..Encounter::new(players) }
    }

    fn near(actual: f64, expected: f64, error: f64) {
        assert!((actual - expected).abs() <= error, "{actual} is not {expected}");
    }

    /// Citations between Biometrika, Communications in Statistics, JASA and JRSS-B (S. Stigler 1994, in
    /// A. Agresti, *Categorical data analysis*, 2002): being cited is winning. Strengths and errors are those
    /// that the R package `BradleyTerry2` prints, with Biometrika at 0 and with their mean at 0.
    #[test]
    fn journals_have_the_published_strengths() {
        let encounters = [
            games([0, 1], 730, 33),
            games([0, 2], 498, 320),
            games([0, 3], 221, 284),
            games([1, 2], 68, 813),
            games([1, 3], 17, 276),
            games([2, 3], 142, 325),
        ];
        let ratings = Ratings::of(4, &encounters);
        assert_eq!(ratings.virtual_draws(), 0);
        for (player, strength, error) in [
            (0, 0.789_922_1, 0.043_330_47),
            (1, -2.159_150_4, 0.072_579_74),
            (2, 0.310_352_3, 0.041_641_02),
            (3, 1.058_876_1, 0.053_046_99),
        ] {
            near(ratings.elo(player) / ELO, strength, 5e-8);
            near(ratings.error(player) / ELO, error, 5e-8);
        }
        for (player, difference, error) in [
            (1, -2.949_072_5, 0.102_545_34),
            (2, -0.479_569_8, 0.060_588_73),
            (3, 0.268_954_1, 0.070_829_97),
        ] {
            near((ratings.elo(player) - ratings.elo(0)) / ELO, difference, 1e-7);
            near(ratings.error_of_difference(player, 0) / ELO, error, 5e-8);
        }
    }

    /// American League East, 1987 (Agresti, table 10.10), home and away games together; printed by
    /// `BradleyTerry2` with Baltimore at 0.
    #[test]
    fn baseball_teams_have_the_published_strengths() {
        // Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore: games won by the row.
        let won = [
            [0, 7, 9, 7, 7, 9, 11],
            [6, 0, 7, 5, 11, 9, 9],
            [4, 6, 0, 7, 7, 8, 12],
            [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12],
            [4, 4, 5, 6, 6, 0, 6],
            [2, 4, 1, 3, 1, 7, 0],
        ];
        let mut encounters = vec![];
        for (one, row) in won.iter().enumerate() {
            for other in one + 1..7 {
                assert_eq!(row[other] + won[other][one], 13);
                encounters.push(games([one, other], row[other], won[other][one]));
            }
        }
        let ratings = Ratings::of(7, &encounters);
        let printed = [
            (4, 1.1077, 0.3339),
            (5, 0.6839, 0.3319),
            (1, 1.4364, 0.3396),
            (0, 1.5814, 0.3433),
            (3, 1.2476, 0.3359),
            (2, 1.2945, 0.3367),
        ];
        for (team, strength, error) in printed {
            near((ratings.elo(team) - ratings.elo(6)) / ELO, strength, 5e-5);
            near(ratings.error_of_difference(team, 6) / ELO, error, 5e-5);
        }
    }

    #[test]
    fn two_players_have_the_closed_form() {
        let encounter = Encounter { players: [0, 1], pairs: [3, 5, 20, 7, 10], singles: [1, 2, 4] };
        let ratings = Ratings::of(2, &[encounter]);
        let (games, won) = (encounter.games() as f64, encounter.points()[0]);
        near(ratings.elo(0) - ratings.elo(1), elo_of(won / games), 1e-7);
        // The variance of the logarithm of odds is 1 / (n p q).
        let error = ELO * (games / (won * (games - won))).sqrt();
        near(ratings.error_of_difference(0, 1), error, 1e-7);
        near(ratings.error(0), error / 2.0, 1e-7);
    }

    #[test]
    fn a_clean_sweep_has_a_finite_rating() {
        // One virtual draw: as if the score had been 10½ of 11.
        let ratings = Ratings::of(2, &[games([0, 1], 10, 0)]);
        assert_eq!(ratings.virtual_draws(), 1);
        near(ratings.elo(0) - ratings.elo(1), 400.0 * (10.5f64 / 0.5).log10(), 1e-7);
        // Three players that beat each other in a circle need no virtual draw; a fourth who lost to
        // all of them needs one for each of them.
        let circle = [games([0, 1], 3, 0), games([1, 2], 3, 0), games([2, 0], 3, 0)];
        assert_eq!(Ratings::of(3, &circle).virtual_draws(), 0);
        let loser = (0..3).map(|one| games([one, 3], 5, 0));
        let ratings = Ratings::of(4, &circle.into_iter().chain(loser).collect::<Vec<_>>());
        assert_eq!(ratings.virtual_draws(), 3);
        assert!(ratings.elo(3) < ratings.elo(0) - 200.0 && ratings.elo(3).is_finite());
    }

    /// Virtual draws once joined the groups, without a warning.
    #[test]
    fn groups_that_never_met_are_rated_as_if_each_were_alone() {
        let met = [games([0, 3], 30, 20), games([1, 4], 25, 10), games([4, 5], 7, 8)];
        let ratings = Ratings::of(6, &met);
        assert_eq!(ratings.groups(), [vec![0, 3], vec![1, 4, 5], vec![2]]);
        assert_eq!(ratings.virtual_draws(), 0);
        let pair = Ratings::of(2, &[games([0, 1], 30, 20)]);
        let three = Ratings::of(3, &[games([0, 1], 25, 10), games([1, 2], 7, 8)]);
        for (player, alone, own) in
            [(0, &pair, 0), (3, &pair, 1), (1, &three, 0), (4, &three, 1), (5, &three, 2)]
        {
            near(ratings.elo(player), alone.elo(own), 1e-7);
            near(ratings.error(player), alone.error(own), 1e-7);
        }
        near(ratings.error_of_difference(1, 5), three.error_of_difference(0, 2), 1e-7);
        near(ratings.elo(2), 0.0, 1e-12);
        assert_eq!(Ratings::of(0, &[]).players(), 0);
        near(Ratings::of(1, &[]).elo(0), 0.0, 1e-12);
        near(Ratings::of(3, &[]).elo(2), 0.0, 1e-9);
    }

    /// The results of a tournament between players of these strengths.
    fn tournament(strengths: &[f64], games_each: u64, random: &mut Random) -> Vec<Encounter> {
        let mut encounters = vec![];
        for one in 0..strengths.len() {
            for other in one + 1..strengths.len() {
                let likely = 1.0 / (1.0 + (strengths[other] - strengths[one]).exp());
                let won = (0..games_each).filter(|_| random.unit() < likely).count() as u64;
                encounters.push(games([one, other], won, games_each - won));
            }
        }
        encounters
    }

    #[test]
    fn true_strengths_are_found_with_the_stated_error() {
        let mut random = Random::new(3);
        let truth = [1.5, 0.4, 0.0, -0.6, -1.3];
        let (mut squares, trials) = (0.0, 300);
        for _ in 0..trials {
            let ratings = Ratings::of(5, &tournament(&truth, 60, &mut random));
            for (player, truth) in truth.iter().enumerate() {
                squares += ((ratings.elo(player) - ELO * truth) / ratings.error(player)).powi(2);
            }
        }
        let spread = squares / f64::from(trials) / 5.0;
        assert!((0.85..1.15).contains(&spread), "{spread}");
    }

    #[test]
    fn the_order_of_players_and_of_sides_does_not_matter() {
        let mut random = Random::new(8);
        let encounters = tournament(&[0.5, 0.0, 0.2, -0.7], 20, &mut random);
        let ratings = Ratings::of(4, &encounters);
        let turned: Vec<Encounter> = encounters
            .iter()
            .rev()
            .map(|encounter| {
                let [one, other] = encounter.players;
                let (mut pairs, mut singles) = (encounter.pairs, encounter.singles);
                pairs.reverse();
                singles.reverse();
                Encounter { players: [3 - other, 3 - one], pairs, singles }
            })
            .collect();
        let other = Ratings::of(4, &turned);
        for player in 0..4 {
            near(ratings.elo(player), other.elo(3 - player), 1e-7);
            near(ratings.error(player), other.error(3 - player), 1e-7);
        }
        near((0..4).map(|player| ratings.elo(player)).sum(), 0.0, 1e-7);
        // At the maximum of the likelihood, the expected points equal the points that were won.
        for player in 0..4 {
            let own = |encounter: &&Encounter| encounter.players.contains(&player);
            let surplus: f64 = encounters
                .iter()
                .filter(own)
                .map(|encounter| {
                    let [one, other] = encounter.players;
                    let place = usize::from(other == player);
                    let opponent = if place == 0 { other } else { one };
                    let difference = ratings.elo(player) - ratings.elo(opponent);
                    let likely = score_of(difference);
                    encounter.points()[place] - likely * encounter.games() as f64
                })
                .sum();
            near(surplus, 0.0, 1e-7);
        }
    }
}
