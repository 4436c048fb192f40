//! wurfel for Python: the extension module behind the package `wurfel`.
//!
//! Each file covers one subject of the Python side and passes the work on to the library; nothing
//! that the library decides is decided here again. `_wurfel.pyi` has the types that Python sees.
//!
//! The module does not need the interpreter's lock. Objects are immutable or keep their mutable
//! state behind a mutex. A thread that waits for this mutex does not hold the interpreter, and no
//! Python code is called while the mutex is held. Arrays are borrowed while they are written.

mod agent;
mod analysis;
mod arrays;
mod budget;
mod chance;
mod encode;
mod encoding;
mod entrant;
mod error;
mod game;
mod interrupt;
mod matches;
mod network;
mod numbers;
mod openings;
mod position;
mod progress;
mod records;
mod regret;
mod review;
mod source;
mod threads;
mod tournament;
mod vector;
mod work;

use pyo3::prelude::*;

/// The compiled half of the package `wurfel`.
#[pymodule(gil_used = false)]
mod _wurfel {
    #[pymodule_export]
    use crate::agent::{Agent, Decision, agent, all_agents};
    #[pymodule_export]
    use crate::analysis::{Analysis, MoveValue, RollValue, Solution, TurnValue, analyse, solve};
    #[pymodule_export]
    use crate::budget::Budget;
    #[pymodule_export]
    use crate::encode::{encode, legal_mask, move_indices};
    #[pymodule_export]
    use crate::encoding::Encoding;
    #[pymodule_export]
    use crate::game::{Game, game, games};
    #[pymodule_export]
    use crate::matches::{MatchResult, play_match};
    #[pymodule_export]
    use crate::network::Network;
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::records::{Records, records};
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
