//! The configuration of a training run.

use std::path::Path;

use anyhow::Context;
use wurfel_core::read_text;
use wurfel_train::network::TrainingConfig;

/// Reads the configuration in a file.
pub fn read_config(path: &Path) -> anyhow::Result<TrainingConfig> {
    let name = path.display();
    let text = read_text(path).with_context(|| format!("'{name}'"))?;
    TrainingConfig::read(&text).with_context(|| format!("'{name}'"))
}
