//! Inference in eight bits: faster than floating point on CPUs that multiply bytes, at the price of a small error.
//!
//! Activations are unsigned bytes with a step for each layer, weights are signed bytes with a unit
//! for each output channel, and sums have 32 bits and are exact. The operations in floating point
//! that follow are rounded after each step, so every machine gets the same results bit by bit. The
//! fully connected layers of the heads are small and stay in floating point.

mod layer;
mod quantise;
mod scales;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::architecture::Architecture;
use crate::forward::Forward;
use crate::heads::{HeadLayers, HeadMemory, Rounding};
use crate::inference::folded_norm;
use crate::kernels::{Block, Int8Instructions};
use crate::model::Model;
use crate::rows::{LANES, blocks};

use layer::{ByteLayer, Channel, Pass, PointLayer};
pub use scales::{InputScale, Int8Scales};

/// How many cells go through the network together: enough that the weights are rarely reloaded, and
/// few enough for the L2 cache.
const CELLS_AT_ONCE: usize = 1600;

/// A network prepared for inference in eight bits, together with its buffers, which are made when
/// it first evaluates. Each thread needs a network of its own; clones share the weights.
#[derive(Debug)]
pub struct Int8Inference {
    network: Arc<ByteNetwork>,
    instructions: Int8Instructions,
    /// How many boards go through the network together.
    room: usize,
    memory: Option<Memory>,
}

impl Clone for Int8Inference {
    fn clone(&self) -> Self {
        let Self { ref network, instructions, room, .. } = *self;
        Self { network: network.clone(), instructions, room, memory: None }
    }
}

#[derive(Debug)]
struct ByteNetwork {
    architecture: Architecture,
    /// The channels that are read from the planes.
    channels: Vec<Channel>,
    tower: Vec<ByteLayer>,
    /// The 1 × 1 convolutions of both heads as one layer: the policy's channels first, then the
    /// value's.
    heads: PointLayer,
    above: HeadLayers,
}

/// The buffers to which a forward pass writes.
#[derive(Debug)]
struct Memory {
    input: Vec<Block>,
    /// The input of a layer, its output, and the activations between the two layers of a block.
    activations: [Vec<Block>; 3],
    heads: HeadMemory,
}

impl Int8Inference {
    /// Prepares a network for the fastest instructions of this machine. `None` when it has no
    /// [scales](Model::int8_scales).
    pub fn new(model: &Model) -> Option<Self> {
        Self::with(model, Int8Instructions::best())
    }

    /// Prepares a network for these instructions. `None` when it has no [scales](Model::int8_scales).
    pub fn with(model: &Model, instructions: Int8Instructions) -> Option<Self> {
        let network = ByteNetwork::new(model, model.int8_scales()?);
        let room = CELLS_AT_ONCE / model.architecture().cells();
        Some(Self { network: Arc::new(network), instructions, room, memory: None })
    }

    /// Evaluates positions, at most as many as there is room for.
    fn infer_some(&mut self, planes: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let Self { network, instructions, memory, room } = self;
        let memory = memory.get_or_insert_with(|| Memory::new(network, *instructions, *room));
        let boards = values.len();
        memory.read(network, planes);
        let side = network.architecture.board;
        memory.walk(&network.architecture, |number, pass| {
            network.tower[number].apply(*instructions, side, boards, pass);
        });
        memory.channels(network, *instructions, boards);
        network.above.answer(instructions.floats(), &mut memory.heads, logits, values);
    }
}

impl Forward for Int8Inference {
    fn architecture(&self) -> &Architecture {
        &self.network.architecture
    }

    fn infer(&mut self, planes: &[f32], logits: &mut [f32], values: &mut [f32]) {
        self.architecture().check_lengths(planes, logits, values);
        let Architecture { planes: count, moves, .. } = self.network.architecture;
        let parts = planes.chunks(self.room * count * self.network.architecture.cells());
        let answers = logits.chunks_mut(self.room * moves).zip(values.chunks_mut(self.room));
        for (planes, (logits, values)) in parts.zip(answers) {
            self.infer_some(planes, logits, values);
        }
    }

    fn batch_size(&self) -> usize {
        self.room
    }

    fn another(&self) -> Box<dyn Forward> {
        Box::new(self.clone())
    }
}

