//! The parameters of a network as named arrays, for programs that store networks in another way.

use crate::architecture::{Architecture, Tensor};
use crate::{Model, NetError};

/// An array among the parameters of a network, with the name and the shape that `PyTorch` gives it.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedArray {
    /// The name, such as `tower.0.conv.weight`.
    pub name: String,
    /// The lengths of its dimensions, the outermost first.
    pub shape: Vec<usize>,
    /// The numbers, the last index running fastest.
    pub numbers: Vec<f32>,
}

impl Model {
    /// All parameters as arrays, in the order of the layout.
    pub fn arrays(&self) -> Vec<NamedArray> {
        let array = |Tensor { name, shape, range, .. }| {
            let numbers = self.parameters[range].to_vec();
            NamedArray { name, shape, numbers }
        };
        self.architecture().layout().tensors.into_iter().map(array).collect()
    }

    /// The network whose parameters are these arrays, given in any order.
    ///
    /// # Errors
    /// When the architecture is out of range, an array is missing, does not belong to the network
    /// or has another shape, or a parameter has an impossible value.
    pub fn from_arrays(
        architecture: Architecture,
        encoding: &str,
        arrays: &[NamedArray],
    ) -> Result<Self, NetError> {
        architecture.check()?;
        let wrong = |name: &str, what: &str| NetError::Architecture(format!("{name}: {what}"));
        let tensors = architecture.layout().tensors;
        let unexpected =
            |array: &&NamedArray| tensors.iter().all(|tensor| tensor.name != array.name);
        if let Some(array) = arrays.iter().find(unexpected) {
            return Err(wrong(&array.name, "no array of this architecture"));
        }
        let mut parameters = vec![];
        for tensor in &tensors {
            let array = arrays.iter().find(|array| array.name == tensor.name);
            let array = array.ok_or_else(|| wrong(&tensor.name, "no such array"))?;
            if array.shape != tensor.shape || array.numbers.len() != tensor.range.len() {
                let what = format!("{:?}, not {:?}", array.shape, tensor.shape);
                return Err(wrong(&tensor.name, &what));
            }
            tensor.check(&array.numbers).map_err(|error| wrong(&tensor.name, &error))?;
            parameters.extend_from_slice(&array.numbers);
        }
        Self::from_parameters(architecture, encoding, parameters)
            .ok_or_else(|| NetError::Architecture("too few parameters".to_owned()))
    }
}
