//! Checks inference in eight bits: its layers against plain loops, all instructions against portable code to the bit, and
//! whole networks against floating point.

use wurfel_core::Random;

use super::layer::{ByteLayer, Pass, PointLayer, Steps};
use crate::kernels::{Block, Int8Instructions, TAPS};
use crate::naive::lively;
use crate::rows::{LANES, Matrix, blocks};
use crate::{Architecture, Forward, Inference, Int8Inference, Model, NetworkShape};

/// Random bytes, `channels` for each of `cells` cells; the channels that fill up the last block are
/// 0.
fn random_bytes(cells: usize, channels: usize, random: &mut Random) -> Vec<Block> {
    let mut bytes = vec![Block::ZERO; cells * blocks(channels)];
    for cell in 0..cells {
        for channel in 0..channels {
            *byte_mut(&mut bytes, cell, channel, channels) = random.below(256) as u8;
        }
    }
    bytes
}

fn byte_mut(bytes: &mut [Block], cell: usize, channel: usize, channels: usize) -> &mut u8 {
    &mut bytes[cell * blocks(channels) + channel / LANES].0[channel % LANES]
}

fn byte(bytes: &[Block], cell: usize, channel: usize, channels: usize) -> u8 {
    bytes[cell * blocks(channels) + channel / LANES].0[channel % LANES]
}

/// Random integer weights. Among those of each output is a 127, so that the unit of the bytes is 1.
fn random_weights(outputs: usize, each: usize, random: &mut Random) -> Vec<f32> {
    let mut weights: Vec<f32> =
        (0..outputs * each).map(|_| random.below(255) as f32 - 127.0).collect();
    weights.iter_mut().step_by(each).for_each(|first| *first = 127.0);
    weights
}

/// The sum of a convolution with zeros around the board, in integers.
fn plain_sum(
    weights: &[f32],
    from: &[Block],
    inputs: usize,
    side: usize,
    (cell, output): (usize, usize),
) -> i32 {
    let (board, place) = (cell / (side * side), cell % (side * side));
    let mut sum = 0;
    for tap in 0..TAPS {
        let (row, column) = (place / side + tap / 3, place % side + tap % 3);
        if !(1..=side).contains(&row) || !(1..=side).contains(&column) {
            continue;
        }
        let from_cell = (board * side + row - 1) * side + column - 1;
        for input in 0..inputs {
            let weight = weights[(output * inputs + input) * TAPS + tap] as i32;
            sum += weight * i32::from(byte(from, from_cell, input, inputs));
        }
    }
    sum
}

