//! Judgements of turns by networks: a value and a prior for each move, many turns at once.

use crate::{Game, Turn};

/// What a network says of a turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Opinion<'a> {
    /// The expected result for the side that **decides**, 0 to 1.
    pub value: f32,
    /// How likely each legal move is to be the best, in the order of the turn's moves;
    /// together 1.
    pub prior: &'a [f32],
}

/// Opinions on several turns, in one piece of memory that is used again.
#[derive(Clone, Debug, Default)]
pub struct Opinions {
    values: Vec<f32>,
    priors: Vec<f32>,
    /// Where the prior of each turn ends.
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

/// Judges turns, many at once.
pub trait Network<G: Game>: Send {
    /// Replaces `opinions` by one for each turn, in order. Called only with turns before the
    /// end.
    fn judge(&mut self, turns: &[(G, G::Roll)], opinions: &mut Opinions);
}

impl<G: Game> Network<G> for Box<dyn Network<G>> {
    fn judge(&mut self, turns: &[(G, G::Roll)], opinions: &mut Opinions) {
        (**self).judge(turns, opinions);
    }
}

/// Finds every turn even and every move as likely as the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UniformNetwork;

impl<G: Game> Network<G> for UniformNetwork {
    fn judge(&mut self, turns: &[(G, G::Roll)], opinions: &mut Opinions) {
        opinions.clear();
        for &(ref position, roll) in turns {
            let count = Turn { position, roll }.moves().as_ref().len();
            opinions.push(0.5, std::iter::repeat_n(1.0 / count as f32, count));
        }
    }
}
