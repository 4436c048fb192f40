//! Labelled positions, and evaluations fitted to them, without a type parameter.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use wurfel_agents::{Catalogued, Factory, Spec, SpecError, build, read_values, read_weights};
use wurfel_core::{EndPreference, Evaluator, UnknownName, checksum};
use wurfel_games::learned::Learned;
use wurfel_games::shared_evaluation;
use wurfel_search::Filter;
use wurfel_train::{
    Epoch, Fit, Labels, Picked, PositionsError, PositionsHeader, RepliesFit, VALIDATION, fit,
    fit_replies, label, measure_replies, read_positions, searcher, write_game,
};

/// The evaluation with which positions are labelled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LabelSource {
    /// The evaluation of this name; the game's first one if it is empty.
    Evaluation(String),
    /// The learned evaluation with the parameters of this file.
    Weights(String),
    /// The values of Q-learning in this file.
    Values(String),
}

/// Why nothing can be fitted.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// A file of parameters cannot be read.
    #[error("'{file}': {error}")]
    File {
        /// The file.
        file: String,
        /// What is wrong with it.
        error: String,
    },
    /// A file of positions cannot be read.
    #[error("{0}")]
    Positions(#[from] PositionsError),
    /// There are too few positions.
    #[error("expected more than {VALIDATION} positions, found {0}")]
    TooFew(usize),
    /// The caller did not want to begin.
    #[error("nothing was fitted")]
    NotBegun,
    /// The game has no turns with several moves.
    #[error(
        "{0}: expected a game whose turns have several moves, such as dicechess3 (see `wurfel games`)"
    )]
    NoReplies(&'static str),
    /// An agent cannot be built.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// There is no such evaluation.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
}

/// Labels positions of random games; see [`label`].
pub trait Labeller: Send + Sync {
    /// The first line of a file with the positions of this many games.
    fn header(&self, games: u64, labels: Labels) -> PositionsHeader;

    /// Labels the positions of games, which are numbers under the seed, on `jobs` threads, and passes
    /// the number of each game, its lines in a file and their number to `see`; if that returns false,
    /// the work ends.
    fn label(
        &self,
        games: Range<u64>,
        labels: Labels,
        jobs: usize,
        see: &mut dyn FnMut(u64, &[u8], usize) -> bool,
    );
}

struct Typed<G> {
    rules: G,
    searcher: Factory<G>,
    /// The evaluation, as the header of a file names it.
    name: String,
}

pub(crate) fn labeller<G: Catalogued>(
    rules: &G,
    source: &LabelSource,
) -> Result<Box<dyn Labeller>, FitError> {
    // A file of parameters is identified by its checksum, because its contents may change while its
    // name stays.
    let (evaluation, name) = match source {
        LabelSource::Weights(path) => {
            let weights = read_weights::<G>(path).map_err(in_file(path))?;
            (("weights", path.as_str()), format!("learned {:016x}", weights.checksum()))
        }
        LabelSource::Values(path) => {
            let values = read_values::<G>(path).map_err(in_file(path))?;
            (("values", path.as_str()), format!("values {:016x}", checksum(&values.to_bytes())))
        }
        LabelSource::Evaluation(name) => {
            let name = if name.is_empty() { G::EVALUATIONS[0].name } else { name };
            (("eval", name), name.to_owned())
        }
    };
    Ok(Box::new(Typed { rules: rules.clone(), searcher: searcher(rules, evaluation)?, name }))
}

impl<G: Catalogued> Labeller for Typed<G> {
    fn header(&self, games: u64, labels: Labels) -> PositionsHeader {
        PositionsHeader::new(self.rules.name(), self.name.clone(), games, labels)
    }

    fn label(
        &self,
        games: Range<u64>,
        labels: Labels,
        jobs: usize,
        see: &mut dyn FnMut(u64, &[u8], usize) -> bool,
    ) {
        let mut lines = vec![];
        label(&self.rules, games, labels, &self.searcher, jobs, |game, positions| {
            lines.clear();
            write_game(&mut lines, game, &positions);
            see(game, &lines, positions.len())
        });
    }
}

fn in_file<E: std::fmt::Display>(path: &str) -> impl Fn(E) -> FitError + '_ {
    move |error| FitError::File { file: path.to_owned(), error: error.to_string() }
}

/// Fits the learned evaluation to the positions of files and returns the bytes of its file.
pub(crate) fn fitted<G: Catalogued>(
    rules: &G,
    positions: &[PathBuf],
    settings: Fit,
    from: Option<&str>,
    begin: &mut dyn FnMut(usize) -> bool,
    see: &mut dyn FnMut(Epoch) -> bool,
) -> Result<Vec<u8>, FitError> {
    let read = |path: &str| read_weights::<G>(path).map_err(in_file(path));
    let from = from.map(read).transpose()?;
    let mut all = vec![];
    for path in positions {
        all.extend(read_positions(rules, path)?);
    }
    if all.len() <= VALIDATION {
        return Err(FitError::TooFew(all.len()));
    }
    if !begin(all.len()) {
        return Err(FitError::NotBegun);
    }
    Ok(fit(&G::Base::default(), &all, settings, from.as_ref(), see).to_bytes())
}

/// A fitted preference for replies.
#[derive(Clone, PartialEq, Debug)]
pub struct FittedReplies {
    /// The bytes of its file.
    pub file: Vec<u8>,
    /// The number of ends that it picked from each turn when it was measured.
    pub replies: usize,
    /// How well this preference and the game's first evaluation pick, each with its name.
    pub picked: [(String, Picked); 2],
}

/// Fits the preference by which `selective` picks replies, and measures it.
pub(crate) fn replies<G: Catalogued>(
    rules: &G,
    settings: RepliesFit,
    weights: Option<&str>,
    jobs: usize,
    see: &mut dyn FnMut(u64) -> bool,
) -> Result<FittedReplies, FitError> {
    if G::END_FEATURES == 0 {
        return Err(FitError::NoReplies(rules.name()));
    }
    let (mut options, mut evaluator) = (vec![], shared_evaluation::<G>(G::BEST_EVALUATION)?);
    if let Some(path) = weights {
        let read = read_weights::<G>(path).map_err(in_file(path))?;
        evaluator = Arc::new(Learned::new(G::Base::default(), &read)) as Arc<dyn Evaluator<G>>;
        options.push(("weights".to_owned(), path.to_owned()));
    }
    let searcher = build(rules, &Spec { name: "selective".to_owned(), options })?;
    let fitted = fit_replies(rules, settings, &searcher, &evaluator, jobs, see);
    let preference = G::replies(&fitted).ok_or(FitError::NoReplies(rules.name()))?;
    let name = G::EVALUATIONS[0].name;
    let first = shared_evaluation::<G>(name)?;
    let both: [&dyn EndPreference<G>; 2] = [&*preference, &first];
    let (count, seed) = (Filter::default().replies, settings.seed.wrapping_add(1));
    let [own, other] = measure_replies(rules, both, count, seed, &searcher, &evaluator, jobs);
    let picked = [("fitted".to_owned(), own), (name.to_owned(), other)];
    Ok(FittedReplies { file: fitted.to_bytes(), replies: count, picked })
}
