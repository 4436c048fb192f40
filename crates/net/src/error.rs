//! Why a network cannot be used.

use wurfel_core::in_one_line;

/// Why a network cannot be used. Displayed as one line, even where it quotes names from a damaged
/// file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetError {
    /// A number of the architecture is outside its range.
    #[error("no such network: {}", in_one_line(.0))]
    Architecture(String),
    /// The file holds no network of a kind that this program can read.
    #[error("not a network of this program: {}", in_one_line(.0))]
    Unsupported(String),
    /// The file's metadata have no description of the network.
    #[error("not a network of this program: its metadata have no entry `wurfel`")]
    NoMetadata,
    /// The file is damaged.
    #[error("the network file is damaged: {}", in_one_line(.0))]
    Damaged(String),
    /// The network's shape differs from that of the expected network or of its encoding.
    #[error("not of the expected shape: {}", in_one_line(.0))]
    ShapeMismatch(String),
    /// The network has no [scales](crate::Model::int8_scales), without which it cannot run in eight
    /// bits.
    #[error("the network has no scales for eight bits")]
    NoScales,
}
