//! `cargo xtask figures`: starts the script that measures the speeds of `docs/methods/speed.md`.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

/// Runs the script with these options, and ends as it does.
pub fn run(root: &Path, options: &[&str]) -> Result<ExitCode> {
    let script = root.join("xtask/src/figures/figures.py");
    let status = Command::new("python3").arg(script).args(options).status().context("python3")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_tables_of_the_page_have_measures_of_the_list_only() {
        let measures = include_str!("figures/measures.toml");
        let page = include_str!("../../docs/methods/speed.md");
        let (_, tables) = page.split_once("<!-- Figures: ").unwrap_or_default();
        let (tables, _) = tables.split_once("<!-- Figures: to here -->").unwrap_or_default();
        let rows: Vec<&str> =
            tables.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
        assert!(!rows.is_empty());
        for name in rows {
            assert!(measures.contains(&format!("\nname = \"{name}\"\n")), "{name}");
        }
    }
}
