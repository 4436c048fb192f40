//! The statistics of games: scores with intervals, luck adjustment, the report of a match, and sequential
//! tests, and ratings.

pub(crate) mod anchored;
pub(crate) mod better;
pub(crate) mod bootstrap;
pub(crate) mod bradley_terry;
pub(crate) mod cholesky;
pub(crate) mod clusters;
pub(crate) mod control;
pub(crate) mod encounters;
pub(crate) mod luck_adjusted;
pub(crate) mod match_report;
pub(crate) mod match_tally;
pub(crate) mod normal;
pub(crate) mod pentanomial;
pub(crate) mod played;
pub(crate) mod printed;
pub(crate) mod score;
pub(crate) mod searches;
pub(crate) mod selection;
pub(crate) mod simulation;
pub(crate) mod sprt;
pub(crate) mod sprt_report;
pub(crate) mod stopping;
pub(crate) mod wins;
