//! Fits the parameters of a learned evaluation to labelled positions. Adam minimises the mean
//! squared error of the value on mini-batches.

use wurfel_core::{Features, Random, threads};
use wurfel_games::learned::{FeatureRow, LogOdds, MAX_OUT, ONE, OUT_ONE, UNITS, Weights};

use crate::Labelled;
use crate::adam::Adam;

/// The settings of a fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fit {
    /// The number of epochs, passes over the whole training set.
    pub epochs: u32,
    /// The batch size: how many positions each step uses.
    pub batch: usize,
    /// The learning rate of the first steps; it falls along a cosine to a hundredth of this.
    pub learning_rate: f32,
    /// The seed of the initial parameters and of the order of the positions.
    pub seed: u64,
}

/// How well the parameters fit after an epoch: root mean squared errors of the value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    /// The number of the epoch, from 1.
    pub number: u32,
    /// The error on the training set, measured while the parameters were changing.
    pub training: f32,
    /// The error on the validation set.
    pub validation: f32,
    /// The error of the base alone on the validation set.
    pub base: f32,
}

/// One position in this many is kept aside for the validation set.
pub const VALIDATION: usize = 20;
/// The number of parts of a batch. Their gradients are added up in order, so that the sum does not
/// depend on the number of threads.
const PARTS: usize = 4;

/// A position, prepared for the fit.
struct Sample {
    /// The features of the position, and those of its mirror image.
    features: [Box<[u16]>; 2],
    odds: f32,
    value: f32,
}

/// The parameters while they are fitted; the same type holds their gradients.
#[derive(Clone)]
struct Network {
    rows: Vec<[f32; UNITS]>,
    bias: [f32; UNITS],
    out: [f32; UNITS],
    constant: f32,
}

impl Network {
    fn zero(features: usize) -> Self {
        let none = [0.0; UNITS];
        Self { rows: vec![none; features], bias: none, out: none, constant: 0.0 }
    }

    fn random(features: usize, random: &mut Random) -> Self {
        let mut network = Self::zero(features);
        let mut even = |range: f64| ((random.unit() * 2.0 - 1.0) * range) as f32;
        for row in &mut network.rows {
            *row = std::array::from_fn(|_| even(0.1));
        }
        network.bias = std::array::from_fn(|_| even(0.2) + 0.3);
        network.out = std::array::from_fn(|_| even(0.3));
        network
    }

    /// The parameters that `weights` were rounded from. The rows already contain the parts that
    /// features of one kind share, so the shared rows start at zero.
    fn of(weights: &Weights, kinds: usize) -> Self {
        let row = |row: &FeatureRow| row.map(|number| f32::from(number) / f32::from(ONE));
        let mut rows: Vec<[f32; UNITS]> = weights.rows.iter().map(row).collect();
        rows.resize(rows.len() + kinds, [0.0; UNITS]);
        Self {
            rows,
            bias: row(&weights.bias),
            out: weights.out.map(|number| f32::from(number) / f32::from(OUT_ONE)),
            constant: weights.constant as f32 / 65536.0,
        }
    }

    fn blocks(&mut self) -> impl Iterator<Item = &mut [f32]> {
        let Self { rows, bias, out, constant } = self;
        let rows = rows.iter_mut().map(<[f32; UNITS]>::as_mut_slice);
        rows.chain([&mut bias[..], &mut out[..], std::slice::from_mut(constant)])
    }

    fn sums(&self, features: &[u16]) -> [f32; UNITS] {
        let mut sums = self.bias;
        for &feature in features {
            for (sum, number) in sums.iter_mut().zip(&self.rows[usize::from(feature)]) {
                *sum += number;
            }
        }
        sums
    }

    /// The value for the side to move, 0 to 1.
    fn value(&self, sums: &[f32; UNITS], odds: f32) -> f32 {
        let units = sums.iter().zip(&self.out);
        let correction: f32 = units.map(|(sum, out)| sum.clamp(0.0, 1.0).powi(2) * out).sum();
        1.0 / (1.0 + (-(odds + self.constant + correction)).exp())
    }

    /// Adds half the gradient of the squared error of one sample to `gradient`, and returns the
    /// squared error.
    fn learn(&self, features: &[u16], sample: &Sample, gradient: &mut Self) -> f64 {
        let sums = self.sums(features);
        let value = self.value(&sums, sample.odds);
        let error = value - sample.value;
        let output_gradient = error * value * (1.0 - value);
        gradient.constant += output_gradient;
        let mut back = [0.0; UNITS];
        for unit in 0..UNITS {
            let clipped = sums[unit].clamp(0.0, 1.0);
            gradient.out[unit] += output_gradient * clipped * clipped;
            let moves = sums[unit] > 0.0 && sums[unit] < 1.0;
            back[unit] = if moves { output_gradient * 2.0 * clipped * self.out[unit] } else { 0.0 };
            gradient.bias[unit] += back[unit];
        }
        for &feature in features {
            for (sum, back) in gradient.rows[usize::from(feature)].iter_mut().zip(&back) {
                *sum += back;
            }
        }
        f64::from(error) * f64::from(error)
    }

