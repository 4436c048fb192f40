//! Networks of random small shapes over random boards: all instructions and methods against
//! portable code (bit by bit in eight bits), and a batch against one board at a time.

use wurfel_core::Random;
use wurfel_net::{
    Architecture, Forward, Inference, Instructions, Int8Inference, Int8Instructions, Method, Model,
    NetworkShape,
};

use super::checks::chance;

/// What differs is rounding: sums of up to some hundred numbers of size 1.
const TOLERANCE: f32 = 1e-3;

pub fn fuzz(input: &[u8]) {
    let mut random = chance(input);
    let mut model = model(&mut random);
    let architecture = *model.architecture();
    let boards = 1 + random.below(11) as usize;
    let size = architecture.planes * architecture.cells();
    // The input itself, as far as it goes.
    let mut bytes = input.iter().copied().chain(std::iter::repeat_with(|| random.bits() as u8));
    let planes: Vec<f32> = (0..boards * size)
        .map(|_| match bytes.next().unwrap_or_default() {
            byte @ 0..128 => f32::from(byte % 2),
            byte => (f32::from(byte) - 128.0) / 64.0,
        })
        .collect();
    let mut plain = Inference::with(&model, Instructions::PORTABLE, Method::Direct);
    let (logits, values) = answers(&mut plain, &planes, boards);
    for instructions in Instructions::available() {
        for method in [Method::Direct, Method::Winograd, Method::Faster] {
            let mut inference = Inference::with(&model, instructions, method);
            let actual = answers(&mut inference, &planes, boards);
            let name = instructions.name();
            close(&actual.0, &logits, name, method);
            close(&actual.1, &values, name, method);
            if method == Method::Faster {
                continue;
            }
            let one: Vec<_> =
                planes.chunks(size).map(|planes| answers(&mut inference, planes, 1)).collect();
            let alone: Vec<f32> = one.iter().flat_map(|(logits, _)| logits.clone()).collect();
            assert_eq!(alone, actual.0, "a batch of {boards}: {name}, {method:?}");
            let alone: Vec<f32> = one.iter().flat_map(|(_, values)| values.clone()).collect();
            assert_eq!(alone, actual.1, "a batch of {boards}: {name}, {method:?}");
        }
    }
    // The scales are those of some of the boards only, so that the others go beyond them.
    model.quantise(&planes[..boards.div_ceil(2) * size]);
    compare_int8(&model, &planes, boards);
}

fn compare_int8(model: &Model, planes: &[f32], boards: usize) {
    let inference = |instructions| Int8Inference::with(model, instructions).expect("scales");
    let expected = answers(&mut inference(Int8Instructions::PORTABLE), planes, boards);
    for instructions in Int8Instructions::available() {
        let mut inference = inference(instructions);
        assert_eq!(answers(&mut inference, planes, boards), expected, "{instructions}");
        let (mut logits, mut values) = (vec![], vec![]);
        for planes in planes.chunks(planes.len() / boards) {
            let (one, value) = answers(&mut inference, planes, 1);
            logits.extend(one);
            values.extend(value);
        }
        assert_eq!((logits, values), expected, "one at a time: {instructions}");
    }
}

fn model(random: &mut Random) -> Model {
    let mut up_to = |most: u32| 1 + random.below(most) as usize;
    let board = if up_to(2) == 1 { 5 } else { 8 };
    let spatial_policy = up_to(2) == 1;
    let moves = if spatial_policy { board * board * up_to(3) } else { up_to(70) };
    let architecture = Architecture {
        board,
        planes: up_to(20),
        moves,
        shape: NetworkShape {
            filters: up_to(20),
            convolutions: up_to(2),
            blocks: up_to(3) - 1,
            policy_channels: up_to(4),
            value_channels: up_to(3),
            value_hidden: up_to(20),
            spatial_policy,
            afterstate_value: false,
        },
    };
    Model::new(architecture, "fuzz", random).expect("a shape within its ranges")
}

/// The logits and the values of this many boards.
fn answers(inference: &mut impl Forward, planes: &[f32], boards: usize) -> (Vec<f32>, Vec<f32>) {
    let mut logits = vec![0.0; boards * inference.architecture().moves];
    let mut values = vec![0.0; boards];
    inference.infer(planes, &mut logits, &mut values);
    (logits, values)
}

fn close(actual: &[f32], expected: &[f32], name: &str, method: Method) {
    for (n, (actual, expected)) in actual.iter().zip(expected).enumerate() {
        let room = TOLERANCE * (1.0 + expected.abs());
        assert!((actual - expected).abs() <= room, "{name}, {method:?}, {n}: {actual}, {expected}");
    }
}
