//! Positions of any game behind a pointer.

use std::any::Any;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use wurfel_agents::Catalogued;
use wurfel_core::{
    Diagram, MoveReader, NotationError, Outcome, Random, Side, Situation, Weighted, check_roll,
    roll,
};
use wurfel_games::Pieces;

use crate::scene::Scene;

/// A position of a game, before or after the roll. It never changes: a roll or a move gives another
/// one. Two positions are equal if they are the same position of the same game with the same roll.
///
/// It holds no random generator, so nobody who is given a position can foresee its dice.
///
/// ```
/// let einstein = wurfel::game("einstein")?;
/// let before = einstein.start();
/// let after = before.rolled("4")?.played("a4b4")?;
/// assert_ne!(before, after);
/// assert_eq!((before.ply(), after.ply()), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Position(Arc<dyn AnyPosition>);

/// A position of a game whose type is erased; a [`Position`] points to one.
pub trait AnyPosition: Any + Send + Sync {
    /// The name of the game.
    fn game(&self) -> &'static str;

    /// The names of the two sides of the game.
    fn sides(&self) -> [&'static str; 2];

    /// The text, which [`Position`] displays.
    fn text(&self) -> String;

    /// The roll, or what is left of it to play; `None` before the roll.
    ///
    /// ```
    /// let start = wurfel::default_game().start();
    /// assert_eq!((start.roll(), start.rolled("4")?.roll()), (None, Some("4".to_owned())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn roll(&self) -> Option<String>;

    /// The side that rolls or moves next.
    fn side(&self) -> Side;

    /// The number of the turn, counted from 1.
    fn ply(&self) -> u32;

    /// How the game ended; `None` while it goes on.
    ///
    /// ```
    /// use wurfel::{Outcome, Side};
    ///
    /// let position = wurfel::default_game().read("5/5/5/3A1/f4 r 1 1", false)?;
    /// assert_eq!(position.outcome(), None);
    /// // The goal of red is e1.
    /// assert_eq!(position.played("d2e1")?.outcome(), Some(Outcome::Win(Side::First)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn outcome(&self) -> Option<Outcome>;

    /// The rolls that differ here with their weights; empty unless a roll is due.
    ///
    /// ```
    /// // Red has only its cubes 2 and 5 left: 1 moves the 2, 6 the 5, and 3 or 4 either of them.
    /// let position = wurfel::default_game().read("5/1B3/4E/5/f4 r - 1", false)?;
    /// let rolls: Vec<_> = position.rolls().into_iter().map(|roll| roll.weight).collect();
    /// assert_eq!(rolls.iter().sum::<u32>(), 6);
    /// assert_eq!(rolls, [2, 2, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn rolls(&self) -> Vec<Weighted<String>>;

    /// The legal moves, in an order that depends only on position and roll; empty before the roll and
    /// after the end. A forced pass is a move. What a move captures is in [`AnyPosition::scene`]; the
    /// notation of moves is that of each game, as in [`wurfel_games::einstein`].
    ///
    /// ```
    /// // 5  A  B  C  .  .
    /// // 4 (D) E  .  .  .     D may capture its own E, too.
    /// // 3  F  .  .  .  f
    /// let position = wurfel::default_game().read("ABC2/DE3/F3f/3ed/2cba r 4 1", false)?;
    /// assert_eq!(position.moves(), ["a4b4", "a4a3", "a4b3"]);
    /// assert!(position.unrolled().moves().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn moves(&self) -> Vec<String>;

    /// Each of the [`moves`](AnyPosition::moves) with the position after it.
    ///
    /// ```
    /// let position = wurfel::default_game().start().rolled("4")?;
    /// for (mv, after) in position.after_moves() {
    ///     assert_eq!(position.played(&mv)?, after);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn after_moves(&self) -> Vec<(String, Position)>;

    /// The pieces that a side has left.
    ///
    /// ```
    /// let start = wurfel::default_game().start();
    /// assert_eq!(start.pieces(start.side()).count, 6);
    /// ```
    fn pieces(&self, side: Side) -> Pieces;

    /// The position after the roll with this text.
    ///
    /// ```
    /// let start = wurfel::game("dicechess")?.start();
    /// // At the start only pawns and knights can move.
    /// assert!(start.rolled("N").is_ok());
    /// let error = start.rolled("Q").unwrap_err().to_string();
    /// assert!(error.contains("expected one of P N"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When no roll is due, or this one is not possible here.
    fn rolled(&self, text: &str) -> Result<Position, NotationError>;

    /// The position after a roll of the physical dice.
    ///
    /// ```
    /// use wurfel::Random;
    ///
    /// let rolled = wurfel::default_game().start().roll_dice(&mut Random::new(1))?;
    /// assert!((1..=6).contains(&rolled.roll().unwrap().parse::<u32>()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When no roll is due.
    fn roll_dice(&self, random: &mut Random) -> Result<Position, NotationError>;

    /// The position after the move with this text. It has a roll if the same side goes on with the
    /// rest of its roll.
    ///
    /// ```
    /// let position = wurfel::game("dicechess3")?.start().rolled("PNB")?;
    /// let next = position.played("e2e4")?;
    /// // The same side goes on with what is left of its roll.
    /// assert_eq!((next.side(), next.roll().as_deref()), (position.side(), Some("NB")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the move is not legal; the error lists the legal moves.
    fn played(&self, text: &str) -> Result<Position, NotationError>;

    /// The legal move that a text means, as the game writes it.
    ///
    /// ```
    /// let position = wurfel::default_game().start().rolled("4")?;
    /// assert_eq!(position.find_move("A4B4")?, "a4b4");
    /// assert!(position.find_move("a1a2").unwrap_err().to_string().contains("expected one of"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the move is not legal; the error lists the legal moves.
    fn find_move(&self, text: &str) -> Result<String, NotationError>;

    /// The same position without its roll.
    #[must_use]
    fn unrolled(&self) -> Position;

    /// The positions after each of these rolls, each with an `@`, and moves.
    ///
    /// # Errors
    /// When one of the words is not possible at its place; the error has its number, from 0.
    fn after_each(&self, words: &[&str]) -> Result<Vec<Position>, (usize, NotationError)>;

    /// The number of sequences of rolls and moves of length 1, 2 and so on up to `depth`.
    ///
    /// ```
    /// assert_eq!(wurfel::default_game().start().perft(3), [18, 324, 6162]);
    /// ```
    #[cfg(feature = "workbench")]
    fn perft(&self, depth: u32) -> Vec<u64>;

    /// The picture of the board, with the roll and the pieces that it lets move.
    ///
    /// ```
    /// let position = wurfel::game("einstein")?.read("5/1B3/2C2/5/2cba r 3 1", false)?;
    /// assert_eq!(
    ///     position.diagram().text(false),
    ///     "\
    /// 5  *  .  .  .  .
    /// 4  .  B  .  .  .
    /// 3  .  . (C) .  .
    /// 2  .  .  .  .  .
    /// 1  .  .  c  b  a
    ///    a  b  c  d  e
    /// ply 1: red has rolled 3
    /// "
    /// );
    /// assert!(position.diagram().svg().starts_with("<svg "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn diagram(&self) -> Diagram;

    /// Everything that a page needs to draw the position and to let people play in it.
    ///
    /// ```
    /// let scene = wurfel::default_game().start().rolled("4")?.scene();
    /// let squares = scene.moves.iter().map(|mv| (mv.from, mv.to)).collect::<Vec<_>>();
    /// assert_eq!((scene.side, squares[0]), (0, (Some(5), Some(6))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn scene(&self) -> Scene;

    /// Whether it is the same position of the same game with the same roll.
    fn equals(&self, other: &dyn AnyPosition) -> bool;

    /// A hash of the position, its roll and its game.
    fn hashed(&self) -> u64;
}

impl Deref for Position {
    type Target = dyn AnyPosition;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Position {
    /// The position of a game whose type is known.
    pub fn new<G: Catalogued>(situation: Situation<G>) -> Self {
        Self(Arc::new(situation))
    }

    /// The position with its type, if it is one of the game with these rules.
    pub fn known<G: Catalogued>(&self, rules: &G) -> Option<&Situation<G>> {
        let known: Option<&Situation<G>> = (&*self.0 as &dyn Any).downcast_ref();
        known.filter(|known| known.position.name() == rules.name())
    }

    /// The position with its type.
    ///
    /// # Errors
    /// When it belongs to another game.
    pub fn of<G: Catalogued>(&self, rules: &G) -> Result<&Situation<G>, NotationError> {
        self.known(rules).ok_or_else(|| self.refused(&format!("one of {}", rules.name())))
    }

    /// The error of a position that is asked for something it does not have; `expected` completes
    /// "expected …".
    pub fn refused(&self, expected: &str) -> NotationError {
        NotationError::whole("position", &self.to_string(), expected)
    }

    /// The position after rolls, each after an `@`, and moves, as in `@4 a4b4`.
    ///
    /// ```
    /// let position = wurfel::default_game().start().after("@4 a4b4 @1 e1e2 @3")?;
    /// assert_eq!((position.ply(), position.roll().as_deref()), (3, Some("3")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When one of the words is not possible at its place.
    pub fn after(&self, words: &str) -> Result<Self, NotationError> {
        let words: Vec<&str> = words.split_whitespace().collect();
        let mut after = self.0.after_each(&words).map_err(|(_, error)| error)?;
        Ok(after.pop().unwrap_or_else(|| self.clone()))
    }
}

impl fmt::Display for Position {
    /// Writes the text from which [`AnyGame::read`](crate::AnyGame::read) reads the same position.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self}, {})", self.game())
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hashed());
    }
}

