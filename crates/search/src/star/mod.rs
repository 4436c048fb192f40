//! Expectiminimax with cut-offs: Ballard's Star1 and Star2 (B. W. Ballard, "The *-minimax search
//! procedure for trees containing chance nodes", Artificial Intelligence 21, 1983) over alpha-beta,
//! with a transposition table.
//!
//! At a chance node, bounds on the mean give bounds for each roll, because the least and the most
//! that the other rolls can contribute are known. Star1 takes 0 and 1 for the rolls that were not
//! searched yet. Star2 first probes one good move of each roll: this gives a lower bound of the
//! roll's value, which is often enough for a cut-off.
//!
//! The values are those of the plain search, as the tests check, but found sooner. They are results
//! for the side to move of the position in question.

mod leaf_cache;
mod node;
mod to_the_end;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use wurfel_core::{
    Agent, Analysis, Assessment, Budget, Decision, Evaluator, Game, Random, Turn, quick_hash,
    threads,
};

use crate::clock::Clock;
use crate::deepening::{FixedDepth, Wanted, analyse, decide, sort};
use crate::table::{Bounds, TranspositionTable};
use crate::together::{Work, together};
use crate::window::Window;
use leaf_cache::{Leaf, LeafCache};
use node::{Child, Look, Node, Span, best_first};

/// Which of Ballard's procedures is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cutoffs {
    /// Bounds follow from the rolls that were searched so far.
    Star1,
    /// As `Star1`, after probing one move of each roll.
    Star2,
}

/// A player by expectiminimax with cut-offs and evaluation `E` at the leaves.
///
/// It deepens turn by turn under every budget, so that there is an answer whenever it is stopped.
/// All iterations together take a twentieth longer than the last one alone.
///
/// ```
/// use std::sync::Arc;
///
/// use wurfel_core::{Agent, Budget, Situation};
/// use wurfel_games::einstein::{Einstein, Official, Zweistein};
/// use wurfel_search::{Cutoffs, Star, TranspositionTable};
///
/// // 3  . . C . .     red has rolled a 4, which moves its only cube
/// // 2  . . . . .
/// // 1  . . c b a
/// let situation: Situation<Einstein> = "5/5/2C2/5/2cba r 4 1".parse()?;
/// let table = Arc::new(TranspositionTable::new(1));
/// let budget = Budget { depth: Some(30), ..Budget::default() };
/// let mut star = Star::new(Zweistein::<Official>::new(), Cutoffs::Star2, table, budget);
/// let analysis = star.analyse(situation.turn().unwrap(), Budget::default());
/// assert_eq!(analysis.moves[0].mv.to_string(), "c3d3");
/// assert!(analysis.moves[0].exact);
/// # Ok::<(), wurfel_core::NotationError>(())
/// ```
#[derive(Debug)]
pub struct Star<E> {
    evaluator: E,
    cutoffs: Cutoffs,
    table: Arc<TranspositionTable>,
    threads: usize,
    budget: Budget<'static>,
    /// The budget that is used when neither the player nor a decision has limits. If it has none
    /// either, the search goes one turn deep.
    default_budget: Budget<'static>,
}

impl<E> Star<E> {
    /// A player that spends `budget`, or the budget of each decision when `budget` has no limits.
    /// Without limits in either it searches one turn deep. It plays the games that `evaluator` is an
    /// [`Evaluator`] of.
    pub fn new(
        evaluator: E,
        cutoffs: Cutoffs,
        table: Arc<TranspositionTable>,
        budget: Budget<'static>,
    ) -> Self {
        Self { evaluator, cutoffs, table, threads: 1, budget, default_budget: Budget::default() }
    }

    /// The same player, with `default_budget` as the budget for decisions without any limits.
    #[must_use]
    pub fn with_default_budget(self, default_budget: Budget<'static>) -> Self {
        Self { default_budget, ..self }
    }

    /// The same player on several threads, which share the transposition table. Its values are
    /// those of one thread except for rounding, but its time and its number of nodes differ from
    /// run to run.
    #[must_use]
    pub fn on_threads(self, threads: usize) -> Self {
        Self { threads: threads::at_most(threads.max(1)), ..self }
    }
}

