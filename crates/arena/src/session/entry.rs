//! The entries of a session's journal: what the arbiter did, and when.

use serde::{Deserialize, Serialize};

/// An entry of the journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SessionEntry {
    /// The time of the session in milliseconds. It passes only while the program runs, so it does
    /// not include the time between a crash and the next start.
    pub at: u64,
    /// The date and the time of day in RFC 3339, as in `2026-08-01T14:00:05+08:00`.
    pub time: String,
    /// What the arbiter entered, or what followed from it.
    #[serde(flatten)]
    pub event: SessionEvent,
}

/// The events of a session. Sides are called by their names in the game, such as `red`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum SessionEvent {
    /// A side has arranged its pieces.
    SetUp {
        /// The side.
        side: String,
        /// The set-up, such as `S124563`.
        setup: String,
    },
    /// The clock of the side to move is started.
    Go,
    /// Both clocks are stopped.
    Pause {
        /// The arbiter's reason, as it was typed.
        reason: String,
    },
    /// The dice were rolled.
    Roll {
        /// What the dice show.
        roll: String,
    },
    /// A move was made.
    Move {
        /// The move in the notation of the game.
        #[serde(rename = "move")]
        mv: String,
        /// Whether an agent chose it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_agent: bool,
    },
    /// The last entry that changed the game is taken back, with its time.
    Undo {
        /// The arbiter's reason, as it was typed.
        reason: String,
    },
    /// A clock is set.
    Clock {
        /// The side.
        side: String,
        /// The milliseconds left on it.
        left: i64,
        /// The arbiter's reason, as it was typed.
        reason: String,
    },
    /// A side gives the game up.
    Resign {
        /// The side that resigns.
        side: String,
    },
    /// A side has lost on time, as the arbiter has decided.
    Flag {
        /// The side that has lost.
        side: String,
    },
    /// A side claims something; the clocks stop until the arbiter has decided.
    Claim {
        /// The name of the side that claims.
        side: String,
        /// What is claimed.
        reason: String,
    },
    /// The claim is dismissed.
    Dismiss {
        /// The arbiter's reason, as it was typed.
        reason: String,
    },
    /// The arbiter gives the game to a side.
    Award {
        /// The name of the side that wins.
        side: String,
        /// The arbiter's reason, as it was typed.
        reason: String,
    },
    /// The arbiter declares the game drawn.
    Draw {
        /// The arbiter's reason, as it was typed.
        reason: String,
    },
    /// The record of the finished game is about to be written.
    Filed {
        /// The name of the file.
        file: String,
    },
    /// The next game begins.
    Next,
    /// It was announced that a side has little time left.
    Warned {
        /// The side whose time runs out.
        side: String,
        /// The seconds that it has left, rounded up; 0 when its time is over.
        seconds: u64,
    },
    /// Time has passed. Thanks to this entry the state of the clocks survives if the program is
    /// killed.
    Tick,
    /// The program was closed; the clocks stop.
    Left,
    /// The program was started again after it was closed or killed; the clocks are stopped.
    Resumed,
}

impl SessionEvent {
    /// Whether [`SessionEvent::Undo`] takes such an entry back.
    pub(crate) const fn can_be_undone(&self) -> bool {
        match self {
            Self::SetUp { .. }
            | Self::Roll { .. }
            | Self::Move { .. }
            | Self::Clock { .. }
            | Self::Resign { .. }
            | Self::Flag { .. }
            | Self::Award { .. }
            | Self::Draw { .. }
            | Self::Next => true,
            Self::Go
            | Self::Pause { .. }
            | Self::Undo { .. }
            | Self::Claim { .. }
            | Self::Dismiss { .. }
            | Self::Filed { .. }
            | Self::Warned { .. }
            | Self::Tick
            | Self::Left
            | Self::Resumed => false,
        }
    }
}

impl std::fmt::Display for SessionEvent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::SetUp { side, setup } => write!(f, "set-up of {side}: {setup}"),
            Self::Go => f.write_str("clock started"),
            Self::Pause { reason } if reason.is_empty() => f.write_str("clocks stopped"),
            Self::Pause { reason } => write!(f, "clocks stopped: {reason}"),
            Self::Roll { roll } => write!(f, "roll {roll}"),
            Self::Move { mv, by_agent: false } => write!(f, "move {mv}"),
            Self::Move { mv, by_agent: true } => write!(f, "move {mv}, chosen by the agent"),
            Self::Undo { reason } => write!(f, "the entry before was taken back: {reason}"),
            Self::Clock { side, left, reason } => {
                write!(f, "clock of {side} set to {}: {reason}", super::clocks::clock_text(*left))
            }
            Self::Resign { side } => write!(f, "{side} resigns"),
            Self::Flag { side } => write!(f, "{side} has lost on time"),
            Self::Claim { side, reason } => write!(f, "{side} claims: {reason}"),
            Self::Dismiss { reason } => write!(f, "the claim is dismissed: {reason}"),
            Self::Award { side, reason } => write!(f, "the game is given to {side}: {reason}"),
            Self::Draw { reason } => write!(f, "the game is declared drawn: {reason}"),
            Self::Filed { file } => write!(f, "record written: {file}"),
            Self::Next => f.write_str("next game"),
            Self::Warned { side, seconds: 0 } => write!(f, "the time of {side} is over"),
            Self::Warned { side, seconds } => {
                write!(
                    f,
                    "{side} has {} left",
                    super::clocks::clock_text((*seconds as i64).saturating_mul(1000))
                )
            }
            Self::Tick => f.write_str("time passes"),
            Self::Left => f.write_str("program left, clocks stopped"),
            Self::Resumed => f.write_str("program started again, clocks stopped"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Journals of earlier versions stay readable; `docs/referee.md` lists these words.
    #[test]
    fn events_have_stable_names() {
        for event in [
            r#"{"event":"set-up","side":"red","setup":"S123456"}"#,
            r#"{"event":"go"}"#,
            r#"{"event":"roll","roll":"4"}"#,
            r#"{"event":"move","move":"a4b3"}"#,
            r#"{"event":"undo","reason":"wrong roll"}"#,
            r#"{"event":"pause","reason":"rain"}"#,
            r#"{"event":"clock","side":"red","left":200000,"reason":"real clock"}"#,
            r#"{"event":"resign","side":"red"}"#,
            r#"{"event":"flag","side":"red"}"#,
            r#"{"event":"claim","side":"red","reason":"a wrong move"}"#,
            r#"{"event":"dismiss","reason":"it was right"}"#,
            r#"{"event":"award","side":"red","reason":"absent"}"#,
            r#"{"event":"draw","reason":"agreed"}"#,
            r#"{"event":"filed","file":"WTN-Ada vs Blaise.txt"}"#,
            r#"{"event":"next"}"#,
            r#"{"event":"warned","side":"blue","seconds":10}"#,
            r#"{"event":"tick"}"#,
            r#"{"event":"left"}"#,
            r#"{"event":"resumed"}"#,
        ] {
            let read: SessionEvent = serde_json::from_str(event).expect(event);
            assert_eq!(serde_json::to_string(&read).expect("JSON"), event);
        }
    }
}
