//! Checks the games of a tournament's file by playing them again.
//!
//! The file has everything on which a game depends but the agents' choices: the seed, which gives
//! the dice and the set-ups that are drawn, and the set-ups that do not change. So each game's
//! start, rolls, moves, result and length are compared with what the tournament would have had. A
//! changed result would otherwise decide who meets whom in the next round. The price is time: a game
//! of EWN takes about as long as one that random agents play.

use serde::Deserialize;
use wurfel_core::{BySide, Dice, FairDice, Outcome, Random};
use wurfel_games::Playable;
use wurfel_statistics::Sides;

use crate::play::adjudicate::Adjudicator;
use crate::play::chosen::ChosenSetUps;
use crate::play::matches::Slot;
use crate::play::streams::{dice_of, lots_of, start_of};
use crate::records::record::GameRecord;
use crate::records::recorded_game::{RecordedGame, plain, replay_record};
use wurfel_agents::{Catalogued, UseGame, with_game};

use super::definition::{CupDefinition, CupSetup};
use super::meeting::Meeting;
use super::schedule::seed_of;

/// The set-ups of the two participants of a meeting; `None` when all are drawn.
pub(super) fn arranged<G: Playable>(
    chosen: &[ChosenSetUps<G>],
    players: [usize; 2],
) -> Option<[ChosenSetUps<G>; 2]> {
    let chosen = players.map(|player| chosen[player]);
    let is_drawn = chosen.iter().flat_map(BySide::iter).all(|(_, setup)| setup.is_none());
    (!is_drawn).then_some(chosen)
}

/// Reads the set-ups of all participants from a tournament's file. Fails when a set-up is not one
/// of the game, or not the one of the tournament.
pub(super) fn read_setups<G: Playable>(
    definition: &CupDefinition,
    setups: &[[Option<String>; 2]],
) -> Result<Vec<ChosenSetUps<G>>, String> {
    let read = |text: &Option<String>| {
        let Some(text) = text else { return Ok(None) };
        let wrong = || format!("set-up {text:?}: expected one of {}", definition.game);
        G::setup_of(text).map(Some).ok_or_else(wrong)
    };
    let both = |(n, there): (usize, &[Option<String>; 2])| {
        let participant = &definition.participants[n];
        let wanted = match &participant.setup {
            CupSetup::Random => Some([None, None]),
            CupSetup::Chosen => None,
            CupSetup::Fixed { first, second } => Some([Some(first.clone()), Some(second.clone())]),
        };
        if wanted.is_some_and(|wanted| wanted != *there) {
            let name = &participant.name;
            return Err(format!("expected the set-ups of '{name}' to be those of the tournament"));
        }
        let [first, second] = there;
        Ok(BySide::new(read(first)?, read(second)?))
    };
    setups.iter().enumerate().map(both).collect()
}

/// Checks the line of a game.
pub(super) type Check = Box<dyn Fn(&str) -> Result<(), String> + Send + Sync>;

/// A check of a tournament's games without tablebases, which trusts the file where it says that
/// they ended a game. Fails when the tournament is of an unknown game, or the set-ups are not its
/// own.
pub(super) fn check(
    definition: &CupDefinition,
    setups: &[[Option<String>; 2]],
) -> Result<Check, String> {
    struct Making<'a>(&'a CupDefinition, &'a [[Option<String>; 2]]);

    impl UseGame for Making<'_> {
        type Output = Result<Check, String>;

        fn with<G: Catalogued>(self, rules: &G) -> Self::Output {
            let Self(definition, setups) = self;
            let chosen = read_setups::<G>(definition, setups)?;
            let (rules, definition) = (rules.clone(), definition.clone());
            let replay = Replay { rules, definition, chosen, adjudicator: None };
            Ok(Box::new(move |line| replay.check(line)))
        }
    }

    with_game(&definition.game, Making(definition, setups)).map_err(|error| error.to_string())?
}

/// What the check reads from a line beside the record of the game.
#[derive(Deserialize)]
struct Place {
    round: u32,
    players: [usize; 2],
    #[serde(default)]
    adjudicated: bool,
}

