//! An evaluation that is a weighted sum over the features of a position. Q-learning over many games
//! learns its weights.

use wurfel_core::{Evaluator, Features, checksum};

use crate::learned::WeightsError;
use crate::logistic::logistic;

/// The log-odds of a win as a sum of one weight for each feature.
///
/// It serves as a table of Q-values: the value of a move is 1 less the value of the position that
/// it leads to.
#[derive(Clone, PartialEq, Debug)]
pub struct LinearValue {
    /// The weight of each feature of the game.
    pub weights: Vec<f32>,
}

/// The first line of a file.
const MAGIC: &[u8] = b"wurfel linear values 1\n";

impl LinearValue {
    /// For a game with this number of features, weights with which all positions are even.
    pub fn even(features: usize) -> Self {
        Self { weights: vec![0.0; features] }
    }

    /// Calls `see` with the number of each feature of a position, seen from the side to move.
    pub fn each_feature<G: Features>(position: &G, mut see: impl FnMut(usize)) {
        position.features(position.side(), &mut see);
        position.recomputed(position.side(), &mut see);
    }

    /// The weights as a file: a line that says what it is, the weights in little-endian order, and
    /// a checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Reads what [`LinearValue::to_bytes`] has written, for a game with this number of features.
    ///
    /// # Errors
    /// When the bytes are not such a file, or are damaged.
    pub fn from_bytes(bytes: &[u8], features: usize) -> Result<Self, WeightsError> {
        let body = bytes.strip_prefix(MAGIC).ok_or(WeightsError::UnknownFormat)?;
        let (body, sum) = body.split_last_chunk::<8>().ok_or(WeightsError::Damaged)?;
        let (numbers, rest) = body.as_chunks::<4>();
        let whole = checksum(&bytes[..bytes.len() - 8]) == u64::from_le_bytes(*sum);
        if !whole || !rest.is_empty() || numbers.len() != features {
            return Err(WeightsError::Damaged);
        }
        Ok(Self { weights: numbers.iter().map(|number| f32::from_le_bytes(*number)).collect() })
    }
}

impl<G: Features> Evaluator<G> for LinearValue {
    fn evaluate(&self, position: &G) -> f32 {
        let mut sum = 0.0;
        Self::each_feature(position, |feature| sum += self.weights[feature]);
        logistic(sum)
    }
}
