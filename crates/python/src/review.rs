//! Reviews of games that were played: what each move lost, and how lucky each roll was.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wurfel_agents::{Catalogued, DEFAULT_AGENT, Spec, UseGame, build, solver, with_game};
use wurfel_arena::{
    FiledGame, Graph, LuckMark, Mark, Review, ReviewedDecision, Reviewer, read_games,
};
use wurfel_core::{Budget, BySide, Side};

use crate::budget::{bounds, stopped_by};
use crate::error::{failed, wrong};
use crate::interrupt::{Stop, working};
use crate::numbers;
use crate::progress::Progress;
use crate::source;
use crate::threads::count;

/// The depth of a review without bounds, the same as in the program.
const DEPTH: u32 = 4;

/// A decision of a reviewed game, in numbers and texts.
struct Row {
    ply: u32,
    side: usize,
    position: String,
    roll: Option<String>,
    r#move: String,
    value: f64,
    best: f64,
    lost: f64,
    luck: f64,
    residual: f64,
    forced: bool,
    exact: bool,
    mark: &'static str,
    luck_mark: &'static str,
}

impl Row {
    fn new<G: Catalogued>(decided: &ReviewedDecision<G>) -> Self {
        let (lost, luck) = (decided.lost(), decided.luck());
        Self {
            ply: decided.situation.position.ply(),
            side: decided.side().index(),
            position: decided.situation.to_string(),
            roll: decided.situation.roll.map(|roll| roll.to_string()),
            r#move: decided.mv.to_string(),
            value: decided.made(),
            best: decided.best(),
            lost,
            luck,
            residual: decided.residual(),
            forced: !decided.unforced(),
            exact: decided.exact(),
            mark: Mark::of(lost).map_or("", Mark::sign),
            luck_mark: LuckMark::of(luck).map_or("", LuckMark::sign),
        }
    }
}

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
    rows: Vec<Row>,
    graph: String,
}

impl GameReview {
    fn new<G: Catalogued>(filed: &FiledGame<G>, review: &Review<G>) -> Self {
        let name = |side: Side| match filed.game.players[side].as_str() {
            "" => G::SIDES[side].to_owned(),
            player => player.to_owned(),
        };
        let totals = |side: Side| review.totals[side];
        let [one, other] = Side::BOTH;
        Self {
            players: (name(one), name(other)),
            outcome: filed.game.result.map(|result| result.to_string()),
            initial: review.initial,
            last: review.last,
            luck: (totals(one).luck, totals(other).luck),
            lost: (totals(one).lost, totals(other).lost),
            residual: review.residual(),
            error_rate: (totals(one).error_rate(), totals(other).error_rate()),
            rows: review.decisions.iter().map(Row::new).collect(),
            graph: Graph::new(review, BySide::from_fn(name)).svg(),
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
            ($($name:literal: $field:ident),+ $(,)?) => {
                $(columns.set_item($name, self.rows.iter().map(|row| row.$field.clone()).collect::<Vec<_>>())?;)+
            };
        }
        set! {
            "ply": ply, "side": side, "position": position, "roll": roll, "move": r#move,
            "value": value, "best": best, "lost": lost, "luck": luck, "residual": residual,
            "forced": forced, "exact": exact, "mark": mark, "luck_mark": luck_mark,
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
        self.rows.len()
    }

    fn __repr__(&self) -> String {
        let Self { players: (one, other), outcome, rows, .. } = self;
        let outcome = outcome.as_deref().unwrap_or("*");
        format!("GameReview('{one}' against '{other}': {outcome}, {} decisions)", rows.len())
    }
}

/// Games that are to be reviewed, run with the type of their game.
struct Play<'a> {
    text: &'a str,
    spec: Spec,
    exact: bool,
    budget: Budget<'static>,
    stop: &'a Stop,
    threads: usize,
    progress: &'a mut Progress,
}

impl UseGame for Play<'_> {
    type Output = PyResult<(Vec<GameReview>, Vec<String>)>;

    fn with<G: Catalogued>(self) -> Self::Output {
        let Self { text, spec, exact, budget, stop, threads, progress } = self;
        let games = read_games::<G>(text).map_err(wrong)?;
        let analyser = build::<G>(&spec).map_err(wrong)?;
        let solver = if exact { solver::<G>() } else { None };
        let reviewer = Reviewer { analyser, solver, budget: stopped_by(budget, stop), again: None };
        let mut reviews = vec![];
        let reviewed = reviewer.run(&games, threads, |number, review| {
            reviews.push(GameReview::new(&games[number], &review));
            progress.tell(number as u64 + 1, games.len() as u64, stop);
            true
        });
        reviewed.map_err(failed)?;
        let assumed = games.into_iter().flat_map(|filed| filed.assumed).collect();
        Ok((reviews, assumed))
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
/// are exact; with `exact=False` all values are the analyser's. The analyser looks four turns ahead
/// unless `depth` (turns), `nodes` (positions) or `time` (seconds) say otherwise.
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
    let budget = bounds(depth, nodes, time)?.or(bounds(Some(DEPTH), None, None)?);
    let game = source::game(game, &text)?;
    let threads = count(threads)?;
    let mut progress = Progress::new(progress);
    let result = working(py, |stop| {
        let progress = &mut progress;
        let play = Play { text: &text, spec, exact, budget, stop, threads, progress };
        with_game(&game, play).map_err(wrong)?
    })?;
    let (reviews, assumed) = progress.result(result)?;
    source::warn(py, &assumed)?;
    Ok(reviews)
}
