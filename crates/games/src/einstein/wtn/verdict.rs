//! Who has won, who moves first and whose name a field holds, by the words in the header of a WTN
//! record.
//!
//! Programs and people fill in results freely: `先手胜`, `后手超时负`, `蓝方胜`, `blue resigns`. A text is
//! understood only if every word of it is known, because one unknown word can turn the meaning round.
//! A text that is not understood, or names no winner or two, is no verdict: [`winner`] then returns
//! `None`, and the moves must decide.

use wurfel_core::Side;

use super::half_width;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    /// The side that moves first (0) or second (1).
    Mover(usize),
    Colour(Side),
    /// The opponent of the side named last.
    Opponent,
    /// The side that it refers to has won, or has lost.
    Won(bool),
    /// Says nothing about who has won.
    Filler,
}

/// Chinese words; of those that begin alike the longest comes first.
const CHINESE: &[(&str, Word)] = &[
    ("先", Word::Mover(0)),
    ("后", Word::Mover(1)),
    ("後", Word::Mover(1)),
    ("红", Word::Colour(Side::First)),
    ("紅", Word::Colour(Side::First)),
    ("蓝", Word::Colour(Side::Second)),
    ("藍", Word::Colour(Side::Second)),
    ("对方", Word::Opponent),
    ("對方", Word::Opponent),
    ("对手", Word::Opponent),
    ("對手", Word::Opponent),
    ("胜利", Word::Won(true)),
    ("勝利", Word::Won(true)),
    ("获胜", Word::Won(true)),
    ("獲勝", Word::Won(true)),
    ("战胜", Word::Won(true)),
    ("戰勝", Word::Won(true)),
    ("击败", Word::Won(true)),
    ("擊敗", Word::Won(true)),
    ("胜", Word::Won(true)),
    ("勝", Word::Won(true)),
    ("赢", Word::Won(true)),
    ("贏", Word::Won(true)),
    ("失败", Word::Won(false)),
    ("失敗", Word::Won(false)),
    ("负", Word::Won(false)),
    ("負", Word::Won(false)),
    ("输", Word::Won(false)),
    ("輸", Word::Won(false)),
    ("认输", Word::Won(false)),
    ("認輸", Word::Won(false)),
    ("投降", Word::Won(false)),
    ("超时", Word::Won(false)),
    ("超時", Word::Won(false)),
    ("弃权", Word::Won(false)),
    ("棄權", Word::Won(false)),
    ("犯规", Word::Won(false)),
    ("犯規", Word::Won(false)),
    ("手", Word::Filler),
    ("方", Word::Filler),
    ("者", Word::Filler),
    ("判", Word::Filler),
    ("因", Word::Filler),
    ("由", Word::Filler),
    ("于", Word::Filler),
    ("於", Word::Filler),
];

const LATIN: &[(&str, Word)] = &[
    ("first", Word::Mover(0)),
    ("second", Word::Mover(1)),
    ("last", Word::Mover(1)),
    ("red", Word::Colour(Side::First)),
    ("r", Word::Colour(Side::First)),
    ("blue", Word::Colour(Side::Second)),
    ("b", Word::Colour(Side::Second)),
    ("opponent", Word::Opponent),
    ("win", Word::Won(true)),
    ("wins", Word::Won(true)),
    ("won", Word::Won(true)),
    ("winner", Word::Won(true)),
    ("lose", Word::Won(false)),
    ("loses", Word::Won(false)),
    ("lost", Word::Won(false)),
    ("loser", Word::Won(false)),
    ("resigns", Word::Won(false)),
    ("resigned", Word::Won(false)),
    ("timeout", Word::Won(false)),
    ("player", Word::Filler),
    ("the", Word::Filler),
    ("on", Word::Filler),
    ("time", Word::Filler),
];

