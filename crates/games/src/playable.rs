//! What people and programs need to know about a game beyond its rules.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::sync::Arc;

use wurfel_core::{
    BySide, Diagram, Evaluator, Game, NotationError, Preference, Random, Side, Situation,
    TextError, Transcript, UnknownName,
};

use crate::shipped::ShippedFile;

/// Whether this runs in a web page, which is loaded before it is used. There, searches are compiled for one
/// evaluation of each game, the best one, and call all others through a pointer.
pub const IN_PAGE: bool = cfg!(target_family = "wasm");

/// The weights of the three terms of H in paper `heuristic-pruned-mcts`, section 3.2, at least 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeuristicWeights {
    /// α, the weight of mobility.
    pub mobility: f32,
    /// β, the weight of nearness to the goal.
    pub nearness: f32,
    /// γ, the weight of the penalty.
    pub penalty: f32,
}

impl Default for HeuristicWeights {
    /// The weights of the paper.
    fn default() -> Self {
        Self { mobility: 1.5, nearness: 2.0, penalty: 1.2 }
    }
}

/// A game that the program can offer: it has a name, set-ups, diagrams, and evaluations that are
/// chosen by name.
///
/// Positions of one type may be played by several rule sets, each a game with a name of its own. What makes
/// positions or names the game therefore asks a position, which stands for its rule set. Tables,
/// evaluations, networks and the forms in which players write games down belong to the type.
pub trait Playable: Game {
    /// The name in commands and records, which never changes, under the default rules.
    const NAME: &'static str;
    /// The name for people, under the default rules.
    const TITLE: &'static str;
    /// A description in one line, under the default rules.
    const ABOUT: &'static str;
    /// What the letters in the game's diagrams mean, in a sentence or two; empty where they need no
    /// explanation.
    const LEGEND: &'static str = "";
    /// The names of the two sides.
    const SIDES: BySide<&'static str>;
    /// The evaluations that [`Playable::evaluation`] knows, the default first.
    const EVALUATIONS: &'static [Choice];
    /// The evaluation that plays best with equal time for each move.
    const BEST_EVALUATION: &'static str;
    /// Whether a turn has several moves. Such a turn can end in hundreds of positions, too many to
    /// look beyond all of them.
    const SEVERAL_MOVES: bool = false;
    /// The largest number of pieces with which a search to the end of the game takes only seconds;
    /// 0 where there is none.
    const MAX_SOLVED: u32 = 0;

    /// The number of a side's turns among which the time for a whole game is divided at its start;
    /// 15 is the number for EinStein (paper `zweistein`, equation 6).
    const TURNS: u32 = 15;

