#![doc = include_str!("../README.md")]

mod agents;
mod archive;
mod control;
mod csv_log;
mod draft;
mod graph;
mod journal;
mod limits;
mod luck;
mod marks;
mod matches;
mod ordered;
mod output;
mod position_report;
mod record;
mod referee;
mod regret;
mod report;
mod review;
mod rollout;
mod scribe;
mod series;
mod setups;
mod spec;
mod statistics;
mod tournament;

pub use agents::{
    AgentInfo, DEFAULT_AGENT, Factory, Networks, OptionInfo, agents, build, exact_values, informed,
    informed_by, network_player, read_values, read_weights, searches,
};
pub use archive::{
    Entry, Filed, MixedPlayers, ROOM_FORMAT, ROOM_VERSION, Unread, decode, find_games, game_of,
    move_list_of, read_games, write_records,
};
pub use control::{Adjusted, Control, Estimate};
pub use draft::{Draft, OutputError};
pub use graph::Graph;
pub use journal::{Journal, Made};
pub use limits::{LimitError, parse_time};
pub use luck::LuckMeter;
pub use marks::{GRADES, LuckMark, Mark};
pub use matches::{Entrant, Match, MatchError, Progress};
pub use ordered::ordered;
pub use output::Output;
pub use position_report::{JudgedMove, JudgedThrow, PositionReport, Unjudged};
pub use record::{FORMAT, GameRecord, Header, VERSION};
pub use referee::{Ending, Fault, Interrupted, Played, Recorder, play};
pub use regret::{Loss, Regret, RegretSettings, Source};
pub use report::{MatchReport, Timing};
pub use review::{Decided, Review, Reviewer, Silent, Totals};
pub use rollout::{Enough, RolledOut, Rollout};
pub use series::Series;
pub use setups::{Ranked, rank_setups};
pub use spec::{Spec, SpecError};
pub use statistics::{Interval, Score, Summary};
pub use tournament::{Pairing, Tournament, adjusted_standing, read_pairings, standing};
