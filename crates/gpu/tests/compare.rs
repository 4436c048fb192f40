//! Compares the framework with the CPU code of `wurfel-net`. From the same parameters, both
//! learners must find the same losses, gradients, steps and statistics except for rounding, and
//! both forward passes the same logits and values. With feature `cpu-backend` everything runs on
//! the CPU, with `wgpu` or `cuda` alone on a device.
#![cfg(feature = "burn")]
#![allow(clippy::unwrap_used, reason = "a failure ends the test")]

mod backend;

use std::ops::Range;

use wurfel_core::Random;
use wurfel_gpu::{TensorInference, TensorLearner};
use wurfel_net::{
    Architecture, Batch, Checkpoint, Forward, Inference, Learner, Model, NetworkShape,
    OptimizerStep, TaskWeights, Trainer,
};

use backend::{Backend, Device};

const BOARDS: usize = 12;

/// Whether products are of numbers in TF32, which keep ten bits of the fraction: that is what the
/// framework does where the device has units for it.
const TF32: bool = cfg!(all(feature = "cuda", not(any(feature = "cpu-backend", feature = "wgpu"))));

/// How far results may be apart: `exact` where numbers keep all of their bits, `tf32` otherwise. The
/// latter are some two to four times the largest distances on an NVIDIA H100.
const fn allowed(exact: f32, tf32: f32) -> f32 {
    if TF32 { tf32 } else { exact }
}

/// Networks for both boards, with and without residual blocks, with both kinds of policy.
fn all() -> [Architecture; 5] {
    let small = |board, blocks| Architecture {
        board,
        planes: 3,
        moves: 21,
        shape: NetworkShape {
            filters: 20,
            convolutions: 2,
            blocks,
            policy_channels: 3,
            value_channels: 2,
            value_hidden: 17,
            spatial_policy: false,
            afterstate_value: false,
        },
    };
    let mut spatial = Architecture { moves: 2 * 25, ..small(5, 1) };
    spatial.shape.spatial_policy = true;
    [small(5, 0), small(5, 2), small(8, 0), small(8, 1), spatial]
}

/// A random network whose norms and statistics are not trivial and whose logits and values differ.
fn lively(architecture: Architecture, random: &mut Random) -> Model {
    let model = Model::new(architecture, "toy", random).unwrap();
    let layout = architecture.layout();
    let mut parameters = model.parameters().to_vec();
    let mut fill = |range: &Range<usize>, least: f32| {
        parameters[range.clone()].fill_with(|| least + random.unit() as f32);
    };
    for layer in layout.convolutions() {
        fill(&layer.scale, 0.5);
        fill(&layer.variance, 0.5);
        fill(&layer.shift, -0.5);
        fill(&layer.mean, -0.5);
    }
    for layer in [&layout.moves, &layout.hidden, &layout.out] {
        fill(&layer.bias, -0.5);
    }
    for layer in [&layout.moves, &layout.out] {
        parameters[layer.weight.clone()].iter_mut().for_each(|number| *number *= 10.0);
    }
    Model::from_parameters(architecture, "toy", parameters).unwrap()
}

/// Random positions to learn from. About half of all moves are legal in each, but none in the last
/// one, which is at rest.
struct TrainingBatch {
    planes: Vec<f32>,
    legal: Vec<bool>,
    policy: Vec<f32>,
    values: Vec<f32>,
}

impl TrainingBatch {
    fn random(architecture: &Architecture, random: &mut Random) -> Self {
        let planes = BOARDS * architecture.planes * architecture.cells();
        let planes = (0..planes).map(|_| random.below(3) as f32 - 1.0).collect();
        let mut legal: Vec<bool> =
            (0..BOARDS * architecture.moves).map(|_| random.below(2) == 0).collect();
        let mut policy = vec![];
        for legal in legal.chunks_exact_mut(architecture.moves) {
            legal[random.below(architecture.moves as u32) as usize] = true;
            let shares = legal.iter().map(|&legal| if legal { random.unit() as f32 } else { 0.0 });
            let shares: Vec<f32> = shares.collect();
            let sum: f32 = shares.iter().sum();
            policy.extend(shares.iter().map(|share| share / sum));
        }
        let last = (BOARDS - 1) * architecture.moves;
        legal[last..].fill(false);
        policy[last..].fill(0.0);
        let values = (0..BOARDS).map(|_| random.unit() as f32 * 2.0 - 1.0).collect();
        Self { planes, legal, policy, values }
    }

    fn batch(&self) -> Batch<'_> {
        let Self { planes, legal, policy, values } = self;
        Batch { planes, legal, policy, values }
    }
}

fn both(start: &Checkpoint) -> [Box<dyn Learner>; 2] {
    let there = TensorLearner::<Backend>::resume(start, Device::default());
    [Box::new(Trainer::resume(start, BOARDS)), Box::new(there)]
}

/// The distance between two lists as a share of the length of the first, as vectors.
fn apart(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    let length = |list: &mut dyn Iterator<Item = f32>| list.map(|x| x * x).sum::<f32>().sqrt();
    length(&mut a.iter().zip(b).map(|(a, b)| a - b)) / length(&mut a.iter().copied())
}

/// The parameters of a network in two lists: the statistics of all norms, and the rest.
fn parted(model: &Model) -> [Vec<f32>; 2] {
    let layout = model.architecture().layout();
    let ranges: Vec<Range<usize>> = layout
        .convolutions()
        .flat_map(|layer| [layer.mean.clone(), layer.variance.clone()])
        .collect();
    let is_measured = |n: &usize| ranges.iter().any(|range| range.contains(n));
    let parameters = model.parameters().iter().copied().enumerate();
    let (measured, learned): (Vec<_>, Vec<_>) = parameters.partition(|(n, _)| is_measured(n));
    [measured, learned].map(|list| list.into_iter().map(|(_, number)| number).collect())
}

