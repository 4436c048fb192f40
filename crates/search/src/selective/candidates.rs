//! The candidates: ends of the turn at hand that may be the best, and what is known about them.
//!
//! All candidates meet the same dice, so that none is preferred because of a lucky roll. Where the
//! work is limited, they are compared by successive halving: after equal parts of the budget the
//! worse half of them is dropped (Z. Karnin, T. Koren and O. Somekh, "Almost optimal exploration in
//! multi-armed bandits", ICML 2013, where arms are drawn as rolls are here).

use wurfel_core::{Game, Random, Turn, Weighted, sort_by_score};

use super::tree::Tree;

/// How much weight a candidate's mean over some of the dice has against its earlier value: after
/// half of the dice, this many times as much; after all of them, the mean counts alone. Not
/// measured: a guess from how far single rolls and static evaluations scatter.
const TRUST: f32 = 3.0;

/// An end of the turn at hand.
pub(super) struct Candidate<G: Game> {
    pub end: G,
    /// Its value for the side that decides, by what is known so far.
    pub value: f32,
    /// Whether the value is certain.
    pub exact: bool,
    /// How many turns ahead its value looks. A candidate dropped during a comparison keeps the depth
    /// that it had before.
    pub depth: u32,
    /// The rolls with which the opponent wins at once, if the game knows them.
    lost: Vec<G::Roll>,
    /// Its value after each roll of the opponent, as far as these rolls were searched.
    faces: Vec<f32>,
    /// The value before the present depth. The next field is a weighted sum of how much the rolls
    /// at this depth change it.
    before: f32,
    change: f32,
    chances: u32,
}

impl<G: Game> Candidate<G> {
    /// A candidate with its static evaluation.
    pub fn new(end: G, (value, exact): (f32, bool)) -> Self {
        let (lost, faces) = (vec![], vec![]);
        Self { end, value, exact, depth: 1, lost, faces, before: value, change: 0.0, chances: 0 }
    }

    fn begin(&mut self, faces: usize) {
        if self.faces.is_empty() && !self.exact {
            self.lost = self.end.winning_rolls().unwrap_or_default();
        }
        self.faces.resize(faces, self.value);
        (self.before, self.change, self.chances) = (self.value, 0.0, 0);
    }

    /// Takes in the value after a roll, if that roll lets the opponent move.
    fn see(&mut self, face: usize, weight: u32, value: Option<f32>) {
        let Some(value) = value else { return };
        self.change += weight as f32 * (value - self.faces[face]);
        self.chances += weight;
        self.faces[face] = value;
    }

    /// Sets the value by the rolls that were searched, which are this `share` of all rolls.
    fn settle(&mut self, share: f32) {
        if self.chances > 0 {
            let trust = TRUST * share / (TRUST * share + 1.0 - share);
            self.value = self.before + trust * self.change / self.chances as f32;
        }
    }
}

/// Sorts candidates, the best first.
pub(super) fn sort<G: Game>(candidates: &mut [Candidate<G>]) {
    sort_by_score(candidates, |candidate| f64::from(candidate.value));
}

/// Drops the candidates from a place on. They come before those that were dropped earlier.
pub(super) fn drop_from<G: Game>(
    place: usize,
    candidates: &mut Vec<Candidate<G>>,
    dropped: &mut Vec<Candidate<G>>,
) {
    dropped.splice(0..0, candidates.drain(place.min(candidates.len())..));
}

/// Whether the value of the best of all ends of a turn is certain. The candidates must be sorted,
/// the best first.
pub(super) fn is_certain<G: Game>(candidates: &[Candidate<G>]) -> bool {
    let wins = candidates.first().is_some_and(|best| best.exact && best.value >= 1.0);
    wins || candidates.iter().all(|candidate| candidate.exact)
}

/// The dice in a random order, in which faces of large weight tend to come early (P. Efraimidis and
/// P. Spirakis, "Weighted random sampling with a reservoir", 2006).
pub(super) fn shuffled<R: Copy>(dice: &[Weighted<R>], random: &mut Random) -> Vec<Weighted<R>> {
    let mut late =
        |weight: u32| -libm::log(random.unit().max(f64::MIN_POSITIVE)) / f64::from(weight);
    let mut keyed: Vec<_> = dice.iter().map(|face| (late(face.weight), *face)).collect();
    sort_by_score(&mut keyed, |&(late, _)| -late);
    keyed.into_iter().map(|(_, face)| face).collect()
}

