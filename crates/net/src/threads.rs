//! Large batches on several threads.
//!
//! A network takes as many positions together through its layers as fit into the caches, one group
//! after the other. No group depends on another, so threads can share them. The groups are the same
//! on any number of threads, and so are the results, bit by bit. The price is memory for each
//! thread, and some microseconds to start it.

use wurfel_core::threads;

use crate::{Architecture, Forward};

/// The smallest number of groups for which a thread is started. A group takes 0.2 ms or more (42
/// boards of EWN, 2 convolutions of 64 filters, AVX-512), many times as long as starting a thread;
/// other values were not tried.
const MIN_GROUPS: usize = 2;

/// A network that evaluates a large batch on several threads.
pub struct Threaded {
    /// One network for each thread that has been needed so far.
    workers: Vec<Box<dyn Forward>>,
}

/// Positions, and the places for their answers.
struct Task<'a> {
    planes: &'a [f32],
    logits: &'a mut [f32],
    values: &'a mut [f32],
}

impl Threaded {
    /// A network that evaluates like `forward`.
    pub fn new(forward: impl Forward + 'static) -> Self {
        Self { workers: vec![Box::new(forward)] }
    }

    /// Evaluates positions as [`Forward::infer`] does, on up to this many threads, including the
    /// calling one; 0 counts as 1. A small batch uses fewer. The answers do not depend on the
    /// number of threads.
    ///
    /// # Panics
    /// As [`Forward::infer`] does.
    pub fn infer(
        &mut self,
        threads: usize,
        planes: &[f32],
        logits: &mut [f32],
        values: &mut [f32],
    ) {
        let architecture = *self.workers[0].architecture();
        architecture.check_lengths(planes, logits, values);
        let batch_size = self.workers[0].batch_size();
        let groups = values.len().div_ceil(batch_size);
        let threads = threads.min(groups / MIN_GROUPS).max(1);
        while self.workers.len() < threads {
            self.workers.push(self.workers[0].another());
        }
        let mut rest = Task { planes, logits, values };
        threads::scope(|scope| {
            let mut tasks = vec![];
            for number in 0..threads {
                let groups = (number + 1) * groups / threads - number * groups / threads;
                tasks.push(rest.split_off(&architecture, groups.saturating_mul(batch_size)));
            }
            let mut work = self.workers.iter_mut().zip(tasks);
            let own = work.next();
            for (worker, task) in work {
                scope.spawn(|| task.run(worker));
            }
            if let Some((worker, task)) = own {
                task.run(worker);
            }
        });
    }
}

impl<'a> Task<'a> {
    /// Splits off the first `count` positions, or all if there are fewer.
    fn split_off(&mut self, architecture: &Architecture, count: usize) -> Task<'a> {
        let count = count.min(self.values.len());
        let Architecture { planes, moves, .. } = *architecture;
        let (first, rest) = self.planes.split_at(count * planes * architecture.cells());
        self.planes = rest;
        Task {
            planes: first,
            logits: self.logits.split_off_mut(..count * moves).unwrap_or_default(),
            values: self.values.split_off_mut(..count).unwrap_or_default(),
        }
    }

    fn run(self, worker: &mut Box<dyn Forward>) {
        worker.infer(self.planes, self.logits, self.values);
    }
}

#[cfg(test)]
mod tests {
    use wurfel_core::Random;

    use super::*;
    use crate::{Inference, Int8Inference, Model};

    /// Tries batches around the boundaries of groups, and a last group of few boards, which
    /// floating-point inference convolves cell by cell.
    #[test]
    fn the_number_of_threads_changes_no_bit_of_an_answer() {
        let architecture = Architecture::paper(5, 16, 27).with_tower(20, 1, 1);
        let mut random = Random::new(1);
        let mut model = Model::new(architecture, "test", &mut random).expect("sound");
        let size = architecture.planes * architecture.cells();
        let planes: Vec<f32> = (0..700 * size).map(|_| random.below(2) as f32).collect();
        model.quantise(&planes[..50 * size]);
        let networks: [Box<dyn Fn() -> Threaded>; 2] = [
            Box::new(|| Threaded::new(Inference::new(&model))),
            Box::new(|| Threaded::new(Int8Inference::new(&model).expect("scales"))),
        ];
        for network in networks {
            let batch_size = network().workers[0].batch_size();
            assert!((1..100).contains(&batch_size), "{batch_size}");
            for count in [0, 1, 2 * batch_size, 4 * batch_size + 1, 5 * batch_size - 1, 700] {
                let planes = &planes[..count * size];
                let answers = |mut network: Threaded, threads| {
                    let mut logits = vec![0.0; count * architecture.moves];
                    let mut values = vec![0.0; count];
                    network.infer(threads, planes, &mut logits, &mut values);
                    (network, logits, values)
                };
                let mut whole = (vec![0.0; count * architecture.moves], vec![0.0; count]);
                network().workers[0].infer(planes, &mut whole.0, &mut whole.1);
                for threads in [0, 1, 2, 3, 64] {
                    let (used, logits, values) = answers(network(), threads);
                    assert!((logits, values) == whole, "{count} positions, {threads} threads");
                    let most = (count.div_ceil(batch_size) / MIN_GROUPS).max(1);
                    assert_eq!(used.workers.len(), threads.clamp(1, most));
                }
            }
        }
    }
}
