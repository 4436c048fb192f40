//! A batch in slices, which threads take through the network.
//!
//! The slices of a batch follow from its size alone. Everything that is summed over the batch (the
//! statistics of the norms, the gradients, the loss) is first summed within each slice and then
//! over the slices in order. So the result is the same, bit by bit, on any number of threads. Each
//! norm needs the statistics of the whole batch, so at every layer the threads wait for each other,
//! and then each of them computes the norm's factors from all sums.

use std::sync::{Barrier, Mutex, PoisonError};
use std::thread;

use super::heads::{Heads, HeadsSlice};
use super::loss::{Batch, Losses, TaskWeights};
use super::norm::{Norm, Sums};
use super::tower::{Scratch, Tower, TowerSlice};
use crate::architecture::{Architecture, Layout};
use crate::rows::Row;

/// The largest number of slices of a batch. Each has its own gradients of all weights, which must
/// be added up, so more slices would take more time; fewer would leave threads without work.
const MAX_SLICES: usize = 16;

/// How many boards each slice of a batch has, except for the last one, when `room` boards go
/// through a layer together.
fn boards_in_a_slice(boards: usize, room: usize) -> usize {
    room * boards.div_ceil(room).div_ceil(MAX_SLICES)
}

/// A slice of a batch, with its numbers in every layer.
#[derive(Clone, Debug)]
struct Slice {
    tower: TowerSlice,
    heads: HeadsSlice,
    /// The contribution of its boards to the gradients of the tower's weights, by layer and tap.
    taps: Vec<Vec<Row>>,
    /// Their contribution to the gradients of the heads' parameters; the other entries are not
    /// used.
    gradients: Vec<f32>,
    /// The sums of cross-entropy, squared error and entropy.
    losses: [f64; 3],
}

/// The buffers that a thread needs for itself.
#[derive(Clone, Debug)]
struct Worker {
    tower: Vec<Norm>,
    heads: Norm,
    scratch: Scratch,
}

/// The memory for batches.
#[derive(Clone, Debug)]
pub(super) struct Slices {
    architecture: Architecture,
    layout: Layout,
    /// How many boards go through a layer together.
    room: usize,
    all: Vec<Slice>,
    workers: Vec<Worker>,
}

/// A pass of one batch through the network and back: the data that its threads share.
struct Pass<'a> {
    tower: &'a Tower,
    heads: &'a Heads,
    layout: &'a Layout,
    parameters: &'a [f32],
    /// The boards of each slice.
    batches: Vec<Batch<'a>>,
    /// How many cells all boards have together.
    cells: usize,
    /// The weights of the losses, divided by the number of boards.
    weights: TaskWeights,
    exchange: Exchange,
}

/// The sums of all slices at each norm, forward and backward.
struct Exchange {
    /// For each meeting of the threads, the sums of the slices, by number.
    sums: Vec<Mutex<Vec<Option<Sums>>>>,
    barrier: Barrier,
}

impl Exchange {
    fn new(meetings: usize, slices: usize, threads: usize) -> Self {
        let sums = (0..meetings).map(|_| Mutex::new(vec![None; slices])).collect();
        Self { sums, barrier: Barrier::new(threads) }
    }

    fn put(&self, meeting: usize, slice: usize, sums: Sums) {
        let mut all = self.sums[meeting].lock().unwrap_or_else(PoisonError::into_inner);
        all[slice] = Some(sums);
    }

    /// The sums over all slices in order. Waits until every thread has contributed those of its
    /// slices.
    fn total(&self, meeting: usize, blocks: usize) -> Sums {
        self.barrier.wait();
        let all = self.sums[meeting].lock().unwrap_or_else(PoisonError::into_inner);
        let mut total = Sums::new(blocks);
        all.iter().flatten().for_each(|sums| total.add_all(sums));
        total
    }
}

