//! The configuration of a training run.

use std::fs;
use std::path::Path;

use anyhow::Context;
use wurfel_train::network::TrainingConfig;

/// Reads the configuration in a file.
pub fn read_config(path: &Path) -> anyhow::Result<TrainingConfig> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("'{name}'"))?;
    TrainingConfig::read(&text).with_context(|| format!("'{name}'"))
}
