//! A search for games whose turns consist of several moves and can end in hundreds of positions, as
//! in Dice Chess with three dice.
//!
//! In such a game a second turn costs thousands of positions for each end of the first, so there is
//! no time to look at all of them. This search decides among whole turns: it keeps the ends that
//! look best, its candidates, and replaces the value of each by the mean over the opponent's rolls
//! of the best reply. A cheap evaluation picks a few replies to be evaluated properly. Backgammon
//! programs work the same way (GNU Backgammon's move filters and pruning networks). The price is
//! that a good end that looks bad is never found.
//!
//! A turn is decided once and then played move by move. Without limits on nodes or time, the values
//! are those of plain expectiminimax over the ends that are kept; with full width they are those of
//! the plain search, which the tests check.

mod analysis;
mod candidates;
mod tree;
mod values;

use std::sync::Arc;

use wurfel_core::{
    Agent, Analysis, Budget, Decision, EndPreference, Evaluator, Game, Random, Turn, Weighted,
};

use crate::clock::Clock;
use crate::deepening::{all_but_the_line, for_the_line};
use analysis::FirstMoves;
use candidates::{Candidate, drop_from, is_certain, shuffled};
use tree::Tree;

/// How many ends of turns a search follows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Filter {
    /// The largest number of candidates, at least 1: ends of the turn at hand that are searched two
    /// turns deep or deeper.
    pub candidates: usize,
    /// How much worse than the best candidate another one may look, in win probability.
    pub margin: f32,
    /// How many replies to each roll are evaluated, at least 1; the cheap evaluation picks them.
    pub replies: usize,
}

impl Default for Filter {
    /// Found by trials of 250 to 400 mirrored pairs in Dice Chess with three dice: 40 or 60
    /// candidates are no better than 20, 5 are worse; a margin of 0.08 loses nothing; 8 replies
    /// lose 0.0016 of win probability per turn and save four fifths of the work.
    fn default() -> Self {
        Self { candidates: 20, margin: 0.08, replies: 8 }
    }
}

impl Filter {
    /// The filter of candidates for a look this many turns ahead. A third turn costs hundreds of
    /// times as much as a second one, but the values before it are better, so that a quarter of the
    /// candidates within a quarter of the margin is enough.
    fn at(self, depth: u32) -> Self {
        let further = depth.saturating_sub(2).min(8);
        Self {
            candidates: (self.candidates >> (2 * further)).max(1),
            margin: self.margin / (1 << (2 * further)) as f32,
            ..self
        }
    }

    /// Keeps the candidates to be searched `depth` turns deep; they are sorted, the best first.
    fn narrow<G: Game>(
        self,
        candidates: &mut Vec<Candidate<G>>,
        dropped: &mut Vec<Candidate<G>>,
        depth: u32,
    ) {
        let Self { candidates: most, margin, .. } = self.at(depth);
        let best = candidates.first().map_or(0.0, |candidate| candidate.value);
        let near = candidates.partition_point(|candidate| candidate.value >= best - margin);
        drop_from(near.min(most), candidates, dropped);
    }
}

/// How many turns the search looks ahead when only nodes or time are limited.
const MAX_DEPTH: u32 = 3;

/// A player that looks ahead from the ends of turns that look best, with successive halving where
/// nodes or time are limited.
pub struct Selective<G: Game> {
    evaluator: Arc<dyn Evaluator<G>>,
    replies: Arc<dyn EndPreference<G>>,
    filter: Filter,
    budget: Budget<'static>,
    /// The budget that is used when neither the player nor a decision has limits. If it has none
    /// either, the search goes two turns deep.
    default_budget: Budget<'static>,
    /// Draws the order of rolls.
    random: Random,
    /// The rest of the turn that was decided on.
    plan: Option<Plan<G>>,
}

/// The moves that are left of a turn that was decided on.
struct Plan<G: Game> {
    /// Each move with the position and the rest of the roll that it belongs to, the next one last.
    steps: Vec<(G, G::Roll, G::Move)>,
    /// The value of the turn for the side that decides, as it was found when the turn was decided.
    value: f32,
    exact: bool,
    depth: u32,
}

/// What a search knows about the ends of a turn.
struct SearchResult<G: Game> {
    /// The ends, those that were searched furthest first, and the best of them at the top.
    ranking: Vec<Candidate<G>>,
    depth: u32,
}

const fn is_bounded(budget: Budget<'_>) -> bool {
    budget.nodes.is_some() || budget.time.is_some()
}

/// The number of turns to look ahead.
fn deepest(budget: Budget<'_>) -> u32 {
    budget.depth.unwrap_or(if is_bounded(budget) { MAX_DEPTH } else { 2 })
}

impl<G: Game> Selective<G> {
    /// A player with an evaluation of positions and a quick preference, which picks `replies`. It
    /// spends `budget`, or the budget of each decision when `budget` has no limits. Without limits in
    /// either it searches two turns deep.
    pub fn new(
        evaluator: Arc<dyn Evaluator<G>>,
        replies: Arc<dyn EndPreference<G>>,
        filter: Filter,
        budget: Budget<'static>,
    ) -> Self {
        let default_budget = Budget::default();
        Self {
            evaluator,
            replies,
            filter,
            budget,
            default_budget,
            random: Random::new(0),
            plan: None,
        }
    }

