//! `wurfel sprt --simulate`: how often a test errs, and how long it takes.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use serde_json::json;
use wurfel_arena::{Decimal, SprtSimulation, SprtVerdict, run_in_order};
use wurfel_core::Random;

use crate::bounds::{decimal, whole};
use crate::commands::sprt_options::{Test, elo};
use crate::json::write_json;
use crate::options::Jobs;
use crate::progress::bar;
use crate::{Done, stop};

/// The options of a simulation.
#[derive(Args, Clone, Debug)]
pub struct Simulate {
    /// Play no games: simulate this many tests and report how often they reach the wrong verdict
    #[arg(long = "simulate", id = "simulate", conflicts_with = "out", value_name = "TESTS", value_parser = whole::<u64>(1..=1 << 32))]
    tests: Option<u64>,
    /// The true Elo difference of simulated pairs [default: elo0, elo1 and the middle]
    #[arg(long, requires = "simulate", value_parser = elo)]
    true_elo: Option<f64>,
    /// How often simulated pairs have 0, ½, 1, 1½ and 2 points, in any unit, before these shares are
    /// adjusted to the true Elo difference [default: the shares of equal agents of EWN]
    #[arg(long, requires = "simulate", value_parser = shares, allow_hyphen_values = true, default_value = "22,0,56,0,22")]
    shares: [f64; 5],
    /// With --luck: how many times fewer pairs are needed once luck is taken off
    #[arg(long, requires = "simulate", default_value_t = 3.0, value_parser = decimal::<f64>(1.0..=1000.0))]
    gain: f64,
}

/// The results of simulated tests.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Rates {
    /// The true Elo difference.
    elo: f64,
    /// The number of tests.
    tests: u64,
    /// The shares of the tests with each verdict.
    h0_accepted: f64,
    h1_accepted: f64,
    inconclusive: f64,
    /// The number of pairs of a test: the mean, and the number that 95 of 100 tests do not exceed.
    mean_pairs: f64,
    pairs_95: u64,
    /// The median Elo at the end, without and with the adjustment for stopping.
    raw_elo: Option<f64>,
    stopping_adjusted_elo: Option<f64>,
}

impl Simulate {
    /// Whether simulated tests were requested.
    pub const fn is_wanted(&self) -> bool {
        self.tests.is_some()
    }

    /// Simulates tests and writes their results.
    pub fn run(
        &self,
        test: &Test,
        seed: u64,
        jobs: Jobs,
        json: bool,
        out: &mut dyn Write,
    ) -> anyhow::Result<Done> {
        let sprt = test.sprt()?;
        let middle = f64::midpoint(sprt.elo0, sprt.elo1);
        let truths = match self.true_elo {
            Some(elo) => vec![sprt.in_range(elo)?],
            None => vec![sprt.elo0, middle, sprt.elo1],
        };
        let tests = self.tests.unwrap_or_default();
        let mut all = vec![];
        for elo in truths {
            let (shares, gain, max_pairs) = (self.shares, self.gain, test.max_pairs);
            let simulation = SprtSimulation { test: sprt, elo, shares, max_pairs, gain };
            let row = rates(&simulation, tests, seed, jobs, json);
            all.push(row);
            if row.tests < tests {
                break;
            }
        }
        if json {
            write_json(&json!({ "test": sprt, "simulated": all }), out)?;
        } else {
            text(&all, out)?;
        }
        out.flush()?;
        let Some(cut) = all.iter().find(|rates| rates.tests < tests) else { return Ok(Done::All) };
        writeln!(io::stderr(), "stopped after {} of {tests} tests at {} Elo", cut.tests, cut.elo)?;
        Ok(Done::Stopped)
    }
}

/// Reads the relative frequencies of the outcomes of pairs.
fn shares(text: &str) -> Result<[f64; 5], String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    let read: Result<[f64; 5], _> = numbers.try_into();
    let fits = |shares: &[f64; 5]| {
        let are_numbers = shares.iter().all(|share| (0.0..=1e12).contains(share));
        are_numbers && shares[0] > 0.0 && shares[4] > 0.0
    };
    read.ok().filter(fits).ok_or_else(|| {
        "expected five numbers separated by commas, none below 0, the first and the last above 0"
            .to_owned()
    })
}

/// Simulates tests on all threads.
fn rates(simulation: &SprtSimulation, tests: u64, seed: u64, jobs: Jobs, hidden: bool) -> Rates {
    let bar = bar(tests, "tests", hidden);
    let mut ends = [0u64; 3];
    let (mut pairs, mut raw, mut adjusted) = (vec![], vec![], vec![]);
    stop::working(|| {
        run_in_order(
            0..tests,
            jobs.count(),
            || (),
            |(), number| {
                let go_on = !stop::is_wanted();
                go_on.then(|| {
                    let ended = simulation.run(Random::seed_for(seed, &[number]));
                    let adjusted = ended.adjusted(&simulation.test).elo;
                    (ended.verdict, ended.pairs(), ended.raw_elo(), adjusted)
                })
            },
            |_, (verdict, length, elo, unbiased)| {
                ends[verdict as usize] += 1;
                pairs.push(length);
                raw.push(elo);
                adjusted.push(unbiased.unwrap_or(elo));
                bar.set_position(pairs.len() as u64);
                true
            },
        );
    });
    bar.finish_and_clear();
    let count = pairs.len().max(1) as f64;
    let share = |verdict: SprtVerdict| ends[verdict as usize] as f64 / count;
    let median = |mut elos: Vec<f64>| {
        elos.sort_by(f64::total_cmp);
        elos.get(elos.len() / 2).copied().filter(|elo| elo.is_finite())
    };
    let mean_pairs = pairs.iter().sum::<u64>() as f64 / count;
    let tests = pairs.len() as u64;
    pairs.sort_unstable();
    Rates {
        elo: simulation.elo,
        tests,
        h0_accepted: share(SprtVerdict::H0),
        h1_accepted: share(SprtVerdict::H1),
        inconclusive: share(SprtVerdict::Inconclusive),
        mean_pairs,
        pairs_95: pairs.get(pairs.len() * 95 / 100).copied().unwrap_or_default(),
        raw_elo: median(raw),
        stopping_adjusted_elo: median(adjusted),
    }
}

/// A table in Markdown.
fn text(all: &[Rates], out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "| true Elo | tests | H0 accepted | H1 accepted | inconclusive | pairs, mean | 95 % need at most | \
         raw Elo | stopping-adjusted Elo |\n|---|---|---|---|---|---|---|---|---|"
    )?;
    let elo = |elo: Option<f64>| elo.map_or("?".into(), |elo| format!("{:+.1}", Decimal(elo)));
    for rates in all {
        writeln!(
            out,
            "| {} | {} | {:.2} % | {:.2} % | {:.2} % | {:.0} | {} | {} | {} |",
            rates.elo,
            rates.tests,
            100.0 * rates.h0_accepted,
            100.0 * rates.h1_accepted,
            100.0 * rates.inconclusive,
            rates.mean_pairs,
            rates.pairs_95,
            elo(rates.raw_elo),
            elo(rates.stopping_adjusted_elo)
        )?;
    }
    writeln!(
        out,
        "\nShares of the simulated tests, and medians of raw and stopping-adjusted Elo at their ends."
    )
}
