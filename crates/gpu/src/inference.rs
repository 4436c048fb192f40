//! Inference on a device.

use burn_tensor::backend::Backend;
use burn_tensor::{Int, Tensor, TensorData};
use wurfel_net::{Architecture, Forward, Layout, Model};

use crate::network::{Network, places};

/// A network that evaluates on a device of the framework's backend `B`. Clones share the
/// parameters.
#[derive(Clone)]
pub struct TensorInference<B: Backend> {
    architecture: Architecture,
    layout: Layout,
    device: B::Device,
    parameters: Tensor<B, 1>,
    places: Tensor<B, 1, Int>,
}

impl<B: Backend> TensorInference<B> {
    /// Copies a network to a device.
    ///
    /// # Panics
    /// When the framework does not find the device.
    pub fn new(model: &Model, device: B::Device) -> Self {
        let architecture = *model.architecture();
        let parameters = Tensor::from_floats(model.parameters(), &device);
        let places = places(architecture.board, &device);
        Self { layout: architecture.layout(), architecture, device, parameters, places }
    }
}

impl<B: Backend> Forward for TensorInference<B> {
    fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    fn infer(&mut self, planes: &[f32], logits: &mut [f32], values: &mut [f32]) {
        self.architecture.check_lengths(planes, logits, values);
        if values.is_empty() {
            return;
        }
        let Architecture { board, planes: count, .. } = self.architecture;
        let planes = TensorData::new(planes.to_vec(), [values.len(), count, board, board]);
        let planes = Tensor::from_data(planes, &self.device);
        let (parameters, places) = (self.parameters.clone(), self.places.clone());
        let mut network = Network::learned(&self.architecture, &self.layout, parameters, places);
        let (logits_out, worth) = network.infer(planes);
        write(&logits_out, logits);
        write(&worth, values);
    }

    fn another(&self) -> Box<dyn Forward> {
        Box::new(self.clone())
    }
}

/// Copies a tensor from the device into `parameters`.
fn write<B: Backend>(tensor: &Tensor<B, 2>, parameters: &mut [f32]) {
    for (number, logits_out) in parameters.iter_mut().zip(tensor.to_data().iter::<f32>()) {
        *number = logits_out;
    }
}
