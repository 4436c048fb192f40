//! Games without a type parameter: a handle for each, and everything that begins with it.

use std::fmt;
use std::io::Read;
use std::ops::{ControlFlow, Deref};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{LazyLock, PoisonError, RwLock};
use std::time::Duration;

use wurfel_agents::{
    AgentInfo, Catalogued, Level, PuzzleBook, Spec, SpecError, UseGame, default_evaluation, games,
    with_game,
};
use wurfel_arena::{
    CupDefinition, CupError, GameStream, Journal, MatchError, MatchHeader, MatchProgress,
    OutputError, PlayedPairings, RecordWriter, Refusal, ResultsError, SessionError,
    SessionSettings, Source, Speed, SpeedSettings, TimedDecision, Tournament,
};
use wurfel_core::{
    BySide, Decision, NotationError, Random, Side, Situation, TextError, UnknownName, Weighted,
};
use wurfel_games::Choice;
use wurfel_net::{Model, NetError};
use wurfel_tablebase::{Build, BuildProgress, TableError, build, default_folder};

use crate::agents::Agents;
use crate::cup::Cup;
use crate::encoding::{self, Encoding, NoEncoding, named};
use crate::entrants::{Entrants, entrants};
use crate::evaluation::{Evaluation, evaluation};
use crate::lanes::{self, Lanes};
use crate::learning::{Learning, Of};
use crate::luck::{self, LuckMeter};
use crate::player::Player;
use crate::policy::{PolicyNetwork, policy};
use crate::position::Position;
use crate::records::{Games, Unread, find, forms};
use crate::session::{self, ResumedSession, Session};
use crate::table_units::TableUnits;
use crate::tables::{Tables, TablesWanted};