impl<G: Game> Tree<'_, G> {
    /// The ends of a turn, the one that looks best first.
    pub fn candidates(&mut self, turn: Turn<'_, G>) -> Vec<Candidate<G>> {
        let mut candidates = vec![];
        turn.position.ends(turn.roll, |end| candidates.push(self.candidate(end)));
        self.nodes += candidates.len() as u64;
        sort(&mut candidates);
        candidates
    }

    fn candidate(&self, end: &G) -> Candidate<G> {
        Candidate::new(end.clone(), self.looks(end))
    }

    /// The value of a candidate for the side that decides, after a roll of the opponent, looking
    /// `depth` turns ahead, at least 2. `None` when the opponent rolls again.
    fn after(&mut self, candidate: &Candidate<G>, roll: G::Roll, depth: u32) -> Option<f32> {
        if candidate.exact {
            return Some(candidate.value);
        }
        if candidate.lost.contains(&roll) {
            return Some(0.0);
        }
        self.rolled(&candidate.end, roll, depth - 1).map(|value| 1.0 - value)
    }

    /// Looks `depth` turns ahead, at least 2, from all candidates, roll by roll, and drops the
    /// worse half of them after each equal part of the remaining budget. In the end the best
    /// candidate comes first, and those that were dropped last are the first of `dropped`. Returns
    /// the share of the dice for which the best candidate was searched.
    pub fn compare(
        &mut self,
        candidates: &mut Vec<Candidate<G>>,
        dropped: &mut Vec<Candidate<G>>,
        depth: u32,
        dice: &[Weighted<G::Roll>],
    ) -> f32 {
        for candidate in candidates.iter_mut() {
            candidate.begin(dice.len());
        }
        let all: u32 = dice.iter().map(|face| face.weight).sum();
        let rounds = candidates.len().next_power_of_two().ilog2() as f32;
        let begun = self.clock.spent(self.nodes);
        let (mut round, mut share, mut met) = (1.0, 0.0, 0);
        let mut values = vec![];
        'dice: for (face, &Weighted { item: roll, weight }) in dice.iter().enumerate() {
            values.clear();
            for candidate in candidates.iter() {
                values.push(self.after(candidate, roll, depth));
                if self.is_over() {
                    break 'dice;
                }
            }
            met += weight;
            share = met as f32 / all as f32;
            for (candidate, value) in candidates.iter_mut().zip(&values) {
                candidate.see(face, weight, *value);
                candidate.settle(share);
            }
            sort(candidates);
            // A comparison may begin when the time has just run out, and then drops all but one.
            while candidates.len() > 1
                && self.clock.spent(self.nodes) >= begun + (1.0 - begun) * round / rounds
            {
                drop_from(candidates.len().div_ceil(2), candidates, dropped);
                round += 1.0;
            }
            // With one candidate left, more rolls would change nothing.
            if rounds > 0.0 && candidates.len() == 1 {
                break;
            }
        }
        if met > 0 {
            for candidate in candidates.iter_mut() {
                candidate.depth = depth;
            }
        }
        share
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;
    use crate::clock::Clock;
    use crate::selective::Filter;
    use wurfel_core::{Budget, Even, Literal};

    /// Certain values take no nodes, and the clock looks at the time after nodes only.
    #[test]
    fn a_comparison_ends_when_the_time_is_over_before_it_begins() {
        let position = Literal::default();
        for number in 0..6 {
            let mut tree = Tree::new(&Even, &Even, Filter::default());
            let time = Duration::from_nanos(1);
            tree.clock = Clock::start(Budget { time: Some(time), ..Budget::default() });
            sleep(Duration::from_millis(1));
            let candidate = |n| Candidate::new(position.clone(), (n as f32 / 10.0, true));
            let (mut candidates, mut dropped) = ((0..number).map(candidate).collect(), vec![]);
            tree.compare(&mut candidates, &mut dropped, 2, Literal::DICE);
            assert_eq!((candidates.len(), dropped.len()), (number.min(1), number.max(1) - 1));
            let best = (number as f32 - 1.0) / 10.0;
            assert!(candidates.iter().all(|equal| (equal.value - best).abs() < 1e-6));
        }
    }
}
