//! How a position outside the tree is evaluated.

use std::sync::Arc;

use wurfel_core::{Evaluator, Game, Preference, Random, Side, Turn, draw};

/// Evaluates a position by playing it out, or otherwise.
pub trait Playout<G: Game>: Send + Sync {
    /// The result for the **first side**, 0 to 1, of a position that goes on; with
    /// a roll, the side to move goes on with it.
    fn result(&self, position: G, roll: Option<G::Roll>, random: &mut Random) -> f32;
}

impl<G: Game, P: Playout<G> + ?Sized> Playout<G> for Arc<P> {
    fn result(&self, position: G, roll: Option<G::Roll>, random: &mut Random) -> f32 {
        P::result(self, position, roll, random)
    }
}

/// Chooses the moves of a playout.
pub trait Mover<G: Game>: Send + Sync {
    /// A legal move; `None` when there is none, so that the dice are rolled again.
    fn choose(&self, turn: Turn<'_, G>, random: &mut Random) -> Option<G::Move>;
}

/// Every move equally likely.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uniform;

impl<G: Game> Mover<G> for Uniform {
    #[inline(always)]
    fn choose(&self, turn: Turn<'_, G>, random: &mut Random) -> Option<G::Move> {
        turn.position.pick(turn.roll, random)
    }
}

/// The move that a [`Preference`] rates highest, the first of equals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Preferred<P>(pub P);

impl<G: Game, P: Preference<G>> Mover<G> for Preferred<P> {
    #[inline]
    fn choose(&self, turn: Turn<'_, G>, _: &mut Random) -> Option<G::Move> {
        let moves = turn.moves();
        moves.as_ref().iter().rev().max_by_key(|&&mv| self.0.rate(turn, mv)).copied()
    }
}

/// Plays to the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ToTheEnd<M>(pub M);

impl<G: Game, M: Mover<G>> Playout<G> for ToTheEnd<M> {
    #[inline]
    fn result(&self, position: G, roll: Option<G::Roll>, random: &mut Random) -> f32 {
        play_on(position, roll, &self.0, random, |_| None)
    }
}

/// Plays some turns, then asks an evaluation, unless the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CutShort<M, E> {
    /// Chooses the moves.
    pub mover: M,
    /// How many turns are played, besides the rest of one that was begun.
    pub turns: u32,
    /// Evaluates the position after them.
    pub evaluator: E,
}

impl<G: Game, M: Mover<G>, E: Evaluator<G>> Playout<G> for CutShort<M, E> {
    fn result(&self, position: G, roll: Option<G::Roll>, random: &mut Random) -> f32 {
        let mut left = self.turns;
        play_on(position, roll, &self.mover, random, |position| {
            let over = left == 0;
            left = left.saturating_sub(1);
            over.then(|| value_for_first(position, &self.evaluator))
        })
    }
}

/// No playout: what an evaluation says of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EvaluateAtOnce<E>(pub E);

impl<G: Game, E: Evaluator<G>> Playout<G> for EvaluateAtOnce<E> {
    #[inline]
    fn result(&self, position: G, _: Option<G::Roll>, _: &mut Random) -> f32 {
        value_for_first(&position, &self.0)
    }
}

/// Plays to the end of the game, or until `cut`, asked before each roll, names a
/// result for the first side.
#[inline(always)]
fn play_on<G: Game>(
    mut position: G,
    mut begun: Option<G::Roll>,
    mover: &impl Mover<G>,
    random: &mut Random,
    mut cut: impl FnMut(&G) -> Option<f32>,
) -> f32 {
    loop {
        if let Some(outcome) = position.outcome() {
            return outcome.value_for(Side::First);
        }
        let mut roll = match begun.take() {
            Some(rest) => rest,
            None => match cut(&position) {
                Some(result) => return result,
                None => draw(G::DICE, random),
            },
        };
        loop {
            let Some(mv) = mover.choose(Turn { position: &position, roll }, random) else {
                roll = draw(G::DICE, random);
                continue;
            };
            match position.play(roll, mv) {
                None => break,
                Some(rest) => roll = rest,
            }
        }
    }
}

/// The result for the first side: the true one at the end, else the estimate.
#[inline]
pub(super) fn value_for_first<G: Game>(position: &G, evaluator: &impl Evaluator<G>) -> f32 {
    if let Some(outcome) = position.outcome() {
        return outcome.value_for(Side::First);
    }
    let value = evaluator.evaluate(position);
    match position.side() {
        Side::First => value,
        Side::Second => 1.0 - value,
    }
}
