//! Simulated sequential tests: how often they err, how long they take, and the effect of a cap on
//! their length.
//!
//! A pair is drawn from a distribution of outcomes with the true mean. With luck, a second number
//! is drawn with it, which explains as much of the result as the stated gain requires.

use wurfel_core::Random;

use crate::control::Control;
use crate::normal::draw;
use crate::pentanomial::{Pentanomial, elo_of, score_of};
use crate::sprt::{EloModel, Sprt, SprtVerdict};
use crate::stopping::StoppingAdjusted;

/// A test to be simulated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtSimulation {
    /// The test. If it takes luck off, luck is simulated as well.
    pub test: Sprt,
    /// The true Elo difference, in the test's model.
    pub elo: f64,
    /// The relative frequencies of pairs with 0, ½, 1, 1½ and 2 points, whose mean does not matter.
    /// The true distribution is the one that has the true mean and is closest to them in
    /// likelihood.
    pub shares: [f64; 5],
    /// The maximum number of pairs, after which a test is stopped undecided.
    pub max_pairs: u64,
    /// By what factor taking luck off reduces the number of pairs needed: 1 or more.
    pub gain: f64,
}

/// A sequential test as it went in one simulated match.
#[derive(Clone, PartialEq, Debug)]
pub struct SimulatedTest {
    /// How it ended.
    pub verdict: SprtVerdict,
    /// Its pairs by the points won in them.
    pub counts: [u64; 5],
    /// The results with their luck, if that was simulated.
    pub luck: Option<Control>,
}

impl SimulatedTest {
    /// How many pairs it took.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The Elo difference of the final score; infinite where everything or nothing was won.
    pub fn raw_elo(&self) -> f64 {
        let adjusted = self.luck.as_ref().and_then(Control::adjusted);
        elo_of(
            adjusted.map_or_else(
                || Pentanomial::of(self.counts).mean(),
                |adjusted| adjusted.estimate.mean,
            ),
        )
    }

    /// The Elo difference of the final score, without the bias of stopping.
    pub fn adjusted(&self, test: &Sprt) -> StoppingAdjusted {
        test.estimate(self.counts, self.luck.as_ref())
    }
}

impl SprtSimulation {
    /// The true distribution of pairs.
    pub fn outcomes(&self) -> Pentanomial {
        let base = Pentanomial::weighted(self.shares);
        match self.test.model {
            EloModel::Logistic => base.with_mean(score_of(self.elo)),
            EloModel::Normalised => base.with_normalised(self.elo),
        }
    }

    /// Simulates one test.
    pub fn run(&self, seed: u64) -> SimulatedTest {
        let mut random = Random::new(seed);
        let outcomes = self.outcomes();
        let (shares, mean) = (outcomes.shares(), outcomes.mean());
        // Luck is the result plus noise: a correlation of ρ between the two leaves 1 − ρ² of the
        // variance.
        let explained = 1.0 - 1.0 / self.gain.max(1.0);
        let scale = (explained / outcomes.variance()).sqrt();
        let mut counts = [0; 5];
        let mut luck = self.test.luck.then(Control::default);
        let mut verdict = SprtVerdict::Inconclusive;
        let mut pairs = 0;
        while pairs < self.max_pairs && verdict == SprtVerdict::Inconclusive {
            let outcome = draw_outcome(&shares, &mut random);
            counts[outcome] += 1;
            pairs += 1;
            if let Some(luck) = &mut luck {
                let score = outcome as f64 / 4.0;
                let noise = (1.0 - explained).sqrt() * draw(&mut random);
                luck.add(0, score, scale * (score - mean) + noise);
            }
            verdict = self.test.verdict(self.test.llr(counts, luck.as_ref()));
        }
        SimulatedTest { verdict, counts, luck }
    }
}

