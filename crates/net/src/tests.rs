//! Checks all sets of instructions and both methods against the plain network.

use safetensors::SafeTensors;
use wurfel_core::Random;

use crate::naive::{self, Norms, TrainingBatch, lively};
use crate::training::{Batch, OptimizerStep, TaskWeights, Trainer};
use crate::{
    Architecture, Checkpoint, Forward, Inference, Instructions, Learner, Method, Model,
    NetworkShape,
};

/// A small architecture with every kind of layer, in which no number of channels is a multiple of
/// sixteen.
fn small(board: usize) -> Architecture {
    Architecture {
        board,
        planes: 3,
        moves: 21,
        shape: NetworkShape {
            filters: 20,
            convolutions: 2,
            blocks: 2,
            policy_channels: 3,
            value_channels: 2,
            value_hidden: 17,
            spatial_policy: false,
            afterstate_value: false,
        },
    }
}

/// Architectures for both boards, with both kinds of policy.
fn all() -> [Architecture; 4] {
    let spatial = |board| {
        let Architecture { planes, shape, .. } = small(board);
        let shape = NetworkShape { spatial_policy: true, ..shape };
        Architecture { board, planes, moves: 18 * board * board, shape }
    };
    [small(5), small(8), spatial(5), spatial(8)]
}

fn double(model: &Model) -> Vec<f64> {
    model.parameters.iter().map(|&number| f64::from(number)).collect()
}

/// The largest difference between the outputs of the network and of the plain network.
fn difference(model: &Model, boards: usize, instructions: Instructions, method: Method) -> f64 {
    let architecture = model.architecture();
    let batch = TrainingBatch::random(architecture, boards, &mut Random::new(7));
    let expected = naive::infer(architecture, &double(model), &batch.planes, Norms::Running);
    let mut inference = Inference::with(model, instructions, method);
    let mut logits = vec![0.0; boards * architecture.moves];
    let mut values = vec![0.0; boards];
    inference.infer(&batch.planes, &mut logits, &mut values);
    let mut largest = 0.0;
    for (board, answer) in expected.iter().enumerate() {
        let logits = &logits[board * architecture.moves..][..architecture.moves];
        for (logit, expected) in logits.iter().zip(&answer.logits) {
            largest = f64::max(largest, (f64::from(*logit) - expected).abs());
        }
        largest = f64::max(largest, (f64::from(values[board]) - answer.value).abs());
    }
    largest
}