struct Tree<'a, G: Game, E> {
    evaluator: &'a E,
    cutoffs: Cutoffs,
    table: &'a TranspositionTable,
    /// How many other threads search the same turn.
    helpers: usize,
    /// Whether groups of moves are searched from the last to the first, as on some helper threads.
    backward: bool,
    /// Nodes that are not in use, kept for their memory.
    pool: Vec<Node<G>>,
    /// The cache of values one turn ahead, once the search is long enough to need it.
    leaves: Option<LeafCache>,
    clock: Clock<'a>,
    /// Positions at rest visited, including those whose visits the leaf cache has saved.
    nodes: u64,
    /// How many positions at rest the helper threads have visited.
    helped: u64,
    /// Whether a value came from the evaluation since this was last cleared.
    estimated: bool,
}

/// How many nodes a search visits before it makes a leaf cache.
const WORTH_A_CACHE: u64 = 20_000;

/// The smallest depth at which the search starts its helper threads.
const WORTH_HELP: u32 = 5;

/// The depth of a search to the end of the game. It stays the same from turn to turn, because the
/// true value of a position does not depend on how many turns led to it.
const TO_THE_END: u32 = 0x7F;

/// A window that has every value inside.
const FULL: Window = Window { alpha: -1.0, beta: 2.0 };

/// The depth that is left one turn on.
#[inline(always)]
const fn below(depth: u32) -> u32 {
    if depth == TO_THE_END { TO_THE_END } else { depth - 1 }
}

