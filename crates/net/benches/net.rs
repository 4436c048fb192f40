//! Positions and training samples per second on one thread, for each set of instructions.
//!
//! The network `paper` is that of paper `policy-value-network`. `N×F` has N residual blocks of F
//! channels above one convolution; with N = 0 it has two convolutions and no block.

use std::fmt;

use divan::Bencher;
use divan::counter::ItemsCount;
use wurfel_core::Random;
use wurfel_net::{
    Architecture, Batch, Forward, Inference, Instructions, Int8Inference, Int8Instructions,
    Learner, Method, Model, OptimizerStep, TaskWeights, Threaded, Trainer,
};

fn main() {
    divan::main();
}

const BATCHES: [usize; 4] = [1, 8, 64, 256];

#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    architecture: Architecture,
    instructions: Instructions,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.instructions)
    }
}

fn nets() -> [(&'static str, Architecture); 4] {
    let paper = Architecture::paper(5, 16, 27);
    let chess = Architecture::paper(8, 24, 4096);
    [
        ("paper", paper),
        ("2x64", paper.with_tower(64, 2, 0)),
        ("5x64", paper.with_tower(64, 1, 5)),
        ("chess 5x64", chess.with_tower(64, 1, 5)),
    ]
}

fn cases() -> Vec<Case> {
    let each = |(name, architecture)| {
        Instructions::available().into_iter().map(move |instructions| Case {
            name,
            architecture,
            instructions,
        })
    };
    nets().into_iter().flat_map(each).collect()
}

fn infer(bencher: Bencher<'_, '_>, case: Case, batch: usize, method: Method) {
    let mut random = Random::new(1);
    let Case { architecture, instructions, .. } = case;
    let model = Model::new(architecture, "toy", &mut random).expect("a sound architecture");
    infer_with(bencher, Inference::with(&model, instructions, method), batch);
}

fn infer_with(bencher: Bencher<'_, '_>, mut inference: impl Forward, batch: usize) {
    let architecture = *inference.architecture();
    measure(bencher, architecture, batch, |planes, logits, values| {
        inference.infer(planes, logits, values);
    });
}

/// Positions per second of a function that fills the logits and values of a batch.
fn measure(
    bencher: Bencher<'_, '_>,
    architecture: Architecture,
    batch: usize,
    mut infer: impl FnMut(&[f32], &mut [f32], &mut [f32]),
) {
    let mut random = Random::new(1);
    let numbers = batch * architecture.planes * architecture.cells();
    let planes: Vec<f32> = (0..numbers).map(|_| random.below(2) as f32).collect();
    let mut logits = vec![0.0; batch * architecture.moves];
    let mut values = vec![0.0; batch];
    bencher
        .counter(ItemsCount::new(batch))
        .bench_local(|| infer(&planes, &mut logits, &mut values));
}

#[divan::bench(args = cases(), consts = BATCHES)]
fn positions<const BATCH: usize>(bencher: Bencher<'_, '_>, case: &Case) {
    infer(bencher, *case, BATCH, Method::Faster);
}

#[derive(Clone, Copy)]
struct Int8Case {
    name: &'static str,
    architecture: Architecture,
    instructions: Int8Instructions,
}

impl fmt::Display for Int8Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.instructions)
    }
}

fn int8_cases() -> Vec<Int8Case> {
    let each = |(name, architecture)| {
        Int8Instructions::available().into_iter().map(move |instructions| Int8Case {
            name,
            architecture,
            instructions,
        })
    };
    nets().into_iter().flat_map(each).collect()
}

#[divan::bench(args = int8_cases(), consts = BATCHES)]
fn positions_int8<const BATCH: usize>(bencher: Bencher<'_, '_>, case: &Int8Case) {
    let mut random = Random::new(1);
    let Int8Case { architecture, instructions, .. } = *case;
    let mut model = Model::new(architecture, "toy", &mut random).expect("a sound architecture");
    let numbers = 8 * architecture.planes * architecture.cells();
    let planes: Vec<f32> = (0..numbers).map(|_| random.below(2) as f32).collect();
    model.quantise(&planes);
    let inference = Int8Inference::with(&model, instructions).expect("scales");
    infer_with(bencher, inference, BATCH);
}

