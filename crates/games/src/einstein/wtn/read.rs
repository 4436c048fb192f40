//! Reading WTN records: one after the other where a text holds several.

use wurfel_core::{BySide, Game, Outcome, Scanner, Side, TextError, TextPosition, Transcript};

use super::head::Head;
use super::verdict::winner;
use super::{LETTERS, WINS, half_width, in_half_width, side, upper};
use crate::einstein::board::Cell;
use crate::einstein::cube::Cube;
use crate::einstein::moves::Move;
use crate::einstein::position::Position;
use crate::einstein::rolls::{Die, RuleSet};
use crate::einstein::setup::Setup;
use crate::playable::ReadGame;

fn is_gap(character: char) -> bool {
    character.is_whitespace() || matches!(character, ';' | '\u{feff}')
}

/// The records of a text, each with the number of its first line. A record begins with a header, or
/// with set-ups after the moves of another record.
pub(in crate::einstein) fn split(text: &str) -> Vec<(usize, &str)> {
    let mut records = vec![];
    let (mut start, mut first_line, mut line) = (0, 1, 1);
    let (mut inside, mut moved, mut begun, mut at_start) = (false, false, false, true);
    let mut characters =
        text.char_indices().map(|(at, character)| (at, half_width(character))).peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|&(_, character)| character);
        let begins = match character {
            _ if inside => false,
            '#' => begun && next == Some('['),
            '[' => at_start && moved,
            _ => at_start && moved && side(character).is_some() && next == Some(':'),
        };
        if begins {
            records.push((first_line, &text[start..at]));
            (start, first_line, moved) = (at, line, false);
        }
        inside = character == '[' || inside && !matches!(character, ']' | '\n');
        moved |= character == '(' && !inside;
        begun |= !is_gap(character);
        at_start = character == '\n' || at_start && is_gap(character);
        line += usize::from(character == '\n');
    }
    records.push((first_line, &text[start..]));
    records
}

/// Reads a record that begins on this line of a text.
pub(in crate::einstein) fn read<R: RuleSet>(
    record: &str,
    line: usize,
) -> Result<ReadGame<Position<R>>, TextError> {
    let text = in_half_width(record);
    let scanner = Scanner::within(&text, TextPosition::line(line));
    Reader::new(scanner).game()
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    /// Whether moves name the square that a cube leaves and not its colour and number.
    names_squares: bool,
    assumed: Vec<String>,
}

impl<'a> Reader<'a> {
    const fn new(scanner: Scanner<'a>) -> Self {
        Self { scanner, names_squares: false, assumed: vec![] }
    }

    fn skip(&mut self, what: impl Fn(char) -> bool) {
        self.scanner.take_while(what);
    }

