//! What a game is: positions at rest, rolls, moves.
//!
//! Chance is a type of its own. A [`Game`] value is a position *at rest*,
//! before the dice are rolled; a [`Turn`] is a position together with a roll.
//! So a die can never be played as a move, a search cannot see the real future
//! dice (there are none in the position), and rolls that allow the same moves
//! can be merged.

use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use crate::{Fan, NotationError, Outcome, Random, Side};

/// A thing and how many of the equally likely chances lead to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Weighted<T> {
    /// What happens.
    pub item: T,
    /// In how many of the equally likely chances it happens; at least 1.
    pub weight: u32,
}

/// The rules of a two-player game with dice, as a position at rest.
///
/// The contract is executable: the conformance kit (feature `testkit`) proves
/// it for the positions a game supplies. Its clauses:
///
/// * Before the end [`rolls`](Game::rolls) is not empty, and no roll in it has
///   an empty list of [`moves`](Game::moves): a forced pass is a move.
/// * A face of [`DICE`](Game::DICE) with no moves is rolled again. Every other
///   face has the turns of a roll of `rolls`, and the weights of `rolls` sum to
///   the weights of those faces. Rolls that allow the same are one, unless turns
///   of several moves make that hard to tell.
/// * Values are zero-sum: what one side wins the other loses.
/// * `Eq` and `Hash` compare what decides the rest of the game. A game may
///   leave out what does not (a ply counter) and says so.
pub trait Game:
    Clone + Eq + Hash + Debug + Display + FromStr<Err = NotationError> + Default + Send + Sync + 'static
{
    /// What the dice may show, as far as the moves depend on it. The text form
    /// is what a person reads off the dice: `4`, `PNB`.
    type Roll: Copy
        + Eq
        + Hash
        + Debug
        + Display
        + FromStr<Err = NotationError>
        + Send
        + Sync
        + 'static;
    /// What a player may do with a roll. The text form is the game's usual one.
    type Move: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;
    /// A list of rolls, on the stack or static.
    type Rolls: AsRef<[Weighted<Self::Roll>]>;
    /// A list of moves, on the stack.
    type Moves: AsRef<[Self::Move]>;

    /// The physical dice: every face with its weight.
    const DICE: &'static [Weighted<Self::Roll>];

    /// The side that rolls next.
    fn side(&self) -> Side;

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The rolls that differ *here*: equal ones merged, their weights added.
    /// Called only before the end.
    fn rolls(&self) -> Self::Rolls;

    /// The legal moves for a roll, in an order that depends on nothing else.
    fn moves(&self, roll: Self::Roll) -> Self::Moves;

    /// Plays a move that is known to be legal. `Some(rest)`: the same side goes
    /// on with what is left of its roll; `None`: the next roll is due.
    ///
    /// The unchecked door: an illegal move gives a wrong position (never
    /// undefined behaviour). Its checked sibling is [`Game::try_play`].
    fn play(&mut self, roll: Self::Roll, mv: Self::Move) -> Option<Self::Roll>;

    /// The number of the turn, counted from 1.
    fn ply(&self) -> u32;

    /// Reads a position, with the roll if the text has one.
    ///
    /// # Errors
    /// Which character is wrong, and what was expected there.
    fn read(text: &str) -> Result<Situation<Self>, NotationError>;

    /// Writes the position, with the roll if there is one, as [`Game::read`]
    /// reads it.
    ///
    /// # Errors
    /// Only those of `f`.
    fn write(&self, roll: Option<Self::Roll>, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// One of the moves for a roll, each equally likely; `None` when there is
    /// none. Random games spend their time here: a game that can pick without
    /// writing the list down does so.
    #[inline(always)]
    fn pick(&self, roll: Self::Roll, random: &mut Random) -> Option<Self::Move> {
        let moves = self.moves(roll);
        let moves = moves.as_ref();
        (!moves.is_empty()).then(|| *random.pick(moves))
    }

    /// How many moves a roll has. A game that can count them without writing the
    /// list down does so.
    #[inline(always)]
    fn count(&self, roll: Self::Roll) -> usize {
        self.moves(roll).as_ref().len()
    }

    /// Calls `visit` with each position in which a turn with this roll (or with this
    /// rest of one) can end: the next roll is due there, or the game is over. A
    /// search decides among these. A game in whose turns many orders of moves end
    /// in the same position visits it once.
    #[inline(always)]
    fn ends(&self, roll: Self::Roll, mut visit: impl FnMut(&Self)) {
        every_end(self, roll, &mut visit);
    }

    /// The mean over the rolls of the best value among the ends of each, for
    /// values that are not negative: the step of an expectiminimax search.
    ///
    /// A game in which several rolls often lead to the same end asks `value` once
    /// for it.
    #[inline(always)]
    fn mean_of_best(&self, mut value: impl FnMut(&Self) -> f32) -> f32 {
        let (mut sum, mut chances) = (0.0, 0);
        for &Weighted { item: roll, weight } in self.rolls().as_ref() {
            let mut best = 0.0;
            self.ends(roll, |end| best = f32::max(best, value(end)));
            sum += weight as f32 * best;
            chances += weight;
        }
        sum / chances as f32
    }

    /// Writes the ends over all rolls into `fan`, replacing what is there. A
    /// game whose rolls share ends puts them into groups, so that a search
    /// meets each once.
    fn fan(&self, fan: &mut Fan<Self>) {
        fan.clear();
        for &Weighted { item: roll, weight } in self.rolls().as_ref() {
            self.ends(roll, |end| fan.add_end(end.clone()));
            let group = fan.close_group();
            fan.add_roll(weight, 1 << group);
        }
    }

    /// The legal move with this text, upper and lower case alike.
    ///
    /// # Errors
    /// Names the text and lists the legal moves.
    fn find_move(&self, roll: Self::Roll, text: &str) -> Result<Self::Move, NotationError> {
        let moves = self.moves(roll);
        let moves = moves.as_ref();
        moves.iter().copied().find(|mv| mv.to_string().eq_ignore_ascii_case(text)).ok_or_else(
            || {
                let list: Vec<String> = moves.iter().map(ToString::to_string).collect();
                NotationError::whole("move", text, format!("one of {}", list.join(" ")))
            },
        )
    }

    /// Plays a move after checking it; the position is unchanged on an error.
    ///
    /// The checked door beside [`Game::play`].
    ///
    /// # Errors
    /// Names the move and lists the legal ones.
    fn try_play(
        &mut self,
        roll: Self::Roll,
        mv: Self::Move,
    ) -> Result<Option<Self::Roll>, NotationError> {
        if self.outcome().is_none() && self.moves(roll).as_ref().contains(&mv) {
            Ok(self.play(roll, mv))
        } else {
            self.find_move(roll, &mv.to_string())?;
            Err(NotationError::whole("move", &mv.to_string(), "none: the game is over"))
        }
    }
}

/// What [`Game::ends`] does unless a game knows better: every sequence of moves.
#[inline(always)]
fn every_end<G: Game>(position: &G, roll: G::Roll, visit: &mut impl FnMut(&G)) {
    for &mv in position.moves(roll).as_ref() {
        let mut next = position.clone();
        match next.play(roll, mv) {
            None => visit(&next),
            Some(rest) => go_on(&next, rest, visit),
        }
    }
}

/// The same with what is left of a roll: apart, so that the usual turn of one move
/// is compiled without a recursion.
#[inline(never)]
fn go_on<G: Game>(position: &G, rest: G::Roll, visit: &mut impl FnMut(&G)) {
    every_end(position, rest, visit);
}

/// A position with the roll that was rolled: what a player decides on.
#[derive(Debug)]
pub struct Turn<'a, G: Game> {
    /// The position before the roll.
    pub position: &'a G,
    /// What was rolled.
    pub roll: G::Roll,
}

