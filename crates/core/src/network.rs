//! Evaluations by networks: a value and a prior for each move, many turns at once.

use crate::{Game, Situation};

/// What a network says of a turn, or of a position at rest.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Opinion<'a> {
    /// The expected result for the side that **decides**, or at rest for the one that rolls
    /// next, 0 to 1.
    pub value: f32,
    /// How likely each legal move is to be the best, in the order of the turn's moves;
    /// together 1. None at rest.
    pub prior: &'a [f32],
}

/// Opinions on several of them, in one piece of memory that is used again.
#[derive(Clone, Debug, Default)]
pub struct Opinions {
    values: Vec<f32>,
    priors: Vec<f32>,
    /// Where each one's prior ends.
    ends: Vec<usize>,
}

impl Opinions {
    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.values.clear();
        self.priors.clear();
        self.ends.clear();
    }

    /// Adds one; its meaning is that of [`Opinion`].
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

/// Evaluates turns, many at once, and perhaps positions at rest.
pub trait Network<G: Game>: Send {
    /// Replaces `opinions` by one for each situation, in order. Called only before the end, and
    /// at rest only where it [knows](Self::knows_rest) what that is worth.
    fn infer(&mut self, situations: &[Situation<G>], opinions: &mut Opinions);

    /// Whether it evaluates positions at rest, too: what a move leads to, the *afterstate*, without
    /// a look at each roll.
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

/// Finds every turn even and every move as likely as the others.
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