#[divan::bench(args = cases(), consts = [1, 2, 4, 8])]
fn positions_winograd<const BATCH: usize>(bencher: Bencher<'_, '_>, case: &Case) {
    infer(bencher, *case, BATCH, Method::Winograd);
}

#[divan::bench(args = cases(), consts = [1, 2, 4, 8])]
fn positions_direct<const BATCH: usize>(bencher: Bencher<'_, '_>, case: &Case) {
    infer(bencher, *case, BATCH, Method::Direct);
}

/// What a program does before its agent has a first answer: reads a network of 5 blocks from its file, prepares it,
/// clones it for the agent and evaluates one position.
#[divan::bench]
fn first_answer(bencher: Bencher<'_, '_>) {
    let mut random = Random::new(1);
    let (_, architecture) = nets()[2];
    let model = Model::new(architecture, "toy", &mut random).expect("a sound architecture");
    let file = model.to_bytes().expect("a sound network");
    let planes = vec![0.0; architecture.planes * architecture.cells()];
    bencher.bench_local(|| {
        let model = Model::from_bytes(&file).expect("a sound network");
        let mut own = Inference::new(&model).another();
        let (mut logits, mut values) = (vec![0.0; architecture.moves], [0.0]);
        own.infer(&planes, &mut logits, &mut values);
        values
    });
}

/// A large batch on threads, on the clock: the network of 5 blocks.
#[divan::bench(args = [1, 2], consts = [64, 256, 1024])]
fn positions_on_threads<const BATCH: usize>(bencher: Bencher<'_, '_>, threads: usize) {
    let mut random = Random::new(1);
    let (_, architecture) = nets()[2];
    let model = Model::new(architecture, "toy", &mut random).expect("a sound architecture");
    let mut network = Threaded::new(Inference::new(&model));
    measure(bencher, architecture, BATCH, |planes, logits, values| {
        network.infer(threads, planes, logits, values);
    });
}

/// The forward and backward pass of a batch of 1,024 positions, and a step of the optimiser.
#[divan::bench(args = cases(), sample_count = 5)]
fn training(bencher: Bencher<'_, '_>, case: &Case) {
    let Case { architecture, instructions, .. } = *case;
    learn(bencher, architecture, instructions, 1);
}

/// The same on threads, on the clock: the paper's network with the best instructions.
#[divan::bench(args = [1, 2], sample_count = 12)]
fn training_on_threads(bencher: Bencher<'_, '_>, threads: usize) {
    learn(bencher, nets()[0].1, Instructions::best(), threads);
}

/// Samples per second of learning on this many threads.
fn learn(
    bencher: Bencher<'_, '_>,
    architecture: Architecture,
    instructions: Instructions,
    threads: usize,
) {
    const BATCH: usize = 1024;
    let mut random = Random::new(1);
    let model = Model::new(architecture, "toy", &mut random).expect("a sound architecture");
    let mut trainer = Trainer::with(&model, BATCH, instructions);
    trainer.set_threads(threads);
    let numbers = BATCH * architecture.planes * architecture.cells();
    let planes: Vec<f32> = (0..numbers).map(|_| random.below(2) as f32).collect();
    let moves = architecture.moves;
    let (legal, policy) = (vec![true; BATCH * moves], vec![1.0 / moves as f32; BATCH * moves]);
    let values: Vec<f32> = (0..BATCH).map(|_| random.below(3) as f32 - 1.0).collect();
    let batch = Batch { planes: &planes, legal: &legal, policy: &policy, values: &values };
    let step = OptimizerStep { learning_rate: 1e-3, l2: 1e-4, clip: 1.0, ema_decay: 0.0 };
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| {
        trainer.learn(&batch, TaskWeights::default());
        trainer.step(step)
    });
}
