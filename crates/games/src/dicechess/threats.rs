//! How probable it is that the side to move captures the king at once.

use super::dice::{Pool, THREE};
use super::kind::Kind;
use super::position::Position;
use super::variants::RuleSet;

impl<R: RuleSet> Position<R> {
    /// The share of throws, 0 to 1, with which the **side to move** can capture the
    /// king in this turn. Exact. 0 once the game is over.
    ///
    /// With three dice every way to prepare the capture by one or two moves is
    /// tried, which takes some ten microseconds and more.
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

    /// Every two moves are played once, whatever the dice: what is found are the orders
    /// of dice that win.
    fn three_dice_chance(&self) -> f32 {
        let wins = self.wins();
        let won = THREE.iter().filter(|throw| {
            wins.with_all(throw.item) || (wins.with_two(throw.item) && self.wins_with(throw.item))
        });
        won.map(|throw| throw.weight).sum::<u32>() as f32 / 216.0
    }

    /// The share of throws of three dice with which two of them capture the king at once: a
    /// hundredth of the work, and no more than [`king_capture_chance`](Self::king_capture_chance)
    /// but where two dice win that may not be spent so.
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
        let won = THREE
            .iter()
            .filter(|throw| wins.one & throw.item.set() != 0 || wins.with_two(throw.item));
        won.map(|throw| throw.weight).sum::<u32>() as f32 / 216.0
    }

    fn wins(&self) -> Wins {
        let mut wins = Wins { one: self.attackers(), ..Wins::default() };
        // A die that wins by itself need not be spent on anything else.
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

    /// Whether some legal order of moves with these dice captures the king.
    fn wins_with(&self, pool: Pool) -> bool {
        if self.attackers() & pool.set() != 0 {
            return true;
        }
        pool.count() > 1
            && self.moves_of_pool(pool).into_iter().any(|mv| {
                let mut next = *self;
                let rest = next.play_step(pool, mv);
                rest.is_some_and(|rest| next.wins_with(rest))
            })
    }
}

/// Orders of dice that capture the king; the last die of each as a set.
#[derive(Default)]
struct Wins {
    one: u8,
    /// By the first die.
    two: [u8; 7],
    /// By the first die and the second.
    three: [[u8; 7]; 7],
}

impl Wins {
    /// Whether one die of these wins, or all three do: nobody can spend more.
    fn with_all(&self, pool: Pool) -> bool {
        let orders = |first: Kind| {
            let rest = pool.without(first);
            let wins = |second: Kind| {
                let last = rest.and_then(|rest| rest.without(second)).map_or(0, Pool::set);
                self.three[first as usize][second as usize] & last != 0
            };
            rest.is_some_and(|rest| rest.kinds().any(wins))
        };
        self.one & pool.set() != 0 || pool.kinds().any(orders)
    }

    /// Whether two of these dice win, where that may be against the rule that the
    /// most dice are to be spent.
    fn with_two(&self, pool: Pool) -> bool {
        let second = |first: Kind| pool.without(first).map_or(0, Pool::set);
        pool.kinds().any(|first| self.two[first as usize] & second(first) != 0)
    }
}
