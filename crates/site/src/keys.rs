//! Who may act for which side of a room: whoever holds the side's token.
//!
//! Only hashes are stored. Two people on two devices have a token each: the guest makes one up and
//! takes the open side with it, using a secret that the person who opened the room has passed on.

use std::fmt;

use wurfel_core::{BySide, Side};

use crate::secret::{hash_hex, same};

/// The hashes of a room's tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Keys {
    /// The hash of each side's token; both are the same where one device plays both sides, or where
    /// an agent plays one.
    sides: BySide<Option<String>>,
    /// The hash of the secret that opens the side without a token.
    invitation: Option<String>,
}

impl Keys {
    /// One token for both sides.
    pub fn one(token: &str) -> Self {
        Self { sides: BySide::from_fn(|_| Some(hash_hex(token))), invitation: None }
    }

    /// A token for the host, and an invitation to the other side, which is `guest`.
    pub fn inviting(token: &str, guest: Side, invitation: &str) -> Self {
        let sides = BySide::from_fn(|side| (side != guest).then(|| hash_hex(token)));
        Self { sides, invitation: Some(hash_hex(invitation)) }
    }

    /// The same people with the sides exchanged.
    pub fn swapped(&self) -> Self {
        let sides = BySide::from_fn(|side: Side| self.sides[!side].clone());
        Self { sides, invitation: self.invitation.clone() }
    }

    /// The sides that a token may act for.
    pub fn holds(&self, token: &str) -> BySide<bool> {
        let hash = hash_hex(token);
        BySide::from_fn(|side| self.sides[side].as_ref().is_some_and(|known| same(known, &hash)))
    }

    /// The open side, if this is the invitation to it.
    pub fn opened_by(&self, invitation: &str) -> Option<Side> {
        let hash = self.invitation.as_ref()?;
        self.open().filter(|_| same(hash, &hash_hex(invitation)))
    }

    /// The side for which nobody has a token yet.
    pub fn open(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.sides[side].is_none())
    }

    /// Gives the open side to a token, after which the invitation is used up.
    pub fn take(&mut self, side: Side, token: &str) {
        self.sides[side] = Some(hash_hex(token));
        self.invitation = None;
    }

    /// Reads the text that [`fmt::Display`] writes.
    pub fn read(text: &str) -> Self {
        let mut words = text.split(' ').map(|word| (word != "-").then(|| word.to_owned()));
        let first = words.next().flatten();
        let second = words.next().flatten();
        Self { sides: BySide::new(first, second), invitation: words.next().flatten() }
    }
}

impl fmt::Display for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = [Side::First, Side::Second].map(|side| self.sides[side].as_deref());
        let word = |hash: Option<&str>| hash.unwrap_or("-").to_owned();
        write!(f, "{} {} {}", word(first), word(second), word(self.invitation.as_deref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(keys: &Keys, token: &str) -> [bool; 2] {
        Side::BOTH.map(|side| keys.holds(token)[side])
    }

    #[test]
    fn an_invitation_opens_one_seat_once() {
        let mut keys = Keys::inviting("host", Side::Second, "please");
        assert_eq!(sides(&keys, "host"), [true, false]);
        assert_eq!((keys.opened_by("other"), keys.opened_by("please")), (None, Some(Side::Second)));
        assert_eq!(Keys::read(&keys.to_string()), keys);
        keys.take(Side::Second, "guest");
        assert_eq!((sides(&keys, "guest"), keys.opened_by("please")), ([false, true], None));
        assert_eq!(sides(&keys.swapped(), "guest"), [true, false]);
        assert_eq!(Keys::read(&keys.to_string()), keys);
    }

    #[test]
    fn one_token_is_that_of_both_sides() {
        let keys = Keys::one("token");
        assert_eq!((sides(&keys, "token"), sides(&keys, "")), ([true, true], [false, false]));
        assert_eq!(Keys::read(&keys.to_string()), keys);
        assert_eq!(keys.opened_by(""), None);
    }
}
