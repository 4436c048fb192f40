//! Positions and training samples per second on a device, and on all CPUs of its machine, on the
//! clock.
//!
//! `N×F` has N residual blocks of F channels above one convolution, with the planes and moves of
//! EWN. The feature chooses the device: `cuda`, `wgpu` or, to try the bench without one,
//! `cpu-backend`.

#[path = "../tests/backend/mod.rs"]
mod backend;

use std::fmt;
use std::thread::available_parallelism;

use divan::Bencher;
use divan::counter::ItemsCount;
use wurfel_core::Random;
use wurfel_gpu::{TensorInference, TensorLearner};
use wurfel_net::{
    Architecture, Batch, Checkpoint, Forward, Inference, Learner, Model, OptimizerStep,
    TaskWeights, Threaded, Trainer,
};

use backend::{Backend, Device};

fn main() {
    divan::main();
}

/// Calls before the first one that is measured, in which the framework compiles its kernels.
const WARM_UP: usize = 3;

#[derive(Clone, Copy)]
struct Tower(usize, usize);

impl fmt::Display for Tower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.0, self.1)
    }
}

const TOWERS: [Tower; 3] = [Tower(2, 64), Tower(5, 128), Tower(10, 256)];

impl Tower {
    fn model(self) -> Model {
        let architecture = Architecture::paper(5, 16, 27).with_tower(self.1, 1, self.0);
        Model::new(architecture, "toy", &mut Random::new(1)).expect("a sound architecture")
    }
}

fn threads() -> usize {
    available_parallelism().map_or(1, usize::from)
}

fn planes(architecture: &Architecture, batch: usize) -> Vec<f32> {
    let mut random = Random::new(1);
    let numbers = batch * architecture.planes * architecture.cells();
    (0..numbers).map(|_| random.below(2) as f32).collect()
}

fn infer(
    bencher: Bencher<'_, '_>,
    model: &Model,
    batch: usize,
    mut infer: impl FnMut(&[f32], &mut [f32], &mut [f32]),
) {
    let architecture = model.architecture();
    let planes = planes(architecture, batch);
    let mut logits = vec![0.0; batch * architecture.moves];
    let mut values = vec![0.0; batch];
    let mut infer = || infer(&planes, &mut logits, &mut values);
    (0..WARM_UP).for_each(|_| infer());
    bencher.counter(ItemsCount::new(batch)).bench_local(infer);
}

#[divan::bench(args = TOWERS, consts = [128, 1024, 8192], sample_count = 20, max_time = 1)]
fn positions_on_device<const BATCH: usize>(bencher: Bencher<'_, '_>, tower: Tower) {
    let model = tower.model();
    let mut network = TensorInference::<Backend>::new(&model, Device::default());
    infer(bencher, &model, BATCH, |planes, logits, values| network.infer(planes, logits, values));
}

#[divan::bench(args = TOWERS, consts = [1024], sample_count = 20, max_time = 1)]
fn positions_on_cpus<const BATCH: usize>(bencher: Bencher<'_, '_>, tower: Tower) {
    let model = tower.model();
    let mut network = Threaded::new(Inference::new(&model));
    infer(bencher, &model, BATCH, |planes, logits, values| {
        network.infer(threads(), planes, logits, values);
    });
}

/// The forward and backward pass of a batch, and a step of the optimiser.
fn learn(bencher: Bencher<'_, '_>, batch: usize, learner: &mut dyn Learner) {
    let architecture = *learner.average().architecture();
    let planes = planes(&architecture, batch);
    let moves = architecture.moves;
    let (legal, policy) = (vec![true; batch * moves], vec![1.0 / moves as f32; batch * moves]);
    let mut random = Random::new(2);
    let values: Vec<f32> = (0..batch).map(|_| random.below(3) as f32 - 1.0).collect();
    let sample = Batch { planes: &planes, legal: &legal, policy: &policy, values: &values };
    let step = OptimizerStep { learning_rate: 1e-3, l2: 1e-4, clip: 1.0, ema_decay: 0.0 };
    let mut learn = || {
        learner.learn(&sample, TaskWeights::default());
        learner.step(step)
    };
    for _ in 0..WARM_UP {
        learn();
    }
    bencher.counter(ItemsCount::new(batch)).bench_local(learn);
}

#[divan::bench(args = TOWERS, consts = [512, 4096], sample_count = 20, max_time = 1)]
fn samples_on_device<const BATCH: usize>(bencher: Bencher<'_, '_>, tower: Tower) {
    let start = Checkpoint::new(tower.model());
    learn(bencher, BATCH, &mut TensorLearner::<Backend>::resume(&start, Device::default()));
}

#[divan::bench(args = TOWERS, consts = [512], sample_count = 20, max_time = 1)]
fn samples_on_cpus<const BATCH: usize>(bencher: Bencher<'_, '_>, tower: Tower) {
    let mut trainer = Trainer::resume(&Checkpoint::new(tower.model()), BATCH);
    trainer.set_threads(threads());
    learn(bencher, BATCH, &mut trainer);
}
