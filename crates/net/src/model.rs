//! A network: its architecture and its parameters.

use wurfel_core::Random;

use crate::architecture::{Architecture, Layout};
use crate::{Int8Scales, NetError};

/// The constant that batch norm adds to the variance before it takes the root.
pub const EPSILON: f32 = 1e-5;

/// A policy-value network: its architecture, the name of its encoding, and all its parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    architecture: Architecture,
    encoding: String,
    /// All parameters in the order of the layout, including the statistics of batch norms.
    pub(crate) parameters: Vec<f32>,
    int8: Option<Int8Scales>,
}

impl Model {
    /// A network that has learned nothing. Its weights are drawn from normal distributions with
    /// variance 2 / inputs (K. He and others, 2015); in the last layer of each head the deviation
    /// is ten times smaller, so that the first outputs are nearly even.
    ///
    /// # Errors
    /// When the architecture is out of range.
    pub fn new(
        architecture: Architecture,
        encoding: &str,
        random: &mut Random,
    ) -> Result<Self, NetError> {
        architecture.check()?;
        let layout = architecture.layout();
        let mut parameters = vec![0.0; layout.len];
        let mut fill = |parameters: &mut [f32], inputs: usize, factor: f64| {
            let deviation = factor * (2.0 / inputs as f64).sqrt();
            parameters.fill_with(|| (normal(random) * deviation) as f32);
        };
        for layer in layout.convolutions() {
            let inputs = layer.weight.len() / layer.outputs;
            fill(&mut parameters[layer.weight.clone()], inputs, 1.0);
        }
        let Layout { moves, hidden, out, .. } = &layout;
        for (layer, factor) in [(moves, 0.1), (hidden, 1.0), (out, 0.1)] {
            fill(&mut parameters[layer.weight.clone()], layer.inputs, factor);
        }
        for layer in layout.convolutions() {
            parameters[layer.scale.clone()].fill(1.0);
            parameters[layer.variance.clone()].fill(1.0);
        }
        Ok(Self { architecture, encoding: encoding.to_owned(), parameters, int8: None })
    }

    /// The network with these parameters, in the order of the [layout](Architecture::layout).
    /// `None` when their number is wrong or the architecture is out of range.
    pub fn from_parameters(
        architecture: Architecture,
        encoding: &str,
        parameters: Vec<f32>,
    ) -> Option<Self> {
        let encoding = encoding.to_owned();
        let fits = architecture.check().is_ok() && parameters.len() == architecture.layout().len;
        fits.then_some(Self { architecture, encoding, parameters, int8: None })
    }

    /// The name of the encoding that defines the network's planes and its moves.
    pub fn encoding(&self) -> &str {
        &self.encoding
    }

    /// The architecture of the network.
    pub const fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// All parameters, in the order of the [layout](Architecture::layout).
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    /// The scales for [inference in eight bits](crate::Int8Inference); `None` if they have not been
    /// [measured](Self::quantise).
    pub const fn int8_scales(&self) -> Option<&Int8Scales> {
        self.int8.as_ref()
    }

    pub(crate) fn set_int8_scales(&mut self, scales: Int8Scales) {
        self.int8 = Some(scales);
    }

    /// The network without its scales, because they are valid only for the parameters on which they
    /// were measured.
    #[must_use]
    pub fn without_int8_scales(self) -> Self {
        Self { int8: None, ..self }
    }

    /// How many parameters the network has, including the statistics of batch norms.
    pub fn size(&self) -> usize {
        self.parameters.len()
    }
}

/// A number from the standard normal distribution (G. E. P. Box and M. E. Muller, 1958).
fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * (1.0 - random.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.unit()).cos()
}
