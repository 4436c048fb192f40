//! Agents as users of the library meet them.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

mod agents;
mod catalogue;
mod limits;
mod specs;
