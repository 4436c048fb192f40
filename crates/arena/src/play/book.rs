//! The set-ups that agents take without a search: the best ones of each side.

use wurfel_core::BySide;

/// The name of a game and the best set-ups of each side, as `wurfel setups --depth 3 --top 5` finds
/// them; `docs/strength.md` says how strong they are.
type Book = (&'static str, BySide<[&'static str; 5]>);

const BOOKS: [Book; 1] = [(
    "einstein",
    BySide::new(
        ["S652143", "S613542", "S164235", "S125634", "S152634"],
        ["S164235", "S125634", "S652143", "S613542", "S614532"],
    ),
)];

/// The best set-ups of each side, the best first; `None` for a game without a set-up book.
///
/// ```
/// use wurfel_arena::best_setups;
/// use wurfel_core::Side;
///
/// let book = best_setups("einstein").expect("EWN has a set-up book");
/// assert_eq!(book[Side::First][0], "S652143");
/// assert!(best_setups("dicechess").is_none()); // nothing to arrange
/// ```
pub fn best_setups(game: &str) -> Option<&'static BySide<[&'static str; 5]>> {
    BOOKS.iter().find(|(name, _)| *name == game).map(|(_, book)| book)
}
