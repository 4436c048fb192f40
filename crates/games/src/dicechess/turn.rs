//! Turns of three dice: which moves are legal, and the positions in which turns end.
//!
//! A side must spend as many dice as any order allows, except that a turn that captures the king is
//! always legal. So a move is legal when it is part of a turn that spends the most dice, or of one
//! that captures the king.
//!
//! What is legal follows from the position and the remaining dice alone, which is also all that a
//! DFEN text holds; how the turn began is not remembered. The price is that a turn may begin as if
//! to capture the king and then spend fewer dice without capturing it. A side that does so could
//! have won at once instead, so no value and no best move depends on it, and neither the position
//! nor its text needs to store what the turn still owes.

use arrayvec::ArrayVec;
use wurfel_core::{Random, quick_hash};

use super::dice::Pool;
use super::kind::Kind;
use super::moves::{MAX_MOVES, Move, Moves};
use super::position::Position;
use super::variants::RuleSet;

/// A move, how many dice it spends, and the dice that it leaves.
type Step = (Move, u32, Option<Pool>);

impl<R: RuleSet> Position<R> {
    /// Calls `visit` with each move that one of the dice allows, whatever follows it.
    #[inline(always)]
    fn each_step(&self, pool: Pool, mut visit: impl FnMut(Step)) {
        for kind in Kind::ALL {
            if pool.set() & kind.bit() != 0 {
                let rest = pool.without(kind);
                self.each_move(kind, |mv| visit((mv, 1, rest)));
            }
        }
        let castles = Kind::King.bit() | Kind::Rook.bit();
        if pool.set() & castles == castles {
            self.each_castling(|mv| visit((mv, 2, after_castling(pool))));
        }
    }

    /// The position after a move, in the middle of a turn.
    #[inline(always)]
    fn amid(&self, mv: Move) -> Self {
        let mut next = *self;
        next.advance(mv);
        next
    }

    /// The largest number of dice that can be spent.
    fn spendable(&self, pool: Option<Pool>) -> u32 {
        let Some(pool) = pool.filter(|_| self.end().is_none()) else { return 0 };
        if pool.set() & self.movable() == 0 {
            return 0;
        }
        let all = pool.count();
        let mut most = 1;
        if all > 1 {
            self.each_step(pool, |(mv, spent, rest)| {
                if most < all {
                    most = most.max(spent + self.amid(mv).spendable(rest));
                }
            });
        }
        most
    }

    /// Whether the king is captured already, or can be captured with the next of the remaining
    /// dice. This is as deep as the rules on legal moves need to look, because a capture with the
    /// last of three dice spends the most dice anyway.
    #[inline(always)]
    fn wins_next(&self, rest: Option<Pool>) -> bool {
        self.end().is_some() || rest.is_some_and(|rest| self.attackers() & rest.set() != 0)
    }

    /// The legal moves with the remaining dice; a pass when there are none.
    pub(super) fn moves_of_pool(&self, pool: Pool) -> Moves {
        let mut moves = Moves::new();
        if pool.count() == 1 {
            self.each_step(pool, |(mv, ..)| moves.push(mv));
        } else {
            let (all, mut most) = (pool.count(), 0);
            let mut spent: ArrayVec<u32, MAX_MOVES> = ArrayVec::new();
            self.each_step(pool, |(mv, dice, rest)| {
                let next = self.amid(mv);
                let dice = dice + next.spendable(rest);
                most = most.max(dice);
                moves.push(mv);
                // A turn that captures the king is legal however many dice it spends.
                spent.push(if dice < all && next.wins_next(rest) { all } else { dice });
            });
            let mut spent = spent.into_iter();
            moves.retain(|_| spent.next().is_some_and(|dice| dice >= most));
        }
        if moves.is_empty() {
            moves.push(Move::PASS);
        }
        moves
    }

