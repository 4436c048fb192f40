//! WTN, the record of the Chinese Computer Games Championship.
//!
//! ```text
//! #[WTN][first player R][second player B][先手胜][2026.08.01 14:00 Beijing][2026 CCGC];
//! R:A5-1;B5-2;C5-3;A4-4;B4-5;A3-6
//! B:E3-6;D2-5;E2-4;C1-3;D1-2;E1-1
//! 1:5;(R5,B3)
//! 2:3;(B3,C2)
//! ```
//!
//! A record has a header, both set-ups, and a line for each turn: its number, the die, the cube
//! with its colour, and the square that it enters. The first bracket names the side that rolls
//! first. Records are written as above and read leniently: without `[WTN]` or the final `;`, with
//! `;;`, with squares in any order or without the dash, and with full-width letters, digits and signs
//! of Chinese keyboards.

use std::borrow::Cow;
use std::fmt::Write;

use wurfel_core::{BySide, Game, NotationError, Outcome, Side};

use super::board::Cell;
use super::cube::Cube;
use super::position::Position;
use super::rolls::{Die, RuleSet};
use super::setup::Setup;
use crate::text::{Scanner, TextError};
use crate::transcript::{Occasion, Transcript};

/// "The first player has won" and "the second player has won".
const WINS: [&str; 2] = ["先手胜", "后手胜"];
const LETTERS: BySide<char> = BySide::new('R', 'B');

/// Whether a text looks like a WTN record.
pub(super) fn recognises(text: &str) -> bool {
    let mut signs = text.trim_start().chars().map(half_width);
    signs.clone().next() == Some('#') || side_of_line(&mut signs).is_some()
}

/// The side whose set-up a line begins with: `R:` or `B:`.
fn side_of_line(signs: &mut impl Iterator<Item = char>) -> Option<Side> {
    let side = side(signs.next()?)?;
    (signs.find(|sign| *sign != ' ')? == ':').then_some(side)
}

/// The letter, digit or sign of which this is the full-width form; other characters as they are.
fn half_width(sign: char) -> char {
    match sign {
        '\u{3000}' => ' ',
        '【' => '[',
        '】' => ']',
        '！'..='～' => char::from((sign as u32 - '！' as u32 + '!' as u32) as u8),
        _ => sign,
    }
}

/// The text with all characters outside the contents of brackets, which name people and places, in
/// half width.
fn in_half_width(text: &str) -> Cow<'_, str> {
    // Most records have none, and are read as they are. All begin with one of two bytes; looking at
    // all bytes takes a fraction of the time that it takes to stop at the first of them.
    if !text.bytes().fold(false, |found, byte| found | matches!(byte, 0xE3 | 0xEF)) {
        return Cow::Borrowed(text);
    }
    let mut inside = false;
    let convert = |sign: char| {
        let half = half_width(sign);
        inside = half == '[' || inside && !matches!(half, ']' | '\n');
        if inside && half != '[' { sign } else { half }
    };
    Cow::Owned(text.chars().map(convert).collect())
}

fn side(letter: char) -> Option<Side> {
    Side::BOTH.into_iter().find(|&side| letter.eq_ignore_ascii_case(&LETTERS[side]))
}

/// A player's name and the colour at its end, which is a capital letter or a word of its own.
fn colour(field: &str) -> Option<(&str, Side)> {
    let last = field.chars().next_back()?;
    let name = &field[..field.len() - last.len_utf8()];
    let letter = half_width(last);
    let apart = letter.is_ascii_uppercase() || name.is_empty() || name.ends_with([' ', '\u{3000}']);
    side(letter).map(|side| (name, side)).filter(|_| apart)
}

fn is_gap(sign: char) -> bool {
    sign.is_whitespace() || sign == ';'
}

/// The contents of a record's header.
#[derive(Default)]
struct Head {
    /// The players in the order in which they move, with their colour where it is named.
    movers: [(String, Option<Side>); 2],
    /// 0 when the player who moves first has won, 1 when the second has.
    winner: Option<usize>,
    occasion: Occasion,
}

