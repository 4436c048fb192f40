#![doc = include_str!("../README.md")]

mod build;
mod error;
mod evaluator;
mod folder;
mod format;
mod map;
mod table;
mod tables;

pub use build::{Build, BuildProgress, assemble, build, solve_unit};
pub use error::TableError;
pub use evaluator::TablebaseEvaluator;
pub use folder::{NoHome, data_folder, default_folder};
pub use format::file_name;
pub use table::Table;
pub use tables::Tables;
