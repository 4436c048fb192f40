//! wurfel for Python: the extension module behind the package `wurfel`.
//!
//! Each file has one subject of the Python side and hands its work to the library; nothing is decided
//! here that the library decides elsewhere. What Python sees of it is typed in `_wurfel.pyi`.

mod agent;
mod analysis;
mod budget;
mod chance;
mod encode;
mod entrant;
mod error;
mod game;
mod interrupt;
mod matches;
mod position;
mod progress;
mod regret;
mod review;
mod state;
mod threads;
mod tournament;
mod vector;
mod work;

use pyo3::prelude::*;

/// The compiled half of the package `wurfel`.
#[pymodule]
mod _wurfel {
    #[pymodule_export]
    use crate::agent::{Agent, Decision, agent, all_agents};
    #[pymodule_export]
    use crate::analysis::{Analysis, MoveValue, RollValue, Solution, analyse, solve};
    #[pymodule_export]
    use crate::budget::Budget;
    #[pymodule_export]
    use crate::encode::{Encoding, encode, legal_mask, move_indices};
    #[pymodule_export]
    use crate::game::{Game, all_games, game};
    #[pymodule_export]
    use crate::matches::{MatchResult, play_match};
    #[pymodule_export]
    use crate::position::Position;

    #[pymodule_export]
    use crate::regret::{RegretResult, regret};
    #[pymodule_export]
    use crate::review::{GameReview, review};
    #[pymodule_export]
    use crate::tournament::{Standing, TournamentResult, tournament};
    #[pymodule_export]
    use crate::vector::VectorEnv;
    #[pymodule_export]
    use crate::work::{DoneUnit, MergedResult, Plan, open_plan, plan};

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
