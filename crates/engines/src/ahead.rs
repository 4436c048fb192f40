//! What an engine thinks about on its opponent's time: the position before its own next roll, as
//! far as its principal variation foresees that position.

use wurfel_core::{Game, Situation, Turn};
use wurfel_protocol::ugi::PositionWord;

/// A position without a roll, in the game's notation.
pub(crate) fn at_rest<G: Game>(position: &G) -> String {
    Situation { position: position.clone(), roll: None }.to_string()
}

/// A position that an engine can think about while its opponent does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ahead {
    /// The position before its own next roll, if everything comes as it expects.
    Own(String),
    /// The position before its opponent's roll.
    Opponent(String),
}

/// The position that an engine can think about after it has played `mv` and announced which roll
/// and moves it expects next. `None` when its turn goes on or the game is over.
pub(crate) fn ahead<G: Game>(
    turn: Turn<'_, G>,
    mv: &str,
    expected: &[PositionWord],
) -> Option<Ahead> {
    let mut position = turn.position.clone();
    let mv = legal(&position, turn.roll, mv)?;
    if position.play(turn.roll, mv).is_some() || position.outcome().is_some() {
        return None;
    }
    let own = after_reply(position.clone(), expected).filter(|next| next.side() == turn.side());
    Some(own.map_or_else(|| Ahead::Opponent(at_rest(&position)), |own| Ahead::Own(at_rest(&own))))
}

/// The position after the opponent's roll and moves. `None` when the expected moves stop before the
/// end of the opponent's turn, are not possible, or end the game.
fn after_reply<G: Game>(mut position: G, expected: &[PositionWord]) -> Option<G> {
    let mut steps = expected.iter();
    let Some(PositionWord::Roll(text)) = steps.next() else { return None };
    let roll = position.rolls().as_ref().iter().find(|roll| roll.item.to_string() == *text)?.item;
    let mut rest = Some(roll);
    while let Some(roll) = rest {
        let Some(PositionWord::Move(mv)) = steps.next() else { return None };
        let mv = legal(&position, roll, mv)?;
        rest = position.play(roll, mv);
    }
    position.outcome().is_none().then_some(position)
}

/// Finds the legal move of this text; `None` also when the game is over.
fn legal<G: Game>(position: &G, roll: G::Roll, text: &str) -> Option<G::Move> {
    if position.outcome().is_some() {
        return None;
    }
    position.moves(roll).as_ref().iter().copied().find(|mv| mv.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_games::einstein::Einstein;

    fn steps(text: &str) -> Vec<PositionWord> {
        let step = |word: &str| match word.strip_prefix('@') {
            Some(roll) => PositionWord::Roll(roll.to_owned()),
            None => PositionWord::Move(word.to_owned()),
        };
        text.split_whitespace().map(step).collect()
    }

    #[test]
    fn the_position_to_think_ahead_about_follows_from_the_principal_variation() {
        let start = Einstein::default();
        let roll = start.rolls()[3].item;
        let turn = Turn { position: &start, roll };
        let next = |mv: &str, line: &str| ahead(turn, mv, &steps(line));
        let own = Ahead::Own("ABC2/1D3/F3f/3ea/2cb1 r - 3".to_owned());
        assert_eq!(next("a4b4", "@1 e1e2 @2 a5b5"), Some(own));
        let opponent = Ahead::Opponent("ABC2/1D3/F3f/3ed/2cba b - 2".to_owned());
        for line in ["", "@1", "e1e2", "@7 e1e2", "@1 a1a2"] {
            assert_eq!(next("a4b4", line), Some(opponent.clone()), "{line}");
        }
        assert_eq!(next("a1a2", "@1 e1e2"), None);
    }
}
