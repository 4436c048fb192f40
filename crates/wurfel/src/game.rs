//! Games without a type parameter: a handle for each, and everything that begins with it.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use wurfel_agents::{
    AgentInfo, Catalogued, Level, PuzzleBook, Spec, SpecError, UseGame, default_evaluation, games,
    with_game,
};
use wurfel_arena::PositionSource;
use wurfel_core::{
    BySide, NotationError, Random, Side, Situation, TextError, UnknownName, Weighted,
};
use wurfel_games::{Choice, ShippedFile};

use crate::agents::Agents;
use crate::luck::{self, LuckMeter};
use crate::player::Player;
use crate::position::Position;
use crate::records::{Games, UnparsedGame, find};
use crate::solver::{Solver, solver};
use crate::workbench::Workbench;

/// A game with its rules. Two handles are equal if they are handles of the game with the same name.
///
/// ```
/// let chess = wurfel::game("dicechess")?;
/// assert_eq!((chess.name(), chess.facts().sides.iter().count()), ("dicechess", 2));
/// assert_ne!(chess, wurfel::game("einstein")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Game(pub(crate) &'static dyn AnyGame);

/// A game with its type: the position from which it begins by default, which stands for its rules.
pub(crate) struct Of<G>(pub G);

/// The facts about a game that lists show, and what it offers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Facts {
    /// The name in commands and records.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// What the letters in the game's diagrams mean; empty where they need no explanation.
    pub legend: &'static str,
    /// The names of the two sides.
    pub sides: BySide<&'static str>,
    /// The evaluations that agents can use, the default first.
    pub evaluations: &'static [Choice],
    /// Agents of measured strength for people to play against, weakest first.
    pub levels: &'static [Level],
    /// Rolled positions from all phases of the game.
    pub samples: &'static [&'static str],
    /// The specs that `bench` measures.
    pub benches: &'static [&'static str],
    /// The largest number of pieces with which a search to the end of the game takes only seconds; 0
    /// where there is none.
    pub max_solved: u32,
    /// The largest number of pieces of a table.
    pub max_pieces: u32,
    /// Whether a turn has several moves.
    pub several_moves: bool,
    /// The number of a side's turns among which the time for a whole game is divided at its start.
    pub turns: u32,
    /// The file of the network with which agents play when none is named.
    pub network: Option<&'static [u8]>,
}

/// A game whose type is erased; a [`Game`] points to one.
pub trait AnyGame: Workbench + Send + Sync {
    /// What lists show of the game.
    fn facts(&self) -> Facts;

    /// Reads a position, with its roll if the text has one. With `drop_castling`, castling rights that
    /// the board rules out are dropped, not refused; it makes a difference in Dice Chess alone.
    ///
    /// ```
    /// let einstein = wurfel::game("einstein")?;
    /// let position = einstein.read("ABC2/DE3/F3f/3ed/2cba r 4 1", false)?;
    /// assert_eq!(position.roll().as_deref(), Some("4"));
    /// let error = einstein.read("ABC2/DEX2", false).unwrap_err().to_string();
    /// assert!(error.contains("character 8 is 'X', expected"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the text is not a position; the error names the wrong character and what was expected.
    fn read(&self, text: &str, drop_castling: bool) -> Result<Position, NotationError>;

    /// Reads a position before its roll.
    ///
    /// ```
    /// let einstein = wurfel::game("einstein")?;
    /// assert!(einstein.read_at_rest("ABC2/DE3/F3f/3ed/2cba r - 1").is_ok());
    /// assert!(einstein.read_at_rest("ABC2/DE3/F3f/3ed/2cba r 4 1").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`AnyGame::read`], and when the text has a roll.
    fn read_at_rest(&self, text: &str) -> Result<Position, NotationError>;

    /// The initial position before the first roll.
    ///
    /// ```
    /// let chess = wurfel::game("dicechess")?;
    /// let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// assert_eq!(chess.start().to_string(), text);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn start(&self) -> Position;

    /// A position before the first roll for which both set-ups are drawn, each equally likely.
    ///
    /// ```
    /// use wurfel::Random;
    ///
    /// let einstein = wurfel::game("einstein")?;
    /// // The same seed gives the same set-ups.
    /// let [one, same] = [(); 2].map(|()| einstein.setup(&mut Random::new(7)));
    /// assert_eq!(one, same);
    /// assert_ne!(one, einstein.setup(&mut Random::new(8)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn setup(&self, random: &mut Random) -> Position;

