//! The rules of Dice Chess: [`Position`] as a [`Game`].

use std::fmt;

use wurfel_core::{Game, NotationError, Outcome, Random, Side, Situation, Weighted};

use super::basic::captured;
use super::dice::Pool;
use super::kind::Kind;
use super::moves::{Move, Moves};
use super::notation;
use super::position::Position;
use super::variants::{DiceCount, Variant};

impl<D: DiceCount> Game for Position<D> {
    type Roll = Pool;
    type Move = Move;
    type Rolls = &'static [Weighted<Pool>];
    type Moves = Moves;

    const DICE: &'static [Weighted<Pool>] = D::DICE;

    #[inline(always)]
    fn side(&self) -> Side {
        self.mover()
    }

    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        self.end()
    }

    #[inline(always)]
    fn rolls(&self) -> &'static [Weighted<Pool>] {
        D::ROLLS.merged(self.movable())
    }

    #[inline(always)]
    fn moves(&self, pool: Pool) -> Moves {
        if D::THREE_DICE { self.moves_of_pool(pool) } else { self.moves_of_die(pool.first()) }
    }

    #[inline(always)]
    fn count(&self, pool: Pool) -> usize {
        if D::THREE_DICE { self.moves_of_pool(pool).len() } else { self.count_of_die(pool.first()) }
    }

    #[inline(always)]
    fn pick(&self, pool: Pool, random: &mut Random) -> Option<Move> {
        if D::THREE_DICE {
            return Some(self.pick_of_pool(pool, random));
        }
        let moves = self.moves(pool);
        (!moves.is_empty()).then(|| *random.pick(&moves))
    }

    #[inline(always)]
    fn ends(&self, pool: Pool, mut visit: impl FnMut(&Self)) {
        if D::THREE_DICE {
            self.each_end(pool, visit);
        } else {
            self.each_of_die(pool.first(), |mv| visit(&self.after(mv)));
        }
    }

    fn winning_rolls(&self) -> Option<Vec<Pool>> {
        D::THREE_DICE.then(|| self.capturing_rolls())
    }

    #[inline(always)]
    fn play(&mut self, pool: Pool, mv: Move) -> Option<Pool> {
        if D::THREE_DICE {
            return self.play_step(pool, mv);
        }
        let zeroing = self.advance(mv);
        self.count_turn(!zeroing);
        self.pass_on();
        None
    }

    fn ply(&self) -> u32 {
        self.number_of_turn()
    }

    fn read(text: &str) -> Result<Situation<Self>, NotationError> {
        notation::read(text, Variant::Standard, false)
    }

    fn read_alike(&self, text: &str) -> Result<Situation<Self>, NotationError> {
        notation::read(text, self.variant(), false)
    }

    /// A pawn that captures the king on its last rank ends the game, whatever it would have become, so
    /// that other programs write such a move without a letter: `d7e8`. The first promotion is meant,
    /// to a queen if the die allows it.
    fn is_meant(&self, mv: Move, text: &str) -> bool {
        let name = mv.to_string();
        name.eq_ignore_ascii_case(text)
            || mv.promotion().is_some()
                && captured(self, mv) == Some(Kind::King)
                && name[..name.len() - 1].eq_ignore_ascii_case(text)
    }

    fn write(&self, roll: Option<Pool>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        notation::write(self, roll, f)
    }
}

impl<D: DiceCount> Position<D> {
    /// The position after a move of a turn with one die.
    #[inline(always)]
    fn after(&self, mv: Move) -> Self {
        let mut next = *self;
        let zeroing = next.advance(mv);
        next.count_turn(!zeroing);
        next.pass_on();
        next
    }
}
