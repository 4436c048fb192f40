//! Evaluation by networks: a value and a prior for each move, for many turns in one batch.

use crate::{Game, Situation};

/// A network's output for a turn, or for a position at rest.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prediction<'a> {
    /// The expected result, 0 to 1, for the side that **decides**; at rest, for the side that rolls
    /// next.
    pub value: f32,
    /// The probability that each legal move is the best one, in the order of the turn's moves; they
    /// sum to 1. Empty at rest.
    pub prior: &'a [f32],
}

/// The predictions on a batch of situations, in one piece of memory that is reused.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    values: Vec<f32>,
    priors: Vec<f32>,
    /// Where the prior of each prediction ends in the list of all priors.
    ends: Vec<usize>,
}

impl Predictions {
    /// Removes all predictions and keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.priors.clear();
        self.ends.clear();
    }

    /// Adds a prediction; the arguments mean what the fields of [`Prediction`] mean.
    pub fn push(&mut self, value: f32, prior: impl IntoIterator<Item = f32>) {
        self.values.push(value);
        self.priors.extend(prior);
        self.ends.push(self.priors.len());
    }

    /// The predictions, in order.
    pub fn iter(&self) -> impl Iterator<Item = Prediction<'_>> {
        let starts = std::iter::once(&0).chain(&self.ends);
        self.values
            .iter()
            .zip(starts.zip(&self.ends))
            .map(|(&value, (&start, &end))| Prediction { value, prior: &self.priors[start..end] })
    }
}

/// Evaluates turns, many in one batch, and some networks also positions at rest.
pub trait Network<G: Game>: Send {
    /// Replaces `predictions` by one prediction for each situation, in order. Called only before the end
    /// of the game, and for positions at rest only if [`evaluates_at_rest`](Self::evaluates_at_rest).
    fn infer(&mut self, situations: &[Situation<G>], predictions: &mut Predictions);

    /// Whether the network also evaluates positions at rest. If so, one inference gives the value
    /// of an *afterstate* without a look at each roll.
    fn evaluates_at_rest(&self) -> bool {
        false
    }
}

impl<G: Game> Network<G> for Box<dyn Network<G>> {
    fn infer(&mut self, situations: &[Situation<G>], predictions: &mut Predictions) {
        (**self).infer(situations, predictions);
    }

    fn evaluates_at_rest(&self) -> bool {
        (**self).evaluates_at_rest()
    }
}

/// Evaluates every turn as even and gives all its moves the same prior.
///
/// ```
/// use wurfel_core::{Literal, Network, Predictions, Situation, UniformNetwork};
///
/// let situation: Situation<Literal> = "{[+-=]} 1 1".parse()?;
/// let mut predictions = Predictions::default();
/// UniformNetwork.infer(&[situation], &mut predictions);
/// let prediction = predictions.iter().next().expect("one situation");
/// assert_eq!((prediction.value, prediction.prior.len()), (0.5, 3));
/// # Ok::<(), wurfel_core::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UniformNetwork;

impl<G: Game> Network<G> for UniformNetwork {
    fn infer(&mut self, situations: &[Situation<G>], predictions: &mut Predictions) {
        predictions.clear();
        for Situation { position, roll } in situations {
            let count = roll.map_or(0, |roll| position.count(roll));
            predictions.push(0.5, std::iter::repeat_n(1.0 / count as f32, count));
        }
    }
}
