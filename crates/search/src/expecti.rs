//! Plain expectiminimax: every throw, every move, to a fixed depth.
//!
//! No cut-offs, no table: this is the search whose correctness can be seen, and
//! the oracle for the ones that prune. Throws that allow the same moves are
//! searched once, with their weight.

use wurfel_game::{
    Agent, Analysis, Assessment, Budget, Decision, Evaluator, Game, Random, Turn, Weighted,
};

use crate::clock::Clock;

/// The deepest search that makes sense; iterative deepening ends here.
const DEEPEST: u32 = 64;

/// A player by expectiminimax with evaluation `E` at the leaves.
///
/// Bounded by depth alone it searches once to that depth. Bounded by nodes or
/// time it deepens turn by turn and answers from the deepest search that was
/// finished. The search of depth 1 is always finished, whatever the budget.
#[derive(Clone, Debug)]
pub struct Expecti<E> {
    evaluator: E,
    budget: Budget,
}

impl<E> Expecti<E> {
    /// A player that spends `budget`, or, when that is open, what each decision
    /// is given; with neither, it searches one turn deep.
    pub const fn new(evaluator: E, budget: Budget) -> Self {
        Self { evaluator, budget }
    }
}

impl<E> Expecti<E> {
    /// Searches a turn within the budget; the tree keeps its clock and counts.
    fn search<G: Game>(&self, turn: Turn<'_, G>, given: Budget) -> (Iteration<G>, Tree<'_, E>)
    where
        E: Evaluator<G>,
    {
        let budget = self.budget.or(given);
        let deepens = budget.nodes.is_some() || budget.time.is_some();
        let deepest = budget.depth.unwrap_or(if deepens { DEEPEST } else { 1 }).clamp(1, DEEPEST);
        let mut tree =
            Tree { evaluator: &self.evaluator, clock: Clock::never(), nodes: 0, estimated: false };
        let mut finished = tree.judge(turn, 1);
        tree.clock = Clock::start(budget);
        for depth in if deepens { 2 } else { deepest.max(2) }..=deepest {
            let solved = finished.moves.iter().all(|judged| judged.exact);
            if solved || (deepens && tree.clock.is_nearly_over()) {
                break;
            }
            let deeper = tree.judge(turn, depth);
            if tree.clock.is_over(tree.nodes) {
                break;
            }
            finished = deeper;
        }
        (finished, tree)
    }
}

/// The moves of a turn as one search to a fixed depth sees them.
struct Iteration<G: Game> {
    /// The best first.
    moves: Vec<Assessment<G::Move>>,
    depth: u32,
}

/// A search while it runs.
struct Tree<'a, E> {
    evaluator: &'a E,
    clock: Clock,
    /// Positions at rest visited.
    nodes: u64,
    /// Whether a value came from the evaluation since this was last cleared.
    estimated: bool,
}