/// Asserts that two checkpoints are equal except for rounding. Parameters and statistics, of the
/// network and of the average, may differ by a share of 1e-3; the moments, which depend more on the
/// last gradients, by thirty times that.
fn assert_alike(a: &Checkpoint, b: &Checkpoint, what: &str) {
    assert_eq!(a.steps, b.steps);
    for (a, b) in [(&a.model, &b.model), (&a.average, &b.average)] {
        for (name, (a, b)) in
            ["statistics", "parameters"].iter().zip(parted(a).iter().zip(&parted(b)))
        {
            let near = apart(a, b) < allowed(1e-3, 1e-2);
            assert!(near, "{what}: {name} {} apart", apart(a, b));
        }
    }
    for (name, a, b) in [("means", &a.means, &b.means), ("squares", &a.squares, &b.squares)] {
        let near = apart(a, b) < allowed(3e-2, 0.4);
        assert!(near, "{what}: {name} {} apart", apart(a, b));
    }
}

/// Lets both learners take two batches and a step, whose gradient is clipped when `number` is even.
/// Asserts that the losses differ by no more than a share of `share`, and the lengths of the
/// gradients by no more than a share of 1e-2.
fn step_together(learners: &mut [Box<dyn Learner>; 2], number: u32, share: f32, what: &str) {
    let near = |a: f32, b: f32, share: f32| (a - b).abs() <= share * a.abs().max(1.0);
    let architecture = *learners[0].average().architecture();
    let mut random = Random::new(100 + u64::from(number));
    for _ in 0..2 {
        let batch = TrainingBatch::random(&architecture, &mut random);
        let weights = TaskWeights { policy: 0.7, value: 1.9 };
        let [a, b] = learners.each_mut().map(|learner| learner.learn(&batch.batch(), weights));
        for (a, b) in [(a.policy, b.policy), (a.value, b.value), (a.entropy, b.entropy)] {
            assert!(near(a, b, allowed(share, 3e-2)), "{what}: losses {a} and {b}");
        }
    }
    let clip = [2.0, 100.0][number as usize % 2];
    let step = OptimizerStep { learning_rate: 1e-3, l2: 1e-3, clip, ema_decay: 0.9 };
    let [a, b] = learners.each_mut().map(|learner| learner.step(step));
    let alike = near(a, b, allowed(1e-2, 0.1)) && (2.0..100.0).contains(&a);
    assert!(alike, "{what}: gradients of length {a} and {b}");
}

/// Where a sum is almost 0, rounding decides whether a ReLU lets it through; and Adam's first steps
/// are as long for a gradient of almost 0 as for any other. So results that agree to seven digits
/// for most networks may agree to only four for some.
#[test]
fn both_learn_the_same() {
    for architecture in all() {
        let start = Checkpoint::new(lively(architecture, &mut Random::new(3)));
        let mut learners = both(&start);
        for number in 0..6 {
            let what = format!("step {number} of {architecture:?}");
            let share = if number == 0 { 1e-5 } else { 1e-3 };
            step_together(&mut learners, number, share, &what);
            let [a, b] = learners.each_ref().map(|learner| learner.checkpoint());
            assert_alike(&a, &b, &what);
            let way = apart(a.model.parameters(), start.model.parameters());
            assert!(
                way > 3e-3,
                "{what}: it has not come far enough for that to say anything: {way}"
            );
        }
    }
}

/// The checkpoint of a run contains all that is needed to resume, whichever learner wrote it.
#[test]
fn each_goes_on_where_the_other_was() {
    for architecture in all() {
        let mut learners = both(&Checkpoint::new(lively(architecture, &mut Random::new(3))));
        for number in 0..3 {
            step_together(&mut learners, number, 1e-3, "before");
        }
        for learner in &learners {
            let file = learner.checkpoint().to_bytes(7).unwrap();
            let (read, note) = Checkpoint::from_bytes(&file).unwrap();
            assert_eq!((&read, note), (&learner.checkpoint(), 7));
            let mut resumed = both(&read);
            for resumed in &resumed {
                assert_eq!(resumed.checkpoint(), read);
            }
            step_together(&mut resumed, 3, 1e-5, "after");
            let [a, b] = resumed.each_ref().map(|learner| learner.checkpoint());
            assert_eq!(a.steps, 4);
            assert_alike(&a, &b, "after");
        }
    }
}

#[test]
fn both_infer_the_same() {
    for architecture in all() {
        let mut random = Random::new(3);
        let model = lively(architecture, &mut random);
        let there = TensorInference::<Backend>::new(&model, Device::default());
        let both: [Box<dyn Forward>; 2] = [Box::new(Inference::new(&model)), there.another()];
        let TrainingBatch { planes, .. } = TrainingBatch::random(&architecture, &mut random);
        let outputs = both.map(|mut forward| {
            let mut logits = vec![0.0; BOARDS * architecture.moves];
            let mut values = vec![0.0; BOARDS];
            forward.infer(&planes, &mut logits, &mut values);
            forward.infer(&[], &mut [], &mut []);
            (logits, values)
        });
        let largest =
            |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        let [(logits, values), (other_logits, other_values)] = &outputs;
        let (of_logits, of_values) = (largest(logits, other_logits), largest(values, other_values));
        let near = of_logits < allowed(1e-3, 2e-2) && of_values < allowed(1e-4, 1e-2);
        assert!(near, "{architecture:?} {of_logits} {of_values}");
        // The logits and values are not all alike.
        let spread = |list: &[f32]| largest(list, &vec![list[0]; list.len()]);
        assert!(spread(logits) > 0.5 && spread(values) > 0.01);
    }
}