impl<G: Catalogued> AnyPosition for Situation<G> {
    fn game(&self) -> &'static str {
        self.position.name()
    }

    fn sides(&self) -> [&'static str; 2] {
        Side::BOTH.map(|side| G::SIDES[side])
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn roll(&self) -> Option<String> {
        self.roll.map(|roll| roll.to_string())
    }

    fn side(&self) -> Side {
        self.position.side()
    }

    fn ply(&self) -> u32 {
        self.position.ply()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn rolls(&self) -> Vec<Weighted<String>> {
        if !is_due(self) {
            return vec![];
        }
        let text =
            |of: &Weighted<G::Roll>| Weighted { item: of.item.to_string(), weight: of.weight };
        self.position.rolls().as_ref().iter().map(text).collect()
    }

    fn moves(&self) -> Vec<String> {
        let text = |roll| {
            let moves = self.position.moves(roll);
            moves.as_ref().iter().map(ToString::to_string).collect()
        };
        self.roll.filter(|_| self.position.outcome().is_none()).map_or(vec![], text)
    }

    fn after_moves(&self) -> Vec<(String, Position)> {
        let after = |roll: G::Roll, mv: G::Move| {
            let mut position = self.position.clone();
            let roll = position.play(roll, mv);
            (mv.to_string(), Position::new(Self { position, roll }))
        };
        let all = |roll| {
            let moves = self.position.moves(roll);
            moves.as_ref().iter().map(|&mv| after(roll, mv)).collect()
        };
        self.roll.filter(|_| self.position.outcome().is_none()).map_or(vec![], all)
    }

    fn pieces(&self, side: Side) -> Pieces {
        self.position.pieces(side)
    }

    fn rolled(&self, text: &str) -> Result<Position, NotationError> {
        due(self)?;
        let rolled: G::Roll = text.parse()?;
        // A merged roll need not be a face of the dice.
        if !self.position.rolls().as_ref().iter().any(|of| of.item == rolled) {
            check_roll(&self.position, rolled)?;
        }
        Ok(Position::new(Self { roll: Some(rolled), ..self.clone() }))
    }

    fn roll_dice(&self, random: &mut Random) -> Result<Position, NotationError> {
        due(self)?;
        Ok(Position::new(Self { roll: Some(roll(&self.position, random)), ..self.clone() }))
    }

    fn played(&self, text: &str) -> Result<Position, NotationError> {
        let (roll, mv) = located(self, text)?;
        let mut position = self.position.clone();
        let roll = position.play(roll, mv);
        Ok(Position::new(Self { position, roll }))
    }

    fn find_move(&self, text: &str) -> Result<String, NotationError> {
        located(self, text).map(|(_, mv)| mv.to_string())
    }

    fn unrolled(&self) -> Position {
        Position::new(Self { roll: None, ..self.clone() })
    }

    fn after_each(&self, words: &[&str]) -> Result<Vec<Position>, (usize, NotationError)> {
        let mut reader = MoveReader::mid_turn(self.clone());
        let mut after = |(number, word): (usize, &&str)| {
            reader.read(word).map_err(|error| (number, error))?;
            let position = reader.game().now().clone();
            Ok(Position::new(Self { position, roll: reader.roll() }))
        };
        words.iter().enumerate().map(&mut after).collect()
    }

    #[cfg(feature = "workbench")]
    fn perft(&self, depth: u32) -> Vec<u64> {
        wurfel_core::perft(&self.position, self.roll, depth)
    }

    fn diagram(&self) -> Diagram {
        self.position.diagram(self.roll)
    }

    fn scene(&self) -> Scene {
        Scene::new(self)
    }

    fn equals(&self, other: &dyn AnyPosition) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    fn hashed(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.position, self.roll, self.position.name()).hash(&mut hasher);
        hasher.finish()
    }
}

fn refused<G: Catalogued>(situation: &Situation<G>, expected: &str) -> NotationError {
    NotationError::whole("position", &situation.to_string(), expected)
}

/// The roll of a position, and the legal move that a text means.
fn located<G: Catalogued>(
    situation: &Situation<G>,
    text: &str,
) -> Result<(G::Roll, G::Move), NotationError> {
    if situation.position.outcome().is_some() {
        return Err(refused(situation, "one before the end, but the game is over"));
    }
    let Some(roll) = situation.roll else {
        return Err(refused(situation, "one with a roll: without it there are no moves"));
    };
    Ok((roll, situation.position.find_move(roll, text)?))
}

fn is_due<G: Catalogued>(situation: &Situation<G>) -> bool {
    situation.roll.is_none() && situation.position.outcome().is_none()
}

/// Returns an error unless a roll is due.
fn due<G: Catalogued>(situation: &Situation<G>) -> Result<(), NotationError> {
    match situation.roll {
        _ if is_due(situation) => Ok(()),
        Some(_) => Err(refused(situation, "one before the roll, but it has one")),
        None => Err(refused(situation, "one before the end, but the game is over")),
    }
}
