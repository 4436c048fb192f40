//! Which games read a network: those that have its encoding.

use wurfel_net::{EncodedNetwork, Model, NetError};

use crate::{Catalogued, UseGame, games, with_game};

/// The names of the games that have the encoding of a network; none for an encoding that is not
/// known.
///
/// # Errors
/// When board, planes or moves of the network are not those of its encoding, so that no game can
/// read it.
pub fn readers(model: &Model) -> Result<Vec<&'static str>, NetError> {
    let mut names = vec![];
    for game in games() {
        if let Ok(Some(read)) = with_game(game.name, Read(model)) {
            read?;
            names.push(game.name);
        }
    }
    Ok(names)
}

/// Tries to read the network; `None` where the game does not have its encoding.
struct Read<'a>(&'a Model);

impl UseGame for Read<'_> {
    type Output = Option<Result<(), NetError>>;

    fn with<G: Catalogued>(self, _rules: &G) -> Self::Output {
        let has = G::ENCODINGS.iter().any(|encode| encode.name() == self.0.encoding());
        has.then(|| EncodedNetwork::<G>::new(self.0, G::ENCODINGS).map(drop))
    }
}
