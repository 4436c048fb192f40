//! What a game needs, beyond being playable, for evaluations and networks to be trained on it.

use wurfel_core::{Encode, Features};

use crate::Playable;
use crate::learned::LogOdds;

/// A game on which evaluations and networks can be trained.
///
/// Without [`Features`] a game has no learned evaluation, and without an encoding no network.
pub trait Learnable: Playable + Features {
    /// The encodings for networks, the default first; none where no network can play the game.
    const ENCODINGS: &'static [&'static dyn Encode<Self>] = &[];

    /// The file of the network with which agents play when none is named; `None` where none was
    /// trained.
    const NETWORK: Option<&'static [u8]> = None;

    /// The base that the learned evaluation corrects; [`EvenBase`](crate::learned::EvenBase) where
    /// nothing better is known.
    type Base: LogOdds<Self> + Default + 'static;
}
