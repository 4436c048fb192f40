//! Whole turns of three dice: all orders of all dice are played first, then the rule is applied.

use arrayvec::ArrayVec;

use super::{Cell, Mailbox, Step};

/// The letters of the kinds in the order of their numbers on the die.
const KINDS: &str = "PNBRQK";

/// The letters of the dice that are still to be spent.
type Dice = ArrayVec<char, 3>;

/// The turns that begin with one step.
pub struct Begun {
    /// The first step; `None` when no die can be spent.
    pub step: Option<Step>,
    /// The dice that the step leaves.
    pub rest: String,
    /// All turns that can follow until no more dice can be spent.
    pub turns: Vec<WholeTurn>,
}

/// What a side does with its dice in one turn.
pub struct WholeTurn {
    /// How many dice are spent.
    pub spent: usize,
    /// Whether the king is captured.
    pub wins: bool,
    /// The position at the end, with the same side still to move.
    pub end: Mailbox,
}

impl Begun {
    pub fn wins(&self) -> bool {
        self.turns.iter().any(|turn| turn.wins)
    }

    /// The largest number of dice that any of these turns spends.
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
    /// Calls `visit` with every step that one of the dice allows and with the dice that are left.
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

    /// Adds the ends of all turns in which the side to move goes on with `dice`.
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

    /// The legal steps with these of three dice, and the dice that they leave. A step is legal when
    /// it begins a turn that spends the most dice, or one that captures the king.
    pub fn three_dice_steps(&self, dice: &str) -> Vec<(Step, String)> {
        let all = self.all_turns(dice);
        let most = all.iter().map(Begun::most).max().unwrap();
        let legal = all.into_iter().filter(|begun| begun.wins() || begun.most() == most);
        legal.filter_map(|begun| Some((begun.step?, begun.rest))).collect()
    }

    /// The numbers of the kinds that can capture the king with the next die.
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

    /// Whether the piece on one square can capture on another one.
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

    /// How many of the 216 outcomes of three dice can capture the king, when some of them are spent
    /// in some order.
    pub fn king_capture_chances(&self) -> usize {
        // Whether one, two or three dice, spent in this order, capture the king.
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
            // Castling spends the numbers of a king and of a rook.
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