#[test]
fn layers_compute_what_plain_loops_compute() {
    let mut random = Random::new(4);
    for (side, boards, inputs, outputs) in [
        (5, 1, 3, 5),
        (5, 3, 20, 33),
        (5, 2, 16, 48),
        (8, 1, 7, 17),
        (8, 2, 33, 32),
        (5, 4, 65, 16),
    ] {
        let cells = boards * side * side;
        let weights = random_weights(outputs, inputs * TAPS, &mut random);
        let bias: Vec<f32> = (0..outputs).map(|_| random.below(9) as f32 - 4.0).collect();
        let from = random_bytes(cells, inputs, &mut random);
        let over = random_bytes(cells, outputs, &mut random);
        // The step is chosen so that most sums fall within the range of a byte.
        let to_step = 64.0 * (inputs as f32).sqrt();
        let steps = Steps { from: 0.5, to: to_step };
        for skip in [0.0, 0.3 * to_step] {
            let layer = ByteLayer::new(&weights, inputs, &bias, steps, skip);
            for instructions in Int8Instructions::available() {
                let mut to = vec![Block([7; LANES]); cells * blocks(outputs)];
                let skipped = (skip > 0.0).then_some(&over[..]);
                layer.apply(
                    instructions,
                    side,
                    boards,
                    Pass { from: &from, skip: skipped, to: &mut to },
                );
                for (cell, output) in
                    (0..cells).flat_map(|cell| (0..outputs).map(move |n| (cell, n)))
                {
                    let sum = plain_sum(&weights, &from, inputs, side, (cell, output));
                    let mut wanted = sum as f32 * (0.5 / to_step) + (bias[output] / to_step + 0.5);
                    if skip > 0.0 {
                        wanted += f32::from(byte(&over, cell, output, outputs)) * (skip / to_step);
                    }
                    let actual = byte(&to, cell, output, outputs);
                    assert_eq!(
                        actual, wanted as u8,
                        "{instructions} {side} {cell} {output} {wanted}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_channels_of_heads_are_those_of_plain_loops() {
    let mut random = Random::new(5);
    for (cells, inputs, outputs) in [(1, 4, 3), (25, 20, 40), (64, 33, 6), (13, 64, 17)] {
        let weights = random_weights(outputs, inputs, &mut random);
        let bias: Vec<f32> = (0..outputs).map(|_| random.below(900) as f32 - 450.0).collect();
        let from = random_bytes(cells, inputs, &mut random);
        let layer = PointLayer::new(&weights, inputs, &bias, 0.5);
        for instructions in Int8Instructions::available() {
            let mut to = Matrix::new(cells, outputs);
            layer.apply(instructions, cells, &from, &mut to);
            for (cell, output) in (0..cells).flat_map(|cell| (0..outputs).map(move |n| (cell, n))) {
                let products = (0..inputs).map(|input| {
                    weights[output * inputs + input] as i32
                        * i32::from(byte(&from, cell, input, inputs))
                });
                let wanted = (products.sum::<i32>() as f32 * 0.5 + bias[output]).max(0.0);
                let actual = to.at(cell, output);
                assert_eq!(actual.to_bits(), wanted.to_bits(), "{instructions} {cell} {output}");
            }
        }
    }
}

/// A network of a random shape, with scales measured on positions like those of [`positions`].
fn random_network(random: &mut Random) -> Model {
    let mut up_to = |most: u32| 1 + random.below(most) as usize;
    let board = if up_to(2) == 1 { 5 } else { 8 };
    let spatial_policy = up_to(2) == 1;
    let moves = if spatial_policy { board * board * up_to(3) } else { up_to(70) };
    let architecture = Architecture {
        board,
        planes: up_to(20),
        moves,
        shape: NetworkShape {
            filters: up_to(40),
            convolutions: up_to(3),
            blocks: up_to(3) - 1,
            policy_channels: up_to(20),
            value_channels: up_to(3),
            value_hidden: up_to(20),
            spatial_policy,
            afterstate_value: false,
        },
    };
    let mut model = lively(architecture, random);
    let planes = positions(&architecture, 20, random);
    model.quantise(&planes);
    model
}

/// Planes whose numbers are alternately 0 and 1, from −1 to 1, and sixths.
fn positions(architecture: &Architecture, boards: usize, random: &mut Random) -> Vec<f32> {
    let cells = architecture.cells();
    (0..boards * architecture.planes * cells)
        .map(|number| match number / cells % architecture.planes % 3 {
            0 => random.below(2) as f32,
            1 => random.below(3) as f32 - 1.0,
            _ => random.below(7) as f32 / 6.0,
        })
        .collect()
}

fn answers(inference: &mut dyn Forward, planes: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let architecture = *inference.architecture();
    let boards = planes.len() / (architecture.planes * architecture.cells());
    let (mut logits, mut values) = (vec![0.0; boards * architecture.moves], vec![0.0; boards]);
    inference.infer(planes, &mut logits, &mut values);
    (logits, values)
}

#[test]
fn all_instructions_infer_the_same_to_the_bit_in_batches_of_any_size() {
    let mut random = Random::new(6);
    for _ in 0..20 {
        let model = random_network(&mut random);
        let architecture = model.architecture();
        let size = architecture.planes * architecture.cells();
        // More positions than go through the network together.
        let planes = positions(architecture, 67, &mut random);
        let portable = Int8Inference::with(&model, Int8Instructions::PORTABLE);
        let expected = answers(&mut portable.expect("scales"), &planes);
        for instructions in Int8Instructions::available() {
            let mut inference = Int8Inference::with(&model, instructions).expect("scales");
            for boards in [67, 1, 2, 9] {
                let actual = answers(&mut inference, &planes[..boards * size]);
                let logits = &expected.0[..boards * architecture.moves];
                assert_eq!(actual.0, logits, "{architecture:?} {instructions} {boards}");
                assert_eq!(
                    actual.1,
                    expected.1[..boards],
                    "{architecture:?} {instructions} {boards}"
                );
            }
        }
    }
}

/// The network is small enough for Miri, which checks the unsafe code of the kernels;
/// docs/fuzzing.md has the command.
#[test]
fn a_tiny_network_infers_in_eight_bits_the_same_with_all_instructions() {
    let mut architecture = Architecture::paper(5, 1, 2).with_tower(1, 1, 1);
    architecture.shape.value_hidden = 1;
    let mut model = lively(architecture, &mut Random::new(3));
    let planes = positions(&architecture, 1, &mut Random::new(1));
    model.quantise(&planes);
    let all = Int8Instructions::available().into_iter().map(|instructions| {
        answers(&mut Int8Inference::with(&model, instructions).expect("scales"), &planes)
    });
    let all: Vec<_> = all.collect();
    assert!(all.iter().all(|actual| *actual == all[0]), "{all:?}");
}

/// Random networks have a larger error than trained ones, whose outputs do not depend on every
/// weight to the same extent.
#[test]
fn eight_bits_are_near_floating_point() {
    let mut random = Random::new(7);
    let (mut apart, mut spread, mut count) = (0.0, 0.0, 0.0);
    for _ in 0..10 {
        let model = random_network(&mut random);
        let planes = positions(model.architecture(), 50, &mut random);
        let exact = answers(&mut Inference::new(&model), &planes).0;
        let actual = answers(&mut Int8Inference::new(&model).expect("scales"), &planes).0;
        let mean = exact.iter().sum::<f32>() / exact.len() as f32;
        for (exact, actual) in exact.iter().zip(actual) {
            apart += f64::from((exact - actual).powi(2));
            spread += f64::from((exact - mean).powi(2));
            count += 1.0;
        }
    }
    let (apart, spread) = ((apart / count).sqrt(), (spread / count).sqrt());
    assert!(apart < 0.03 * spread, "{apart} of {spread}");
}

/// Without the corrections, the means are further off.
#[test]
fn corrections_lower_the_error() {
    let mut random = Random::new(8);
    let (mut with, mut without) = (0.0, 0.0);
    for _ in 0..10 {
        let model = random_network(&mut random);
        let planes = positions(model.architecture(), 50, &mut random);
        let exact = answers(&mut Inference::new(&model), &planes).1;
        let mut scales = model.int8_scales().expect("scales").clone();
        scales.corrections.iter_mut().for_each(|layer| layer.fill(0.0));
        let mut plain = model.clone();
        plain.set_int8_scales(scales);
        for (model, sum) in [(&model, &mut with), (&plain, &mut without)] {
            let actual = answers(&mut Int8Inference::new(model).expect("scales"), &planes).1;
            let apart = exact.iter().zip(actual).map(|(exact, actual)| (exact - actual).abs());
            *sum += apart.sum::<f32>();
        }
    }
    assert!(with < 0.95 * without, "{with} {without}");
}

#[test]
fn whole_numbers_and_fractions_become_bytes_exactly() {
    let architecture = Architecture::paper(5, 5, 4).with_tower(4, 1, 0);
    let mut planes = vec![0.0; 5 * 25];
    planes[..3].copy_from_slice(&[1.0, 0.0, 1.0]);
    planes[25..28].copy_from_slice(&[1.0 / 6.0, 0.5, 1.0]);
    planes[50..53].copy_from_slice(&[-1.0, 1.0, 0.0]);
    // The third plane from the end stays empty; the last one has no common denominator.
    planes[100..103].copy_from_slice(&[std::f32::consts::PI, 1.0, 2.0]);
    let mut model = lively(architecture, &mut Random::new(1));
    model.quantise(&planes);
    let inputs = model.int8_scales().expect("scales").inputs();
    let levels: Vec<f32> = inputs.iter().map(|input| input.levels).collect();
    assert_eq!(levels[..4], [1.0, 6.0, 1.0, 1.0]);
    assert!((levels[4] - 255.0 / std::f32::consts::PI).abs() < 1e-3);
    let signed: Vec<bool> = inputs.iter().map(|input| input.signed).collect();
    assert_eq!(signed, [false, false, true, false, false]);
}

#[test]
fn a_network_without_scales_has_no_inference_in_eight_bits() {
    let architecture = Architecture::paper(5, 3, 4).with_tower(4, 1, 0);
    let mut model = lively(architecture, &mut Random::new(1));
    assert!(Int8Inference::new(&model).is_none());
    model.quantise(&[0.0; 75]);
    assert!(Int8Inference::new(&model).is_some());
    assert!(Int8Inference::new(&model.without_int8_scales()).is_none());
}
