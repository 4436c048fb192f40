//! The architecture of a network as configuration, and the places of its parameters.

use std::ops::{Range, RangeInclusive};

use serde::{Deserialize, Serialize};

use crate::NetError;

/// The tower and the heads of a policy-value network: the part of its architecture that its
/// encoding does not determine. It is the `[network]` of a training configuration and a part of the
/// [`Architecture`] in a network file, with the same names in both.
///
/// The tower has 3 × 3 convolutions, each with batch norm and ReLU: first
/// [`convolutions`](Self::convolutions) plain ones, then [`blocks`](Self::blocks) residual blocks
/// of two. Above the tower are two heads, each of which begins with a 1 × 1 convolution with batch
/// norm and ReLU. The policy head ends in a fully connected layer with one logit for each move or,
/// with a [spatial policy](Self::spatial_policy), in a layer that is applied to each cell
/// separately. The value head ends in a hidden layer with ReLU and one output with tanh.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkShape {
    /// How many channels the tower has, 1 to 1,024.
    pub filters: usize,
    /// How many plain convolutions come before the residual blocks, 1 to 64.
    pub convolutions: usize,
    /// How many residual blocks the tower has, 0 to 64.
    #[serde(default)]
    pub blocks: usize,
    /// How many channels the policy head has, 1 to 256.
    #[serde(default = "policy_channels_of_the_paper")]
    pub policy_channels: usize,
    /// How many channels the value head has, 1 to 256.
    #[serde(default = "value_channels_of_the_paper")]
    pub value_channels: usize,
    /// How many hidden units the value head has, 1 to 1,024.
    #[serde(default = "value_hidden_of_the_paper")]
    pub value_hidden: usize,
    /// Whether the logits are planes as well: logit k · cells + c is computed from the channels of
    /// cell c alone, with weights that are the same for all cells. The number of moves must then be a
    /// multiple of the number of cells.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spatial_policy: bool,
    /// Whether the network also learns the values of positions at rest, the *afterstates*, so that
    /// searches can use them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub afterstate_value: bool,
}

impl NetworkShape {
    /// The network of paper `policy-value-network`, section 2.3.1: two convolutions of 256
    /// channels, a policy head of 4 channels, and a value head of 2 channels and 64 hidden units.
    pub const PAPER: Self = Self {
        filters: 256,
        convolutions: 2,
        blocks: 0,
        policy_channels: 4,
        value_channels: 2,
        value_hidden: 64,
        spatial_policy: false,
        afterstate_value: false,
    };
}

const fn policy_channels_of_the_paper() -> usize {
    NetworkShape::PAPER.policy_channels
}

const fn value_channels_of_the_paper() -> usize {
    NetworkShape::PAPER.value_channels
}

const fn value_hidden_of_the_paper() -> usize {
    NetworkShape::PAPER.value_hidden
}

/// The architecture of a policy-value network over a square board: the sizes of its encoding, and
/// its shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Architecture {
    /// How many cells a side of the board has: 5 or 8.
    pub board: usize,
    /// How many planes the encoding has, 1 to 1,024.
    pub planes: usize,
    /// How many logits the policy has, 1 to 32,768.
    pub moves: usize,
    /// Its tower and its heads.
    #[serde(flatten)]
    pub shape: NetworkShape,
}

impl Architecture {
    /// The network of the paper for an encoding.
    pub const fn paper(board: usize, planes: usize, moves: usize) -> Self {
        Self { board, planes, moves, shape: NetworkShape::PAPER }
    }

    /// The heads of this network on top of another tower.
    #[must_use]
    pub const fn with_tower(self, filters: usize, convolutions: usize, blocks: usize) -> Self {
        Self { shape: NetworkShape { filters, convolutions, blocks, ..self.shape }, ..self }
    }

    /// All sizes of the architecture, each with its name and its range, in the order in which
    /// they enter the checksum of a network.
    pub(crate) fn sizes(&self) -> [(&'static str, usize, RangeInclusive<usize>); 9] {
        let Self { board, planes, moves, shape } = *self;
        [
            ("board", board, 5..=8),
            ("planes", planes, 1..=1024),
            ("moves", moves, 1..=32_768),
            ("filters", shape.filters, 1..=1024),
            ("convolutions", shape.convolutions, 1..=64),
            ("blocks", shape.blocks, 0..=64),
            ("policy_channels", shape.policy_channels, 1..=256),
            ("value_channels", shape.value_channels, 1..=256),
            ("value_hidden", shape.value_hidden, 1..=1024),
        ]
    }

    /// Checks that every size is in its range.
    ///
    /// # Errors
    /// When one is not; the error names it and its range.
    pub fn check(&self) -> Result<(), NetError> {
        let error = |what| Err(NetError::Architecture(what));
        if ![5, 8].contains(&self.board) {
            return error(format!("board is {}, not 5 or 8", self.board));
        }
        let sizes = self.sizes();
        let wrong = sizes.iter().find(|(_, size, range)| !range.contains(size));
        if let Some((name, size, range)) = wrong {
            return error(format!("{name} is {size}, not {} to {}", range.start(), range.end()));
        }
        let (moves, cells) = (self.moves, self.cells());
        if self.shape.spatial_policy && !moves.is_multiple_of(cells) {
            return error(format!(
                "moves is {moves}, for a spatial policy not a multiple of {cells}"
            ));
        }
        Ok(())
    }

    /// How many cells the board has.
    pub const fn cells(&self) -> usize {
        self.board * self.board
    }

    /// Asserts that the lengths of the lists fit the same number of positions.
    ///
    /// # Panics
    /// When they do not.
    pub fn check_lengths(&self, planes: &[f32], logits: &[f32], values: &[f32]) {
        assert_eq!(
            planes.len(),
            values.len() * self.planes * self.cells(),
            "numbers in the planes"
        );
        assert_eq!(logits.len(), values.len() * self.moves, "logits");
    }

    /// The places of all parameters. The architecture must be in its [ranges](Self::check).
    pub fn layout(&self) -> Layout {
        let shape = &self.shape;
        let mut place = Places { next: 0, tensors: vec![] };
        let tower = (0..shape.convolutions + 2 * shape.blocks)
            .map(|n| {
                let inputs = if n == 0 { self.planes } else { shape.filters };
                place.convolution(&format!("tower.{n}"), inputs, shape.filters, 3)
            })
            .collect();
        let cells = self.cells();
        let policy = place.convolution("policy", shape.filters, shape.policy_channels, 1);
        let apart = if shape.spatial_policy { cells } else { 1 };
        let inputs = cells / apart * shape.policy_channels;
        let moves = place.linear("policy.moves", inputs, self.moves / apart);
        let value = place.convolution("value", shape.filters, shape.value_channels, 1);
        let hidden = place.linear("value.hidden", cells * shape.value_channels, shape.value_hidden);
        let out = place.linear("value.out", shape.value_hidden, 1);
        let Places { next: len, tensors } = place;
        Layout { tower, policy, moves, value, hidden, out, len, tensors }
    }
}

/// A named array among the parameters of a network, with the shape that `PyTorch` gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tensor {
    pub name: String,
    pub shape: Vec<usize>,
    pub range: Range<usize>,
    /// Whether the array holds statistics, which are measured instead of learned.
    pub statistic: bool,
}

