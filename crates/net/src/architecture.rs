//! What a network looks like, as configuration, and where its parameters lie.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::NetError;

/// The shape of a policy-value network over a square board.
///
/// A tower of 3 × 3 convolutions, each with batch norm and ReLU: first
/// [`convolutions`](Self::convolutions) plain ones, then [`blocks`](Self::blocks) residual
/// blocks of two. Over it two heads, each a 1 × 1 convolution with batch norm and
/// ReLU: the policy's ends in a fully connected layer, one logit a move, or, if it is
/// [spatial](Self::spatial_policy), in one that each cell has for its own; the value's in a
/// hidden layer with ReLU and one number with tanh.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Architecture {
    /// Cells along a side of the board: 5 or 8.
    pub board: usize,
    /// Planes of the encoding, 1 to 1,024.
    pub planes: usize,
    /// Logits of the policy, 1 to 32,768.
    pub moves: usize,
    /// Channels of the tower, 1 to 1,024.
    pub filters: usize,
    /// Plain convolutions at the foot of the tower, 1 to 64.
    pub convolutions: usize,
    /// Residual blocks over them, 0 to 64.
    pub blocks: usize,
    /// Channels of the policy head, 1 to 256.
    pub policy_channels: usize,
    /// Channels of the value head, 1 to 256.
    pub value_channels: usize,
    /// Hidden units of the value head, 1 to 1,024.
    pub value_hidden: usize,
    /// Whether the logits are planes, too: number k · cells + c comes from the channels of
    /// cell c alone, by weights that are the same for all cells. Wants `moves` to be a
    /// multiple of the cells.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spatial_policy: bool,
    /// Whether the value was learned of positions at rest, too: of *afterstates*.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub afterstate_value: bool,
}

impl Architecture {
    /// The network of paper `policy-value-network`, section 2.3.1: two convolutions of
    /// 256, policy head of 4 channels, value head of 2 and 64.
    pub const fn paper(board: usize, planes: usize, moves: usize) -> Self {
        Self {
            board,
            planes,
            moves,
            filters: 256,
            convolutions: 2,
            blocks: 0,
            policy_channels: 4,
            value_channels: 2,
            value_hidden: 64,
            spatial_policy: false,
            afterstate_value: false,
        }
    }

    /// The paper's heads over another tower.
    #[must_use]
    pub const fn with_tower(self, filters: usize, convolutions: usize, blocks: usize) -> Self {
        Self { filters, convolutions, blocks, ..self }
    }

    /// Whether every number is in its range.
    ///
    /// # Errors
    /// Names the first that is not, and its range.
    pub fn check(&self) -> Result<(), NetError> {
        let ranges = [
            ("planes", self.planes, 1..=1024),
            ("moves", self.moves, 1..=32_768),
            ("filters", self.filters, 1..=1024),
            ("convolutions", self.convolutions, 1..=64),
            ("blocks", self.blocks, 0..=64),
            ("policy_channels", self.policy_channels, 1..=256),
            ("value_channels", self.value_channels, 1..=256),
            ("value_hidden", self.value_hidden, 1..=1024),
        ];
        let error = |what| Err(NetError::Architecture(what));
        if ![5, 8].contains(&self.board) {
            return error(format!("board is {}, not 5 or 8", self.board));
        }
        let wrong = ranges.iter().find(|(_, number, range)| !range.contains(number));
        if let Some((name, number, range)) = wrong {
            return error(format!("{name} is {number}, not {} to {}", range.start(), range.end()));
        }
        let (moves, cells) = (self.moves, self.cells());
        if self.spatial_policy && !moves.is_multiple_of(cells) {
            return error(format!(
                "moves is {moves}, for a spatial policy not a multiple of {cells}"
            ));
        }
        Ok(())
    }

    /// Cells of the board.
    pub const fn cells(&self) -> usize {
        self.board * self.board
    }

    /// Asserts that there are as many numbers as so many positions have.
    ///
    /// # Panics
    /// When there are not.
    pub fn check_lengths(&self, planes: &[f32], logits: &[f32], values: &[f32]) {
        assert_eq!(
            planes.len(),
            values.len() * self.planes * self.cells(),
            "numbers in the planes"
        );
        assert_eq!(logits.len(), values.len() * self.moves, "logits");
    }

    /// Where the parameters lie; for an architecture in its [ranges](Self::check).
    pub fn layout(&self) -> Layout {
        let mut place = Places { next: 0, tensors: vec![] };
        let tower = (0..self.convolutions + 2 * self.blocks)
            .map(|n| {
                let inputs = if n == 0 { self.planes } else { self.filters };
                place.convolution(&format!("tower.{n}"), inputs, self.filters, 3)
            })
            .collect();
        let cells = self.cells();
        let policy = place.convolution("policy", self.filters, self.policy_channels, 1);
        let apart = if self.spatial_policy { cells } else { 1 };
        let inputs = cells / apart * self.policy_channels;
        let moves = place.linear("policy.moves", inputs, self.moves / apart);
        let value = place.convolution("value", self.filters, self.value_channels, 1);
        let hidden = place.linear("value.hidden", cells * self.value_channels, self.value_hidden);
        let out = place.linear("value.out", self.value_hidden, 1);
        let Places { next: len, tensors } = place;
        Layout { tower, policy, moves, value, hidden, out, len, tensors }
    }
}

/// A named array among the parameters of a network, as `PyTorch` shapes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tensor {
    pub name: String,
    pub shape: Vec<usize>,
    pub range: Range<usize>,
    /// Measured, not learned.
    pub statistic: bool,
}

/// A convolution and its batch norm.
#[derive(Clone, Debug)]
pub struct Convolution {
    /// Channels that go in.
    pub inputs: usize,
    /// Channels that come out.
    pub outputs: usize,
    /// outputs × inputs × window.
    pub weight: Range<usize>,
    /// What the normed number is multiplied with.
    pub scale: Range<usize>,
    /// What is added to it.
    pub shift: Range<usize>,
    /// The running mean.
    pub mean: Range<usize>,
    /// The running variance.
    pub variance: Range<usize>,
}

/// A fully connected layer.
#[derive(Clone, Debug)]
pub struct DenseLayer {
    /// Numbers that go in: channel by channel, cell by cell, where they come from planes.
    pub inputs: usize,
    /// Numbers that come out.
    pub outputs: usize,
    /// outputs × inputs.
    pub weight: Range<usize>,
    /// outputs.
    pub bias: Range<usize>,
}

/// Where each layer's parameters lie in the one list of all.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The convolutions of 3 × 3, from the planes upwards.
    pub tower: Vec<Convolution>,
    /// The 1 × 1 convolution of the policy head.
    pub policy: Convolution,
    /// From that to the logits.
    pub moves: DenseLayer,
    /// The 1 × 1 convolution of the value head.
    pub value: Convolution,
    /// From that to the hidden units.
    pub hidden: DenseLayer,
    /// From those to the number whose tanh is the value.
    pub out: DenseLayer,
    /// How many parameters there are.
    pub len: usize,
    /// All of them by name, in order.
    pub(crate) tensors: Vec<Tensor>,
}

impl Layout {
    /// The tower's and both heads': all that have a batch norm.
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
