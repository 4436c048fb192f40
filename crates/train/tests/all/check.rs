//! The checks before a run: a sound configuration overfits a batch, and a broken one does not.

use std::sync::atomic::AtomicBool;

use wurfel_games::einstein::Einstein;
use wurfel_train::network::{Check, CheckSettings, TrainingConfig, check};

use crate::network::config;

static STOP: AtomicBool = AtomicBool::new(true);

fn tried(config: &TrainingConfig, jobs: usize) -> Check {
    let settings = CheckSettings { steps: 150, sweep_steps: 12, games: 10 };
    check(&Einstein::default(), config, settings, jobs, None).unwrap().unwrap()
}

#[test]
fn a_sound_configuration_learns_a_batch_by_heart() {
    let result = tried(&config(), 1);
    let overfit = &result.overfit;
    assert!(overfit.passed && overfit.left < 0.1, "{overfit:?}");
    let steps: Vec<u32> = overfit.losses.iter().map(|loss| loss.step).collect();
    assert_eq!(steps, [1, 2, 4, 8, 16, 32, 64, 128, 150]);
    // No network is below the entropy of the targets.
    let last = overfit.losses[8];
    assert!(f64::from(last.policy_loss) > overfit.floor - 1e-4, "{overfit:?}");
    // Whatever the number of threads.
    assert_eq!(tried(&config(), 3), result);
    // The rate of the configuration, 0.004, is in its place among the eight that are always tried.
    let rates: Vec<f32> = result.rates.iter().map(|tried| tried.learning_rate).collect();
    assert_eq!(rates, [1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 4e-3, 1e-2, 3e-2, 1e-1]);
    // A hundred thousandth changes little in twelve steps, a hundredth more, and a tenth is too much.
    let loss = |place: usize| result.rates[place].loss.unwrap();
    assert!(loss(6) < loss(0) - 0.02 && loss(6) < loss(8) - 0.02, "{:?}", result.rates);
    assert!(result.rates[3].held_out.unwrap().positions > 10);
}

#[test]
fn a_rate_that_is_far_too_small_is_found_out() {
    let mut config = config();
    config.learning.learning_rate = 1e-6;
    let overfit = tried(&config, 2).overfit;
    assert!(!overfit.passed && overfit.left > 0.5, "{overfit:?}");
}

#[test]
fn a_check_that_is_stopped_says_nothing() {
    let settings = CheckSettings { steps: 2, sweep_steps: 1, games: 2 };
    assert_eq!(check(&Einstein::default(), &config(), settings, 1, Some(&STOP)).unwrap(), None);
    let unknown = TrainingConfig { encoding: "ewn-v9".into(), ..config() };
    let error = check(&Einstein::default(), &unknown, settings, 1, None).unwrap_err().to_string();
    assert_eq!(error, "configuration: encoding 'ewn-v9', not ewn-v3, ewn-v2, ewn-v1");
}
