//! Sixteen numbers that are processed together, and work that is written once for every
//! implementation of them.

use crate::rows::{LANES, Row};

/// How many sums a matrix product keeps in registers: a number of rows by a number of blocks of
/// sixteen columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tile {
    /// 14 × 2, for 32 registers of sixteen numbers.
    Wide,
    /// 6 × 1, for 16 registers of eight numbers.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "for AVX2"))]
    Middle,
    /// 2 × 1, for 16 registers of four numbers.
    Narrow,
}

impl Tile {
    /// How many rows a matrix product processes together.
    pub const fn rows(self) -> usize {
        match self {
            Tile::Wide => 14,
            Tile::Middle => 6,
            Tile::Narrow => 2,
        }
    }
}

/// Sixteen numbers.
pub(crate) trait Lanes: Copy {
    const TILE: Tile;
    /// Hints to the CPU that the row will be read soon.
    fn prefetch(row: &Row);
    fn splat(number: f32) -> Self;
    fn load(row: &Row) -> Self;
    fn store(self, row: &mut Row);
    fn add(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// `self` · `factor` + `sum`. Implementations differ in whether they round the product.
    fn mul_add(self, factor: Self, sum: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// `self` where `gate` is positive, and 0 elsewhere.
    fn gate(self, gate: Self) -> Self;
}

/// Work on rows, written once for every implementation of lanes. Everything that `run` calls must
/// be inlined into it, so that it is compiled for the instructions on which it runs.
pub(crate) trait Work {
    type Output;
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Lanes as plain arrays. They work on every machine and are the reference for all other
/// implementations.
#[derive(Clone, Copy)]
pub(crate) struct Portable(pub [f32; LANES]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, change: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|lane| change(self.0[lane], other.0[lane])))
    }
}

impl Lanes for Portable {
    const TILE: Tile = Tile::Narrow;

    #[inline(always)]
    fn prefetch(_: &Row) {}

    #[inline(always)]
    fn splat(number: f32) -> Self {
        Self([number; LANES])
    }

    #[inline(always)]
    fn load(row: &Row) -> Self {
        Self(row.0)
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        row.0 = self.0;
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, sum: Self) -> Self {
        self.mul(factor).add(sum)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn gate(self, gate: Self) -> Self {
        self.zip(gate, |a, b| if b > 0.0 { a } else { 0.0 })
    }
}

/// Work that rounds every product before adding it, so that all instructions give the same results
/// bit by bit.
pub(crate) struct Unfused<W>(pub W);

impl<W: Work> Work for Unfused<W> {
    type Output = W::Output;

    #[inline(always)]
    fn run<L: Lanes>(self) -> W::Output {
        self.0.run::<UnfusedLanes<L>>()
    }
}

/// Lanes whose [`mul_add`](Lanes::mul_add) rounds twice.
#[derive(Clone, Copy)]
struct UnfusedLanes<L>(L);

impl<L: Lanes> Lanes for UnfusedLanes<L> {
    const TILE: Tile = L::TILE;

    #[inline(always)]
    fn prefetch(row: &Row) {
        L::prefetch(row);
    }

    #[inline(always)]
    fn splat(number: f32) -> Self {
        Self(L::splat(number))
    }

    #[inline(always)]
    fn load(row: &Row) -> Self {
        Self(L::load(row))
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        self.0.store(row);
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.add(other.0))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0.mul(other.0))
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, sum: Self) -> Self {
        Self(self.0.mul(factor.0).add(sum.0))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }

    #[inline(always)]
    fn gate(self, gate: Self) -> Self {
        Self(self.0.gate(gate.0))
    }
}