// Values are results for the side to move of the position that is asked about;
// once the clock is over they mean nothing.
impl<E> Tree<'_, E> {
    fn judge<G: Game>(&mut self, turn: Turn<'_, G>, depth: u32) -> Iteration<G>
    where
        E: Evaluator<G>,
    {
        let mut moves = vec![];
        for &mv in turn.moves().as_ref() {
            self.estimated = false;
            let value = self.after(turn, mv, depth);
            moves.push(Assessment { mv, value: Some(value), exact: !self.estimated });
        }
        moves.sort_by(|left, right| f32::total_cmp(&worth(right), &worth(left)));
        Iteration { moves, depth }
    }

    /// The value of a move for the side that makes it.
    #[inline(always)]
    fn after<G: Game>(&mut self, turn: Turn<'_, G>, mv: G::Move, depth: u32) -> f32
    where
        E: Evaluator<G>,
    {
        let mut position = turn.position.clone();
        match position.play(turn.roll, mv) {
            None => 1.0 - self.at_rest(&position, depth - 1),
            Some(rest) => self.best(Turn { position: &position, roll: rest }, depth),
        }
    }

    #[inline(always)]
    fn at_rest<G: Game>(&mut self, position: &G, depth: u32) -> f32
    where
        E: Evaluator<G>,
    {
        self.nodes += 1;
        if let Some(outcome) = position.outcome() {
            outcome.value_for(position.side())
        } else if depth == 0 {
            self.estimated = true;
            self.evaluator.evaluate(position)
        } else {
            self.mean(position, depth)
        }
    }

    /// The mean over the throws, each with its best move.
    fn mean<G: Game>(&mut self, position: &G, depth: u32) -> f32
    where
        E: Evaluator<G>,
    {
        if self.clock.is_over(self.nodes) {
            return 0.0;
        }
        position.mean_of_best(|roll, mv| self.after(Turn { position, roll }, mv, depth))
    }

    fn best<G: Game>(&mut self, turn: Turn<'_, G>, depth: u32) -> f32
    where
        E: Evaluator<G>,
    {
        let mut best = 0.0;
        for &mv in turn.moves().as_ref() {
            best = f32::max(best, self.after(turn, mv, depth));
        }
        best
    }

    /// The principal variation, as far as the clock lets it be searched.
    fn line<G: Game>(&mut self, turn: Turn<'_, G>, found: &Iteration<G>) -> Vec<(G::Roll, G::Move)>
    where
        E: Evaluator<G>,
    {
        let (mut position, mut roll) = (turn.position.clone(), turn.roll);
        let (mut best, mut depth) = (found.moves[0].mv, found.depth);
        let mut line = vec![(roll, best)];
        loop {
            let rest = position.play(roll, best);
            if rest.is_none() {
                depth -= 1;
            }
            if depth == 0 || position.outcome().is_some() {
                return line;
            }
            (roll, best) = match rest {
                Some(rest) => {
                    let turn = Turn { position: &position, roll: rest };
                    (rest, self.judge(turn, depth).moves[0].mv)
                }
                None => self.usual_throw(&position, depth),
            };
            if self.clock.is_over(self.nodes) {
                return line;
            }
            line.push((roll, best));
        }
    }

    /// The throw whose value is nearest to the mean, with its best move.
    fn usual_throw<G: Game>(&mut self, position: &G, depth: u32) -> (G::Roll, G::Move)
    where
        E: Evaluator<G>,
    {
        let mut throws = vec![];
        let (mut sum, mut chances) = (0.0, 0);
        for &Weighted { item: roll, weight } in position.rolls().as_ref() {
            let best = self.judge(Turn { position, roll }, depth).moves[0];
            sum += weight as f32 * worth(&best);
            chances += weight;
            throws.push((roll, best));
        }
        let mean = sum / chances as f32;
        let luck = |best: &Assessment<G::Move>| (worth(best) - mean).abs();
        let usual = throws.iter().min_by(|(_, a), (_, b)| luck(a).total_cmp(&luck(b)));
        let (roll, best) = usual.expect("a position before the end has a throw");
        (*roll, best.mv)
    }
}

/// The value of a move that was searched.
fn worth<M>(judged: &Assessment<M>) -> f32 {
    judged.value.unwrap_or(0.0)
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Expecti<E> {
    fn begin(&mut self, _: Random) {}

    fn bounds(&self, budget: Budget) -> Budget {
        self.budget.or(budget)
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget) -> Decision<G::Move> {
        let (found, tree) = self.search(turn, budget);
        let Assessment { mv, value, .. } = found.moves[0];
        Decision { mv, value, nodes: tree.nodes, depth: found.depth }
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget) -> Analysis<G> {
        let (found, mut tree) = self.search(turn, budget);
        let nodes = tree.nodes;
        let line = tree.line(turn, &found);
        Analysis { moves: found.moves, line, nodes, depth: found.depth }
    }
}
