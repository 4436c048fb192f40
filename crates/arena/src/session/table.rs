//! The table of a session: the game that is played and the games before it. An undo goes back to an
//! earlier value of this type.

use std::sync::Arc;

use wurfel_core::{BySide, Outcome, Side, Transcript};
use wurfel_games::Playable;

use super::clocks::Clocks;
use super::settings::SessionSettings;

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionEnding {
    /// Who has won, or that the game is drawn.
    pub outcome: Outcome,
    /// Why, in a few words: `by the rules`, `red resigned`.
    pub how: String,
}

/// A game of a session that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionGame<G: Playable> {
    /// The game with its players, its result and its occasion.
    pub game: Transcript<G>,
    /// The player, 0 or 1, who had the first side.
    pub first: usize,
    /// How the game ended.
    pub ending: SessionEnding,
    /// The file of its record, once it has been chosen.
    pub file: Option<String>,
}

/// The table between two entries: everything that an entry can change.
#[derive(Clone, Debug)]
pub(super) struct Table<G: Playable> {
    pub rules: G,
    /// The games before this one.
    pub before: Vec<Arc<SessionGame<G>>>,
    /// The set-ups of this game, as far as they are known.
    pub setups: BySide<Option<G::Setup>>,
    /// This game, from the moment when both set-ups are known.
    pub game: Option<Transcript<G>>,
    /// The roll for which a move is due.
    pub roll: Option<G::Roll>,
    /// How many turns each side has made.
    pub turns: BySide<u32>,
    pub clocks: Clocks,
    /// The claim that the arbiter has not decided yet.
    pub claim: Option<String>,
    pub ending: Option<SessionEnding>,
    /// The file of the record of this game.
    pub file: Option<String>,
}

impl<G: Playable> Table<G> {
    /// The table before a game by these rules that begins at this time, in RFC 3339.
    pub fn new(
        rules: G,
        settings: &SessionSettings,
        before: Vec<Arc<SessionGame<G>>>,
        time: &str,
    ) -> Self {
        let mut table = Self {
            rules,
            before,
            setups: BySide::default(),
            game: None,
            roll: None,
            turns: BySide::default(),
            clocks: Clocks::new(settings.clock.as_ref().map_or(0, |clock| clock.total)),
            claim: None,
            ending: None,
            file: None,
        };
        // A game with nothing to arrange needs no set-ups.
        if let [only] = G::setups() {
            table.setups = BySide::new(Some(*only), Some(*only));
            table.begin(settings, time);
        }
        table
    }

    /// Begins the game if both set-ups are known.
    pub fn begin(&mut self, settings: &SessionSettings, time: &str) {
        if let (Some(first), Some(second)) = (self.setups[Side::First], self.setups[Side::Second]) {
            let setups = BySide::new(first, second);
            let start = self.rules.start_with(setups, self.begins(settings));
            let mut game = Transcript::new(start.unwrap_or_else(|| self.rules.start(setups)));
            game.event_info = settings.event_info(time);
            self.game = Some(game);
        }
    }

    /// The player who begins this game.
    fn beginner(&self, settings: &SessionSettings) -> usize {
        settings.order().begins(self.before.len() as u32)
    }

    /// The side that begins this game.
    pub fn begins(&self, settings: &SessionSettings) -> Side {
        if settings.keep_sides && self.beginner(settings) == 1 { Side::Second } else { Side::First }
    }

    /// The player, 0 or 1, who plays a side in this game.
    pub fn player(&self, settings: &SessionSettings, side: Side) -> usize {
        let first = if settings.keep_sides { 0 } else { self.beginner(settings) };
        if side == Side::First { first } else { 1 - first }
    }

    /// The half points of each player.
    pub fn halves(&self, settings: &SessionSettings) -> [u64; 2] {
        let now = self.ending.as_ref();
        let now = now.map(|ending| (self.player(settings, Side::First), ending.outcome));
        let before = self.before.iter().map(|game| (game.first, game.ending.outcome));
        let mut halves = [0; 2];
        for (first, outcome) in before.chain(now) {
            match outcome {
                Outcome::Draw => halves.iter_mut().for_each(|halves| *halves += 1),
                Outcome::Win(side) => {
                    halves[if side == Side::First { first } else { 1 - first }] += 2;
                }
            }
        }
        halves
    }

    /// Whether the finished game was the last one of the match.
    pub fn is_decided(&self, settings: &SessionSettings) -> bool {
        let played = self.before.len() as u32 + u32::from(self.ending.is_some());
        self.ending.is_some() && settings.order().is_over(played, self.halves(settings))
    }

    /// The game with its players, its result and its occasion; `None` before both set-ups are known.
    pub fn record(&self, settings: &SessionSettings) -> Option<Transcript<G>> {
        let mut game = self.game.clone()?;
        game.players =
            BySide::from_fn(|side| settings.players[self.player(settings, side)].clone());
        game.result = self.ending.as_ref().map(|ending| ending.outcome).or(game.result);
        Some(game)
    }
}
