//! What games prove: scores with intervals, luck taken off, the report of a match.

pub(crate) mod control;
pub(crate) mod report;
pub(crate) mod score;
