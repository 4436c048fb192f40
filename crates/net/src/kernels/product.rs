//! Matrix products, which take nearly all of the time.

use super::lanes::{Lanes, Tile, Work};
use crate::rows::{LANES, Row};

/// `N` rows, from index `at` on.
#[inline(always)]
fn rows<const N: usize>(rows: &[Row], at: usize) -> &[Row; N] {
    rows[at..].first_chunk().expect("this many rows")
}

/// C = A · B, for several matrices of the same shape, one stored after the other.
pub(crate) struct Product<'a> {
    /// Matrices of `rows` rows and `inner` blocks.
    pub a: &'a [Row],
    /// Matrices of 16 · `inner` rows and `outer` blocks.
    pub b: &'a [Row],
    /// Matrices of `rows` rows and `outer` blocks.
    pub c: &'a mut [Row],
    /// The number of rows, a multiple of [`tile_rows`](super::Instructions::tile_rows).
    pub rows: usize,
    /// How many of the rows are needed; the others may be left uncomputed.
    pub used: usize,
    pub inner: usize,
    pub outer: usize,
}

impl Work for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        match L::TILE {
            Tile::Wide => self.tiled::<L, 14, 2>(),
            Tile::Middle => self.tiled::<L, 6, 1>(),
            Tile::Narrow => self.tiled::<L, 2, 1>(),
        }
    }
}

impl Product<'_> {
    #[inline(always)]
    fn tiled<L: Lanes, const M: usize, const N: usize>(self) {
        let Self { a, b, c, rows, used, inner, outer } = self;
        debug_assert!(rows.is_multiple_of(M) && used <= rows);
        let a = a.chunks_exact(inner * rows);
        for (number, (a, c)) in a.zip(c.chunks_exact_mut(outer * rows)).enumerate() {
            let mut block = 0;
            while block < outer {
                let panel = &b[(number * outer + block) * inner * LANES..];
                let c = &mut c[block * rows..];
                if block + N <= outer {
                    panel_product::<L, M, N>(a, panel, c, rows, used, inner);
                    block += N;
                } else {
                    panel_product::<L, M, 1>(a, panel, c, rows, used, inner);
                    block += 1;
                }
            }
        }
    }
}

/// Computes `N` blocks of C, `M` rows together. `panel` continues with the rows that are multiplied
/// next, so that these can be prefetched.
#[inline(always)]
fn panel_product<L: Lanes, const M: usize, const N: usize>(
    a: &[Row],
    panel: &[Row],
    c: &mut [Row],
    stride: usize,
    used: usize,
    inner: usize,
) {
    let passes = used.div_ceil(M);
    let next = panel.get(N * inner * LANES..).unwrap_or_default();
    for pass in 0..passes {
        let top = pass * M;
        let share = pass * LANES / passes..(pass + 1) * LANES / passes;
        let mut sums = [[L::splat(0.0); N]; M];
        for k in 0..inner {
            for n in 0..N {
                let next = next.get((n * inner + k) * LANES..).unwrap_or_default();
                next.get(share.clone()).unwrap_or_default().iter().for_each(L::prefetch);
            }
            let a = rows::<M>(a, k * stride + top);
            let b: [&[Row; LANES]; N] =
                std::array::from_fn(|n| rows(panel, (n * inner + k) * LANES));
            for lane in 0..LANES {
                let b: [L; N] = std::array::from_fn(|n| L::load(&b[n][lane]));
                for (sums, a) in sums.iter_mut().zip(a) {
                    let a = L::splat(a.0[lane]);
                    for (sum, b) in sums.iter_mut().zip(b) {
                        *sum = a.mul_add(b, *sum);
                    }
                }
            }
        }
        for n in 0..N {
            let c = c[n * stride + top..][..M].iter_mut();
            for (sums, row) in sums.iter().zip(c) {
                sums[n].store(row);
            }
        }
    }
}

/// C ← Aᵀ · B or C += Aᵀ · B, for several matrices of the same shape, one stored after the other.
pub(crate) struct SumOfProducts<'a> {
    /// Matrices of `rows` rows and `left` blocks.
    pub a: &'a [Row],
    /// Matrices of `rows` rows and `right` blocks.
    pub b: &'a [Row],
    /// Matrices of 16 · `left` rows and `right` blocks.
    pub c: &'a mut [Row],
    pub rows: usize,
    /// How many of the rows are summed over.
    pub used: usize,
    pub left: usize,
    pub right: usize,
    /// Whether the products are added to C.
    pub add: bool,
}

impl Work for SumOfProducts<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        match L::TILE {
            Tile::Wide => self.tiled::<L, 8, 2>(),
            Tile::Middle => self.tiled::<L, 4, 1>(),
            Tile::Narrow => self.tiled::<L, 2, 1>(),
        }
    }
}

impl SumOfProducts<'_> {
    #[inline(always)]
    fn tiled<L: Lanes, const M: usize, const N: usize>(self) {
        let Self { a, b, c, rows, used, left, right, add } = self;
        let a = a.chunks_exact(left * rows);
        let b = b.chunks_exact(right * rows);
        for ((a, b), c) in a.zip(b).zip(c.chunks_exact_mut(left * LANES * right)) {
            let mut block = 0;
            while block < right {
                let b = &b[block * rows..];
                let c = &mut c[block * left * LANES..];
                if block + N <= right {
                    panel_sums::<L, M, N>(a, b, c, rows, used, left, add);
                    block += N;
                } else {
                    panel_sums::<L, M, 1>(a, b, c, rows, used, left, add);
                    block += 1;
                }
            }
        }
    }
}

/// Computes `N` blocks of C, `M` rows together. `M` must divide the sixteen rows of a block.
#[inline(always)]
fn panel_sums<L: Lanes, const M: usize, const N: usize>(
    a: &[Row],
    b: &[Row],
    c: &mut [Row],
    stride: usize,
    used: usize,
    left: usize,
    add: bool,
) {
    let b: [&[Row]; N] = std::array::from_fn(|n| &b[n * stride..][..used]);
    for k in 0..left {
        let a = &a[k * stride..][..used];
        for part in 0..LANES / M {
            let mut sums = [[L::splat(0.0); N]; M];
            for (row, a) in a.iter().enumerate() {
                let a: &[f32; M] = a.0[part * M..].first_chunk().expect("M lanes");
                let b: [L; N] = std::array::from_fn(|n| L::load(&b[n][row]));
                for (sums, &a) in sums.iter_mut().zip(a) {
                    let a = L::splat(a);
                    for (sum, b) in sums.iter_mut().zip(b) {
                        *sum = a.mul_add(b, *sum);
                    }
                }
            }
            for n in 0..N {
                let c = &mut c[(n * left + k) * LANES + part * M..][..M];
                for (sums, row) in sums.iter().zip(c) {
                    let sum = if add { L::load(row).add(sums[n]) } else { sums[n] };
                    sum.store(row);
                }
            }
        }
    }
}
