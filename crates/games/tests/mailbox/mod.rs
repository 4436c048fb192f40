//! A deliberately naive Dice Chess, the test oracle for the fast implementation.
//!
//! It is written from the rules text alone and shares no code, table or idea with the crate under
//! test: a board of 64 letters that every question scans afresh. Keep it slow and plain; when the
//! two disagree, the rules text decides which of them is wrong.

#![allow(dead_code, reason = "each test uses a part of the twin")]

pub mod turns;

use arrayvec::{ArrayString, ArrayVec};

/// A file and a rank, both from 0.
pub type Cell = (i8, i8);

/// A position, or an intermediate position in a turn of three dice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mailbox {
    /// The pieces by rank from 1 and then by file: a letter of FEN, or '.'.
    pub pieces: [[u8; 8]; 8],
    pub white: bool,
    /// Those of the rights `KQkq` that are kept.
    pub rights: ArrayString<4>,
    /// The squares that pawns of the other side have just passed.
    pub passed: ArrayVec<Cell, 8>,
    /// The squares that pawns of the side to move have passed in this turn.
    pub passing: ArrayVec<Cell, 8>,
    pub clock: u32,
    pub full: u32,
    /// Whether three dice are rolled.
    pub three: bool,
    /// Whether a pawn may also promote with a die that shows the kind that it becomes.
    pub by_die: bool,
}

/// A move: the squares that it leaves and enters, and what is special about it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    pub from: Cell,
    pub to: Cell,
    pub becomes: Option<char>,
}

impl Step {
    pub fn text(self) -> String {
        let name = |(file, rank): Cell| format!("{}{}", (b'a' + file as u8) as char, rank + 1);
        let becomes = self.becomes.map(|letter| letter.to_ascii_lowercase());
        format!(
            "{}{}{}",
            name(self.from),
            name(self.to),
            becomes.map_or(String::new(), String::from)
        )
    }
}

