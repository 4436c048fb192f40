//! Pairs everybody with somebody when not everybody may meet everybody.
//!
//! A greedy pairing from the top can end with two participants at the bottom who must not meet. So
//! each pair is taken only if all who are left can still be paired. The Tutte matrix of the graph
//! of allowed pairs decides whether they can (W. Tutte, 1947): put a random number for each allowed
//! pair and its negative at the mirrored place, and the determinant is not zero if and only if
//! there is a perfect matching. The numbers are taken modulo 2⁶¹ − 1, so that a pairing is
//! overlooked with a probability below 10⁻¹⁶ (Schwartz and Zippel), and come from a fixed seed.
//! This takes a tenth of the code of an algorithm with augmenting paths, and is quick enough for
//! the tournaments that are allowed here.

use wurfel_core::Random;

/// The prime 2⁶¹ − 1.
const PRIME: u64 = (1 << 61) - 1;

const fn times(one: u64, other: u64) -> u64 {
    let product = one as u128 * other as u128;
    let sum = (product as u64 & PRIME) + (product >> 61) as u64;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// The inverse modulo [`PRIME`], by Fermat's little theorem.
fn inverse(number: u64) -> u64 {
    let (mut result, mut base, mut exponent) = (1, number, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    result
}

/// Whether all of these participants can be paired.
pub fn can_be_paired(all: &[usize], allowed: &dyn Fn(usize, usize) -> bool) -> bool {
    let size = all.len();
    if size % 2 == 1 {
        return false;
    }
    let mut random = Random::new(1);
    let mut matrix = vec![vec![0; size]; size];
    for row in 0..size {
        for column in row + 1..size {
            if allowed(all[row], all[column]) {
                let number = 1 + random.bits() % (PRIME - 1);
                matrix[row][column] = number;
                matrix[column][row] = PRIME - number;
            }
        }
    }
    has_full_rank(matrix)
}

/// Whether the matrix has full rank modulo [`PRIME`], by Gaussian elimination.
fn has_full_rank(mut matrix: Vec<Vec<u64>>) -> bool {
    let size = matrix.len();
    for step in 0..size {
        let Some(pivot) = (step..size).find(|&row| matrix[row][step] != 0) else { return false };
        matrix.swap(step, pivot);
        let (done, rest) = matrix.split_at_mut(step + 1);
        let pivot = &done[step];
        let scale = inverse(pivot[step]);
        for row in rest.iter_mut().filter(|row| row[step] != 0) {
            let factor = times(row[step], scale);
            for column in step..size {
                row[column] = (row[column] + PRIME - times(factor, pivot[column])) % PRIME;
            }
        }
    }
    true
}

/// Pairs all participants, from the first on, each with the first of its candidates that leaves a
/// pairing for all others; `None` when there is no pairing. `candidates` orders the remaining
/// participants by preference for one of them.
pub fn pair(
    all: &[usize],
    candidates: &dyn Fn(usize, &[usize]) -> Vec<usize>,
    allowed: &dyn Fn(usize, usize) -> bool,
) -> Option<Vec<[usize; 2]>> {
    let mut left = all.to_vec();
    let mut pairs = vec![];
    if !can_be_paired(&left, allowed) {
        return None;
    }
    while !left.is_empty() {
        let one = left.remove(0);
        let without = |other: usize| -> Vec<usize> {
            left.iter().copied().filter(|&third| third != other).collect()
        };
        let fits = |&other: &usize| allowed(one, other) && can_be_paired(&without(other), allowed);
        let other = candidates(one, &left).into_iter().find(fits)?;
        left = without(other);
        pairs.push([one, other]);
    }
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow, obvious algorithm, which tries every pairing.
    fn naive(all: &[usize], allowed: &dyn Fn(usize, usize) -> bool) -> bool {
        let Some((&one, rest)) = all.split_first() else { return true };
        rest.iter().any(|&other| {
            let left: Vec<usize> = rest.iter().copied().filter(|&third| third != other).collect();
            allowed(one, other) && naive(&left, allowed)
        })
    }

    #[test]
    fn numbers_are_multiplied_modulo_the_prime() {
        let mut random = Random::new(2);
        for _ in 0..1000 {
            let [one, other] = [0, 1].map(|_| random.bits() % PRIME);
            let product = u128::from(one) * u128::from(other) % u128::from(PRIME);
            assert_eq!(u128::from(times(one, other)), product);
            assert!(one == 0 || times(one, inverse(one)) == 1);
        }
    }

    /// Checks all graphs of up to six vertices; there are 32,768 with six.
    #[test]
    fn whether_all_can_be_paired_is_what_trying_says() {
        for size in [2, 4, 6] {
            let all: Vec<usize> = (0..size).collect();
            for graph in 0..1_u32 << (size * (size - 1) / 2) {
                let allowed = |one: usize, other: usize| {
                    let (low, high) = (one.min(other), one.max(other));
                    graph >> (high * (high - 1) / 2 + low) & 1 == 1
                };
                assert_eq!(can_be_paired(&all, &allowed), naive(&all, &allowed), "{graph:b}");
            }
        }
        assert!(can_be_paired(&[], &|_, _| false));
        assert!(!can_be_paired(&[1, 2, 3], &|_, _| true));
    }

    #[test]
    fn a_pairing_from_the_top_leaves_nobody_at_the_bottom() {
        // 0 would like 1, but then 2 and 3 would be left, who must not meet.
        let allowed = |one: usize, other: usize| one.min(other) < 2 || one == other;
        let pairs = pair(&[0, 1, 2, 3], &|_, left| left.to_vec(), &allowed).unwrap();
        assert_eq!(pairs, [[0, 2], [1, 3]]);
        assert_eq!(pair(&[0, 1], &|_, left| left.to_vec(), &|_, _| false), None);
    }
}
