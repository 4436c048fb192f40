#![doc = include_str!("../README.md")]

mod agent;
mod checksum;
#[cfg(any(test, feature = "testkit"))]
pub mod conformance;
mod diagram;
mod dice;
mod endgame;
mod evaluate;
mod fan;
mod features;
mod literal;
mod notation;
mod perft;
mod random;
mod rules;
mod side;

pub use agent::{Agent, Analysis, Assessment, Budget, Decision};
pub use checksum::checksum;
pub use diagram::{Diagram, Man, Square};
pub use dice::{Dice, DiceError, EnteredDice, FairDice, ScriptedDice, draw, draw_place, throw};
pub use endgame::{Endgame, Place};
pub use evaluate::{Evaluator, Even, Preference};
pub use fan::{Fan, FanThrow};
pub use features::Features;
pub use literal::{Literal, LiteralMove, LiteralRoll};
pub use notation::NotationError;
pub use perft::perft;
pub use random::Random;
pub use rules::{Game, Situation, Turn, Weighted};
pub use side::{BySide, Outcome, Side};
