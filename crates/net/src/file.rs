//! Network files: safetensors, with the description of the network in the metadata.
//!
//! The arrays have the names and shapes that `PyTorch` gives them, so that `load_state_dict`
//! accepts them unchanged. The metadata have one entry, `wurfel`: JSON with the version of the
//! format, the architecture, the name of the encoding, and a checksum of these three and the
//! parameters. If the scales for inference in eight bits were measured, the JSON also has them as
//! `int8`, with a checksum of their own; programs that do not know this field ignore it.

use std::collections::HashMap;

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use wurfel_core::checksum;

use crate::architecture::{Architecture, Layout, Tensor};
use crate::{Int8Scales, Model, NetError};

/// The version of the format.
const FORMAT: u32 = 1;
/// The key of the entry in the metadata.
const ENTRY: &str = "wurfel";

#[derive(Serialize, Deserialize)]
struct Card {
    format: u32,
    architecture: Architecture,
    encoding: String,
    /// The checksum, as sixteen hexadecimal digits.
    checksum: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    int8: Option<ScalesCard>,
}

#[derive(Serialize, Deserialize)]
struct ScalesCard {
    /// The checksum of the scales and of the network, as sixteen hexadecimal digits.
    checksum: String,
    scales: Int8Scales,
}

impl Model {
    /// The network as a file. The same network always gives the same bytes.
    ///
    /// # Errors
    /// Only errors of the libraries that write it.
    pub fn to_bytes(&self) -> Result<Vec<u8>, NetError> {
        let damaged = |error: &dyn ToString| NetError::Damaged(error.to_string());
        let checksum = self.checksum();
        let card = Card {
            format: FORMAT,
            architecture: *self.architecture(),
            encoding: self.encoding().to_owned(),
            checksum: format!("{checksum:016x}"),
            int8: self.int8_scales().map(|scales| ScalesCard {
                checksum: format!("{:016x}", scales.checksum(checksum)),
                scales: scales.clone(),
            }),
        };
        let card = serde_json::to_string(&card).map_err(|error| damaged(&error))?;
        let bytes: Vec<u8> =
            self.parameters.iter().flat_map(|number| number.to_le_bytes()).collect();
        let tensors = self.architecture().layout().tensors;
        let views: Result<Vec<_>, _> = tensors
            .into_iter()
            .map(|tensor| {
                let bytes = &bytes[4 * tensor.range.start..4 * tensor.range.end];
                TensorView::new(Dtype::F32, tensor.shape, bytes).map(|view| (tensor.name, view))
            })
            .collect();
        let views = views.map_err(|error| damaged(&error))?;
        let metadata = HashMap::from([(ENTRY.to_owned(), card)]);
        safetensors::serialize(views, Some(metadata)).map_err(|error| damaged(&error))
    }

