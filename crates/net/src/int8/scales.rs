//! The scales: everything that inference in eight bits needs to know about a network beyond its
//! parameters. They are measured on positions from games and stored in the network's file.

use serde::{Deserialize, Serialize};
use wurfel_core::checksum;

use super::layer::Channel;
use crate::architecture::Architecture;

/// The scales for inference in eight bits, as [`Model::quantise`](crate::Model::quantise) measures
/// them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Int8Scales {
    pub(super) inputs: Vec<InputScale>,
    /// For each 3 × 3 convolution, the amount that one unit of an output byte stands for.
    pub(super) steps: Vec<f32>,
    /// For each 3 × 3 convolution and then for the 1 × 1 convolutions of both heads together: the
    /// amounts added to the outputs of each channel, so that on average these equal the outputs in
    /// floating point.
    pub(super) corrections: Vec<Vec<f32>>,
}

/// How the numbers of a plane become bytes.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputScale {
    /// The factor that the numbers are multiplied by. Planes of integers, and of fractions with a
    /// common denominator, are exact.
    pub levels: f32,
    /// Whether numbers may be negative; the plane is then read twice, once for its part above 0 and
    /// once for its part below 0.
    pub signed: bool,
}

impl Int8Scales {
    /// The scale of each plane.
    pub fn inputs(&self) -> &[InputScale] {
        &self.inputs
    }

    /// The channels that are read from the planes: each plane once, and then the part below 0 of
    /// those that are signed.
    pub(super) fn channels(&self) -> Vec<Channel> {
        let all = || self.inputs.iter().enumerate();
        let above = all().map(|(plane, input)| Channel { plane, levels: input.levels });
        let signed = all().filter(|(_, input)| input.signed);
        above.chain(signed.map(|(plane, input)| Channel { plane, levels: -input.levels })).collect()
    }

    /// Checks that the scales fit a network; the error says which of them does not.
    pub(crate) fn check(&self, architecture: &Architecture) -> Result<(), String> {
        let shape = &architecture.shape;
        let layers = shape.convolutions + 2 * shape.blocks;
        let count = |name: &str, is: usize, wanted: usize| {
            if is == wanted { Ok(()) } else { Err(format!("{is} {name}, not {wanted}")) }
        };
        count("inputs", self.inputs.len(), architecture.planes)?;
        count("steps", self.steps.len(), layers)?;
        count("lists of corrections", self.corrections.len(), layers + 1)?;
        for (number, corrections) in self.corrections.iter().enumerate() {
            let heads = shape.policy_channels + shape.value_channels;
            let wanted = if number < layers { shape.filters } else { heads };
            count(&format!("corrections of layer {number}"), corrections.len(), wanted)?;
        }
        let levels = self.inputs.iter().map(|input| input.levels);
        if let Some(bad) =
            levels.chain(self.steps.iter().copied()).find(|x| !(x.is_normal() && *x > 0.0))
        {
            return Err(format!("a scale is {bad}, not a number above 0"));
        }
        match self.corrections.iter().flatten().find(|correction| !correction.is_finite()) {
            Some(bad) => Err(format!("a correction is {bad}, not a number")),
            None => Ok(()),
        }
    }

    /// A checksum of the scales and of the network that they belong to.
    pub(crate) fn checksum(&self, network: u64) -> u64 {
        let mut bytes = network.to_le_bytes().to_vec();
        for input in &self.inputs {
            bytes.extend(input.levels.to_le_bytes());
            bytes.push(u8::from(input.signed));
        }
        let numbers = self.steps.iter().chain(self.corrections.iter().flatten());
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        checksum(&bytes)
    }
}