    fn rounded(&self) -> Weights {
        let row = |numbers: &[f32; UNITS]| -> FeatureRow {
            numbers.map(|number| (number * f32::from(ONE)).round() as i16)
        };
        Weights {
            rows: self.rows.iter().map(row).collect(),
            bias: row(&self.bias),
            out: self.out.map(|number| (number * f32::from(OUT_ONE)).round() as i16),
            constant: (self.constant * 65536.0).round() as i32,
        }
    }
}

/// Fits the parameters of a learned evaluation over `base`, starting from those in `from` or,
/// without these, from random ones. `see` is called after each epoch; if it returns false, the fit
/// ends with the parameters it has reached.
pub fn fit<G: Features, B: LogOdds<G>>(
    base: &B,
    labelled: &[Labelled<G>],
    fit: Fit,
    from: Option<&Weights>,
    mut see: impl FnMut(Epoch) -> bool,
) -> Weights {
    let sample = |labelled: &Labelled<G>| {
        let features = |position: &G| {
            let mut list = vec![];
            let mut add = |feature| {
                list.push(feature as u16);
                list.push((G::FEATURES + G::kind(feature)) as u16);
            };
            position.features(position.side(), &mut add);
            position.recomputed(position.side(), &mut add);
            list.into_boxed_slice()
        };
        let Labelled { position, value } = labelled;
        Sample {
            features: [features(position), features(&position.twin())],
            odds: base.log_odds(position),
            value: *value,
        }
    };
    let samples: Vec<Sample> = labelled.iter().map(sample).collect();
    let kinds: Vec<usize> = (0..G::FEATURES).map(G::kind).collect();
    descend(&samples, &kinds, G::KINDS, fit, from, &mut see)
}

/// The fit itself, which is the same for every game: `kinds` has the kind of each feature, of `all_kinds`.
fn descend(
    samples: &[Sample],
    kinds: &[usize],
    all_kinds: usize,
    fit: Fit,
    from: Option<&Weights>,
    see: &mut dyn FnMut(Epoch) -> bool,
) -> Weights {
    let (validation, mut training): (Vec<_>, Vec<_>) =
        samples.iter().enumerate().partition(|(n, _)| n % VALIDATION == 0);
    let rows = kinds.len() + all_kinds;
    let mut random = Random::new(fit.seed);
    let mut network = from.map_or_else(
        || Network::random(rows, &mut random),
        |weights| Network::of(weights, all_kinds),
    );
    let mut adam = Adam::new(network.blocks().map(|block| block.len()).sum());
    let mut gradients: [Network; PARTS] = std::array::from_fn(|_| Network::zero(rows));
    let base = rms(&validation, |sample| sigmoid(sample.odds) - sample.value);
    for number in 1..=fit.epochs {
        random.shuffle(&mut training);
        let mut error = 0.0;
        let batches = training.len().div_ceil(fit.batch);
        for (n, batch) in training.chunks(fit.batch).enumerate() {
            let done = f64::from(number - 1) + n as f64 / batches as f64;
            let rate = cosine(done / f64::from(fit.epochs)) as f32 * fit.learning_rate;
            let parts = batch.chunks(batch.len().div_ceil(PARTS));
            let twin = number as usize % 2;
            error += threads::scope(|scope| {
                let network = &network;
                let running: Vec<_> = parts
                    .zip(&mut gradients)
                    .map(|(part, gradient)| {
                        scope.spawn(move || -> f64 {
                            let learn = |&(n, sample): &(usize, &Sample)| {
                                let features = &sample.features[(n + twin) % 2];
                                network.learn(features, sample, gradient)
                            };
                            part.iter().map(learn).sum()
                        })
                    })
                    .collect();
                running.into_iter().map(|part| part.join().unwrap_or(f64::NAN)).sum::<f64>()
            });
            let (sum, others) = gradients.split_at_mut(1);
            for other in others {
                for (sum, other) in sum[0].blocks().zip(other.blocks()) {
                    for (sum, other) in sum.iter_mut().zip(other) {
                        *sum += std::mem::take(other);
                    }
                }
            }
            adam.step(network.blocks().zip(sum[0].blocks()), batch.len(), rate);
            let widest = f32::from(MAX_OUT) / f32::from(OUT_ONE);
            for out in &mut network.out {
                *out = out.clamp(-widest, widest);
            }
        }
        let epoch = Epoch {
            number,
            training: (error / training.len() as f64).sqrt() as f32,
            validation: rms(&validation, |sample| {
                network.value(&network.sums(&sample.features[0]), sample.odds) - sample.value
            }),
            base,
        };
        if !see(epoch) {
            break;
        }
    }
    let shared = network.rows.split_off(kinds.len());
    for (row, &kind) in network.rows.iter_mut().zip(kinds) {
        for (number, shared) in row.iter_mut().zip(shared[kind]) {
            *number += shared;
        }
    }
    network.rounded()
}

