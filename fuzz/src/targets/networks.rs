//! Network files and checkpoints. A changed file has a wrong checksum and would be refused before
//! anything else is looked at, so each input is also read with the checksum that it should have.

use safetensors::SafeTensors;
use wurfel_core::checksum_text;
use wurfel_net::{Checkpoint, Forward, Inference, Int8Inference, Model};

use super::checks::one_line;

/// Larger networks are not run.
const MAX_SIZE: usize = 20_000;

pub fn fuzz(input: &[u8]) {
    match Model::from_bytes(input) {
        Err(error) => one_line(&error),
        Ok(model) => {
            let written = model.to_bytes().expect("what was read can be written");
            assert_eq!(Model::from_bytes(&written).as_ref(), Ok(&model));
            infer(&model);
        }
    }
}

/// One empty board.
fn infer(model: &Model) {
    if model.size() > MAX_SIZE {
        return;
    }
    let architecture = model.architecture();
    let planes = vec![0.0; architecture.planes * architecture.cells()];
    let (mut logits, mut values) = (vec![0.0; architecture.moves], [0.0]);
    Inference::new(model).infer(&planes, &mut logits, &mut values);
    if let Some(mut inference) = Int8Inference::new(model) {
        inference.infer(&planes, &mut logits, &mut values);
    }
}

pub fn fuzz_checkpoints(input: &[u8]) {
    read_checkpoint(input);
    if let Some(sealed) = sealed(input) {
        read_checkpoint(&sealed);
    }
}

fn read_checkpoint(bytes: &[u8]) {
    match Checkpoint::from_bytes(bytes) {
        Err(error) => one_line(&error),
        Ok((checkpoint, note)) => {
            let written = checkpoint.to_bytes(note).expect("what was read can be written");
            let (again, same) = Checkpoint::from_bytes(&written).expect("what was written");
            assert_eq!((again.steps, same, again.model.size()), {
                (checkpoint.steps, note, checkpoint.model.size())
            });
        }
    }
}

/// The same file with the right checksum of its numbers.
fn sealed(bytes: &[u8]) -> Option<Vec<u8>> {
    let tensors = SafeTensors::deserialize(bytes).ok()?;
    let mut whole = vec![];
    for name in ["parameters", "average", "means", "squares"] {
        whole.extend_from_slice(tensors.tensor(name).ok()?.data());
    }
    let key = b"checksum\\\":\\\"";
    let at = bytes.windows(key.len()).position(|part| part == key)? + key.len();
    let mut sealed = bytes.to_vec();
    sealed.get_mut(at..at + 16)?.copy_from_slice(checksum_text(&whole).as_bytes());
    Some(sealed)
}
