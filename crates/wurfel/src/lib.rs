#![doc = include_str!("../README.md")]

mod agents;
mod cup;
mod encoding;
mod entrants;
mod evaluation;
mod fitting;
mod game;
mod lanes;
mod learning;
mod luck;
mod player;
mod policy;
mod position;
mod records;
mod rollout;
mod scene;
mod session;
mod solution;
mod table_units;
mod tables;
mod training;

pub use agents::{Agent, Agents, AnyAgents, ErrorRateSettings, NoAnswer, TurnAnalysis};
pub use cup::Cup;
pub use encoding::{Encoding, NoEncoding};
pub use entrants::{Entrants, Match, MatchSettings};
pub use evaluation::Evaluation;
pub use fitting::{FitError, FittedReplies, LabelSource, Labeller};
pub use game::{
    AnyGame, Facts, Game, PlayedDecision, add_games, all_games, default_game, game, tables_folder,
};
pub use lanes::{LaneArrays, Lanes};
pub use learning::Learning;
pub use luck::LuckMeter;
pub use player::{OwnAgent, OwnPlayer, Player};
pub use policy::{LikelyMove, PolicyNetwork, PolicyReport};
pub use position::{AnyPosition, Position};
pub use records::{
    AnyGames, FormedGame, Games, JSON_LINES, MOVE_LISTS, Record, RecordStep, ReviewSettings, Unread,
};
pub use rollout::{MoveRollouts, Rollout, RolloutSettings};
pub use scene::{Rolled, Scene, SceneBoard, SceneMove, ScenePiece, SceneSquare};
pub use session::{ResumedSession, Session};
pub use solution::{SolutionReport, SolvedMove, SolvedRollReport};
pub use table_units::{NotAssembled, TableUnits};
pub use tables::{AnyTables, Solver, Tables, TablesWanted};
pub use training::{GamesError, SelfPlay, StrengthCurve, TrainingRun};
pub use wurfel_agents::{PuzzleBook, Spec, SpecError};
pub use wurfel_core::UnknownName;
