//! Intervals that are valid at every look.
//!
//! A 95 % interval covers the truth that often when the number of games was fixed beforehand.
//! Whoever looks, and plays on until the interval says something, is wrong far more often. A
//! *confidence sequence* covers the truth at all numbers of games at once. This one is asymptotic:
//! the mean of t observations with standard error s lies within s·√((tρ² + 1)/(tρ²) · ln((tρ² +
//! 1)/α²)) of the truth for all t with probability 1 − α, after the first hundred or so. It is
//! tightest at the number of observations for which ρ is chosen, and grows with the logarithm of t
//! beyond it.
//!
//! Source: I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, *Time-uniform central
//! limit theory and asymptotic confidence sequences*, Annals of Statistics 52 (2024), for the bound
//! and the choice of ρ. The mixture is that of H. Robbins, *Statistical methods related to the law
//! of the iterated logarithm* (1970).

/// A sequence of intervals that all cover the truth with a stated probability, however often one
/// looks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ConfidenceSequence {
    /// ρ².
    rho_squared: f64,
    /// −2 ln α.
    evidence: f64,
}

impl ConfidenceSequence {
    /// Intervals that all cover the truth with probability 1 − `error` (α, between 0 and 1), and
    /// are tightest after `tightest` observations.
    pub fn new(error: f64, tightest: f64) -> Self {
        let evidence = -2.0 * error.ln();
        Self { rho_squared: (evidence + evidence.ln() + 1.0) / tightest, evidence }
    }

    /// How many standard errors the interval reaches to each side after this number of observations.
    pub fn standard_errors(self, observations: f64) -> f64 {
        let time = observations * self.rho_squared;
        ((time + 1.0) / time * ((time + 1.0).ln() + self.evidence)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use wurfel_core::Random;

    use super::*;
    use crate::Score;

    /// The share of sequences of pairs in which the interval of the win rate misses the truth at
    /// some look, with this many standard errors to each side. Results of pairs are drawn with
    /// these weights for 0, ½, 1, 1½ and 2 points.
    fn miss_rate(weights: [u32; 5], reach: impl Fn(f64) -> f64) -> f64 {
        const SEQUENCES: u32 = 2000;
        let all: u32 = weights.iter().sum();
        let truth = (0..5).map(|points| f64::from(points * weights[points as usize])).sum::<f64>();
        let truth = truth / f64::from(all) / 4.0;
        let mut random = Random::new(1);
        let mut misses = 0;
        for _ in 0..SEQUENCES {
            let mut score = Score::default();
            let mut wrong = false;
            for pair in 1..=4000_u32 {
                let mut at = random.below(all);
                let points = weights.iter().position(|&weight| {
                    let is_hit = at < weight;
                    at = at.wrapping_sub(weight);
                    is_hit
                });
                let points = points.unwrap() as u8;
                score.add([points.min(2), points.saturating_sub(2)]);
                if pair >= 100 && pair % 20 == 0 {
                    let interval = score.interval_reaching(reach(f64::from(pair)));
                    wrong |= truth < interval.low || interval.high < truth;
                }
            }
            misses += u32::from(wrong);
        }
        f64::from(misses) / f64::from(SEQUENCES)
    }

    #[test]
    fn the_truth_is_missed_at_no_look_as_rarely_as_promised_and_a_fixed_length_interval_misses_it()
    {
        for weights in [[2, 1, 4, 1, 2], [1, 2, 3, 6, 8], [1, 0, 0, 0, 19]] {
            for error in [0.05, 0.01] {
                let sequence = ConfidenceSequence::new(error, 400.0);
                let share = miss_rate(weights, |count| sequence.standard_errors(count));
                // Three standard errors of a share of 2,000.
                let chance = 3.0 * (error * (1.0 - error) / 2000.0).sqrt();
                assert!(share <= error + chance, "{weights:?}, {error}: {share}");
            }
            let fixed = miss_rate(weights, |_| 1.96);
            assert!(fixed > 0.2, "{weights:?}: {fixed}");
        }
    }

    #[test]
    fn the_price_is_half_as_wide_again_where_it_is_tightest() {
        let sequence = ConfidenceSequence::new(0.05, 500.0);
        let at = |count: f64| sequence.standard_errors(count) / 1.96;
        assert!((1.5..1.6).contains(&at(500.0)), "{}", at(500.0));
        assert!(at(50.0) > at(500.0) && at(50_000.0) < 1.9, "{}", at(50_000.0));
    }
}
