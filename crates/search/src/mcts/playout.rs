//! How a position outside the tree is judged.

use wurfel_game::{Evaluator, Game, Outcome, Preference, Random, Side, Turn, draw};

use crate::rollout::rollout_from;

/// Judges a position by playing it out, or otherwise.
pub trait Playout<G: Game>: Send {
    /// The result for the **first side**, 0 to 1, of a position that goes on; with
    /// a roll, the side to move goes on with it.
    fn result(&self, position: G, roll: Option<G::Roll>, random: &mut Random) -> f32;
}

/// Uniformly random moves to the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UniformPlayout;

impl<G: Game> Playout<G> for UniformPlayout {
    #[inline]
    fn result(&self, position: G, roll: Option<G::Roll>, random: &mut Random) -> f32 {
        rollout_from(position, roll, random).outcome.value_for(Side::First)
    }
}

/// To the end of the game the move that a [`Preference`] rates highest, the
/// first of equals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PreferredPlayout<P>(pub P);

impl<G: Game, P: Preference<G>> Playout<G> for PreferredPlayout<P> {
    fn result(&self, mut position: G, mut roll: Option<G::Roll>, random: &mut Random) -> f32 {
        loop {
            if let Some(outcome) = position.outcome() {
                return Outcome::value_for(outcome, Side::First);
            }
            let thrown = roll.unwrap_or_else(|| draw(position.rolls().as_ref(), random));
            let turn = Turn { position: &position, roll: thrown };
            let moves = turn.moves();
            let rated = moves.as_ref().iter().rev().max_by_key(|&&mv| self.0.rate(turn, mv));
            let best = *rated.expect("a throw before the end has a move");
            roll = position.play(thrown, best);
        }
    }
}

/// No playout: what an evaluation says of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EvaluateAtOnce<E>(pub E);

impl<G: Game, E: Evaluator<G>> Playout<G> for EvaluateAtOnce<E> {
    #[inline]
    fn result(&self, position: G, _: Option<G::Roll>, _: &mut Random) -> f32 {
        let value = self.0.evaluate(&position);
        match position.side() {
            Side::First => value,
            Side::Second => 1.0 - value,
        }
    }
}
