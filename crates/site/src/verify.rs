//! Verifies the dice of a game after its end, as [`crate::dice`] describes.

use wurfel::{Game, Position, game};
use wurfel_arena::{RoomEndReason, RoomRoll, RoomStep};
use wurfel_core::Weighted;

use crate::dice::CommittedDice;
use crate::record::{DiceKind, RecordError, RoomRecord};

impl RoomRecord {
    /// Checks that the seed matches the commitment, and that every roll follows from it, including
    /// void rolls and rolls that were taken back. Returns how many rolls were checked.
    ///
    /// # Errors
    /// The first error.
    pub fn verify(&self) -> Result<u32, RecordError> {
        let dice = match &self.dice {
            DiceKind::Typed => return Err(RecordError::Unverifiable("they were typed in")),
            DiceKind::Fair(dice) if dice.seed.is_empty() => {
                return Err(RecordError::Unverifiable("the seed is shown when the game is over"));
            }
            DiceKind::Fair(dice) => dice,
        };
        if !dice.matches_commitment() {
            return Err(RecordError::Seed);
        }
        let game = game(&self.game)?;
        let now = self.replay()?.now;
        let by_rules = self.end.as_ref().filter(|end| end.reason == RoomEndReason::Rules);
        let outcome = now.outcome();
        if outcome.is_some() != by_rules.is_some() && self.steps.len() < crate::room::MAX_STEPS {
            return Err(RecordError::End("one by the rules where the game ends, and nowhere else"));
        }
        if let (Some(end), Some(outcome)) = (by_rules, outcome)
            && end.result != outcome.to_string()
        {
            return Err(RecordError::End("the result of the last position"));
        }
        all(self, game, dice)
    }

    /// Checks that the dice are those that were shown before the game.
    ///
    /// # Errors
    /// When another commitment or salt was shown.
    pub fn is_as_shown(
        &self,
        commitment: Option<&str>,
        salt: Option<&str>,
    ) -> Result<(), RecordError> {
        let DiceKind::Fair(dice) = &self.dice else {
            return Err(RecordError::Unverifiable("they were typed in"));
        };
        if commitment.is_some_and(|shown| shown != dice.commitment) {
            return Err(RecordError::NotAsShown("commitment"));
        }
        if salt.is_some_and(|shown| !dice.salt.split('-').any(|salt| salt == shown)) {
            return Err(RecordError::NotAsShown("salt"));
        }
        Ok(())
    }
}

/// The course of the game up to a take-back, or up to its end.
struct Line {
    /// The number of steps that it shares with the course before.
    shared: usize,
    steps: Vec<RoomStep>,
    rolled: Option<RoomRoll>,
}

impl Line {
    /// The roll at an index, unless the dice left from an earlier roll were played there.
    fn roll(&self, place: usize) -> Option<RoomRoll> {
        match self.steps.get(place) {
            Some(step) if step.rest => None,
            Some(step) => Some(step.roll()),
            None => self.rolled.clone().filter(|_| place == self.steps.len()),
        }
    }
}

/// All courses of the game, in the order of time.
fn lines(record: &RoomRecord) -> Result<Vec<Line>, RecordError> {
    let mut line = Line { shared: 0, steps: record.steps.clone(), rolled: record.rolled.clone() };
    let mut lines = vec![];
    for back in record.taken_back.iter().rev() {
        let shared = line.steps.get(..back.kept).ok_or(RecordError::TakenBack)?;
        let steps = [shared, &back.steps].concat();
        line.shared = back.kept;
        lines.push(std::mem::replace(
            &mut line,
            Line { shared: 0, steps, rolled: back.rolled.clone() },
        ));
    }
    lines.push(line);
    lines.reverse();
    Ok(lines)
}

/// Verifies all courses of a game.
fn all(record: &RoomRecord, game: Game, dice: &CommittedDice) -> Result<u32, RecordError> {
    let (faces, mut seen) = (game.dice(), 0);
    let mut before: Option<Line> = None;
    for line in lines(record)? {
        let as_it_stood = RoomRecord { steps: line.steps.clone(), ..record.clone() };
        let replay = as_it_stood.replay()?;
        let positions = replay.before.iter().chain([&replay.now]);
        for (place, position) in positions.enumerate().skip(line.shared) {
            let again = before.as_ref().filter(|_| place == line.shared);
            let Some(roll) = line.roll(place) else { continue };
            match again.map(|before| before.roll(place)) {
                Some(old) if old.as_ref() == Some(&roll) => {}
                Some(_) => {
                    let expected = "that of before the moves that were taken back".to_owned();
                    return Err(RecordError::Numbering { number: roll.number, expected });
                }
                None => seen = one(dice, &faces, &position.unrolled(), &roll, seen)?,
            }
        }
        before = Some(line);
    }
    if seen != dice.rolls {
        let expected = format!("{} rolls in all", dice.rolls);
        return Err(RecordError::Numbering { number: seen, expected });
    }
    Ok(seen)
}

/// Checks a roll and the void rolls before it; returns its number.
fn one(
    dice: &CommittedDice,
    faces: &[Weighted<String>],
    position: &Position,
    roll: &RoomRoll,
    mut seen: u32,
) -> Result<u32, RecordError> {
    for (place, played) in roll.void.iter().chain([&roll.roll]).enumerate() {
        seen += 1;
        let expected = dice.roll_at(faces, seen);
        if expected != played {
            let expected = expected.to_owned();
            return Err(RecordError::Roll { number: seen, found: played.clone(), expected });
        }
        let void = place < roll.void.len();
        if position.rolled(played).is_ok() == void {
            let left = if void { "no move" } else { "a move" };
            let expected = format!("one that allows {left}");
            return Err(RecordError::Numbering { number: seen, expected });
        }
    }
    if roll.number != seen {
        let expected = format!("no other number, but {} is there", roll.number);
        return Err(RecordError::Numbering { number: seen, expected });
    }
    Ok(seen)
}
