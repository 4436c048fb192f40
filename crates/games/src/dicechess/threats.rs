//! The probability that the side to move captures the king with its next roll.

use super::dice::{Pool, THREE};
use super::kind::Kind;
use super::position::Position;
use super::variants::RuleSet;

impl<R: RuleSet> Position<R> {
    /// The exact share of rolls, 0 to 1, with which the **side to move** can capture the king in
    /// this turn. 0 once the game is over.
    ///
    /// With three dice, every way to prepare the capture by one or two moves is tried, which takes
    /// some ten microseconds or more.
    #[inline(always)]
    pub fn king_capture_chance(&self) -> f32 {
        if self.end().is_some() {
            return 0.0;
        }
        if R::THREE_DICE {
            return self.three_dice_chance();
        }
        let attackers = self.attackers();
        if attackers == 0 {
            return 0.0;
        }
        attackers.count_ones() as f32 / self.movable().count_ones() as f32
    }

    /// The share for three dice. All sequences of two moves are played once, whatever the dice are,
    /// to find which orders of dice capture the king.
    fn three_dice_chance(&self) -> f32 {
        let wins = self.wins();
        share(|dice| wins.by_one_or_two(dice) || wins.by_three(dice))
    }

    /// The share of rolls of three dice in which two of the dice capture the king. It takes a
    /// hundredth of the work and is a lower bound of
    /// [`king_capture_chance`](Self::king_capture_chance).
    pub(super) fn two_dice_chance(&self) -> f32 {
        let mut wins = Wins { one: self.attackers(), ..Wins::default() };
        for first in Kind::ALL {
            if wins.one & first.bit() == 0 {
                self.each_move(first, |mv| {
                    let mut next = *self;
                    next.advance(mv);
                    wins.two[first as usize] |= next.attackers();
                });
            }
        }
        share(|dice| wins.by_one_or_two(dice))
    }

    fn wins(&self) -> Wins {
        let mut wins = Wins { one: self.attackers(), ..Wins::default() };
        // A die that captures the king by itself need not be spent on preparing that.
        let idle = |kind: &Kind| wins.one & kind.bit() == 0;
        for first in Kind::ALL.into_iter().filter(idle) {
            self.each_move(first, |mv| {
                let mut next = *self;
                next.advance(mv);
                wins.two[first as usize] |= next.attackers();
                for second in Kind::ALL.into_iter().filter(idle) {
                    let found = &mut wins.three[first as usize][second as usize];
                    next.each_move(second, |mv| {
                        let mut last = next;
                        last.advance(mv);
                        *found |= last.attackers();
                    });
                }
            });
        }
        if idle(&Kind::King) && idle(&Kind::Rook) {
            self.each_castling(|mv| {
                let mut next = *self;
                next.advance(mv);
                wins.three[Kind::King as usize][Kind::Rook as usize] |= next.attackers();
            });
        }
        wins
    }
}

/// The share of rolls of three dice for which `wins` is true.
fn share(wins: impl Fn(Pool) -> bool) -> f32 {
    let won = THREE.iter().filter(|roll| wins(roll.item));
    won.map(|roll| roll.weight).sum::<u32>() as f32 / 216.0
}

/// The orders of dice that capture the king, with the last die of each as a set of kinds.
#[derive(Default)]
struct Wins {
    one: u8,
    /// The last of two dice, by the first.
    two: [u8; 7],
    /// The last of three dice, by the first and the second.
    three: [[u8; 7]; 7],
}

impl Wins {
    /// Whether one or two of these dice capture the king.
    fn by_one_or_two(&self, pool: Pool) -> bool {
        let last = |first: Kind| pool.without(first).map_or(0, Pool::set);
        self.one & pool.set() != 0
            || pool.kinds().any(|first| self.two[first as usize] & last(first) != 0)
    }

    /// Whether all three dice capture the king in some order.
    fn by_three(&self, pool: Pool) -> bool {
        pool.kinds().any(|first| {
            let Some(rest) = pool.without(first) else { return false };
            let last = |second: Kind| rest.without(second).map_or(0, Pool::set);
            let wins = &self.three[first as usize];
            rest.kinds().any(|second| wins[second as usize] & last(second) != 0)
        })
    }
}
