//! Decides whether one agent is better than another, after a number of pairs that was fixed in
//! advance.
//!
//! This is a one-sided test by Student's distribution: agents of equal strength pass it as often as
//! the error rate says, whatever the number of pairs. A sequential test ([`Sprt`](crate::Sprt))
//! needs fewer pairs where the difference is large; this one always takes the same number and needs
//! no hypothesis about the size of the difference.

use crate::control::Control;
use crate::match_tally::MatchTally;
use crate::normal::normal;
use crate::pentanomial::Pentanomial;

/// A test of whether the first agent of a match is better.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FixedSampleTest {
    /// How often an agent that is exactly as strong passes: above 0 and below ½.
    pub error: f64,
    /// Whether the luck of the dice is taken off the results, where it was measured.
    pub luck: bool,
}

impl FixedSampleTest {
    /// Whether these games prove that the first agent is better.
    pub fn passes(&self, report: &MatchTally) -> bool {
        let pairs = report.score.games() / 2;
        if pairs < 2 {
            return false;
        }
        let control = report.luck.as_ref().filter(|_| self.luck);
        let (mean, error) = match control.and_then(Control::adjusted) {
            Some(adjusted) => (adjusted.estimate.mean, adjusted.estimate.error),
            None => {
                let outcomes = Pentanomial::of(report.score.pairs);
                (outcomes.mean(), (outcomes.variance() / (pairs - 1) as f64).sqrt())
            }
        };
        mean - 0.5 > error * quantile_of_student(self.error, (pairs - 1) as f64)
    }
}

/// The number that Student's distribution exceeds with probability `tail`, which is below ½: exact for 1 and
/// 2 degrees of freedom, and by Cornish and Fisher's expansion beyond (Abramowitz and Stegun 26.7.5).
fn quantile_of_student(tail: f64, freedom: f64) -> f64 {
    if freedom < 1.5 {
        return (std::f64::consts::PI * (0.5 - tail)).tan();
    }
    if freedom < 2.5 {
        return (1.0 - 2.0 * tail) / (2.0 * tail * (1.0 - tail)).sqrt();
    }
    let z = quantile_of_normal(tail);
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
    ];
    z + terms.iter().zip(1..).map(|(term, power)| term / freedom.powi(power)).sum::<f64>()
}

/// The number that the standard normal distribution exceeds with probability `tail`, which is below ½.
fn quantile_of_normal(tail: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if normal(-middle) > tail { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::normal::draw;
    use crate::pentanomial::score_of;
    use crate::score::Score;
    use wurfel_core::Random;

    /// Abramowitz and Stegun, table 26.10.
    #[test]
    fn quantiles_are_those_of_the_table() {
        for (tail, freedom, quantile) in [
            (0.05, 1.0, 6.314),
            (0.05, 2.0, 2.920),
            (0.05, 4.0, 2.132),
            (0.05, 19.0, 1.729),
            (0.05, 120.0, 1.658),
            (0.01, 10.0, 2.764),
            (0.25, 5.0, 0.727),
        ] {
            let actual = quantile_of_student(tail, freedom);
            assert!((actual - quantile).abs() < 0.003, "{tail} {freedom}: {actual}");
        }
        assert!((quantile_of_normal(0.025) - 1.959_964).abs() < 1e-6);
    }

    /// A simulated match of EWN with mirrored pairs, whose true Elo difference is `elo`. With
    /// `luck`, a third of the variance is left once the luck is taken off.
    fn report(pairs: u64, elo: f64, luck: bool, random: &mut Random) -> MatchTally {
        let outcomes = Pentanomial::weighted([22.0, 0.0, 56.0, 0.0, 22.0]).with_mean(score_of(elo));
        let (shares, mean) = (outcomes.shares(), outcomes.mean());
        let mut counts = [0; 5];
        let mut control = Control::default();
        for _ in 0..pairs {
            let mut left = random.unit();
            let index = shares.iter().position(|share| {
                left -= share;
                left < 0.0
            });
            let outcome = index.unwrap_or(2);
            counts[outcome] += 1;
            let points = outcome as f64 / 4.0;
            let scale = (2.0 / 3.0 / outcomes.variance()).sqrt();
            control.add(0, points, scale * (points - mean) + (1.0f64 / 3.0).sqrt() * draw(random));
        }
        // The test reads only the number of games and the counts of pairs.
        let score = Score { wins: 2 * pairs, pairs: counts, ..Score::default() };
        MatchTally { score, luck: luck.then_some(control), ..MatchTally::default() }
    }

    /// The share of 4,000 matches that pass.
    fn rate(test: FixedSampleTest, pairs: u64, elo: f64) -> f64 {
        let mut random = Random::new(7);
        let passed = (0..4000).filter(|_| test.passes(&report(pairs, elo, test.luck, &mut random)));
        passed.count() as f64 / 4000.0
    }

    #[test]
    fn agents_of_equal_strength_pass_as_often_as_stated() {
        for (error, pairs, luck) in [
            (0.05, 40, false),
            (0.05, 200, false),
            (0.05, 40, true),
            (0.05, 200, true),
            (0.01, 100, true),
            (0.2, 100, false),
        ] {
            let actual = rate(FixedSampleTest { error, luck }, pairs, 0.0);
            // Three standard errors, and a quarter of the rate because the results are discrete.
            let off = 3.0 * (error * (1.0 - error) / 4000.0).sqrt() + 0.25 * error;
            assert!((actual - error).abs() < off, "{error} {pairs} {luck}: {actual}");
            // A weaker agent passes even more rarely.
            assert!(rate(FixedSampleTest { error, luck }, pairs, -20.0) < actual);
        }
    }

    /// With 100 pairs, an agent that is 35 Elo better passes in most matches once luck is taken
    /// off.
    #[test]
    fn a_better_agent_passes_and_luck_taken_off_helps() {
        let with = |luck| rate(FixedSampleTest { error: 0.05, luck }, 100, 35.0);
        let (raw, adjusted) = (with(false), with(true));
        assert!((0.3..0.7).contains(&raw), "{raw}");
        assert!(adjusted > raw + 0.2, "{raw} {adjusted}");
    }

    #[test]
    fn too_few_pairs_prove_nothing() {
        let mut all_won = report(1, 0.0, false, &mut Random::new(1));
        all_won.score.pairs = [0, 0, 0, 0, 1];
        assert!(!FixedSampleTest { error: 0.2, luck: false }.passes(&all_won));
        assert!(!FixedSampleTest { error: 0.2, luck: false }.passes(&MatchTally::default()));
    }
}
