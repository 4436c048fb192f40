//! The lanes in vector instructions of x86. Together with `x86_bytes.rs` this is the only unsafe
//! code of the crate.
//!
//! It is sound for two reasons. The methods of these lanes run only inside [`run_avx2`] and
//! [`run_avx512`] and their counterparts in `x86_bytes.rs`, because no other code names the types.
//! And these functions are called only by [`Instructions::run`](super::Instructions::run) and its
//! counterpart for bytes, whose values exist only on a CPU that has reported the instructions.
#![allow(unsafe_code, reason = "vector instructions; the portable twin is the tests' oracle")]

use std::arch::x86_64::{
    __m256, __m512, _CMP_GT_OQ, _MM_HINT_T1, _mm_prefetch, _mm256_add_ps, _mm256_and_ps,
    _mm256_cmp_ps, _mm256_fmadd_ps, _mm256_load_ps, _mm256_max_ps, _mm256_mul_ps, _mm256_set1_ps,
    _mm256_setzero_ps, _mm256_store_ps, _mm512_add_ps, _mm512_cmp_ps_mask, _mm512_fmadd_ps,
    _mm512_load_ps, _mm512_maskz_mov_ps, _mm512_max_ps, _mm512_mul_ps, _mm512_set1_ps,
    _mm512_setzero_ps, _mm512_store_ps,
};

use super::lanes::{Lanes, Tile, Work};
use crate::rows::Row;

#[derive(Clone, Copy)]
pub(super) struct Avx512(pub __m512);

/// Sixteen numbers in two registers of eight.
#[derive(Clone, Copy)]
pub(super) struct Avx2(pub __m256, pub __m256);

/// Runs `work` with AVX-512.
///
/// # Safety
/// The CPU must have AVX-512F.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn run_avx512<W: Work>(work: W) -> W::Output {
    work.run::<Avx512>()
}

/// Runs `work` with AVX2.
///
/// # Safety
/// The CPU must have AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn run_avx2<W: Work>(work: W) -> W::Output {
    work.run::<Avx2>()
}

// SAFETY of every block below: see the top of the file. A `Row` has the length and the alignment of
// the registers that it is loaded into and stored from.

#[allow(clippy::undocumented_unsafe_blocks, reason = "documented above")]
impl Lanes for Avx512 {
    const TILE: Tile = Tile::Wide;

    #[inline(always)]
    fn prefetch(row: &Row) {
        unsafe { _mm_prefetch::<_MM_HINT_T1>(row.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn splat(number: f32) -> Self {
        Self(unsafe { _mm512_set1_ps(number) })
    }

    #[inline(always)]
    fn load(row: &Row) -> Self {
        Self(unsafe { _mm512_load_ps(row.0.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        unsafe { _mm512_store_ps(row.0.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(unsafe { _mm512_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(unsafe { _mm512_mul_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, sum: Self) -> Self {
        Self(unsafe { _mm512_fmadd_ps(self.0, factor.0, sum.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(unsafe { _mm512_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn gate(self, gate: Self) -> Self {
        Self(unsafe {
            let open = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(gate.0, _mm512_setzero_ps());
            _mm512_maskz_mov_ps(open, self.0)
        })
    }
}

#[allow(clippy::undocumented_unsafe_blocks, reason = "documented above")]
impl Lanes for Avx2 {
    const TILE: Tile = Tile::Middle;

    #[inline(always)]
    fn prefetch(row: &Row) {
        unsafe { _mm_prefetch::<_MM_HINT_T1>(row.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn splat(number: f32) -> Self {
        let half = unsafe { _mm256_set1_ps(number) };
        Self(half, half)
    }

    #[inline(always)]
    fn load(row: &Row) -> Self {
        let (low, high) = row.0.split_at(8);
        unsafe { Self(_mm256_load_ps(low.as_ptr()), _mm256_load_ps(high.as_ptr())) }
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        let (low, high) = row.0.split_at_mut(8);
        unsafe {
            _mm256_store_ps(low.as_mut_ptr(), self.0);
            _mm256_store_ps(high.as_mut_ptr(), self.1);
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { Self(_mm256_add_ps(self.0, other.0), _mm256_add_ps(self.1, other.1)) }
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        unsafe { Self(_mm256_mul_ps(self.0, other.0), _mm256_mul_ps(self.1, other.1)) }
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, sum: Self) -> Self {
        unsafe {
            Self(_mm256_fmadd_ps(self.0, factor.0, sum.0), _mm256_fmadd_ps(self.1, factor.1, sum.1))
        }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        unsafe { Self(_mm256_max_ps(self.0, other.0), _mm256_max_ps(self.1, other.1)) }
    }

    #[inline(always)]
    fn gate(self, gate: Self) -> Self {
        unsafe {
            let zero = _mm256_setzero_ps();
            let low = _mm256_cmp_ps::<_CMP_GT_OQ>(gate.0, zero);
            let high = _mm256_cmp_ps::<_CMP_GT_OQ>(gate.1, zero);
            Self(_mm256_and_ps(self.0, low), _mm256_and_ps(self.1, high))
        }
    }
}
