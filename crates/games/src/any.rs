//! The only list of games.

use crate::dicechess::{DiceChess, DiceChess3, DiceChessBare, DiceChessPromotion};
use crate::einstein::{Einstein, EinsteinNearest};
use crate::{Choice, Playable, UnknownName};

/// Something done with a game whose type is known when it is compiled.
pub trait UseGame {
    /// What it returns.
    type Output;

    /// Does it.
    fn with<G: Playable>(self) -> Self::Output;
}

/// What can be said of a game without its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameInfo {
    /// The name in commands and records.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its evaluations, the default first.
    pub evaluations: &'static [Choice],
    /// What `bench` measures.
    pub benches: &'static [&'static str],
}

macro_rules! list_of_games {
    ($($game:ty),+ $(,)?) => {
        /// All games, the default first.
        pub const fn games() -> &'static [GameInfo] {
            &[$(GameInfo {
                name: <$game>::NAME,
                title: <$game>::TITLE,
                about: <$game>::ABOUT,
                evaluations: <$game>::EVALUATIONS,
                benches: <$game>::BENCHES,
            }),+]
        }

        /// Lets `user` work with the game called `name`.
        ///
        /// # Errors
        /// When no game has this name.
        pub fn with_game<U: UseGame>(name: &str, user: U) -> Result<U::Output, UnknownName> {
            match name {
                $(<$game>::NAME => Ok(user.with::<$game>()),)+
                _ => {
                    let names: Vec<&str> = games().iter().map(|game| game.name).collect();
                    Err(UnknownName::new("game", name, &names))
                }
            }
        }
    };
}

list_of_games![Einstein, EinsteinNearest, DiceChess, DiceChess3, DiceChessPromotion, DiceChessBare];

#[cfg(test)]
mod tests {
    use super::*;

    struct Title;

    impl UseGame for Title {
        type Output = &'static str;

        fn with<G: Playable>(self) -> &'static str {
            G::TITLE
        }
    }

    #[test]
    fn every_game_in_the_list_is_found_by_its_name_and_has_an_evaluation() {
        for game in games() {
            assert_eq!(with_game(game.name, Title), Ok(game.title));
            assert!(!game.evaluations.is_empty());
        }
        assert_eq!(
            with_game("einstien", Title).unwrap_err().to_string(),
            "unknown game 'einstien': did you mean 'einstein'?"
        );
    }
}