    /// All ways in which a side may arrange its pieces, each once.
    ///
    /// ```
    /// // Six cubes on six squares of a corner.
    /// let setups = wurfel::game("einstein")?.setups();
    /// assert_eq!(setups.len(), 720);
    /// assert!(setups.contains(&"S123456".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn setups(&self) -> Vec<String>;

    /// The position before the first roll in which the sides have these set-ups; `None` when one of them
    /// is no set-up.
    ///
    /// ```
    /// use wurfel::BySide;
    ///
    /// let einstein = wurfel::game("einstein")?;
    /// let position = einstein.arranged(BySide::new("S123456", "S123456")).expect("two set-ups");
    /// assert_eq!(
    ///     position.diagram().text(false),
    ///     "\
    /// 5  A  B  C  .  .
    /// 4  D  E  .  .  .
    /// 3  F  .  .  .  f
    /// 2  .  .  .  e  d
    /// 1  .  .  c  b  a
    ///    a  b  c  d  e
    /// ply 1: red is to roll
    /// "
    /// );
    /// assert_eq!(einstein.arranged(BySide::new("S123456", "S12")), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn arranged(&self, setups: BySide<&str>) -> Option<Position>;

    /// A position before the end with this number of pieces; `None` when none was found in many
    /// attempts.
    ///
    /// ```
    /// use wurfel::{Random, Side, PositionSource};
    ///
    /// let einstein = wurfel::game("einstein")?;
    /// let position = einstein.draw(PositionSource::Scattered, 4, &mut Random::new(1)).expect("many have four");
    /// let pieces = [Side::First, Side::Second].map(|side| position.pieces(side).count);
    /// assert_eq!(pieces[0] + pieces[1], 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn draw(&self, source: PositionSource, pieces: u32, random: &mut Random) -> Option<Position>;

    /// A solver without tables, with a transposition table of this size.
    fn solver(&self, megabytes: usize) -> Box<dyn Solver>;

    /// What the physical dice can show, each face with the number of equally likely outcomes that
    /// show it.
    ///
    /// ```
    /// let faces = |name| wurfel::game(name).map(|game| game.dice().len());
    /// assert_eq!((faces("einstein")?, faces("dicechess3")?), (6, 56));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn dice(&self) -> Vec<Weighted<String>>;

    /// The prepared puzzles; `None` where there are none.
    fn puzzles(&self) -> Option<PuzzleBook>;

    /// The files that ship for this game: the parameters of its agents, and its puzzles.
    fn files(&self) -> Vec<&'static ShippedFile>;

    /// The file of the best evaluation, with which luck is measured; `None` where it has none.
    fn best_file(&self) -> Option<&'static ShippedFile>;

    /// The evaluation that an agent uses in this game when its spec names none; `None` for an agent that
    /// uses no evaluation.
    fn default_evaluation(&self, agent: &AgentInfo) -> Option<&'static str>;

    /// A luck meter with the game's best evaluation.
    ///
    /// ```
    /// let einstein = wurfel::game("einstein")?;
    /// let meter = einstein.luck_meter();
    /// // Red can move into its goal with a 1 and with nothing else.
    /// let luck = |roll| meter.roll(&einstein.read(&format!("5/5/5/3A1/B3f r {roll} 1"), false)?);
    /// assert!(luck(1)? > 0.0 && luck(6)? < 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn luck_meter(&self) -> Box<dyn LuckMeter>;

    /// The agents of a player.
    ///
    /// ```
    /// use wurfel::Player;
    ///
    /// let einstein = wurfel::game("einstein")?;
    /// assert!(einstein.agents(&Player::Spec("uct:playouts=100".parse()?)).is_ok());
    /// let wrong = einstein.agents(&Player::Spec("gredy".parse()?)).err().expect("no such agent");
    /// assert!(wrong.to_string().contains("did you mean 'greedy'?"), "{wrong}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When its spec does not describe an agent of this game.
    fn agents(&self, player: &Player) -> Result<Agents, SpecError>;

