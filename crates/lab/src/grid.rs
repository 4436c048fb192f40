//! The grid of an experiment: names with lists of settings, over whose product work is repeated.
//!
//! `{name}` in a text of the work stands for a setting. Work is repeated only over the names that
//! it uses, so that one grid serves work of different dimensions.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use crate::ordered::Entries;
use crate::scale::{Scale, Scaled};

/// A setting as it is written in a definition; its text replaces the name.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    /// A whole number.
    Whole(i64),
    /// Any other number.
    Number(f64),
    /// A word, such as the spec of an agent.
    Text(String),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => number.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// The names with their settings, as the definition has them.
pub type Grid = Entries<Scaled<Vec<Setting>>>;

/// One point of a grid: a setting for each name that is used.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GridPoint(pub Vec<(String, String)>);

impl GridPoint {
    /// A text with every name in braces replaced by its setting.
    pub fn fill(&self, text: &str) -> String {
        let replace =
            |text: String, (name, value): &(String, String)| text.replace(&braced(name), value);
        self.0.iter().fold(text.to_owned(), replace)
    }

    /// The settings by their names.
    pub fn settings(&self) -> BTreeMap<String, String> {
        self.0.iter().cloned().collect()
    }
}

fn braced(name: &str) -> String {
    format!("{{{name}}}")
}

/// The points of a grid at a scale, for work with these texts; the first name varies slowest.
pub fn points(grid: &Grid, scale: Scale, texts: &[&str]) -> Vec<GridPoint> {
    let used =
        grid.iter().filter(|(name, _)| texts.iter().any(|text| text.contains(&braced(name))));
    used.fold(vec![GridPoint::default()], |points, (name, settings)| {
        let longer = |point: &GridPoint| -> Vec<GridPoint> {
            let with = |setting: &Setting| {
                let mut longer = point.clone();
                longer.0.push((name.to_owned(), setting.to_string()));
                longer
            };
            settings.at(scale).iter().map(with).collect()
        };
        points.iter().flat_map(longer).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_repeated_over_the_names_that_it_uses() {
        let grid: Grid = toml::from_str(
            "n = [10, 20]\nms = { quick = [1], full = [1, 4] }\neta = [0.7, 'none']",
        )
        .unwrap();
        let rows = |scale, text: &str| -> Vec<String> {
            points(&grid, scale, &[text]).iter().map(|point| point.fill(text)).collect()
        };
        assert_eq!(
            rows(Scale::Full, "{n} games, {ms} ms"),
            ["10 games, 1 ms", "10 games, 4 ms", "20 games, 1 ms", "20 games, 4 ms"]
        );
        assert_eq!(rows(Scale::Quick, "{n} games, {ms} ms"), ["10 games, 1 ms", "20 games, 1 ms"]);
        assert_eq!(rows(Scale::Full, "η {eta}"), ["η 0.7", "η none"]);
        assert_eq!(rows(Scale::Full, "all"), ["all"]);
    }
}
