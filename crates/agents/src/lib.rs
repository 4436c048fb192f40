#![doc = include_str!("../README.md")]

mod catalogue;
mod exact_search;
mod families;
mod limits;
mod luck;
mod readers;
mod spec;

pub use catalogue::{Catalogued, GameInfo, Level, PuzzleBook, UseGame, games, with_game};
pub use exact_search::ExactSearch;
pub use families::foreign::{check_clock, check_own_options, introduced, own_setups, retry_of};
pub use families::{
    AgentInfo, DEFAULT_AGENT, Factory, Networks, OptionInfo, agents, best_search, build,
    default_evaluation, exact_values, informed, network_player, read_tables, read_values,
    read_weights, searches, solver, solver_with,
};
pub use limits::{LimitError, parse_decimal, parse_number, parse_time};
pub use luck::RollLuck;
pub use readers::readers;
pub use spec::{Spec, SpecError};
