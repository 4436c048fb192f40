//! A turn of three dice: which move may come first, and where all moves end.
//!
//! As many dice must be spent as any order allows, except that a turn that captures the
//! king is legal whatever it spends. So a move is legal when it lies on a turn that
//! spends the most, or on one that captures the king.
//!
//! What is legal follows from the position and the dice left alone, which is all that a
//! DFEN text holds: how the turn began is not remembered. The price is that a turn may
//! begin as if to capture the king and then spend fewer dice without doing so. Whoever
//! does that could win at once instead, so no value and no best move depends on it, and
//! neither the position nor its text needs a note on what the turn still owes.

use arrayvec::ArrayVec;
use wurfel_core::{Random, quick_hash};

use super::dice::Pool;
use super::kind::Kind;
use super::moves::{MAX_MOVES, Move, Moves};
use super::position::Position;
use super::variants::RuleSet;

/// A move with the number of dice that it spends and what it leaves of them.
type Step = (Move, u32, Option<Pool>);

impl<R: RuleSet> Position<R> {
    /// Calls `visit` with each move that some of the dice allow, whatever follows.
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

    /// The position after a move, with the same side to go on.
    #[inline(always)]
    fn amid(&self, mv: Move) -> Self {
        let mut next = *self;
        next.advance(mv);
        next
    }

    /// The most dice that can be spent.
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

    /// Whether the king is captured, or is next with what is left of the dice. Legal moves need
    /// no look further ahead: what captures the king with the last of three dice spends the most.
    #[inline(always)]
    fn wins_next(&self, rest: Option<Pool>) -> bool {
        self.end().is_some() || rest.is_some_and(|rest| self.attackers() & rest.set() != 0)
    }

    /// The legal moves with what is left of three dice; a pass when there are none.
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
                // What wins is legal whatever it spends.
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

    /// One of the legal moves, each equally likely. Most moves can be seen to be legal
    /// without looking at the others: what is drawn is checked, and drawn again.
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

    /// Plays a move of a turn with three dice; what is left of them, if any of it
    /// can be spent.
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

    /// Calls `visit` with each position that a turn with these dice can end in, each
    /// once. Orders of the same moves meet again after two of them already.
    pub(super) fn each_end(&self, pool: Pool, mut visit: impl FnMut(&Self)) {
        let mut ends = Distinct::default();
        let mut level = vec![(*self, pool)];
        while !level.is_empty() {
            let mut next = Distinct::default();
            for (position, pool) in level {
                for mv in position.moves_of_pool(pool) {
                    let mut after = position;
                    match after.play_step(pool, mv) {
                        Some(rest) => {
                            next.add((after, rest));
                        }
                        None if ends.add(after) => visit(&after),
                        None => {}
                    }
                }
            }
            level = next.items;
        }
    }
}

/// What castling leaves: it spends a king's and a rook's die.
fn after_castling(pool: Pool) -> Option<Pool> {
    pool.without(Kind::King)?.without(Kind::Rook)
}

/// Things of which none is equal to another, found by hash.
struct Distinct<T> {
    items: Vec<T>,
    /// Places in `items` from 1, 0 where there is none; a power of 2 of them.
    places: Vec<u32>,
}

impl<T> Default for Distinct<T> {
    fn default() -> Self {
        Self { items: vec![], places: vec![0; 64] }
    }
}

impl<T: Eq + std::hash::Hash> Distinct<T> {
    /// Adds something; whether it was not there.
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