/// A game with its rules. Two handles are equal if they are handles of the game with the same name.
#[derive(Clone, Copy)]
pub struct Game(&'static dyn AnyGame);

/// What lists show of a game, and what it offers.
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

/// A decision in a game in which people played.
#[derive(Clone, Debug)]
pub struct PlayedDecision {
    /// The position with its roll, or with the dice that are left of it.
    pub position: Position,
    /// The move, with what the agent knows about it.
    pub decision: Decision<String>,
    /// How long it took.
    pub time: Duration,
}

/// A flag that ends work early.
type Stop = &'static AtomicBool;

/// What a game offers whatever its type is; a [`Game`] points to it.
pub trait AnyGame: Learning + TableUnits {
    /// What lists show of the game.
    fn facts(&self) -> Facts;

    /// Reads a position, with its roll if the text has one. With `drop_castling`, rights to castle that
    /// the board rules out are dropped and not refused.
    ///
    /// # Errors
    /// When the text is not a position; the error names the wrong character and what was expected.
    fn read(&self, text: &str, drop_castling: bool) -> Result<Position, NotationError>;

    /// Reads a position before its roll.
    ///
    /// # Errors
    /// As for [`AnyGame::read`], and when the text has a roll.
    fn read_at_rest(&self, text: &str) -> Result<Position, NotationError>;

    /// The initial position before the first roll.
    fn start(&self) -> Position;

    /// A position before the first roll for which both set-ups are drawn, each equally likely.
    fn setup(&self, random: &mut Random) -> Position;

    /// All ways in which a side may arrange its pieces, each once.
    fn setups(&self) -> Vec<String>;

    /// The position before the first roll in which the sides have these set-ups; `None` when one of them
    /// is no set-up.
    fn arranged(&self, setups: BySide<&str>) -> Option<Position>;

    /// A position before the end with this number of pieces; `None` when none was found in many
    /// attempts.
    fn draw(&self, source: Source, pieces: u32, random: &mut Random) -> Option<Position>;

    /// What the physical dice can show, each face with the number of equally likely ways in which the
    /// dice can fall to show it.
    fn dice(&self) -> Vec<Weighted<String>>;

    /// The puzzles that were made once; `None` where there are none.
    fn puzzles(&self) -> Option<PuzzleBook>;

    /// The evaluation that an agent uses in this game when its spec names none; `None` for an agent that
    /// uses no evaluation.
    fn default_evaluation(&self, agent: &AgentInfo) -> Option<&'static str>;

    /// The encodings for networks, the default first.
    fn encodings(&self) -> Vec<Box<dyn Encoding>>;

    /// The encoding with this name, or the default one.
    ///
    /// # Errors
    /// When the game has no such encoding.
    fn encoding(&self, name: Option<&str>) -> Result<Box<dyn Encoding>, NoEncoding>;

    /// A network to be asked about positions.
    ///
    /// # Errors
    /// When the network is not one of this game.
    fn policy(&self, model: &Model) -> Result<Box<dyn PolicyNetwork>, NetError>;

    /// So many games that are played at once, with set-ups and dice from `random`, seen by the encoding
    /// with this name or the default one.
    ///
    /// # Errors
    /// When the game has no such encoding.
    fn lanes(
        &self,
        lanes: usize,
        random: Random,
        encoding: Option<&str>,
    ) -> Result<Box<dyn Lanes>, NoEncoding>;

    /// A meter of luck with the game's best evaluation.
    fn luck_meter(&self) -> Box<dyn LuckMeter>;

    /// The evaluation with this name.
    ///
    /// # Errors
    /// When the game has none.
    fn evaluation(&self, name: &str) -> Result<Box<dyn Evaluation>, UnknownName>;

    /// The agents of a player.
    ///
    /// # Errors
    /// When its spec does not describe an agent of this game.
    fn agents(&self, player: &Player) -> Result<Agents, SpecError>;

    /// Entrants that can meet each other in matches.
    ///
    /// # Errors
    /// When a spec does not describe an agent of this game.
    fn entrants(&self, players: &[Player]) -> Result<Box<dyn Entrants>, SpecError>;

    /// Plays a round robin; see [`Tournament::run`].
    ///
    /// # Errors
    /// When an agent cannot be built, does not start or cannot choose a set-up, or the file cannot be
    /// written.
    fn tournament(
        &self,
        tournament: &Tournament<'_>,
        jobs: usize,
        out: Option<&Path>,
        progress: &mut dyn FnMut([usize; 2], MatchProgress<'_>),
    ) -> Result<PlayedPairings, MatchError>;

    /// The tournament that a file describes, which ends early when `stop` turns true.
    ///
    /// # Errors
    /// When an agent, a set-up or a tablebase that the file names cannot be used.
    fn cup(&self, definition: CupDefinition, stop: Option<Stop>) -> Result<Box<dyn Cup>, CupError>;

    /// The tables of the game in a folder, by default the standard one.
    ///
    /// # Errors
    /// When the system refuses, or a file with a table's name is none.
    fn tables(&self, folder: Option<&Path>, wanted: TablesWanted) -> Result<Tables, TableError>;

    /// No tables, for searches that go on to the end of the game.
    fn no_tables(&self) -> Tables;

    /// Builds the tables of the game in a folder; see [`build()`].
    ///
    /// # Errors
    /// As for [`build()`].
    fn build_tables(
        &self,
        folder: &Path,
        settings: Build,
        progress: &mut dyn FnMut(BuildProgress) -> bool,
    ) -> Result<bool, TableError>;

    /// Measures evaluations; see [`SpeedSettings::measure`].
    ///
    /// # Errors
    /// When the game has no evaluation of one of these names.
    fn speed(
        &self,
        settings: SpeedSettings,
        evaluations: &[&str],
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Vec<Speed>, UnknownName>;

    /// Reads the games of a text, in any form in which games are written.
    ///
    /// # Errors
    /// When the text holds something else, with the place of what is wrong.
    fn read_games(&self, text: &str) -> Result<Games, TextError>;

    /// The games of a text, which are parsed one by one.
    ///
    /// # Errors
    /// When the text does not begin as one with games of this rule set does.
    fn find_games<'a>(
        &self,
        text: &'a str,
    ) -> Result<Box<dyn Iterator<Item = Unread<'a>> + 'a>, TextError>;

    /// Passes each game of a file to `see`, alone, or what is wrong with the file, until `see` wants no
    /// more.
    fn each_game(
        &self,
        stream: GameStream<Box<dyn Read>>,
        see: &mut dyn FnMut(Result<Games, ResultsError>) -> ControlFlow<()>,
    );

    /// No games, to which others are added.
    fn no_games(&self) -> Games;

    /// The names of the forms in which games are written.
    fn forms(&self) -> Vec<&'static str>;

    /// Writes games of a file with this header again; see [`RecordWriter::again`].
    fn writer_again(&self, header: &MatchHeader) -> RecordWriter;

    /// Reads a line that such a writer has written.
    ///
    /// # Errors
    /// When it is no such line.
    fn read_line(&self, writer: &RecordWriter, line: &str) -> Result<Games, TextError>;

    /// Opens the files of a game in which people play; see [`Journal::open`].
    ///
    /// # Errors
    /// When a file already exists or cannot be written.
    fn open_journal(
        &self,
        path: &Path,
        players: [String; 2],
        csv: bool,
    ) -> Result<Journal, OutputError>;

    /// Writes a game in which people played, if it is over; see [`Journal::write`].
    ///
    /// # Errors
    /// When the system refuses.
    ///
    /// # Panics
    /// When a position is one of another game, or a move is not legal in it.
    fn write_journal(
        &self,
        journal: Journal,
        decisions: &[PlayedDecision],
        last: &Position,
    ) -> Result<(), OutputError>;

    /// A match at a real table in which nothing has happened yet.
    ///
    /// # Errors
    /// When the settings cannot be played.
    fn session(&self, settings: SessionSettings) -> Result<Box<dyn Session>, Refusal>;

    /// Opens a match at a real table that an earlier run has left; see
    /// [`wurfel_arena::SessionFile::resume`].
    ///
    /// # Errors
    /// When the file is damaged, another program is writing it, or the system refuses.
    fn resume_session(&self, path: &Path) -> Result<Option<ResumedSession>, SessionError>;
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
/// When a game has the name of another one.
pub fn add_games(own: impl IntoIterator<Item = Game>) {
    for game in own {
        assert!(self::game(game.name()).is_err(), "two games are called {}", game.name());
        ADDED.write().unwrap_or_else(PoisonError::into_inner).push(game);
    }
}

/// The game with this name.
///
/// # Errors
/// When there is none; the error names the nearest one.
pub fn game(name: &str) -> Result<Game, UnknownName> {
    all_games().find(|game| game.name() == name).ok_or_else(|| {
        let names: Vec<&str> = all_games().map(Game::name).collect();
        UnknownName::new("game", name, &names)
    })
}

/// The game where none is named: the first of the catalogue.
///
/// # Panics
/// When the catalogue is empty.
pub fn default_game() -> Game {
    all_games().next().expect("a catalogue has games")
}

/// All games, those of the catalogue first and the default before all others.
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
    pub fn review_depth(self) -> u32 {
        if self.facts().several_moves { 1 } else { 4 }
    }

    /// The agents of a spec.
    ///
    /// # Errors
    /// When the spec does not describe an agent of this game.
    pub fn agents_of(self, spec: &Spec) -> Result<Agents, SpecError> {
        self.agents(&spec.clone().into())
    }

    /// The tables for a search to the end of the game, with small ones built where they are missing.
    /// Where the system refuses the default folder, the search goes on without any, and the error is the
    /// second part of the answer; a folder that is named must have them.
    ///
    /// # Errors
    /// As for [`AnyGame::tables`].
    pub fn tables_for_search(
        self,
        folder: Option<&Path>,
    ) -> Result<(Tables, Option<TableError>), TableError> {
        match self.tables(folder, TablesWanted::WithSmall) {
            Err(error) if folder.is_none() && error.is_refusal() => {
                Ok((self.no_tables(), Some(error)))
            }
            result => Ok((result?, None)),
        }
    }

    /// The units of the game's tables.
    pub fn table_units(self) -> &'static dyn TableUnits {
        self.0
    }

    /// Learning in the game.
    pub fn learning(self) -> &'static dyn Learning {
        self.0
    }
}

