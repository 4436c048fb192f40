//! The definition of an experiment, as it is written in `experiment.toml`.
//!
//! Every table refuses keys that it does not know, because a mistyped criterion would otherwise
//! decide nothing. The meaning of texts, such as agents and positions, is checked when the work is
//! planned.

use serde::Deserialize;
use wurfel_core::{UnknownName, at_line};

use crate::checks::{CellPattern, CheckDefinition};
use crate::grid::{Grid, GridPoint, Setting};
use crate::ordered::Entries;
use crate::scale::{Scale, Scaled};
use crate::{LabError, plot::definition::PlotDefinition};

/// Whether our own program was run, or the authors'.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Our implementation was run.
    Replicated,
    /// The authors' own program was run.
    Reproduced,
}

impl Origin {
    /// The word for it in a definition.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Replicated => "replicated",
            Self::Reproduced => "reproduced",
        }
    }
}

/// An experiment: what is claimed, what is done, and how the claims are decided.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The title for people.
    pub title: String,
    /// The short name of the paper, which begins the experiment's name.
    pub paper: String,
    /// The section of the paper.
    pub section: String,
    /// Whose program is run.
    pub kind: Origin,
    /// The game of all work that does not name one.
    pub game: String,
    /// What the paper claims, in plain words.
    pub claim: String,
    /// The choices that the paper leaves open, and the reasons for them.
    pub reading: String,
    /// The estimated machine-hours of the full scale on two cores.
    pub full_hours: f64,
    /// The differences from the paper.
    #[serde(default)]
    pub departure: Vec<Departure>,
    /// Where the paper contradicts itself.
    #[serde(default)]
    pub contradiction: Vec<Contradiction>,
    /// The grid over which work is repeated.
    #[serde(default)]
    pub over: Grid,
    /// Matches between two agents.
    #[serde(default, rename = "match")]
    pub matches: Vec<MatchDefinition>,
    /// Matches of every agent with every other.
    #[serde(default, rename = "tournament")]
    pub tournaments: Vec<TournamentDefinition>,
    /// Values of single positions.
    #[serde(default, rename = "position")]
    pub positions: Vec<PositionDefinition>,
    /// Decisions against perfect play.
    #[serde(default, rename = "regret")]
    pub regrets: Vec<RegretDefinition>,
    /// The time that evaluations take.
    #[serde(default, rename = "speed")]
    pub speeds: Vec<SpeedDefinition>,
    /// Comparisons of evaluations with exact values.
    #[serde(default, rename = "calibration")]
    pub calibrations: Vec<CalibrationDefinition>,
    /// Networks that learn from played games.
    #[serde(default, rename = "fit")]
    pub fits: Vec<FitDefinition>,
    /// The training of networks by self-play.
    #[serde(default, rename = "training")]
    pub trainings: Vec<TrainingDefinition>,
    /// Cells that follow from other cells.
    #[serde(default, rename = "summary")]
    pub summaries: Vec<SummaryDefinition>,
    /// The claims of the paper, each with its criterion.
    #[serde(default, rename = "check")]
    pub checks: Vec<CheckDefinition>,
    /// The plot of the results.
    pub plot: Option<PlotDefinition>,
}

/// A difference from the paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Departure {
    /// The section of the paper.
    pub section: String,
    /// The file of the project in which it is done differently.
    pub ours: Option<String>,
    /// What is different.
    pub text: String,
}

/// A place where the paper contradicts itself.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contradiction {
    /// The contradictory figures, in plain words.
    pub text: String,
}

/// The columns of a table, each with the measure that it shows.
pub type Columns = Entries<String>;

impl Columns {
    /// The columns with their measures, after checking that the measures are among the `known`
    /// ones.
    pub(crate) fn names(&self, known: &[&str]) -> Result<Vec<(String, String)>, UnknownName> {
        for (_, measure) in self.iter() {
            if !known.contains(&measure.as_str()) {
                return Err(UnknownName::new("measure", measure, known));
            }
        }
        Ok(self.0.clone())
    }

    /// The columns at a point of the grid, with their measures.
    pub(crate) fn at(&self, point: &GridPoint) -> Vec<(String, String)> {
        self.iter().map(|(column, measure)| (point.fill(column), measure.clone())).collect()
    }
}

/// A number of games, examples or the like, for each scale; a text may name a setting of the grid.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct Count(Scaled<Setting>);

impl Count {
    /// The text that is written for a scale.
    pub(crate) fn text(&self, scale: Scale) -> String {
        self.0.counted(scale).to_string()
    }

    /// The number at a scale and a point of the grid, at least 1.
    pub(crate) fn at(&self, scale: Scale, point: &GridPoint) -> Result<u64, LabError> {
        let text = point.fill(&self.text(scale));
        let count = text.parse().map_err(|_| {
            LabError::Input(format!("count '{text}': expected a whole number from 1"))
        })?;
        Ok(scale.count(count))
    }
}

