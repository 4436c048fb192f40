//! A network together with its encoding, which evaluates the turns of a game for a search.

use wurfel_core::{Encode, Game, Network, Predictions, Situation};

use crate::{Forward, Inference, Instructions, Int8Inference, Method, Model, NetError};

/// A network that evaluates the turns of a game.
pub struct EncodedNetwork<G: Game> {
    forward: Box<dyn Forward>,
    encode: &'static dyn Encode<G>,
    planes: Vec<f32>,
    logits: Vec<f32>,
    values: Vec<f32>,
}

impl<G: Game> Clone for EncodedNetwork<G> {
    fn clone(&self) -> Self {
        Self {
            forward: self.forward.another(),
            encode: self.encode,
            planes: vec![],
            logits: vec![],
            values: vec![],
        }
    }
}

impl<G: Game> EncodedNetwork<G> {
    /// Combines the network with that one of the `encodings` which its file names, using the
    /// fastest instructions of this machine.
    ///
    /// # Errors
    /// When the network names none of the encodings, or differs from its encoding in the number of
    /// planes or moves.
    pub fn new(model: &Model, encodings: &[&'static dyn Encode<G>]) -> Result<Self, NetError> {
        Self::with(model, encodings, Instructions::best(), Method::Faster)
    }

    /// The network with these instructions and this method. With [`Method::Winograd`] and with
    /// [`Method::Direct`] the evaluation of a turn does not depend on the rest of the batch.
    ///
    /// # Errors
    /// See [`EncodedNetwork::new`].
    pub fn with(
        model: &Model,
        encodings: &[&'static dyn Encode<G>],
        instructions: Instructions,
        method: Method,
    ) -> Result<Self, NetError> {
        let inference = Inference::with(model, instructions, method);
        Self::over(Box::new(inference), model.encoding(), encodings)
    }

    /// The network in eight bits, with the fastest instructions of this machine. Its evaluations
    /// are the same on every machine, and the evaluation of a turn does not depend on the rest of
    /// the batch.
    ///
    /// # Errors
    /// As for [`EncodedNetwork::new`], and when the network has no [scales](Model::int8_scales).
    pub fn in_int8(model: &Model, encodings: &[&'static dyn Encode<G>]) -> Result<Self, NetError> {
        let inference = Int8Inference::new(model).ok_or(NetError::NoScales)?;
        Self::over(Box::new(inference), model.encoding(), encodings)
    }

    /// A network that reads the encoding called `name`, whatever device it runs on.
    ///
    /// # Errors
    /// See [`EncodedNetwork::new`].
    pub fn over(
        forward: Box<dyn Forward>,
        name: &str,
        encodings: &[&'static dyn Encode<G>],
    ) -> Result<Self, NetError> {
        let encode = *encodings.iter().find(|encode| encode.name() == name).ok_or_else(|| {
            let known: Vec<&str> = encodings.iter().map(|encode| encode.name()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            NetError::Unsupported(format!("it reads '{name}', this game has {known}"))
        })?;
        let architecture = forward.architecture();
        let is = [architecture.board, architecture.planes, architecture.moves];
        let wanted = [encode.board(), encode.planes(), encode.moves()];
        if is != wanted {
            return Err(NetError::ShapeMismatch(format!(
                "board, planes and moves are {is:?}, those of {name} {wanted:?}"
            )));
        }
        Ok(Self { forward, encode, planes: vec![], logits: vec![], values: vec![] })
    }
}

impl<G: Game> Network<G> for EncodedNetwork<G> {
    fn infer(&mut self, situations: &[Situation<G>], predictions: &mut Predictions) {
        let Self { forward, encode, planes, logits, values } = self;
        let size = encode.planes() * encode.board() * encode.board();
        planes.clear();
        planes.resize(situations.len() * size, 0.0);
        for (situation, planes) in situations.iter().zip(planes.chunks_exact_mut(size)) {
            encode.write(situation, planes);
        }
        logits.resize(situations.len() * encode.moves(), 0.0);
        values.resize(situations.len(), 0.0);
        forward.infer(planes, logits, values);
        predictions.clear();
        let answers = logits.chunks_exact(encode.moves()).zip(values);
        for (situation, (logits, value)) in situations.iter().zip(answers) {
            let value = f32::midpoint(*value, 1.0);
            let Some(turn) = situation.turn() else {
                predictions.push(value, []);
                continue;
            };
            let moves = turn.moves();
            let logit = |&mv: &G::Move| logits[encode.index(turn, mv)];
            let chosen = moves.as_ref().iter().map(logit);
            let largest = chosen.clone().fold(f32::NEG_INFINITY, f32::max);
            let powers = chosen.map(|logit| libm::expf(logit - largest));
            let sum: f32 = powers.clone().sum();
            predictions.push(value, powers.map(|power| power / sum));
        }
    }

    fn evaluates_at_rest(&self) -> bool {
        self.forward.architecture().shape.afterstate_value
    }
}
