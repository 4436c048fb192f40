//! Many games of a kind at once, without a type parameter, for learning elsewhere.
//!
//! Each lane plays one game after the other. A step plays one move in every lane, rolls where a roll is
//! due, and begins a new game where one has ended, so that every lane has a side to move.

use wurfel_agents::Catalogued;
use wurfel_core::{Encode, Random, Situation, Turn, roll};

use crate::encoding::{NoEncoding, find};
use crate::position::Position;

/// The arrays that a step writes, lane after lane.
pub struct LaneArrays<'a> {
    /// What the side to move sees: the planes of each lane.
    pub observations: &'a mut [f32],
    /// Which move indices are legal in each lane.
    pub mask: &'a mut [bool],
    /// The side to move in each lane, 0 or 1.
    pub sides: &'a mut [u8],
    /// The reward of the last step for the side that moved in it: 1 for a win, −1 for a loss, else 0.
    pub rewards: &'a mut [f32],
    /// Whether the last step ended a game.
    pub dones: &'a mut [bool],
}

/// Games that are played at once.
pub trait Lanes: Send {
    /// Begins a new game in every lane.
    fn reset(&mut self, arrays: &mut LaneArrays<'_>);

    /// Plays one move in every lane.
    ///
    /// # Errors
    /// When an action is illegal: the error names it, and nothing changes.
    fn step(&mut self, actions: &[i64], arrays: &mut LaneArrays<'_>) -> Result<(), String>;

    /// A legal action for every lane, each equally likely.
    fn sample(&mut self, actions: &mut [i64]);

    /// The position of a lane, with the roll of the side to move; `None` when there is no such lane.
    fn position(&self, lane: usize) -> Option<Position>;

    /// Draws set-ups and dice from this generator from now on.
    fn reseed(&mut self, random: Random);
}

struct Typed<G: Catalogued> {
    rules: G,
    games: Vec<Situation<G>>,
    /// The moves of the step that is being checked.
    chosen: Vec<G::Move>,
    random: Random,
    encoding: &'static dyn Encode<G>,
}

impl<G: Catalogued> Typed<G> {
    /// A new game with its first roll.
    fn begin(rules: &G, random: &mut Random) -> Situation<G> {
        let position = rules.setup(random);
        let roll = Some(roll(&position, random));
        Situation { position, roll }
    }

    fn turn(situation: &Situation<G>) -> Turn<'_, G> {
        situation.turn().expect("every lane has a roll between steps")
    }

    /// Writes the arrays for the present state of each lane.
    fn show(&self, arrays: &mut LaneArrays<'_>) {
        let size = self.encoding.planes() * self.encoding.board() * self.encoding.board();
        arrays.observations.fill(0.0);
        arrays.mask.fill(false);
        let rows = arrays.observations.chunks_exact_mut(size);
        let rows = rows.zip(arrays.mask.chunks_exact_mut(self.encoding.moves()));
        for ((situation, (planes, mask)), side) in
            self.games.iter().zip(rows).zip(&mut *arrays.sides)
        {
            self.encoding.write(situation, planes);
            let turn = Self::turn(situation);
            for &mv in turn.moves().as_ref() {
                mask[self.encoding.index(turn, mv)] = true;
            }
            *side = turn.side().index() as u8;
        }
    }
}

pub(crate) fn lanes<G: Catalogued>(
    rules: &G,
    lanes: usize,
    mut random: Random,
    encoding: Option<&str>,
) -> Result<Box<dyn Lanes>, NoEncoding> {
    let encoding = find(rules, encoding)?;
    let games = (0..lanes).map(|_| Typed::begin(rules, &mut random)).collect();
    let rules = rules.clone();
    Ok(Box::new(Typed { rules, games, chosen: Vec::with_capacity(lanes), random, encoding }))
}

impl<G: Catalogued> Lanes for Typed<G> {
    fn reset(&mut self, arrays: &mut LaneArrays<'_>) {
        let (rules, random) = (&self.rules, &mut self.random);
        self.games.iter_mut().for_each(|game| *game = Self::begin(rules, random));
        arrays.rewards.fill(0.0);
        arrays.dones.fill(false);
        self.show(arrays);
    }

    fn step(&mut self, actions: &[i64], arrays: &mut LaneArrays<'_>) -> Result<(), String> {
        self.chosen.clear();
        for (lane, (situation, &action)) in self.games.iter().zip(actions).enumerate() {
            let turn = Self::turn(situation);
            let moves = turn.moves();
            let is_meant = |mv: &&G::Move| self.encoding.index(turn, **mv) as i64 == action;
            let Some(&mv) = moves.as_ref().iter().find(is_meant) else {
                return Err(format!(
                    "action {action} of lane {lane}: expected one that the mask allows"
                ));
            };
            self.chosen.push(mv);
        }
        let results = arrays.rewards.iter_mut().zip(&mut *arrays.dones);
        for ((situation, &mv), (reward, done)) in
            self.games.iter_mut().zip(&self.chosen).zip(results)
        {
            let side = situation.position.side();
            let Some(rolled) = situation.roll else { continue };
            situation.roll = situation.position.play(rolled, mv);
            (*reward, *done) = (0.0, false);
            if let Some(outcome) = situation.position.outcome() {
                (*reward, *done) = (2.0 * outcome.value_for(side) - 1.0, true);
                *situation = Self::begin(&self.rules, &mut self.random);
            } else if situation.roll.is_none() {
                situation.roll = Some(roll(&situation.position, &mut self.random));
            }
        }
        self.show(arrays);
        Ok(())
    }

    fn sample(&mut self, actions: &mut [i64]) {
        for (situation, action) in self.games.iter().zip(actions) {
            let turn = Self::turn(situation);
            if let Some(mv) = turn.position.pick(turn.roll, &mut self.random) {
                *action = self.encoding.index(turn, mv) as i64;
            }
        }
    }

    fn position(&self, lane: usize) -> Option<Position> {
        self.games.get(lane).cloned().map(Position::new)
    }

    fn reseed(&mut self, random: Random) {
        self.random = random;
    }
}
