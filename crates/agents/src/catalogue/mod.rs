//! The catalogue: the only list of games, with everything that programs offer for each game beyond
//! its rules.
//!
//! A game that is not listed can still be played and measured by code that knows its type, once it
//! implements [`Catalogued`] in a few lines.

/// The methods that compile what is hot of a listed game in this crate; see [`Catalogued::agents`].
macro_rules! compiled_here {
    () => {
        fn agents(&self, spec: &crate::Spec) -> Result<crate::Factory<Self>, crate::SpecError> {
            crate::families::compile(self, spec)
        }

        fn solver() -> Option<crate::Factory<Self>> {
            crate::families::compile_solver()
        }

        fn exact_search(
            tables: std::sync::Arc<wurfel_tablebase::Tables<Self>>,
            evaluator: std::sync::Arc<dyn wurfel_core::Evaluator<Self>>,
            megabytes: usize,
            threads: usize,
        ) -> Box<dyn crate::ExactSearch<Self>> {
            crate::exact_search::compile_exact_search(tables, evaluator, megabytes, threads)
        }

        fn luck(
            evaluation: &str,
        ) -> Result<std::sync::Arc<crate::RollLuck<Self>>, wurfel_core::UnknownName> {
            crate::luck::compile_luck(evaluation)
        }
    };
}

mod dicechess;
mod einstein;
mod puzzle_book;

use std::sync::{Arc, LazyLock};

use wurfel_core::{Endgame, Evaluator, UnknownName};
use wurfel_games::dicechess::{DiceChess, DiceChess3, Variant};
use wurfel_games::einstein::{Einstein, EinsteinNearest};
use wurfel_games::{Choice, Learnable, Playable};

use wurfel_tablebase::Tables;

use crate::exact_search::compile_exact_search;
use crate::families::{compile, compile_solver};
use crate::luck::compile_luck;
use crate::{ExactSearch, Factory, RollLuck, Spec, SpecError};
pub use puzzle_book::PuzzleBook;

/// A game with everything that commands and the site need: agents, levels and sample positions.
pub trait Catalogued: Learnable + Endgame {
    /// Rolled positions from all phases of the game, which `bench` searches.
    const SAMPLES: &'static [&'static str] = &[];

    /// The specs that `bench` measures; each search of the samples should take up to a second.
    const BENCHES: &'static [&'static str] = &[];

    /// Agents of measured strength for people to play against under the rules of this position, weakest
    /// first; empty where none was measured.
    fn levels(&self) -> &'static [Level] {
        &[]
    }

    /// Prepared puzzles under the rules of this position, with the values of a deep search; `None`
    /// where there are none, or where a search to the end of the game makes them at once.
    fn puzzles(&self) -> Option<PuzzleBook> {
        None
    }

    /// Makes the factory that builds the agents of a spec; see [`build`](crate::build). The listed
    /// games override it, so that their agents are compiled once, in this crate, and not again in
    /// every crate that builds one.
    ///
    /// # Errors
    /// Names the agent, option or value that is not known, and what is expected.
    fn agents(&self, spec: &Spec) -> Result<Factory<Self>, SpecError> {
        compile(self, spec)
    }

    /// The agents of [`solver`](crate::solver()), overridden for the same reason.
    fn solver() -> Option<Factory<Self>> {
        compile_solver()
    }

    /// A search for exact values, with a transposition table of this many megabytes that the threads of a
    /// search share; overridden for the same reason.
    fn exact_search(
        tables: Arc<Tables<Self>>,
        evaluator: Arc<dyn Evaluator<Self>>,
        megabytes: usize,
        threads: usize,
    ) -> Box<dyn ExactSearch<Self>> {
        compile_exact_search(tables, evaluator, megabytes, threads)
    }

    /// The luck of rolls by the evaluation of this name; overridden for the same reason.
    ///
    /// # Errors
    /// When the game has no such evaluation.
    fn luck(evaluation: &str) -> Result<Arc<RollLuck<Self>>, UnknownName> {
        compile_luck(evaluation)
    }
}

/// An agent of measured strength to play against.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Level {
    /// The name of the level.
    pub name: &'static str,
    /// The agent's spec, bounded by depth or nodes so that it plays the same on every machine.
    pub spec: &'static str,
    /// Its strength in Elo, on a scale of its game: only levels of one game can be compared.
    pub elo: i32,
    /// Half the width of the 95 % interval of `elo`.
    pub within: i32,
}

/// A function that is generic over the type of a game. [`with_game`] calls it for a game's name.
pub trait UseGame {
    /// The result of the function.
    type Output;

    /// The body of the function for game `G` under the rules of this position.
    fn with<G: Catalogued>(self, rules: &G) -> Self::Output;
}

/// The facts about a game that lists show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameInfo {
    /// The name in commands and records.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// Its evaluations, the default first.
    pub evaluations: &'static [Choice],
    /// The specs that `bench` measures.
    pub benches: &'static [&'static str],
}

macro_rules! list_of_games {
    ($($rules:expr),+ $(,)?) => {
        /// All games, the default first.
        pub fn games() -> &'static [GameInfo] {
            static GAMES: LazyLock<Vec<GameInfo>> =
                LazyLock::new(|| vec![$(GameInfo::of(&$rules)),+]);
            &GAMES
        }

        /// Calls `user` with the type of the game called `name`, and with a position that stands for its
        /// rules.
        ///
        /// ```
        /// use wurfel_agents::{Catalogued, UseGame, with_game};
        ///
        /// /// How many set-ups a game has.
        /// struct Setups;
        ///
        /// impl UseGame for Setups {
        ///     type Output = usize;
        ///
        ///     fn with<G: Catalogued>(self, _rules: &G) -> usize {
        ///         G::setups().len()
        ///     }
        /// }
        ///
        /// assert_eq!(with_game("einstein", Setups)?, 720);
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        ///
        /// # Errors
        /// When no game has this name.
        pub fn with_game<U: UseGame>(name: &str, user: U) -> Result<U::Output, UnknownName> {
            $(
                let rules = $rules;
                if rules.name() == name {
                    return Ok(user.with(&rules));
                }
            )+
            let names: Vec<&str> = games().iter().map(|game| game.name).collect();
            Err(UnknownName::new("game", name, &names))
        }
    };
}

list_of_games![
    Einstein::default(),
    EinsteinNearest::default(),
    DiceChess::default(),
    DiceChess3::default(),
    DiceChess::under(Variant::PromotionByDie),
    DiceChess::under(Variant::BareKingLoses),
];

impl GameInfo {
    fn of<G: Catalogued>(rules: &G) -> Self {
        Self {
            name: rules.name(),
            title: rules.title(),
            about: rules.about(),
            evaluations: G::EVALUATIONS,
            benches: G::BENCHES,
        }
    }
}
