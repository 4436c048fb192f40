#![doc = include_str!("../README.md")]

mod agents;
mod analysis;
mod answers;
mod app;
mod archive;
mod body;
mod dice;
mod docs;
mod engines;
mod file;
mod files;
mod guard;
mod hosts;
mod keys;
mod limits;
mod live;
mod lock;
mod pool;
mod presence;
mod proxy;
mod puzzles;
mod qr;
mod queue;
mod record;
mod registry;
mod review;
mod roll;
mod rollouts;
mod room;
mod routes;
mod runs;
#[cfg(feature = "schema")]
pub mod schema;
mod secret;
mod server;
mod sockets;
mod store;
#[cfg(feature = "testkit")]
pub mod testkit;
mod uploads;
mod verify;
mod warning;

pub use dice::CommittedDice;
pub use engines::{EngineRefused, OfferedEngine};
pub use limits::Limits;
pub use record::{
    Clock, DiceKind, End, FORMAT, Offer, Player, Proposal, Reason, Record, RecordError,
    RecordedStep, RemotePlay, TakeBack, VERSION,
};
pub use roll::Roll;
pub use server::{Server, ServerError, SiteConfig};
pub use store::StoreError;
