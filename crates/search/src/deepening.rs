//! What the depth-first searches share: iterative deepening within a budget, and the principal
//! variation.

use std::time::Duration;

use wurfel_core::{Analysis, Assessment, Budget, Decision, Game, Turn, Weighted, sort_by_score};

use crate::clock::Clock;

/// The depth, in turns, at which iterative deepening ends; no game needs more.
pub(crate) const MAX_DEPTH: u32 = 64;

/// Time that the search to depth 1 may always take. Most need far less, so even a decision within
/// microseconds looks one turn ahead.
const FIRST_TURN: Duration = Duration::from_millis(20);

/// Which values a search of a turn must find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// The best move and its value. Of the other moves it is enough to know that they are not
    /// better.
    Best,
    /// The value of every move.
    All,
}

/// The moves of a turn after a search to a fixed depth.
struct Iteration<G: Game> {
    /// The moves, the best first.
    pub moves: Vec<Assessment<G::Move>>,
    pub depth: u32,
}

/// A search to a fixed depth. Iterative deepening calls it through a pointer, once for each
/// iteration, and is therefore compiled once for each game instead of once for each search and
/// evaluation.
pub(crate) trait FixedDepth<'a, G: Game> {
    /// Evaluates the moves of a turn in their order, looking `depth` turns ahead. Returns how many
    /// moves were evaluated before the clock was over; the others keep the values that they had.
    fn score(
        &mut self,
        turn: Turn<'_, G>,
        depth: u32,
        wanted: Wanted,
        moves: &mut [Assessment<G::Move>],
    ) -> usize;

    /// The clock that limits the search, within a budget of lifetime `'a`.
    fn clock(&mut self) -> &mut Clock<'a>;

    /// How many positions were visited so far.
    fn nodes(&self) -> u64;

    /// Whether the search must stop.
    fn is_over(&mut self) -> bool {
        let nodes = self.nodes();
        self.clock().is_over(nodes)
    }
}

/// The legal moves of a turn, without values.
pub(crate) fn unscored<G: Game>(turn: Turn<'_, G>) -> Vec<Assessment<G::Move>> {
    let scored = |&mv| Assessment { mv, value: None, exact: false };
    turn.moves().as_ref().iter().map(scored).collect()
}

/// Searches a turn within a budget.
///
/// If only the depth is limited, the search goes to that depth directly after depth 1, unless
/// `deepens`. If nodes or time are limited it deepens turn by turn and returns the deepest
/// iteration that was finished. Depth 1 is always finished when all values are wanted, and
/// otherwise unless time is over, and at least [`FIRST_TURN`]: one turn takes seconds where each
/// evaluation takes milliseconds.
///
/// Each iteration begins with the best move of the one before. So when only the best move is
/// wanted, an iteration that was cut short counts as well: any move that it prefers to this first
/// one is indeed better.
fn deepen<'a, G: Game>(
    search: &mut dyn FixedDepth<'a, G>,
    turn: Turn<'_, G>,
    budget: Budget<'a>,
    wanted: Wanted,
    deepens: bool,
) -> Iteration<G> {
    let bounded = budget.nodes.is_some() || budget.time.is_some();
    let deepest = budget.depth.unwrap_or(if bounded { MAX_DEPTH } else { 1 }).clamp(1, MAX_DEPTH);
    *search.clock() = match wanted {
        Wanted::Best => {
            let time = budget.time.map(|time| time.max(FIRST_TURN));
            Clock::start(Budget { time, ..Budget::default() })
        }
        Wanted::All => Clock::never(),
    };
    let mut finished = Iteration { moves: unscored(turn), depth: 1 };
    let scored = search.score(turn, 1, wanted, &mut finished.moves);
    sort(&mut finished.moves[..scored]);
    if scored < finished.moves.len() {
        return finished;
    }
    search.clock().limit(budget);
    let forced = finished.moves.len() == 1 && wanted == Wanted::Best && bounded;
    for depth in if bounded || deepens { 2 } else { deepest.max(2) }..=deepest {
        let solved = finished.moves.iter().all(|scored| scored.exact);
        // An iteration that is to evaluate all moves is useful only when it is finished.
        let hopeless = wanted == Wanted::All && bounded && search.clock().is_nearly_over();
        let nodes = search.nodes();
        if solved || forced || hopeless || search.clock().is_over_now(nodes) {
            break;
        }
        let mut moves = finished.moves.clone();
        let scored = search.score(turn, depth, wanted, &mut moves);
        if scored < moves.len() {
            if wanted == Wanted::Best {
                sort(&mut moves[..scored]);
                finished.moves = moves;
            }
            break;
        }
        sort(&mut moves);
        finished = Iteration { moves, depth };
    }
    finished
}