/// A match of mirrored pairs on the same dice; the measures are those of agent `a`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchDefinition {
    /// Settings that replace those of the grid, or add to it.
    #[serde(default)]
    pub over: Grid,
    /// The label of its row.
    pub row: String,
    /// The game, if it is not the experiment's.
    pub game: Option<String>,
    /// The spec of the agent whose results are shown.
    pub a: String,
    /// The spec of its opponent.
    pub b: String,
    /// The number of pairs of games.
    pub pairs: Count,
    /// What is measured.
    pub columns: Columns,
}

/// Matches between all pairs of agents, with a row for each agent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentDefinition {
    /// Settings that replace those of the grid, or add to it.
    #[serde(default)]
    pub over: Grid,
    /// The label of the rows; `{agent}` stands for the agent's label.
    pub row: String,
    /// The game, if it is not the experiment's.
    pub game: Option<String>,
    /// The specs of the agents by their labels.
    pub agents: Entries<String>,
    /// The number of pairs of games of each pairing.
    pub pairs: Count,
    /// What is measured; `{agent}` in a column stands for each opponent's label.
    pub columns: Columns,
}

/// The values of one position.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionDefinition {
    /// Settings that replace those of the grid, or add to it.
    #[serde(default)]
    pub over: Grid,
    /// The label of its row.
    pub row: String,
    /// The game, if it is not the experiment's.
    pub game: Option<String>,
    /// The position before its roll.
    pub position: String,
    /// What is measured.
    pub columns: Columns,
}

/// How much agents lose against perfect play in small endgames, with a row for each agent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegretDefinition {
    /// Settings that replace those of the grid, or add to it.
    #[serde(default)]
    pub over: Grid,
    /// The label of the rows; `{agent}` stands for the agent's label.
    #[serde(default = "agent")]
    pub row: String,
    /// The game, if it is not the experiment's.
    pub game: Option<String>,
    /// The pieces on the board.
    pub cubes: Scaled<u32>,
    /// The number of decisions.
    pub positions: Count,
    /// The specs of the agents by their labels.
    pub agents: Entries<String>,
    /// What is measured.
    pub columns: Columns,
}

/// The time that a call of each evaluation takes, with a row for each evaluation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedDefinition {
    /// The label of the rows; `{evaluation}` stands for the evaluation's name.
    #[serde(default = "evaluation")]
    pub row: String,
    /// The game, if it is not the experiment's.
    pub game: Option<String>,
    /// The names of the evaluations.
    pub evaluations: Vec<String>,
    /// Whether a whole random game from each position is timed as well, in a row `random game`.
    #[serde(default)]
    pub random_games: bool,
    /// What is measured.
    pub columns: Columns,
}

/// Evaluations against the exact values of all positions with few pieces, with a row for each.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibrationDefinition {
    /// The label of the rows; `{evaluation}` stands for the evaluation's name.
    #[serde(default = "evaluation")]
    pub row: String,
    /// The game, if it is not the experiment's.
    pub game: Option<String>,
    /// Maximum number of pieces on the board.
    pub cubes: Scaled<u32>,
    /// The names of the evaluations.
    pub evaluations: Vec<String>,
    /// What is measured.
    pub columns: Columns,
}

/// The network of full layers that learns from played games, with a row after every `rows_every`
/// epochs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FitDefinition {
    /// The label of the rows; `{epoch}` stands for the epoch.
    #[serde(default = "epoch")]
    pub row: String,
    /// The game, if it is not the experiment's.
    pub game: Option<String>,
    /// The positions to learn from.
    pub examples: Count,
    /// How often each position is seen.
    pub epochs: Scaled<u64>,
    /// The playouts of the player whose games are learned from.
    pub playouts: Scaled<u64>,
    /// Whether a turn is labelled with the win probability that this player finds in it, and not with
    /// the result of its game.
    #[serde(default)]
    pub labels_by_search: bool,
    /// Epochs between two rows.
    pub rows_every: Scaled<u64>,
    /// What is measured.
    pub columns: Columns,
}

/// A network that learns by self-play and is measured at regular intervals.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingDefinition {
    /// The experiment whose run is shown; by default this experiment has a run of its own.
    pub from: Option<String>,
    /// The label of the rows; `{games}` stands for the games so far.
    #[serde(default = "games")]
    pub row: String,
    /// The configuration of the experiment's own run, a file in its folder.
    pub config: Option<String>,
    /// Entries that replace those of the configuration, in whichever of its tables they stand.
    #[serde(default = "nothing")]
    pub set: Scaled<toml::Table>,
    /// Games between two rows.
    pub rows_every: Scaled<u64>,
    /// If given, there is a row for each of these numbers of batches instead, in whose label
    /// `{batch}` stands for the number.
    #[serde(default = "none")]
    pub batches: Scaled<Vec<u64>>,
    /// Mirrored pairs of each match against an opponent.
    #[serde(default = "one")]
    pub pairs: Count,
    /// Simulations of the network's search in these matches.
    #[serde(default = "hundred")]
    pub evaluation_simulations: Scaled<u64>,
    /// The specs of opponents by their labels.
    #[serde(default)]
    pub opponents: Entries<String>,
    /// What is measured; `{opponent}` in a column stands for each opponent's label.
    pub columns: Columns,
}

