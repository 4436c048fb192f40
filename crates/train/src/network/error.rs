//! The errors of a training run.

use std::path::PathBuf;

use wurfel_agents::SpecError;
use wurfel_arena::MatchError;
use wurfel_core::files::FileError;
use wurfel_core::in_one_line;
use wurfel_net::NetError;

use super::config::ConfigError;

/// Why a run cannot begin or resume. Displays as one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The configuration cannot be used.
    #[error("configuration: {0}")]
    Config(#[from] ConfigError),
    /// An agent that the configuration names cannot be built.
    #[error("configuration: {0}")]
    Spec(#[from] SpecError),
    /// A match cannot be played.
    #[error("{0}")]
    Match(#[from] MatchError),
    /// The folder belongs to a run with another configuration.
    #[error(
        "'{0}' holds a run with another configuration, and only rounds may change: choose another folder"
    )]
    ConfigMismatch(PathBuf),
    /// A file of the run cannot be used.
    #[error("'{0}': {reason}", reason = in_one_line(.1))]
    Unusable(PathBuf, String),
    /// Another program has the run open, or the system refused.
    #[error(transparent)]
    File(#[from] FileError),
    /// A network cannot be built.
    #[error("{0}")]
    Net(#[from] NetError),
    /// A chart cannot be drawn.
    #[error("chart: {0}")]
    Chart(String),
    /// There is no such device.
    #[error("gpu: {0}")]
    Device(String),
}

#[cfg(any(feature = "cuda", feature = "gpu"))]
impl From<wurfel_gpu::NoDevice> for RunError {
    fn from(error: wurfel_gpu::NoDevice) -> Self {
        Self::Device(error.to_string())
    }
}