impl Tensor {
    /// Checks these numbers as values of this array; the error says what is wrong with them.
    pub fn check(&self, numbers: &[f32]) -> Result<(), String> {
        let variance = self.name.ends_with("running_var");
        let sound = |number: &f32| number.is_finite() && !(variance && *number < 0.0);
        let wrong = numbers.iter().find(|number| !sound(number));
        wrong.map_or(Ok(()), |number| Err(format!("it contains {number}")))
    }
}

/// A convolution and its batch norm: their sizes, and the places of their parameters.
#[derive(Clone, Debug)]
pub struct Convolution {
    /// How many input channels it has.
    pub inputs: usize,
    /// How many output channels it has.
    pub outputs: usize,
    /// The weights: outputs × inputs × window.
    pub weight: Range<usize>,
    /// The factors of the batch norm, γ.
    pub scale: Range<usize>,
    /// The offsets of the batch norm, β.
    pub shift: Range<usize>,
    /// The running means.
    pub mean: Range<usize>,
    /// The running variances.
    pub variance: Range<usize>,
}

/// A fully connected layer: its sizes, and the places of its parameters.
#[derive(Clone, Debug)]
pub struct DenseLayer {
    /// How many inputs it has. Where they come from planes, they are ordered by channel and then by
    /// cell.
    pub inputs: usize,
    /// How many outputs it has.
    pub outputs: usize,
    /// The weights: outputs × inputs.
    pub weight: Range<usize>,
    /// The biases, one for each output.
    pub bias: Range<usize>,
}

/// The places of each layer's parameters in the list of all parameters.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The 3 × 3 convolutions, from the planes upwards.
    pub tower: Vec<Convolution>,
    /// The 1 × 1 convolution of the policy head.
    pub policy: Convolution,
    /// The layer from the policy head's channels to the logits.
    pub moves: DenseLayer,
    /// The 1 × 1 convolution of the value head.
    pub value: Convolution,
    /// The layer from the value head's channels to the hidden units.
    pub hidden: DenseLayer,
    /// The layer from the hidden units to the number whose tanh is the value.
    pub out: DenseLayer,
    /// How many parameters there are.
    pub len: usize,
    /// All arrays by name, in order.
    pub(crate) tensors: Vec<Tensor>,
}

impl Layout {
    /// All convolutions, each of which has a batch norm: those of the tower and of both heads.
    pub fn convolutions(&self) -> impl Iterator<Item = &Convolution> {
        self.tower.iter().chain([&self.policy, &self.value])
    }
}

struct Places {
    next: usize,
    tensors: Vec<Tensor>,
}

impl Places {
    fn tensor(&mut self, name: String, shape: &[usize]) -> Range<usize> {
        let range = self.next..self.next + shape.iter().product::<usize>();
        self.next = range.end;
        let statistic = name.contains(".norm.running_");
        self.tensors.push(Tensor { name, shape: shape.to_vec(), range: range.clone(), statistic });
        range
    }

    fn convolution(
        &mut self,
        name: &str,
        inputs: usize,
        outputs: usize,
        window: usize,
    ) -> Convolution {
        let weight = self.tensor(format!("{name}.conv.weight"), &[outputs, inputs, window, window]);
        let mut norm = |part: &str| self.tensor(format!("{name}.norm.{part}"), &[outputs]);
        let (scale, shift) = (norm("weight"), norm("bias"));
        let (mean, variance) = (norm("running_mean"), norm("running_var"));
        Convolution { inputs, outputs, weight, scale, shift, mean, variance }
    }

    fn linear(&mut self, name: &str, inputs: usize, outputs: usize) -> DenseLayer {
        let weight = self.tensor(format!("{name}.weight"), &[outputs, inputs]);
        let bias = self.tensor(format!("{name}.bias"), &[outputs]);
        DenseLayer { inputs, outputs, weight, bias }
    }
}