impl Slices {
    /// Memory for batches of at most `most` boards.
    pub fn new(
        architecture: Architecture,
        layout: &Layout,
        tower: &Tower,
        heads: &Heads,
        most: usize,
    ) -> Self {
        let room = tower.room();
        let largest = boards_in_a_slice(most, room);
        let slice = Slice {
            tower: tower.slice(&architecture, largest),
            heads: heads.slice(largest),
            taps: vec![vec![]; tower.len()],
            gradients: vec![0.0; layout.len],
            losses: [0.0; 3],
        };
        let worker = Worker {
            tower: layout.tower.iter().map(|layer| Norm::new(&[layer])).collect(),
            heads: Norm::new(&[&layout.policy, &layout.value]),
            scratch: tower.scratch(),
        };
        Self {
            architecture,
            layout: layout.clone(),
            room,
            all: vec![slice; most.div_ceil(room).min(MAX_SLICES)],
            workers: vec![worker],
        }
    }

    /// Sets the number of threads, at least 1.
    pub fn set_threads(&mut self, threads: usize) {
        let worker = self.workers[0].clone();
        self.workers.resize(threads.clamp(1, self.all.len()), worker);
    }

    /// Takes a batch through the network and back. Adds its gradients to `gradients`, and moves the
    /// running statistics of the norms.
    pub fn learn(
        &mut self,
        tower: &Tower,
        heads: &Heads,
        batch: &Batch<'_>,
        weights: TaskWeights,
        parameters: &mut [f32],
        gradients: &mut [f32],
    ) -> Losses {
        let boards = batch.check(&self.architecture);
        let batches = batch.split(boards_in_a_slice(boards, self.room));
        let count = batches.len();
        let threads = self.workers.len().min(count);
        let share = 1.0 / boards as f32;
        let pass = Pass {
            tower,
            heads,
            layout: &self.layout,
            parameters: &*parameters,
            batches,
            cells: boards * self.architecture.cells(),
            weights: TaskWeights { policy: weights.policy * share, value: weights.value * share },
            exchange: Exchange::new(2 * tower.len() + 2, count, threads),
        };
        let mut rest = &mut self.all[..count];
        let mut tasks = vec![];
        for (number, worker) in self.workers.iter_mut().take(threads).enumerate() {
            let first = number * count / threads;
            let (own, others) = rest.split_at_mut((number + 1) * count / threads - first);
            tasks.push((worker, own, first));
            rest = others;
        }
        on_threads(tasks, |(worker, slices, first)| pass.run(worker, slices, first));
        drop(pass);
        let slices = &self.all[..count];
        for (n, taps) in total_taps(slices, tower.len(), threads).iter().enumerate() {
            tower.add(n, taps, gradients);
        }
        for slice in slices {
            let heads = self.layout.policy.weight.start..;
            let more = &slice.gradients[heads.clone()];
            gradients[heads].iter_mut().zip(more).for_each(|(sum, gradient)| *sum += gradient);
        }
        let Worker { tower, heads, .. } = &self.workers[0];
        tower.iter().chain([heads]).for_each(|norm| norm.settle(parameters, gradients));
        let mut losses = [0.0; 3];
        for slice in slices {
            losses.iter_mut().zip(slice.losses).for_each(|(sum, loss)| *sum += loss);
        }
        let [policy, value, entropy] = losses.map(|sum| (sum / boards as f64) as f32);
        Losses { policy, value, entropy }
    }
}

/// Runs each task on a thread of its own, the first one on the calling thread.
fn on_threads<T: Send>(tasks: Vec<T>, run: impl Fn(T) + Sync) {
    thread::scope(|scope| {
        let mut tasks = tasks.into_iter();
        let own = tasks.next();
        for task in tasks {
            scope.spawn(|| run(task));
        }
        if let Some(own) = own {
            run(own);
        }
    });
}

