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
//! A record has a header, both set-ups, and a line for each turn: its number, the die, the cube with
//! its colour, and the square that it enters. The first bracket names the side that rolls first.
//! Records are written as above and read leniently: without `[WTN]`, `#` or the final `;`, with `;;`,
//! with squares in any order or without the dash, with full-width letters, digits and symbols of
//! Chinese keyboards, with headers that label their fields, with the square that a cube leaves in its
//! place, and several in a text. Assumptions made where header and moves disagree are reported.

mod head;
mod read;
mod verdict;

use std::borrow::Cow;
use std::fmt::Write;

use wurfel_core::{BySide, EventInfo, Game, NotationError, Outcome, Side, Transcript};

use super::board::Cell;
use super::position::Position;
use super::rolls::RuleSet;
use super::setup::Setup;

pub(super) use read::{read, split};

/// "The first player has won" and "the second player has won".
const WINS: [&str; 2] = ["先手胜", "后手胜"];
const LETTERS: BySide<char> = BySide::new('R', 'B');

/// Whether a text looks like a WTN record.
pub(super) fn recognises(text: &str) -> bool {
    let mut characters = text.trim_start().chars().map(half_width);
    match characters.clone().next() {
        Some('#') => true,
        // Texts in JSON may begin with a bracket as well.
        Some('[') => !matches!(characters.nth(1), None | Some('{' | '[' | '"')),
        _ => side_of_line(&mut characters).is_some(),
    }
}

/// The side whose set-up a line begins with: `R:` or `B:`.
fn side_of_line(characters: &mut impl Iterator<Item = char>) -> Option<Side> {
    let side = side(characters.next()?)?;
    (characters.find(|character| *character != ' ')? == ':').then_some(side)
}

/// The half-width form of a full-width letter, digit or symbol; other characters as they are.
fn half_width(character: char) -> char {
    match character {
        '\u{3000}' => ' ',
        '【' => '[',
        '】' => ']',
        '！'..='～' => char::from((character as u32 - '！' as u32 + '!' as u32) as u8),
        _ => character,
    }
}

/// The text with all characters outside the contents of brackets, which name people and places, in
/// half width.
fn in_half_width(text: &str) -> Cow<'_, str> {
    // Most records have none, and are read as they are. All begin with one of two bytes; looking at
    // all bytes takes a fraction of the time that it takes to stop at the first of them.
    if !text.bytes().fold(false, |wide, byte| wide | matches!(byte, 0xE3 | 0xEF)) {
        return Cow::Borrowed(text);
    }
    let mut inside = false;
    let convert = |character: char| {
        let half = half_width(character);
        inside = half == '[' || inside && !matches!(half, ']' | '\n');
        if inside && half != '[' { character } else { half }
    };
    Cow::Owned(text.chars().map(convert).collect())
}

fn side(letter: char) -> Option<Side> {
    Side::BOTH.into_iter().find(|&side| letter.eq_ignore_ascii_case(&LETTERS[side]))
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
    let plain = |character: char| match half_width(character) {
        '[' => '(',
        ']' => ')',
        half if half.is_control() => ' ',
        _ => character,
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
    let EventInfo { time, place, event } = &game.event_info;
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

/// The default file name, `WTN-first vs second-先手胜-place time-event.txt`, without characters that
/// file names may not contain.
pub(super) fn file_name<R: RuleSet>(game: &Transcript<Position<R>>) -> String {
    let EventInfo { time, place, event } = &game.event_info;
    let first = game.start().side();
    let players = &game.players;
    let name = format!(
        "WTN-{} vs {}-{}-{}-{event}.txt",
        players[first],
        players[!first],
        result(game),
        format!("{place} {time}").trim()
    );
    let safe = |character: char| match character {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
        character if character.is_control() => '_',
        character => character,
    };
    name.chars().map(safe).collect()
}
