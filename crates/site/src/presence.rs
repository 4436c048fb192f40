//! Who is present in a room. This is in memory only, and is sent to everybody who has entered
//! the room.

use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::watch;
use wurfel_core::{BySide, Side};

/// How many devices are present.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Count {
    /// The devices of each side's player.
    sides: BySide<usize>,
    /// The devices of watchers.
    watching: usize,
    /// The time when each side left, or from which it has been awaited.
    left: BySide<Instant>,
}

/// The presence as it is sent to everybody who has entered the room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Here {
    /// The devices of each side's player.
    pub sides: [usize; 2],
    /// The devices of watchers.
    pub watching: usize,
    /// For how long each side has been away, in milliseconds.
    pub away_ms: [u64; 2],
}

/// The presence in a room.
pub(crate) struct Presence(watch::Sender<Count>);

impl Presence {
    pub fn new() -> Self {
        let left = BySide::from_fn(|_| Instant::now());
        let count = Count { sides: BySide::from_fn(|_| 0), watching: 0, left };
        Self(watch::channel(count).0)
    }

    /// Records that somebody who plays these sides comes or goes.
    pub fn change(&self, sides: BySide<bool>, comes: bool) {
        let step = |count: &mut usize| {
            *count = if comes { *count + 1 } else { count.saturating_sub(1) };
        };
        self.0.send_modify(|count| {
            let own: Vec<Side> = Side::BOTH.into_iter().filter(|&side| sides[side]).collect();
            if own.is_empty() {
                step(&mut count.watching);
            }
            for side in own {
                step(&mut count.sides[side]);
                count.left[side] = Instant::now();
            }
        });
    }

    /// For how long a side has been away.
    pub fn away(&self, side: Side) -> Duration {
        let count = self.0.borrow();
        if count.sides[side] > 0 { Duration::ZERO } else { count.left[side].elapsed() }
    }

    pub fn here(&self) -> Here {
        let (sides, watching) = {
            let count = self.0.borrow();
            (Side::BOTH.map(|side| count.sides[side]), count.watching)
        };
        let away_ms = Side::BOTH.map(|side| self.away(side).as_millis() as u64);
        Here { sides, watching, away_ms }
    }

    /// Subscribes to all further changes.
    pub fn watch(&self) -> Changes {
        Changes(self.0.subscribe())
    }
}

/// A subscription to changes of the presence.
pub(crate) struct Changes(watch::Receiver<Count>);

impl Changes {
    /// Returns after the next change.
    pub async fn next(&mut self) {
        if self.0.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn present_players_are_counted_and_absent_ones_are_timed() {
        let presence = Presence::new();
        let [both, first, none] =
            [(true, true), (true, false), (false, false)].map(|(a, b)| BySide::new(a, b));
        presence.change(both, true);
        presence.change(first, true);
        presence.change(none, true);
        presence.change(both, false);
        let here = presence.here();
        assert_eq!((here.sides, here.watching, here.away_ms[0]), ([1, 0], 1, 0));
        assert_eq!(presence.away(Side::First), Duration::ZERO);
        assert!(presence.away(Side::Second) >= Duration::from_millis(here.away_ms[1]));
    }
}
