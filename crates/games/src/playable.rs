//! What people and programs need of a game beyond its rules.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use wurfel_core::{BySide, Diagram, Evaluator, Game, NotationError, Preference, Random, Side};

use crate::UnknownName;
use crate::text::TextError;
use crate::transcript::Transcript;

/// A game that can be offered: it has a name, set-ups, pictures, and things
/// that are chosen by name.
pub trait Playable: Game {
    /// The name in commands and records; never changes.
    const NAME: &'static str;
    /// The name for people.
    const TITLE: &'static str;
    /// What it is, in one line.
    const ABOUT: &'static str;
    /// What the sides are called.
    const SIDES: BySide<&'static str>;
    /// The evaluations that [`Playable::evaluation`] knows, the default first.
    const EVALUATIONS: &'static [Choice];
    /// The one of them that plays best at equal time.
    const BEST_EVALUATION: &'static str;
    /// The most pieces with which a search to the end of the game takes no more than
    /// seconds; 0 where it never does.
    const MAX_SOLVED: u32 = 0;

    /// The forms in which its players write games down beside those that every game
    /// has.
    const RECORDS: &'static [RecordForm<Self>] = &[];

    /// How the basic agent looks at moves: captures first, then good squares.
    type Basic: Preference<Self> + Default + Clone + 'static;

    /// The basic agent just as its paper describes it, where the usual one knows more.
    fn published_basic() -> Self::Basic {
        Self::Basic::default()
    }

    /// Hands the evaluation called `name` to `user`; `None` when there is none.
    fn evaluation<U: UseEvaluation<Self>>(name: &str, user: U) -> Option<U::Output>;

    /// How a side may arrange its pieces before the game.
    type Setup: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;

    /// All set-ups, each once.
    fn setups() -> &'static [Self::Setup];

    /// The position before the first roll.
    fn start(setups: BySide<Self::Setup>) -> Self;

    /// A starting position with both set-ups drawn evenly from the legal ones.
    fn setup(random: &mut Random) -> Self {
        let first = *random.pick(Self::setups());
        Self::start(BySide::new(first, *random.pick(Self::setups())))
    }

    /// A position before the end with so many pieces, scattered at random over the
    /// board and the sides; `None` when this draw gave none, or none is possible.
    fn scattered(_pieces: u32, _random: &mut Random) -> Option<Self> {
        None
    }

    /// The picture of the position, with the roll if there is one.
    fn diagram(&self, roll: Option<Self::Roll>) -> Diagram;

    /// The letter of the piece that a legal move would remove.
    fn captured(&self, mv: Self::Move) -> Option<char>;

    /// What a side has left.
    fn pieces(&self, side: Side) -> Pieces;
}

/// A thing that is chosen by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The name.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
}

/// A form in which the players of a game write games down, a file each.
pub struct RecordForm<G: Game> {
    /// The name in commands.
    pub name: &'static str,
    /// Whether a text may have this form.
    pub recognises: fn(&str) -> bool,
    /// Reads a game, leniently.
    pub read: fn(&str) -> Result<Transcript<G>, TextError>,
    /// Writes a game, strictly; an error says why the form cannot hold it.
    pub write: fn(&Transcript<G>) -> Result<String, NotationError>,
    /// The usual name of the file.
    pub file_name: fn(&Transcript<G>) -> String,
}

/// What a side has left on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pieces {
    /// How many pieces.
    pub count: u32,
    /// Their summed values, in the game's usual units.
    pub value: i32,
}

/// Something done with an evaluation whose type is known when it is compiled.
pub trait UseEvaluation<G: Game> {
    /// What it returns.
    type Output;

    /// Works with the evaluation.
    fn with<E: Evaluator<G> + 'static>(self, evaluator: E) -> Self::Output;
}

/// Lets `user` work with the evaluation called `name`.
///
/// # Errors
/// When the game has no evaluation of this name.
pub fn with_evaluation<G: Playable, U: UseEvaluation<G>>(
    name: &str,
    user: U,
) -> Result<U::Output, UnknownName> {
    G::evaluation(name, user).ok_or_else(|| {
        let names: Vec<&str> = G::EVALUATIONS.iter().map(|known| known.name).collect();
        UnknownName::new("evaluation", name, &names)
    })
}
