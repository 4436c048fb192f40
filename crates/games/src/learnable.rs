//! What a game needs, beyond being playable, for evaluations and networks to be trained on it.

use std::sync::Arc;

use wurfel_core::{Encode, EndPreference, Evaluator, Features, Game, Outcome, Weighted};

use crate::Playable;
use crate::learned::{LogOdds, WeightsError};
use crate::linear::LinearValue;
use crate::shipped::ShippedFile;

/// A fitted evaluation.
pub type Fitted<G> = Arc<dyn Evaluator<G>>;

/// A game for which evaluations and networks can be trained.
///
/// Without [`Features`] a game has no learned evaluation, and without an encoding no network.
pub trait Learnable: Playable + Features {
    /// The encodings for networks, the default first; none where no network can play the game.
    const ENCODINGS: &'static [&'static dyn Encode<Self>] = &[];

    /// The file of the network with which agents play when none is named; `None` where none was
    /// trained.
    const NETWORK: Option<&'static ShippedFile> = None;

    /// The base that the learned evaluation corrects; [`EvenBase`](crate::learned::EvenBase) where
    /// nothing better is known.
    type Base: LogOdds<Self> + Default + 'static;

    /// The evaluation of this name with other parameters, from the bytes of their file; `None` where
    /// the evaluation has no such file.
    fn fitted(_evaluation: &str, _file: &[u8]) -> Option<Result<Fitted<Self>, WeightsError>> {
        None
    }

    /// How many features a preference for replies can be fitted to; 0 where a turn has so few ends
    /// that a search evaluates all of them.
    const END_FEATURES: usize = 0;

    /// The file of the preference for replies that ships; `None` where none was fitted.
    const REPLIES: Option<&'static ShippedFile> = None;

    /// Calls `add` with the number of each of these features of a position in which a turn has just
    /// ended. Called only before the end of the game.
    fn end_features(&self, _add: impl FnMut(usize)) {}

    /// The preference for replies with these weights, one for each feature; `None` where their
    /// number is wrong or the game has none.
    fn replies(_weights: &LinearValue) -> Option<Arc<dyn EndPreference<Self>>> {
        None
    }

    /// The rolls with which the side to move cannot win in this turn, with their weights. Games
    /// that are played with these rolls alone last longer, and the luck of the last roll does not
    /// drown out what they teach. Called only before the end.
    fn quiet_rolls(&self) -> Vec<Weighted<Self::Roll>> {
        let Some(won) = self.winning_rolls() else { return rolls_without_a_winning_end(self) };
        let rolls = self.rolls();
        rolls.as_ref().iter().filter(|roll| !won.contains(&roll.item)).copied().collect()
    }
}

/// Reads a preference for replies from a file.
///
/// # Errors
/// When the bytes are not such a file, are damaged, or are for another game.
pub fn replies_from_bytes<G: Learnable>(
    bytes: &[u8],
) -> Result<Arc<dyn EndPreference<G>>, WeightsError> {
    let weights = LinearValue::from_bytes(bytes, G::END_FEATURES)?;
    G::replies(&weights).ok_or(WeightsError::Damaged)
}

/// The preference for replies that ships; `None` where none was fitted.
///
/// # Panics
/// When the file is missing.
pub fn shipped_replies<G: Learnable>() -> Option<Arc<dyn EndPreference<G>>> {
    G::REPLIES.map(|file| {
        replies_from_bytes(file.known_bytes()).expect("the file in the program is whole")
    })
}

/// The default of [`Learnable::quiet_rolls`], which looks at every end of every roll.
pub(crate) fn rolls_without_a_winning_end<G: Game>(position: &G) -> Vec<Weighted<G::Roll>> {
    let won = Some(Outcome::Win(position.side()));
    let quiet = |roll: &&Weighted<G::Roll>| {
        let mut wins = false;
        position.ends(roll.item, |end| wins |= end.outcome() == won);
        !wins
    };
    position.rolls().as_ref().iter().filter(quiet).copied().collect()
}