    /// Reads the games of a text, in any form in which games are written.
    ///
    /// ```
    /// let games = wurfel::game("einstein")?.read_games("@4 a4b4 @1 e1e2")?;
    /// assert_eq!((games.len(), games.last(0).ply()), (1, 3));
    /// assert_eq!(games.move_list(0), "ABC2/DE3/F3f/3ed/2cba r - 1 @4 a4b4 @1 e1e2 *");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the text holds anything else; the error says where.
    fn read_games(&self, text: &str) -> Result<Games, TextError>;

    /// The games of a text, which are parsed one by one.
    ///
    /// # Errors
    /// When the text does not begin as one with games of this rule set does.
    fn find_games<'a>(
        &self,
        text: &'a str,
    ) -> Result<Box<dyn Iterator<Item = UnparsedGame<'a>> + 'a>, TextError>;

    /// An empty list, to which games are added.
    fn no_games(&self) -> Games;
}

struct Handle;

impl UseGame for Handle {
    type Output = Game;

    fn with<G: Catalogued>(self, rules: &G) -> Game {
        Game::under(rules.clone())
    }
}

/// The games of the catalogue.
static LISTED: LazyLock<Vec<Game>> = LazyLock::new(|| {
    games().iter().filter_map(|known| with_game(known.name, Handle).ok()).collect()
});

/// The games that a program has added to the catalogue.
static ADDED: RwLock<Vec<Game>> = RwLock::new(vec![]);