// A result at or below alpha is an upper bound of the value, one at or above beta a lower bound,
// and one between them is the value. Once the clock is over, results are meaningless.
impl<G: Game, E: Evaluator<G>> Tree<'_, G, E> {
    /// The value of a position before its roll, looking `depth` turns ahead.
    fn at_rest(&mut self, position: &G, depth: u32, window: Window) -> f32 {
        self.nodes += 1;
        if let Some(outcome) = position.outcome() {
            return outcome.value_for(position.side());
        }
        if let Some(value) = self.evaluator.exact(position) {
            return value;
        }
        match depth {
            0 => self.estimate(position),
            1 => self.nearly_leaf(position),
            _ => self.remembered(position, depth, window),
        }
    }

    fn estimate(&mut self, position: &G) -> f32 {
        self.estimated = true;
        self.evaluator.evaluate(position)
    }

    /// The value of a position one turn ahead, from the leaf cache or by searching. Both count the
    /// same nodes, so that a search limited in nodes finds the same as it would without the cache.
    #[inline(always)]
    fn nearly_leaf(&mut self, position: &G) -> f32 {
        if self.clock.is_over(self.nodes) {
            return 0.0;
        }
        if self.leaves.is_none() {
            if self.nodes < WORTH_A_CACHE {
                return self.one_ahead(position);
            }
            self.leaves = Some(LeafCache::new());
        }
        let hash = quick_hash(position);
        if let Some(leaf) = self.leaves.as_ref().and_then(|leaves| leaves.get(hash)) {
            self.estimated |= leaf.estimated;
            self.nodes += u64::from(leaf.nodes);
            return leaf.value;
        }
        let nodes = self.nodes;
        let before = std::mem::replace(&mut self.estimated, false);
        let value = self.one_ahead(position);
        if let Some(leaves) = &mut self.leaves {
            let nodes = (self.nodes - nodes) as u32;
            leaves.put(hash, Leaf { value, estimated: self.estimated, nodes });
        }
        self.estimated |= before;
        value
    }

    /// The value of a position by looking one turn ahead, where a search spends most of its time.
    #[inline(always)]
    fn one_ahead(&mut self, position: &G) -> f32 {
        let evaluator = self.evaluator;
        let near = evaluator.near(position);
        position.mean_of_best(|child| {
            self.nodes += 1;
            let value = match child.outcome() {
                Some(outcome) => outcome.value_for(child.side()),
                None => evaluator.exact(child).unwrap_or_else(|| {
                    self.estimated = true;
                    near(child)
                }),
            };
            1.0 - value
        })
    }

    /// The value of a position from the transposition table or, if that is not enough, by
    /// searching.
    fn remembered(&mut self, position: &G, depth: u32, window: Window) -> f32 {
        if self.clock.is_over(self.nodes) {
            return 0.0;
        }
        let hash = quick_hash(position);
        let known = self.table.get(hash, depth);
        if let Some(Bounds { low, high, estimated }) = known
            && (low >= window.beta || high <= window.alpha || low >= high)
        {
            self.estimated |= estimated;
            return if high <= window.alpha { high } else { low };
        }
        let before = std::mem::replace(&mut self.estimated, false);
        let value = self.mean(position, depth, window);
        if !self.clock.is_over(self.nodes) {
            let old = known.unwrap_or(Bounds::UNKNOWN);
            // The bound from the table that stays in the new entry may be an estimate.
            let estimated = self.estimated | old.estimated;
            let bounds = if value >= window.beta {
                Bounds { low: value, high: old.high.max(value), estimated }
            } else if value <= window.alpha {
                Bounds { low: old.low.min(value), high: value, estimated }
            } else {
                Bounds { low: value, high: value, estimated }
            };
            self.table.put(hash, depth, bounds);
        }
        self.estimated |= before;
        value
    }

    /// The mean over the rolls of the value of the best move of each.
    fn mean(&mut self, position: &G, depth: u32, window: Window) -> f32 {
        let mut node = self.pool.pop().unwrap_or_default();
        self.spread(position, depth, &mut node);
        let value = self.mean_within(&mut node, depth, window);
        self.pool.push(node);
        value
    }

    /// Fills a node with the ends of a position's turns, ready to be searched.
    fn spread(&self, position: &G, depth: u32, node: &mut Node<G>) {
        position.fan(&mut node.fan);
        if below(depth) > 1 {
            // The table's entries for the ends arrive in the cache while the ends are evaluated.
            for end in node.fan.ends() {
                self.table.prefetch(quick_hash(end));
            }
        } else if let Some(leaves) = &self.leaves {
            for end in node.fan.ends() {
                leaves.prefetch(quick_hash(end));
            }
        }
        self.look(position, node);
    }

    /// Fills the children of a node from its fan; in each group, the child that looks best comes
    /// first.
    fn look(&self, position: &G, node: &mut Node<G>) {
        let near = self.evaluator.near(position);
        node.children.clear();
        for group in 0..node.fan.groups() {
            let ends = &node.fan.ends()[node.fan.group(group)];
            node.looks.clear();
            node.looks.extend(ends.iter().zip(0..).map(|(end, place)| {
                let (value, span) = self.look_at(end, &near);
                Look { value, span, place }
            }));
            best_first(&mut node.looks);
            let child = |look: &Look| Child {
                position: ends[look.place as usize].clone(),
                span: look.span,
            };
            node.children.extend(node.looks.iter().map(child));
        }
        node.groups.clear();
        node.groups.resize(node.fan.groups(), Span::ANY);
    }

    /// How an end of a turn looks: its value if that is known without searching, otherwise its evaluation; and what is
    /// known about its value.
    #[inline(always)]
    fn look_at(&self, end: &G, near: &impl Fn(&G) -> f32) -> (f32, Span) {
        let known = match end.outcome() {
            Some(outcome) => Some(outcome.value_for(end.side())),
            None => self.evaluator.exact(end),
        };
        match known.map(|value| 1.0 - value) {
            Some(value) => (value, Span { low: value, high: value }),
            None => (1.0 - near(end), Span::ANY),
        }
    }

    fn mean_within(&mut self, node: &mut Node<G>, depth: u32, window: Window) -> f32 {
        let groups = node.fan.groups();
        let backward = self.backward;
        let order = move |n: usize| if backward { groups - 1 - n } else { n };
        if self.cutoffs == Cutoffs::Star2 {
            for group in (0..groups).map(order) {
                let part = node.window_of(group, window);
                let first = node.fan.group(group).start;
                let value = self.child_value(&mut node.children[first], depth, part);
                node.groups[group].low = node.children[first].span.low;
                if value >= part.beta {
                    return node.mean().low.max(window.beta);
                }
            }
        }
        for group in (0..groups).map(order) {
            let part = node.window_of(group, window);
            let mut best = 0.0;
            let mut rest = part;
            for place in node.fan.group(group) {
                let value = self.child_value(&mut node.children[place], depth, rest);
                best = f32::max(best, value);
                rest.alpha = f32::max(rest.alpha, best);
                if best >= part.beta {
                    node.groups[group].low = best;
                    return node.mean().low.max(window.beta);
                }
            }
            node.groups[group].high = best;
            if best <= part.alpha {
                return node.mean().high.min(window.alpha);
            }
            node.groups[group].low = best;
        }
        node.mean().low
    }

    /// The value of a child within a window, from what is known about it or by searching.
    fn child_value(&mut self, child: &mut Child<G>, depth: u32, window: Window) -> f32 {
        let Span { low, high } = child.span;
        if low >= window.beta || low >= high {
            return low;
        }
        if high <= window.alpha {
            return high;
        }
        let result = self.at_rest(&child.position, below(depth), window.turned());
        let value = window.seen_from(result);
        if value > window.alpha {
            child.span.low = value;
        }
        if value < window.beta {
            child.span.high = value;
        }
        value
    }

    /// The value of a move for the side that makes it.
    fn after(&mut self, turn: Turn<'_, G>, mv: G::Move, depth: u32, window: Window) -> f32 {
        let mut position = turn.position.clone();
        match position.play(turn.roll, mv) {
            None => window.seen_from(self.at_rest(&position, below(depth), window.turned())),
            Some(rest) => self.best(&position, rest, depth, window),
        }
    }

    /// The value of the best way to go on with the rest of a roll.
    fn best(&mut self, position: &G, rest: G::Roll, depth: u32, window: Window) -> f32 {
        let mut node = self.pool.pop().unwrap_or_default();
        node.fan.clear();
        position.ends(rest, |end| node.fan.add_end(end.clone()));
        node.fan.close_group();
        self.look(position, &mut node);
        let mut best = 0.0;
        let mut window = window;
        for child in &mut node.children {
            best = f32::max(best, self.child_value(child, depth, window));
            window.alpha = f32::max(window.alpha, best);
            if best >= window.beta {
                break;
            }
        }
        self.pool.push(node);
        best
    }
}

