#![doc = include_str!("../README.md")]

mod agent;
mod ahead;
mod conversation;
pub mod course;
mod error;
#[cfg(unix)]
mod error_output;
mod history;
#[cfg(unix)]
mod memory;
#[cfg_attr(not(unix), path = "elsewhere.rs")]
mod process;
#[cfg(unix)]
mod reaper;
mod settings;
#[cfg(unix)]
mod threads;
mod ugi;
mod waits;
#[cfg(unix)]
mod watch;

pub use agent::EngineAgent;
pub use error::EngineError;
pub use process::EngineProcess;
pub use settings::{Dialect, EngineSettings, MEMORY};
pub use ugi::unknown_option;
pub use waits::waited_for_cpu;
