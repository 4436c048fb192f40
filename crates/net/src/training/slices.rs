//! A batch in slices, which threads take through the network.
//!
//! The slices of a batch follow from its size alone. Everything that is summed over the batch (the
//! statistics of the norms, the gradients, the loss) is first summed within each slice and then
//! over the slices in order. So the result is the same, bit by bit, on any number of threads. Each
//! norm needs the statistics of the whole batch, so at every layer the threads wait for each other,
//! and then each of them computes the norm's factors from all sums.

use std::ops::Range;
use std::sync::{Barrier, Mutex, PoisonError};

use wurfel_core::threads;

use super::heads::{Heads, HeadsSlice};
use super::loss::{Batch, Losses, TaskWeights};
use super::norm::{Norm, Sums};
use super::on_threads;
use super::tower::{Scratch, Tower, TowerSlice};
use crate::architecture::{Architecture, Layout};
use crate::rows::Row;

/// The largest number of slices of a batch. Each has its own gradients of all weights, which must
/// be added up, so more slices would take more time; fewer would leave threads without work.
const MAX_SLICES: usize = 16;

/// The boards of each slice of a batch: whole units of `unit` boards but for the last slice, and not
/// more than `preferred_slice` boards unless there would be too many slices. Apart from that, slices are as
/// equal as possible, because threads wait for the one that has most to do.
fn slices(boards: usize, preferred_slice: usize, unit: usize) -> Vec<Range<usize>> {
    let units = boards.div_ceil(unit);
    let count = boards.div_ceil(preferred_slice).min(MAX_SLICES);
    let end = |slice: usize| boards.min(slice * units / count * unit);
    (0..count).map(|slice| end(slice)..end(slice + 1)).collect()
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
    all: Vec<Slice>,
    workers: Vec<Worker>,
    /// The gradients of the tower's weights by layer and tap, summed over the slices.
    totals: Vec<Vec<Row>>,
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
        let ranges = slices(most, tower.preferred_slice(), tower.unit());
        let largest = ranges.iter().map(Range::len).max().unwrap_or(0).max(tower.preferred_slice());
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
            all: vec![slice; ranges.len()],
            workers: vec![worker],
            totals: vec![vec![]; tower.len()],
        }
    }

    /// Sets the number of threads, at least 1.
    pub fn set_threads(&mut self, threads: usize) {
        let worker = self.workers[0].clone();
        self.workers.resize(threads::at_most(threads).clamp(1, self.all.len()), worker);
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.workers.len()
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
        let ranges = slices(boards, tower.preferred_slice(), tower.unit());
        let batches: Vec<_> = ranges.into_iter().map(|range| batch.part(range)).collect();
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
        sum_taps(slices, &mut self.totals, threads);
        for (n, taps) in self.totals.iter().enumerate() {
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

/// Sums the gradients of the weights of all layers, by tap, over all slices in order; each thread sums
/// a part of each layer.
fn sum_taps(slices: &[Slice], totals: &mut [Vec<Row>], threads: usize) {
    let mut tasks: Vec<Vec<(usize, usize, &mut [Row])>> = vec![];
    tasks.resize_with(threads, Vec::new);
    for (layer, total) in totals.iter_mut().enumerate() {
        total.resize(slices[0].taps[layer].len(), Row::ZERO);
        let size = total.len().div_ceil(threads);
        for (number, (task, part)) in tasks.iter_mut().zip(total.chunks_mut(size)).enumerate() {
            task.push((layer, number * size, part));
        }
    }
    on_threads(tasks, |parts| {
        for (layer, first, sums) in parts {
            let range = first..first + sums.len();
            sums.copy_from_slice(&slices[0].taps[layer][range.clone()]);
            for slice in &slices[1..] {
                let taps = &slice.taps[layer][range.clone()];
                sums.iter_mut().zip(taps).for_each(|(sum, taps)| sum.add(taps));
            }
        }
    });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_have_all_boards_and_are_about_equal() {
        for (preferred_slice, unit) in [(42, 14), (14, 7), (12, 3), (6, 6)] {
            let sizes = |boards: usize| {
                slices(boards, preferred_slice, unit).into_iter().map(|range| range.len())
            };
            for boards in 1..2000 {
                let ranges = slices(boards, preferred_slice, unit);
                assert!(ranges.len() <= MAX_SLICES && ranges[0].start == 0);
                assert_eq!(ranges.last().map(|range| range.end), Some(boards));
                assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
                assert!(ranges.iter().all(|range| !range.is_empty()), "{boards}");
                assert!(ranges.iter().all(|range| range.start.is_multiple_of(unit)));
                let (least, most) = (sizes(boards).rev().skip(1).min(), sizes(boards).max());
                assert!(least.is_none_or(|least| most <= Some(least + unit)), "{boards}");
                // The memory for larger batches is enough for this one.
                assert!(most <= sizes(boards + 1).max().max(Some(preferred_slice)), "{boards}");
            }
        }
        // What the documents say of 16 threads: the largest slice bounds what they gain.
        let largest = |boards| slices(boards, 42, 14).iter().map(Range::len).max();
        assert_eq!((largest(512), largest(1024)), (Some(42), Some(70)));
    }
}