/// The words of a text; `None` when one of them is not known.
fn words(text: &str) -> Option<Vec<Word>> {
    let text: String =
        text.chars().map(half_width).map(|character| character.to_ascii_lowercase()).collect();
    let mut rest = text.as_str();
    let mut words = vec![];
    while let Some(character) = rest.chars().next() {
        let latin = &rest
            [..rest.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(rest.len())];
        let (length, word) = if !latin.is_empty() {
            (latin.len(), LATIN.iter().find(|(known, _)| *known == latin)?.1)
        } else if character.is_whitespace() || ":,.;()-、。".contains(character) {
            (character.len_utf8(), Word::Filler)
        } else {
            let fitting = CHINESE.iter().filter(|(known, _)| rest.starts_with(known));
            let (known, word) = fitting.max_by_key(|(known, _)| known.len())?;
            (known.len(), *word)
        };
        words.push(word);
        rest = &rest[length..];
    }
    words.retain(|word| *word != Word::Filler);
    Some(words)
}

/// The side that a text names as the winner; `None` where it names none, or both.
/// `first` is the side that moves first, where that is certain.
pub(super) fn winner(text: &str, first: Option<Side>) -> Option<Side> {
    let words = words(text)?;
    // `胜方：先手` names the winner last, `先手胜` first.
    let verdict_first = matches!(words.first()?, Word::Won(_));
    let mut reading = Reading::default();
    for word in words {
        let side = match word {
            Word::Won(won) => {
                if verdict_first && reading.won.is_some() {
                    reading.close()?;
                }
                if *reading.won.get_or_insert(won) != won {
                    return None;
                }
                continue;
            }
            Word::Mover(number) => first.map(|first| if number == 0 { first } else { !first })?,
            Word::Colour(side) => side,
            Word::Opponent => !reading.side.or(reading.before)?,
            Word::Filler => continue,
        };
        if !verdict_first && reading.won.is_some() {
            reading.close()?;
        }
        // Both are meant in the form `先（后）手胜`, which was not filled in.
        if *reading.side.get_or_insert(side) != side {
            return None;
        }
    }
    // The side named last may be the object: `先手胜后手`.
    let ends_with_object =
        reading.won.is_none() && reading.before.is_some_and(|before| reading.side == Some(!before));
    if !ends_with_object {
        reading.close()?;
    }
    reading.winner
}

/// What a text has said so far.
#[derive(Clone, Copy, Default)]
struct Reading {
    /// The side that the present clause is about.
    side: Option<Side>,
    /// Whether it has won.
    won: Option<bool>,
    /// The side that the clause before was about.
    before: Option<Side>,
    /// The side that has won by the clauses before.
    winner: Option<Side>,
}

impl Reading {
    /// Ends a clause; `None` when it is not whole, or contradicts the ones before it.
    fn close(&mut self) -> Option<()> {
        let (won, side) = (self.won.take()?, self.side.take()?);
        self.before = Some(side);
        let winner = if won { side } else { !side };
        (*self.winner.get_or_insert(winner) == winner).then_some(())
    }
}

/// The side that moves first, where a text says that and nothing else: `红方先手`.
pub(super) fn first_mover(text: &str) -> Option<Side> {
    match words(text)?.as_slice() {
        &([Word::Colour(side), Word::Mover(number)]
        | [Word::Mover(number), Word::Colour(side)]) => {
            Some(if number == 0 { side } else { !side })
        }
        _ => None,
    }
}

/// Whose name follows a label such as `红方:` or `先手:`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Label {
    /// The side of this colour.
    Colour(Side),
    /// The side that moves first (0) or second (1).
    Mover(usize),
}

