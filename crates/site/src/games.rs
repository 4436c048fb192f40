//! What a page needs to know before a game is played: the games, their agents, and positions as pictures.

use serde::{Deserialize, Serialize};
use wurfel::{Facts, Game, Scene, all_games};
use wurfel_agents::{DEFAULT_AGENT, Level};
use wurfel_core::{BySide, NotationError, Side, Weighted};

use crate::agents::{Offered, offered};
use crate::puzzles::has_puzzles;

/// What the operator allows.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Policy {
    /// Whether there is a list of games that anybody may join.
    pub lobby: bool,
    /// Whether the page offers analyses of games in progress, other than those between people on two devices.
    pub live_analysis: bool,
}

/// The offer of a site.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Site"))]
pub(crate) struct SiteShown {
    /// The version of the program.
    version: &'static str,
    /// The agent that analyses by default.
    agent: &'static str,
    /// The agents that guests may choose.
    agents: Vec<Offered>,
    #[serde(flatten)]
    policy: Policy,
    /// The games.
    games: Vec<GameShown>,
}

impl SiteShown {
    /// `engines` are the external programs that are offered for a game.
    pub fn new(policy: Policy, engines: impl Fn(&str) -> Vec<String>) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            agent: DEFAULT_AGENT,
            agents: offered().collect(),
            policy,
            games: all_games().map(|game| game_shown(game, engines(game.name()))).collect(),
        }
    }
}

/// The facts about a game that a page needs before a game is played.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Game"))]
struct GameShown {
    /// Its name, which is the rule set.
    name: &'static str,
    /// Its name for people.
    title: &'static str,
    /// Its description in one sentence.
    about: &'static str,
    /// The names of the sides, the first side first.
    sides: [&'static str; 2],
    /// The outcomes of the dice.
    faces: Vec<Face>,
    /// Agents of measured strength to play against.
    levels: &'static [Level],
    /// An example set-up for each side, if there are several set-ups.
    setup: Option<[String; 2]>,
    /// A position before the first roll.
    start: Scene,
    /// Whether the game has puzzles.
    puzzles: bool,
    /// Positions to try an analysis on.
    samples: &'static [&'static str],
    /// The external programs that are offered here, by their names.
    engines: Vec<String>,
}

/// A roll of the dice, and the number of outcomes of the dice that show it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Face {
    /// The roll, in the notation of the game.
    roll: String,
    /// The number of outcomes.
    weight: u32,
}

fn game_shown(game: Game, engines: Vec<String>) -> GameShown {
    let Facts { name, title, about, sides, levels, samples, .. } = game.facts();
    let setups = game.setups();
    let start = game.arranged(BySide::from_fn(|_| setups[0].as_str()));
    let face = |face: Weighted<String>| Face { roll: face.item, weight: face.weight };
    GameShown {
        name,
        title,
        about,
        sides: Side::BOTH.map(|side| sides[side]),
        faces: game.dice().into_iter().map(face).collect(),
        levels,
        setup: (setups.len() > 1).then(|| [setups[0].clone(), setups[0].clone()]),
        start: start.expect("the set-ups are those of the game").scene(),
        puzzles: has_puzzles(game),
        samples,
        engines,
    }
}

/// A request for a position to draw, or the one after a move in it.
#[derive(Deserialize)]
pub(crate) struct SceneRequest {
    pub game: String,
    position: String,
    /// Whether castling rights that the board rules out are dropped and not refused.
    #[serde(default)]
    drop_castling: bool,
    /// A move to play in the position.
    #[serde(rename = "move")]
    mv: Option<String>,
}

impl SceneRequest {
    /// Everything that a page needs to draw it, in the game that it names.
    ///
    /// # Errors
    /// What is wrong with the position or the move.
    pub fn scene(self, game: Game) -> Result<Scene, NotationError> {
        let mut position = game.read(&self.position, self.drop_castling)?;
        if let Some(mv) = self.mv {
            position = position.played(&mv)?;
        }
        Ok(position.scene())
    }
}
