//! The conditions of a session: players, clocks, order of play.

use serde::{Deserialize, Serialize};
use wurfel_core::{BySide, EventInfo, Outcome, Side, Transcript};
use wurfel_games::Playable;

use super::order::Order;
use super::refusal::Refusal;

/// Maximum number of games of a match.
const MAX_GAMES: u32 = 100;
/// The longest file name of a record in bytes; systems allow 255, and a temporary name is longer.
const MAX_FILE_NAME: usize = 240;
/// The longest time on a clock: a day.
const MAX_MS: u64 = 86_400_000;

/// The settings of a session, which never change during it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SessionSettings {
    /// The name of the game.
    pub game: String,
    /// The players. The first one begins the first game.
    pub players: [String; 2],
    /// The specs of the players that are agents.
    pub agents: [Option<String>; 2],
    /// The largest number of games in the match, from 1 to 100.
    pub games: u32,
    /// Whether all games are played, even when the match is decided.
    pub all: bool,
    /// Whether the first player has the first side in all games. Otherwise the player who begins a
    /// game has it.
    pub keep_sides: bool,
    /// The clock of each side for a game, if there are clocks.
    pub clock: Option<SessionClock>,
    /// The town, for records.
    pub place: String,
    /// The tournament, for records.
    pub event: String,
    /// The seed of agents and of set-ups that are drawn at random.
    pub seed: u64,
    /// When the session began, in RFC 3339.
    pub begun: String,
}

/// The clock of each side for a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SessionClock {
    /// The milliseconds at the start.
    pub total: u64,
    /// The increment for a side after each of its turns, in milliseconds; 0 for sudden death.
    pub increment: u64,
    /// The remaining times, in seconds, at which it is announced that little time is left.
    pub warnings: Vec<u64>,
}

impl SessionSettings {
    /// Refuses settings that cannot be played by these rules or recorded.
    ///
    /// # Errors
    /// Says in one line what is wrong and what was expected.
    pub fn check<G: Playable>(&self, rules: &G) -> Result<(), Refusal> {
        if self.game != rules.name() {
            return Err(Refusal(format!("game '{}': expected {}", self.game, rules.name())));
        }
        let words = self.players.iter().chain([&self.place, &self.event]);
        for word in words {
            if word.chars().any(char::is_control) {
                return Err(Refusal(format!("'{}': expected one line", word.escape_debug())));
            }
        }
        for name in &self.players {
            let lower = name.to_lowercase();
            let is_side = Side::BOTH.iter().any(|&side| G::SIDES[side] == lower);
            if name.trim().is_empty() || name.trim() != name || is_side {
                let sides = format!("{} or {}", G::SIDES[Side::First], G::SIDES[Side::Second]);
                return Err(Refusal(format!("player '{name}': expected a name, not {sides}")));
            }
        }
        let [one, other] = &self.players;
        if one.to_lowercase() == other.to_lowercase() {
            return Err(Refusal(format!("player '{other}': expected two different names")));
        }
        if !(1..=MAX_GAMES).contains(&self.games) {
            let games = self.games;
            return Err(Refusal(format!("{games} games: expected 1 to {MAX_GAMES}")));
        }
        if let Some(clock) = &self.clock {
            let times = [clock.total, clock.increment];
            if clock.total == 0 || times.iter().any(|&time| time > MAX_MS) {
                return Err(Refusal("clock: expected a time up to a day".to_owned()));
            }
        }
        let setup = G::setups().first();
        let starts = setup.map(|&setup| rules.start_with(BySide::new(setup, setup), Side::Second));
        if self.keep_sides && starts.flatten().is_none() {
            let first = G::SIDES[Side::First];
            return Err(Refusal(format!(
                "fixed sides: expected a game that {first} need not begin"
            )));
        }
        self.check_file_name(rules)
    }

    /// Checks that the longest file name that a record of this session can have is one that systems
    /// allow.
    fn check_file_name<G: Playable>(&self, rules: &G) -> Result<(), Refusal> {
        let Some(form) = G::RECORDS.first() else { return Ok(()) };
        let mut game = Transcript::new(rules.clone());
        let [one, other] = self.players.clone();
        game.players = BySide::new(one, other);
        game.result = Some(Outcome::Win(Side::First));
        game.event_info = self.event_info("0000-00-00T00:00");
        let bytes = (form.file_name)(&game).len();
        if bytes > MAX_FILE_NAME {
            let problem = "players, place and event make a file name of";
            return Err(Refusal(format!(
                "{problem} {bytes} bytes: expected {MAX_FILE_NAME} at most"
            )));
        }
        Ok(())
    }

    /// The occasion of a game that begins at this time, in RFC 3339.
    pub(super) fn event_info(&self, time: &str) -> EventInfo {
        let minute: String = time.chars().take("0000-00-00T00:00".len()).collect();
        EventInfo {
            time: minute.replace('-', ".").replace('T', " "),
            place: self.place.clone(),
            event: self.event.clone(),
        }
    }

    pub(super) const fn order(&self) -> Order {
        Order { games: self.games, all: self.all }
    }
}