/// The decision that a search finds within a budget.
pub(crate) fn decide<'a, G: Game>(
    search: &mut dyn FixedDepth<'a, G>,
    turn: Turn<'_, G>,
    budget: Budget<'a>,
    deepens: bool,
) -> Decision<G::Move> {
    let result = deepen(search, turn, budget, Wanted::Best, deepens);
    let Assessment { mv, value, exact } = result.moves[0];
    Decision { mv, value, exact, nodes: search.nodes(), depth: result.depth }
}

/// What an analysis may spend on the moves: all but a tenth of the limited nodes or time, which is
/// kept for the principal variation.
pub(crate) fn all_but_the_line(budget: Budget<'_>) -> Budget<'_> {
    Budget {
        nodes: budget.nodes.map(|nodes| nodes - nodes / 10),
        time: budget.time.map(|time| time.saturating_sub(time / 10)),
        ..budget
    }
}

/// What an analysis may spend on the principal variation, after `nodes` for the moves.
pub(crate) fn for_the_line(budget: Budget<'_>, nodes: u64) -> Budget<'_> {
    Budget {
        nodes: budget.nodes.map(|all| nodes + all / 10),
        time: budget.time.map(|time| time / 10),
        ..budget
    }
}

/// The analysis that a search finds within a budget: all moves and the principal variation.
pub(crate) fn analyse<'a, G: Game>(
    search: &mut dyn FixedDepth<'a, G>,
    turn: Turn<'_, G>,
    budget: Budget<'a>,
    deepens: bool,
) -> Analysis<G> {
    // With a limit, the principal variation is searched one turn less deep than the moves. With a
    // transposition table it takes far less than what is kept for it.
    let result = deepen(search, turn, all_but_the_line(budget), Wanted::All, deepens);
    *search.clock() = Clock::start(for_the_line(budget, search.nodes()));
    let bounded = budget.nodes.is_some() || budget.time.is_some();
    let depth = result.depth - u32::from(bounded && result.depth > 2);
    let line = line(search, turn, result.moves[0].mv, depth);
    Analysis {
        moves: result.moves,
        turns: vec![],
        line,
        nodes: search.nodes(),
        depth: result.depth,
    }
}

/// The principal variation of a turn, as far as it can be searched before the clock is over.
pub(crate) fn line<G: Game>(
    search: &mut dyn FixedDepth<'_, G>,
    turn: Turn<'_, G>,
    first: G::Move,
    depth: u32,
) -> Vec<(G::Roll, G::Move)> {
    let (mut position, mut roll) = (turn.position.clone(), turn.roll);
    let (mut best, mut depth) = (first, depth);
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
                (rest, best_move(search, turn, depth).mv)
            }
            None => typical_roll(search, &position, depth),
        };
        if search.is_over() {
            return line;
        }
        line.push((roll, best));
    }
}

fn best_move<G: Game>(
    search: &mut dyn FixedDepth<'_, G>,
    turn: Turn<'_, G>,
    depth: u32,
) -> Assessment<G::Move> {
    let mut moves = unscored(turn);
    search.score(turn, depth, Wanted::Best, &mut moves);
    sort(&mut moves);
    moves[0]
}

/// The roll whose value is nearest to the mean over all rolls, with its best move.
fn typical_roll<G: Game>(
    search: &mut dyn FixedDepth<'_, G>,
    position: &G,
    depth: u32,
) -> (G::Roll, G::Move) {
    let mut rolls = vec![];
    let (mut sum, mut chances) = (0.0, 0);
    for &Weighted { item: roll, weight } in position.rolls().as_ref() {
        let best = best_move(search, Turn { position, roll }, depth);
        sum += weight as f32 * worth(&best);
        chances += weight;
        rolls.push((roll, best));
    }
    let mean = sum / chances as f32;
    let luck = |best: &Assessment<G::Move>| (worth(best) - mean).abs();
    let typical = rolls.iter().min_by(|(_, a), (_, b)| luck(a).total_cmp(&luck(b)));
    let (roll, best) = typical.expect("a position before the end has a roll");
    (*roll, best.mv)
}

/// The value that a search gave to a move.
pub(crate) fn worth<M>(scored: &Assessment<M>) -> f32 {
    scored.value.unwrap_or(0.0)
}

/// Sorts moves, the best first; moves of equal value keep their order.
pub(crate) fn sort<M>(moves: &mut [Assessment<M>]) {
    sort_by_score(moves, |scored| f64::from(worth(scored)));
}
