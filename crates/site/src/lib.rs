#![doc = include_str!("../README.md")]
// A page's own rooms are between people at one device, and nothing watches them.
#![cfg_attr(not(feature = "server"), allow(dead_code, unused_imports))]

mod agents;
#[cfg(feature = "server")]
mod analysis;
#[cfg(feature = "server")]
mod app;
mod dice;
#[cfg(feature = "server")]
mod docs;
mod engines;
#[cfg(feature = "server")]
mod export;
#[cfg(feature = "server")]
mod file;
#[cfg(feature = "server")]
mod files;
mod games;
#[cfg(feature = "server")]
mod http;
#[cfg(feature = "server")]
mod keys;
#[cfg(feature = "server")]
mod limits;
#[cfg(feature = "server")]
mod live;
#[cfg(feature = "server")]
mod lobby;
mod local;
#[cfg(feature = "server")]
mod lock;
#[cfg(feature = "server")]
mod pool;
#[cfg(feature = "server")]
mod presence;
mod puzzles;
#[cfg(feature = "server")]
mod qr;
#[cfg(feature = "server")]
mod queue;
mod record;
#[cfg(feature = "server")]
mod registry;
mod review;
#[cfg(feature = "server")]
mod rollouts;
mod room;
#[cfg(feature = "server")]
mod runs;
#[cfg(feature = "schema")]
pub mod schema;
mod secret;
#[cfg(feature = "server")]
mod store;
#[cfg(feature = "testkit")]
pub mod testkit;
#[cfg(feature = "server")]
mod verify;
mod warning;

pub use dice::CommittedDice;
pub use engines::{EngineRefused, OfferedEngine};
#[cfg(feature = "server")]
pub use export::{Export, ExportError};
#[cfg(feature = "server")]
pub use http::server::{Server, ServerError, SiteConfig};
#[cfg(feature = "server")]
pub use limits::Limits;
pub use local::{LocalError, LocalRoom, LocalSite};
pub use record::{
    Clock, DiceKind, FORMAT, Offer, Proposal, RecordError, RemotePlay, RoomRecord, TakeBack,
    VERSION,
};
#[cfg(feature = "server")]
pub use store::StoreError;
