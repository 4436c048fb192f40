//! Kernels that process each number separately, between two matrix products. All rows belong to one
//! block of sixteen channels.

use super::lanes::{Lanes, Work};
use crate::rows::Row;

/// y ← max(0, y + bias), the last step of a layer whose norm is folded.
pub(crate) struct Rectify<'a> {
    pub y: &'a mut [Row],
    pub bias: &'a Row,
}

impl Work for Rectify<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let (bias, zero) = (L::load(self.bias), L::splat(0.0));
        for y in self.y {
            L::load(y).add(bias).max(zero).store(y);
        }
    }
}

/// y ← max(0, z · scale + shift + skip).
pub(crate) struct Normalise<'a> {
    pub z: &'a [Row],
    pub scale: &'a Row,
    pub shift: &'a Row,
    /// As many rows as `z` has; `None` adds nothing.
    pub skip: Option<&'a [Row]>,
    pub y: &'a mut [Row],
}

impl Work for Normalise<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let (scale, shift, zero) = (L::load(self.scale), L::load(self.shift), L::splat(0.0));
        match self.skip {
            None => {
                for (z, y) in self.z.iter().zip(self.y) {
                    L::load(z).mul_add(scale, shift).max(zero).store(y);
                }
            }
            Some(skip) => {
                for ((z, skip), y) in self.z.iter().zip(skip).zip(self.y) {
                    let sum = L::load(z).mul_add(scale, shift).add(L::load(skip));
                    sum.max(zero).store(y);
                }
            }
        }
    }
}

/// Σ (z − centre) and Σ (z − centre)², by channel.
pub(crate) struct Moments<'a> {
    pub z: &'a [Row],
    pub minus_centre: &'a Row,
}

impl Work for Moments<'_> {
    type Output = [Row; 2];

    #[inline(always)]
    fn run<L: Lanes>(self) -> [Row; 2] {
        let centre = L::load(self.minus_centre);
        let (mut first, mut second) = (L::splat(0.0), L::splat(0.0));
        for z in self.z {
            let z = L::load(z).add(centre);
            first = first.add(z);
            second = z.mul_add(z, second);
        }
        rows([first, second])
    }
}

/// g ← g where the activation is positive, and 0 elsewhere; returns Σ g and Σ g · (z − mean).
pub(crate) struct Gate<'a> {
    pub g: &'a mut [Row],
    pub activation: &'a [Row],
    pub z: &'a [Row],
    pub minus_mean: &'a Row,
}

impl Work for Gate<'_> {
    type Output = [Row; 2];

    #[inline(always)]
    fn run<L: Lanes>(self) -> [Row; 2] {
        let mean = L::load(self.minus_mean);
        let (mut first, mut second) = (L::splat(0.0), L::splat(0.0));
        for ((g, activation), z) in self.g.iter_mut().zip(self.activation).zip(self.z) {
            let gated = L::load(g).gate(L::load(activation));
            gated.store(g);
            first = first.add(gated);
            second = gated.mul_add(L::load(z).add(mean), second);
        }
        rows([first, second])
    }
}

/// out ← g · `of_gradient` + z · `of_sum` + constant: the gradient through a batch norm.
pub(crate) struct NormGradients<'a> {
    pub g: &'a [Row],
    pub z: &'a [Row],
    pub of_gradient: &'a Row,
    pub of_sum: &'a Row,
    pub constant: &'a Row,
    pub out: &'a mut [Row],
}

impl Work for NormGradients<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let (of_gradient, of_sum) = (L::load(self.of_gradient), L::load(self.of_sum));
        let constant = L::load(self.constant);
        for ((g, z), out) in self.g.iter().zip(self.z).zip(self.out) {
            let rest = L::load(z).mul_add(of_sum, constant);
            L::load(g).mul_add(of_gradient, rest).store(out);
        }
    }
}

#[inline(always)]
fn rows<L: Lanes>(lanes: [L; 2]) -> [Row; 2] {
    lanes.map(|lanes| {
        let mut row = Row::ZERO;
        lanes.store(&mut row);
        row
    })
}