/// Plays the games of a tournament again.
pub(super) struct Replay<G: Playable> {
    pub rules: G,
    pub definition: CupDefinition,
    /// The set-ups of all participants.
    pub chosen: Vec<ChosenSetUps<G>>,
    /// The tables that end games; `None` trusts the file.
    pub adjudicator: Option<Adjudicator<G>>,
}

impl<G: Playable> Replay<G> {
    /// Checks the line of a game.
    ///
    /// # Errors
    /// Says what is wrong with the game, and what was expected.
    pub fn check(&self, line: &str) -> Result<(), String> {
        let wrong = |error: serde_json::Error| format!("expected a game: {}", plain(&error));
        let place: Place = serde_json::from_str(line).map_err(wrong)?;
        let record: GameRecord = serde_json::from_str(line).map_err(wrong)?;
        let count = self.chosen.len();
        if place.players.iter().any(|&player| player >= count) {
            return Err(format!("players {:?}: expected two below {count}", place.players));
        }
        let GameRecord { pair, game, first, .. } = record;
        let slot = Meeting::slot_of(self.definition.format, pair, game);
        if (Slot { pair, game, first }) != slot {
            let Slot { pair, game, first } = slot;
            return Err(format!("expected game {game} of pair {pair} with first {first}"));
        }
        let recorded_game = replay_record(&self.rules, &record, &Default::default(), None)?;
        self.check_start(&place, &record)?;
        let ended = self.check_dice(&place, &record, &recorded_game)?;
        check_end(&place, &record, &recorded_game, ended)
    }

    fn seed(&self, place: &Place) -> u64 {
        seed_of(&self.definition, place.round, place.players)
    }

    fn check_start(&self, place: &Place, record: &GameRecord) -> Result<(), String> {
        let sides = Sides { first: usize::from(record.first) };
        let chosen = arranged::<G>(&self.chosen, place.players);
        let seed = self.seed(place);
        let start: G = start_of(&self.rules, seed, record.pair, sides, chosen.as_ref());
        let start = start.to_string();
        if start == record.start {
            return Ok(());
        }
        Err(format!("start {:?}: expected {start}, as in this tournament", record.start))
    }

    /// Compares the rolls with those of the seed. Returns how the tables ended the game, if they
    /// are there and did.
    fn check_dice(
        &self,
        place: &Place,
        record: &GameRecord,
        recorded_game: &RecordedGame<G>,
    ) -> Result<Option<Outcome>, String> {
        let seed = self.seed(place);
        let mut dice: FairDice = dice_of(seed, record.pair);
        let mut lots = Random::new(lots_of(seed, record.pair, record.game));
        let mut ask = |position: &G| self.adjudicator.as_ref()?.ask(position, &mut lots);
        let mut wrong = None;
        recorded_game.game.replay(|step| {
            if !step.rolled || wrong.is_some() {
                return;
            }
            let (position, record_roll) = (step.turn.position, step.turn.roll);
            if ask(position).is_some() {
                wrong = Some(format!(
                    "roll '@{record_roll}': expected the tables to have ended the game"
                ));
            } else if let Ok(roll) = dice.roll(position)
                && roll != record_roll
            {
                wrong = Some(format!("roll '@{record_roll}': expected @{roll}, as the dice fell"));
            }
        });
        match wrong {
            Some(wrong) => Err(wrong),
            None if place.adjudicated => Ok(ask(recorded_game.game.now())),
            None => Ok(None),
        }
    }
}

/// Checks why the game ended, and the result of one that tables ended. `tables` is that result.
fn check_end<G: Playable>(
    place: &Place,
    record: &GameRecord,
    recorded_game: &RecordedGame<G>,
    tables: Option<Outcome>,
) -> Result<(), String> {
    let (game, result) = (&recorded_game.game, &record.result);
    let is_over = game.now().outcome().is_some();
    let others = usize::from(recorded_game.failure.is_some()) + usize::from(place.adjudicated);
    match (is_over, others) {
        (true, 0) | (false, 1) => {}
        (false, 0) => {
            return Err(format!("result '{result}': expected more moves, as the game is not over"));
        }
        _ => return Err("fault or adjudicated: expected neither, as the game ended".to_owned()),
    }
    match tables {
        Some(outcome) if game.result != Some(outcome) => {
            Err(format!("result '{result}': expected {outcome}, as the tables say"))
        }
        _ => Ok(()),
    }
}
