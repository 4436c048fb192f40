//! Dice that can be checked afterwards.
//!
//! Before a game the server draws a secret seed and shows its hash, the *commitment*.
//! Then the player chooses a text, the *salt*, that the server could not foresee. All
//! throws follow from both, so that neither can steer them; after the game the
//! seed is shown, and everybody can repeat them:
//!
//! * the commitment is the SHA-256 hash of the seed, as it is written;
//! * attempt *k* (from 0) at throw *n* (from 1) takes the SHA-256 hash of `SEED:SALT:n:k` and
//!   of it the first four bytes, the highest first, as a number *x*;
//! * with *t* the number of equally likely ways in which the dice can fall, an *x* of
//!   at least ⌊2³² / *t*⌋ · *t* is refused, so that none is favoured; else way *x* mod *t* has
//!   fallen, counted in the order of the game's dice;
//! * a throw that leaves nothing to do is refused, too; the next attempt decides.

use wurfel_game::{Game, Weighted};

use crate::secret;

/// The fair dice of one game.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct FairDice {
    /// The hash of the seed.
    pub commitment: String,
    /// The secret; empty while it must not be shown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub seed: String,
    /// What the player added; empty before the game begins.
    #[serde(default)]
    pub salt: String,
}

impl FairDice {
    /// Dice with a new seed.
    ///
    /// # Errors
    /// When the operating system gives no random bytes.
    pub fn new() -> std::io::Result<Self> {
        let seed = secret::random_hex::<32>()?;
        Ok(Self { commitment: secret::hash_hex(&seed), seed, salt: String::new() })
    }

    /// Whether the seed is the one that was committed to.
    pub fn is_kept(&self) -> bool {
        secret::hash_hex(&self.seed) == self.commitment
    }

    /// Throw `number` (from 1) of the game, in a position before its end.
    pub fn throw<G: Game>(&self, position: &G, number: u32) -> G::Roll {
        let usable = |face: &G::Roll| !position.moves(*face).as_ref().is_empty();
        let mut attempt = 0u64;
        loop {
            let text = format!("{}:{}:{number}:{attempt}", self.seed, self.salt);
            if let Some(face) = fallen(G::DICE, secret::hash(&text)).filter(usable) {
                return face;
            }
            attempt += 1;
        }
    }
}

/// How the dice fall by a hash, if they do.
fn fallen<R: Copy>(dice: &[Weighted<R>], hash: [u8; 32]) -> Option<R> {
    let ways: u32 = dice.iter().map(|face| face.weight).sum();
    let number = u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]]);
    // ⌊2³² / t⌋ · t − 1 fits where ⌊2³² / t⌋ · t itself may not.
    let last = u32::MAX - (u32::MAX % ways + 1) % ways;
    let mut way = (number <= last).then_some(number % ways)?;
    for face in dice {
        if way < face.weight {
            return Some(face.item);
        }
        way -= face.weight;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_games::einstein::Einstein;

    fn dice() -> FairDice {
        let seed = "00".repeat(32);
        FairDice { commitment: secret::hash_hex(&seed), seed, salt: "salt".into() }
    }

    #[test]
    fn a_commitment_holds_for_one_seed_only() {
        assert!(dice().is_kept() && FairDice::new().unwrap().is_kept());
        assert!(!FairDice { seed: "01".repeat(32), ..dice() }.is_kept());
    }

    #[test]
    fn throws_follow_from_seed_salt_and_number_alone_and_are_fair() {
        let start = Einstein::default();
        let mut counts = [0u32; 6];
        for number in 1..=6000 {
            let thrown = dice().throw(&start, number).to_string();
            assert_eq!(thrown, dice().throw(&start, number).to_string());
            counts[thrown.parse::<usize>().unwrap() - 1] += 1;
        }
        let chi: f64 = counts.iter().map(|&n| (f64::from(n) - 1e3).powi(2) / 1e3).sum();
        assert!(chi < 20.5, "{counts:?}");
    }

    /// The first throws, worked out with `sha256sum` after the description above.
    #[test]
    fn anybody_can_repeat_the_throws() {
        let way = |number: u32| {
            let text = format!("{}:salt:{number}:0", "00".repeat(32));
            let hash = secret::hash_hex(&text);
            u32::from_str_radix(&hash[..8], 16).unwrap() % 6 + 1
        };
        for number in 1..20 {
            let thrown = dice().throw(&Einstein::default(), number).to_string();
            assert_eq!(thrown, way(number).to_string());
        }
    }

    #[test]
    fn numbers_that_would_favour_a_way_are_refused() {
        let dice = [1, 2].map(|item| Weighted { item, weight: item });
        let hash = |number: u32| {
            let mut hash = [0; 32];
            hash[..4].copy_from_slice(&number.to_be_bytes());
            hash
        };
        let all: Vec<_> = (0..4).map(|number| fallen(&dice, hash(number))).collect();
        assert_eq!(all, [Some(1), Some(2), Some(2), Some(1)]);
        // 2³² = 3 · 1,431,655,765 + 1.
        assert_eq!(fallen(&dice, hash(u32::MAX)), None);
        assert_eq!(fallen(&dice, hash(u32::MAX - 1)), Some(2));
        let two = [1, 2].map(|item| Weighted { item, weight: 1 });
        assert_eq!(fallen(&two, hash(u32::MAX)), Some(2));
    }
}
