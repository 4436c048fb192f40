//! What people and programs need of a game beyond its rules.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use wurfel_core::{
    BySide, Diagram, Encode, Endgame, Evaluator, Features, Game, NotationError, Preference, Random,
    Side,
};

use crate::UnknownName;
use crate::learned::LogOdds;
use crate::text::TextError;
use crate::transcript::Transcript;

/// A game that can be offered: it has a name, set-ups, pictures, and things
/// that are chosen by name.
pub trait Playable: Game + Features + Endgame {
    /// The name in commands and records; never changes.
    const NAME: &'static str;
    /// The name for people.
    const TITLE: &'static str;
    /// What it is, in one line.
    const ABOUT: &'static str;
    /// What the sides are called.
    const SIDES: BySide<&'static str>;
    /// Rolled positions from all phases of the game: what `bench` searches.
    const SAMPLES: &'static [&'static str];
    /// The evaluations that [`Playable::evaluation`] knows, the default first.
    const EVALUATIONS: &'static [Choice];
    /// The one of them that plays best at equal time.
    const BEST_EVALUATION: &'static str;
    /// Agents whose search of the samples takes up to a second: what `bench` measures.
    const BENCHES: &'static [&'static str];
    /// The most pieces with which a search to the end of the game takes no more than
    /// seconds; 0 where it never does.
    const MAX_SOLVED: u32;

    /// The forms in which its players write games down beside those that every game
    /// has.
    const RECORDS: &'static [RecordForm<Self>] = &[];

    /// How networks may read it, the default first; none where no network plays it.
    const ENCODINGS: &'static [&'static dyn Encode<Self>] = &[];

    /// The file of the network that agents play with when none is named; none where none
    /// has been trained.
    const NETWORK: Option<&'static [u8]> = None;

    /// Agents of rising strength for people to play against, the weakest first; none
    /// where nobody has measured any.
    const LEVELS: &'static [Level] = &[];

    /// How the basic agent looks at moves: captures first, then good squares.
    type Basic: Preference<Self> + Default + Clone + 'static;

    /// The basic agent just as its paper describes it, where the usual one knows more.
    fn published_basic() -> Self::Basic {
        Self::Basic::default()
    }

    /// What its learned evaluation corrects.
    type Base: LogOdds<Self> + Default + 'static;

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
    fn scattered(pieces: u32, random: &mut Random) -> Option<Self>;

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

/// An agent as somebody to play against.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Level {
    /// What it is called.
    pub name: &'static str,
    /// Its spec: bounded by depth or positions, so that it plays the same everywhere.
    pub spec: &'static str,
    /// Its strength in Elo, on a scale of this game's own: the levels of one game can be
    /// compared.
    pub elo: i32,
    /// Half of the 95 % interval of that.
    pub within: i32,
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

    /// Does it.
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
