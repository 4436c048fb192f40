//! The codes of games that wait for a guest, and which of these games anybody may join.
//!
//! A code is short, so that it can be told across a room: five letters of an alphabet without those that look like
//! others. There are some eight million codes, and a client that tries wrong ones soon has to wait
//! ([`crate::limits::Gate::guess`]). The record of a game has its code, so that codes outlive the server; here they
//! are found without looking through all games.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::room::OpenGame;

/// The letters of codes: without I and O, which look like digits.
const LETTERS: &[u8; 24] = b"ABCDEFGHJKLMNPQRSTUVWXYZ";
/// The number of letters of a code.
const LENGTH: usize = 5;
/// Maximum number of codes. Beyond it the oldest are forgotten, and only links lead to their games.
pub(crate) const MAX_CODES: usize = 8192;
/// Maximum number of codes for each person behind a client.
const MAX_CODES_EACH: usize = 64;
/// Maximum number of games in the list for each person behind a client.
const MAX_LISTED_EACH: usize = 5;
/// Maximum number of games in the list.
const MAX_LISTED: usize = 50;

/// A game that waits for a guest.
#[derive(Clone, Debug)]
struct Invitation {
    code: String,
    room: String,
    /// The client that opened it; `None` if an earlier server did that.
    client: Option<IpAddr>,
}

/// The games that wait for a guest.
pub(crate) struct Lobby {
    /// Whether there is a list of games that anybody may join.
    pub is_public: bool,
    /// How many people share the address of a client.
    people: usize,
    /// The invitations, the oldest first.
    invitations: Mutex<VecDeque<Invitation>>,
}

impl Lobby {
    /// `known` are the codes and the rooms that an earlier server has left, the oldest first.
    pub fn new(is_public: bool, people: usize, known: Vec<(String, String)>) -> Self {
        let known = known.into_iter().map(|(code, room)| Invitation { code, room, client: None });
        Self { is_public, people, invitations: Mutex::new(known.collect()) }
    }

    fn invitations(&self) -> MutexGuard<'_, VecDeque<Invitation>> {
        self.invitations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new code, which leads to a room.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn invite(&self, room: &str, client: IpAddr) -> io::Result<String> {
        let mut all = self.invitations();
        let code = loop {
            let code = draw()?;
            if all.iter().all(|known| known.code != code) {
                break code;
            }
        };
        let own = |known: &Invitation| known.client == Some(client);
        if all.iter().filter(|known| own(known)).count() >= MAX_CODES_EACH * self.people
            && let Some(oldest) = all.iter().position(own)
        {
            all.remove(oldest);
        } else if all.len() >= MAX_CODES {
            all.pop_front();
        }
        let room = room.to_owned();
        all.push_back(Invitation { code: code.clone(), room, client: Some(client) });
        Ok(code)
    }

    /// The room to which a code leads.
    pub fn room(&self, code: &str) -> Option<String> {
        let all = self.invitations();
        all.iter().find(|known| known.code == code).map(|known| known.room.clone())
    }

    /// The games to list, the latest first, of those that `open` says are open.
    pub fn listed(&self, open: impl Fn(&str) -> Option<OpenGame>) -> Vec<OpenGame> {
        let all: Vec<Invitation> = self.invitations().iter().rev().cloned().collect();
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        let mut games = vec![];
        for Invitation { room, client, .. } in all {
            if games.len() == MAX_LISTED {
                break;
            }
            let count = client.and_then(|client| counts.get(&client)).copied().unwrap_or_default();
            if count < MAX_LISTED_EACH * self.people
                && let Some(game) = open(&room)
            {
                games.push(game);
                if let Some(client) = client {
                    counts.insert(client, count + 1);
                }
            }
        }
        games
    }
}

/// A random code.
fn draw() -> io::Result<String> {
    let mut number = [0; 8];
    getrandom::fill(&mut number).map_err(|error| io::Error::other(error.to_string()))?;
    // That 24^5 does not divide 2^64 favours no code by more than one in 10^12.
    let mut number = u64::from_le_bytes(number);
    let mut letter = || {
        let letter = LETTERS[(number % LETTERS.len() as u64) as usize];
        number /= LETTERS.len() as u64;
        char::from(letter)
    };
    Ok((0..LENGTH).map(|_| letter()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use wurfel_arena::PersonName;
    use wurfel_core::Side;

    fn client(number: u32) -> IpAddr {
        IpAddr::V4(Ipv4Addr::from(number))
    }

    fn game(room: &str) -> OpenGame {
        OpenGame {
            id: room.to_owned(),
            code: String::new(),
            game: "einstein".to_owned(),
            name: PersonName::default(),
            side: Side::Second,
            clock: None,
            typed_dice: false,
        }
    }

    #[test]
    fn a_code_has_five_clear_letters_and_leads_to_its_room() {
        let lobby = Lobby::new(true, 1, vec![("KEPTX".into(), "before".into())]);
        let code = lobby.invite("room", client(1)).unwrap();
        assert!(code.len() == 5 && code.bytes().all(|letter| LETTERS.contains(&letter)), "{code}");
        assert_eq!(lobby.room(&code).as_deref(), Some("room"));
        assert_eq!(lobby.room("KEPTX").as_deref(), Some("before"));
        assert_eq!(lobby.room("AAAA"), None);
    }

    #[test]
    fn one_client_has_few_games_in_the_list_and_takes_no_code_from_others() {
        let lobby = Lobby::new(true, 1, vec![]);
        let first = lobby.invite("other", client(2)).unwrap();
        for number in 0..10_000 {
            lobby.invite(&number.to_string(), client(1)).unwrap();
        }
        assert_eq!(lobby.room(&first).as_deref(), Some("other"));
        assert_eq!(lobby.invitations().len(), 1 + MAX_CODES_EACH);
        let listed: Vec<String> =
            lobby.listed(|room| Some(game(room))).into_iter().map(|game| game.id).collect();
        assert_eq!(listed, ["9999", "9998", "9997", "9996", "9995", "other"]);
    }

    #[test]
    fn the_oldest_code_makes_way_and_the_list_is_short() {
        let lobby = Lobby::new(true, 1, vec![("FIRST".into(), "first".into())]);
        for number in 0..MAX_CODES as u32 {
            lobby.invite("room", client(number)).unwrap();
        }
        assert_eq!((lobby.room("FIRST"), lobby.invitations().len()), (None, MAX_CODES));
        assert_eq!(lobby.listed(|room| Some(game(room))).len(), MAX_LISTED);
        assert!(lobby.listed(|_| None).is_empty());
    }
}
