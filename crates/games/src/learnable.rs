//! What learning needs of a game beyond its rules.

use wurfel_core::{Encode, Features};

use crate::Playable;
use crate::learned::LogOdds;

/// A game that evaluations and networks can be trained on.
///
/// Whatever is left out can be neither trained nor used: without [`Features`] there is no
/// learned evaluation, without an encoding no network.
pub trait Learnable: Playable + Features {
    /// How networks may read it, the default first; none where no network plays it.
    const ENCODINGS: &'static [&'static dyn Encode<Self>] = &[];

    /// The file of the network that agents play with when none is named; none where none
    /// has been trained.
    const NETWORK: Option<&'static [u8]> = None;

    /// What its learned evaluation corrects; [`EvenBase`](crate::learned::EvenBase) where
    /// nothing is known.
    type Base: LogOdds<Self> + Default + 'static;
}
