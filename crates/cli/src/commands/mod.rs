//! One file a command.

pub mod analyse;
pub mod bench;
pub mod lists;
pub mod matches;
pub mod moves;
pub mod perft;
pub mod play;
pub mod regret;
pub mod render;
pub mod serve;
pub mod setups;
pub mod tour;
pub mod tournament;
pub mod train;
pub mod verify_dice;
