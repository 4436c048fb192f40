//! The catalogue: the only list of games, and what a program offers of each beyond its rules.
//!
//! A game that is not listed can be played and measured all the same, by whoever knows its
//! type: [`Catalogued`] is implemented in a few lines.

mod dicechess;
mod einstein;

use wurfel_core::Endgame;
use wurfel_games::dicechess::{DiceChess, DiceChess3, DiceChessBare, DiceChessPromotion};
use wurfel_games::einstein::{Einstein, EinsteinNearest};
use wurfel_games::{Choice, Learnable, Playable, UnknownName};

use crate::agents::compile;
use crate::{Factory, Spec, SpecError};

/// A game with all that commands and the site need: agents, and what is said of it in lists.
pub trait Catalogued: Learnable + Endgame {
    /// Rolled positions from all phases of the game: what `bench` searches.
    const SAMPLES: &'static [&'static str] = &[];

    /// Agents whose search of the samples takes up to a second: what `bench` measures.
    const BENCHES: &'static [&'static str] = &[];

    /// Agents of rising strength for people to play against, the weakest first; none
    /// where nobody has measured any.
    const LEVELS: &'static [Level] = &[];

    /// What builds the agents of a spec; see [`build`](crate::build). The listed games
    /// override it, so that their agents are compiled once, in this crate, and not again by
    /// everybody who builds one.
    ///
    /// # Errors
    /// Names the agent, option or value that is not known, and what is expected.
    fn agents(spec: &Spec) -> Result<Factory<Self>, SpecError> {
        compile(spec)
    }
}

/// An agent as somebody to play against.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Level {
    /// What it is called.
    pub name: &'static str,
    /// Its spec: bounded by depth or positions, so that it plays the same everywhere.
    pub spec: &'static str,
    /// Its strength in Elo, on a scale of this game's own: the levels of one game can be
    /// compared.
    pub elo: i32,
    /// Half of the 95 % interval of that.
    pub within: i32,
}

/// Something done with a game whose type is known when it is compiled.
pub trait UseGame {
    /// What it returns.
    type Output;

    /// Works with the game.
    fn with<G: Catalogued>(self) -> Self::Output;
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

        fn with<G: Catalogued>(self) -> &'static str {
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
