//! Sums of products of bytes in vector instructions of x86. They are sound for the reasons that `x86.rs` gives: their
//! methods run only inside the `run_…` functions below, which are called only where the CPU has reported the
//! instructions.
#![allow(unsafe_code, reason = "vector instructions; the portable twin is the tests' oracle")]

use std::arch::x86_64::{
    __m256i, __m512i, _mm_load_si128, _mm_loadl_epi64, _mm_packus_epi16, _mm_store_si128,
    _mm256_add_epi32, _mm256_and_si256, _mm256_castsi256_si128, _mm256_cvtepi32_ps,
    _mm256_cvtepu8_epi32, _mm256_cvttps_epi32, _mm256_dpbusd_avx_epi32, _mm256_extracti128_si256,
    _mm256_load_si256, _mm256_madd_epi16, _mm256_min_ps, _mm256_packs_epi32,
    _mm256_permute4x64_epi64, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_set1_ps,
    _mm256_setzero_si256, _mm256_slli_epi16, _mm256_srai_epi16, _mm256_srli_epi16,
    _mm512_cvtepi32_epi8, _mm512_cvtepi32_ps, _mm512_cvtepu8_epi32, _mm512_cvttps_epi32,
    _mm512_dpbusd_epi32, _mm512_load_si512, _mm512_min_ps, _mm512_set1_epi32, _mm512_set1_ps,
    _mm512_setzero_si512,
};

use super::bytes::{Block, ByteWork, Line, Sums};
use super::x86::{Avx2, Avx512};

/// Sixteen sums in one register, with AVX-512 VNNI.
#[derive(Clone, Copy)]
struct Sums512(__m512i);

/// Sixteen sums in two registers of eight.
#[derive(Clone, Copy)]
struct Pair(__m256i, __m256i);

/// Sixteen sums in two registers, with AVX-VNNI.
#[derive(Clone, Copy)]
struct SumsVnni(Pair);

/// Sixteen sums in two registers, with AVX2: bytes are widened to 16 bits, in which the sum of two
/// products is exact.
#[derive(Clone, Copy)]
struct SumsAvx2(Pair);

/// Runs `work` with AVX-512 VNNI.
///
/// # Safety
/// The CPU must have AVX-512F and AVX-512 VNNI.
#[target_feature(enable = "avx512f,avx512vnni")]
pub(super) unsafe fn run_avx512_vnni<W: ByteWork>(work: W) {
    work.run::<Sums512>();
}

/// Runs `work` with AVX-VNNI.
///
/// # Safety
/// The CPU must have AVX2, FMA and AVX-VNNI.
#[target_feature(enable = "avx2,fma,avxvnni")]
pub(super) unsafe fn run_avx_vnni<W: ByteWork>(work: W) {
    work.run::<SumsVnni>();
}

/// Runs `work` with AVX2.
///
/// # Safety
/// The CPU must have AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn run_avx2<W: ByteWork>(work: W) {
    work.run::<SumsAvx2>();
}

// SAFETY of every block below: see the top of the file. A `Line` has the length and the alignment
// of the registers that it is loaded into, and a `Block` has those of sixteen bytes.

#[allow(clippy::undocumented_unsafe_blocks, reason = "documented above")]
impl Sums for Sums512 {
    type Floats = Avx512;
    type Inputs = __m512i;
    type Weights = __m512i;
    const WIDE: bool = true;

    #[inline(always)]
    fn zero() -> Self {
        Self(unsafe { _mm512_setzero_si512() })
    }

    #[inline(always)]
    fn inputs(bytes: [u8; 4]) -> __m512i {
        unsafe { _mm512_set1_epi32(i32::from_le_bytes(bytes)) }
    }

    #[inline(always)]
    fn weights(line: &Line) -> __m512i {
        unsafe { _mm512_load_si512(line.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn add_products(self, inputs: __m512i, weights: __m512i) -> Self {
        Self(unsafe { _mm512_dpbusd_epi32(self.0, inputs, weights) })
    }

    #[inline(always)]
    fn floats(self) -> Avx512 {
        Avx512(unsafe { _mm512_cvtepi32_ps(self.0) })
    }

    #[inline(always)]
    fn read(block: &Block) -> Avx512 {
        unsafe {
            let bytes = _mm_load_si128(block.0.as_ptr().cast());
            Avx512(_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bytes)))
        }
    }

    #[inline(always)]
    fn bytes(floats: Avx512) -> Block {
        let mut block = Block::ZERO;
        unsafe {
            let whole = _mm512_cvttps_epi32(_mm512_min_ps(floats.0, _mm512_set1_ps(255.0)));
            _mm_store_si128(block.0.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(whole));
        }
        block
    }
}

#[allow(clippy::undocumented_unsafe_blocks, reason = "documented above")]
impl Pair {
    #[inline(always)]
    fn zero() -> Self {
        unsafe { Self(_mm256_setzero_si256(), _mm256_setzero_si256()) }
    }

