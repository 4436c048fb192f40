//! The definition of a plot.

use serde::Deserialize;

/// The plot as the definition describes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlotDefinition {
    /// The form of the plot.
    pub kind: PlotKind,
    /// The name in the grid along which lines go, or `row`.
    #[serde(default = "row")]
    pub x: String,
    /// The columns that are shown; a `*` stands for any text.
    pub columns: Vec<String>,
    /// The rows that are shown, by default all; a `*` stands for any text.
    pub rows: Option<String>,
    /// The title of the axis of values; by default the column's name.
    pub y: Option<String>,
    /// The title, if it differs from the experiment's.
    pub title: Option<String>,
}

fn row() -> String {
    "row".into()
}

/// The form of a plot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlotKind {
    /// Points with intervals, joined along the settings.
    Lines,
    /// A bar with its interval for each row and column.
    Bars,
}