impl<G: Game, E: Evaluator<G>> Tree<'_, G, E> {
    /// Evaluates the moves in their order and returns how many were evaluated before the clock was
    /// over.
    fn score_in_order(
        &mut self,
        turn: Turn<'_, G>,
        depth: u32,
        wanted: Wanted,
        moves: &mut [Assessment<G::Move>],
    ) -> usize {
        let mut window = FULL;
        for (done, scored) in moves.iter_mut().enumerate() {
            self.estimated = false;
            let value = self.after(turn, scored.mv, depth, window);
            if self.clock.is_over(self.nodes) {
                return done;
            }
            // For a move that is no better than an earlier one, only an upper bound is known.
            let beaten = value <= window.alpha;
            scored.value = Some(if beaten { value.min(window.alpha) } else { value });
            scored.exact = !self.estimated && !beaten;
            if wanted == Wanted::Best {
                window.alpha = window.alpha.max(value);
            }
        }
        moves.len()
    }

    /// [`score_in_order`](Self::score_in_order) with helper threads. Every other one of them goes
    /// through the groups of moves from the last to the first, and so fills the table with what
    /// this thread reaches last.
    fn score_with_helpers(
        &mut self,
        turn: Turn<'_, G>,
        depth: u32,
        wanted: Wanted,
        moves: &mut [Assessment<G::Move>],
    ) -> usize {
        let done = Arc::new(AtomicBool::new(false));
        let helped = AtomicU64::new(0);
        let (evaluator, cutoffs, table) = (self.evaluator, self.cutoffs, self.table);
        let helper = |n: usize| -> Work<'_> {
            let (done, helped, mut moves) = (Arc::clone(&done), &helped, moves.to_vec());
            Box::new(move || {
                let mut tree = Tree::new(evaluator, cutoffs, table);
                tree.clock = Clock::until(done);
                tree.backward = n.is_multiple_of(2);
                tree.score_in_order(turn, depth, wanted, &mut moves);
                helped.fetch_add(tree.nodes, Ordering::Relaxed);
            })
        };
        let helpers = (0..self.helpers).map(helper).collect();
        let mut scored = 0;
        let own = Box::new(|| {
            scored = self.score_in_order(turn, depth, wanted, moves);
            done.store(true, Ordering::Relaxed);
        });
        together(helpers, own);
        self.helped += helped.into_inner();
        scored
    }
}

impl<'a, G: Game, E: Evaluator<G>> FixedDepth<'a, G> for Tree<'a, G, E> {
    fn score(
        &mut self,
        turn: Turn<'_, G>,
        depth: u32,
        wanted: Wanted,
        moves: &mut [Assessment<G::Move>],
    ) -> usize {
        // Before the first iteration, the moves are sorted by their evaluation.
        if moves.iter().any(|scored| scored.value.is_none()) {
            let near = self.evaluator.near(turn.position);
            for scored in &mut *moves {
                let mut position = turn.position.clone();
                let rest = position.play(turn.roll, scored.mv);
                let looks = match rest {
                    // The same side goes on.
                    Some(_) => self.evaluator.evaluate(&position),
                    None => self.look_at(&position, &near).0,
                };
                scored.value = Some(looks);
            }
            sort(moves);
        }
        if self.helpers > 0 && depth >= WORTH_HELP {
            self.score_with_helpers(turn, depth, wanted, moves)
        } else {
            self.score_in_order(turn, depth, wanted, moves)
        }
    }

    fn clock(&mut self) -> &mut Clock<'a> {
        &mut self.clock
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

