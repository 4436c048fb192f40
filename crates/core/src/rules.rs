//! What a game is: positions at rest, rolls and moves.
//!
//! Chance has a type of its own. A [`Game`] value is a position *at rest*, before the roll; a
//! [`Turn`] is a position together with a roll. So a die can never be played as a move, a search
//! cannot see the real future dice because the position does not hold any, and rolls that allow the
//! same moves can be merged.

use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use crate::random_games::{RandomGame, RandomGames, random_game};
use crate::{Fan, NotationError, Outcome, Random, Side, draw_index};

/// Something that can happen by chance, with its weight.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Weighted<T> {
    /// The roll, or whatever else can happen.
    pub item: T,
    /// The number of equally likely outcomes of the dice in which it happens; at least 1.
    pub weight: u32,
}

/// The rules of a two-player game with dice, as the type of its positions at rest.
///
/// The contract is executable: the conformance kit (feature `testkit`) checks it for the positions
/// that a game supplies. Its clauses:
///
/// * Before the end, [`rolls`](Game::rolls) is not empty, and none of its rolls has an empty list
///   of [`moves`](Game::moves): a forced pass is a move.
/// * A face of [`DICE`](Game::DICE) without moves is rolled again. Every other face allows the same
///   turns as one of the `rolls`, and the weights of `rolls` sum to the weights of those faces.
///   Rolls that allow the same moves are merged, unless turns of several moves make that hard to
///   find out.
/// * The sides take turns: after a turn the other side is to roll, whatever happened, and the ply
///   has grown by one. A side that may go on does so within its turn ([`play`](Game::play) returns
///   the rest of the roll), and the game does not end before the turn does. Searches rely on it.
/// * No two moves of a roll have the same text.
/// * Values are zero-sum: what one side wins, the other loses.
/// * `Eq` and `Hash` compare everything on which the rest of the game depends, including the rule set where
///   one type is played by several. A game may leave out the rest, such as a ply counter, and then says so.
pub trait Game:
    Clone + Eq + Hash + Debug + Display + FromStr<Err = NotationError> + Default + Send + Sync + 'static
{
    /// What the dice show, as far as the moves depend on it. The text form is what a person reads
    /// off the dice: `4`, `PNB`.
    type Roll: Copy
        + Eq
        + Hash
        + Debug
        + Display
        + FromStr<Err = NotationError>
        + Send
        + Sync
        + 'static;
    /// What a player may do with a roll. The text form is the game's notation.
    type Move: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;
    /// A list of rolls, on the stack or static.
    type Rolls: AsRef<[Weighted<Self::Roll>]>;
    /// A list of moves, on the stack.
    type Moves: AsRef<[Self::Move]>;

    /// The physical dice: every face with its weight.
    const DICE: &'static [Weighted<Self::Roll>];

    /// The number of games from which on [`Game::random_games`] plays them faster together than one
    /// by one; 1 in a game where it makes no difference.
    const GAMES_TOGETHER: u32 = 1;

    /// The side that rolls next.
    fn side(&self) -> Side;

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The rolls that differ *in this position*: rolls that allow the same moves are merged, with
    /// their weights added. Called only before the end.
    fn rolls(&self) -> Self::Rolls;

    /// One of the [`rolls`](Game::rolls), drawn with the probability that its weight states.
    /// Returns its index, and either that roll or another one that allows the same moves.
    ///
    /// A game that can draw without listing its rolls overrides this, with the same draws as
    /// [`draw_index`].
    #[inline(always)]
    fn draw_roll(&self, random: &mut Random) -> (usize, Self::Roll) {
        let rolls = self.rolls();
        let place = draw_index(rolls.as_ref(), random);
        (place, rolls.as_ref()[place].item)
    }

    /// The legal moves for a roll. Their order depends only on the position and the roll.
    fn moves(&self, roll: Self::Roll) -> Self::Moves;

    /// Plays a move that is known to be legal. Returns `Some(rest)` when the same side goes on with
    /// the rest of its roll, and `None` when the next roll is due or the game is over.
    ///
    /// The move is not checked: an illegal one leads to a wrong position, but never to undefined
    /// behaviour. [`Game::try_play`] checks it first.
    fn play(&mut self, roll: Self::Roll, mv: Self::Move) -> Option<Self::Roll>;

    /// The number of the turn, counted from 1.
    fn ply(&self) -> u32;

    /// Reads a position, and its roll if the text has one.
    ///
    /// # Errors
    /// Names the character that is wrong and what was expected in its place.
    fn read(text: &str) -> Result<Situation<Self>, NotationError>;

    /// Reads a position that is played by the same rules as this one. Overridden where positions of one
    /// type are played by several rule sets; [`Game::read`] and [`FromStr`] then read by the default rules.
    ///
    /// # Errors
    /// Those of [`Game::read`].
    fn read_alike(&self, text: &str) -> Result<Situation<Self>, NotationError> {
        Self::read(text)
    }

    /// Reads a position as [`Game::read_alike`] does, from a text that must not contain a roll.
    ///
    /// # Errors
    /// Those of [`Game::read_alike`], and one more when the text contains a roll.
    fn read_at_rest_alike(&self, text: &str) -> Result<Self, NotationError> {
        self.read_alike(text)?.unrolled(text)
    }

    /// Writes the position, with its roll if there is one, in the form that [`Game::read`] reads.
    ///
    /// # Errors
    /// Only those of `f`.
    fn write(&self, roll: Option<Self::Roll>, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// One of the moves for a roll, each equally likely; `None` when there is none. Random playouts
    /// spend most of their time here, so a game that can pick a move without listing them all
    /// overrides this.
    #[inline(always)]
    fn pick(&self, roll: Self::Roll, random: &mut Random) -> Option<Self::Move> {
        let moves = self.moves(roll);
        let moves = moves.as_ref();
        (!moves.is_empty()).then(|| *random.pick(moves))
    }

    /// Plays uniformly random moves to the end of the game. With a `roll`, the side to move goes on with it.
    ///
    /// A game that knows a quicker way overrides this, with the same draws and the same moves as
    /// [`random_game`](crate::random_game).
    #[inline]
    fn random_game(&self, roll: Option<Self::Roll>, random: &mut Random) -> RandomGame {
        random_game(self.clone(), roll, random)
    }

    /// Plays `games` games with uniformly random moves from here to their ends. With a `roll`, the side to
    /// move goes on with it in each of them.
    ///
    /// A game that plays many games at once in the lanes of vector instructions overrides this. Which games
    /// are played must follow from the position and from `random` alone, and not from the instructions
    /// that the machine has.
    fn random_games(
        &self,
        roll: Option<Self::Roll>,
        games: u32,
        random: &mut Random,
    ) -> RandomGames {
        let mut sum = RandomGames::default();
        for _ in 0..games {
            let game = self.random_game(roll, random);
            sum.add(game.outcome, 1, u64::from(game.plies));
        }
        sum
    }

    /// How many moves a roll has. A game that can count them without listing them overrides this.
    #[inline(always)]
    fn count(&self, roll: Self::Roll) -> usize {
        self.moves(roll).as_ref().len()
    }

    /// Calls `visit` with each position in which a turn with this roll, or with this rest of a
    /// roll, can end: there the next roll is due or the game is over. A search decides between
    /// these positions. Where many orders of moves lead to the same position, a game visits it only
    /// once.
    #[inline(always)]
    fn ends(&self, roll: Self::Roll, mut visit: impl FnMut(&Self)) {
        every_end(self, roll, &mut visit);
    }

    /// The mean over the rolls of the best value among the ends of each roll: one step of
    /// expectiminimax. `value` must not return negative numbers.
    ///
    /// A game in which several rolls often lead to the same end overrides this to ask for its value
    /// only once.
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

    /// The rolls with which the side to move can win in this turn, from a game that finds them much
    /// faster than by playing every turn; `None` from other games. A search can skip the ends of
    /// such rolls. Called only before the end.
    fn winning_rolls(&self) -> Option<Vec<Self::Roll>> {
        None
    }

    /// Fills `fan` with the ends over all rolls, replacing its previous contents. A game whose
    /// rolls share ends puts shared ends into groups, so that a search meets each of them once.
    fn fan(&self, fan: &mut Fan<Self>) {
        fan.clear();
        for &Weighted { item: roll, weight } in self.rolls().as_ref() {
            self.ends(roll, |end| fan.add_end(end.clone()));
            let group = fan.close_group();
            fan.add_roll(weight, 1 << group);
        }
    }

    /// Whether a text, in upper or lower case, means this legal move.
    fn is_meant(&self, mv: Self::Move, text: &str) -> bool {
        mv.to_string().eq_ignore_ascii_case(text)
    }

    /// The first legal move that this text [means](Game::is_meant).
    ///
    /// # Errors
    /// When it means no legal move; the error names the text and lists the legal moves.
    fn find_move(&self, roll: Self::Roll, text: &str) -> Result<Self::Move, NotationError> {
        let moves = self.moves(roll);
        let moves = moves.as_ref();
        moves.iter().copied().find(|&mv| self.is_meant(mv, text)).ok_or_else(|| {
            let list: Vec<String> = moves.iter().map(ToString::to_string).collect();
            NotationError::whole("move", text, format!("one of {}", list.join(" ")))
        })
    }

    /// Plays a move after checking it; on an error the position stays unchanged. [`Game::play`] does
    /// the same without the check.
    ///
    /// ```
    /// use wurfel_core::{Game, Literal};
    ///
    /// let mut game: Literal = "{[+-]}".parse()?;
    /// let before = game.clone();
    /// let roll = game.rolls()[0].item;
    /// let mv = game.find_move(roll, "1")?;
    /// assert!(game.try_play(roll, mv).is_ok());
    /// assert_ne!(game, before);
    /// # Ok::<(), wurfel_core::NotationError>(())
    /// ```
    ///
    /// # Errors
    /// When the move is illegal; the error names it and lists the legal ones.
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

/// The default of [`Game::ends`]: plays every sequence of moves.
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

/// [`every_end`] for the rest of a roll. It is a function of its own so that the common turn of one
/// move is compiled without recursion.
#[inline(never)]
fn go_on<G: Game>(position: &G, rest: G::Roll, visit: &mut impl FnMut(&G)) {
    every_end(position, rest, visit);
}

/// A position with its roll: the situation in which a player decides.
///
/// ```
/// use wurfel_core::{Game, Literal, Side, Turn};
///
/// let position: Literal = "{[+-][-]}".parse()?;
/// let turn = Turn { position: &position, roll: position.rolls()[0].item };
/// assert_eq!((turn.side(), turn.moves().len()), (Side::First, 2));
/// # Ok::<(), wurfel_core::NotationError>(())
/// ```
#[derive(Debug)]
pub struct Turn<'a, G: Game> {
    /// The position before the roll.
    pub position: &'a G,
    /// The roll, or the rest of one in the middle of a turn.
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
    /// This turn with its own copy of the position.
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

/// What a position text describes: a position, before or after the roll.
///
/// ```
/// use wurfel_core::{Literal, Situation};
///
/// let rolled: Situation<Literal> = "{[+-][-]} 1 3".parse()?;
/// assert!(rolled.turn().is_some());
/// let at_rest: Situation<Literal> = "{[+-][-]}".parse()?;
/// assert!(at_rest.turn().is_none());
/// # Ok::<(), wurfel_core::NotationError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Situation<G: Game> {
    /// The position at rest.
    pub position: G,
    /// The roll, when the text has one.
    pub roll: Option<G::Roll>,
}

impl<G: Game> Situation<G> {
    /// The turn, if the situation has a roll.
    pub fn turn(&self) -> Option<Turn<'_, G>> {
        Some(Turn { position: &self.position, roll: self.roll? })
    }

    /// The position in a text that must not contain a roll. The `FromStr` of every game calls this.
    ///
    /// # Errors
    /// The errors of [`Game::read`], and one more when the text contains a roll.
    pub fn at_rest(text: &str) -> Result<G, NotationError> {
        G::read(text)?.unrolled(text)
    }

    /// The position, which was read from this text; an error when there is a roll.
    fn unrolled(self, text: &str) -> Result<G, NotationError> {
        match self.roll {
            None => Ok(self.position),
            Some(roll) => {
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
