#![doc = include_str!("../README.md")]

mod agents;
mod csv_log;
mod draft;
mod limits;
mod matches;
mod ordered;
mod output;
mod position_report;
mod record;
mod referee;
mod regret;
mod report;
mod scribe;
mod setups;
mod spec;
mod statistics;
mod tournament;

pub use agents::{AgentInfo, DEFAULT_AGENT, Factory, OptionInfo, agents, build, read_weights};
pub use draft::{Draft, OutputError};
pub use limits::{LimitError, parse_time};
pub use matches::{Entrant, Match, MatchError, Progress};
pub use ordered::ordered;
pub use output::Output;
pub use position_report::{JudgedMove, JudgedThrow, PositionReport, Unjudged};
pub use record::{FORMAT, GameRecord, Header, VERSION};
pub use referee::{Ending, Fault, Interrupted, Played, Recorder, play};
pub use regret::{Loss, Regret, RegretSettings, Source};
pub use report::{MatchReport, Timing};
pub use setups::{Ranked, rank_setups};
pub use spec::{Spec, SpecError};
pub use statistics::{Interval, Score, Summary};
pub use tournament::{Pairing, Tournament, read_pairings, standing};
