#![doc = include_str!("../README.md")]

mod agents;
#[cfg(feature = "workbench")]
mod cup;
#[cfg(feature = "workbench")]
mod encoding;
#[cfg(feature = "workbench")]
mod entrants;
#[cfg(feature = "workbench")]
mod evaluation;
#[cfg(feature = "workbench")]
mod fitting;
mod game;
#[cfg(feature = "workbench")]
mod lanes;
#[cfg(feature = "workbench")]
mod learning;
mod luck;
mod player;
#[cfg(feature = "workbench")]
mod policy;
mod position;
mod records;
mod rollout;
mod scene;
#[cfg(feature = "workbench")]
mod session;
mod solution;
mod solver;
#[cfg(feature = "workbench")]
mod table_units;
#[cfg(feature = "workbench")]
mod tables;
#[cfg(feature = "workbench")]
mod training;
#[cfg(feature = "workbench")]
mod workbench;

/// Empty: the games of a web page offer only play and analysis.
#[cfg(not(feature = "workbench"))]
mod workbench {
    pub trait Workbench {}
    impl<T> Workbench for T {}
}

#[cfg(feature = "workbench")]
pub use agents::ErrorRateSettings;
pub use agents::{Agent, Agents, AnyAgents, NoAnswer, TurnAnalysis};
#[cfg(feature = "workbench")]
pub use cup::Cup;
#[cfg(feature = "workbench")]
pub use encoding::{Encoding, NoEncoding};
#[cfg(feature = "workbench")]
pub use entrants::{Entrants, Match, MatchSettings};
#[cfg(feature = "workbench")]
pub use evaluation::Evaluation;
#[cfg(feature = "workbench")]
pub use fitting::{FitError, FittedReplies, LabelSource, Labeller};
pub use game::{AnyGame, Facts, Game, add_games, all_games, default_game, game};
#[cfg(feature = "workbench")]
pub use lanes::{LaneArrays, Lanes};
#[cfg(feature = "workbench")]
pub use learning::Learning;
pub use luck::LuckMeter;
pub use player::{OwnAgent, OwnPlayer, Player};
#[cfg(feature = "workbench")]
pub use policy::{LikelyMove, PolicyNetwork, PolicyReport};
pub use position::{AnyPosition, Position};
pub use records::{
    AnyGames, FormedGame, Games, JSON_LINES, MOVE_LISTS, Record, RecordStep, ReviewSettings,
    UnparsedGame,
};
pub use rollout::{MoveRollouts, Rollout, RolloutSettings};
pub use scene::{Rolled, Scene, SceneBoard, SceneMove, ScenePiece, SceneSquare};
#[cfg(feature = "workbench")]
pub use session::{ResumedSession, Session};
pub use solution::{SolutionReport, SolvedMove, SolvedRollReport};
pub use solver::Solver;
#[cfg(feature = "workbench")]
pub use table_units::{NotAssembled, TableUnits};
#[cfg(feature = "workbench")]
pub use tables::{AnyTables, Tables, TablesWanted};
#[cfg(feature = "workbench")]
pub use training::{GamesError, SelfPlay, StrengthCurve, TrainingRun};
#[cfg(feature = "workbench")]
pub use workbench::{PlayedDecision, Workbench, tables_folder};
pub use wurfel_agents::{AgentInfo, Level, PuzzleBook, Spec, SpecError, agents};
// Types from the crates below that users of this one need.
#[cfg(feature = "workbench")]
pub use wurfel_arena::{
    AdjustedRate, AgentReport, MatchError, MatchHeader, MatchReport, MatchTally, Output,
    ScoreReport, Sprt, StoppingRule,
};
pub use wurfel_arena::{
    Graph, LuckMark, Mark, PositionReport, PositionSource, ReviewReport, ReviewedMove,
    ReviewedPlayer, ScoredMove, ScoredRoll, Totals,
};
#[doc(no_inline)]
pub use wurfel_core as core;
pub use wurfel_core::{
    Budget, BySide, Decision, Diagram, Failure, Fault, NotationError, Outcome, Random, Side,
    TextError, UnknownName, Weighted,
};
pub use wurfel_games::{Choice, Pieces, ShippedFile};
#[cfg(feature = "workbench")]
pub use wurfel_train::network::{Devices, TrainingConfig};
