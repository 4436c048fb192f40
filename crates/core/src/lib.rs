#![doc = include_str!("../README.md")]

mod agent;
mod checksum;
#[cfg(any(test, feature = "testkit"))]
pub mod conformance;
mod diagram;
mod dice;
mod encode;
mod encoding;
mod endgame;
mod evaluate;
mod fan;
mod features;
pub mod files;
mod hash;
mod literal;
mod message;
mod move_reader;
mod names;
mod network;
mod notation;
mod order;
mod perft;
mod random;
mod random_games;
#[cfg(any(test, feature = "testkit"))]
mod random_literal;
mod rules;
mod side;
mod text;
pub mod threads;
mod transcript;

pub use agent::{
    Agent, Analysis, AssessedTurn, Assessment, Budget, Clocks, Decision, Failure, Fault, Statistic,
    before_roll,
};
pub use checksum::{checksum, checksum_text};
pub use diagram::{Diagram, DiagramSquare, Piece, Style};
pub use dice::{
    Dice, DiceError, EnteredDice, FairDice, ScriptedDice, check_roll, draw, draw_index, roll,
};
pub use encode::Encode;
pub use encoding::{Decoded, NotGbk, decode, decoded, encode_gbk, read_text, without_mark};
pub use endgame::{Endgame, EndgameIndex};
pub use evaluate::{EndPreference, Evaluator, Even, Preference};
pub use fan::{Fan, FanRoll};
pub use features::Features;
pub use hash::quick_hash;
pub use literal::{Literal, LiteralMove, LiteralRoll};
pub use message::{at_line, excerpt, in_one_line};
pub use move_reader::MoveReader;
pub use names::UnknownName;
pub use network::{Network, Prediction, Predictions, UniformNetwork};
pub use notation::NotationError;
pub use order::sort_by_score;
pub use perft::perft;
pub use random::Random;
pub use random_games::{RandomGame, RandomGames, random_game};
#[cfg(any(test, feature = "testkit"))]
pub use random_literal::random_literal;
pub use rules::{Game, Situation, Turn, Weighted};
pub use side::{BySide, Outcome, Side};
/// The system's clocks or, in a web page, where the standard library's would panic, the page's.
#[cfg(not(target_family = "wasm"))]
pub use std::time::{Instant, SystemTime};
#[cfg(target_family = "wasm")]
pub use web_time::{Instant, SystemTime};

pub use text::{Scanner, TextError, TextPosition};
pub use transcript::{EventInfo, Transcript, TranscriptStep};
