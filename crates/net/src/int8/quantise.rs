//! Measures the scales of a network on positions: the range of its layers' outputs in floating
//! point, and the mean error of eight bits.
//!
//! The largest output of a layer becomes the largest byte: clipping rare large outputs, to get
//! smaller steps, doubled the error. The corrections reduce the error. They are determined from the
//! planes upwards, each with the earlier ones already in place.

use super::{ByteNetwork, InputScale, Int8Scales, Memory};
use crate::forward::Forward;
use crate::inference::{Inference, Method};
use crate::kernels::{Block, Instructions, Int8Instructions};
use crate::model::Model;
use crate::rows::{LANES, Matrix, blocks};

/// The largest byte.
const LARGEST: f32 = 255.0;
/// The largest common denominator of fractions that are converted exactly.
const MAX_DENOMINATOR: u32 = 255;

/// The outputs of a layer in floating point.
#[derive(Clone, Debug)]
struct Observed {
    largest: f32,
    /// The sum over all cells, by channel.
    sums: Vec<f64>,
}

impl Model {
    /// Measures the scales for inference in eight bits on positions, which should be similar to
    /// those that the network will evaluate; some hundreds are enough. `planes` holds the planes of
    /// one position after the other.
    ///
    /// # Panics
    /// When `planes` does not hold at least one whole position.
    pub fn quantise(&mut self, planes: &[f32]) {
        let architecture = *self.architecture();
        let size = architecture.planes * architecture.cells();
        let boards = planes.len() / size;
        assert!(boards > 0, "no position to measure scales on");
        let planes = &planes[..boards * size];
        let cells = boards * architecture.cells();
        let observed = observe(self, planes);
        let (_, tower) = observed.split_last().expect("the heads are the last");
        let step = |layer: &Observed| match layer.largest {
            largest if largest.is_normal() => largest / LARGEST,
            _ => 1.0,
        };
        let corrections = observed.iter().map(|layer| vec![0.0; layer.sums.len()]).collect();
        let mut scales = Int8Scales {
            inputs: (0..architecture.planes)
                .map(|plane| {
                    let of_plane = planes.chunks_exact(architecture.cells()).skip(plane);
                    input_scale(of_plane.step_by(architecture.planes).flatten())
                })
                .collect(),
            steps: tower.iter().map(step).collect(),
            corrections,
        };
        let mut network = ByteNetwork::new(self, &scales);
        let instructions = Int8Instructions::best();
        let mut memory = Memory::new(&network, instructions, boards);
        memory.read(&network, planes);
        let corrections = &mut scales.corrections;
        memory.walk(&architecture, |number, mut pass| {
            let layer = &mut network.tower[number];
            layer.apply(instructions, architecture.board, boards, pass.reborrow());
            let wide = blocks(architecture.shape.filters);
            let mean = |channel: usize| byte_sum(pass.to, wide, channel) * f64::from(layer.step());
            corrections[number] = apart(&observed[number], mean, cells);
            layer.correct(&corrections[number]);
            layer.apply(instructions, architecture.board, boards, pass);
        });
        memory.channels(&network, instructions, boards);
        let (last, channels) = (observed.len() - 1, &memory.heads.channels);
        corrections[last] = apart(&observed[last], |channel| sum(channels, cells, channel), cells);
        self.set_int8_scales(scales);
    }
}

/// The outputs of all layers: the 3 × 3 convolutions, and the channels of the heads.
fn observe(model: &Model, planes: &[f32]) -> Vec<Observed> {
    let architecture = model.architecture();
    let size = architecture.planes * architecture.cells();
    let shape = &architecture.shape;
    let layer = |channels| Observed { largest: 0.0, sums: vec![0.0; channels] };
    let mut all = vec![layer(shape.filters); shape.convolutions + 2 * shape.blocks];
    all.push(layer(shape.policy_channels + shape.value_channels));
    let mut inference = Inference::with(model, Instructions::best(), Method::Faster);
    for planes in planes.chunks(inference.batch_size() * size) {
        let boards = planes.len() / size;
        let cells = boards * architecture.cells();
        inference.channels(planes, boards, &mut |number, outputs| {
            let Observed { largest, sums } = &mut all[number];
            for (channel, total) in sums.iter_mut().enumerate() {
                *total += sum(outputs, cells, channel);
                let outputs = (0..cells).map(|cell| outputs.at(cell, channel));
                *largest = outputs.fold(*largest, f32::max);
            }
        });
    }
    all
}

/// The sum of a channel over the first cells.
fn sum(outputs: &Matrix, cells: usize, channel: usize) -> f64 {
    (0..cells).map(|cell| f64::from(outputs.at(cell, channel))).sum()
}

/// The sum of a channel over all cells.
fn byte_sum(outputs: &[Block], wide: usize, channel: usize) -> f64 {
    let cells = outputs.chunks_exact(wide);
    let bytes = cells.map(|cell| u64::from(cell[channel / LANES].0[channel % LANES]));
    bytes.sum::<u64>() as f64
}

/// By how much the outputs of each channel are too low, on average.
fn apart(observed: &Observed, sum: impl Fn(usize) -> f64, cells: usize) -> Vec<f32> {
    let channels = observed.sums.iter().enumerate();
    channels.map(|(channel, expected)| ((expected - sum(channel)) / cells as f64) as f32).collect()
}

/// How the numbers of a plane become bytes: exactly, if they have a common denominator and are not
/// too large.
fn input_scale<'a>(numbers: impl Iterator<Item = &'a f32>) -> InputScale {
    let mut different: Vec<f32> = vec![];
    for number in numbers {
        if !different.contains(number) && number.is_finite() && different.len() <= LARGEST as usize
        {
            different.push(*number);
        }
    }
    let largest = different.iter().fold(0.0, |largest: f32, number| largest.max(number.abs()));
    let signed = different.iter().any(|number| *number < 0.0);
    let exact = |denominator: &u32| {
        let whole = |number: &f32| {
            let scaled = number * *denominator as f32;
            (scaled - scaled.round()).abs() < 1e-3
        };
        largest * *denominator as f32 <= LARGEST + 0.5 && different.iter().all(whole)
    };
    let levels = (1..=MAX_DENOMINATOR).find(exact).map_or(LARGEST / largest, |n| n as f32);
    InputScale { levels: if levels.is_normal() { levels } else { 1.0 }, signed }
}