/// A cell that follows from other cells.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SummaryDefinition {
    /// The label of its row.
    pub row: String,
    /// The label of its column.
    pub column: String,
    /// The mean of the cells that fit.
    pub mean: Option<CellPattern>,
    /// The first cell minus the second one.
    pub difference: Option<[CellPattern; 2]>,
    /// The first cell divided by the second one.
    pub ratio: Option<[CellPattern; 2]>,
    /// Twice the cell.
    pub double: Option<CellPattern>,
}

fn evaluation() -> String {
    "{evaluation}".into()
}

fn epoch() -> String {
    "{epoch}".into()
}

fn agent() -> String {
    "{agent}".into()
}

fn one() -> Count {
    Count(Scaled::plain(&Setting::Whole(1)))
}

fn hundred() -> Scaled<u64> {
    Scaled::plain(&100)
}

fn games() -> String {
    "{games}".into()
}

fn none() -> Scaled<Vec<u64>> {
    Scaled::plain(&vec![])
}

fn nothing() -> Scaled<toml::Table> {
    Scaled::plain(&toml::Table::new())
}

impl Definition {
    /// Reads a definition; `file` is the name that errors give it.
    ///
    /// # Errors
    /// Names the file, the line, and what is missing, unknown or of the wrong kind.
    pub fn read(file: &str, text: &str) -> Result<Self, LabError> {
        let definition: Self = toml::from_str(text).map_err(|error| {
            let problem = at_line(text, error.span().map(|span| span.start), error.message());
            LabError::Input(format!("'{file}', {problem}"))
        })?;
        for check in &definition.checks {
            check.criterion().map_err(|error| {
                LabError::Input(format!("'{file}', check '{}': {error}", check.claim))
            })?;
        }
        Ok(definition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "title = 'T'\npaper = 'p'\nsection = '§1'\nkind = 'replicated'\n\
        game = 'einstein'\nclaim = 'c'\nreading = 'r'\nfull_hours = 0.1\n";

    fn refusal(rest: &str) -> String {
        Definition::read("p/t", &format!("{HEAD}{rest}")).unwrap_err().to_string()
    }

    #[test]
    fn a_definition_is_read_with_its_columns_in_order() {
        let text = format!(
            "{HEAD}[[match]]\nrow = 'r'\na = 'greedy'\nb = 'random'\npairs = {{ tiny = 1, full = 9 }}\n\
             columns = {{ 'won' = 'won', 'drawn' = 'drawn', 'again' = 'won' }}\n"
        );
        let definition = Definition::read("p/t", &text).unwrap();
        let columns: Vec<&str> =
            definition.matches[0].columns.iter().map(|(name, _)| name).collect();
        assert_eq!(columns, ["won", "drawn", "again"]);
        let pairs = &definition.matches[0].pairs;
        assert_eq!(pairs.at(Scale::Factor(0.34), &GridPoint::default()).unwrap(), 3);
    }

    #[test]
    fn what_is_unknown_or_missing_is_refused_with_its_line() {
        let error = refusal("[[match]]\nrwo = 'r'\n");
        assert!(error.starts_with("'p/t', line 10: unknown field `rwo`, expected"), "{error}");
        assert!(refusal("[[match]]\nrow = 'r'\n").contains("missing field `a`"));
        assert!(refusal("colour = 1\n").starts_with("'p/t', line 9: unknown field `colour`"));
    }

    #[test]
    fn a_refusal_is_one_line_whatever_it_quotes() {
        let claim = "[[check]]\nclaim = \"two\\nlines\"\n";
        assert!(refusal(claim).starts_with("'p/t', check 'two\\nlines': expected one of above"));
    }

    #[test]
    fn a_check_must_state_one_criterion() {
        let one = "[[check]]\nclaim = 'better'\ncell = { row = 'r', column = 'c' }\n";
        assert_eq!(
            refusal(one),
            "'p/t', check 'better': expected one of above, below, above_cell, below_cell, \
             not_above_cell, near_cell, near, near_paper, within_paper, rising, falling and cannot"
        );
        assert!(refusal(&format!("{one}above = 0.5\nbelow = 0.6\n")).contains("only one of"));
        assert!(refusal("[[check]]\nclaim = 'better'\nabove = 0.5\n").contains("expected cell"));
    }
}
