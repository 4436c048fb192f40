//! Writing games to files and reading them back, in every format.

pub(crate) mod archive;
pub(crate) mod cell;
pub(crate) mod chain;
pub(crate) mod csv_log;
pub(crate) mod differences;
pub(crate) mod draft;
pub(crate) mod form;
pub(crate) mod game_files;
pub(crate) mod game_recorder;
pub(crate) mod lost_details;
pub(crate) mod mirrored;
pub(crate) mod notes;
pub(crate) mod output;
pub(crate) mod person_name;
pub(crate) mod players;
pub(crate) mod record;
pub(crate) mod recorded_game;
pub(crate) mod replayer;
pub(crate) mod results;
pub(crate) mod room;
pub(crate) mod stream;
pub(crate) mod writer;
