//! The basic agent's view of a move: no search and no dice.

use wurfel_core::{Game, Preference, Turn};

use super::kind::Kind;
use super::moves::Move;
use super::position::Position;
use super::variants::DiceCount;
use super::worth::square_of;

/// Captures when it can, and otherwise moves a piece to the best square for it: the "basic agent"
/// of paper `dice-chess-agents` (section II-C).
///
/// The paper takes the first capture of its list, whatever it captures. Here all captures are rated
/// alike, so that the order of the list does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Basic {
    /// Whether the capture of the king is rated above all others. In the paper it is not.
    pub king_first: bool,
}

impl Default for Basic {
    fn default() -> Self {
        Self { king_first: true }
    }
}

/// A rating above the value of any square.
const CAPTURE: i32 = 1000;

impl<D: DiceCount> Preference<Position<D>> for Basic {
    fn rate(&self, turn: Turn<'_, Position<D>>, mv: Move) -> i32 {
        match captured(turn.position, mv) {
            Some(Kind::King) if self.king_first => return 2 * CAPTURE,
            Some(_) => return CAPTURE,
            None => {}
        }
        let square = |kind| square_of(turn.side(), kind, mv.to().index(), turn.position.ply());
        mv.kind().map_or(0, |kind| i32::from(square(kind)))
    }

    /// Captures, promotions, and moves after which the piece attacks the enemy's king are urgent.
    fn is_urgent(&self, turn: Turn<'_, Position<D>>, mv: Move) -> bool {
        let mut next = *turn.position;
        next.advance(mv);
        captured(turn.position, mv).is_some() || mv.promotion().is_some() || next.attackers() != 0
    }
}

/// The kind of the piece that a legal move captures, if it captures one.
pub(super) fn captured<D: DiceCount>(position: &Position<D>, mv: Move) -> Option<Kind> {
    if mv.is_en_passant() {
        return Some(Kind::Pawn);
    }
    match position.at(mv.to()) {
        Some((side, kind)) if side != position.mover() => Some(kind),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dicechess::DiceChess;
    use wurfel_core::Situation;

    #[test]
    fn it_captures_and_else_goes_where_the_piece_stands_best() {
        // 8  . . . . k . . .     the knight may take the king or the pawn on d5;
        // 7  . . . . . . . .     of the pawns' steps, c5 is worth more than a5
        // 6  . . n . . N . .
        // 5  . p . p . . . .
        // 4  P . P . . . . .
        // 3  . . . . . . . .
        // 2  . . . . . . . .
        // 1  . . . . K . . .     the king stands best on f1
        let rated = |text: &str| {
            let Situation { position, roll } = text.parse::<Situation<DiceChess>>().unwrap();
            let turn = Turn { position: &position, roll: roll.unwrap() };
            let mut moves: Vec<_> = turn.moves().into_iter().collect();
            moves.sort_by_key(|&mv| -Basic::default().rate(turn, mv));
            moves.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let board = "4k3/8/2n2N2/1p1p4/P1P5/8/8/4K3 w - - 0 1";
        assert_eq!(rated(&format!("{board} n"))[..2], ["f6e8", "f6d5"]);
        assert_eq!(rated(&format!("{board} p"))[3..], ["c4c5", "a4a5"]);
        assert_eq!(rated(&format!("{board} k"))[0], "e1f1");
    }

    #[test]
    fn that_of_the_paper_takes_the_king_no_sooner_than_a_pawn() {
        let text = "4k3/8/2n2N2/1p1p4/P1P5/8/8/4K3 w - - 0 1 n";
        let Situation { position, roll } = text.parse::<Situation<DiceChess>>().unwrap();
        let turn = Turn { position: &position, roll: roll.unwrap() };
        let rate = |king_first, mv| {
            Basic { king_first }.rate(turn, turn.position.find_move(turn.roll, mv).unwrap())
        };
        assert_eq!(rate(false, "f6e8"), rate(false, "f6d5"));
        assert!(rate(true, "f6e8") > rate(true, "f6d5"));
    }
}
