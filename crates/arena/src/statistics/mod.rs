//! The statistics of games: scores with intervals, luck adjustment, and the report of a match.

pub(crate) mod control;
pub(crate) mod report;
pub(crate) mod score;
pub(crate) mod searches;
pub(crate) mod wins;