    /// Reads the bytes that [`Model::to_bytes`] has written.
    ///
    /// # Errors
    /// When the file is something else, its architecture is out of range, an array is missing or
    /// has another shape, a parameter has an impossible value, the scales do not fit, or a checksum
    /// does not agree. The error says which of these.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        let card = card(bytes)?;
        let arrays = Self::of_arrays(bytes, card.architecture, &card.encoding);
        let mut model = arrays.map_err(contradiction)?;
        let checksum = model.checksum();
        if format!("{checksum:016x}") != card.checksum {
            let error = "its checksum does not agree with its parameters";
            return Err(NetError::Damaged(error.to_owned()));
        }
        if let Some(ScalesCard { checksum: stated, scales }) = card.int8 {
            let damaged = |what| NetError::Damaged(format!("int8: {what}"));
            scales.check(model.architecture()).map_err(damaged)?;
            if format!("{:016x}", scales.checksum(checksum)) != stated {
                return Err(damaged("its checksum does not agree with its scales".to_owned()));
            }
            model.set_int8_scales(scales);
        }
        Ok(model)
    }

    /// Reads a file whose parameters were written by another program, so that its checksum does not
    /// agree or is missing. The encoding and the architecture are those of `like` if it is given,
    /// and otherwise those that the file names. Scales for eight bits are left out, because they
    /// belong to other parameters. Files that only this program has written are read by
    /// [`Model::from_bytes`].
    ///
    /// # Errors
    /// The errors of [`Model::from_bytes`], except those about the checksum and the scales; and that
    /// the network has another shape than `like`.
    pub fn unsealed(bytes: &[u8], like: Option<&Self>) -> Result<Self, NetError> {
        match like {
            Some(like) => Self::of_arrays(bytes, *like.architecture(), like.encoding()),
            None => {
                let card = card(bytes)?;
                Self::of_arrays(bytes, card.architecture, &card.encoding).map_err(contradiction)
            }
        }
    }

    fn of_arrays(
        bytes: &[u8],
        architecture: Architecture,
        encoding: &str,
    ) -> Result<Self, NetError> {
        architecture.check()?;
        let tensors = SafeTensors::deserialize(bytes)
            .map_err(|error| NetError::Unsupported(error.to_string()))?;
        let layout = architecture.layout();
        // Beside the statistics of each batch norm, `PyTorch` stores a count of batches.
        let names = tensors.names();
        let counted = names.iter().filter(|name| name.ends_with(".num_batches_tracked")).count();
        let arrays = names.len() - counted;
        if arrays != layout.tensors.len() {
            let wanted = layout.tensors.len();
            return Err(NetError::ShapeMismatch(format!("it has {arrays} arrays, not {wanted}")));
        }
        let parameters = parameters(&layout, &tensors)?;
        Self::from_parameters(architecture, encoding, parameters)
            .ok_or_else(|| NetError::Damaged("too few parameters".to_owned()))
    }

    /// A checksum that distinguishes this network from others. `docs/encodings.md` says how it is
    /// made.
    pub fn checksum(&self) -> u64 {
        let architecture = self.architecture();
        let mut shape = architecture.sizes().map(|(_, size, _)| size).to_vec();
        shape.extend(architecture.shape.spatial_policy.then_some(1));
        shape.extend(architecture.shape.afterstate_value.then_some(2));
        let mut bytes: Vec<u8> = format!("{} {shape:?}\n", self.encoding()).into_bytes();
        bytes.extend(self.parameters.iter().flat_map(|number| number.to_le_bytes()));
        checksum(&bytes)
    }
}

/// The error of a file whose arrays are not those that it claims to have: it is damaged.
fn contradiction(error: NetError) -> NetError {
    match error {
        NetError::ShapeMismatch(why) => NetError::Damaged(why),
        other => other,
    }
}

/// The description that a file contains of itself.
fn card(bytes: &[u8]) -> Result<Card, NetError> {
    let unsupported = |error: &dyn ToString| NetError::Unsupported(error.to_string());
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| unsupported(&error))?;
    let card = header.metadata().as_ref().and_then(|entries| entries.get(ENTRY));
    let card = card.ok_or(NetError::NoMetadata)?;
    let format = |error| unsupported(&format!("its entry `wurfel`: {error}"));
    let card: Card = serde_json::from_str(card).map_err(format)?;
    if card.format != FORMAT {
        let error = format!("its format is {}, this program reads {FORMAT}", card.format);
        return Err(NetError::Unsupported(error));
    }
    Ok(card)
}

/// The parameters of a network in the order of its layout. The sizes that the file claims are
/// compared with its arrays before any memory is allocated.
fn parameters(layout: &Layout, tensors: &SafeTensors<'_>) -> Result<Vec<f32>, NetError> {
    let about = |wanted: &Tensor, what: &str| format!("{}: {what}", wanted.name);
    let mut arrays = vec![];
    for wanted in &layout.tensors {
        let tensor = tensors.tensor(&wanted.name);
        let tensor = tensor.map_err(|_| NetError::ShapeMismatch(about(wanted, "no such array")))?;
        if tensor.dtype() != Dtype::F32 {
            let error = format!("{} is of {:?}: expected F32", wanted.name, tensor.dtype());
            return Err(NetError::Unsupported(error));
        }
        if tensor.shape() != wanted.shape {
            let error = format!("{:?}, not {:?}", tensor.shape(), wanted.shape);
            return Err(NetError::ShapeMismatch(about(wanted, &error)));
        }
        arrays.push((wanted, tensor));
    }
    let mut parameters = Vec::with_capacity(layout.len);
    for (wanted, tensor) in arrays {
        let (parts, _) = tensor.data().as_chunks::<4>();
        let first = parameters.len();
        parameters.extend(parts.iter().map(|part| f32::from_le_bytes(*part)));
        let checked = wanted.check(&parameters[first..]);
        checked.map_err(|error| NetError::Damaged(about(wanted, &error)))?;
    }
    Ok(parameters)
}
