//! The commands, each in a file of its own.

pub mod analyse;
pub mod bench;
pub mod calibrate;
pub mod convert;
pub mod lists;
pub mod matches;
pub mod moves;
pub mod perft;
pub mod play;
pub mod positions;
pub mod regret;
pub mod render;
pub mod reproduce;
pub mod review;
pub mod rollout;
pub mod serve;
pub mod setups;
pub mod shell;
pub mod solve;
pub mod tables;
pub mod tour;
pub mod tournament;
pub mod train;
pub mod train_mlp;
pub mod train_status;
pub mod verify_dice;
