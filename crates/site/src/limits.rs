//! How much a client may ask for, and how often.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Clients that are remembered.
const MOST_CLIENTS: usize = 10_000;

/// How much and how often.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Requests of a client in a second, on average.
    pub requests_per_second: f64,
    /// Requests of a client at once.
    pub burst: f64,
    /// Connections of a client.
    pub connections_each: usize,
    /// Connections of all clients.
    pub connections: usize,
    /// Games in memory.
    pub rooms: usize,
    /// Games on the disk.
    pub kept: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            requests_per_second: 20.0,
            burst: 200.0,
            connections_each: 64,
            connections: 2048,
            rooms: 2048,
            kept: 50_000,
        }
    }
}

/// A number of requests that fills up again with time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    pub fn full(burst: f64, now: Instant) -> Self {
        Self { left: burst, at: now }
    }

    /// Takes `cost` out, if so much is left.
    pub fn take(&mut self, cost: f64, rate: f64, burst: f64, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = (self.left + passed * rate).min(burst);
        self.at = now;
        let enough = self.left >= cost;
        if enough {
            self.left -= cost;
        }
        enough
    }
}

#[derive(Default)]
struct Known {
    bucket: Option<Bucket>,
    connections: usize,
}

#[derive(Default)]
struct Clients {
    known: HashMap<IpAddr, Known>,
    connections: usize,
}

/// What the clients have used.
pub(crate) struct Gate {
    limits: Limits,
    clients: Mutex<Clients>,
}

/// A connection that counts until it is dropped.
pub(crate) struct Pass {
    gate: Arc<Gate>,
    client: IpAddr,
}

/// The client behind an address: of IPv6 the network that one customer gets.
pub(crate) fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
        }
        address @ IpAddr::V4(_) => address,
    }
}

impl Gate {
    pub fn new(limits: Limits) -> Self {
        Self { limits, clients: Mutex::default() }
    }

    fn clients(&self) -> MutexGuard<'_, Clients> {
        // Counters only.
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a connection in, if there is room.
    pub fn enter(self: &Arc<Self>, client: IpAddr) -> Option<Pass> {
        let mut clients = self.clients();
        if clients.connections >= self.limits.connections {
            return None;
        }
        let known = clients.known.entry(client).or_default();
        if known.connections >= self.limits.connections_each {
            return None;
        }
        known.connections += 1;
        clients.connections += 1;
        Some(Pass { gate: Arc::clone(self), client })
    }

    /// Whether the client may ask for something of this cost, 1 for a usual request.
    pub fn allows(&self, client: IpAddr, cost: f64, now: Instant) -> bool {
        let Limits { requests_per_second: rate, burst, .. } = self.limits;
        let mut clients = self.clients();
        if clients.known.len() >= MOST_CLIENTS {
            // Whoever asked for nothing for so long starts with a full bucket again.
            let full = burst / rate;
            clients.known.retain(|_, known| {
                let recent =
                    |bucket: Bucket| now.saturating_duration_since(bucket.at).as_secs_f64() < full;
                known.connections > 0 || known.bucket.is_some_and(recent)
            });
        }
        let known = clients.known.entry(client).or_default();
        let bucket = known.bucket.get_or_insert(Bucket::full(burst, now));
        bucket.take(cost, rate, burst, now)
    }

    /// A bucket for the messages of one socket.
    pub fn bucket(&self, now: Instant) -> Bucket {
        Bucket::full(self.limits.burst, now)
    }

    /// Whether a socket may send another message.
    pub fn refill(&self, bucket: &mut Bucket, now: Instant) -> bool {
        bucket.take(1.0, self.limits.requests_per_second, self.limits.burst, now)
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let mut clients = self.gate.clients();
        clients.connections -= 1;
        if let Some(known) = clients.known.get_mut(&self.client) {
            known.connections -= 1;
            if known.connections == 0 && known.bucket.is_none() {
                clients.known.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn gate(limits: Limits) -> Arc<Gate> {
        Arc::new(Gate::new(limits))
    }

    #[test]
    fn requests_come_back_with_time_and_one_client_does_not_use_up_the_others() {
        let gate = gate(Limits { requests_per_second: 2.0, burst: 4.0, ..Limits::default() });
        let [one, other] = ["10.0.0.1", "10.0.0.2"].map(|text| text.parse().unwrap());
        let now = Instant::now();
        let asked: Vec<bool> = (0..6).map(|_| gate.allows(one, 1.0, now)).collect();
        assert_eq!(asked, [true, true, true, true, false, false]);
        assert!(gate.allows(other, 1.0, now));
        let later = now + Duration::from_secs(1);
        let asked: Vec<bool> = (0..3).map(|_| gate.allows(one, 1.0, later)).collect();
        assert_eq!(asked, [true, true, false]);
    }

    #[test]
    fn connections_are_counted_while_they_last() {
        let gate = gate(Limits { connections: 3, connections_each: 2, ..Limits::default() });
        let [one, other] = ["10.0.0.1", "10.0.0.2"].map(|text| text.parse().unwrap());
        let held = [gate.enter(one), gate.enter(one)];
        assert!(held.iter().all(Option::is_some) && gate.enter(one).is_none());
        let third = gate.enter(other);
        assert!(third.is_some() && gate.enter(other).is_none());
        drop(held);
        assert!(gate.enter(one).is_some());
        assert_eq!(gate.clients().known.len(), 1);
    }

    #[test]
    fn clients_are_networks_and_few_are_remembered() {
        let client = |text: &str| client(text.parse().unwrap());
        assert_eq!(client("2001:db8::1"), client("2001:db8::ffff"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:1::1"));
        assert_eq!(client("::ffff:10.0.0.1"), client("10.0.0.1"));
        let gate = gate(Limits::default());
        let mut now = Instant::now();
        for number in 0..3 * MOST_CLIENTS as u32 {
            now += Duration::from_millis(10);
            gate.allows(IpAddr::V4(number.into()), 1.0, now);
        }
        assert!(gate.clients().known.len() <= MOST_CLIENTS);
    }
}
