//! Playouts: how a position below the leaves of the tree gets its value.

use std::sync::Arc;

use wurfel_core::{Evaluator, Game, Preference, Random, Side, Turn, draw};

/// Gives a position a result, by a random game to its end or by other means.
pub trait Playout<G: Game>: Send + Sync {
    /// The result for the **first side**, 0 to 1, of a game that goes on from `position`. With a
    /// `roll`, the side to move goes on with that roll.
    fn result(&self, position: G, roll: Option<G::Roll>, random: &mut Random) -> f32;

    /// The number of playouts from which on [`sum`](Self::sum) is faster than playing them one by
    /// one; 1 if it never is.
    fn together(&self) -> u32 {
        1
    }

    /// The sum of the results for the **first side** of several playouts that go on from
    /// `position`. Their random numbers are drawn in another way than those of single playouts.
    fn sum(&self, position: &G, roll: Option<G::Roll>, playouts: u32, random: &mut Random) -> f64 {
        (0..playouts).map(|_| f64::from(self.result(position.clone(), roll, random))).sum()
    }
}

impl<G: Game, P: Playout<G> + ?Sized> Playout<G> for Arc<P> {
    fn result(&self, position: G, roll: Option<G::Roll>, random: &mut Random) -> f32 {
        P::result(self, position, roll, random)
    }

    fn together(&self) -> u32 {
        P::together(self)
    }

    fn sum(&self, position: &G, roll: Option<G::Roll>, playouts: u32, random: &mut Random) -> f64 {
        P::sum(self, position, roll, playouts, random)
    }
}

/// Chooses the moves of a playout.
pub trait PlayoutPolicy<G: Game>: Send + Sync {
    /// A legal move; `None` when there is none and the dice are rolled again.
    fn choose(&self, turn: Turn<'_, G>, random: &mut Random) -> Option<G::Move>;

    /// Whether every legal move is equally likely.
    fn is_uniform(&self) -> bool {
        false
    }
}

/// Makes every legal move with the same probability.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uniform;

impl<G: Game> PlayoutPolicy<G> for Uniform {
    #[inline(always)]
    fn choose(&self, turn: Turn<'_, G>, random: &mut Random) -> Option<G::Move> {
        turn.position.pick(turn.roll, random)
    }

    fn is_uniform(&self) -> bool {
        true
    }
}

/// Makes the move that a [`Preference`] rates highest, the first one of equals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Preferred<P>(pub P);

impl<G: Game, P: Preference<G>> PlayoutPolicy<G> for Preferred<P> {
    #[inline]
    fn choose(&self, turn: Turn<'_, G>, _: &mut Random) -> Option<G::Move> {
        let moves = turn.moves();
        moves.as_ref().iter().rev().max_by_key(|&&mv| self.0.rate(turn, mv)).copied()
    }
}

/// Plays a game to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FullPlayout<M>(pub M);

impl<G: Game, M: PlayoutPolicy<G>> Playout<G> for FullPlayout<M> {
    #[inline]
    fn result(&self, position: G, roll: Option<G::Roll>, random: &mut Random) -> f32 {
        if self.0.is_uniform() {
            return position.random_game(roll, random).outcome.value_for(Side::First);
        }
        play_on(position, roll, &self.0, random, |_| None)
    }

    fn together(&self) -> u32 {
        if self.0.is_uniform() { G::GAMES_TOGETHER } else { 1 }
    }

    fn sum(&self, position: &G, roll: Option<G::Roll>, playouts: u32, random: &mut Random) -> f64 {
        if self.0.is_uniform() {
            return position.random_games(roll, playouts, random).sum_for(Side::First);
        }
        let result = |_| f64::from(self.result(position.clone(), roll, random));
        (0..playouts).map(result).sum()
    }
}

/// Plays some turns and then evaluates the position, unless the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TruncatedPlayout<M, E> {
    /// Chooses the moves.
    pub policy: M,
    /// How many turns are played, not counting the rest of a turn that was begun.
    pub turns: u32,
    /// Evaluates the position after these turns.
    pub evaluator: E,
}

impl<G: Game, M: PlayoutPolicy<G>, E: Evaluator<G>> Playout<G> for TruncatedPlayout<M, E> {
    fn result(&self, position: G, roll: Option<G::Roll>, random: &mut Random) -> f32 {
        let mut left = self.turns;
        play_on(position, roll, &self.policy, random, |position| {
            let over = left == 0;
            left = left.saturating_sub(1);
            over.then(|| value_for_first(position, &self.evaluator))
        })
    }
}

/// Makes no playout: the result is the evaluation of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EvaluateAtOnce<E>(pub E);

impl<G: Game, E: Evaluator<G>> Playout<G> for EvaluateAtOnce<E> {
    #[inline]
    fn result(&self, position: G, _: Option<G::Roll>, _: &mut Random) -> f32 {
        value_for_first(&position, &self.0)
    }
}

/// Plays to the end of the game, or until `cut`, which is asked before each roll, returns a result
/// for the first side.
#[inline(always)]
fn play_on<G: Game>(
    mut position: G,
    mut begun: Option<G::Roll>,
    policy: &impl PlayoutPolicy<G>,
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
            let Some(mv) = policy.choose(Turn { position: &position, roll }, random) else {
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

/// The result of a position for the first side: the true one if the game is over, or else the
/// evaluation.
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
