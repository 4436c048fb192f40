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
use wurfel_core::Random;

use super::attacks;
use super::dice::Pool;
use super::kind::Kind;
use super::moves::{MAX_MOVES, Move, Moves};
use super::position::{Position, QuietEnd};
use super::square::{Square, each};
use super::variants::DiceCount;

/// A move, how many dice it spends, and the dice that it leaves.
type Step = (Move, u32, Option<Pool>);

impl<D: DiceCount> Position<D> {
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
        let all = pool.count();
        if all == 1 {
            return u32::from(self.can_move_kind(pool.first()));
        }
        if all == 2 && self.surely_spends_two(pool) {
            return 2;
        }
        let mut most = 0;
        self.each_step(pool, |(mv, spent, rest)| {
            most = most.max(spent);
            if most < all && !(all == 2 && self.stays_blocked(mv, rest)) {
                most = most.max(spent + self.amid(mv).spendable(rest));
            }
        });
        most
    }

    /// Whether a quick test shows that both of two dice can be spent: a move takes at most one of
    /// the squares that pieces of another kind could step to, and a piece other than a pawn can step
    /// back.
    #[inline(always)]
    fn surely_spends_two(&self, pool: Pool) -> bool {
        let (one, other) = (pool.first(), pool.last());
        let king = self.pieces(Kind::King) & self.enemies();
        let steps = |kind| self.steps_of_kind(kind) & !king;
        let several = |squares: u64| squares & squares.wrapping_sub(1) != 0;
        let (ones, others) = (steps(one), steps(other));
        if one == other {
            return if one == Kind::Pawn { several(ones) } else { ones != 0 };
        }
        ones != 0 && others != 0 && (several(ones) || several(others))
    }

    /// Whether a quick test shows that the last die cannot be spent after this move: pieces other
    /// than pawns that cannot move now are freed only by a move from a square beside them, or
    /// joined by a pawn that promotes.
    #[inline(always)]
    fn stays_blocked(&self, mv: Move, rest: Option<Pool>) -> bool {
        rest.map(Pool::first).is_some_and(|kind| {
            let beside = self.squares_beside(kind);
            kind != Kind::Pawn
                && mv.is_plain()
                && mv.kind() != Some(kind)
                && beside & !self.own_pieces() == 0
                && beside & mv.from().bit() == 0
        })
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
        let begins = pool.count() == 3;
        let Some(kind) = mv.kind() else {
            self.pass_with(begins);
            return None;
        };
        self.step(mv, begins);
        let rest = if mv.castles() { after_castling(pool) } else { pool.without(kind) };
        let rest = rest.filter(|rest| rest.set() & self.movable() != 0);
        if rest.is_none() || self.end().is_some() {
            self.pass_on();
            return None;
        }
        rest
    }

    /// Calls `visit` once with each position in which a turn with these dice can end.
    #[inline(always)]
    pub(super) fn each_end(&self, pool: Pool, visit: impl FnMut(&Self)) {
        self.all_ends(pool).iter().for_each(visit);
    }

    /// The positions in which a turn with these dice can end, each once. Turns are continued move
    /// by move, all of them at the same time. Of two moves that can be made in either order only
    /// one order is followed, as far as the moves themselves show that, and equal positions are
    /// merged after the second move and at the end.
    fn all_ends(&self, pool: Pool) -> Vec<Self> {
        let start = Open { position: *self, rest: pool, last: Move::PASS, swaps: true };
        let mut ends = Distinct::new(if pool.count() == 3 { 256 } else { 32 });
        match pool.count() {
            1 => start.finish(&mut ends),
            2 => {
                let mut second = Distinct::new(32);
                start.go_on(&mut ends, &mut second);
                second.items.iter().for_each(|open| open.finish(&mut ends));
            }
            _ => {
                let mut second = Distinct::new(64);
                for open in start.begin(&mut ends) {
                    // Castling has spent two dice.
                    if open.rest.count() == 1 {
                        open.finish(&mut ends);
                    } else {
                        open.go_on(&mut ends, &mut second);
                    }
                }
                second.items.iter().for_each(|open| open.finish(&mut ends));
            }
        }
        if ends.items.is_empty() {
            let mut passed = *self;
            passed.pass_with(pool.count() == 3);
            ends.add_over(passed);
        }
        ends.items
    }

    /// Makes a move of a turn that may go on. `begins` says that it is the first.
    #[inline(always)]
    fn step(&mut self, mv: Move, begins: bool) {
        let zeroing = self.advance(mv);
        if begins {
            self.count_turn(!zeroing);
        } else if zeroing {
            self.restart_clock();
        }
    }

    /// Passes with the dice that are left, which are all of the turn's if it `begins`.
    fn pass_with(&mut self, begins: bool) {
        if begins {
            self.count_turn(true);
        }
        self.pass_on();
    }

    /// The position after a move of a turn that may go on. `begins` says that it is the first.
    #[inline(always)]
    fn stepped(&self, mv: Move, begins: bool) -> Self {
        let mut next = *self;
        next.step(mv, begins);
        next
    }

    /// Calls `visit` with each move of one die, except for those that lead, after `last`, to a
    /// position that is also reached by making the two moves in the other order.
    #[inline(always)]
    fn each_new_move(
        &self,
        kind: Kind,
        last: &Last,
        is_first: impl Fn(Move) -> bool,
        mut visit: impl FnMut(Move),
    ) {
        if kind == Kind::Pawn {
            let king = self.pieces(Kind::King) & self.enemies();
            self.each_move(Kind::Pawn, |mv| {
                let swaps = mv.swaps_with(last.mv) && mv.to().bit() & king == 0;
                if !(swaps && is_first(mv)) {
                    visit(mv);
                }
            });
        } else {
            self.each_non_pawn(kind, |from, squares| {
                let mut squares = squares;
                if last.comes_after(kind, from) {
                    squares &= !self.swapping(kind, from, squares, last);
                }
                each(squares, |to| visit(Move::new(from, to, u16::from(kind.number()))));
            });
        }
    }

    /// Those of the squares that a piece can enter which it could have entered before the last move
    /// with the same result. A capture of the king ends the turn, so nothing can follow it.
    #[inline(always)]
    fn swapping(&self, kind: Kind, from: Square, squares: u64, last: &Last) -> u64 {
        let left = last.mv.from().bit();
        let mut swapping = squares & !last.way & !(self.pieces(Kind::King) & self.enemies());
        if squares & left != 0 {
            // Nor could a slider pass over the square that is empty only since that move.
            swapping &= attacks::non_pawn(kind, from, self.occupied() | left);
        }
        swapping
    }
}

