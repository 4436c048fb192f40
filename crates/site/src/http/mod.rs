//! HTTP: connections, addresses and sockets, and the checks that every request must pass.

pub(crate) mod answers;
pub(crate) mod body;
pub(crate) mod guard;
pub(crate) mod hosts;
pub(crate) mod large_body;
pub(crate) mod proxy;
pub(crate) mod routes;
pub(crate) mod server;
pub(crate) mod sockets;
pub(crate) mod uploads;
