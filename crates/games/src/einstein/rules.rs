//! The rules of EWN: [`Position`] as a [`Game`].

use std::fmt;

use wurfel_core::{
    Fan, Game, NotationError, Outcome, Random, RandomGame, RandomGames, Side, Situation, Weighted,
};

use super::cube::Cube;
use super::moves::{Move, Moves, pick};
use super::notation;
use super::position::Position;
use super::random_games::{MIN_GAMES, RandomGameInstructions, single};
use super::rolls::{Die, FACES, RuleSet};

impl<R: RuleSet> Game for Position<R> {
    type Roll = Die;
    type Move = Move;
    type Rolls = &'static [Weighted<Die>];
    type Moves = Moves;

    const DICE: &'static [Weighted<Die>] = &FACES;
    const GAMES_TOGETHER: u32 = MIN_GAMES;

    #[inline(always)]
    fn side(&self) -> Side {
        self.mover()
    }

    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        self.winner().map(Outcome::Win)
    }

    #[inline(always)]
    fn rolls(&self) -> &'static [Weighted<Die>] {
        R::ROLLS.merged(self.alive())
    }

    #[inline(always)]
    fn draw_roll(&self, random: &mut Random) -> (usize, Die) {
        let die = Die::rolled(random);
        (R::ROLLS.place(self.alive(), die), die)
    }

    #[inline(always)]
    fn moves(&self, die: Die) -> Moves {
        let (first, second) = R::ROLLS.pair(self.alive(), die);
        Moves::of(self.steps(first), self.steps(second))
    }

    #[inline(always)]
    fn pick(&self, die: Die, random: &mut Random) -> Option<Move> {
        let (first, second) = R::ROLLS.pair(self.alive(), die);
        pick(self.steps(first), self.steps(second), random)
    }

    #[inline]
    fn random_game(&self, roll: Option<Die>, random: &mut Random) -> RandomGame {
        match self.outcome() {
            Some(outcome) => RandomGame { outcome, plies: 0 },
            None => single::play(self, roll, random),
        }
    }

    fn random_games(&self, roll: Option<Die>, games: u32, random: &mut Random) -> RandomGames {
        self.random_games_with(RandomGameInstructions::best(), roll, games, random)
    }

    #[inline(always)]
    fn ends(&self, die: Die, mut visit: impl FnMut(&Self)) {
        let (first, second) = R::ROLLS.pair(self.alive(), die);
        for mv in self.steps(first).iter().chain(self.steps(second).iter()) {
            visit(&self.after(mv));
        }
    }

    /// Evaluates each step once, however many faces of the die allow it.
    #[inline(always)]
    fn mean_of_best(&self, mut value: impl FnMut(&Self) -> f32) -> f32 {
        let alive = self.alive();
        let mut best = [0.0; 8];
        let mut left = alive;
        while left != 0 {
            let cube = Cube::known(left.trailing_zeros() as u8);
            for mv in self.steps(cube).iter() {
                let value = value(&self.after(mv));
                best[cube.index()] = f32::max(best[cube.index()], value);
            }
            left &= left - 1;
        }
        let mut sum = 0.0;
        for &Weighted { item: die, weight } in R::ROLLS.merged(alive) {
            let (first, second) = R::ROLLS.pair(alive, die);
            sum += weight as f32 * f32::max(best[first.index() & 7], best[second.index() & 7]);
        }
        sum / 6.0
    }

    /// Each cube that can move is a group; a roll allows the groups of its one or two cubes.
    #[inline]
    fn fan(&self, fan: &mut Fan<Self>) {
        fan.clear();
        let alive = self.alive();
        let mut groups = [0; 8];
        for cube in Cube::ALL {
            if alive >> cube.index() & 1 == 1 {
                for mv in self.steps(cube).iter() {
                    fan.add_end(self.after(mv));
                }
                groups[cube.index()] = 1 << fan.close_group();
            }
        }
        for &Weighted { item: die, weight } in R::ROLLS.merged(alive) {
            let (first, second) = R::ROLLS.pair(alive, die);
            fan.add_roll(weight, groups[first.index() & 7] | groups[second.index() & 7]);
        }
    }

    #[inline(always)]
    fn play(&mut self, _die: Die, mv: Move) -> Option<Die> {
        self.advance(mv);
        None
    }

    fn ply(&self) -> u32 {
        self.number_of_turn()
    }

    fn read(text: &str) -> Result<Situation<Self>, NotationError> {
        notation::read(text)
    }

    fn write(&self, roll: Option<Die>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        notation::write(self, roll, f)
    }
}