fn added() -> Vec<Game> {
    ADDED.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Adds games to those that [`game()`] and [`all_games`] know, and with them everything that is given
/// the name of a game. A program does so at its start.
///
/// # Panics
/// When two games have the same name.
pub fn add_games(own: impl IntoIterator<Item = Game>) {
    for game in own {
        assert!(self::game(game.name()).is_err(), "two games are called {}", game.name());
        ADDED.write().unwrap_or_else(PoisonError::into_inner).push(game);
    }
}

/// The game with this name, of those that [`all_games`] lists.
///
/// ```
/// assert_eq!(wurfel::game("dicechess3")?.facts().title, "Dice Chess (three dice)");
/// let error = wurfel::game("einstien").unwrap_err().to_string();
/// assert!(error.contains("did you mean 'einstein'?"), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there is none; the error names the nearest one.
pub fn game(name: &str) -> Result<Game, UnknownName> {
    all_games().find(|game| game.name() == name).ok_or_else(|| {
        let names: Vec<&str> = all_games().map(Game::name).collect();
        UnknownName::new("game", name, &names)
    })
}

/// The game used when none is named: the first of the catalogue.
///
/// ```
/// assert_eq!(wurfel::default_game().name(), "einstein");
/// ```
///
/// # Panics
/// When the catalogue is empty.
pub fn default_game() -> Game {
    all_games().next().expect("a catalogue has games")
}

/// All games, those of the catalogue first and the default before all others.
///
/// ```
/// let names: Vec<_> = wurfel::all_games().map(|game| game.name()).collect();
/// assert_eq!(names[..2], ["einstein", "einstein-nearest"]);
/// assert_eq!(names[2..4], ["dicechess", "dicechess3"]);
/// assert_eq!(names[4..], ["dicechess-promotion", "dicechess-bare"]);
/// ```
pub fn all_games() -> impl Iterator<Item = Game> {
    LISTED.iter().copied().chain(added())
}

impl Deref for Game {
    type Target = dyn AnyGame;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl Game {
    /// The handle of a game whose type is known, with its default rules. A program makes it once: it lives
    /// as long as the program.
    pub fn of<G: Catalogued>() -> Self {
        Self::under(G::default())
    }

    /// The handle of the game that begins by default with this position and is played by its rules; see
    /// [`Game::of`].
    pub fn under<G: Catalogued>(rules: G) -> Self {
        Self(Box::leak(Box::new(Of(rules))))
    }

    /// The name in commands and records.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// How many turns the analyser of a review looks ahead when nothing bounds it: four, and one where a
    /// turn takes several moves, of which there are thousands for each roll.
    ///
    /// ```
    /// assert_eq!(wurfel::game("einstein")?.review_depth(), 4);
    /// assert_eq!(wurfel::game("dicechess3")?.review_depth(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn review_depth(self) -> u32 {
        if self.facts().several_moves { 1 } else { 4 }
    }

    /// The agents of a spec; [`agents`](crate::agents()) lists their names.
    ///
    /// ```
    /// use wurfel::Budget;
    ///
    /// let einstein = wurfel::game("einstein")?;
    /// let mut agent = einstein.agents_of(&"greedy".parse()?)?.make();
    /// // Red is one step before its goal.
    /// let position = einstein.read("5/5/5/3A1/f4 r 1 1", false)?;
    /// assert_eq!(agent.decide(&position, Budget::default())?.mv, "d2e1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the spec does not describe an agent of this game.
    pub fn agents_of(self, spec: &Spec) -> Result<Agents, SpecError> {
        self.agents(&spec.clone().into())
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Game {}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Game({})", self.name())
    }
}

impl<G: Catalogued> AnyGame for Of<G> {
    fn facts(&self) -> Facts {
        Facts {
            name: self.0.name(),
            title: self.0.title(),
            about: self.0.about(),
            legend: G::LEGEND,
            sides: G::SIDES,
            evaluations: G::EVALUATIONS,
            levels: self.0.levels(),
            samples: G::SAMPLES,
            benches: G::BENCHES,
            max_solved: G::MAX_SOLVED,
            max_pieces: G::MAX_PIECES,
            several_moves: G::SEVERAL_MOVES,
            turns: G::TURNS,
            network: G::NETWORK.and_then(ShippedFile::bytes),
        }
    }

    fn read(&self, text: &str, drop_castling: bool) -> Result<Position, NotationError> {
        self.0.read_position(text.trim(), drop_castling).map(Position::new)
    }

    fn read_at_rest(&self, text: &str) -> Result<Position, NotationError> {
        let position = self.0.read_at_rest_alike(text.trim())?;
        Ok(Position::new(Situation { position, roll: None }))
    }

    fn start(&self) -> Position {
        Position::new(Situation { position: self.0.clone(), roll: None })
    }

    fn setup(&self, random: &mut Random) -> Position {
        Position::new(Situation { position: self.0.setup(random), roll: None })
    }

    fn setups(&self) -> Vec<String> {
        G::setups().iter().map(ToString::to_string).collect()
    }

    fn arranged(&self, setups: BySide<&str>) -> Option<Position> {
        let [one, other] = Side::BOTH.map(|side| G::setup_of(setups[side]));
        let position = self.0.start(BySide::new(one?, other?));
        Some(Position::new(Situation { position, roll: None }))
    }

    fn draw(&self, source: PositionSource, pieces: u32, random: &mut Random) -> Option<Position> {
        let position = source.draw(&self.0, pieces, random)?;
        Some(Position::new(Situation { position, roll: None }))
    }

    fn solver(&self, megabytes: usize) -> Box<dyn Solver> {
        solver(&self.0, &Arc::default(), megabytes)
    }

    fn dice(&self) -> Vec<Weighted<String>> {
        let text =
            |of: &Weighted<G::Roll>| Weighted { item: of.item.to_string(), weight: of.weight };
        G::DICE.iter().map(text).collect()
    }

    fn puzzles(&self) -> Option<PuzzleBook> {
        self.0.puzzles()
    }

    fn files(&self) -> Vec<&'static ShippedFile> {
        let evaluations = G::EVALUATIONS.iter().filter_map(|known| G::file_of(known.name));
        let puzzles = Catalogued::puzzles(&self.0).map(|book| book.file);
        evaluations.chain(G::REPLIES).chain(G::NETWORK).chain(puzzles).collect()
    }

    fn best_file(&self) -> Option<&'static ShippedFile> {
        G::file_of(G::BEST_EVALUATION)
    }

    fn default_evaluation(&self, agent: &AgentInfo) -> Option<&'static str> {
        default_evaluation::<G>(agent)
    }

    fn luck_meter(&self) -> Box<dyn LuckMeter> {
        Box::new(luck::Typed {
            rules: self.0.clone(),
            meter: wurfel_arena::LuckMeter::default_for_game(),
        })
    }

    fn agents(&self, player: &Player) -> Result<Agents, SpecError> {
        player.factory(&self.0).map(|factory| Agents::new(&self.0, factory))
    }

    fn read_games(&self, text: &str) -> Result<Games, TextError> {
        Games::read(&self.0, text)
    }

    fn find_games<'a>(
        &self,
        text: &'a str,
    ) -> Result<Box<dyn Iterator<Item = UnparsedGame<'a>> + 'a>, TextError> {
        find(&self.0, text)
    }

    fn no_games(&self) -> Games {
        Games::new::<G>(vec![])
    }
}
