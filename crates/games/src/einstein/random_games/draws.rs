//! The random numbers of games in lanes: 32 bits at a time, because the lanes have 32 bits.
//!
//! Each lane has a stream of its own, xoroshiro64\*\*, public-domain work of David Blackman and
//! Sebastiano Vigna (prng.di.unimi.it). A turn takes one number of it: the upper half is the die, the
//! lower half chooses the move. Both are drawn without bias; see [`below`].

use wurfel_core::Random;

pub(super) type Stream = [u32; 2];

pub(super) fn stream(seed: u64, lane: usize) -> Stream {
    let bits = Random::seed_for(seed, &[lane as u64]);
    // Only the state 0 would repeat itself for ever.
    [bits as u32 | u32::from(bits == 0), (bits >> 32) as u32]
}

#[inline(always)]
pub(super) const fn next([first, second]: Stream) -> (u32, Stream) {
    let number = first.wrapping_mul(0x9E37_79BB).rotate_left(5).wrapping_mul(5);
    let mixed = second ^ first;
    (number, [first.rotate_left(26) ^ mixed ^ mixed << 9, mixed.rotate_left(13)])
}

/// A number in `0..n` from `half`, 16 random bits, and whether it counts; if not, the whole turn must
/// be drawn again. `n` must be a divisor of 65,532, such as 1, 2, 3, 4 and 6.
/// All numbers are equally likely, and so are all ways in which a turn can count, whatever choice
/// its die leaves: `half` counts when the low 16 bits of `half` · n are at least 4. The multiples
/// of n between 65,536 *m* + 4 and 65,536 (*m* + 1) are those that count and give *m*. The interval
/// has 65,532 numbers, so it has 65,532 / n multiples of n, wherever it lies. Therefore each number
/// has 65,532 / n halves, and 65,532 halves count for every n.
#[inline(always)]
pub(super) const fn below(half: u32, n: u32) -> (u32, bool) {
    let product = half.wrapping_mul(n);
    (product >> 16, product & 0xFFFF >= 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xoroshiro_gives_its_published_output() {
        let mut stream = [1, 2];
        let numbers = [(); 10].map(|()| {
            let (number, after) = next(stream);
            stream = after;
            number
        });
        assert_eq!(
            numbers,
            [
                3_802_928_447,
                813_792_938,
                1_618_621_494,
                2_955_957_307,
                3_252_880_261,
                1_129_983_909,
                2_539_651_700,
                1_327_610_908,
                1_757_650_787,
                2_763_843_748
            ]
        );
    }

    #[test]
    fn every_number_has_as_many_halves_as_every_other() {
        for n in [1, 2, 3, 4, 6] {
            let mut counts = vec![0; n as usize];
            for (number, counts_for) in (0..1 << 16).map(|half| below(half, n)) {
                counts[number as usize] += u32::from(counts_for);
            }
            assert!(counts.iter().all(|&count| count == 65_532 / n), "{n}: {counts:?}");
        }
    }
}
