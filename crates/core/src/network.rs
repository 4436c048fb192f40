//! Evaluation by networks: a value and a prior for each move, for many turns in one batch.

use crate::{Game, Situation};

/// A network's output for a turn, or for a position at rest.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Opinion<'a> {
    /// The expected result, 0 to 1, for the side that **decides**; at rest, for the side that rolls
    /// next.
    pub value: f32,
    /// The probability that each legal move is the best one, in the order of the turn's moves; they
    /// sum to 1. Empty at rest.
    pub prior: &'a [f32],
}

/// The opinions on a batch of situations, in one piece of memory that is reused.
#[derive(Clone, Debug, Default)]
pub struct Opinions {
    values: Vec<f32>,
    priors: Vec<f32>,
    /// Where the prior of each opinion ends in the list of all priors.
    ends: Vec<usize>,
}

impl Opinions {
    /// Removes all opinions and keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.priors.clear();
        self.ends.clear();
    }

    /// Adds an opinion; the arguments mean what the fields of [`Opinion`] mean.
    pub fn push(&mut self, value: f32, prior: impl IntoIterator<Item = f32>) {
        self.values.push(value);
        self.priors.extend(prior);
        self.ends.push(self.priors.len());
    }

    /// The opinions, in order.
    pub fn iter(&self) -> impl Iterator<Item = Opinion<'_>> {
        let starts = std::iter::once(&0).chain(&self.ends);
        self.values
            .iter()
            .zip(starts.zip(&self.ends))
            .map(|(&value, (&start, &end))| Opinion { value, prior: &self.priors[start..end] })
    }
}

/// Evaluates turns, many in one batch, and some networks also positions at rest.
pub trait Network<G: Game>: Send {
    /// Replaces `opinions` by one opinion for each situation, in order. Called only before the end
    /// of the game, and for positions at rest only if [`knows_rest`](Self::knows_rest).
    fn infer(&mut self, situations: &[Situation<G>], opinions: &mut Opinions);

    /// Whether the network also evaluates positions at rest. If so, one inference gives the value
    /// of an *afterstate* without a look at each roll.
    fn knows_rest(&self) -> bool {
        false
    }
}

impl<G: Game> Network<G> for Box<dyn Network<G>> {
    fn infer(&mut self, situations: &[Situation<G>], opinions: &mut Opinions) {
        (**self).infer(situations, opinions);
    }

    fn knows_rest(&self) -> bool {
        (**self).knows_rest()
    }
}

/// Evaluates every turn as even and gives all its moves the same prior.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UniformNetwork;

impl<G: Game> Network<G> for UniformNetwork {
    fn infer(&mut self, situations: &[Situation<G>], opinions: &mut Opinions) {
        opinions.clear();
        for Situation { position, roll } in situations {
            let count = roll.map_or(0, |roll| position.count(roll));
            opinions.push(0.5, std::iter::repeat_n(1.0 / count as f32, count));
        }
    }
}
