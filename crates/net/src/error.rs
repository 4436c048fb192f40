//! Why a network cannot be used.

/// Why a network cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetError {
    /// A number of the architecture is outside its range.
    #[error("no such network: {0}")]
    Architecture(String),
    /// The file is not one that this program has written.
    #[error("not a network of this program: {0}")]
    Foreign(String),
    /// The file is damaged.
    #[error("the network file is damaged: {0}")]
    Damaged(String),
}