struct Reader<'a> {
    scanner: Scanner<'a>,
}

impl Reader<'_> {
    fn skip(&mut self, what: impl Fn(char) -> bool) {
        self.scanner.take_while(what);
    }

    /// Skips spaces and reads this character.
    fn sign(&mut self, sign: char) -> Result<(), TextError> {
        self.skip(|sign| sign == ' ');
        if self.scanner.peek() != Some(sign) {
            return Err(self.scanner.wrong(format_args!("'{sign}'")));
        }
        self.scanner.next_char();
        Ok(())
    }

    /// Skips spaces and reads a character that `read` understands.
    fn known<T>(
        &mut self,
        expected: &str,
        read: impl Fn(char) -> Option<T>,
    ) -> Result<T, TextError> {
        self.skip(|sign| sign == ' ');
        let value = self.scanner.peek().and_then(read);
        let value = value.ok_or_else(|| self.scanner.wrong(expected))?;
        self.scanner.next_char();
        Ok(value)
    }

    fn cube(&mut self) -> Result<Cube, TextError> {
        let cube = |sign| Cube::ALL.into_iter().find(|cube| cube.to_string() == String::from(sign));
        self.known("the number of a cube, 1-6,", cube)
    }

    fn cell(&mut self) -> Result<Cell, TextError> {
        let column = |sign: char| "abcde".find(sign.to_ascii_lowercase());
        let column = self.known("the column of a square, A-E,", column)?;
        let row = |sign: char| "54321".find(sign);
        let row = self.known("the row of a square, 1-5,", row)?;
        Ok(Cell::at(row as u8, column as u8))
    }

    fn head(&mut self) -> Result<Head, TextError> {
        let mut head = Head::default();
        self.skip(is_gap);
        if self.scanner.peek() != Some('#') {
            return Ok(head);
        }
        self.scanner.next_char();
        let mut fields = vec![];
        while matches!(self.scanner.peek(), Some('[' | ' ')) {
            if self.scanner.next_char() == Some(' ') {
                continue;
            }
            let place = self.scanner.place();
            let field = self.scanner.take_while(|sign| !matches!(sign, '[' | ']' | '\n'));
            self.sign(']')?;
            fields.push((place, field.trim()));
        }
        let tag = |field: &str| field.chars().map(half_width).collect::<String>();
        if fields.first().is_some_and(|(_, field)| tag(field).eq_ignore_ascii_case("WTN")) {
            fields.remove(0);
        }
        let mut fields = fields.into_iter();
        for mover in &mut head.movers {
            let field = fields.next().map_or("", |(_, field)| field);
            let (name, colour) =
                colour(field).map_or((field, None), |(name, side)| (name, Some(side)));
            *mover = (name.trim().to_owned(), colour);
        }
        if let Some((place, field)) = fields.next() {
            let known = [['先'].as_slice(), &['后', '後']];
            head.winner = known.iter().position(|signs| field.contains(*signs));
            if head.winner.is_none() && !field.is_empty() {
                return Err(place.wrong(format!(
                    "'{}' stands where {} or {} was expected",
                    shown(field),
                    WINS[0],
                    WINS[1]
                )));
            }
        }
        let words = fields.next().map_or("", |(_, field)| field);
        let begins_with_digit = |word: &&str| word.starts_with(|sign: char| sign.is_ascii_digit());
        let time: Vec<&str> = words.split_whitespace().take_while(begins_with_digit).collect();
        let place: Vec<&str> = words.split_whitespace().skip(time.len()).collect();
        let event = fields.next().map_or("", |(_, field)| field);
        head.occasion =
            Occasion { time: time.join(" "), place: place.join(" "), event: event.to_owned() };
        if !matches!(self.scanner.peek(), None | Some(';' | '\r' | '\n')) {
            return Err(self.scanner.wrong("'[' or the end of the header"));
        }
        Ok(head)
    }

    /// Reads the set-up of one side.
    fn setup(&mut self, found: &mut BySide<Option<Setup>>) -> Result<(), TextError> {
        let place = self.scanner.place();
        let side = self.known("the set-ups, R: and B:,", side)?;
        self.sign(':')?;
        if found[side].is_some() {
            return Err(place.wrong(format!("{} has a set-up already", LETTERS[side])));
        }
        let mut placed: Vec<(Cell, Cube)> = vec![];
        while placed.len() < Cube::ALL.len() {
            self.skip(is_gap);
            let place = self.scanner.place();
            let cell = self.cell()?;
            self.skip(|sign| matches!(sign, ' ' | '-' | '—'));
            let cube = self.cube()?;
            if !Setup::default().placed(side).any(|(own, _)| own == cell) {
                return Err(place.wrong(format!("{cell} is not in the corner of this side")));
            }
            if placed.iter().any(|&(other, number)| other == cell || number == cube) {
                return Err(place.wrong(format!("{cell} or cube {cube} stands twice")));
            }
            placed.push((cell, cube));
        }
        found[side] = Setup::of(side, &placed);
        Ok(())
    }

    /// Reads the line of a turn.
    fn turn<R: RuleSet>(&mut self, game: &mut Transcript<Position<R>>) -> Result<(), TextError> {
        let place = self.scanner.place();
        let ply = game.now().ply();
        if game.now().outcome().is_some() {
            return Err(self.scanner.wrong("nothing more, as the game is over,"));
        }
        let number = self.scanner.take_while(|sign| sign.is_ascii_digit());
        if number.parse() != Ok(ply) {
            return Err(place.wrong(format!("expected turn {ply}, as in {ply}:5;(R5,B3)")));
        }
        self.sign(':')?;
        let die = |sign: char| Die::new(sign.to_digit(10)? as u8);
        let die = self.known("the die, 1-6,", die)?;
        self.skip(|sign| sign != '\n' && is_gap(sign));
        self.sign('(')?;
        let place = self.scanner.place();
        let mover = self.known("the side that moves, R or B,", side)?;
        let cube = self.cube()?;
        self.skip(|sign| matches!(sign, ',' | ';' | '-' | ' '));
        let to = self.cell()?;
        self.sign(')')?;
        if mover != game.now().side() {
            return Err(place.wrong(format!("{} is to move", LETTERS[!mover])));
        }
        let moves = game.now().moves(die);
        let legal = moves.as_ref().iter().copied().find(|mv| (mv.cube(), mv.to()) == (cube, to));
        let Some(mv) = legal else {
            let letter = LETTERS[mover];
            let list: Vec<String> = moves
                .as_ref()
                .iter()
                .map(|mv| format!("({letter}{},{})", mv.cube(), upper(mv.to())))
                .collect();
            return Err(
                place.wrong(format!("not a legal move, expected one of {}", list.join(" ")))
            );
        };
        game.push(die, mv).map_err(|error| place.wrong(error))
    }

    fn game<R: RuleSet>(&mut self) -> Result<Transcript<Position<R>>, TextError> {
        let beginning = self.scanner.place();
        let head = self.head()?;
        let mut setups = BySide::default();
        for _ in Side::BOTH {
            self.skip(is_gap);
            self.setup(&mut setups)?;
        }
        self.skip(is_gap);
        let [(_, first), (_, second)] = head.movers;
        let first = match first.or(second.map(|side| !side)) {
            Some(_) if first.is_some() && first == second => {
                return Err(beginning.wrong("both players have the same colour"));
            }
            Some(side) => side,
            // If the header does not name the colour, it follows from the first move.
            None => self.scanner.rest().chars().find_map(side).unwrap_or(Side::First),
        };
        let both = |setup: Option<Setup>| setup.unwrap_or_default();
        let mut start = Position::<R>::new(both(setups[Side::First]), both(setups[Side::Second]));
        start.settle(first, 1);
        let mut game = Transcript::new(start);
        while self.scanner.peek().is_some() {
            self.turn(&mut game)?;
            self.skip(is_gap);
        }
        let [(one, _), (other, _)] = head.movers;
        let names = BySide::new(one, other);
        game.players = if first == Side::First { names } else { names.swapped() };
        game.occasion = head.occasion;
        if let Some(winner) = head.winner {
            let winner = if winner == 0 { first } else { !first };
            game.state(Outcome::Win(winner)).map_err(|error| beginning.wrong(error))?;
        }
        Ok(game)
    }
}