#[test]
fn the_average_follows_the_numbers() {
    let architecture = Architecture::paper(5, 3, 4).with_tower(16, 1, 0);
    let model = Model::new(architecture, "toy", &mut Random::new(5)).unwrap();
    let planes = vec![1.0; 2 * 3 * 25];
    let batch = Batch {
        planes: &planes,
        legal: &[true; 8],
        policy: &[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        values: &[1.0, -1.0],
    };
    let mut trainer = Trainer::new(&model, 2);
    let mut average = model.parameters.clone();
    for number in 1..=30u32 {
        trainer.learn(&batch, TaskWeights::default());
        trainer.step(OptimizerStep { learning_rate: 1e-2, l2: 0.0, clip: 1.0, ema_decay: 0.7 });
        // The average is short at first: after n steps, it keeps no more than n / (n + 10) of
        // itself.
        let moved = 1.0 - 0.7f32.min(number as f32 / (number as f32 + 10.0));
        for (average, number) in average.iter_mut().zip(&trainer.model().parameters) {
            *average += moved * (number - *average);
        }
    }
    assert_eq!(trainer.average().parameters, average);
    assert_ne!(trainer.average(), trainer.model());
    let checkpoint = trainer.checkpoint();
    let read = Checkpoint::from_bytes(&checkpoint.to_bytes(9).unwrap()).unwrap();
    assert_eq!(read, (checkpoint, 9));
    assert_eq!(Trainer::resume(&read.0, 2).checkpoint(), read.0);
}

/// The network is small enough for Miri, which checks the unsafe code of the kernels;
/// docs/fuzzing.md has the command.
#[test]
fn a_tiny_network_infers_the_same_with_all_instructions() {
    let mut architecture = Architecture::paper(5, 1, 2).with_tower(1, 1, 1);
    architecture.shape.value_hidden = 1;
    let model = lively(architecture, &mut Random::new(3));
    for instructions in Instructions::available() {
        for method in [Method::Winograd, Method::Direct] {
            let difference = difference(&model, 1, instructions, method);
            assert!(difference < 1e-4, "{instructions} {method:?}: {difference}");
        }
    }
}

#[test]
fn every_kind_of_instructions_and_both_methods_infer_as_the_plain_network_does() {
    for architecture in all() {
        let model = lively(architecture, &mut Random::new(3));
        for instructions in Instructions::available() {
            for method in [Method::Winograd, Method::Direct] {
                // One board, several boards, and more boards than go through the network together.
                for boards in [1, 5, 37] {
                    let difference = difference(&model, boards, instructions, method);
                    assert!(
                        difference < 1e-4,
                        "{architecture:?} {instructions} {method:?} {boards}: {difference}"
                    );
                }
            }
        }
    }
}

/// Compares the gradients with differences of the loss, for each array of parameters along one
/// direction. The direction is that of the gradients plus a random one of the same length, so that
/// all gradients of the array matter.
#[test]
fn the_gradients_are_those_of_the_loss() {
    const STEP: f64 = 1e-5;
    // Both boards and both kinds of policy; PyTorch computed the gradients of networks of three of the four kinds.
    let [small, _, _, spatial] = all();
    for architecture in [small, spatial] {
        let mut random = Random::new(11);
        let model = lively(architecture, &mut random);
        // More than one tile of boards, the last one not full.
        let boards = if architecture.board == 5 { 61 } else { 17 };
        let batch = TrainingBatch::random(&architecture, boards, &mut random);
        let weights = TaskWeights { policy: 0.7, value: 1.9 };
        let parameters = double(&model);
        let learned = Instructions::available().into_iter().map(|instructions| {
            let mut trainer = Trainer::with(&model, 64, instructions);
            let losses = trainer.learn(&batch.batch(), weights);
            (instructions, losses.total(weights), trainer.gradients().to_vec())
        });
        let learned: Vec<_> = learned.collect();
        let expected = naive::loss(&architecture, &parameters, &batch.batch(), weights);
        for (instructions, actual, _) in &learned {
            assert!(
                (f64::from(*actual) - expected).abs() < 1e-4,
                "{instructions} {actual} {expected}"
            );
        }
        for tensor in architecture.layout().tensors.iter().filter(|tensor| !tensor.statistic) {
            let gradients = &learned[0].2[tensor.range.clone()];
            let squares: f32 = gradients.iter().map(|gradient| gradient * gradient).sum();
            let typical = f64::from((squares / gradients.len() as f32).sqrt());
            let direction: Vec<f64> = gradients
                .iter()
                .map(|&gradient| f64::from(gradient) + (random.unit() * 2.0 - 1.0) * typical)
                .collect();
            let at = |step: f64| {
                let mut parameters = parameters.clone();
                for (number, part) in parameters[tensor.range.clone()].iter_mut().zip(&direction) {
                    *number += step * part;
                }
                naive::loss(&architecture, &parameters, &batch.batch(), weights)
            };
            let expected = (at(STEP) - at(-STEP)) / (2.0 * STEP);
            for (instructions, _, gradients) in &learned {
                let gradients = gradients[tensor.range.clone()].iter().zip(&direction);
                let gradient: f64 =
                    gradients.map(|(&gradient, part)| f64::from(gradient) * part).sum();
                let allowed = 1e-5 + 5e-3 * expected.abs();
                assert!(
                    (gradient - expected).abs() < allowed,
                    "{architecture:?} {instructions} {}: {gradient} {expected}",
                    tensor.name
                );
            }
        }
    }
}

/// The gradients agree only approximately: where a sum is almost 0, rounding decides whether the
/// ReLU lets it pass.
#[test]
fn all_instructions_find_the_same_gradients() {
    for architecture in all() {
        let mut random = Random::new(5);
        let model = lively(architecture, &mut random);
        let batch = TrainingBatch::random(&architecture, 70, &mut random);
        let gradients = |instructions| {
            let mut trainer = Trainer::with(&model, 70, instructions);
            trainer.learn(&batch.batch(), TaskWeights::default());
            trainer.gradients().to_vec()
        };
        let portable = gradients(Instructions::PORTABLE);
        for instructions in Instructions::available() {
            let others = gradients(instructions);
            for tensor in &architecture.layout().tensors {
                let length =
                    |list: &mut dyn Iterator<Item = f32>| list.map(|x| x * x).sum::<f32>().sqrt();
                let both = portable[tensor.range.clone()].iter().zip(&others[tensor.range.clone()]);
                let apart = length(&mut both.map(|(a, b)| a - b));
                let long = length(&mut portable[tensor.range.clone()].iter().copied());
                assert!(
                    apart <= 1e-5 + 1e-2 * long,
                    "{instructions} {}: {apart} of {long}",
                    tensor.name
                );
            }
        }
    }
}

/// The slices of a batch and the order of all sums are the same on any number of threads, even when
/// a batch has fewer slices than there are threads, or a last slice of few boards.
#[test]
fn the_number_of_threads_changes_no_bit() {
    for architecture in all() {
        let mut random = Random::new(6);
        let model = lively(architecture, &mut random);
        let sizes = if architecture.board == 5 { [3, 130, 171] } else { [1, 29, 60] };
        let batches = sizes.map(|boards| TrainingBatch::random(&architecture, boards, &mut random));
        let learned = |threads| {
            let mut trainer = Trainer::new(&model, 171);
            trainer.set_threads(threads);
            let mut losses = vec![];
            for batch in &batches {
                losses.push(trainer.learn(&batch.batch(), TaskWeights::default()));
                let step =
                    OptimizerStep { learning_rate: 1e-2, l2: 1e-4, clip: 1.0, ema_decay: 0.9 };
                trainer.step(step);
            }
            (losses, trainer.checkpoint())
        };
        let alone = learned(1);
        for threads in [2, 3, 4, 16] {
            assert!(learned(threads) == alone, "{architecture:?} on {threads} threads");
        }
    }
}

/// Taking every board twice changes neither means nor gradients. The larger batch has slices of two
/// groups of boards, the smaller one slices of a single group.
#[test]
fn a_batch_twice_as_large_of_the_same_boards_has_the_same_gradients() {
    let architecture = small(8);
    let mut random = Random::new(8);
    let model = lively(architecture, &mut random);
    let batch = TrainingBatch::random(&architecture, 120, &mut random);
    let TrainingBatch { planes, legal, policy, values } = &batch;
    let twice = TrainingBatch {
        planes: planes.repeat(2),
        legal: legal.repeat(2),
        policy: policy.repeat(2),
        values: values.repeat(2),
    };
    let [(once, gradients), (both, others)] = [batch, twice].map(|batch| {
        let mut trainer = Trainer::new(&model, 240);
        trainer.set_threads(2);
        let losses = trainer.learn(&batch.batch(), TaskWeights::default());
        (losses, trainer.gradients().to_vec())
    });
    assert!(farthest(&[once.policy, once.value], &[both.policy, both.value]) < 1e-5);
    let largest = gradients.iter().fold(0.0, |largest: f32, gradient| largest.max(gradient.abs()));
    assert!(farthest(&gradients, &others) < 1e-3 * largest, "{}", farthest(&gradients, &others));
}

#[test]
fn a_batch_is_learned_by_heart() {
    let architecture = small(5);
    let mut random = Random::new(2);
    let model = Model::new(architecture, "toy", &mut random).expect("a sound architecture");
    let mut batch = TrainingBatch::random(&architecture, 32, &mut random);
    // Each position has a single target move, so that the lowest possible cross-entropy is 0.
    let moves = architecture.moves;
    for (policy, legal) in batch.policy.chunks_exact_mut(moves).zip(batch.legal.chunks_exact(moves))
    {
        policy.fill(0.0);
        if let Some(first) = legal.iter().position(|&legal| legal) {
            policy[first] = 1.0;
        }
    }
    let mut trainer = Trainer::new(&model, 32);
    let weights = TaskWeights::default();
    let before = trainer.learn(&batch.batch(), weights).total(weights);
    for _ in 0..200 {
        trainer.step(OptimizerStep { learning_rate: 3e-3, l2: 0.0, clip: 1.0, ema_decay: 0.0 });
        trainer.learn(&batch.batch(), weights);
    }
    let after = trainer.learn(&batch.batch(), weights).total(weights);
    assert!(before > 1.0 && after < 0.02, "{before} {after}");
}

/// The arrays of a file that `tests/reference.py make` has written.
struct Answers(SafeTensors<'static>);

impl Answers {
    fn of(bytes: &'static [u8]) -> Self {
        Self(SafeTensors::deserialize(bytes).expect("a fixture"))
    }

    fn get(&self, name: &str) -> Vec<f32> {
        let tensor = self.0.tensor(name).expect("an array of the fixture");
        let (parts, _) = tensor.data().as_chunks();
        parts.iter().map(|part| f32::from_le_bytes(*part)).collect()
    }
}

fn farthest(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// Outputs, losses, gradients and running statistics are those of `PyTorch`.
#[test]
fn pytorch_agrees() {
    let fixtures: [(&[u8], &[u8]); 3] = [
        (
            include_bytes!("../tests/fixtures/net5spatial.safetensors"),
            include_bytes!("../tests/fixtures/answers5spatial.safetensors"),
        ),
        (
            include_bytes!("../tests/fixtures/net5.safetensors"),
            include_bytes!("../tests/fixtures/answers5.safetensors"),
        ),
        (
            include_bytes!("../tests/fixtures/net8.safetensors"),
            include_bytes!("../tests/fixtures/answers8.safetensors"),
        ),
    ];
    for (file, answers) in fixtures {
        let model = Model::from_bytes(file).expect("a network file");
        let answers = Answers::of(answers);
        let (planes, values) = (answers.get("planes"), answers.get("values"));
        let legal: Vec<bool> = answers.get("legal").iter().map(|&legal| legal > 0.0).collect();
        let policy = answers.get("policy");
        let batch = Batch { planes: &planes, legal: &legal, policy: &policy, values: &values };
        for instructions in Instructions::available() {
            for method in [Method::Winograd, Method::Direct] {
                let mut logits = vec![0.0; policy.len()];
                let mut actual = vec![0.0; values.len()];
                let mut inference = Inference::with(&model, instructions, method);
                inference.infer(&planes, &mut logits, &mut actual);
                assert!(farthest(&logits, &answers.get("logits")) < 1e-5);
                assert!(farthest(&actual, &answers.get("answers")) < 1e-5);
            }
            let mut trainer = Trainer::with(&model, 16, instructions);
            let losses = trainer.learn(&batch, TaskWeights::default());
            assert!(farthest(&[losses.policy, losses.value], &answers.get("losses")) < 1e-5);
            let after = trainer.model();
            for tensor in &model.architecture().layout().tensors {
                let name = &tensor.name;
                let (actual, expected) = if tensor.statistic {
                    (&after.parameters[tensor.range.clone()], answers.get(&format!("after.{name}")))
                } else {
                    let gradients = &trainer.gradients()[tensor.range.clone()];
                    (gradients, answers.get(&format!("gradient.{name}")))
                };
                assert!(farthest(actual, &expected) < 1e-4, "{instructions} {name}");
            }
        }
    }
}

#[test]
fn a_step_is_that_of_adam_with_the_gradient_clipped() {
    let mut random = Random::new(4);
    let model = lively(small(5), &mut random);
    let batch = TrainingBatch::random(model.architecture(), 8, &mut random);
    let weights = TaskWeights::default();
    let mut trainer = Trainer::new(&model, 8);
    // The mean over two equal batches equals that of one of them.
    trainer.learn(&batch.batch(), weights);
    trainer.learn(&batch.batch(), weights);
    let gradients: Vec<f32> = trainer.gradients().iter().map(|gradient| gradient / 2.0).collect();
    let before = trainer.model();
    let (l2, learning_rate) = (1e-3, 1e-2);
    let length = trainer.step(OptimizerStep { learning_rate, l2, clip: 0.5, ema_decay: 0.0 });
    let whole = |n: usize| gradients[n] + 2.0 * l2 * before.parameters[n];
    let learned = before.architecture().layout().tensors.into_iter();
    let learned = learned.filter(|tensor| !tensor.statistic).flat_map(|tensor| tensor.range);
    let sum: f64 = learned.map(|n| f64::from(whole(n)).powi(2)).sum();
    assert!((f64::from(length) - sum.sqrt()).abs() < 1e-3 * sum.sqrt() && length > 0.5);
    // Adam's first step has the length of the learning rate, unless the gradient is tiny.
    let after = trainer.model();
    let mut moved = 0;
    for tensor in &before.architecture().layout().tensors {
        for n in tensor.range.clone() {
            let way = after.parameters[n] - before.parameters[n];
            if tensor.statistic {
                assert!(way == 0.0, "{} has moved", tensor.name);
            } else if whole(n).abs() > 1e-3 {
                let against = -whole(n).signum() * learning_rate;
                assert!((way - against).abs() < 1e-4, "{} {way} {against}", tensor.name);
                moved += 1;
            }
        }
    }
    assert!(moved > 100, "{moved}");
}
