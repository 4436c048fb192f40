//! The set-ups that agents take without searching for them: the best of each side.

use wurfel_core::BySide;

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

/// The best set-ups of each side, the best first, if anybody has looked for them.
pub fn best_setups(game: &str) -> Option<&'static BySide<[&'static str; 5]>> {
    BOOKS.iter().find(|(name, _)| *name == game).map(|(_, book)| book)
}
