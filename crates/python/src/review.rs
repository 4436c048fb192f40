//! Reviews of games that were played: what each move lost, and how lucky each roll was.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wurfel::ReviewSettings;
use wurfel_agents::{DEFAULT_AGENT, Spec};
use wurfel_arena::{LuckMark, Mark, ReviewReport, ReviewedMove, ReviewedPlayer};

use crate::budget::{bounds, stopped_by};
use crate::error::{failed, wrong};
use crate::interrupt::working;
use crate::numbers;
use crate::progress::Progress;
use crate::source;
use crate::threads::count;

/// The review of a game: what each move lost, and how lucky each roll was. A notebook shows its
/// graph.
///
/// All values are win probabilities. For side 0, luck less that of side 1, less what its moves lost
/// plus what those of side 1 lost, plus the analyser's residual is the change of the value over
/// the game.
#[pyclass(frozen, module = "wurfel")]
pub struct GameReview {
    /// The names of the players on side 0 and side 1.
    #[pyo3(get)]
    players: (String, String),
    /// How the game ended: `"1-0"`, `"0-1"`, `"1/2-1/2"`, or `None` when it is not known.
    #[pyo3(get)]
    outcome: Option<String>,
    /// The value for side 0 before the first roll, 0 to 1.
    #[pyo3(get)]
    initial: f64,
    /// The result, or the value of the last position, for side 0.
    #[pyo3(get)]
    last: f64,
    /// The luck of the rolls of each side, for that side.
    #[pyo3(get)]
    luck: (f64, f64),
    /// What the moves of each side lost.
    #[pyo3(get)]
    lost: (f64, f64),
    /// The change of the value for side 0 that was neither luck nor lost, because the analyser changed
    /// its opinion from one position to the next.
    #[pyo3(get)]
    residual: f64,
    /// The mean win probability that each side lost in a decision with a choice; `None` without
    /// such decisions.
    #[pyo3(get)]
    error_rate: (Option<f64>, Option<f64>),
    /// The name of side 0.
    first_side: &'static str,
    moves: Vec<ReviewedMove>,
    graph: String,
}

impl From<ReviewReport> for GameReview {
    fn from(report: ReviewReport) -> Self {
        let [one, other] = report.players;
        let name = |player: ReviewedPlayer| match player.player.as_str() {
            "" => player.side.to_owned(),
            _ => player.player,
        };
        Self {
            luck: (one.totals.luck, other.totals.luck),
            lost: (one.totals.lost, other.totals.lost),
            error_rate: (one.error_rate, other.error_rate),
            first_side: one.side,
            players: (name(one), name(other)),
            outcome: Some(report.result).filter(|result| result != "*"),
            initial: report.initial,
            last: report.last,
            residual: report.residual,
            moves: report.moves,
            graph: report.graph.svg(),
        }
    }
}

#[pymethods]
impl GameReview {
    /// The decisions as columns: a dictionary with a list for each of `ply`, `side`, `position`,
    /// `roll`, `move`, `value`, `best`, `lost`, `luck`, `residual`, `forced`, `exact`, `mark`
    /// and `luck_mark`.
    ///
    /// `pandas.DataFrame(review.columns())` and `pyarrow.table(review.columns())` accept the
    /// dictionary directly. Values are for the side that decides, 0 to 1.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        macro_rules! set {
            ($($name:literal: $of:expr),+ $(,)?) => {
                $(columns.set_item($name, self.moves.iter().map($of).collect::<Vec<_>>())?;)+
            };
        }
        set! {
            "ply": |made| made.ply,
            "side": |made| usize::from(made.side != self.first_side),
            "position": |made| &made.position,
            "roll": |made| Some(&made.roll).filter(|roll| !roll.is_empty()),
            "move": |made| &made.r#move,
            "value": |made| made.value,
            "best": |made| made.best,
            "lost": |made| made.lost,
            "luck": |made| made.luck,
            "residual": |made| made.residual,
            "forced": |made| made.forced,
            "exact": |made| made.exact,
            "mark": |made| made.mark.map_or("", Mark::symbol),
            "luck_mark": |made| made.luck_mark.map_or("", LuckMark::symbol),
        }
        Ok(columns)
    }

    /// The graph of the game in SVG: the value for side 0 over the turns.
    fn svg(&self) -> &str {
        &self.graph
    }

    /// The picture that notebooks show.
    fn _repr_svg_(&self) -> &str {
        &self.graph
    }

    fn __len__(&self) -> usize {
        self.moves.len()
    }

    fn __repr__(&self) -> String {
        let Self { players: (one, other), outcome, moves, .. } = self;
        let outcome = outcome.as_deref().unwrap_or("*");
        format!("GameReview('{one}' against '{other}': {outcome}, {} decisions)", moves.len())
    }
}

/// Reviews games that were played: what each move lost against the best one, and how lucky each
/// roll was.
///
/// `games` is the text of one game or of many, in any form that the program reads: the records of a
/// match, move lists such as `"ABC2/DE3/F3f/3ed/2cba r - 1 @4 a4b4"`, or WTN (`bytes` if it is in
/// GBK). It may also be the path of a file, such as a `pathlib.Path`. `game` is the game's name; if
/// left out, it is found in the text.
///
/// `agent` is the spec of the analyser. Endings with few pieces are solved first, so that their values
/// are exact; with `exact=False` all values are the analyser's. The analyser looks four turns ahead,
/// with three dice one, unless `depth` (turns), `nodes` (positions) or `time` (seconds) say otherwise.
/// `progress(done, games)` is called after each game.
#[pyfunction]
#[pyo3(signature = (games, agent=None, threads=None, *, game=None, depth=None, nodes=None, time=None,
    exact=true, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn review(
    py: Python<'_>,
    games: &Bound<'_, PyAny>,
    agent: Option<&str>,
    #[pyo3(from_py_with = numbers::threads)] threads: Option<usize>,
    game: Option<&str>,
    #[pyo3(from_py_with = numbers::depth)] depth: Option<u32>,
    #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
    time: Option<f64>,
    exact: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<GameReview>> {
    let text = source::text(games)?;
    let spec: Spec = agent.unwrap_or(DEFAULT_AGENT).parse().map_err(wrong)?;
    let game = wurfel::game(&source::game(game, &text)?).map_err(wrong)?;
    let fallback = bounds(Some(game.review_depth()), None, None)?;
    let budget = bounds(depth, nodes, time)?.or(fallback);
    let threads = count(threads)?;
    let mut progress = Progress::new(progress);
    let result = working(py, |stop| {
        let games = game.read_games(&text).map_err(wrong)?;
        let agents = game.agents_of(&spec).map_err(wrong)?;
        let budget = stopped_by(budget, stop);
        let settings = ReviewSettings { analyser: &agents, exact, budget, again: None };
        let mut reviews = vec![];
        let reviewed = games.review(settings, threads, &mut |_| {}, &mut |report| {
            progress.report(report.game as u64, games.len() as u64, stop);
            reviews.push(GameReview::from(report));
            true
        });
        reviewed.map_err(failed)?;
        Ok((reviews, games))
    })?;
    let (reviews, games) = progress.result(result)?;
    source::warn(py, &games)?;
    Ok(reviews)
}