    #[inline(always)]
    fn load(line: &Line) -> Self {
        let (low, high) = line.0.split_at(32);
        unsafe {
            Self(_mm256_load_si256(low.as_ptr().cast()), _mm256_load_si256(high.as_ptr().cast()))
        }
    }

    #[inline(always)]
    fn floats(self) -> Avx2 {
        unsafe { Avx2(_mm256_cvtepi32_ps(self.0), _mm256_cvtepi32_ps(self.1)) }
    }

    #[inline(always)]
    fn read(block: &Block) -> Avx2 {
        let (low, high) = block.0.split_at(8);
        let [low, high] = [low, high].map(|part| unsafe {
            let bytes = _mm_loadl_epi64(part.as_ptr().cast());
            _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes))
        });
        Avx2(low, high)
    }

    #[inline(always)]
    fn bytes(floats: Avx2) -> Block {
        let mut block = Block::ZERO;
        unsafe {
            let most = _mm256_set1_ps(255.0);
            let low = _mm256_cvttps_epi32(_mm256_min_ps(floats.0, most));
            let high = _mm256_cvttps_epi32(_mm256_min_ps(floats.1, most));
            // The halves of both registers were packed alternately: this puts the quarters in
            // order.
            let words = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(low, high));
            let (first, second) =
                (_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words));
            _mm_store_si128(block.0.as_mut_ptr().cast(), _mm_packus_epi16(first, second));
        }
        block
    }
}

#[allow(clippy::undocumented_unsafe_blocks, reason = "documented above")]
impl Sums for SumsVnni {
    type Floats = Avx2;
    type Inputs = __m256i;
    type Weights = Pair;
    const WIDE: bool = false;

    #[inline(always)]
    fn zero() -> Self {
        Self(Pair::zero())
    }

    #[inline(always)]
    fn inputs(bytes: [u8; 4]) -> __m256i {
        unsafe { _mm256_set1_epi32(i32::from_le_bytes(bytes)) }
    }

    #[inline(always)]
    fn weights(line: &Line) -> Pair {
        Pair::load(line)
    }

    #[inline(always)]
    fn add_products(self, inputs: __m256i, weights: Pair) -> Self {
        let Self(Pair(low, high)) = self;
        Self(unsafe {
            Pair(
                _mm256_dpbusd_avx_epi32(low, inputs, weights.0),
                _mm256_dpbusd_avx_epi32(high, inputs, weights.1),
            )
        })
    }

    #[inline(always)]
    fn floats(self) -> Avx2 {
        self.0.floats()
    }

    #[inline(always)]
    fn read(block: &Block) -> Avx2 {
        Pair::read(block)
    }

    #[inline(always)]
    fn bytes(floats: Avx2) -> Block {
        Pair::bytes(floats)
    }
}

#[allow(clippy::undocumented_unsafe_blocks, reason = "documented above")]
impl Sums for SumsAvx2 {
    type Floats = Avx2;
    /// The first and third of each group of four bytes, and the second and fourth.
    type Inputs = [__m256i; 2];
    type Weights = [Pair; 2];
    const WIDE: bool = false;

    #[inline(always)]
    fn zero() -> Self {
        Self(Pair::zero())
    }

    #[inline(always)]
    fn inputs(bytes: [u8; 4]) -> [__m256i; 2] {
        unsafe {
            let bytes = _mm256_set1_epi32(i32::from_le_bytes(bytes));
            [_mm256_and_si256(bytes, _mm256_set1_epi16(255)), _mm256_srli_epi16::<8>(bytes)]
        }
    }

    #[inline(always)]
    fn weights(line: &Line) -> [Pair; 2] {
        let Pair(low, high) = Pair::load(line);
        unsafe {
            let even = |part| _mm256_srai_epi16::<8>(_mm256_slli_epi16::<8>(part));
            [
                Pair(even(low), even(high)),
                Pair(_mm256_srai_epi16::<8>(low), _mm256_srai_epi16::<8>(high)),
            ]
        }
    }

    #[inline(always)]
    fn add_products(self, inputs: [__m256i; 2], weights: [Pair; 2]) -> Self {
        let Self(Pair(mut low, mut high)) = self;
        for (inputs, weights) in inputs.into_iter().zip(weights) {
            unsafe {
                low = _mm256_add_epi32(low, _mm256_madd_epi16(inputs, weights.0));
                high = _mm256_add_epi32(high, _mm256_madd_epi16(inputs, weights.1));
            }
        }
        Self(Pair(low, high))
    }

    #[inline(always)]
    fn floats(self) -> Avx2 {
        self.0.floats()
    }

    #[inline(always)]
    fn read(block: &Block) -> Avx2 {
        Pair::read(block)
    }

    #[inline(always)]
    fn bytes(floats: Avx2) -> Block {
        Pair::bytes(floats)
    }
}