const STRAIGHT: [Cell; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [Cell; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const JUMPS: [Cell; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

fn on_board((file, rank): Cell) -> bool {
    (0..8).contains(&file) && (0..8).contains(&rank)
}

impl Mailbox {
    pub fn read(text: &str, three: bool, by_die: bool) -> Self {
        let words: Vec<&str> = text.split(' ').collect();
        let mut pieces = [[b'.'; 8]; 8];
        for (row, line) in words[0].split('/').enumerate() {
            let mut file = 0;
            for character in line.chars() {
                match character.to_digit(10) {
                    Some(empty) => file += empty as usize,
                    None => {
                        pieces[7 - row][file] = character as u8;
                        file += 1;
                    }
                }
            }
        }
        let white = words[1] == "w";
        let names: Vec<char> = words[3].chars().filter(|&character| character != '-').collect();
        let cells = names.chunks(2).map(|name| (name[0] as i8 - 97, name[1] as i8 - 49));
        let (passed, passing) = cells.partition(|cell| cell.1 == if white { 5 } else { 2 });
        Self {
            pieces,
            white,
            rights: ArrayString::from(&words[2].replace('-', "")).unwrap(),
            passed,
            passing,
            clock: words[4].parse().unwrap(),
            full: words[5].parse().unwrap(),
            three,
            by_die,
        }
    }

    pub fn text(&self) -> String {
        let rows: Vec<String> = (0..8)
            .rev()
            .map(|rank| {
                let mut row: String =
                    self.pieces[rank].iter().map(|&piece| char::from(piece)).collect();
                for empty in (1..=8).rev() {
                    row = row.replace(&".".repeat(empty), &empty.to_string());
                }
                row
            })
            .collect();
        let mut passed = String::new();
        let mut cells = self.passed.clone();
        cells.sort_unstable();
        let mut passing = self.passing.clone();
        passing.sort_unstable();
        for (file, rank) in cells.into_iter().chain(passing) {
            passed.extend([(b'a' + file as u8) as char, (b'1' + rank as u8) as char]);
        }
        let or_none = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
        format!(
            "{} {} {} {} {} {}{}",
            rows.join("/"),
            if self.white { "w" } else { "b" },
            or_none(&self.rights),
            or_none(&passed),
            self.clock,
            self.full,
            if self.three { " -" } else { "" }
        )
    }

    pub fn at(&self, (file, rank): Cell) -> char {
        self.pieces[rank as usize][file as usize].into()
    }

    fn set(&mut self, (file, rank): Cell, piece: char) {
        self.pieces[rank as usize][file as usize] = piece as u8;
    }

    fn is_own(&self, cell: Cell) -> bool {
        let piece = self.at(cell);
        piece != '.' && piece.is_ascii_uppercase() == self.white
    }

    fn is_enemy(&self, cell: Cell) -> bool {
        self.at(cell) != '.' && !self.is_own(cell)
    }

    fn own(&self, letter: char) -> char {
        if self.white { letter } else { letter.to_ascii_lowercase() }
    }

    fn cells_of(&self, letter: char) -> impl Iterator<Item = Cell> {
        let piece = self.own(letter);
        let all = (0..64).map(|n| (n % 8, n / 8));
        all.filter(move |&cell| self.at(cell) == piece)
    }

    /// All moves of a kind except castling.
    fn steps_of(&self, letter: char) -> Vec<Step> {
        let mut steps = vec![];
        for from in self.cells_of(letter) {
            match letter {
                'P' => self.pawn_steps(from, &mut steps),
                'N' => self.walk(from, &JUMPS, 1, &mut steps),
                'B' => self.walk(from, &DIAGONAL, 8, &mut steps),
                'R' => self.walk(from, &STRAIGHT, 8, &mut steps),
                'Q' | 'K' => {
                    let most = if letter == 'Q' { 8 } else { 1 };
                    self.walk(from, &STRAIGHT, most, &mut steps);
                    self.walk(from, &DIAGONAL, most, &mut steps);
                }
                _ => unreachable!("{letter}"),
            }
        }
        steps
    }

    fn walk(&self, from: Cell, directions: &[Cell], most: usize, steps: &mut Vec<Step>) {
        for (right, up) in directions {
            let mut to = from;
            for _ in 0..most {
                to = (to.0 + right, to.1 + up);
                if !on_board(to) || self.is_own(to) {
                    break;
                }
                steps.push(Step { from, to, becomes: None });
                if self.at(to) != '.' {
                    break;
                }
            }
        }
    }

    fn pawn_steps(&self, from: Cell, steps: &mut Vec<Step>) {
        let up = if self.white { 1 } else { -1 };
        let mut step = |to: Cell| {
            if to.1 == 0 || to.1 == 7 {
                let become_ = ['Q', 'R', 'B', 'N'].into_iter();
                steps.extend(become_.map(|letter| Step { from, to, becomes: Some(letter) }));
            } else {
                steps.push(Step { from, to, becomes: None });
            }
        };
        let ahead = (from.0, from.1 + up);
        if self.at(ahead) == '.' {
            step(ahead);
            let two = (from.0, from.1 + 2 * up);
            if from.1 == (if self.white { 1 } else { 6 }) && self.at(two) == '.' {
                step(two);
            }
        }
        for side in [-1, 1] {
            let to = (from.0 + side, from.1 + up);
            let passed = self.passed.contains(&to) && on_board(to) && self.at(to) == '.';
            if on_board(to) && (self.is_enemy(to) || passed) {
                step(to);
            }
        }
    }

    fn castlings(&self) -> Vec<Step> {
        let rank = if self.white { 0 } else { 7 };
        let mut steps = vec![];
        for (right, to, between) in [('K', 6, 5..7), ('Q', 2, 1..4)] {
            let empty = between.clone().all(|file| self.at((file, rank)) == '.');
            if self.rights.contains(self.own(right)) && empty {
                steps.push(Step { from: (4, rank), to: (to, rank), becomes: None });
            }
        }
        steps
    }

    /// The moves that one die allows.
    pub fn moves(&self, letter: char) -> Vec<Step> {
        let mut steps = self.steps_of(letter);
        if letter == 'K' {
            steps.extend(self.castlings());
        }
        if self.by_die && letter != 'P' {
            let pawns = self.steps_of('P').into_iter();
            steps.extend(pawns.filter(|step| step.becomes == Some(letter)));
        }
        steps
    }

    /// The letters that can move.
    pub fn movable(&self) -> String {
        "PNBRQK".chars().filter(|&letter| !self.moves(letter).is_empty()).collect()
    }

    pub fn has_king(&self, white: bool) -> bool {
        self.pieces.iter().flatten().any(|&piece| piece == if white { b'K' } else { b'k' })
    }

    /// Makes a move without ending the turn.
    pub fn make(&mut self, step: Step) {
        let Step { from, to, becomes } = step;
        let piece = self.at(from);
        let pawn = piece.eq_ignore_ascii_case(&'p');
        let mut taken = self.at(to) != '.';
        // The square of the pawn that is captured en passant.
        let beside = (to.0, from.1);
        if self.passed.contains(&to) && pawn && from.0 != to.0 && !taken {
            self.set(beside, '.');
            self.passed.retain(|cell| *cell != to);
            taken = true;
        }
        // A pawn that has passed a square and is captured otherwise can no longer be captured in
        // passing.
        let up = if self.white { 1 } else { -1 };
        if self.is_enemy(to) {
            self.passed.retain(|cell| *cell != (to.0, to.1 + up));
        }
        if pawn {
            self.passing.retain(|cell| *cell != (from.0, from.1 - up));
        }
        self.set(from, '.');
        self.set(to, becomes.map_or(piece, |letter| self.own(letter)));
        if pawn && (from.1 - to.1).abs() == 2 {
            self.passing.push((from.0, from.1 + up));
        }
        if piece.eq_ignore_ascii_case(&'k') && (from.0 - to.0).abs() == 2 {
            let (corner, middle) = if to.0 == 6 { (7, 5) } else { (0, 3) };
            let rook = self.at((corner, from.1));
            self.set((corner, from.1), '.');
            self.set((middle, from.1), rook);
        }
        for (right, king, rook) in [
            ('K', (4, 0), (7, 0)),
            ('Q', (4, 0), (0, 0)),
            ('k', (4, 7), (7, 7)),
            ('q', (4, 7), (0, 7)),
        ] {
            if [from, to].contains(&king) || [from, to].contains(&rook) {
                self.rights = ArrayString::from(&self.rights.replace(right, "")).unwrap();
            }
        }
        if pawn || taken {
            // `end_turn` adds 1 to the count, which makes it 0.
            self.clock = u32::MAX;
        }
    }

    /// Passes the turn to the other side.
    pub fn end_turn(&mut self) {
        self.clock = self.clock.wrapping_add(1);
        self.full += u32::from(!self.white);
        self.white = !self.white;
        self.passed = std::mem::take(&mut self.passing);
        if !self.three {
            // No pawn can capture en passant, so the pawn might as well have moved one square
            // twice.
            let up = if self.white { 1 } else { -1 };
            let pawn = self.own('P');
            let mut passed = self.passed.clone();
            passed.retain(|&mut (file, rank)| {
                let next = [(file - 1, rank - up), (file + 1, rank - up)];
                next.into_iter().any(|cell| on_board(cell) && self.at(cell) == pawn)
            });
            self.passed = passed;
        }
    }

    /// "w", "b" or "=" when the game is over before a roll; `None` while it goes on.
    pub fn result(&self) -> Option<char> {
        if !self.has_king(true) {
            return Some('b');
        }
        if !self.has_king(false) {
            return Some('w');
        }
        let late = self.full > 100 || self.clock >= 150;
        let stuck = !self.three && self.movable().is_empty();
        (late || stuck).then_some('=')
    }
}