impl ByteNetwork {
    fn new(model: &Model, scales: &Int8Scales) -> Self {
        let parameters = model.parameters();
        let architecture = *model.architecture();
        let layout = architecture.layout();
        let channels = scales.channels();
        let mut tower: Vec<ByteLayer> = vec![];
        for (number, layer) in layout.tower.iter().enumerate() {
            let (factors, shift) = folded_norm(layer, parameters);
            let weight = layer::scaled(&parameters[layer.weight.clone()], &factors);
            let (weight, from) = match number {
                0 => (layer::by_channel(&weight, layer.inputs, &channels), 1.0),
                _ => (weight, scales.steps[number - 1]),
            };
            let steps = layer::Steps { from, to: scales.steps[number] };
            let inputs = if number == 0 { channels.len() } else { layer.inputs };
            let bias = layer::sums(&shift, &scales.corrections[number]);
            // The second layer of a residual block adds the input of the first.
            let above = (number + 1).saturating_sub(architecture.shape.convolutions);
            let second = above > 0 && above.is_multiple_of(2);
            let skip = if second { scales.steps[number - 2] } else { 0.0 };
            tower.push(ByteLayer::new(&weight, inputs, &bias, steps, skip));
        }
        let (mut weight, mut bias) = (vec![], vec![]);
        for head in [&layout.policy, &layout.value] {
            let (factors, shift) = folded_norm(head, parameters);
            weight.extend(layer::scaled(&parameters[head.weight.clone()], &factors));
            bias.extend(shift);
        }
        let last = layout.tower.len();
        let bias = layer::sums(&bias, &scales.corrections[last]);
        let heads = PointLayer::new(&weight, layout.policy.inputs, &bias, scales.steps[last - 1]);
        let above = HeadLayers::new(model, Rounding::Always);
        Self { architecture, channels, tower, heads, above }
    }
}

impl Memory {
    fn new(network: &ByteNetwork, instructions: Int8Instructions, room: usize) -> Self {
        let architecture = &network.architecture;
        let blocks_of =
            |channels| vec![Block::ZERO; room * architecture.cells() * blocks(channels)];
        let activation = blocks_of(architecture.shape.filters);
        Self {
            input: blocks_of(network.channels.len()),
            activations: [activation.clone(), activation.clone(), activation],
            heads: HeadMemory::new(architecture, instructions.floats(), room),
        }
    }

    fn read(&mut self, network: &ByteNetwork, planes: &[f32]) {
        let Architecture { planes: count, .. } = network.architecture;
        let cells = network.architecture.cells();
        let wide = blocks(network.channels.len());
        let boards = self.input.chunks_exact_mut(cells * wide);
        for (planes, board) in planes.chunks_exact(count * cells).zip(boards) {
            for (number, channel) in network.channels.iter().enumerate() {
                let plane = &planes[channel.plane * cells..][..cells];
                let (block, lane) = (number / LANES, number % LANES);
                for (number, cell) in plane.iter().zip(board.chunks_exact_mut(wide)) {
                    cell[block].0[lane] = channel.byte(*number);
                }
            }
        }
    }

    /// Goes through the layers of the tower. The output of the last one is then in the first of the
    /// activations.
    fn walk(&mut self, architecture: &Architecture, mut apply: impl FnMut(usize, Pass<'_>)) {
        let Self { input, activations: [x, y, between], .. } = self;
        let plain = architecture.shape.convolutions;
        apply(0, Pass { from: input, skip: None, to: x });
        for number in 1..plain {
            apply(number, Pass { from: x, skip: None, to: y });
            std::mem::swap(x, y);
        }
        for block in 0..architecture.shape.blocks {
            let number = plain + 2 * block;
            apply(number, Pass { from: x, skip: None, to: between });
            apply(number + 1, Pass { from: between, skip: Some(x), to: y });
            std::mem::swap(x, y);
        }
    }

    fn channels(&mut self, network: &ByteNetwork, instructions: Int8Instructions, boards: usize) {
        let Self { activations: [x, ..], heads, .. } = self;
        let cells = boards * network.architecture.cells();
        network.heads.apply(instructions, cells, x, &mut heads.channels);
    }
}