#[expect(clippy::expl_impl_clone_on_copy, reason = "derive would ask for G: Clone + Copy")]
impl<G: Game> Clone for Turn<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Turn<'_, G> {}

impl<G: Game> Turn<'_, G> {
    /// The same with a position of its own.
    pub fn situation(self) -> Situation<G> {
        Situation { position: self.position.clone(), roll: Some(self.roll) }
    }

    /// The side that decides.
    pub fn side(self) -> Side {
        self.position.side()
    }

    /// The legal moves.
    pub fn moves(self) -> G::Moves {
        self.position.moves(self.roll)
    }
}

/// What a position text describes: a position, rolled or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Situation<G: Game> {
    /// The position at rest.
    pub position: G,
    /// The roll, when the text has one.
    pub roll: Option<G::Roll>,
}

impl<G: Game> Situation<G> {
    /// The turn, when it has a roll.
    pub fn turn(&self) -> Option<Turn<'_, G>> {
        Some(Turn { position: &self.position, roll: self.roll? })
    }

    /// The position of a text that must not contain a roll: what `FromStr` of
    /// every game returns.
    ///
    /// # Errors
    /// Those of [`Game::read`], and one when the dice are rolled.
    pub fn at_rest(text: &str) -> Result<G, NotationError> {
        match G::read(text)? {
            Situation { position, roll: None } => Ok(position),
            Situation { roll: Some(roll), .. } => {
                Err(NotationError::whole("position", text, format!("no roll, but {roll} is")))
            }
        }
    }
}

impl<G: Game> FromStr for Situation<G> {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        G::read(text)
    }
}

impl<G: Game> Display for Situation<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.position.write(self.roll, f)
    }
}
