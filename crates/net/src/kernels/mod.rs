//! The kernels, in which nearly all of the time is spent, for three kinds of CPUs.
//!
//! Each kernel is a struct that borrows what it reads and writes. It is written once over
//! [`Lanes`](lanes::Lanes), or over [`Sums`](bytes::Sums) of bytes, and [`Instructions::run`] runs
//! it with the widest vectors that the CPU has.

mod bytes;
mod direct;
mod instructions8;
mod integer;
mod lanes;
mod pointwise;
mod product;
mod transform;
#[cfg(target_arch = "x86_64")]
mod x86;
#[cfg(target_arch = "x86_64")]
mod x86_bytes;

use std::fmt;

pub(crate) use bytes::{Block, Line};
pub(crate) use direct::{Direct, TAPS};
pub use instructions8::Int8Instructions;
pub(crate) use integer::{Convolution as ByteConvolution, Pointwise as BytePointwise};
use lanes::{Portable, Tile, Unfused, Work};
pub(crate) use pointwise::{Gate, Moments, NormGradients, Normalise, Rectify};
pub(crate) use product::{Product, SumOfProducts};
pub(crate) use transform::{Gather, Remap, Spread};

/// A set of the CPU's instructions. A value exists only if this CPU has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instructions(Set);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// The instructions that every CPU has.
    pub const PORTABLE: Self = Self(Set::Portable);

    /// All sets that this CPU has, the slowest first.
    pub fn available() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut, reason = "nothing is added"))]
        let mut list = vec![Self::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                list.push(Self(Set::Avx2));
            }
            if is_x86_feature_detected!("avx512f") {
                list.push(Self(Set::Avx512));
            }
        }
        list
    }

    /// The fastest set that this CPU has.
    pub fn best() -> Self {
        Self::available().last().copied().unwrap_or(Self::PORTABLE)
    }

    /// The name of the set: `portable`, `avx2` or `avx512`.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Set::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "avx512",
        }
    }

    /// How many rows a matrix product processes together. The rows of matrices are padded to a
    /// multiple of this number.
    pub(crate) const fn tile_rows(self) -> usize {
        match self.0 {
            Set::Portable => Tile::Narrow.rows(),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => Tile::Middle.rows(),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => Tile::Wide.rows(),
        }
    }

    /// Runs a kernel so that all instructions give the same results bit by bit, which
    /// [`run`](Self::run) does not guarantee.
    pub(crate) fn run_unfused<W: Work>(self, work: W) -> W::Output {
        self.run(Unfused(work))
    }

    /// Runs a kernel with these instructions.
    #[cfg_attr(target_arch = "x86_64", allow(unsafe_code, reason = "see x86.rs"))]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self.0 {
            Set::Portable => work.run::<Portable>(),
            // SAFETY: a value of this variant is made only after the CPU has reported AVX2 and FMA.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { x86::run_avx2(work) },
            // SAFETY: a value of this variant is made only after the CPU has reported AVX-512F.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { x86::run_avx512(work) },
        }
    }
}

impl fmt::Display for Instructions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
