//! Playing: the game loop, matches of mirrored pairs, tournaments, and the ranking of set-ups.

pub(crate) mod matches;
pub(crate) mod ordered;
pub(crate) mod referee;
pub(crate) mod setups;
pub(crate) mod tournament;