/// A position in the middle of a turn.
#[derive(Clone, Copy)]
struct Open<D: DiceCount> {
    position: Position<D>,
    /// The dice that are left; at least one of them can be spent.
    rest: Pool,
    /// The move that has led here, a pass at the beginning.
    last: Move,
    /// Whether the turn so far was legal because it spends the most dice, so that every other order
    /// of its moves is legal, too.
    swaps: bool,
}

/// Compares the positions and the dice, which decide how a turn can go on; of the moves that have
/// led there, any will do.
impl<D: DiceCount> PartialEq for Open<D> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position && self.rest == other.rest
    }
}

impl<D: DiceCount> Open<D> {
    /// Makes the first move of a turn with three dice. Different moves lead to different positions.
    fn begin(&self, ends: &mut Distinct<Position<D>>) -> Vec<Self> {
        let (position, all) = (&self.position, self.rest.count());
        let (mut steps, mut most) = (Vec::with_capacity(64), 0);
        position.each_step(self.rest, |(mv, spent, rest)| {
            let after = position.stepped(mv, true);
            let more = after.spendable(rest);
            most = most.max(spent + more);
            steps.push((mv, after, spent + more, rest.filter(|_| more > 0)));
        });
        let mut open = Vec::with_capacity(steps.len());
        for (mv, after, dice, rest) in steps {
            let swaps = dice == most;
            // A turn that captures the king is legal however many dice it spends.
            if !swaps && (dice == all || !after.wins_next(rest)) {
                continue;
            }
            match rest {
                Some(rest) => open.push(Self { position: after, rest, last: mv, swaps }),
                None => ends.add_end(after),
            }
        }
        open
    }