/// The gradients of the weights of all layers, by tap, summed over all slices in order; each thread
/// sums some of the layers.
fn total_taps(slices: &[Slice], layers: usize, threads: usize) -> Vec<Vec<Row>> {
    let mut totals = vec![vec![]; layers];
    let size = layers.div_ceil(threads);
    let tasks = totals.chunks_mut(size).enumerate().collect();
    on_threads(tasks, |(number, some): (usize, &mut [Vec<Row>])| {
        for (n, total) in (number * size..).zip(some) {
            total.clone_from(&slices[0].taps[n]);
            for slice in &slices[1..] {
                total.iter_mut().zip(&slice.taps[n]).for_each(|(sum, taps)| sum.add(taps));
            }
        }
    });
    totals
}

impl Pass<'_> {
    /// Takes the slices from number `first` on through the network and back.
    fn run(&self, worker: &mut Worker, slices: &mut [Slice], first: usize) {
        self.up(worker, slices, first);
        self.down(worker, slices, first);
    }

    /// The forward pass, from the planes to the loss.
    fn up(&self, worker: &mut Worker, slices: &mut [Slice], first: usize) {
        let Self { tower, heads, parameters, exchange, .. } = self;
        let Worker { tower: norms, heads: head_norm, scratch } = worker;
        for (slice, batch) in slices.iter_mut().zip(&self.batches[first..]) {
            slice.gradients[self.layout.policy.weight.start..].fill(0.0);
            tower.read(batch.planes, batch.values.len(), &mut slice.tower);
        }
        for n in 0..tower.len() {
            norms[n].begin(parameters);
            for (slice, number) in slices.iter_mut().zip(first..) {
                if n > 0 {
                    tower.activate(n - 1, &mut slice.tower, &norms[n - 1]);
                }
                exchange.put(n, number, tower.convolve(n, &mut slice.tower, &norms[n], scratch));
            }
            let sums = exchange.total(n, norms[n].blocks());
            norms[n].measured(&sums, self.cells, parameters);
        }
        let top = tower.len() - 1;
        head_norm.begin(parameters);
        for (slice, number) in slices.iter_mut().zip(first..) {
            tower.activate(top, &mut slice.tower, &norms[top]);
            let boards = self.batches[number].values.len();
            let below = slice.tower.last_mut();
            let sums = heads.convolve(below, boards, &mut slice.heads, head_norm);
            exchange.put(tower.len(), number, sums);
        }
        let sums = exchange.total(tower.len(), head_norm.blocks());
        head_norm.measured(&sums, self.cells, parameters);
    }

    /// The backward pass, from the loss to the gradients of all parameters.
    fn down(&self, worker: &mut Worker, slices: &mut [Slice], first: usize) {
        let Self { tower, heads, layout, parameters, exchange, .. } = self;
        let Worker { tower: norms, heads: head_norm, scratch } = worker;
        let mut meeting = tower.len() + 1;
        for (slice, number) in slices.iter_mut().zip(first..) {
            let Slice { heads: own, gradients, losses, .. } = slice;
            heads.forward(own, head_norm);
            let (batch, weights) = (&self.batches[number], self.weights);
            *losses = heads.loss(layout, batch, weights, own, parameters, gradients);
            exchange.put(meeting, number, heads.back(own, head_norm, gradients));
        }
        let sums = exchange.total(meeting, head_norm.blocks());
        let back = head_norm.back(&sums, self.cells, parameters);
        meeting += 1;
        for (slice, number) in slices.iter_mut().zip(first..) {
            let Slice { tower: below, heads: own, gradients, .. } = slice;
            heads.back_through(layout, below.last_mut(), own, &back, gradients);
            exchange.put(meeting, number, tower.gate(below, &norms[tower.len() - 1]));
        }
        for n in (0..tower.len()).rev() {
            let sums = exchange.total(meeting, norms[n].blocks());
            let back = norms[n].back(&sums, self.cells, parameters);
            meeting += 1;
            let below = n.checked_sub(1).map(|below| &norms[below]);
            for (slice, number) in slices.iter_mut().zip(first..) {
                let Slice { tower: own, taps, .. } = slice;
                if let Some(sums) = tower.back(n, own, &back, below, scratch, &mut taps[n]) {
                    exchange.put(meeting, number, sums);
                }
            }
        }
    }
}
