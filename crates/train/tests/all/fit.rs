//! Fitting finds a known law, and finds the same parameters each time.

use wurfel_core::{Evaluator, Features, Game, Random};
use wurfel_games::Playable;
use wurfel_games::einstein::Einstein;
use wurfel_games::learned::{Learned, LogOdds, Weights};
use wurfel_train::{Epoch, Fit, Labelled, fit};

/// A base evaluation that finds every position even.
struct Nothing;

impl<G> LogOdds<G> for Nothing {
    fn log_odds(&self, _: &G) -> f32 {
        0.0
    }
}

/// The law to be learned, a function of the features alone that mirror images share: each cube
/// counts by its row and column, for its side or against it.
fn law(position: &Einstein) -> f32 {
    let mut odds = 0.0;
    position.features(position.side(), |feature| {
        let (cell, own) = (feature % 25, feature < Einstein::FEATURES / 2);
        let steps = (cell / 5 + cell % 5) as f32 / 8.0;
        odds += if own { steps } else { steps - 1.0 };
    });
    1.0 / (1.0 + (-odds).exp())
}

/// Positions after some random moves.
fn positions(count: usize, seed: u64) -> Vec<Labelled<Einstein>> {
    let mut random = Random::new(seed);
    let mut labelled = vec![];
    while labelled.len() < count {
        let mut position = Einstein::default().setup(&mut random);
        for _ in 0..random.below(16) {
            if position.outcome().is_none() {
                let die = random.pick(Einstein::DICE).item;
                position.play(die, *random.pick(position.moves(die).as_ref()));
            }
        }
        if position.outcome().is_none() {
            labelled.push(Labelled { position, value: law(&position) });
        }
    }
    labelled
}

fn settings(epochs: u32, seed: u64) -> Fit {
    Fit { epochs, batch: 128, learning_rate: 0.01, seed }
}

fn quickly(labelled: &[Labelled<Einstein>], seed: u64) -> (Weights, Vec<Epoch>) {
    let mut seen = vec![];
    let weights = fit(&Nothing, labelled, settings(3, seed), None, |epoch| {
        seen.push(epoch);
        true
    });
    (weights, seen)
}

fn rms(labelled: &[Labelled<Einstein>], value: impl Fn(&Einstein) -> f32) -> f32 {
    let squares = labelled.iter().map(|known| (value(&known.position) - known.value).powi(2));
    (squares.sum::<f32>() / labelled.len() as f32).sqrt()
}

#[test]
fn a_law_is_learned_and_holds_for_other_positions() {
    let (known, unknown) = (positions(20_000, 1), positions(1000, 2));
    let mut epochs = vec![];
    let weights = fit(&Nothing, &known, settings(8, 1), None, |epoch| {
        epochs.push(epoch);
        true
    });
    assert!(epochs.iter().map(|epoch| epoch.number).eq(1..=8));
    let (first, last) = (epochs[0], epochs[7]);
    let base = rms(&unknown, |_| 0.5);
    assert!(last.training < 0.2 * first.training, "{epochs:?}");
    assert!(last.validation < 0.2 * last.base && last.base > 0.1, "{epochs:?}");
    // Rounding the parameters, and adding the shared ones to each feature, changes nothing.
    let learned = Learned::new(Nothing, &weights);
    let actual = rms(&unknown, |position| learned.evaluate(position));
    assert!(actual < 0.2 * base, "{actual} {base}");
    let validation: Vec<Labelled<Einstein>> = known.iter().step_by(20).cloned().collect();
    let actual = rms(&validation, |position| learned.evaluate(position));
    assert!((actual - last.validation).abs() < 0.005, "{actual} {}", last.validation);
    assert!((rms(&validation, |_| 0.5) - last.base).abs() < 1e-5);
}

#[test]
fn the_same_seed_gives_the_same_parameters() {
    let labelled = positions(500, 3);
    let (weights, epochs) = quickly(&labelled, 7);
    assert_eq!(quickly(&labelled, 7), (weights.clone(), epochs));
    assert_ne!(quickly(&labelled, 8).0, weights);
}

#[test]
fn a_fit_ends_when_it_is_told_to() {
    let labelled = positions(300, 4);
    let mut epochs = 0;
    let stopped = fit(&Nothing, &labelled, settings(50, 1), None, |_| {
        epochs += 1;
        epochs < 2
    });
    assert_eq!(epochs, 2);
    let bytes = stopped.to_bytes();
    assert_eq!(Weights::from_bytes(&bytes, Einstein::FEATURES), Ok(stopped));
}

/// The smallest training sets: fewer positions than parts of a batch, and a batch larger than the
/// whole set.
#[test]
fn few_positions_are_enough_to_go_on() {
    for count in [2, 3, 21, 22] {
        let labelled = positions(count, 5);
        let learned = Learned::new(Nothing, &quickly(&labelled, 1).0);
        let value = learned.evaluate(&labelled[0].position);
        assert!(value.is_finite() && (0.0..=1.0).contains(&value));
    }
}