    /// One of the legal moves, each equally likely. Most moves can be recognised as legal without
    /// looking at the others, so a move is drawn and checked, and another one is drawn if it is
    /// illegal.
    pub(super) fn pick_of_pool(&self, pool: Pool, random: &mut Random) -> Move {
        let mut steps: ArrayVec<Step, MAX_MOVES> = ArrayVec::new();
        self.each_step(pool, |step| steps.push(step));
        if steps.is_empty() {
            return Move::PASS;
        }
        let all = pool.count();
        let mut most = None;
        loop {
            let &(mv, dice, rest) = random.pick(&steps);
            let next = self.amid(mv);
            let dice = dice + if all == 1 { 0 } else { next.spendable(rest) };
            let enough = dice == all || next.wins_next(rest);
            if enough || dice == *most.get_or_insert_with(|| self.spendable(Some(pool))) {
                return mv;
            }
        }
    }

    /// Plays a move of a turn with three dice. Returns the remaining dice if any of them can be
    /// spent.
    pub(super) fn play_step(&mut self, pool: Pool, mv: Move) -> Option<Pool> {
        let Some(kind) = mv.kind() else {
            self.pass_on(true);
            return None;
        };
        if self.advance(mv) {
            self.restart_clock();
        }
        let rest = if mv.castles() { after_castling(pool) } else { pool.without(kind) };
        let rest = rest.filter(|rest| rest.set() & self.movable() != 0);
        if rest.is_none() || self.end().is_some() {
            self.pass_on(true);
            return None;
        }
        rest
    }

    /// Calls `visit` once with each position in which a turn with these dice can end. Different
    /// orders of the same moves are already merged after two moves.
    pub(super) fn each_end(&self, pool: Pool, mut visit: impl FnMut(&Self)) {
        let mut ends = Distinct::default();
        // Positions with the dice left, each with the move that has led to it.
        let mut level = vec![((*self, pool), Move::PASS)];
        while !level.is_empty() {
            let mut next = Distinct::default();
            let mut last_moves = vec![];
            for ((position, pool), last) in level {
                for mv in position.moves_of_pool(pool) {
                    if pool.count() == 1 && position.is_found_otherwise(last, mv) {
                        continue;
                    }
                    let mut after = position;
                    match after.play_step(pool, mv) {
                        Some(rest) if next.add((after, rest)) => last_moves.push(mv),
                        None if ends.add(after) => visit(&after),
                        _ => {}
                    }
                }
            }
            level = next.items.into_iter().zip(last_moves).collect();
        }
    }

    /// Whether `mv`, made with the last die after `last`, leads to an end that is also reached by
    /// making the two moves in the other order. In every such pair one move goes before the other,
    /// so that exactly one order always remains. A capture of the king ends the turn, so nothing
    /// can follow it.
    #[inline(always)]
    fn is_found_otherwise(&self, last: Move, mv: Move) -> bool {
        let king = self.pieces(Kind::King) & self.enemies();
        mv.goes_before(last) && king & mv.to().bit() == 0 && mv.swaps_with(last)
    }
}

/// The dice that castling leaves: it spends one of a king and one of a rook.
fn after_castling(pool: Pool) -> Option<Pool> {
    pool.without(Kind::King)?.without(Kind::Rook)
}

/// A set that keeps its items in the order in which they were added.
struct Distinct<T> {
    items: Vec<T>,
    /// A hash table of indices into `items`, counted from 1, with 0 for none; its length is a power
    /// of 2.
    places: Vec<u32>,
}

impl<T> Default for Distinct<T> {
    fn default() -> Self {
        Self { items: vec![], places: vec![0; 64] }
    }
}

impl<T: Eq + std::hash::Hash> Distinct<T> {
    /// Adds something; returns whether it is new.
    fn add(&mut self, item: T) -> bool {
        if 2 * self.items.len() >= self.places.len() {
            let mut places = vec![0; 4 * self.places.len()];
            for (n, known) in (1..).zip(&self.items) {
                let mut at = quick_hash(known) as usize & (places.len() - 1);
                while places[at] != 0 {
                    at = (at + 1) & (places.len() - 1);
                }
                places[at] = n;
            }
            self.places = places;
        }
        let mut at = quick_hash(&item) as usize & (self.places.len() - 1);
        while self.places[at] != 0 {
            if self.items[self.places[at] as usize - 1] == item {
                return false;
            }
            at = (at + 1) & (self.places.len() - 1);
        }
        self.items.push(item);
        self.places[at] = self.items.len() as u32;
        true
    }
}