    /// The name of the game by whose rules this position is played, in commands and records.
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// The name of that game for people.
    fn title(&self) -> &'static str {
        Self::TITLE
    }

    /// A description of that game in one line.
    fn about(&self) -> &'static str {
        Self::ABOUT
    }

    /// Reads a position as [`Game::read_alike`] does. With `drop_castling`, castling rights that the board
    /// rules out are dropped, not refused, in games that have such rights: collections of positions keep
    /// them after the king or the rook has gone.
    ///
    /// # Errors
    /// Those of [`Game::read`].
    fn read_position(
        &self,
        text: &str,
        _drop_castling: bool,
    ) -> Result<Situation<Self>, NotationError> {
        self.read_alike(text)
    }

    /// The forms in which the players of the game write games down, in addition to those that every
    /// game has.
    const RECORDS: &'static [RecordForm<Self>] = &[];

    /// How the basic agent rates moves: captures first, then good squares.
    type Basic: Preference<Self> + Default + Clone + 'static;

    /// The basic agent exactly as its paper describes it, where the default one differs.
    fn published_basic() -> Self::Basic {
        Self::Basic::default()
    }

    /// The file of parameters without which there is no evaluation of this name; `None` where it has none.
    fn file_of(_evaluation: &str) -> Option<&'static ShippedFile> {
        None
    }

    /// Passes the evaluation called `name` to `user`; `None` when there is no such evaluation.
    fn evaluation<U: UseEvaluation<Self>>(name: &str, user: U) -> Option<U::Output>;

    /// The evaluation `composite` with other weights, by which `hpmcts` is guided; `None` for games
    /// that have none.
    fn composite(_weights: HeuristicWeights) -> Option<Arc<dyn Evaluator<Self>>> {
        None
    }

    /// A way in which a side may arrange its pieces before the game.
    type Setup: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;

    /// All set-ups, each once.
    fn setups() -> &'static [Self::Setup];

    /// The set-up with this text; `None` when there is none.
    fn setup_of(text: &str) -> Option<Self::Setup> {
        Self::setups().iter().copied().find(|setup| setup.to_string() == text)
    }

    /// The position before the first roll, under the rules of this one, with these set-ups.
    #[must_use]
    fn start(&self, setups: BySide<Self::Setup>) -> Self;

    /// The position before the first roll when this side begins; `None` where the rules do not let
    /// it begin.
    fn start_with(&self, setups: BySide<Self::Setup>, begins: Side) -> Option<Self> {
        let start = self.start(setups);
        (start.side() == begins).then_some(start)
    }

    /// A start position for which both set-ups are drawn, each equally likely.
    #[must_use]
    fn setup(&self, random: &mut Random) -> Self {
        let first = *random.pick(Self::setups());
        self.start(BySide::new(first, *random.pick(Self::setups())))
    }

    /// A position before the end with `pieces` pieces, placed at random, under the rules of this one.
    /// `None` when this draw gave no such position, or when there is none.
    fn scattered(&self, _pieces: u32, _random: &mut Random) -> Option<Self> {
        None
    }

    /// The diagram of the position, with the roll if there is one.
    fn diagram(&self, roll: Option<Self::Roll>) -> Diagram;

    /// The letter of the piece that a legal move captures, if it captures one.
    fn captured(&self, mv: Self::Move) -> Option<char>;

    /// The pieces that a side has left.
    fn pieces(&self, side: Side) -> Pieces;

    /// Why the rules call the game drawn, for people, such as `only the kings are left`; `None` when it
    /// is not drawn.
    fn draw_reason(&self) -> Option<&'static str> {
        None
    }
}

/// An entry in a list from which the user chooses by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Choice {
    /// What the user types, such as `zweistein`.
    pub name: &'static str,
    /// A description in one line.
    pub about: &'static str,
}

/// A form in which the players of a game write games down. Written strictly it has one game per file.
#[derive(Debug)]
pub struct RecordForm<G: Game> {
    /// The name in commands.
    pub name: &'static str,
    /// Whether a text looks as if it had this form.
    pub recognises: fn(&str) -> bool,
    /// The records of a text, at least one, each with the number of its first line.
    pub split: fn(&str) -> Vec<(usize, &str)>,
    /// Reads a record that begins on this line, and is lenient about small deviations from the form.
    pub read: fn(&str, usize) -> Result<ReadGame<G>, TextError>,
    /// Writes a game exactly as the form demands; an error says why the form cannot hold it.
    pub write: fn(&Transcript<G>) -> Result<String, NotationError>,
    /// The default name of a file with this game.
    pub file_name: fn(&Transcript<G>) -> String,
}

/// A game that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadGame<G: Game> {
    /// The game.
    pub game: Transcript<G>,
    /// What was assumed where the text contradicts itself or leaves something open, each in one line with
    /// its place.
    pub assumed: Vec<String>,
}

/// The pieces that a side has left on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pieces {
    /// How many pieces there are.
    pub count: u32,
    /// The sum of their values, in the game's customary units.
    pub value: i32,
}

/// Code that works with an evaluation whose type is known at compile time, like a closure that is
/// generic.
pub trait UseEvaluation<G: Game> {
    /// The result of this code.
    type Output;

    /// Runs the code with the evaluation.
    fn with<E: Evaluator<G> + 'static>(self, evaluator: E) -> Self::Output;
}

/// Runs `user` with the evaluation called `name`.
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

/// The evaluation called `name` behind a pointer, so that all evaluations have one type.
///
/// # Errors
/// When the game has no evaluation of this name.
pub fn shared_evaluation<G: Playable>(name: &str) -> Result<Arc<dyn Evaluator<G>>, UnknownName> {
    with_evaluation(name, Shared)
}

struct Shared;

impl<G: Game> UseEvaluation<G> for Shared {
    type Output = Arc<dyn Evaluator<G>>;

    fn with<E: Evaluator<G> + 'static>(self, evaluator: E) -> Self::Output {
        Arc::new(evaluator)
    }
}
