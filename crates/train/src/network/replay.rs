//! The replay buffer: the samples of the last games, and batches drawn from them.

use std::collections::VecDeque;
use wurfel_games::Learnable;

use wurfel_core::{Encode, Random};
use wurfel_net::Batch;

use super::games::Sample;

/// The samples of the last games: first in, first out.
#[derive(Debug)]
pub struct ReplayBuffer<G: Learnable> {
    samples: VecDeque<Sample<G>>,
    most: usize,
}

/// A batch of encoded samples, whose memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct BatchBuffer {
    planes: Vec<f32>,
    legal: Vec<bool>,
    policy: Vec<f32>,
    values: Vec<f32>,
}

impl<G: Learnable> ReplayBuffer<G> {
    /// An empty buffer with room for `most` samples.
    pub fn new(most: usize) -> Self {
        Self { samples: VecDeque::new(), most }
    }

    /// Adds the samples of games, and drops the oldest samples that no longer fit.
    pub fn add(&mut self, samples: impl IntoIterator<Item = Sample<G>>) {
        self.samples.extend(samples);
        let surplus = self.samples.len().saturating_sub(self.most);
        self.samples.drain(..surplus);
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Draws a batch with replacement, all samples equally likely, each under a random symmetry if
    /// it is to be augmented.
    pub(super) fn draw(
        &self,
        encode: &dyn Encode<G>,
        count: usize,
        augment: bool,
        random: &mut Random,
        buffer: &mut BatchBuffer,
    ) {
        let size = encode.planes() * encode.board() * encode.board();
        let moves = encode.moves();
        let BatchBuffer { planes, legal, policy, values } = buffer;
        planes.clear();
        planes.resize(count * size, 0.0);
        legal.clear();
        legal.resize(count * moves, false);
        policy.clear();
        policy.resize(count * moves, 0.0);
        values.clear();
        let lists = legal.chunks_exact_mut(moves).zip(policy.chunks_exact_mut(moves));
        for (planes, (legal, policy)) in planes.chunks_exact_mut(size).zip(lists) {
            let sample = &self.samples[random.below(self.samples.len() as u32) as usize];
            let number = if augment { random.below(encode.images() as u32) as usize } else { 0 };
            let image = encode.image(&sample.situation, number);
            encode.write(&image, planes);
            values.push(sample.value * 2.0 - 1.0);
            let Some((turn, image)) = sample.situation.turn().zip(image.turn()) else { continue };
            for (&mv, &share) in turn.moves().as_ref().iter().zip(&sample.policy) {
                let index = encode.index(image, encode.move_image(turn, mv, number));
                legal[index] = true;
                policy[index] = share;
            }
        }
    }
}

impl BatchBuffer {
    pub fn batch(&self) -> Batch<'_> {
        let Self { planes, legal, policy, values } = self;
        Batch { planes, legal, policy, values }
    }

    /// The lowest policy loss that any network can have on this batch: the mean entropy of its
    /// policy targets, in nats.
    pub fn floor(&self) -> f64 {
        let shares = self.policy.iter().map(|share| f64::from(*share));
        let entropy: f64 =
            shares.filter(|share| *share > 0.0).map(|share| -share * share.ln()).sum();
        entropy / self.values.len().max(1) as f64
    }
}
