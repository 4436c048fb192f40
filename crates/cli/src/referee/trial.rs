//! Trials of entries: their consequences are computed before they are written down.

use wurfel_agents::Catalogued;
use wurfel_arena::{Refusal, Session, SessionEntry, SessionEvent, Wanted, best_setups};
use wurfel_core::Random;

use super::typed::{Change, brief};

/// A copy of a session to which entries are made on trial.
pub struct Trial<G: Catalogued> {
    pub session: Session<G>,
    /// The entries made on trial.
    pub entries: Vec<SessionEntry>,
    /// The time of the session, and below, the date with the time of day.
    pub at: u64,
    pub time: String,
}

impl<G: Catalogued> Trial<G> {
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
        let event = match self.session.wanted() {
            Wanted::SetUp(side) => {
                SessionEvent::SetUp { side: G::SIDES[side].to_owned(), setup: setup::<G>(word) }
            }
            Wanted::Roll(_) => {
                let roll = word.strip_prefix('@').unwrap_or(word).to_owned();
                SessionEvent::Roll { roll }
            }
            Wanted::Move(_, roll) => {
                // If the word is a move, it is entered in its usual notation.
                let game = self.session.game();
                let mv = game.and_then(|game| game.now().find_move(roll, word).ok());
                let mv = mv.map_or_else(|| word.to_owned(), |mv| mv.to_string());
                SessionEvent::Move { mv, by_agent: false }
            }
            Wanted::Next => {
                return Err(refusal(word, "next, undo with a reason, or quit: the game is over"));
            }
            Wanted::Nothing => {
                return Err(refusal(word, "quit, or undo with a reason: the match is over"));
            }
        };
        self.enter(event)
    }

    /// Draws the wanted set-up at random. For an agent, it is drawn from the best known set-ups, if
    /// there are any.
    fn lot(&mut self) -> Result<(), Refusal> {
        let Wanted::SetUp(side) = self.session.wanted() else {
            return Err(refusal("lot", "it while a set-up is wanted"));
        };
        let (number, seed) = (self.session.number(), self.session.settings().seed);
        // A draw after one that was taken back gives another set-up.
        let place = [2, u64::from(number), self.session.log().len() as u64];
        let random = &mut Random::new(Random::seed_for(seed, &place));
        let is_agent = self.session.settings().agents[self.session.player(side)].is_some();
        let setup = match best_setups(G::NAME).filter(|_| is_agent) {
            Some(best) => (*random.pick(&best[side])).to_owned(),
            None => random.pick(G::setups()).to_string(),
        };
        self.enter(SessionEvent::SetUp { side: G::SIDES[side].to_owned(), setup })
    }
}

fn refusal(word: &str, expected: &str) -> Refusal {
    Refusal(format!("'{}': expected {expected}", brief(word)))
}

/// The text of a set-up, which may be typed in lower case or without its letter.
fn setup<G: Catalogued>(word: &str) -> String {
    let meant = |text: &String| {
        text.eq_ignore_ascii_case(word)
            || text.trim_start_matches(|sign: char| sign.is_ascii_alphabetic()) == word
    };
    let known = G::setups().iter().map(ToString::to_string);
    known.into_iter().find(meant).unwrap_or_else(|| word.to_owned())
}