    /// Skips spaces and reads this character.
    fn character(&mut self, character: char) -> Result<(), TextError> {
        self.skip(|character| character == ' ');
        if self.scanner.peek() != Some(character) {
            return Err(self.scanner.wrong(format_args!("'{character}'")));
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
        self.skip(|character| character == ' ');
        let value = self.scanner.peek().and_then(read);
        let value = value.ok_or_else(|| self.scanner.wrong(expected))?;
        self.scanner.next_char();
        Ok(value)
    }

    fn cube(&mut self) -> Result<Cube, TextError> {
        self.known("the number of a cube, 1-6,", Cube::called)
    }

    fn cell(&mut self) -> Result<Cell, TextError> {
        let column = |character: char| "abcde".find(character.to_ascii_lowercase());
        let column = self.known("the column of a square, A-E,", column)?;
        let row = |character: char| "54321".find(character);
        let row = self.known("the row of a square, 1-5,", row)?;
        Ok(Cell::at(row as u8, column as u8))
    }

    /// Reads the set-up of one side.
    fn setup(&mut self, by_side: &mut BySide<Option<Setup>>) -> Result<(), TextError> {
        let place = self.scanner.place();
        let side = self.known("the set-ups, R: and B:,", side)?;
        self.character(':')?;
        if by_side[side].is_some() {
            return Err(place.wrong(format!("{} has a set-up already", LETTERS[side])));
        }
        let mut placed: Vec<(Cell, Cube)> = vec![];
        while placed.len() < Cube::ALL.len() {
            self.skip(is_gap);
            let place = self.scanner.place();
            let cell = self.cell()?;
            self.skip(|character| matches!(character, ' ' | '-' | '—'));
            let cube = self.cube()?;
            if !Setup::default().placed(side).any(|(own, _)| own == cell) {
                return Err(place.wrong(format!("{cell} is not in the corner of this side")));
            }
            if placed.iter().any(|&(other, number)| other == cell || number == cube) {
                return Err(place.wrong(format!("{cell} or cube {cube} is given twice")));
            }
            placed.push((cell, cube));
        }
        by_side[side] = Setup::of(side, &placed);
        Ok(())
    }

    /// Reads the line of a turn.
    fn turn<R: RuleSet>(&mut self, game: &mut Transcript<Position<R>>) -> Result<(), TextError> {
        let place = self.scanner.place();
        let ply = game.now().ply();
        if game.now().outcome().is_some() {
            return Err(self.scanner.wrong("nothing more, as the game is over,"));
        }
        let number = self.scanner.take_while(|character| character.is_ascii_digit());
        if number.parse() != Ok(ply) {
            return Err(place.wrong(format!("expected turn {ply}, as in {ply}:5;(R5,B3)")));
        }
        self.character(':')?;
        let die = |character: char| Die::new(character.to_digit(10)? as u8);
        let die = self.known("the die, 1-6,", die)?;
        self.skip(|character| character != '\n' && is_gap(character));
        self.character('(')?;
        let place = self.scanner.place();
        let moved = self.moved()?;
        self.skip(|character| matches!(character, ',' | ';' | '-' | ' '));
        let to = self.cell()?;
        self.character(')')?;
        let mover = game.now().side();
        if matches!(moved, Moved::Cube(side, _) if side != mover) {
            return Err(place.wrong(format!("{} is to move", LETTERS[mover])));
        }
        let moves = game.now().moves(die);
        let is = |mv: Move| match moved {
            Moved::Cube(_, cube) => mv.cube() == cube,
            Moved::From(cell) => mv.from() == cell,
        };
        let legal = moves.as_ref().iter().copied().find(|mv| mv.to() == to && is(*mv));
        let Some(mv) = legal else {
            let shown = |mv: &Move| match moved {
                Moved::Cube(side, _) => {
                    format!("({}{},{})", LETTERS[side], mv.cube(), upper(mv.to()))
                }
                Moved::From(_) => format!("({},{})", upper(mv.from()), upper(mv.to())),
            };
            let list: Vec<String> = moves.as_ref().iter().map(shown).collect();
            return Err(
                place.wrong(format!("not a legal move, expected one of {}", list.join(" ")))
            );
        };
        game.push(die, mv).map_err(|error| place.wrong(error))
    }

    /// Reads the cube of a move.
    fn moved(&mut self) -> Result<Moved, TextError> {
        if self.names_squares {
            return self.cell().map(Moved::From);
        }
        let side = self.known("the side that moves, R or B,", side)?;
        Ok(Moved::Cube(side, self.cube()?))
    }

    /// Looks ahead at the moves: whether they name squares, and the side of the first one where the next
    /// one is the other side's.
    fn look_ahead<R: RuleSet>(&mut self, start: &Position<R>) -> Option<Side> {
        let mut moves = self.scanner.rest().split('(').skip(1).map(str::trim_start);
        // Red's cubes are called R, which no column is; a B may be either.
        let is_square = |mv: &str| mv.starts_with(['A', 'C', 'D', 'E', 'a', 'c', 'd', 'e']);
        self.names_squares = moves.clone().any(is_square);
        let first = moves.next()?;
        if self.names_squares {
            let mut first = Self::new(Scanner::new(first));
            return start.at(first.cell().ok()?).map(|(side, _)| side);
        }
        let [one, other] = [Some(first), moves.next()].map(|mv| side(mv?.chars().next()?));
        one.filter(|_| one != other)
    }

    fn game<R: RuleSet>(mut self) -> Result<ReadGame<Position<R>>, TextError> {
        self.skip(is_gap);
        let beginning = self.scanner.place();
        let head = Head::read(&mut self.scanner)?;
        let mut setups = BySide::default();
        for _ in Side::BOTH {
            self.skip(is_gap);
            self.setup(&mut setups)?;
        }
        self.skip(is_gap);
        let both = |setup: Option<Setup>| setup.unwrap_or_default();
        let mut start = Position::<R>::new(both(setups[Side::First]), both(setups[Side::Second]));
        let moved = self.look_ahead(&start);
        let sides = head.sides(moved)?;
        if sides.is_doubtful {
            let [first, second] = [sides.first, !sides.first].map(|side| LETTERS[side]);
            self.assume(
                beginning,
                format!("the header says that {second} moves first, the moves that {first} does: assumed {first}"),
            );
        }
        start.settle(sides.first, 1);
        let mut game = Transcript::new(start);
        while self.scanner.peek().is_some() {
            self.turn(&mut game)?;
            self.skip(is_gap);
        }
        game.players = sides.names;
        game.event_info = head.event_info;
        if let Some((place, text)) = head.result.filter(|(_, text)| !text.is_empty()) {
            let first = Some(sides.first).filter(|_| !sides.is_doubtful);
            match (winner(&text, first), game.result) {
                (Some(winner), _) => {
                    game.state(Outcome::Win(winner)).map_err(|error| beginning.wrong(error))?;
                }
                (None, Some(result)) => {
                    let won = result.winner().map_or('-', |side| LETTERS[side]);
                    self.assume(
                        place,
                        format!("'{}' does not say who has won: the moves do, {won}", shown(&text)),
                    );
                }
                (None, None) => {
                    return Err(place.wrong(format!(
                        "'{}' does not say who has won, and the game is not over: expected {} or {}",
                        shown(&text),
                        WINS[0],
                        WINS[1]
                    )));
                }
            }
        }
        Ok(ReadGame { game, assumed: self.assumed })
    }

    fn assume(&mut self, place: TextPosition, what: String) {
        self.assumed.push(place.wrong(what).to_string());
    }
}

/// How a move names its cube.
#[derive(Clone, Copy)]
enum Moved {
    Cube(Side, Cube),
    From(Cell),
}

fn shown(text: &str) -> String {
    text.chars().take(20).flat_map(char::escape_debug).collect()
}
