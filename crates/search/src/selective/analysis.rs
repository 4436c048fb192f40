//! The analysis of a whole position: the ranking of the ends as turns, the values of the first
//! moves, and the principal variation.
//!
//! An analysis searches as a decision does, so that both prefer the same turns for the same work.
//! It only makes sure that every first move has an end among the candidates, because people ask
//! what the move that was played is worth. Turns are therefore searched to different depths, as in
//! programs for backgammon, and each says how deep it was searched.

use std::collections::HashMap;

use wurfel_core::{Analysis, AssessedTurn, Assessment, Game, Turn, Weighted};

use super::candidates::Candidate;
use super::tree::Tree;
use super::{SearchResult, path};
use crate::deepening::sort;

/// Which first moves of a turn lead to which of its ends.
pub(super) struct FirstMoves<G: Game> {
    moves: Vec<G::Move>,
    /// For each end the places in `moves`, in ascending order.
    leads: HashMap<G, Vec<usize>>,
}

impl<G: Game> FirstMoves<G> {
    pub fn of(turn: Turn<'_, G>) -> Self {
        let moves = turn.moves().as_ref().to_vec();
        let mut leads: HashMap<G, Vec<usize>> = HashMap::new();
        for (place, &mv) in moves.iter().enumerate() {
            let mut next = turn.position.clone();
            match next.play(turn.roll, mv) {
                Some(rest) => {
                    next.ends(rest, |end| leads.entry(end.clone()).or_default().push(place));
                }
                None => leads.entry(next).or_default().push(place),
            }
        }
        Self { moves, leads }
    }

    fn to(&self, candidate: &Candidate<G>) -> &[usize] {
        &self.leads[&candidate.end]
    }

    /// Makes the best of the dropped ends of each move that has none among the candidates one of
    /// them.
    pub fn represent(&self, candidates: &mut Vec<Candidate<G>>, dropped: &mut Vec<Candidate<G>>) {
        let mut has_one = vec![false; self.moves.len()];
        let mut mark = |candidate: &Candidate<G>| {
            let mut is_new = false;
            for &place in self.to(candidate) {
                is_new |= !std::mem::replace(&mut has_one[place], true);
            }
            is_new
        };
        for candidate in candidates.iter() {
            mark(candidate);
        }
        candidates.extend(dropped.extract_if(.., |candidate| mark(candidate)));
    }

    /// The moves, the best first. The value of a move is that of the first end in the ranking to
    /// which it leads, but at most that of the best end, which was searched at least as deep.
    fn assess(&self, ranking: &[Candidate<G>]) -> Vec<Assessment<G::Move>> {
        let best = ranking[0].value;
        let mut assessed = vec![None; self.moves.len()];
        let mut order = vec![];
        let mut is_certain = vec![true; self.moves.len()];
        for candidate in ranking {
            for &place in self.to(candidate) {
                is_certain[place] &= candidate.exact;
                if assessed[place].is_none() {
                    assessed[place] = Some(candidate);
                    order.push(place);
                }
            }
        }
        let assess = |place: usize| {
            let candidate = assessed[place].expect("every move leads to an end");
            let wins = candidate.exact && candidate.value >= 1.0;
            Assessment {
                mv: self.moves[place],
                value: Some(candidate.value.min(best)),
                exact: (wins || is_certain[place]) && candidate.value <= best,
            }
        };
        let mut moves: Vec<_> = order.into_iter().map(assess).collect();
        sort(&mut moves);
        moves
    }

    /// The moves that lead to an end.
    fn path(&self, turn: Turn<'_, G>, candidate: &Candidate<G>) -> Vec<(G::Roll, G::Move)> {
        let first = self.moves[self.to(candidate)[0]];
        let mut steps = vec![(turn.roll, first)];
        let mut position = turn.position.clone();
        if let Some(roll) = position.play(turn.roll, first) {
            steps.extend(steps_of(path(Turn { position: &position, roll }, &candidate.end)));
        }
        steps
    }
}

fn steps_of<G: Game>(path: Vec<(G, G::Roll, G::Move)>) -> impl Iterator<Item = (G::Roll, G::Move)> {
    path.into_iter().map(|(_, roll, mv)| (roll, mv))
}

/// The analysis of a turn after its search, with as many whole turns as there may be candidates.
/// The tree goes on to search the principal variation, as far as its clock allows.
pub(super) fn report<G: Game>(
    tree: &mut Tree<'_, G>,
    turn: Turn<'_, G>,
    firsts: &FirstMoves<G>,
    result: &SearchResult<G>,
) -> Analysis<G> {
    let SearchResult { ranking, depth } = result;
    let mut turns = vec![];
    for candidate in ranking.iter().take(tree.filter.candidates) {
        let moves = firsts.path(turn, candidate).into_iter().map(|(_, mv)| mv).collect();
        let Candidate { value, exact, depth, .. } = *candidate;
        turns.push(AssessedTurn { moves, value, exact, depth });
    }
    if turns.iter().all(|turn| turn.moves.len() == 1) {
        turns.clear();
    }
    let mut line = firsts.path(turn, &ranking[0]);
    line.extend(tree.line_after(&ranking[0].end, depth - 1));
    Analysis { moves: firsts.assess(ranking), turns, line, nodes: tree.nodes, depth: *depth }
}

impl<G: Game> Tree<'_, G> {
    /// The principal variation from a position before its roll: at most this many turns, each after
    /// the roll whose value is nearest to the mean over all rolls, and each the best one by its
    /// static evaluation.
    fn line_after(&mut self, position: &G, turns: u32) -> Vec<(G::Roll, G::Move)> {
        let (mut position, mut line) = (position.clone(), vec![]);
        for _ in 0..turns {
            if position.outcome().is_some() {
                break;
            }
            let Some(roll) = self.typical_roll(&position) else { break };
            let turn = Turn { position: &position, roll };
            let best = self.candidates(turn).swap_remove(0);
            line.extend(steps_of(path(turn, &best.end)));
            position = best.end;
        }
        line
    }

    /// The roll whose value, one turn ahead, is nearest to the mean over all rolls. `None` when the
    /// clock is over.
    fn typical_roll(&mut self, position: &G) -> Option<G::Roll> {
        let mut values = vec![];
        let (mut sum, mut chances) = (0.0, 0);
        for &Weighted { item: roll, weight } in position.rolls().as_ref() {
            if self.is_over() {
                return None;
            }
            if let Some(value) = self.rolled(position, roll, 1) {
                sum += weight as f32 * value;
                chances += weight;
                values.push((roll, value));
            }
        }
        let mean = sum / chances as f32;
        let luck = |value: f32| (value - mean).abs();
        let typical =
            values.iter().min_by(|(_, one), (_, other)| luck(*one).total_cmp(&luck(*other)));
        typical.map(|(roll, _)| *roll)
    }
}
