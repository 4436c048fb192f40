//! The random generator: xoshiro256++, seeded through `SplitMix64`.
//!
//! The project has its own because results must not change when a library changes its generator.
//! Both algorithms are public-domain work of David Blackman and Sebastiano Vigna
//! (prng.di.unimi.it), and the tests compare them with their published output. Not for secrets.

/// A reproducible stream of random numbers: the same seed gives the same
/// numbers on every machine and in every version.
///
/// ```
/// use wurfel_core::Random;
///
/// let mut random = Random::new(7);
/// let mut again = random.clone();
/// assert_eq!(random.bits(), again.bits());
/// assert!(random.below(6) < 6 && (0.0..1.0).contains(&random.unit()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Random {
    state: [u64; 4],
}

/// One step of `SplitMix64`: advances `state` and returns a well-mixed number.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Random {
    /// The stream that belongs to `seed`.
    pub fn new(seed: u64) -> Self {
        let mut state = seed;
        Self { state: std::array::from_fn(|_| split_mix(&mut state)) }
    }

    /// The seed that belongs to a path of labels under `seed`. Different paths give independent
    /// streams to games, rolls and agents.
    ///
    /// ```
    /// use wurfel_core::Random;
    ///
    /// let [first, second] = [0, 1].map(|game| Random::seed_for(7, &[game]));
    /// assert_ne!(first, second);
    /// ```
    pub fn seed_for(seed: u64, path: &[u64]) -> u64 {
        path.iter().fold(seed, |seed, &label| {
            let mut state = seed ^ label.wrapping_mul(0xD134_2543_DE82_EF95);
            split_mix(&mut state)
        })
    }

    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number in `0..n`, each equally likely, by Lemire's method: a multiplication, and a rare
    /// rejection that removes the bias.
    ///
    /// # Panics
    /// When `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "a random number below 0 was asked for");
        let mut product = (self.bits() >> 32) * u64::from(n);
        if (product as u32) < n {
            let rejected = n.wrapping_neg() % n;
            while (product as u32) < rejected {
                product = (self.bits() >> 32) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// A number in [0, 1) with 53 random bits.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// One of `items`, each equally likely.
    ///
    /// # Panics
    /// When `items` is empty.
    #[inline]
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }

    /// Brings `items` into a random order, each order equally likely.
    ///
    /// ```
    /// use wurfel_core::Random;
    ///
    /// let mut cubes = [1, 2, 3, 4, 5, 6];
    /// Random::new(3).shuffle(&mut cubes);
    /// assert_eq!(cubes.iter().sum::<i32>(), 21);
    /// ```
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_mix_gives_its_published_output() {
        let mut state = 1_234_567;
        let numbers: Vec<u64> = (0..5).map(|_| split_mix(&mut state)).collect();
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821
            ]
        );
    }

    #[test]
    fn xoshiro_gives_its_published_output() {
        let mut random = Random { state: [1, 2, 3, 4] };
        let numbers: Vec<u64> = (0..5).map(|_| random.bits()).collect();
        assert_eq!(
            numbers,
            [
                41_943_041,
                58_720_359,
                3_588_806_011_781_223,
                3_591_011_842_654_386,
                9_228_616_714_210_784_205
            ]
        );
    }

    #[test]
    fn below_is_even_over_faces() {
        let mut random = Random::new(1);
        let mut counts = [0u32; 6];
        for _ in 0..600_000 {
            counts[random.below(6) as usize] += 1;
        }
        // The chi-square value with 5 degrees of freedom exceeds 20.5 once in 1,000 times.
        let chi: f64 = counts.iter().map(|&n| (f64::from(n) - 1e5).powi(2) / 1e5).sum();
        assert!(chi < 20.5, "{counts:?}");
    }

    #[test]
    fn paths_lead_to_different_seeds() {
        let seeds: std::collections::HashSet<u64> =
            (0..1000).flat_map(|a| (0..10).map(move |b| Random::seed_for(7, &[a, b]))).collect();
        assert_eq!(seeds.len(), 10_000);
    }
}
