//! Whole turns of three dice: all orders of all dice first, then the rule as it is told.

use arrayvec::ArrayVec;

use super::{Cell, Mailbox, Step};

/// The letters of the die, by number from 1.
const KINDS: &str = "PNBRQK";

/// Dice that are still to be spent, by letter.
type Dice = ArrayVec<char, 3>;

/// The turns that begin with one step.
pub struct Begun {
    /// None: no die can be spent.
    pub step: Option<Step>,
    /// The dice that it leaves.
    pub rest: String,
    /// All that can follow, until nothing more can be done.
    pub turns: Vec<WholeTurn>,
}

/// All that a side does with its dice.
pub struct WholeTurn {
    /// How many dice are spent.
    pub spent: usize,
    /// Whether the king is captured.
    pub wins: bool,
    /// What comes of it, with the same side still to move.
    pub end: Mailbox,
}

impl Begun {
    pub fn wins(&self) -> bool {
        self.turns.iter().any(|turn| turn.wins)
    }

    /// The most dice that are spent.
    pub fn most(&self) -> usize {
        self.turns.iter().map(|turn| turn.spent).max().unwrap()
    }
}

fn without(dice: &Dice, spent: &str) -> Dice {
    let mut rest = dice.clone();
    for letter in spent.chars() {
        let at = rest.iter().position(|&die| die == letter).unwrap();
        rest.remove(at);
    }
    rest
}

impl Mailbox {
    /// Calls `visit` with every step that some of the dice allow, and what is left of them.
    fn each_step_with(&self, dice: &Dice, mut visit: impl FnMut(Step, &Dice)) {
        for letter in KINDS.chars().filter(|letter| dice.contains(letter)) {
            let rest = without(dice, letter.encode_utf8(&mut [0; 4]));
            self.steps_of(letter).into_iter().for_each(|step| visit(step, &rest));
        }
        if dice.contains(&'K') && dice.contains(&'R') {
            let rest = without(dice, "KR");
            self.castlings().into_iter().for_each(|step| visit(step, &rest));
        }
    }

    /// What can follow when the side to move has `dice` left: adds the ends of all turns.
    fn play_on(&self, dice: &Dice, spent: usize, turns: &mut Vec<WholeTurn>) {
        let wins = !self.has_king(!self.white);
        let mut moved = false;
        if !wins {
            self.each_step_with(dice, |step, rest| {
                moved = true;
                let mut next = self.clone();
                next.make(step);
                next.play_on(rest, spent + dice.len() - rest.len(), turns);
            });
        }
        if !moved {
            turns.push(WholeTurn { spent, wins, end: self.clone() });
        }
    }

    /// Every turn with these dice in every order, whether the rules allow it or not.
    pub fn all_turns(&self, dice: &str) -> Vec<Begun> {
        let dice: Dice = dice.chars().collect();
        let mut all = vec![];
        self.each_step_with(&dice, |step, rest| {
            let mut next = self.clone();
            next.make(step);
            let mut turns = vec![];
            next.play_on(rest, dice.len() - rest.len(), &mut turns);
            all.push(Begun { step: Some(step), rest: rest.iter().collect(), turns });
        });
        if all.is_empty() {
            let turns = vec![WholeTurn { spent: 0, wins: false, end: self.clone() }];
            all.push(Begun { step: None, rest: String::new(), turns });
        }
        all
    }

    /// The legal steps with these of three dice, and the dice they leave: those that begin a turn
    /// that spends the most dice or captures the king.
    pub fn three_dice_steps(&self, dice: &str) -> Vec<(Step, String)> {
        let all = self.all_turns(dice);
        let most = all.iter().map(Begun::most).max().unwrap();
        let legal = all.into_iter().filter(|begun| begun.wins() || begun.most() == most);
        legal.filter_map(|begun| Some((begun.step?, begun.rest))).collect()
    }

    /// The kinds that capture the king with the next die, by number.
    fn takers(&self) -> impl Iterator<Item = usize> {
        let cells = || (0..64).map(|n| (n % 8, n / 8));
        let enemy = if self.white { 'k' } else { 'K' };
        let mut takes = [false; 7];
        if let Some(king) = cells().find(|&cell| self.at(cell) == enemy) {
            for from in cells().filter(|&from| self.is_own(from) && self.reaches(from, king)) {
                let letter = self.at(from).to_ascii_uppercase();
                takes[1 + KINDS.find(letter).unwrap()] = true;
            }
        }
        (1..=6).filter(move |&number| takes[number])
    }

    /// Whether what stands on a square can capture on another.
    fn reaches(&self, from: Cell, to: Cell) -> bool {
        let (right, up) = (to.0 - from.0, to.1 - from.1);
        let (straight, diagonal) = (right == 0 || up == 0, right.abs() == up.abs());
        let far = right.abs().max(up.abs());
        let ahead = if self.white { 1 } else { -1 };
        let line = match self.at(from).to_ascii_uppercase() {
            'P' => return up == ahead && right.abs() == 1,
            'N' => return right.abs() * up.abs() == 2,
            'K' => return far == 1,
            'B' => diagonal,
            'R' => straight,
            _ => straight || diagonal,
        };
        let (right, up) = (right.signum(), up.signum());
        line && (1..far).all(|n| self.at((from.0 + n * right, from.1 + n * up)) == '.')
    }

    /// In how many of the 216 ways that three dice fall they can capture the king, some of them
    /// spent in some order.
    pub fn king_capture_chances(&self) -> usize {
        // Whether one, two or three dice that are spent in this order can.
        let mut orders = [[[false; 7]; 7]; 7];
        self.takers().for_each(|a| orders[a][0][0] = true);
        for (a, first) in (1..).zip(KINDS.chars()) {
            for step in self.steps_of(first) {
                let mut next = self.clone();
                next.make(step);
                next.takers().for_each(|b| orders[a][b][0] = true);
                for (b, second) in (1..).zip(KINDS.chars()) {
                    for step in next.steps_of(second) {
                        let mut last = next.clone();
                        last.make(step);
                        last.takers().for_each(|c| orders[a][b][c] = true);
                    }
                }
            }
        }
        for step in self.castlings() {
            let mut next = self.clone();
            next.make(step);
            // The number of a king, and that of a rook.
            next.takers().for_each(|c| orders[6][4][c] = true);
        }
        let wins =
            |a: usize, b: usize, c: usize| orders[a][0][0] || orders[a][b][0] || orders[a][b][c];
        let any_order = |&[a, b, c]: &[usize; 3]| {
            let orders = [(a, b, c), (a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)];
            orders.into_iter().any(|(a, b, c)| wins(a, b, c))
        };
        (0..216).map(|n| [n / 36 + 1, n / 6 % 6 + 1, n % 6 + 1]).filter(any_order).count()
    }
}