/// The number of an outcome, drawn with these probabilities.
fn draw_outcome(shares: &[f64; 5], random: &mut Random) -> usize {
    let mut left = random.unit();
    for (outcome, share) in shares.iter().enumerate() {
        left -= share;
        if left < 0.0 {
            return outcome;
        }
    }
    // Rounding may leave a small probability over, which the likeliest outcome takes.
    (0..5).max_by(|&one, &other| shares[one].total_cmp(&shares[other])).unwrap_or(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of EWN between equal agents, and of a game with many draws.
    const EWN: [f64; 5] = [22.0, 0.0, 56.0, 0.0, 22.0];
    const DRAWISH: [f64; 5] = [1.0, 20.0, 58.0, 20.0, 1.0];

    fn simulation(elo: f64, elo1: f64, shares: [f64; 5]) -> SprtSimulation {
        let test = Sprt { elo1, ..Sprt::default() };
        SprtSimulation { test, elo, shares, max_pairs: u64::MAX, gain: 1.0 }
    }

    /// The share of 10,000 tests that end with this verdict.
    fn rate(simulation: &SprtSimulation, verdict: SprtVerdict) -> f64 {
        let ended = (0..10_000).filter(|&seed| simulation.run(seed).verdict == verdict);
        ended.count() as f64 / 1e4
    }

    /// The requirement: with an error rate of 5 %, at most 6 % errors of each kind in 10,000 tests.
    #[test]
    fn tests_err_as_rarely_as_they_promise() {
        for (shares, elo1, model) in [
            (EWN, 40.0, EloModel::Logistic),
            (EWN, 100.0, EloModel::Logistic),
            (DRAWISH, 80.0, EloModel::Normalised),
        ] {
            for (elo, error) in [(0.0, SprtVerdict::H1), (elo1, SprtVerdict::H0)] {
                let mut simulation = simulation(elo, elo1, shares);
                simulation.test.model = model;
                let rate = rate(&simulation, error);
                assert!(rate <= 0.06, "{simulation:?}: {error} in {rate}");
                // A bound on errors that is never approached would test nothing.
                assert!(rate > 0.02, "{simulation:?}: {error} in {rate}");
            }
        }
    }

    #[test]
    fn without_luck_tests_err_no_more_and_end_sooner() {
        for (elo, error) in [(0.0, SprtVerdict::H1), (50.0, SprtVerdict::H0)] {
            let plain = simulation(elo, 50.0, EWN);
            let mut without = SprtSimulation { gain: 4.0, ..plain };
            without.test.luck = true;
            let rate = rate(&without, error);
            assert!((0.02..=0.06).contains(&rate), "{elo}: {rate}");
            let mean = |simulation: &SprtSimulation| {
                (0..1000).map(|seed| simulation.run(seed).pairs()).sum::<u64>() as f64 / 1e3
            };
            let saved = mean(&plain) / mean(&without);
            assert!((3.0..5.0).contains(&saved), "{elo}: {saved}");
        }
    }

    #[test]
    fn a_cap_makes_tests_inconclusive_and_not_wrong() {
        let capped = SprtSimulation { max_pairs: 100, ..simulation(0.0, 40.0, EWN) };
        let rates = [SprtVerdict::H0, SprtVerdict::H1, SprtVerdict::Inconclusive]
            .map(|end| rate(&capped, end));
        assert!(rates[1] < 0.05 && rates[2] > 0.3, "{rates:?}");
        assert!((rates.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_median_of_adjusted_estimates_is_the_truth_and_the_raw_one_is_not() {
        for elo in [0.0, 20.0, 40.0] {
            let simulation = simulation(elo, 40.0, EWN);
            let mut raw = vec![];
            let mut adjusted = vec![];
            let mut covered = 0;
            for seed in 0..2000 {
                let ended = simulation.run(seed);
                raw.push(ended.raw_elo());
                let StoppingAdjusted { elo: estimate, low, high } =
                    ended.adjusted(&simulation.test);
                adjusted.push(estimate.unwrap_or(1000.0));
                covered += u32::from(
                    low.is_none_or(|low| low <= elo) && high.is_none_or(|high| elo <= high),
                );
            }
            let median = |numbers: &mut Vec<f64>| {
                numbers.sort_by(f64::total_cmp);
                numbers[numbers.len() / 2]
            };
            let (raw, adjusted) = (median(&mut raw) - elo, median(&mut adjusted) - elo);
            assert!(adjusted.abs() < 4.0, "{elo}: {adjusted}");
            // In the middle between the hypotheses, the raw estimate has no bias, either.
            assert!(
                (elo - 20.0).abs() < 1.0 || raw.abs() > adjusted.abs(),
                "{elo}: {raw} {adjusted}"
            );
            let share = f64::from(covered) / 2000.0;
            assert!((0.93..0.97).contains(&share), "{elo}: {share}");
        }
    }
}