/// The folder of tables that is used when none is named.
///
/// # Errors
/// When there is no home.
pub fn tables_folder(named: Option<&Path>) -> Result<PathBuf, TableError> {
    named.map_or_else(default_folder, |folder| Ok(folder.to_owned()))
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

/// A decision with its type.
fn typed<G: Catalogued>(rules: &G, decided: &PlayedDecision) -> Option<TimedDecision<G>> {
    let Situation { position, roll } = decided.position.known(rules)?;
    let roll = (*roll)?;
    let Decision { mv, value, exact, nodes, depth } = &decided.decision;
    let mv = position.find_move(roll, mv).ok()?;
    let decision = Decision { mv, value: *value, exact: *exact, nodes: *nodes, depth: *depth };
    Some(TimedDecision { position: position.clone(), roll, decision, time: decided.time })
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
            network: G::NETWORK,
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

    fn draw(&self, source: Source, pieces: u32, random: &mut Random) -> Option<Position> {
        let position = source.draw(&self.0, pieces, random)?;
        Some(Position::new(Situation { position, roll: None }))
    }

    fn dice(&self) -> Vec<Weighted<String>> {
        let text =
            |of: &Weighted<G::Roll>| Weighted { item: of.item.to_string(), weight: of.weight };
        G::DICE.iter().map(text).collect()
    }

    fn puzzles(&self) -> Option<PuzzleBook> {
        self.0.puzzles()
    }

    fn default_evaluation(&self, agent: &AgentInfo) -> Option<&'static str> {
        default_evaluation::<G>(agent)
    }

    fn encodings(&self) -> Vec<Box<dyn Encoding>> {
        encoding::all(&self.0)
    }

    fn encoding(&self, name: Option<&str>) -> Result<Box<dyn Encoding>, NoEncoding> {
        named(&self.0, name)
    }

    fn policy(&self, model: &Model) -> Result<Box<dyn PolicyNetwork>, NetError> {
        policy(&self.0, model)
    }

    fn lanes(
        &self,
        lanes: usize,
        random: Random,
        encoding: Option<&str>,
    ) -> Result<Box<dyn Lanes>, NoEncoding> {
        lanes::lanes(&self.0, lanes, random, encoding)
    }

    fn luck_meter(&self) -> Box<dyn LuckMeter> {
        Box::new(luck::Typed { rules: self.0.clone(), meter: wurfel_arena::LuckMeter::usual() })
    }

    fn evaluation(&self, name: &str) -> Result<Box<dyn Evaluation>, UnknownName> {
        evaluation(&self.0, name)
    }

    fn agents(&self, player: &Player) -> Result<Agents, SpecError> {
        player.factory(&self.0).map(|factory| Agents::new(&self.0, factory))
    }

    fn entrants(&self, players: &[Player]) -> Result<Box<dyn Entrants>, SpecError> {
        entrants(&self.0, players)
    }

    fn tournament(
        &self,
        tournament: &Tournament<'_>,
        jobs: usize,
        out: Option<&Path>,
        progress: &mut dyn FnMut([usize; 2], MatchProgress<'_>),
    ) -> Result<PlayedPairings, MatchError> {
        tournament.run(&self.0, jobs, out, progress)
    }

    fn cup(&self, definition: CupDefinition, stop: Option<Stop>) -> Result<Box<dyn Cup>, CupError> {
        Ok(Box::new(wurfel_arena::Cup::new(&self.0, definition, stop)?))
    }

    fn tables(&self, folder: Option<&Path>, wanted: TablesWanted) -> Result<Tables, TableError> {
        Tables::open(&self.0, &tables_folder(folder)?, wanted)
    }

    fn no_tables(&self) -> Tables {
        Tables::none(&self.0)
    }

    fn build_tables(
        &self,
        folder: &Path,
        settings: Build,
        progress: &mut dyn FnMut(BuildProgress) -> bool,
    ) -> Result<bool, TableError> {
        build::<G>(G::NAME, folder, settings, progress)
    }

    fn speed(
        &self,
        settings: SpeedSettings,
        evaluations: &[&str],
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Vec<Speed>, UnknownName> {
        settings.measure(&self.0, evaluations, progress)
    }

    fn read_games(&self, text: &str) -> Result<Games, TextError> {
        Games::read(&self.0, text)
    }

    fn find_games<'a>(
        &self,
        text: &'a str,
    ) -> Result<Box<dyn Iterator<Item = Unread<'a>> + 'a>, TextError> {
        find(&self.0, text)
    }

    fn each_game(
        &self,
        stream: GameStream<Box<dyn Read>>,
        see: &mut dyn FnMut(Result<Games, ResultsError>) -> ControlFlow<()>,
    ) {
        Games::each(&self.0, stream, see);
    }

    fn no_games(&self) -> Games {
        Games::new::<G>(vec![])
    }

    fn forms(&self) -> Vec<&'static str> {
        forms::<G>()
    }

    fn writer_again(&self, header: &MatchHeader) -> RecordWriter {
        RecordWriter::again(header)
    }

    fn read_line(&self, writer: &RecordWriter, line: &str) -> Result<Games, TextError> {
        Games::read_line(&self.0, writer, line)
    }

    fn open_journal(
        &self,
        path: &Path,
        players: [String; 2],
        csv: bool,
    ) -> Result<Journal, OutputError> {
        Journal::open(path, self.0.name(), players, csv)
    }

    fn write_journal(
        &self,
        journal: Journal,
        decisions: &[PlayedDecision],
        last: &Position,
    ) -> Result<(), OutputError> {
        let decisions: Option<Vec<TimedDecision<G>>> =
            decisions.iter().map(|decided| typed(&self.0, decided)).collect();
        let last = last.known(&self.0).expect("the last position is one of the game");
        journal.write(&decisions.expect("all decisions are those of the game"), &last.position)
    }

    fn session(&self, settings: SessionSettings) -> Result<Box<dyn Session>, Refusal> {
        session::begin(&self.0, settings)
    }

    fn resume_session(&self, path: &Path) -> Result<Option<ResumedSession>, SessionError> {
        session::resume(&self.0, path)
    }
}
