#![doc = include_str!("../README.md")]

mod agents;
mod analysis;
mod answers;
mod dice;
mod files;
mod guard;
mod hall;
mod limits;
mod pool;
mod puzzles;
mod record;
mod review;
mod room;
mod routes;
mod runs;
mod scene;
mod secret;
mod server;
mod sockets;
mod store;

pub use dice::FairDice;
pub use limits::Limits;
pub use record::{
    Clock, DiceKind, End, FORMAT, Player, Reason, Record, RecordError, Step, VERSION,
};
pub use server::{Config, Server, ServerError, default_data};
pub use store::StoreError;
