//! Configurations of training.

use wurfel_train::network::TrainingConfig;

use super::checks::{one_line, text};

pub fn fuzz(input: &[u8]) {
    if let Err(error) = TrainingConfig::read(&text(input)) {
        one_line(&error);
    }
}
