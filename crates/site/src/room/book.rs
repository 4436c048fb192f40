//! The set-ups that agents choose from: the best of each side.

use wurfel_core::{BySide, Random, Side};

/// A game and the best set-ups of each side, as `wurfel setups --depth 3 --top 5` finds them;
/// `docs/strength.md` tells what they are worth.
type Book = (&'static str, BySide<[&'static str; 5]>);

const BOOKS: [Book; 1] = [(
    "einstein",
    BySide::new(
        ["S652143", "S613542", "S164235", "S125634", "S152634"],
        ["S164235", "S125634", "S652143", "S613542", "S614532"],
    ),
)];

/// One of the best set-ups of a side, if anybody has looked for them.
pub(super) fn chosen(game: &str, side: Side, random: &mut Random) -> Option<&'static str> {
    let (_, book) = BOOKS.iter().find(|(name, _)| *name == game)?;
    let book: &[&'static str] = &book[side];
    Some(*random.pick(book))
}
