//! Turns of an open tree, where one list of nodes holds the moves of all rolls.
//!
//! A list consists of pieces, one for each roll that brought new moves. A piece ends with a node
//! without a move, which says where the next piece begins.

use wurfel_core::{Game, Turn};

use super::select::Select;
use super::tree::{Node, Tree, UNMET};

impl<G: Game, N: Copy + Default> Tree<G, N> {
    /// Writes the nodes of a turn's legal moves into `listing`, after adding those that are missing.
    /// `None` when there is no room for them.
    pub(super) fn gather<S: Select<G, Prior = N>>(
        &mut self,
        turn: usize,
        met: Turn<'_, G>,
        moves: &[G::Move],
        select: &S,
    ) -> Option<()> {
        loop {
            self.listing.clear();
            for &mv in moves {
                self.listing.extend(self.listed(turn, mv).map(|node| node as u32));
            }
            if self.listing.len() == moves.len() {
                return Some(());
            }
            if !self.has_room() {
                return None;
            }
            self.append(turn, met, moves, select);
        }
    }

    pub(super) fn listed(&self, turn: usize, mv: G::Move) -> Option<usize> {
        let mut node = self.turns[turn];
        while node != UNMET {
            match self.moves[node as usize] {
                Some(listed) if listed == mv => return Some(node as usize),
                Some(_) => node += 1,
                None => node = self.nodes[node as usize].below,
            }
        }
        None
    }

    /// Adds a piece with the missing moves to the list of a turn.
    #[cold]
    fn append<S: Select<G, Prior = N>>(
        &mut self,
        turn: usize,
        met: Turn<'_, G>,
        moves: &[G::Move],
        select: &S,
    ) {
        let is_new = |mv: &G::Move| self.listed(turn, *mv).is_none();
        let new: Vec<_> = moves.iter().copied().filter(is_new).collect();
        let first = self.add(met, &new, select);
        self.moves.extend(new.into_iter().map(Some));
        self.nodes.push(Node::new(N::default()));
        self.moves.push(None);
        let mut end = self.turns[turn];
        if end == UNMET {
            self.turns[turn] = first;
            return;
        }
        loop {
            let node = end as usize;
            match (self.moves[node], self.nodes[node].below) {
                (Some(_), _) => end += 1,
                (None, 0) => {
                    self.nodes[node].below = first;
                    return;
                }
                (None, further) => end = further,
            }
        }
    }
}
