//! Perft: counting sequences of rolls and moves, the standard test of a move generator.

use crate::{Game, Weighted};

/// How many sequences of rolls and moves there are of each length from 1 to `depth`, with every
/// face of the dice counted separately. If `roll` is given, it is the first roll. A finished game
/// has no sequences.
///
/// ```
/// use wurfel_core::{Literal, perft};
///
/// // Three faces with two moves and three with one.
/// let game: Literal = "{[+-][-]}".parse()?;
/// assert_eq!(perft(&game, None, 1), [9]);
/// # Ok::<(), wurfel_core::NotationError>(())
/// ```
pub fn perft<G: Game>(position: &G, roll: Option<G::Roll>, depth: u32) -> Vec<u64> {
    let count = |length| match roll {
        Some(_) if position.outcome().is_some() => 0,
        Some(roll) => after_roll(position, roll, length),
        None => sequences(position, length),
    };
    (1..=depth).map(count).collect()
}

fn sequences<G: Game>(position: &G, length: u32) -> u64 {
    if position.outcome().is_some() {
        return 0;
    }
    let rolls = position.rolls();
    let rolls = rolls.as_ref().iter();
    rolls
        .map(|&Weighted { item, weight }| u64::from(weight) * after_roll(position, item, length))
        .sum()
}

fn after_roll<G: Game>(position: &G, roll: G::Roll, length: u32) -> u64 {
    if length == 1 {
        return position.count(roll) as u64;
    }
    let moves = position.moves(roll);
    let after = |&mv: &G::Move| {
        let mut next = position.clone();
        match next.play(roll, mv) {
            Some(rest) => after_roll(&next, rest, length - 1),
            None => sequences(&next, length - 1),
        }
    };
    moves.as_ref().iter().map(after).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Literal;

    #[test]
    fn faces_count_separately_and_ends_have_no_sequences() {
        let game: Literal = "{3[+{[+-]}]3[[+-]]}".parse().unwrap();
        // Length 1: 3 faces with 2 moves and 3 with 1. Length 2: 3 × 6 × 2 and 3 × 2.
        assert_eq!(perft(&game, None, 3), [9, 42, 0]);
        assert_eq!(perft(&game, Some("1".parse().unwrap()), 2), [2, 12]);
        let over: Literal = "+".parse().unwrap();
        assert_eq!(perft(&over, Some("1".parse().unwrap()), 1), [0]);
    }
}
