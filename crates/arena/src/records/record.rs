//! Games as JSON lines: a header with the settings that produced them, then one line for each game.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use wurfel_agents::Spec;
use wurfel_core::{Budget, Failure, Fault, Outcome, Side};
use wurfel_statistics::{FinishedGame, Searches, SetUps, Sides, Sprt, Timing};

use crate::records::notes::{Comment, Variation};

/// The name of the format, in the header.
pub const FORMAT: &str = "wurfel-games";
/// The version of the format; a reader refuses a version it does not know.
pub const VERSION: u32 = 1;

/// The first line of a file of games: everything that determines them.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchHeader {
    /// Always `wurfel-games`, which says that the file is one of games.
    pub format: String,
    /// The version of the format, 1; a reader refuses a version that it does not know.
    pub version: u32,
    /// The program that wrote the file, with its version.
    pub program: String,
    /// The game, which is the rule set: a name of `wurfel games`.
    pub game: String,
    /// The two players, in the order in which games refer to them: their specs if they are agents.
    #[serde(deserialize_with = "two_agents")]
    pub agents: [String; 2],
    /// How many pairs of games there are in all; the numbers of pairs stay below it.
    pub pairs: u64,
    /// The seed of set-ups, dice and agents; 0 where there was none.
    pub seed: u64,
    /// Maximum number of turns that both agents looked ahead; `None` or missing where there was no such bound.
    pub depth: Option<u32>,
    /// Maximum number of positions that both visited for a move; `None` or missing as for `depth`.
    pub nodes: Option<u64>,
    /// The time that both had for each move, in microseconds; `None` or missing as for `depth`.
    pub time_us: Option<u64>,
    /// Where the set-ups came from; missing when they were drawn at random.
    #[serde(default, skip_serializing_if = "is_default")]
    pub setups: SetUps,
    /// The names that programs among the players give themselves (`id name` in UGI), usually with
    /// their versions; missing where there is none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub programs: [Option<String>; 2],
    /// The test that ends the match when it is decided; missing when all pairs are played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

impl MatchHeader {
    /// The header of a match of the game with this name.
    pub fn new(game: &str, agents: [&Spec; 2], pairs: u64, seed: u64, budget: Budget<'_>) -> Self {
        Self {
            seed,
            depth: budget.depth,
            nodes: budget.nodes,
            time_us: budget.time.map(|time| time.as_micros() as u64),
            ..Self::of_games(game, agents.map(ToString::to_string), pairs)
        }
    }

    /// The header of games that come from elsewhere.
    pub fn of_games(game: &str, agents: [String; 2], pairs: u64) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: concat!("wurfel ", env!("CARGO_PKG_VERSION")).to_owned(),
            game: game.to_owned(),
            agents,
            pairs,
            ..Self::default()
        }
    }
}

/// A game with its moves, a line of a file of games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameRecord {
    /// The number of its pair, from 0.
    pub pair: u64,
    /// Which game of the pair, 0 or 1; games are in order.
    pub game: u8,
    /// Which of the header's players has the first side, 0 or 1.
    pub first: u8,
    /// The starting position, in the notation of the game.
    pub start: String,
    /// Rolls, each before the moves that were made with it: `@4 a5b4 @1 …`.
    pub moves: String,
    /// `1-0` when the first side won, `0-1`, `1/2-1/2`, or `*` when it is open.
    pub result: String,
    /// The number of the player that lost by a fault, and the fault: `crash`, `illegal-move` or `time`;
    /// missing when the rules decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<(u8, Fault)>,
    /// What happened at that fault, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Turns played, as many as `moves` has.
    pub plies: u32,
    /// The search statistics of each of the header's players.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "[std::collections::BTreeMap<String, wurfel_statistics::Tally>; 2]")
    )]
    pub searches: [Searches; 2],
    /// When the game was played.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub time: String,
    /// Where the game was played.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The tournament that the game belongs to.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub event: String,
    /// What readers have said of positions of the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<Comment>,
    /// Moves that were not played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
}

fn two_agents<'de, D: Deserializer<'de>>(from: D) -> Result<[String; 2], D::Error> {
    let agents = Vec::<String>::deserialize(from)?;
    let count = agents.len();
    agents.try_into().map_err(|_| D::Error::custom(format!("{count} agents: expected two")))
}

/// Whether a field has its default value, which is left out of the file.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The result of a game that is not over.
pub const OPEN: &str = "*";

impl GameRecord {
    /// The outcome; `None` when the game is open or the result is malformed.
    pub fn outcome(&self) -> Option<Outcome> {
        outcome(&self.result)
    }

    /// What the tally of a match needs from this game, with the times that its agents used; `None`
    /// where there is no [outcome](Self::outcome).
    pub(crate) fn finished(&self, timing: [Timing; 2]) -> Option<FinishedGame> {
        Some(FinishedGame {
            sides: Sides { first: usize::from(self.first & 1) },
            outcome: self.outcome()?,
            failure: self.failure(),
            plies: self.plies,
            timing,
            searches: self.searches.clone(),
            luck: None,
        })
    }

    /// The points of the first agent of the header, in halves; `None` where there is no
    /// [outcome](Self::outcome).
    pub fn halves(&self) -> Option<u8> {
        let sides = Sides { first: usize::from(self.first & 1) };
        self.outcome().map(|outcome| sides.halves(outcome))
    }

    /// The agent of the header that lost by a failure, 0 or 1, and the failure.
    pub(crate) fn failure(&self) -> Option<(usize, Failure)> {
        let (agent, fault) = self.fault?;
        Some((usize::from(agent & 1), Failure::new(fault, self.reason.as_str())))
    }

    /// Checks the numbers of the game and of its players. `pairs` is the number of pairs that the
    /// header names, if there is one. An error says which number is wrong and what was expected.
    pub(crate) fn check(&self, pairs: Option<u64>) -> Result<(), String> {
        check_place(self.pair, self.game, self.first, pairs)?;
        match self.fault {
            Some((agent @ 2.., _)) => Err(format!("fault of player {agent}: expected 0 or 1")),
            _ => Ok(()),
        }
    }
}

/// Checks the place of a game in its pair, the player of its first side, and, if the header names a
/// number of pairs, the number of the pair. An error says which of them is wrong and what was
/// expected.
pub(crate) fn check_place(
    pair: u64,
    game: u8,
    first: u8,
    pairs: Option<u64>,
) -> Result<(), String> {
    for (name, number) in [("game", game), ("first", first)] {
        if number > 1 {
            return Err(format!("{name} {number}: expected 0 or 1"));
        }
    }
    match pairs {
        Some(pairs) if pair >= pairs => {
            Err(format!("pair {pair}: expected a number below {pairs}, the pairs of the header"))
        }
        _ => Ok(()),
    }
}

/// Checks that a text which is shown to people is one line, without characters that could control a
/// terminal. An error names the text by `what`.
pub(crate) fn one_line(what: &str, text: &str) -> Result<(), String> {
    if text.chars().any(char::is_control) {
        return Err(format!("{what} {text:?}: expected a text on one line"));
    }
    Ok(())
}

/// Reads the text of a result.
pub(crate) fn outcome(text: &str) -> Option<Outcome> {
    let known = [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw];
    known.into_iter().find(|outcome| outcome.to_string() == text)
}