    /// Makes a move that leaves one of two dice.
    fn go_on(&self, ends: &mut Distinct<Position<D>>, next: &mut Distinct<Self>) {
        let (position, pool) = (&self.position, self.rest);
        let both = position.spendable(Some(pool)) == 2;
        let last = Last::new(if both && self.swaps { self.last } else { Move::PASS });
        let mut step = |mv: Move, rest: Option<Pool>| {
            let after = position.stepped(mv, false);
            let goes_on = after.end().is_none();
            match rest {
                Some(rest) if goes_on && after.can_move_kind(rest.first()) => {
                    next.add_open(Self { position: after, rest, last: mv, swaps: true });
                }
                Some(_) if goes_on && both => {}
                _ => ends.add_end(after),
            }
        };
        for kind in Kind::ALL {
            if pool.set() & kind.bit() != 0 {
                let rest = pool.without(kind);
                let is_first = |mv: Move| mv.is_listed_before(last.mv);
                position.each_new_move(kind, &last, is_first, |mv| step(mv, rest));
            }
        }
        let castles = Kind::King.bit() | Kind::Rook.bit();
        if pool.set() & castles == castles {
            position.each_castling(|mv| step(mv, None));
        }
    }

    /// Spends the last die.
    fn finish(&self, ends: &mut Distinct<Position<D>>) {
        let (position, kind) = (&self.position, self.rest.first());
        let last = Last::new(self.last);
        let quiet = QuietEnd::new(position, kind);
        let is_first = |mv: Move| mv.goes_before(last.mv);
        position.each_new_move(kind, &last, is_first, |mv| {
            if kind != Kind::Pawn && !position.captures(mv) {
                ends.add_over(quiet.after(mv));
            } else {
                ends.add_end(position.stepped(mv, false));
            }
        });
    }
}

/// A move that was just made, and what decides whether another one could have been made before it.
struct Last {
    mv: Move,
    /// The number of the kind whose moves by pieces on lower squares go before this move; 0 when
    /// the move swaps with no other.
    kind: u8,
    /// The squares that the piece has left, passed over and entered.
    way: u64,
}

impl Last {
    #[inline(always)]
    fn new(mv: Move) -> Self {
        let kind = if mv.is_plain() { mv.kind().map_or(0, Kind::number) } else { 0 };
        Self { mv, kind, way: mv.way() }
    }

    /// Whether moves of a piece of this kind, not a pawn, on this square go before the move. The
    /// piece that has moved cannot have moved on before.
    #[inline(always)]
    fn comes_after(&self, kind: Kind, from: Square) -> bool {
        let (number, square) = (kind.number(), self.mv.from());
        (number < self.kind || number == self.kind && from < square) && from != self.mv.to()
    }
}

/// The dice that castling leaves: it spends one of a king and one of a rook.
fn after_castling(pool: Pool) -> Option<Pool> {
    pool.without(Kind::King)?.without(Kind::Rook)
}

/// A set that keeps its items in the order in which they were added.
struct Distinct<T> {
    items: Vec<T>,
    /// A hash table. Each entry has half of an item's hash above the item's place in `items`,
    /// counted from 1; 0 stands for none. Its length is a power of 2.
    places: Vec<u64>,
}

/// The half of an entry that has an item's place.
const PLACE: u64 = 0xFFFF_FFFF;

impl<T: PartialEq> Distinct<T> {
    /// An empty set with memory for this many items.
    fn new(expected: usize) -> Self {
        let places = vec![0; 2 * expected.next_power_of_two()];
        Self { items: Vec::with_capacity(expected), places }
    }