/// The factor of the learning rate: it falls from 1 to a hundredth as `done` goes from 0 to 1.
fn cosine(done: f64) -> f64 {
    0.01 + 0.99 * (1.0 + (done * std::f64::consts::PI).cos()) / 2.0
}

fn sigmoid(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

fn rms(samples: &[(usize, &Sample)], error: impl Fn(&Sample) -> f32) -> f32 {
    let sum: f64 = samples.iter().map(|(_, sample)| f64::from(error(sample)).powi(2)).sum();
    (sum / samples.len().max(1) as f64).sqrt() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squared error in plain arithmetic; `None` near the edge of a clip, where the gradient
    /// jumps.
    fn error(network: &Network, features: &[u16], sample: &Sample) -> Option<f64> {
        let mut odds = f64::from(sample.odds) + f64::from(network.constant);
        for unit in 0..UNITS {
            let rows = features.iter().map(|&feature| network.rows[usize::from(feature)][unit]);
            let sum = f64::from(network.bias[unit]) + rows.map(f64::from).sum::<f64>();
            if (sum - 1.0).abs() < 0.01 {
                return None;
            }
            odds += sum.clamp(0.0, 1.0).powi(2) * f64::from(network.out[unit]);
        }
        Some((1.0 / (1.0 + (-odds).exp()) - f64::from(sample.value)).powi(2))
    }

    #[test]
    fn the_gradients_are_those_of_the_error() {
        const STEP: f32 = 1.0 / 256.0;
        let mut random = Random::new(1);
        let (mut comparisons, mut steep, mut clipped) = (0, 0, [0; 3]);
        for _ in 0..40 {
            let mut network = Network::random(8, &mut random);
            // The parameters are so large that both ends of the clip are reached.
            for number in network.rows.as_flattened_mut() {
                *number *= 5.0;
            }
            network.constant = 0.2;
            // One feature occurs twice, like two features that share their kind.
            let features = [0, 3, 3, 7];
            let sample = Sample {
                features: [features.into(), features.into()],
                odds: random.unit() as f32 * 2.0 - 1.0,
                value: random.unit() as f32,
            };
            for sum in network.sums(&features) {
                clipped[if sum <= 0.0 { 0 } else { 1 + usize::from(sum >= 1.0) }] += 1;
            }
            let mut gradients = Network::zero(8);
            let loss = network.learn(&features, &sample, &mut gradients);
            if let Some(error) = error(&network, &features, &sample) {
                assert!((loss - error).abs() < 1e-5, "{loss} {error}");
            }
            let gradients: Vec<f32> = gradients.blocks().flat_map(|block| block.to_vec()).collect();
            for (n, gradient) in gradients.into_iter().enumerate() {
                let moved = |step: f32| {
                    let mut network = network.clone();
                    *network.blocks().flatten().nth(n).expect("a number") += step;
                    error(&network, &features, &sample)
                };
                let (Some(above), Some(below)) = (moved(STEP), moved(-STEP)) else { continue };
                let expected = (above - below) / f64::from(2.0 * STEP) / 2.0;
                let difference = (f64::from(gradient) - expected).abs();
                assert!(difference < 2e-4, "number {n}: {gradient} {expected}");
                comparisons += 1;
                steep += u32::from(expected.abs() > 0.01);
            }
        }
        assert!(comparisons > 10_000 && steep > 500, "{comparisons} {steep}");
        assert!(clipped.iter().all(|&count| count > 100), "{clipped:?}");
    }

    #[test]
    fn the_steps_grow_shorter_to_a_hundredth() {
        assert!((cosine(0.0) - 1.0).abs() < 1e-12 && (cosine(1.0) - 0.01).abs() < 1e-12);
        assert!((cosine(0.5) - 0.505).abs() < 1e-12);
    }
}
