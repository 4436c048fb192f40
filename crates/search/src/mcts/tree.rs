//! The tree: nodes in one block of memory, positions replayed on the way down.

use wurfel_game::{Assessment, Game, Random, Side, Turn, draw_place};

use super::playout::Playout;
use super::select::{Select, Tried};

/// More nodes are not made: the search goes on, its leaves no longer grow. At
/// the 16 bytes of a node with a move of two bytes this is 640 MB.
const MOST_NODES: usize = 40_000_000;

/// A move that leads to a position, or a throw.
#[derive(Clone, Copy, Debug)]
struct Node<M> {
    /// The mean result for the side that moved here; unused for a throw.
    mean: f32,
    /// How often a pass came here.
    visits: u32,
    /// Where the nodes below begin; 0 while there are none. They are as many as
    /// the position has throws, or the throw has moves.
    below: u32,
    /// The move; `None` for a throw.
    mv: Option<M>,
}

impl<M> Node<M> {
    const fn new(mv: Option<M>) -> Self {
        Self { mean: 0.0, visits: 0, below: 0, mv }
    }

    /// Counts a result into the mean; the visit is counted already.
    #[inline(always)]
    fn tell(&mut self, result: f32) {
        self.mean += (result - self.mean) / self.visits as f32;
    }
}

/// A tree that grows from a turn.
pub(super) struct Tree<G: Game> {
    position: G,
    roll: G::Roll,
    nodes: Vec<Node<G::Move>>,
    /// The moves of the current pass, with the sides that made them.
    path: Vec<(usize, Side)>,
    /// The most turns that a pass went down.
    depth: u32,
}

impl<G: Game> Tree<G> {
    pub(super) fn new(turn: Turn<'_, G>) -> Self {
        Self {
            position: turn.position.clone(),
            roll: turn.roll,
            nodes: vec![Node::new(None)],
            path: vec![],
            depth: 0,
        }
    }

    /// How many passes were made.
    pub(super) fn passes(&self) -> u64 {
        u64::from(self.nodes[0].visits)
    }

    /// The most turns that a pass went down.
    pub(super) const fn depth(&self) -> u32 {
        self.depth
    }

    /// Goes down the tree, judges what lies below it, and tells all moves on the
    /// way.
    pub(super) fn pass(
        &mut self,
        select: &impl Select,
        playout: &impl Playout<G>,
        random: &mut Random,
    ) {
        let mut position = self.position.clone();
        let mut roll = Some(self.roll);
        let mut node = 0;
        self.path.clear();
        let result = loop {
            self.nodes[node].visits += 1;
            let Some(thrown) = roll else {
                let rolls = position.rolls();
                let rolls = rolls.as_ref();
                let Some(below) = self.below(node, rolls.iter().map(|_| None)) else {
                    break playout.result(position, None, random);
                };
                let fallen = draw_place(rolls, random);
                node = below + fallen;
                roll = Some(rolls[fallen].item);
                continue;
            };
            let moves = position.moves(thrown);
            let Some(below) = self.below(node, moves.as_ref().iter().copied().map(Some)) else {
                break playout.result(position, roll, random);
            };
            let side = position.side();
            let count = moves.as_ref().len();
            let chosen = below + self.choose(node, count, select, random);
            let mv = moves.as_ref()[chosen - below];
            roll = position.play(thrown, mv);
            self.path.push((chosen, side));
            if let Some(outcome) = position.outcome() {
                self.nodes[chosen].visits += 1;
                break outcome.value_for(Side::First);
            }
            if self.nodes[chosen].visits == 0 {
                self.nodes[chosen].visits = 1;
                break playout.result(position, roll, random);
            }
            node = chosen;
        };
        self.depth = self.depth.max(self.path.len() as u32);
        for &(node, side) in &self.path {
            let own = if side == Side::First { result } else { 1.0 - result };
            self.nodes[node].tell(own);
        }
    }

    /// Where the nodes below a node begin, made if there are none yet; `None`
    /// when there is no more room.
    fn below(
        &mut self,
        node: usize,
        moves: impl ExactSizeIterator<Item = Option<G::Move>>,
    ) -> Option<usize> {
        if self.nodes[node].below == 0 {
            if self.nodes.len() + moves.len() > MOST_NODES {
                return None;
            }
            self.nodes[node].below = self.nodes.len() as u32;
            self.nodes.extend(moves.map(Node::new));
        }
        Some(self.nodes[node].below as usize)
    }

    fn children(&self, node: usize, count: usize) -> &[Node<G::Move>] {
        &self.nodes[self.nodes[node].below as usize..][..count]
    }

    /// The number of the move to try, of the `count` at a node: one that never
    /// was, each equally likely, or else the one with the highest score.
    #[inline]
    fn choose(
        &self,
        node: usize,
        count: usize,
        select: &impl Select,
        random: &mut Random,
    ) -> usize {
        let children = self.children(node, count);
        let untried = children.iter().filter(|child| child.visits == 0).count();
        if untried > 0 {
            let skipped = random.below(untried as u32) as usize;
            let places = children.iter().enumerate().filter(|(_, child)| child.visits == 0);
            return places.map(|(place, _)| place).nth(skipped).unwrap_or(0);
        }
        let ln_visits = (self.nodes[node].visits as f32).ln();
        let mut best = (0, f32::NEG_INFINITY);
        for (place, child) in children.iter().enumerate() {
            let tried = Tried { visits: child.visits as f32, mean: child.mean };
            let score = select.score(ln_visits, tried);
            if score > best.1 {
                best = (place, score);
            }
        }
        best.0
    }

    /// The moves at the root, the one that was tried most first.
    pub(super) fn moves(&self) -> Vec<Assessment<G::Move>> {
        let count = self.position.moves(self.roll).as_ref().len();
        let mut tried: Vec<_> = self.children(0, count).to_vec();
        tried.sort_by_key(|child| std::cmp::Reverse(child.visits));
        let judged = |child: Node<G::Move>| {
            let value = (child.visits > 0).then_some(child.mean);
            Some(Assessment { mv: child.mv?, value, exact: false })
        };
        tried.into_iter().filter_map(judged).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_game::LiteralMove;

    #[test]
    fn a_node_is_small() {
        // A move of two bytes, as that of EinStein würfelt nicht!.
        assert_eq!(size_of::<Node<u16>>(), 16);
        assert!(size_of::<Node<LiteralMove>>() <= 40);
    }
}