impl<'a, G: Game, E> Tree<'a, G, E> {
    fn new(evaluator: &'a E, cutoffs: Cutoffs, table: &'a TranspositionTable) -> Self {
        Self {
            evaluator,
            cutoffs,
            table,
            helpers: 0,
            backward: false,
            pool: vec![],
            leaves: None,
            clock: Clock::never(),
            nodes: 0,
            helped: 0,
            estimated: false,
        }
    }
}

impl<E> Star<E> {
    fn tree<G: Game>(&self) -> Tree<'_, G, E> {
        let tree = Tree::new(&self.evaluator, self.cutoffs, &self.table);
        Tree { helpers: self.threads - 1, ..tree }
    }

    /// The value for the side to move of a position before its roll, looking
    /// `depth` turns ahead.
    pub fn value<G: Game>(&self, position: &G, depth: u32) -> f32
    where
        E: Evaluator<G>,
    {
        self.tree().at_rest(position, depth, FULL)
    }

    /// The true value under best play for the side to move of a position before its roll, and the
    /// number of positions visited. The search goes to the end of the game or to positions that the
    /// evaluation knows for certain. The value is `None` when the budget was spent first; a depth
    /// does not limit the search.
    pub fn solve<G: Game>(&self, position: &G, budget: Budget<'_>) -> (Option<f32>, u64)
    where
        E: Evaluator<G>,
    {
        let mut tree = self.tree();
        tree.clock = Clock::start(budget);
        let value = tree.at_rest(position, TO_THE_END, FULL);
        let stopped = tree.clock.is_over_now(tree.nodes);
        ((!stopped).then_some(value), tree.nodes)
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Star<E> {
    fn begin(&mut self, _: Random) {
        self.table.clear();
    }

    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        self.budget.or(budget).or(self.default_budget)
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move> {
        let budget = Agent::<G>::bounds(self, budget);
        let mut tree = self.tree();
        let decision = decide(&mut tree, turn, budget, true);
        Decision { nodes: tree.nodes + tree.helped, ..decision }
    }

    fn at_rest(&mut self, position: &G, budget: Budget<'_>) -> Option<f32> {
        match Agent::<G>::bounds(self, budget) {
            // One search before the roll shares the work that the rolls have in common.
            Budget { depth: Some(depth), nodes: None, time: None, .. } => {
                Some(self.value(position, depth))
            }
            _ => None,
        }
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Analysis<G> {
        let budget = Agent::<G>::bounds(self, budget);
        let mut tree = self.tree();
        let analysis = analyse(&mut tree, turn, budget, true);
        Analysis { nodes: tree.nodes + tree.helped, ..analysis }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_core::{Even, Literal, random_literal};

    /// Keeping values one turn ahead changes neither the value that is found, nor whether it is
    /// exact, nor the number of nodes.
    #[test]
    fn kept_leaves_change_no_value_no_certainty_and_no_count() {
        let mut random = Random::new(1);
        let mut exact = 0;
        for n in 0..600 {
            let position: Literal = random_literal(&mut random, 2 + n % 4).parse().unwrap();
            for depth in 1..7 {
                let search = |leaves| {
                    let table = TranspositionTable::new(0);
                    let tree = Tree::new(&Even, Cutoffs::Star2, &table);
                    let mut tree = Tree { leaves, ..tree };
                    let value = tree.at_rest(&position, depth, FULL);
                    (value.to_bits(), tree.estimated, tree.nodes)
                };
                let plain = search(None);
                assert_eq!(search(Some(LeafCache::new())), plain, "{position} at depth {depth}");
                exact += u32::from(!plain.1);
            }
        }
        assert!(exact > 100, "{exact}");
    }

    #[test]
    fn a_kept_leaf_is_taken_as_it_is() {
        let position: Literal = random_literal(&mut Random::new(1), 4).parse().unwrap();
        let table = TranspositionTable::new(0);
        let mut leaves = LeafCache::new();
        leaves.put(quick_hash(&position), Leaf { value: 0.125, estimated: true, nodes: 9 });
        let mut tree = Tree { leaves: Some(leaves), ..Tree::new(&Even, Cutoffs::Star2, &table) };
        assert_eq!(tree.at_rest(&position, 1, FULL).to_bits(), 0.125_f32.to_bits());
        assert_eq!((tree.nodes, tree.estimated), (10, true));
    }
}
