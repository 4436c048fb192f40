//! The network of paper `dice-chess-agents` (section VII): 70 inputs, layers of 70 and 35 units,
//! and the expected result as its output.

use wurfel_core::{Evaluator, Side};

use crate::dicechess::dice::Pool;
use crate::dicechess::kind::Kind;
use crate::dicechess::position::Position;
use crate::dicechess::square::Square;
use crate::dicechess::variants::DiceCount;
use crate::learned::WeightsError;
use crate::perceptron::Perceptron;
use crate::shipped::{ShippedFile, shipped};

/// The parameters; `nets/dicechess-mlp.md` says how they were made.
pub(crate) const WEIGHTS: &ShippedFile = &shipped!("dicechess-mlp.weights", 0xca28_1ce4_fa70_3d21);

/// A network that was trained, like the one of the paper, on games of the paper's tree search.
///
/// It evaluates a position together with its roll. The value of a position before the roll is the
/// mean over the kinds that can move.
#[derive(Clone, PartialEq, Debug)]
pub struct Mlp(Perceptron);

impl Mlp {
    /// The sizes of its layers, from the inputs to the output.
    pub const SIZES: [usize; 4] = [70, 70, 35, 1];

    /// The network that ships with the program.
    ///
    /// # Panics
    /// When `WEIGHTS` are missing.
    pub fn new() -> Self {
        Self::from_bytes(WEIGHTS.known_bytes()).expect("the file in the program is whole")
    }

    /// Reads a file of parameters that `wurfel train mlp` has written.
    ///
    /// # Errors
    /// When the file is something else, damaged, or for layers of other sizes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        Perceptron::from_bytes(bytes, &Self::SIZES).map(Self)
    }

    /// The inputs of the network. First come the 64 squares from a1 on: the number of the piece's
    /// kind from −6 (the other side's king) to 6, scaled to 0 to 1 as in the paper. They are
    /// followed by one input for each kind, 1 for the kind that is rolled and 0 for the others.
    /// Ranks are counted from the side to move; in the paper the network always plays White.
    pub fn inputs<D: DiceCount>(position: &Position<D>, roll: Pool) -> [f32; 70] {
        let mut inputs = Self::board(position);
        inputs[63 + usize::from(roll.first().number())] = 1.0;
        inputs
    }

    fn board<D: DiceCount>(position: &Position<D>) -> [f32; 70] {
        let mut inputs = [0.0; 70];
        for (input, square) in inputs.iter_mut().zip((0..64).map(Square::known)) {
            let viewer = position.mover();
            let seen = if viewer == Side::First { square } else { square.flipped() };
            let number = position.at(seen).map_or(0.0, |(side, kind)| {
                let number = f32::from(kind.number());
                if side == viewer { number } else { -number }
            });
            *input = (number + 6.0) / 12.0;
        }
        inputs
    }
}

impl Default for Mlp {
    fn default() -> Self {
        Self::new()
    }
}

impl<D: DiceCount> Evaluator<Position<D>> for Mlp {
    fn evaluate(&self, position: &Position<D>) -> f32 {
        let mut inputs = Self::board(position);
        let movable = position.movable();
        let (mut sum, mut count) = (0.0, 0.0);
        for kind in Kind::ALL.into_iter().filter(|kind| movable & kind.bit() != 0) {
            let die = 63 + usize::from(kind.number());
            inputs[die] = 1.0;
            sum += self.0.evaluate(&inputs);
            count += 1.0;
            inputs[die] = 0.0;
        }
        // Where the dice leave nothing to move, the network evaluates the position without a roll.
        if count > 0.0 { sum / count } else { self.0.evaluate(&inputs) }
    }
}
