//! Sixteen sums of products of bytes, the eight-bit counterpart of [`Lanes`], and work that is
//! written once for every implementation of these sums.
//!
//! All implementations give the same results bit by bit: products and sums of integers are exact,
//! and the floating-point operations after them are rounded after every step. So an agent makes the
//! same decisions on every machine, and the portable implementation is the oracle of the others.

use super::lanes::{Lanes, Portable};
use crate::rows::LANES;

/// Sixteen channels of one cell, as unsigned bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(16))]
pub(crate) struct Block(pub [u8; LANES]);

impl Block {
    pub const ZERO: Self = Self([0; LANES]);

    /// Four neighbouring channels.
    #[inline(always)]
    pub fn part(&self, number: usize) -> [u8; 4] {
        self.0.as_chunks().0[number]
    }
}

/// The weights that multiply four inputs for sixteen outputs: four weights for the first output,
/// then four for the second one, and so on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Line(pub [i8; 4 * LANES]);

impl Line {
    pub const ZERO: Self = Self([0; 4 * LANES]);
}

/// Sixteen sums in 32 bits, one for each output.
pub(crate) trait Sums: Copy {
    /// Sixteen numbers in floating point.
    type Floats: Lanes;
    /// Four bytes, ready to be multiplied.
    type Inputs: Copy;
    /// A line, ready to be multiplied.
    type Weights: Copy;
    /// Whether there are 32 registers, so that more sums can be kept in them.
    const WIDE: bool;

    fn zero() -> Self;
    fn inputs(bytes: [u8; 4]) -> Self::Inputs;
    fn weights(line: &Line) -> Self::Weights;
    /// Adds the products of four inputs with their weights.
    fn add_products(self, inputs: Self::Inputs, weights: Self::Weights) -> Self;
    fn floats(self) -> Self::Floats;
    /// Converts bytes to floating-point numbers.
    fn read(block: &Block) -> Self::Floats;
    /// Converts numbers that are not negative to bytes, by truncating them to integers of at most
    /// 255.
    fn bytes(floats: Self::Floats) -> Block;
}

/// Work on bytes, written once for every implementation of sums. Everything that `run` calls must be inlined into it,
/// so that it is compiled for the instructions on which it runs.
pub(crate) trait ByteWork {
    fn run<S: Sums>(self);
}

/// Sums as a plain array, which works on every machine.
#[derive(Clone, Copy)]
pub(crate) struct PortableSums([i32; LANES]);

impl Sums for PortableSums {
    type Floats = Portable;
    type Inputs = [u8; 4];
    type Weights = Line;
    const WIDE: bool = false;

    #[inline(always)]
    fn zero() -> Self {
        Self([0; LANES])
    }

    #[inline(always)]
    fn inputs(bytes: [u8; 4]) -> [u8; 4] {
        bytes
    }

    #[inline(always)]
    fn weights(line: &Line) -> Line {
        *line
    }

    #[inline(always)]
    fn add_products(mut self, inputs: [u8; 4], weights: Line) -> Self {
        let inputs = inputs.map(i32::from);
        for (sum, weights) in self.0.iter_mut().zip(weights.0.as_chunks::<4>().0) {
            let [a, b, c, d] = weights.map(i32::from);
            *sum += (inputs[0] * a + inputs[1] * b) + (inputs[2] * c + inputs[3] * d);
        }
        self
    }

    #[inline(always)]
    fn floats(self) -> Portable {
        Portable(self.0.map(|sum| sum as f32))
    }

    #[inline(always)]
    fn read(block: &Block) -> Portable {
        Portable(block.0.map(f32::from))
    }

    #[inline(always)]
    fn bytes(floats: Portable) -> Block {
        Block(floats.0.map(|number| number as u8))
    }
}
