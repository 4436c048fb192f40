//! Files of learned evaluations. Their last eight bytes are a checksum: each input is read as it
//! is, and with the checksum that it should have.

use wurfel_core::{Features, checksum};
use wurfel_games::dicechess::DiceChess;
use wurfel_games::einstein::Einstein;
use wurfel_games::learned::Weights;
use wurfel_games::linear::LinearValue;
use wurfel_games::perceptron::Perceptron;

use super::checks::one_line;

pub fn fuzz(input: &[u8]) {
    read(input);
    let mut sealed = input.to_vec();
    if let Some((body, place)) = sealed.split_last_chunk_mut::<8>() {
        *place = checksum(body).to_le_bytes();
        read(&sealed);
    }
}

fn read(bytes: &[u8]) {
    for features in [1, 2, Einstein::FEATURES, DiceChess::FEATURES] {
        match Weights::from_bytes(bytes, features) {
            Ok(weights) => assert_eq!(weights.to_bytes(), bytes),
            Err(error) => one_line(&error),
        }
        match LinearValue::from_bytes(bytes, features) {
            Ok(values) => assert_eq!(values.to_bytes(), bytes),
            Err(error) => one_line(&error),
        }
    }
    for sizes in [[3, 2, 1].as_slice(), &[5, 1]] {
        match Perceptron::from_bytes(bytes, sizes) {
            Ok(network) => {
                assert_eq!(network.to_bytes(), bytes);
                let _ = network.evaluate(&vec![1.0; sizes[0]]);
            }
            Err(error) => one_line(&error),
        }
    }
}