fn shown(text: &str) -> String {
    text.chars().take(20).flat_map(char::escape_debug).collect()
}

pub(super) fn read<R: RuleSet>(text: &str) -> Result<Transcript<Position<R>>, TextError> {
    Reader { scanner: Scanner::new(&in_half_width(text)) }.game()
}

fn upper(cell: Cell) -> String {
    cell.to_string().to_ascii_uppercase()
}

/// The set-ups with which a start position begins; `None` when it is not made of set-ups.
fn setups<R: RuleSet>(start: &Position<R>) -> Option<BySide<Setup>> {
    let of = |side| {
        let placed: Vec<_> = start.cubes(side).map(|(cube, cell)| (cell, cube)).collect();
        Setup::of(side, &placed)
    };
    let [first, second] = Side::BOTH.map(of);
    Some(BySide::new(first?, second?)).filter(|_| start.ply() == 1)
}

/// A name without the characters that have a meaning in the record.
fn field(text: &str) -> String {
    let plain = |sign: char| match half_width(sign) {
        '[' => '(',
        ']' => ')',
        half if half.is_control() => ' ',
        _ => sign,
    };
    text.trim().chars().map(plain).collect()
}

/// The result, as a win of the player who moved first or second.
fn result<R: RuleSet>(game: &Transcript<Position<R>>) -> &'static str {
    let first = game.start().side();
    match game.result.and_then(Outcome::winner) {
        Some(winner) => WINS[usize::from(winner != first)],
        None => "",
    }
}