    /// Adds an item unless it is known.
    #[inline(always)]
    fn add(&mut self, hash: u64, item: T) {
        if 2 * self.items.len() >= self.places.len() {
            self.grow();
        }
        let last = self.places.len() - 1;
        let mut at = (hash >> 32) as usize & last;
        loop {
            let entry = self.places[at & last];
            if entry == 0 {
                break;
            }
            if (entry ^ hash) & !PLACE == 0 && self.items[(entry & PLACE) as usize - 1] == item {
                return;
            }
            at += 1;
        }
        self.items.push(item);
        self.places[at & last] = hash & !PLACE | self.items.len() as u64;
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let known = std::mem::take(&mut self.places);
        self.places = vec![0; 4 * known.len()];
        let last = self.places.len() - 1;
        for entry in known.into_iter().filter(|&entry| entry != 0) {
            let mut at = (entry >> 32) as usize & last;
            while self.places[at] != 0 {
                at = (at + 1) & last;
            }
            self.places[at] = entry;
        }
    }
}

impl<D: DiceCount> Distinct<Position<D>> {
    /// Adds the position after the last move of a turn, once the turn is over.
    #[inline(always)]
    fn add_end(&mut self, mut position: Position<D>) {
        position.pass_on();
        self.add_over(position);
    }

    #[inline(always)]
    fn add_over(&mut self, position: Position<D>) {
        self.add(position.hash_in_turn(), position);
    }
}

impl<D: DiceCount> Distinct<Open<D>> {
    #[inline(always)]
    fn add_open(&mut self, open: Open<D>) {
        self.add(open.position.hash_in_turn() ^ open.rest.mixed(), open);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::dicechess::DiceChess3;
    use wurfel_core::{Game, draw};

    /// All ends of a turn, by playing its legal moves in every order.
    fn plain(position: &DiceChess3, pool: Pool, ends: &mut HashSet<DiceChess3>) {
        let mut level = HashSet::from([(*position, pool)]);
        while !level.is_empty() {
            let mut next = HashSet::new();
            for (position, pool) in level {
                for mv in position.moves_of_pool(pool) {
                    let mut after = position;
                    match after.play_step(pool, mv) {
                        Some(rest) => _ = next.insert((after, rest)),
                        None => _ = ends.insert(after),
                    }
                }
            }
            level = next;
        }
    }

    fn check(position: &DiceChess3, pool: Pool) -> usize {
        let (mut expected, mut actual) = (HashSet::new(), HashSet::new());
        plain(position, pool, &mut expected);
        position
            .each_end(pool, |end| assert!(actual.insert(*end), "{end} twice: {position} {pool}"));
        assert_eq!(actual, expected, "{position} {pool}");
        actual.len()
    }

    #[test]
    fn ends_are_those_of_all_orders_of_legal_moves() {
        let mut random = Random::new(7);
        let mut most = 0;
        for _ in 0..3 {
            let mut position = DiceChess3::default();
            while position.outcome().is_none() {
                for roll in position.rolls() {
                    most = most.max(check(&position, roll.item));
                }
                let mut rest = Some(draw(position.rolls(), &mut random));
                while let Some(dice) = rest {
                    check(&position, dice);
                    rest = position.play_step(dice, *random.pick(&position.moves_of_pool(dice)));
                }
            }
        }
        assert!(most > 1000, "{most}");
    }

    /// These positions combine castling, promotions, captures en passant and double steps.
    #[test]
    fn ends_with_special_moves_are_those_of_all_orders_of_legal_moves() {
        for text in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/pP1pqpb1/bn2pnp1/2pPN3/1p2P3/2N2Q1p/PPPBBPP1/R3K2R w KQkq c6 0 2",
            "n1n1k3/PPPP4/8/8/8/8/4pppp/3K1N1N b - - 0 1",
            "4k3/8/8/pPpPp3/8/8/P1P1P3/R3K2R w KQ a6c6e6 0 20",
        ] {
            let position: DiceChess3 = text.parse().unwrap();
            for roll in position.rolls() {
                check(&position, roll.item);
            }
        }
    }
}
