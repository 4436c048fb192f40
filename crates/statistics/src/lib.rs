#![doc = include_str!("../README.md")]

mod anchored;
mod bootstrap;
mod bradley_terry;
mod cholesky;
mod clusters;
mod confidence_sequence;
mod control;
mod decimal;
mod encounters;
mod fixed_sample_test;
mod luck_adjusted;
mod match_report;
mod match_tally;
mod normal;
mod pentanomial;
mod played_games;
mod score;
mod searches;
mod selection;
mod simulation;
mod sprt;
mod sprt_report;
mod stopping;
mod wins;

pub use anchored::{AnchoredRating, EloDifference, anchored_ratings};
pub use bootstrap::{Bootstrap, default_resamples};
pub use bradley_terry::Ratings;
pub use clusters::{ClusterBuilder, ClusterName, Clusters};
pub use confidence_sequence::ConfidenceSequence;
pub use control::{Adjusted, Control, Estimate};
pub use decimal::Decimal;
pub use encounters::Encounter;
pub use fixed_sample_test::FixedSampleTest;
pub use luck_adjusted::LuckAdjusted;
pub use match_report::{
    AdjustedRate, AgentReport, FaultReport, MatchReport, PlayedReport, ScoreReport, SearchFigure,
    SetUpReport, SetUps,
};
pub use match_tally::{AgentTally, FinishedGame, MatchTally, Sides, Timing};
pub use pentanomial::Pentanomial;
pub use played_games::{PlayedGames, PlayedRate, fault_warning};
pub use score::{
    Interval, MAX_COUNT, Score, Summary, student_quantile, unseen_upper_bound, wilson_interval,
};
pub use searches::{Searches, Tally};
pub use selection::{CandidateSelection, MeasuredGame};
pub use simulation::{SimulatedTest, SprtSimulation};
pub use sprt::{EloModel, Sprt, SprtError, SprtVerdict};
pub use sprt_report::SprtReport;
pub use stopping::StoppingAdjusted;
pub use wins::Wins;