pub(super) fn write<R: RuleSet>(game: &Transcript<Position<R>>) -> Result<String, NotationError> {
    let start = game.start();
    let setups = setups(start).ok_or_else(|| {
        NotationError::whole("position", &start.to_string(), "both set-ups before ply 1 for WTN")
    })?;
    let first = start.side();
    let player = |side: Side| format!("{} {}", field(&game.players[side]), LETTERS[side]);
    let Occasion { time, place, event } = &game.occasion;
    let when = field(format!("{time} {place}").trim());
    let mut text = format!(
        "#[WTN][{}][{}][{}][{when}][{}];\n",
        player(first).trim(),
        player(!first).trim(),
        result(game),
        field(event)
    );
    for (side, setup) in setups.iter() {
        let mut placed: Vec<_> = setup.placed(side).collect();
        placed.sort_unstable();
        let squares: Vec<String> =
            placed.iter().map(|&(cell, cube)| format!("{}-{cube}", upper(cell))).collect();
        // Writing into memory cannot fail.
        let _ = writeln!(text, "{}:{}", LETTERS[side], squares.join(";"));
    }
    game.replay(|step| {
        let (ply, roll, mv) = (step.turn.position.ply(), step.turn.roll, step.mv);
        let letter = LETTERS[step.turn.side()];
        let _ = writeln!(text, "{ply}:{roll};({letter}{},{})", mv.cube(), upper(mv.to()));
    });
    Ok(text)
}

/// The usual file name, `WTN-first vs second-先手胜-place time-event.txt`, without characters that
/// file names may not contain.
pub(super) fn file_name<R: RuleSet>(game: &Transcript<Position<R>>) -> String {
    let Occasion { time, place, event } = &game.occasion;
    let first = game.start().side();
    let players = &game.players;
    let name = format!(
        "WTN-{} vs {}-{}-{}-{event}.txt",
        players[first],
        players[!first],
        result(game),
        format!("{place} {time}").trim()
    );
    let safe = |sign: char| match sign {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
        sign if sign.is_control() => '_',
        sign => sign,
    };
    name.chars().map(safe).collect()
}
