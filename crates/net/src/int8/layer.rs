//! The layers of a network in eight bits: their weights as bytes, in the order in which the kernels read them.

use crate::kernels::{Block, ByteConvolution, BytePointwise, Int8Instructions, Line, TAPS};
use crate::rows::{LANES, Matrix, Row, blocks, row_list};

/// How many inputs a [`Line`] of weights multiplies.
const INPUTS: usize = 4;
/// The largest weight.
const LARGEST: f32 = 127.0;

/// An input channel of the first layer, which is read from a plane.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Channel {
    pub plane: usize,
    /// The factor for the plane's numbers; negative in a channel that shows the part of a plane
    /// below 0.
    pub levels: f32,
}

impl Channel {
    /// A number of the plane as a byte.
    pub fn byte(self, number: f32) -> u8 {
        (number * self.levels + 0.5) as u8
    }
}

/// The amounts that one unit of a byte stands for, before a layer and after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    pub from: f32,
    pub to: f32,
}

#[derive(Debug)]
pub(super) struct ByteLayer {
    lines: Vec<[Line; 3]>,
    scale: Vec<Row>,
    bias: Vec<Row>,
    step: f32,
    /// The factor for a unit of the skip connection.
    skip: f32,
    inner: usize,
    outer: usize,
}

/// A 1 × 1 convolution whose outputs are floating-point numbers.
#[derive(Debug)]
pub(super) struct PointLayer {
    lines: Vec<Line>,
    scale: Vec<Row>,
    bias: Vec<Row>,
    inner: usize,
    outer: usize,
}

/// The inputs and the outputs of a layer.
pub(super) struct Pass<'a> {
    pub from: &'a [Block],
    pub skip: Option<&'a [Block]>,
    pub to: &'a mut [Block],
}

impl Pass<'_> {
    pub fn reborrow(&mut self) -> Pass<'_> {
        Pass { from: self.from, skip: self.skip, to: self.to }
    }
}

impl ByteLayer {
    /// A layer with outputs × inputs × 9 weights. `skip` is the step of the skip connection, 0 if
    /// there is none.
    pub fn new(weight: &[f32], inputs: usize, bias: &[f32], steps: Steps, skip: f32) -> Self {
        let (weight, units) = rounded(weight, inputs * TAPS);
        let (inner, outer) = (blocks(inputs), blocks(bias.len()));
        let parts = padded_parts(inputs);
        let mut lines = vec![[Line::ZERO; 3]; outer * 3 * parts];
        for (number, weight) in weight.into_iter().enumerate() {
            let (output, input) = (number / (inputs * TAPS), number / TAPS % inputs);
            let (down, across) = (number % TAPS / 3, number % 3);
            let place = (output / LANES * 3 + down) * parts + input / INPUTS;
            lines[place][across].0[place_in_line(output, input)] = weight;
        }
        let scale = |output: usize| units[output] * steps.from / steps.to;
        let scale = row_list(bias.len(), scale);
        let skip = skip / steps.to;
        // The added half makes truncation round to the nearest integer.
        let bias = row_list(bias.len(), |output| bias[output] / steps.to + 0.5);
        Self { lines, scale, bias, step: steps.to, skip, inner, outer }
    }

    /// The amount that one unit of an output byte stands for.
    pub fn step(&self) -> f32 {
        self.step
    }

    /// Adds a correction to the output of each channel.
    pub fn correct(&mut self, corrections: &[f32]) {
        for (output, correction) in corrections.iter().enumerate() {
            self.bias[output / LANES].0[output % LANES] += correction / self.step;
        }
    }

    pub fn apply(
        &self,
        instructions: Int8Instructions,
        side: usize,
        boards: usize,
        pass: Pass<'_>,
    ) {
        if side == 5 {
            instructions.run(self.convolution::<5>(boards, pass));
        } else {
            instructions.run(self.convolution::<8>(boards, pass));
        }
    }

    fn convolution<'a, const SIDE: usize>(
        &'a self,
        boards: usize,
        Pass { from, skip, to }: Pass<'a>,
    ) -> ByteConvolution<'a, SIDE> {
        let Self { lines, scale, bias, inner, outer, .. } = self;
        let skip = skip.map(|skip| (skip, self.skip));
        ByteConvolution { from, lines, scale, bias, skip, to, boards, inner: *inner, outer: *outer }
    }
}

impl PointLayer {
    /// A layer with outputs × inputs weights, whose inputs have the step `step`.
    pub fn new(weight: &[f32], inputs: usize, bias: &[f32], step: f32) -> Self {
        let (weight, units) = rounded(weight, inputs);
        let (inner, outer) = (blocks(inputs), blocks(bias.len()));
        let parts = padded_parts(inputs);
        let mut lines = vec![Line::ZERO; outer * parts];
        for (number, weight) in weight.into_iter().enumerate() {
            let (output, input) = (number / inputs, number % inputs);
            let place = output / LANES * parts + input / INPUTS;
            lines[place].0[place_in_line(output, input)] = weight;
        }
        let scale = row_list(bias.len(), |output| units[output] * step);
        Self { lines, scale, bias: row_list(bias.len(), |output| bias[output]), inner, outer }
    }

    pub fn apply(
        &self,
        instructions: Int8Instructions,
        cells: usize,
        from: &[Block],
        to: &mut Matrix,
    ) {
        let Self { lines, scale, bias, inner, outer } = self;
        let stride = to.rows();
        let (inner, outer, to) = (*inner, *outer, to.all_mut());
        instructions.run(BytePointwise {
            from,
            lines,
            scale,
            bias,
            to,
            stride,
            cells,
            inner,
            outer,
        });
    }
}

/// The number of lines for these inputs, including those that fill up the last block.
const fn padded_parts(inputs: usize) -> usize {
    blocks(inputs) * LANES / INPUTS
}

const fn place_in_line(output: usize, input: usize) -> usize {
    output % LANES * INPUTS + input % INPUTS
}

/// Weights as bytes, and the unit of each output's weights; an output has `each` weights.
fn rounded(weight: &[f32], each: usize) -> (Vec<i8>, Vec<f32>) {
    let (mut bytes, mut units) = (Vec::with_capacity(weight.len()), vec![]);
    for weights in weight.chunks_exact(each) {
        let largest = weights.iter().fold(0.0, |largest: f32, weight| largest.max(weight.abs()));
        let unit = if largest > 0.0 { largest / LARGEST } else { 1.0 };
        bytes.extend(weights.iter().map(|weight| (weight / unit).round() as i8));
        units.push(unit);
    }
    (bytes, units)
}

/// The weights of each output multiplied by its factor.
pub(super) fn scaled(weight: &[f32], factors: &[f32]) -> Vec<f32> {
    let each = weight.len() / factors.len();
    let outputs = weight.chunks_exact(each).zip(factors);
    outputs.flat_map(|(weights, factor)| weights.iter().map(move |x| x * factor)).collect()
}

/// Converts outputs × planes × 9 weights into outputs × channels × 9 weights, for channels that are
/// read from planes.
pub(super) fn by_channel(weight: &[f32], planes: usize, channels: &[Channel]) -> Vec<f32> {
    let mut all = vec![];
    for weights in weight.chunks_exact(planes * TAPS) {
        for channel in channels {
            let weights = &weights[channel.plane * TAPS..][..TAPS];
            all.extend(weights.iter().map(|weight| weight / channel.levels));
        }
    }
    all
}

/// The sums of two lists, element by element.
pub(super) fn sums(a: &[f32], b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}