/// A field that begins with a label, as the label and the name.
pub(super) fn labelled(field: &str) -> Option<(Label, &str)> {
    let (at, colon) = field.char_indices().find(|&(_, character)| half_width(character) == ':')?;
    let label = match *words(&field[..at])?.as_slice() {
        [Word::Colour(side)] => Label::Colour(side),
        [Word::Mover(number)] => Label::Mover(number),
        _ => return None,
    };
    Some((label, field[at + colon.len_utf8()..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Option<Side> = Some(Side::First);
    const BLUE: Option<Side> = Some(Side::Second);

    #[test]
    fn results_are_read_by_their_meaning() {
        // What each says when red moves first, and when blue does.
        for (text, winners) in [
            ("先手胜", [RED, BLUE]),
            ("后手胜", [BLUE, RED]),
            ("後手勝", [BLUE, RED]),
            ("先胜", [RED, BLUE]),
            ("先手获胜", [RED, BLUE]),
            ("先手负", [BLUE, RED]),
            ("后手负", [RED, BLUE]),
            ("先手超时负", [BLUE, RED]),
            ("先手超时判负", [BLUE, RED]),
            ("后手认输", [RED, BLUE]),
            ("后手弃权", [RED, BLUE]),
            ("后手超时，先手胜", [RED, BLUE]),
            ("先手胜（后手超时）", [RED, BLUE]),
            ("先手胜(对方认输)", [RED, BLUE]),
            ("先手胜后手负", [RED, BLUE]),
            ("先手战胜后手", [RED, BLUE]),
            ("先手负于后手", [BLUE, RED]),
            ("先手击败后手", [RED, BLUE]),
            ("胜方：先手", [RED, BLUE]),
            ("胜方：先手 负方：后手", [RED, BLUE]),
            ("负方:先手", [BLUE, RED]),
            ("红方胜", [RED, RED]),
            ("蓝方胜", [BLUE, BLUE]),
            ("红方负", [BLUE, BLUE]),
            ("蓝方超时", [RED, RED]),
            ("Ｒ胜", [RED, RED]),
            ("Ｂ　ｗｉｎｓ", [BLUE, BLUE]),
            ("red wins", [RED, RED]),
            ("Blue lost on time", [RED, RED]),
            ("First player won", [RED, BLUE]),
            ("second player resigns", [RED, BLUE]),
            // Said of a side twice over.
            ("红方先手胜", [RED, None]),
            ("后手蓝方胜", [BLUE, None]),
        ] {
            assert_eq!([RED, BLUE].map(|first| winner(text, first)), winners, "{text}");
        }
    }

    #[test]
    fn what_says_nothing_both_or_something_unknown_is_no_verdict() {
        for text in [
            "",
            "平局",
            "和棋",
            "先手",
            "红方",
            "胜",
            "胜负未分",
            "先（后）手胜",
            "先手/后手胜",
            "先手胜后手胜",
            "先手负后手负",
            "双方超时",
            "先手不胜",
            "先手未胜",
            "先手胜负",
            "先手超时胜",
            "先手败后手",
            "先手胜先手",
            "胜方:",
            "胜方：先手后手",
            "对方超时",
            "1-0",
            "2:1",
            "first wins maybe",
            "CAU",
            "brew",
        ] {
            for first in [RED, BLUE] {
                assert_eq!(winner(text, first), None, "{text}");
            }
        }
        assert_eq!(winner("先手胜", None), None);
        assert_eq!(winner("蓝方胜", None), BLUE);
    }

    #[test]
    fn labels_and_first_movers_are_what_they_say_and_names_are_not() {
        assert_eq!(first_mover("红方先手"), RED);
        assert_eq!(first_mover("先手：蓝方"), BLUE);
        assert_eq!(first_mover("蓝方后手"), RED);
        for text in ["红方", "先手", "红方先手胜", "红方蓝方先手", "甲队先手"] {
            assert_eq!(first_mover(text), None, "{text}");
        }
        assert_eq!(labelled("红方:甲队"), Some((Label::Colour(Side::First), "甲队")));
        assert_eq!(labelled("蓝方： 乙队 2"), Some((Label::Colour(Side::Second), "乙队 2")));
        assert_eq!(labelled("后手：C"), Some((Label::Mover(1), "C")));
        for text in ["甲队", "甲:乙", "红先:甲", "red", "胜:红"] {
            assert_eq!(labelled(text), None, "{text}");
        }
    }
}
