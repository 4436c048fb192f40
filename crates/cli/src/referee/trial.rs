//! Trials of entries: their consequences are computed before they are written down.

use wurfel::{Game, Session};
use wurfel_arena::{NextEntry, Refusal, SessionEntry, SessionEvent, best_setups};
use wurfel_core::{Random, Side};

use super::typed::{Change, brief};

/// A copy of a session to which entries are made on trial.
pub struct Trial {
    pub game: Game,
    pub session: Box<dyn Session>,
    /// The entries made on trial.
    pub entries: Vec<SessionEntry>,
    /// The time of the session, and below, the date with the time of day.
    pub at: u64,
    pub time: String,
}

impl Trial {
    pub fn enter(&mut self, event: SessionEvent) -> Result<(), Refusal> {
        let entry = SessionEntry { at: self.at, time: self.time.clone(), event };
        self.session.apply(entry.clone())?;
        self.entries.push(entry);
        Ok(())
    }

    /// Makes all entries of a line; after a refusal the trial must not be used any more.
    pub fn change(&mut self, change: &Change<'_>) -> Result<(), Refusal> {
        match change {
            Change::Event(event) => self.enter(event.clone()),
            Change::Lot => self.lot(),
            Change::Words(words) => words.iter().try_for_each(|word| self.word(word)),
        }
    }

    /// Reads a word as the next entry that is wanted.
    fn word(&mut self, word: &str) -> Result<(), Refusal> {
        let event = match self.session.next_entry() {
            NextEntry::SetUp(side) => {
                SessionEvent::SetUp { side: self.name_of(side), setup: setup(self.game, word) }
            }
            NextEntry::Roll(_) => {
                let roll = word.strip_prefix('@').unwrap_or(word).to_owned();
                SessionEvent::Roll { roll }
            }
            NextEntry::Move(..) => {
                // If the word is a move, it is entered in its usual notation.
                let position = self.session.position();
                let mv = position.and_then(|position| position.find_move(word).ok());
                let mv = mv.unwrap_or_else(|| word.to_owned());
                SessionEvent::Move { mv, by_agent: false }
            }
            NextEntry::Next => {
                return Err(refusal(word, "next, undo with a reason, or quit: the game is over"));
            }
            NextEntry::Nothing => {
                return Err(refusal(word, "quit, or undo with a reason: the match is over"));
            }
        };
        self.enter(event)
    }

    /// Draws the wanted set-up at random. For an agent, it is drawn from the best known set-ups, if
    /// there are any.
    fn lot(&mut self) -> Result<(), Refusal> {
        let NextEntry::SetUp(side) = self.session.next_entry() else {
            return Err(refusal("lot", "lot only while a set-up is wanted"));
        };
        let (number, seed) = (self.session.number(), self.session.settings().seed);
        // A draw after one that was taken back gives another set-up.
        let place = [2, u64::from(number), self.session.log().len() as u64];
        let random = &mut Random::new(Random::seed_for(seed, &place));
        let is_agent = self.session.settings().agents[self.session.player(side)].is_some();
        let setup = match best_setups(self.game.name()).filter(|_| is_agent) {
            Some(best) => (*random.pick(&best[side])).to_owned(),
            None => random.pick(&self.game.setups()).clone(),
        };
        self.enter(SessionEvent::SetUp { side: self.name_of(side), setup })
    }

    fn name_of(&self, side: Side) -> String {
        self.session.sides()[side].to_owned()
    }
}

fn refusal(word: &str, expected: &str) -> Refusal {
    Refusal(format!("'{}': expected {expected}", brief(word)))
}

/// The text of a set-up, which may be typed in lower case or without its letter.
fn setup(game: Game, word: &str) -> String {
    let meant = |text: &String| {
        text.eq_ignore_ascii_case(word)
            || text.trim_start_matches(|character: char| character.is_ascii_alphabetic()) == word
    };
    game.setups().into_iter().find(meant).unwrap_or_else(|| word.to_owned())
}
