//! Why the registry refuses a request.

use std::time::Duration;

use crate::limits::TooMany;
use crate::pool::Refused;
use crate::room::Refusal;
use crate::store::StoreError;

/// Why a request concerning a room is refused. Displays as one line.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RegistryError {
    #[error("no room has this name")]
    Unknown,
    #[error("no open game has this code")]
    NoCode,
    #[error("this server has no list of open games")]
    NoLobby,
    #[error("too many wrong codes, try again later")]
    Guesses(Duration),
    #[error("the token does not belong to this game")]
    Forbidden,
    #[error("this side is taken: you are watching")]
    Taken,
    #[error("the message was made for version {made}, but the game is at version {now}")]
    Stale { made: u64, now: u64 },
    #[error("too many games are in progress, try again later")]
    Full,
    #[error(transparent)]
    Many(#[from] TooMany),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Busy(#[from] Refused),
    #[error("no random numbers: {0}")]
    Random(#[from] std::io::Error),
    #[error("this game is damaged: {0}")]
    Damaged(String),
}
