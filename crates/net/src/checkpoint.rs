//! A learner between two steps as a file: parameters, average and Adam's moments as safetensors,
//! and everything else as JSON in the metadata.

use std::collections::HashMap;

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use wurfel_core::checksum_text;

use crate::architecture::Architecture;
use crate::{Model, NetError};

const FORMAT: u32 = 2;
const ENTRY: &str = "wurfel-trainer";
const ARRAYS: [&str; 4] = ["parameters", "average", "means", "squares"];

/// A learner between two steps: everything on which its next steps depend, the same for every kind
/// of learner.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// The network with the parameters after the last step.
    pub model: Model,
    /// The same network with the moving average of the parameters over the steps.
    pub average: Model,
    /// Adam's mean of the gradients of each parameter, in the order of the
    /// [layout](Architecture::layout); 0 for statistics, which are measured and not learned.
    pub means: Vec<f32>,
    /// Adam's mean of the squared gradients, in the same order.
    pub squares: Vec<f32>,
    /// How many steps were taken.
    pub steps: u32,
}

#[derive(Serialize, Deserialize)]
struct Card {
    format: u32,
    architecture: Architecture,
    encoding: String,
    steps: u32,
    /// The caller's own number.
    #[serde(rename = "note")]
    user_data: u64,
    /// The checksum of the bytes of all arrays, as sixteen hexadecimal digits.
    checksum: String,
}

impl Checkpoint {
    /// A learner before its first step.
    pub fn new(model: Model) -> Self {
        let model = model.without_int8_scales();
        let zeros = vec![0.0; model.size()];
        Self { average: model.clone(), means: zeros.clone(), squares: zeros, steps: 0, model }
    }

    /// The checkpoint as a file, together with a number that the caller wants to get back later.
    ///
    /// # Errors
    /// Only errors of the libraries that write it.
    pub fn to_bytes(&self, user_data: u64) -> Result<Vec<u8>, NetError> {
        let damaged = |error: &dyn ToString| NetError::Damaged(error.to_string());
        let Self { model, average, means, squares, steps } = self;
        let lists = [model.parameters(), average.parameters(), means, squares];
        let bytes: Vec<Vec<u8>> = lists
            .iter()
            .map(|list| list.iter().flat_map(|number| number.to_le_bytes()).collect())
            .collect();
        let card = Card {
            format: FORMAT,
            architecture: *model.architecture(),
            encoding: model.encoding().to_owned(),
            steps: *steps,
            user_data,
            checksum: checksum_text(bytes.concat()),
        };
        let card = serde_json::to_string(&card).map_err(|error| damaged(&error))?;
        let views: Result<Vec<_>, _> = ARRAYS
            .into_iter()
            .zip(lists.iter().zip(&bytes))
            .map(|(name, (list, bytes))| {
                TensorView::new(Dtype::F32, vec![list.len()], bytes).map(|view| (name, view))
            })
            .collect();
        let views = views.map_err(|error| damaged(&error))?;
        safetensors::serialize(views, Some(HashMap::from([(ENTRY.to_owned(), card)])))
            .map_err(|error| damaged(&error))
    }

    /// Reads what [`Checkpoint::to_bytes`] has written. Returns the caller's number as well.
    ///
    /// # Errors
    /// When the bytes are not a checkpoint, or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, u64), NetError> {
        let unsupported = |error: &dyn ToString| NetError::Unsupported(error.to_string());
        let damaged = |what: &str| NetError::Damaged(what.to_owned());
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| unsupported(&error))?;
        let card = header.metadata().as_ref().and_then(|entries| entries.get(ENTRY));
        let card =
            card.ok_or_else(|| unsupported(&"its metadata have no entry `wurfel-trainer`"))?;
        let card: Card = serde_json::from_str(card).map_err(|error| unsupported(&error))?;
        if card.format != FORMAT {
            return Err(unsupported(&format!("its format is {}, not {FORMAT}", card.format)));
        }
        card.architecture.check()?;
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| unsupported(&error))?;
        let mut whole = vec![];
        let mut lists = vec![];
        for name in ARRAYS {
            let tensor = tensors.tensor(name);
            let tensor = match (tensor, name) {
                // Checkpoints of version 0.1 call them "numbers".
                (Err(_), "parameters") => tensors.tensor("numbers"),
                (tensor, _) => tensor,
            };
            let tensor = tensor.map_err(|_| damaged("an array is missing"))?;
            let (parts, rest) = tensor.data().as_chunks::<4>();
            if tensor.dtype() != Dtype::F32 || !rest.is_empty() {
                return Err(damaged("an array of a different type"));
            }
            whole.extend_from_slice(tensor.data());
            lists.push(parts.iter().map(|part| f32::from_le_bytes(*part)).collect::<Vec<f32>>());
        }
        if checksum_text(&whole) != card.checksum {
            return Err(damaged("its checksum does not agree with its parameters"));
        }
        let [parameters, average, means, squares] =
            <[Vec<f32>; 4]>::try_from(lists).map_err(|_| damaged("an array is missing"))?;
        let model =
            |parameters| Model::from_parameters(card.architecture, &card.encoding, parameters);
        let models = model(parameters).zip(model(average));
        let fits = |model: &Model| [&means, &squares].iter().all(|list| list.len() == model.size());
        let (model, average) = models
            .filter(|(model, _)| fits(model))
            .ok_or_else(|| damaged("arrays of another length"))?;
        Ok((Self { model, average, means, squares, steps: card.steps }, card.user_data))
    }
}
