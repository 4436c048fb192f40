//! Playing: the game loop, matches of mirrored pairs, tournaments, and set-ups.

pub(crate) mod adjudicate;
pub(crate) mod book;
pub(crate) mod chosen;
pub(crate) mod clock;
pub(crate) mod entrant;
pub(crate) mod matches;
pub(crate) mod ordered;
mod parts;
pub(crate) mod ranking;
pub(crate) mod referee;
pub(crate) mod setups;
mod stopwatch;
pub(crate) mod streams;
pub(crate) mod tournament;
pub(crate) mod tournament_report;