    /// The same player, with `default_budget` as the budget for decisions without any limits.
    #[must_use]
    pub fn with_default_budget(self, default_budget: Budget<'static>) -> Self {
        Self { default_budget, ..self }
    }

    fn tree(&self) -> Tree<'_, G> {
        Tree::new(&*self.evaluator, &*self.replies, self.filter)
    }

    /// The dice in the order in which they are searched, drawn where not all of them may be.
    fn dice(&mut self, budget: Budget<'_>) -> Vec<Weighted<G::Roll>> {
        if is_bounded(budget) { shuffled(G::DICE, &mut self.random) } else { G::DICE.to_vec() }
    }

    /// The next move of the turn that was decided on, if `turn` is where the plan has led.
    fn follow(&mut self, turn: Turn<'_, G>) -> Option<Decision<G::Move>> {
        let plan = self.plan.as_mut()?;
        let (_, _, mv) = plan
            .steps
            .pop_if(|(position, roll, _)| *position == *turn.position && *roll == turn.roll)?;
        let Plan { value, exact, depth, .. } = *plan;
        Some(Decision { mv, value: Some(value), exact, nodes: 0, depth })
    }
}

/// Compares the ends of a turn. With the first moves of an analysis, each of these moves has an end
/// among the candidates, and neither a certain win nor a single candidate ends the search.
fn search<'a, G: Game>(
    tree: &mut Tree<'a, G>,
    turn: Turn<'_, G>,
    dice: &[Weighted<G::Roll>],
    budget: Budget<'a>,
    firsts: Option<&FirstMoves<G>>,
) -> SearchResult<G> {
    let (mut candidates, mut dropped) = (tree.candidates(turn), vec![]);
    let exact = is_certain(&candidates);
    let bounded = is_bounded(budget);
    tree.clock = Clock::start(budget);
    let mut depth = 1;
    while depth < deepest(budget) {
        tree.filter.narrow(&mut candidates, &mut dropped, depth + 1);
        match firsts {
            Some(firsts) if depth == 1 => firsts.represent(&mut candidates, &mut dropped),
            None if exact || (bounded && candidates.len() == 1) => break,
            _ => {}
        }
        if tree.clock.is_over_now(tree.nodes) {
            break;
        }
        let met = tree.compare(&mut candidates, &mut dropped, depth + 1, dice);
        depth += u32::from(met > 0.0);
        if met < 1.0 {
            break;
        }
    }
    candidates.append(&mut dropped);
    SearchResult { ranking: candidates, depth }
}

/// The moves that lead from a turn to one of its ends, each with the position and the rest of the roll
/// that it belongs to.
fn path<G: Game>(turn: Turn<'_, G>, end: &G) -> Vec<(G, G::Roll, G::Move)> {
    let (mut position, mut roll, mut path) = (turn.position.clone(), turn.roll, vec![]);
    'moves: loop {
        for &mv in position.moves(roll).as_ref() {
            let mut next = position.clone();
            let rest = next.play(roll, mv);
            let mut leads = rest.is_none() && next == *end;
            if let Some(rest) = rest {
                next.ends(rest, |other| leads |= other == end);
            }
            if leads {
                path.push((position, roll, mv));
                let Some(rest) = rest else { return path };
                (position, roll) = (next, rest);
                continue 'moves;
            }
        }
        unreachable!("each end of a turn is reached by moves");
    }
}

impl<G: Game> Agent<G> for Selective<G> {
    fn begin(&mut self, random: Random) {
        self.random = random;
        self.plan = None;
    }

    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        self.budget.or(budget).or(self.default_budget)
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move> {
        if let Some(decision) = self.follow(turn) {
            return decision;
        }
        let budget = self.bounds(budget);
        let dice = self.dice(budget);
        let mut tree = self.tree();
        let SearchResult { mut ranking, depth } = search(&mut tree, turn, &dice, budget, None);
        let nodes = tree.nodes;
        let Candidate { end, value, exact, .. } = ranking.swap_remove(0);
        let mut steps = path(turn, &end);
        steps.reverse();
        self.plan = Some(Plan { steps, value, exact, depth });
        let decision = self.follow(turn).expect("a turn has a move");
        Decision { nodes, ..decision }
    }

    fn at_rest(&mut self, position: &G, budget: Budget<'_>) -> Option<f32> {
        match self.bounds(budget) {
            // One turn ahead there are no candidates to choose, only replies.
            Budget { depth: Some(1), nodes: None, time: None, .. } => {
                Some(self.tree().at_rest(position, 1))
            }
            _ => None,
        }
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Analysis<G> {
        let budget = self.bounds(budget);
        let dice = self.dice(budget);
        let firsts = FirstMoves::of(turn);
        let mut tree = self.tree();
        let result = search(&mut tree, turn, &dice, all_but_the_line(budget), Some(&firsts));
        tree.clock = Clock::start(for_the_line(budget, tree.nodes));
        analysis::report(&mut tree, turn, &firsts, &result)
    }
}
