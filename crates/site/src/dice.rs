//! Dice whose fairness can be checked after the game.
//!
//! Before a game the server draws a secret seed and shows its hash, the *commitment*. Then each
//! player's browser chooses a text that the server could not foresee, the *salt*. All rolls follow
//! from seed and salt, so that no side alone can influence them. After the game the seed is shown,
//! and everybody can repeat the rolls:
//!
//! * the commitment is the SHA-256 hash of the seed, as it is written;
//! * roll *n* (from 1) takes the SHA-256 hash of `SEED:SALT:n` as a number of 256 bits; its
//!   remainder by the number of equally likely outcomes of the dice is the index of the outcome,
//!   in the order of the game's dice. Each is as likely as the others to 76 digits;
//! * a void roll, which allows no move, has a number as well, and the record names it.
//!
//! There is exactly one roll for each number, and the server has no choice that a check would have
//! to allow.

use wurfel::{Game, Position};
use wurfel_arena::RoomRoll;
use wurfel_core::Weighted;

use crate::secret;

/// The fair dice of one game.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommittedDice {
    /// The hash of the seed.
    pub commitment: String,
    /// The secret seed; empty while it must not be shown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub seed: String,
    /// The salts of the players, the first side first, with a `-` between if there are two; empty
    /// before the game begins.
    #[serde(default)]
    pub salt: String,
    /// The number of rolls so far.
    #[serde(default)]
    pub rolls: u32,
}

/// Maximum number of rolls in a record: many times the number in the longest game, including
/// everything that was taken back.
pub(crate) const MAX_ROLLS: u32 = 1_000_000;

impl CommittedDice {
    /// Dice with a new seed.
    ///
    /// # Errors
    /// When the operating system gives no random bytes.
    pub fn new() -> std::io::Result<Self> {
        let seed = secret::random_hex::<32>()?;
        Ok(Self { commitment: secret::hash_hex(&seed), seed, salt: String::new(), rolls: 0 })
    }

    /// Whether the seed matches the commitment.
    pub fn matches_commitment(&self) -> bool {
        secret::hash_hex(&self.seed) == self.commitment
    }

    /// Roll number `number` (from 1) of a game with these faces, whether or not it allows a move.
    pub fn roll_at<'a>(&self, faces: &'a [Weighted<String>], number: u32) -> &'a str {
        roll_of::<String>(faces, secret::hash(&format!("{}:{}:{number}", self.seed, self.salt)))
    }

    /// Rolls until a roll allows a move, in a position that waits for its roll. Returns the roll and the
    /// position with it.
    pub fn roll(&mut self, game: Game, position: &Position) -> (RoomRoll, Position) {
        let (faces, mut void) = (game.dice(), vec![]);
        loop {
            self.rolls += 1;
            let roll = self.roll_at(&faces, self.rolls);
            if let Ok(rolled) = position.rolled(roll) {
                return (RoomRoll { roll: roll.to_owned(), number: self.rolls, void }, rolled);
            }
            void.push(roll.to_owned());
        }
    }
}

/// The roll that a hash stands for.
fn roll_of<R>(dice: &[Weighted<R>], hash: [u8; 32]) -> &R {
    let ways: u32 = dice.iter().map(|face| face.weight).sum();
    let mut way = hash.iter().fold(0, |rest, &byte| (256 * rest + u32::from(byte)) % ways);
    for face in dice {
        if way < face.weight {
            return &face.item;
        }
        way -= face.weight;
    }
    &dice[0].item
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel::{default_game, game};

    fn dice() -> CommittedDice {
        let seed = "00".repeat(32);
        CommittedDice { commitment: secret::hash_hex(&seed), seed, salt: "salt".into(), rolls: 0 }
    }

    #[test]
    fn a_commitment_holds_for_one_seed_only() {
        assert!(dice().matches_commitment() && CommittedDice::new().unwrap().matches_commitment());
        assert!(!CommittedDice { seed: "01".repeat(32), ..dice() }.matches_commitment());
    }

    #[test]
    fn rolls_follow_from_seed_salt_and_number_alone_and_are_fair() {
        let mut counts = [0u32; 6];
        let faces = default_game().dice();
        for number in 1..=6000 {
            let rolled = dice().roll_at(&faces, number);
            counts[rolled.parse::<usize>().unwrap() - 1] += 1;
        }
        let chi: f64 = counts.iter().map(|&n| (f64::from(n) - 1e3).powi(2) / 1e3).sum();
        assert!(chi < 20.5, "{counts:?}");
    }

    /// These numbers were computed with Python's `hashlib`, following the description above:
    /// `int(sha256(f"{'00' * 32}:salt:{n}").hexdigest(), 16) % 6`.
    #[test]
    fn anybody_can_repeat_the_rolls() {
        let faces = default_game().dice();
        let rolled: String = (1..=12).map(|number| dice().roll_at(&faces, number)).collect();
        assert_eq!(rolled, "421534135433");
    }

    #[test]
    fn a_roll_without_a_move_has_its_number_and_is_named() {
        let mut dice = dice();
        let chess = game("dicechess").unwrap();
        let (rolled, position) = dice.roll(chess, &chess.start());
        // In the initial position only pawns and knights can move.
        assert!(["P", "N"].contains(&rolled.roll.as_str()));
        assert_eq!(position.roll(), Some(rolled.roll.clone()));
        assert_eq!(rolled.number as usize, rolled.void.len() + 1);
        assert_eq!(rolled.number, dice.rolls);
        for (number, face) in (1..).zip(rolled.void.iter().chain([&rolled.roll])) {
            assert_eq!(dice.roll_at(&chess.dice(), number), *face);
        }
    }

    #[test]
    fn the_whole_hash_is_the_number() {
        let dice = [1, 2].map(|item| Weighted { item, weight: item });
        let hash = |number: u32| {
            let mut hash = [0; 32];
            hash[28..].copy_from_slice(&number.to_be_bytes());
            hash
        };
        let all: Vec<_> = (0..4).map(|number| *roll_of(&dice, hash(number))).collect();
        assert_eq!(all, [1, 2, 2, 1]);
        // 2²⁵⁶ − 1 is a multiple of 3.
        assert_eq!(roll_of(&dice, [255; 32]), &1);
    }
}
