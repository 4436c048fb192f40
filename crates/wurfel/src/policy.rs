//! A network's output for positions, without a type parameter.

use std::slice::from_ref;

use serde::Serialize;
use wurfel_agents::Catalogued;
use wurfel_core::{Encode, Network, NotationError, Predictions, sort_by_score};
use wurfel_net::{EncodedNetwork, Forward, Inference, Model, NetError};

use crate::position::Position;

/// A network's output for a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PolicyReport {
    /// The game.
    pub game: &'static str,
    /// The encoding of the network.
    pub encoding: String,
    /// The checksum of the network.
    pub checksum: String,
    /// The position, as it was given.
    pub position: String,
    /// The expected result for the side to **move**, 0 to 1.
    pub value: f32,
    /// The moves, the likeliest ones first.
    pub moves: Vec<LikelyMove>,
}

/// A move with a network's output for it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LikelyMove {
    /// The move in the notation of the game.
    pub r#move: String,
    /// Its index among the outputs.
    pub index: usize,
    /// The network's output, before the softmax over the legal moves.
    pub logit: f32,
    /// The network's probability that the move is the best one.
    pub prior: f32,
}

/// A network that has learned a game.
pub trait PolicyNetwork {
    /// The network's output for a position.
    ///
    /// # Errors
    /// When the position is one of another game, the game is over, or there is no roll and the network
    /// does not know positions before it.
    fn report(&mut self, position: &Position) -> Result<PolicyReport, NotationError>;
}

struct Typed<G: Catalogued> {
    rules: G,
    encode: &'static dyn Encode<G>,
    encoding: String,
    checksum: String,
    network: EncodedNetwork<G>,
    inference: Inference,
}

pub(crate) fn policy<G: Catalogued>(
    rules: &G,
    model: &Model,
) -> Result<Box<dyn PolicyNetwork>, NetError> {
    // The error of this call names the encodings that the game has.
    let network = EncodedNetwork::<G>::new(model, G::ENCODINGS)?;
    let encode = G::ENCODINGS.iter().find(|encode| encode.name() == model.encoding());
    Ok(Box::new(Typed {
        rules: rules.clone(),
        encode: *encode.expect("a network of the game has one of its encodings"),
        encoding: model.encoding().to_owned(),
        checksum: format!("{:016x}", model.checksum()),
        network,
        inference: Inference::new(model),
    }))
}

impl<G: Catalogued> PolicyNetwork for Typed<G> {
    fn report(&mut self, position: &Position) -> Result<PolicyReport, NotationError> {
        let situation = position.of(&self.rules)?;
        if situation.position.outcome().is_some() {
            return Err(position.refused("one before the end of the game"));
        }
        if situation.roll.is_none() && !self.network.evaluates_at_rest() {
            let expected = "a roll, because this network does not know positions before it";
            return Err(position.refused(expected));
        }
        let mut predictions = Predictions::default();
        self.network.infer(from_ref(situation), &mut predictions);
        let Some(prediction) = predictions.iter().next() else {
            return Err(position.refused("one that the network can evaluate"));
        };
        let encode = self.encode;
        let mut planes = vec![0.0; encode.planes() * encode.board() * encode.board()];
        encode.write(situation, &mut planes);
        let (mut logits, mut values) = (vec![0.0; encode.moves()], [0.0]);
        self.inference.infer(&planes, &mut logits, &mut values);
        let mut moves = vec![];
        if let Some(turn) = situation.turn() {
            for (&mv, &prior) in turn.moves().as_ref().iter().zip(prediction.prior) {
                let index = encode.index(turn, mv);
                let logit = logits[index];
                moves.push(LikelyMove { r#move: mv.to_string(), index, logit, prior });
            }
        }
        sort_by_score(&mut moves, |likely| f64::from(likely.prior));
        Ok(PolicyReport {
            game: self.rules.name(),
            encoding: self.encoding.clone(),
            checksum: self.checksum.clone(),
            position: position.to_string(),
            value: prediction.value,
            moves,
        })
    }
}
